"""jalali2022_solid.py - sections 4.1 and 5.1 of the paper: the bolted flange as a solid, its loops at four frequencies, laws identified from the
loop at 15 Hz, and the other loops by these laws.

The case is that of cases/jalali_flange: the sizes of the flange are ours, as the paper gives them in a picture only, so its Table 6 cannot come
again. A loop is the load over the relative motion at a point of the faces, as the paper has it. How far Table 6 goes is asked of a second flange,
whose faces are as soft along each other as its k_w.
"""
import os

import h5py
import numpy as np

from plots.result import Result
from plots.sheet import Sheet, legend_above, prefix

from . import jalali2022_flange_figures as pictures
from . import runs
from .jalali2022_figures import BLUE, HEIGHT, RED
from .rows import Row, print_remarks, print_table

CASE = "jalali_flange"
LEARNT = 15  # [Hz], the loop that laws are identified from
PRIED, PRYING = "pried", 300  # the slow cycles of one force [N], whose loop is not symmetric
POWERS = ("x", "x2", "x3", "x4", "x5")
TABLE_6 = ("x", "v", "v2", "v3")  # of eq. 43
REPEATS = 3  # of a loop that a law is moved along, from rest: it has forgotten the beginning in the last
SIZES = "the sizes are ours: the paper gives them in a picture"
WORDS = "'effectiveness and predictability' is said in words: 3 % of the load, not three times what the fit leaves at 15 Hz"
MOST = 0.03


def read_case(fields, *names):
    """With the loops alone, or with those studies alone that are named."""
    case = runs.read_case(CASE)
    names = names or [f"at_{frequency}_hz" for frequency in (7, 15, 20, 25)] + ["stuck", PRIED]
    tighten, *others = case["studies"]
    tighten["preload"]["fields"], tighten["preload"]["stresses"] = fields, False
    kept = [study for study in others for kind, keys in study.items() if keys.get("name", keys.get("joints")) in names]
    case["studies"] = [tighten, *kept]
    return case


def write_records(path, loops):
    """Each loop, and the way of the displacement that a law is moved along."""
    with h5py.File(path, "w") as file:
        for frequency, (time, x, v, force) in loops.items():
            for key, values in zip(("time", "displacement", "velocity", "force"), (time, x, v, force)):
                file[f"at_{frequency}_hz/{key}"] = values
            times = path_times(time)
            file[f"path_{frequency}_hz/time"], file[f"path_{frequency}_hz/displacement"] = times, np.append(np.tile(x[:-1], REPEATS), x[-1])


def path_times(time):
    """Of the repeated loop, after a step in which the law comes to its first displacement."""
    count, step = len(time) - 1, time[1] - time[0]
    return step * (1 + np.arange(REPEATS * count + 1))


def data_of(records):
    place = f"/at_{LEARNT}_hz/"
    return {"file": records, "time": place + "time", "displacement": place + "displacement", "force": place + "force"}


def polynomials(records):
    """By section 2.3, with powers of the displacement and with the terms of Table 6."""
    return [{"fit_polynomial": {"name": name, "branch": "both", "terms": list(terms), "data": data_of(records)}}
            for name, terms in (("valanis", POWERS), ("table_6", TABLE_6))]


def identifications(records):
    """And three other laws."""
    found = {
        "iwan4": {"find": {"slip_force": 6e3, "stiffness": 1e10, "chi": -0.5, "beta": 1.0}},
        "bouc_wen": {"find": {"k_l": 1e9, "k_h": 1e10, "B": 1e6, "C": {"start": 5e5, "least": -1e8, "most": 1e8}, "N": 1.0}},
        "jenkins": {"find": {"slip_force": 4e3, "stiffness": 5e9}, "beside": {"stiffness": {"start": 1e9}}},
    }
    return polynomials(records) + [{"fit_law": {"name": law, "law": {"law": law}, "data": data_of(records), **keys}} for law, keys in found.items()]


def named_values(group):
    return dict(zip((name.decode() for name in group["names"][:]), map(float, group["value"][:])))


