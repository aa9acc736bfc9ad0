"""jalali2022_beam.py - sections 4.2, 5.2 and 5.3 of the paper: the bolted flange as a beam, its modes, k_theta, M and J identified from frequencies,
the loops at four frequencies by the beam and by the paper's one mode; Tables 6 to 8 and figure 12.

The case is that of cases/jalali_beam. Here its beams have no rotary inertia, as the paper's: E times 1e6 and I over 1e6 keep E I. The
dimensions of the beam are inferred (errata), so what the paper prints can be met to 1e-3 only.
"""
import copy

import numpy as np

from plots.result import Result
from plots.sheet import Sheet, legend_above, prefix

from . import jalali2022_flange_figures as pictures
from . import runs
from .jalali2022_figures import BLUE, CIRCLES, FORCE, HEIGHT
from .rows import Row, half_digit

CASE = "jalali_beam"
SIMULATED, IDENTIFIED, ERRORS = ("34.93", "196.84", "589.97"), ("34.60", "197.2", "590.08"), ("-0.94", "0.18", "0.02")  # Table 8
OURS = ("34.59", "197.04", "590.08")  # errata: Table 7 in A18, with the inferred beam
TABLE_7 = {"k_theta": ("N m/rad", 22089.0), "M": ("kg", 0.06912), "J": ("kg m^2", 16.011e-5)}
LOOP = (("half-width [um]", 17.95, 1e6), ("area [J]", 0.111, 1))  # errata
INFERRED = "the beam is inferred (errata)"
FOURTH = "the mesh, of fourth order: 6e-6 of the third frequency"
SHARE = {"k_theta": 0.05, "M": 0.01, "J": 0.01}
WEIGHTS = f"{INFERRED}, and how the paper weighs the frequencies is not told: a hundredth, of k_theta five, as it and M change the frequencies nearly alike"
VALLEY = "no k_theta and M reach 34.93 Hz; where they come nearest they change the frequencies in one proportion, and the paper's are one pair of many"
ONE_MODE = "errata; one mode is the outer half alone, whose mass widens the loop with the square of the frequency"
MESH = "what the mesh errs in the third frequency, 6e-6, as the intervals of the fit have it: k_theta and M change the frequencies nearly alike"
FAR, NEAR, SLOW = 3e-4, 1e-10, 1e-6  # [m] 21 lengths of the law, and a hundred-thousandth; [m/s]
MARKS = 40  # on a loop


def thin(case, tools):
    """Without rotary inertia."""
    less = 1e6
    inertia = tools.INERTIA / less
    section = {"values": {"area": tools.AREA, "inertia_y": inertia, "inertia_z": inertia, "torsion": inertia}, "orientation": [0, 1, 0]}
    case["materials"]["steel"]["young"] = float(tools.YOUNG * less)
    for half in ("inner", "outer"):
        case["parts"][half] = dict(case["parts"][half], section=section)


def fit_of(case, name, frequencies, uncertainty):
    fit = copy.deepcopy(next(study["fit_modes"] for study in case["studies"] if "fit_modes" in study))
    fit["name"] = name
    fit["targets"] = [{"mode": i + 1, "frequency": float(f), "uncertainty": float(u)} for i, (f, u) in enumerate(zip(frequencies, uncertainty))]
    return {"fit_modes": fit}


def write_modes(tools):
    """Modes and identifications: from the frequencies of A18, as far as the mesh has them, and from what Table 8 simulated."""
    case = runs.read_case(CASE)
    thin(case, tools)
    exact, simulated = tools.frequencies(3, rotary=False), np.array(SIMULATED, float)
    law = case["joints"]["contact"]["y"]
    case["laws"] = {"contact": law}
    case["joints"]["contact"]["y"] = "contact"
    case["studies"] = [{"modes": {"count": 3, "joints": "stuck"}}, fit_of(case, "returned", exact, exact * [1e-6, 1e-6, 6e-6]),
                       fit_of(case, "simulated", simulated, 1e-3 * simulated),
                       {"loop": {"name": "near", "law": "contact", "path": {"ramp": {"through": [NEAR], "speed": SLOW}}}},
                       {"loop": {"name": "far", "law": "contact", "path": {"ramp": {"through": [FAR], "speed": SLOW}}}}]
    return case


