#!/usr/bin/python3
"""compare.py - the rivals are right, and dovetail and they agree: compare.py DOVETAIL [--verbose]. Silent when right.

The textbook programs keep their energy balance and agree with each other. With more and more sliders they approach dovetail's
exact Iwan element at second order, and dovetail with their sliders gives what they give.
"""
import argparse
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import numpy as np

import rivals
from machine import Fault, execute

STEPS = 20000
EVERY = 10
SLIDERS = [20, 200, 2000]


class Checks:
    """Figures with their bounds; says those that are out of them."""

    def __init__(self, verbose):
        self.verbose, self.wrong = verbose, 0

    def below(self, what, value, bound):
        within = value < bound
        self.wrong += not within
        if self.verbose or not within:
            print(f"{'' if within else 'WRONG: '}{what}: {value:.2g}, must be below {bound:g}")


def textbook(program, system, folder, sliders):
    """What the C program says, with its history under `time` and `u`."""
    path = os.path.join(folder, "history.csv")
    output, _, _ = execute(program.command(system, STEPS, "--sliders", str(sliders), "--every", str(EVERY), "--history", path, "--energy"))
    table = np.genfromtxt(path, delimiter=",", names=True)
    return dict(program.read(output), time=table["time"], u=table["displacement"])


def dovetail(program, system, sliders):
    output, _, _ = execute(program.command(system, STEPS, EVERY, sliders))
    time, u = program.read_history()
    return {"time": time, "u": u}


def distance(system, one, other):
    """Largest difference of two histories at the steps both have, of the largest displacement."""
    steps = [np.rint(history["time"] / rivals.TIME_STEP[system]).astype(int) for history in (one, other)]
    common, i, j = np.intersect1d(*steps, return_indices=True)
    if len(common) < STEPS // EVERY:
        raise Fault(f"{system}: histories have only {len(common)} steps in common")
    return np.max(np.abs(one["u"][i] - other["u"][j])) / np.max(np.abs(other["u"]))


def check_rivals(checks, system, folder, histories):
    """The textbook programs by themselves."""
    for sliders, history in histories.items():
        checks.below(f"{system}, {sliders} sliders: energy balance of textbook.c, of the work", abs(history["energy_error"]), 1e-9)
        checks.below(f"{system}, {sliders} sliders: energy created by the joints, of the work", -history["joints_dissipated"] / history["work"], 0)
    predicted = textbook(rivals.Textbook(folder, "predict"), system, folder, 200)
    checks.below(f"{system}: textbook.c from another start of Newton", distance(system, predicted, histories[200]), 1e-8)
    if shutil.which("octave-cli"):
        c, octave = rivals.Textbook(folder), rivals.Octave()
        ends = [program.read(execute(program.command(system, 2000))[0]) for program in (c, octave)]
        for key in ("displacement", "peak_force"):
            checks.below(f"{system}: {key} of textbook.m against textbook.c", abs(ends[1][key] / ends[0][key] - 1), 1e-10)


def check_dovetail(checks, system, program, histories):
    checks.below(f"{system}: dovetail with 200 sliders against textbook.c", distance(system, dovetail(program, system, 200), histories[200]), 1e-8)
    exact = dovetail(program, system, 0)
    errors = [distance(system, histories[sliders], exact) for sliders in SLIDERS]
    for i, sliders in enumerate(SLIDERS[1:], 1):
        # Second order gives 100; the differences also depend on where the turning points fall in their bins.
        checks.below(f"{system}: difference from dovetail with {sliders} sliders, of that with {SLIDERS[i - 1]}", errors[i] / errors[i - 1], 1 / 20)
    checks.below(f"{system}: difference from dovetail with {SLIDERS[-1]} sliders", errors[-1], 1e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dovetail")
    parser.add_argument("--verbose", action="store_true", help="say what is right too")
    options = parser.parse_args()
    checks = Checks(options.verbose)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program, c = rivals.Dovetail(os.path.abspath(options.dovetail), folder), rivals.Textbook(folder)
            for system in rivals.SYSTEMS:
                histories = {sliders: textbook(c, system, folder, sliders) for sliders in SLIDERS}
                check_rivals(checks, system, folder, histories)
                check_dovetail(checks, system, program, histories)
    except Fault as fault:
        sys.exit(f"compare: {fault}")
    sys.exit(1 if checks.wrong else 0)


if __name__ == "__main__":
    main()