def laws_of(fits):
    """What was identified, as a case has it."""
    values = named_values(fits.file["fit_polynomial/valanis"])
    laws = {"generalized Valanis": {"law": "generalized_valanis", "C1": values["E1"], "C2": values["E2"], **{f"P1_{term}": values[term] for term in POWERS}}}
    for law in ("iwan4", "bouc_wen", "jenkins"):
        values = named_values(fits.file[f"fit_law/{law}"])
        beside = values.pop("beside.stiffness", None)
        laws[law] = [{"law": law, **values}] + ([{"law": "spring", "stiffness": beside}] if beside else [])
    laws["jenkins and spring"] = laws.pop("jenkins")
    return laws


def name_of(law, frequency):
    return f"{law.replace(' ', '_')}_{frequency}"


def predictions(laws, records, frequencies):
    path = "/path_{}_hz/"
    return [{"loop": {"name": name_of(name, f), "law": law, "path": {"table": {"file": records, "time": path.format(f) + "time",
                                                                                "displacement": path.format(f) + "displacement"}}}}
            for name, law in laws.items() for f in frequencies]


def slopes(x, force):
    """dF/dx of a loop, on the way forth and back, each with its sample: where the force is zero, and between the reversal and the second sample after it."""
    low, high = int(np.argmin(x)), int(np.argmax(x))
    for begin, end in ((low, high), (high, low)):
        branch = np.arange(begin, end if end > begin else end + len(x) - 1) % (len(x) - 1)
        at = int(np.flatnonzero(np.diff(np.sign(force[branch])))[0])
        steep, zero = branch[[1, 3]], branch[[at - 3, at + 4]]
        yield tuple((samples[0], (force[samples[1]] - force[samples[0]]) / (x[samples[1]] - x[samples[0]])) for samples in (zero, steep))


class Flange:
    """The loops of the solid, what was identified, and the same loops by the laws."""

    def __init__(self, job):
        self.tools = runs.tools_of(CASE)
        self.solid = Result(runs.run_case(job.program, read_case(not job.short), job.folder, "solid", 1))
        self.loops = {f: self.tools.last_cycle(self.solid.file, f) for f in self.tools.FREQUENCIES}
        records = os.path.join(job.folder, "solid_loops.h5")
        write_records(records, self.loops)
        self.fits = Result(runs.run_case(job.program, {"studies": identifications(records)}, job.folder, "solid_fits", 1))
        self.laws = laws_of(self.fits)
        self.moved = Result(runs.run_case(job.program, {"studies": predictions(self.laws, records, self.loops)}, job.folder, "solid_laws", 1))

    def force_by(self, law, frequency):
        """Along the last of the repeated loops."""
        time = self.loops[frequency][0]
        group = self.moved.file[f"loop/{name_of(law, frequency)}"]
        return np.interp(path_times(time)[-len(time):], group["time"][:], group["force"][:])

    def errors_of(self, law, frequency):
        """Of the force, in the mean square and at most, by the load; of the work of the cycle."""
        _, x, _, force = self.loops[frequency]
        ours = self.force_by(law, frequency)
        off = np.abs(ours - force) / self.tools.FORCE
        return np.sqrt(np.mean(off**2)), off.max(), self.tools.area(x, ours) / self.tools.area(x, force) - 1

    def shares(self, frequency):
        """Time of the last cycle; which shares of the faces are open, stick and slip."""
        time = self.loops[frequency][0]
        return time, self.solid.file[f"transient/at_{frequency}_hz/joints/face/contact/share"][-len(time):]

    def pried(self):
        """Motion of the faces and load of a loop that is not symmetric."""
        return self.tools.second_cycle(self.solid.file, PRIED, PRYING)

    def close(self):
        for result in (self.solid, self.fits, self.moved):
            result.file.close()


def rows(flange):
    hertz = flange.solid.file["modes/stuck/omega"][:] / (2 * np.pi)
    for i, (mode, published) in enumerate(zip(flange.tools.BENDING, flange.tools.TABLE_8), 1):
        yield Row("Table 8", f"solid, bending mode {i}: frequency [Hz]", published, hertz[mode], 0.05 * published, SIZES)
    for frequency in flange.loops:
        if frequency != LEARNT:
            yield Row("Fig. 12", f"solid at {frequency} Hz by the generalized Valanis law of {LEARNT} Hz: force, root mean square by the load", 0,
                      flange.errors_of("generalized Valanis", frequency)[0], MOST, WORDS, kind="at most")