def write_mode(tools):
    """Eqs 36 to 41: with k_w = 0 (errata) the first mode is the translation of the outer half, on the law alone."""
    case = runs.read_case(CASE)
    transients = [copy.deepcopy(study) for study in case["studies"] if "transient" in study]
    for study in transients:
        study["transient"]["load"] = [dict(load, harmonic={**load["harmonic"], "point": "outer", "direction": "x"}) for load in study["transient"]["load"][1:]]
    mass = float(1 / tools.assumed_mode(0)[1]**2)
    return {"title": "One mode (Jalali et al. 2022, eqs 36 to 41)", "masses": {"outer": {"mass": mass}}, "damping": case["damping"],
            "joints": {"contact": {"between": ["ground", "outer"], "x": case["joints"]["contact"]["y"]}}, "studies": transients}


def compute(job):
    """The open results: loops of the beam, of one mode, modes."""
    tools = runs.tools_of(CASE)
    beam = runs.read_case(CASE)
    beam["studies"] = [study for study in beam["studies"] if "fit_modes" not in study]
    cases = {"beam": beam, "mode": write_mode(tools), "modes": write_modes(tools)}
    with job.clock.part("beam"):
        return tools, {name: Result(runs.run_case(job.program, case, job.folder, f"flange_{name}", 1)) for name, case in cases.items()}


def loop_of(result, frequency, tools):
    """eta and N of the last cycle."""
    direction = "y" if "tip" in result.file[f"transient/at_{frequency}_hz/points"] else "x"
    return tools.last_cycle(result.file, frequency, direction)


def table_6(modes):
    law = modes.file["loop/far"], modes.file["loop/near"]
    (x, force), (near_x, near_force) = ((group["displacement"][:], group["force"][:]) for group in law)
    stiffness, limit = near_force[-1] / near_x[-1], force[-1]
    yield Row("Table 6", "kw: stiffness at rest [N/m]", 3.33e8, stiffness, 1e-5 * 3.33e8, "the law has left its tangent by k_n x / 2, 4e-6, there")
    yield Row("Table 6", "kw/kn: limiting force [N]", 4670, limit, 0.5, "errata, half a digit")
    yield Row("Table 6", "kn [1/m]", 7.13e4, stiffness / limit, 7.13e4 * 2e-5, "of the two above; a1 to a4 change them less")


def table_8(modes, beam, tools):
    frequency, exact = modes.file["modes/stuck/frequency"][:], tools.frequencies(3, rotary=False)
    for i, (printed, ours) in enumerate(zip(IDENTIFIED, OURS)):
        published, (expected, digit) = half_digit(printed)[0], half_digit(ours)
        yield Row("Table 8", f"mode {i + 1} with Table 7: frequency [Hz]", published, frequency[i], 1e-3 * published, f"{INFERRED}: A18 has {ours} Hz with it")
        yield Row("Eq. A18", f"mode {i + 1}: frequency, solved anew [Hz]", expected, exact[i], digit, "half a digit")
        yield Row("Eq. A18", f"mode {i + 1}: frequency of the beam by that of A18", 1, frequency[i] / exact[i], 2e-5, FOURTH)
    for mode, (found, expected) in enumerate(zip(beam.file["modes/stuck/frequency"][:], tools.frequencies(3)), 1):
        yield Row("Eq. A18", f"mode {mode}: with rotary inertia, by A18 with it", 1, found / expected, 2e-5, FOURTH)


def identified(group):
    """Number, unit, the paper's value, ours, half of its interval."""
    names = [name.decode() for name in group["names"][:]]
    for name, (unit, published) in TABLE_7.items():
        j = names.index(name)
        yield name, unit, published, group["value"][j], (group["high"][j] - group["low"][j]) / 2


