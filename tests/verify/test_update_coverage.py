#!/usr/bin/env python3
"""Whether intervals contain the truth as often as they say, of numbers found from noisy backbones of a joint: a mass on a spring and a joint that
slips, 20 times. `test_update_coverage.py 200` does it 200 times for the four numbers of the Sumali beam of Lacayo et al. 2017, and prints the
share of each. [timeout: 240]"""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.stats

PROGRAM = os.environ.get("DOVETAIL_PROGRAM", "build/release/dovetail")
SOURCE = os.environ.get("DOVETAIL_SOURCE", ".")
FREQUENCY, DAMPING = 2e-4, 0.03  # relative noise

OSCILLATOR = """masses: { block: { mass: 2 } }
springs: [ { between: [ground, block], stiffness: 8e4 } ]
laws: { slip: { law: iwan4, slip_force: 20, stiffness: 4e4, chi: -0.4, beta: 1 } }
joints: { bolt: { between: [ground, block], x: slip } }
damping: { modal: 1e-3 }
studies:
  - nonlinear_modes: { modes: 1, from: 1e-5, to: 3e-3, method: quasi_static, points: 12 }
"""
# Start and bounds; the truth is in the case.
OF_OSCILLATOR = {"slip_force": (20.0, 10, 2, 200), "chi": (-0.4, -0.6, -0.95, 0.3)}
OF_SUMALI = {"slip_force": (30.7, 20, 3, 300), "stiffness": (4.73e8, 3e8, 5e7, 5e9), "chi": (-0.23, -0.5, -0.95, 0.3), "beta": (0.46, 1, 0.01, 10)}


def run(name, case):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(case)
    done = subprocess.run([PROGRAM, "run", name + ".yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    return h5py.File(name + ".h5")


def written(numbers):
    return "[" + ", ".join(f"{number:.12g}" for number in numbers) + "]"


def measure(case, mode):
    with run("truth", case) as file:
        curve = file[f"nonlinear_modes/nonlinear_modes/mode{mode}"]
        return curve["amplitude"][:], curve["omega"][:], curve["zeta"][:]


def update(case, mode, numbers, curve, seed):
    """The update of a case by its backbones with noise. Every second amplitude is fitted; the damping between is predicted."""
    amplitude, omega, zeta = (values[::2] for values in curve)
    chance = np.random.default_rng(seed)
    path = f"nonlinear_modes/nonlinear_modes/mode{mode}/"
    targets = ""
    for key, values, noise in (("omega", omega, FREQUENCY), ("zeta", zeta, DAMPING)):
        measured = values * (1 + noise * chance.standard_normal(len(values)))
        targets += (f"    {key}: {{ path: {path}{key}, over: amplitude, at: {written(amplitude)}, value: {written(measured)}, "
                    f"uncertainty: {written(noise * values)} }}\n")
    find = "".join(f"    {name}: {{ path: laws.slip.{name}, start: {start}, least: {least}, most: {most} }}\n"
                   for name, (_, start, least, most) in numbers.items())
    predict = f"    between: {{ path: {path}zeta, over: amplitude, at: {written(curve[0][1:-1:2])} }}\n"
    with run("noisy", f"{case}update:\n  find:\n{find}  targets:\n{targets}  predict:\n{predict}  starts: 2\n") as file:
        return {key: file["update/" + key][()] for key in ("value", "low", "high", "converged", "posterior/low", "posterior/high",
                                                          "predictions/between/low", "predictions/between/high")}


def cover(case, mode, numbers, repeats):
    """How often the interval of each number contains the truth, by least squares and of the posterior, and the band of all points between."""
    curve = measure(case, mode)
    truth, between = np.array([number[0] for number in numbers.values()]), curve[2][1:-1:2]
    inside = {"least squares": np.zeros(len(numbers)), "posterior": np.zeros(len(numbers)), "band": np.zeros(len(between))}
    converged = 0
    for seed in range(repeats):
        found = update(case, mode, numbers, curve, seed)
        inside["least squares"] += (found["low"] <= truth) & (truth <= found["high"])
        inside["posterior"] += (found["posterior/low"] <= truth) & (truth <= found["posterior/high"])
        inside["band"] += (found["predictions/between/low"] <= between) & (between <= found["predictions/between/high"])
        converged += found["converged"][0]
    return inside, converged


def short():
    repeats = 20
    inside, converged = cover(OSCILLATOR, 1, OF_OSCILLATOR, repeats)
    least = scipy.stats.binom.ppf(1e-4, repeats, 0.95)  # as few only once in 10000 times; the seeds are fixed
    for what, counts in inside.items():
        assert np.all(counts >= least), f"{what}: {counts} of {repeats} contain the truth"
    assert converged == repeats, f"{converged} of {repeats} searches converged"


def long(repeats):
    with open(os.path.join(SOURCE, "cases/sumali/case.yaml"), encoding="utf-8") as file:
        case = file.read().split("studies:\n")[0].replace("../..", os.path.abspath(SOURCE))
    case += "studies:\n  - nonlinear_modes: { modes: 7, from: 1e-7, to: 3e-4, method: quasi_static, points: 29 }\n"
    inside, converged = cover(case, 7, OF_SUMALI, repeats)
    print(f"Sumali's beam, {repeats} repeats, {converged} converged; intervals of 95 % contain the truth in")
    for what, counts in inside.items():
        print(f"  {what + ':':15}", ", ".join(f"{100 * count / repeats:.1f} %" for count in counts))
    print(f"  of {', '.join(OF_SUMALI)}; of the band at each amplitude between those that were fitted")


if __name__ == "__main__":
    long(int(sys.argv[1])) if len(sys.argv) > 1 else short()