def print_laws(flange):
    """Which law predicts best; and what there is to say of k_w. No part of the verdict."""
    print(f"\nThe loops of the solid by laws identified at {LEARNT} Hz: error of the force in the mean square, at most [% of the load], of the work of a cycle [%]:\n")
    print(f"{'law':<22}" + "".join(f"{f'{frequency} Hz':<24}" for frequency in flange.loops))
    for law in flange.laws:
        errors = [[100 * error for error in flange.errors_of(law, frequency)] for frequency in flange.loops]
        print(f"{law:<22}" + "".join("{:5.2f} {:5.2f} {:+6.2f}      ".format(*each) for each in errors))
    _, x, _, force = flange.loops[LEARNT]
    ((_, zero_forth), (_, steep_forth)), ((_, zero_back), (_, steep_back)) = slopes(x, force)
    stiffness, kn = flange.fits.file["fit_polynomial/valanis/value"][0], flange.fits.file["fit_polynomial/table_6/value"][-1]
    print(f"\nk_w of the solid: identified {stiffness:.4g} N/m; slope of the loop, forth and back, where the force is zero {zero_forth:.4g} and {zero_back:.4g},")
    print(f"just after reversals {steep_forth:.4g} and {steep_back:.4g} N/m (the text does not say which of them figure 11 means).")
    print("Table 6 has 3.33e8 N/m, of a flange, a point and an interface stiffness that the paper does not give.")
    print(f"With the terms of Table 6, which has powers of the speed, k_n is {kn:.3g} 1/m, and no law is stable with that: at one frequency the speed is a")
    print("function of the displacement, so that powers of it explain what k_n N should.")


def figure_12(flange):
    """Of the solid."""
    sheet = Sheet(flange.solid, "fig_12_solid", "Fig. 12 of jalali2022: the solid at four frequencies, and the law identified at 15 Hz", 2 * HEIGHT)
    panels = [axes for _ in range(2) for axes in sheet.row(HEIGHT, [1, 1], head=0.55)]
    for axes, (frequency, (_, x, _, force)) in zip(panels, flange.loops.items()):
        unit, factor = prefix(np.abs(x).max(), "m")
        axes.plot(x * factor, force, label="solid", **BLUE)
        axes.plot(x * factor, flange.force_by("generalized Valanis", frequency), label="generalized Valanis law", **RED)
        axes.set_xlabel(f"displacement [{unit}]")
        axes.set_ylabel("load [N]")
        axes.set_title(f"{frequency} Hz\n", loc="left")
        legend_above(axes)
    return sheet


def figure_11(flange):
    """The symmetric loop at 15 Hz, and one that is not."""
    _, x, _, force = flange.loops[LEARNT]
    loops = {f"two forces of {flange.tools.FORCE / 1e3:g} kN, {LEARNT} Hz: symmetric": (x, force),
             f"one force of {PRYING} N, slowly: not symmetric": flange.pried()}
    return pictures.figure_11(flange.solid, [(title, loop, list(slopes(*loop))) for title, loop in loops.items()])


def draw(flange, short):
    """Figures 8, 9, 11 and 12, one after the other; the last alone when it must be short."""
    if not short:
        mesh = pictures.Mesh(flange.solid.file.filename, runs.read_case(CASE)["mesh"])
        yield pictures.figure_8(flange.solid, mesh)
        yield pictures.figure_9(flange.solid, mesh, flange.tools.FORCE)
        yield pictures.figure_9_area(flange.solid, {frequency: flange.shares(frequency) for frequency in flange.loops})
        yield figure_11(flange)
    yield figure_12(flange)


def report(job, more_rows):
    """The rows, and those that others have of the same loops; tables are printed and figures drawn on the way."""
    with job.clock.part("solid"):
        flange = Flange(job)
        table = [*rows(flange), *more_rows(job, flange)]
        print()
        print_table(table)
        print_remarks(table)
        print_laws(flange)
        for sheet in draw(flange, job.short):
            job.save(sheet)
    flange.close()
    return table