def table_7(modes):
    returned, simulated = (modes.file[f"fit_modes/{study}"] for study in ("returned", "simulated"))
    for name, unit, published, value, half in identified(returned):
        yield Row("Table 7", f"{name} from the frequencies of A18 [{unit}]", published, value, half, MESH)
    for name, unit, published, value, _ in identified(simulated):
        yield Row("Table 7", f"{name} from the simulated frequencies of Table 8 [{unit}]", published, value, SHARE[name] * published, WEIGHTS)
    for what, group in (("of A18", returned), ("of Table 8", simulated)):
        yield Row("Table 7", f"the search from the frequencies {what} has converged", 1, group["converged"][0], 0, "a flag")
    for mode, (found, before, printed, error) in enumerate(zip(simulated["after"][:], SIMULATED, IDENTIFIED, ERRORS), 1):
        published, _ = half_digit(printed)
        yield Row("Table 8", f"mode {mode} identified from the simulated frequencies [Hz]", published, found, 1e-3 * published, INFERRED)
        yield Row("Table 8", f"mode {mode}: error of that [%]", float(error), 100 * (found / float(before) - 1), 0.1, f"{INFERRED}: 1e-3 of a frequency")
    determined = dict(zip((name.decode() for name in simulated["names"][:]), simulated["determined"][:]))
    yield Row("Table 7", "k_theta determined by the simulated frequencies", 0, determined["k_theta"], 0, VALLEY)


def figure_12_rows(results, tools):
    for frequency in tools.FREQUENCIES:
        for name, what in (("beam", "the beam"), ("mode", "eqs 36 to 41")):
            x, force = loop_of(results[name], frequency, tools)
            for (quantity, published, factor), value in zip(LOOP, (tools.half_width(x), tools.area(x, force))):
                tolerance, why = (0.03, ONE_MODE) if factor > 1 and name == "mode" else (half_digit(str(published))[1], "errata, half a digit")
                yield Row("Fig. 12", f"{frequency} Hz, {what}: {quantity}", published, value * factor, tolerance, why)


def rows(results, tools):
    yield from table_6(results["modes"])
    yield from table_7(results["modes"])
    yield from table_8(results["modes"], results["beam"], tools)
    yield from figure_12_rows(results, tools)


def figure_10(results):
    """The model, with what was identified from the simulated frequencies of Table 8."""
    found = {name: f"{value:.4g} {unit}" for name, unit, _, value, _ in identified(results["modes"].file["fit_modes/simulated"])}
    return pictures.figure_10(results["modes"], {**found, "k_w": "3.33e8 N/m"})


def draw(results, tools, short):
    """Figures 10 and 12: the model; the loops of the beam, and of one mode."""
    if not short:
        yield figure_10(results)
    sheet = Sheet(results["beam"], "fig_12", "Fig. 12 of jalali2022: the joint at four frequencies, by the beam and by one mode", 2 * HEIGHT)
    panels = [axes for _ in range(2) for axes in sheet.row(HEIGHT, [1, 1], head=0.55)]
    for axes, frequency in zip(panels, tools.FREQUENCIES):
        x, force = loop_of(results["beam"], frequency, tools)
        unit, factor = prefix(np.abs(x).max(), "m")
        axes.plot((x - (x.max() + x.min()) / 2) * factor, force, label="beam", **BLUE)
        x, force = loop_of(results["mode"], frequency, tools)
        chosen = slice(None, None, max(len(x) // MARKS, 1))
        axes.plot((x - (x.max() + x.min()) / 2)[chosen] * factor, force[chosen], label="eqs 36 to 41", **CIRCLES)
        axes.set_xlabel(f"displacement from its mean [{unit}]")
        axes.set_ylabel(FORCE)
        axes.set_title(f"{frequency} Hz\n", loc="left")
        legend_above(axes)
    yield sheet
