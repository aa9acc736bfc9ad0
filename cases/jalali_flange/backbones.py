"""backbones.py - frequency and damping of a mode over its amplitude, by three ways: slow cycles along the mode, ring-downs in it, and periodic motions.

A cycle under the load alpha M phi follows the joints through what a period of the mode does, so slowly that nothing but they and springs resist:
zeta = slip work / (2 pi A alpha), A half of the range of q (R. M. Lacayo, M. S. Allen, Mech. Syst. Signal Process. 118 (2019), 133-157, who take half
cycles and Masing's rule). As friction about a preload is not antisymmetric, whole cycles are followed. In a ring-down other modes move, too; periodic
motions are those of `nonlinear_modes`.
sweep.py draws both, tests/verify/test_flange_damping.py compares them.
"""
import numpy as np

STEPS = 160  # of a cycle
# Periods of the lowest mode to a cycle, and the damping of all modes in it, so that none of them rings: inertia is 1e-4 of the load at most, and known.
SLOW, DAMPED = 100, 0.7
CYCLES = 6  # of a ring-down, the shortest piece that an amplitude is told of


def study_cycles(mode, lowest, loads):
    """Slow cycles along a mode, one run for each load; the case needs DAMPED in all modes. `lowest` is the angular frequency of the first mode."""
    cycle = float(2 * np.pi / lowest * SLOW)
    return {"transient": {"name": f"mode{mode}", "about": "tightened", "time_step": cycle / STEPS, "steps": 9 * STEPS // 4,
                          "load": {"harmonic": {"shape": {"mode": mode}, "frequency": 1 / cycle}}, "runs": [{"level": [float(load) for load in loads]}],
                          "watch": {"points": "none", "joints": "face", "modes": mode}}}


def harmonic(load, q):
    """omega^2 of a motion q = A cos theta along a loop that begins at its largest q: the first harmonic of the load over A."""
    half, turn = np.ptp(q) / 2, np.argmin(q)
    theta = np.arccos(np.clip((q - q.min()) / half - 1, -1, 1))
    theta[turn:] = 2 * np.pi - theta[turn:]
    share = load * np.cos(theta)
    return np.sum((share[1:] + share[:-1]) / 2 * np.diff(theta)) / np.pi / half


def read_cycle(run, lowest):
    """Half of the range of q, omega, damping ratio, of the second cycle; the load is less by the inertia of q."""
    last = slice(-STEPS - 1, None)
    q, lost, level = run["modal/displacement"][last, 0], run["energy/joints"][last], run.attrs["level"]
    half = np.ptp(q) / 2
    turning = lowest / SLOW
    load = level * np.sin(turning * run["time"][last])
    return half, np.sqrt(harmonic(load, q) + turning**2), (lost[-1] - lost[0]) / (2 * np.pi * half * level)


def read_cycles(file, mode, lowest):
    """A row for each load, in the order of the loads."""
    runs = [run for run in file["transient"].values() if run.attrs["study"].decode() == f"mode{mode}"]
    return np.array([read_cycle(run, lowest) for run in sorted(runs, key=lambda run: run.attrs["number"])])


def studies_of_ring_down(name, mode, omega, amplitude, periods, steps):
    """From the shape of the mode, moving through rest; so many steps in a period."""
    motion = {"name": name, "about": "tightened", "time_step": float(2 * np.pi / omega / steps), "steps": periods * steps,
              "initial": {"shape": {"mode": mode, "velocity": float(amplitude * omega)}}, "watch": {"points": "none", "modes": mode}}
    return [{"transient": motion}, {"ring_down": {"of": name, "cycles": CYCLES}}]


def read_ring_down(file, name, mode):
    """Amplitude of q, omega, damping ratio and its error, a row for each moment at which they are known."""
    group = file[f"ring_down/{name}/mode{mode}"]
    found = np.array([group[key][:] for key in ("amplitude", "omega", "zeta", "zeta_error")])
    return found[:, np.isfinite(found[0])].T


def study_curve(mode, least, most, harmonics=5, samples=128):
    """Periodic motions, of amplitudes of q."""
    return {"nonlinear_modes": {"name": "curve", "about": "tightened", "modes": mode, "from": float(least), "to": float(most), "harmonics": harmonics,
                                "samples": samples, "watch": {"points": "none"}}}


def read_curve(file, mode, amplitudes):
    """Omega and damping ratio at these amplitudes of q, between the points of the curve."""
    group = file[f"nonlinear_modes/curve/mode{mode}"]
    size, omega, zeta = (group[key][:] for key in ("amplitude", "omega", "zeta"))
    known = np.isfinite(size)
    return [np.interp(np.log(amplitudes), np.log(size[known]), values[known]) for values in (omega, zeta)]
