"""checks.py - the flange beside what must hold whatever its mesh: forces in balance, mirrored bolts, energies by two ways, loops that have become
steady; and the frequencies of the paper. scripts/reproduce jalali2022 identifies laws from the loops."""
import numpy as np

FREQUENCIES, FORCE, SAMPLES = (7, 15, 20, 25), 4e3, 400  # [Hz], [N], of a cycle
PRELOAD, BOLTS, FRICTION = 8e3, ("b1", "b2", "b3"), 0.2
TABLE_8, BENDING = (34.93, 196.84, 589.97), (0, 1, 4)  # the paper's simulated frequencies [Hz], and which of our modes bend the plates
LEVELS, STEPS = (1, 2, 3, 4, 5, 6), 20  # of the slow cycles [kN], and from one end to the other
SECOND = 80  # steps of the second cycle of the other slow studies
ENDS = {"face": "face_", "load": ""}


def relative(group, ends, key="displacement"):
    """Motion along x of the upper flange against the lower one, where the faces touch or where the loads act."""
    return (group[f"points/{ENDS[ends]}upper/{key}"][:] - group[f"points/{ENDS[ends]}lower/{key}"][:])[:, 0]


def last_cycle(result, frequency, ends="face", back=0):
    """Time, displacement, velocity and load of the last cycle, or of one before."""
    run = result[f"transient/at_{frequency}_hz"]
    end = len(run["time"]) - back * SAMPLES
    time, x, v = (values[end - SAMPLES - 1:end] for values in (run["time"][:], relative(run, ends), relative(run, ends, "velocity")))
    return time, x, v, FORCE * np.sin(2 * np.pi * frequency * time)


def area(x, force):
    """The work of a cycle; samples close the loop."""
    return float(np.sum((force[1:] + force[:-1]) * np.diff(x)) / 2)


def lost(result, frequency):
    """By slip, by damping of the modes, in the last cycle."""
    energy = result[f"transient/at_{frequency}_hz/energy"]
    return tuple(float(energy[key][-1] - energy[key][-1 - SAMPLES]) for key in ("joints", "damping"))


def slow_cycles(result):
    """Of each level: the rows of the cycle, from its end of positive load to there again, after the first way."""
    for i, level in enumerate(LEVELS):
        begin = (3 * i + 1) * STEPS
        yield level, slice(begin, begin + 2 * STEPS + 1)


def slow_energy(result):
    """Slip work of the slow cycles [J]."""
    dissipated = result["static/slow/joints/face/contact/dissipated"][:]
    return np.array([dissipated[rows.stop - 1] - dissipated[rows.start] for _, rows in slow_cycles(result)])


def slow_areas(result):
    """The same by the loads' work."""
    x, force = relative(result["static/slow"], "load"), 1e3 * result["static/slow/factor"][:]
    return np.array([area(x[rows], force[rows]) for _, rows in slow_cycles(result)])


def second_cycle(result, name, newtons):
    """Motion of the faces and load in the second cycle of a slow study."""
    rows = slice(-SECOND - 1, None)
    return relative(result[f"static/{name}"], "face")[rows], newtons * result[f"static/{name}/factor"][rows]


def asymmetry(x, force):
    """Of the work of a cycle, what is done above the mean load less what is done below it; 0 of a loop that half a turn leaves as it is."""
    force = force - (force.max() + force.min()) / 2
    return float((area(x, np.maximum(force, 0)) + area(x, np.minimum(force, 0)) * -1) / area(x, force))


def unsteadiness(result, frequency):
    """How far the last cycle is off the one before, by its range."""
    last, before = (last_cycle(result, frequency, back=back)[1] for back in (0, 1))
    return float(np.abs(last - before).max() / np.ptp(last))


def measure(result):
    found = {f"bending mode {i + 1}, by Table 8": result["modes/stuck/omega"][mode] / (2 * np.pi) / TABLE_8[i] for i, mode in enumerate(BENDING)}
    tension = result["preload/tightened/tension"][-1]
    found["tension after the last pass"] = tension / PRELOAD
    traction = result["preload/tightened/joints/face/traction"][-1]
    resultant = result["preload/tightened/joints/face/area"][:] @ traction
    found["pressing, by three bolts"] = -resultant[0] / (3 * PRELOAD)
    found["shear at rest, by the pressing"] = np.abs(resultant[1:]).max() / (3 * PRELOAD)
    slow = result["static/slow"]
    found["mirrored bolts"] = float(np.abs(slow["bolts/b1/tension"][:] - slow["bolts/b3/tension"][:]).max() / PRELOAD)
    energy = slow_energy(result)
    found["slow cycles, load's work by slip work"] = slow_areas(result)[2:] / energy[2:]
    found["energy grows with the load, least power"] = float(np.min(np.diff(np.log(energy[:5])) / np.diff(np.log(LEVELS[:5]))))
    share = slow["joints/face/contact/share"][:]
    found["closed parts that stick at 6 kN"] = share[-1, 1]
    stuck = [share[rows.stop - 1, 1] for _, rows in slow_cycles(result)]
    found["stuck area falls with the load"] = bool(np.all(np.diff(stuck) <= 0))
    across = slow["joints/face/contact/slip_width"][2::3]  # on the last way of each cycle
    found["points across what slips, too few at 1 kN"], found["points across what slips, enough at 4 kN"] = bool(across[0] < 2), bool(across[3] > 4)
    rows = dict(slow_cycles(result))[4]
    found["asymmetry, 4 kN both ways"] = asymmetry(relative(slow, "face")[rows], 1e3 * slow["factor"][rows])
    found["asymmetry, 4 kN and -1 kN"] = asymmetry(*second_cycle(result, "lopsided", 1e3))
    pried = asymmetry(*second_cycle(result, "pried", 300))
    found["asymmetry, one force of 300 N"], found["asymmetry, one force of 300 N, is there"] = pried, bool(abs(pried) > 0.1)
    for frequency in FREQUENCIES:
        slip, damping = lost(result, frequency)
        found[f"{frequency} Hz, change from cycle to cycle"] = unsteadiness(result, frequency)
        found[f"{frequency} Hz, slip work by the slow cycle"] = slip / energy[3]
        run = result[f"transient/at_{frequency}_hz"]
        found[f"{frequency} Hz, energy error"] = float(np.abs(run["energy/balance"][:]).max() / run["energy/work"][:].max())
    found["7 Hz, load's work by losses"] = area(*last_cycle(result, 7, "load")[1::2]) / sum(lost(result, 7))
    return found
