"""rivals.py - runs dovetail and the programs it is measured against on the same lumped systems, for dynamics.py and compare.py."""
import os
import re

import h5py
import numpy as np

from machine import FOLDER, Fault, execute

SYSTEMS = ["three_mass", "chain"]
TIME_STEP = {"three_mass": 0.02, "chain": 5e-5}


def parse(output):
    """The lines `key: value` a rival prints."""
    values = dict(re.findall(r"^(\w+): (\S+)$", output, re.MULTILINE))
    if "steps_per_second" not in values:
        raise Fault(f"not what a rival says:\n{output[-2000:]}")
    return {key: value if key == "system" else float(value) for key, value in values.items()}


class Textbook:
    """textbook.c, compiled in `folder`."""

    countable = True
    slow = False

    VARIANTS = {"": "textbook C, Cholesky", "predict": "textbook C, predicting", "lu": "textbook C, LU"}

    def __init__(self, folder, variant=""):
        self.name = self.VARIANTS[variant]
        self.program = os.path.join(folder, "textbook")
        self.options = ["--" + variant] if variant else []
        if not os.path.exists(self.program):
            source = os.path.join(FOLDER, "textbook.c")
            execute([os.environ.get("CC", "cc"), "-std=c11", "-O3", source, "-o", self.program, "-llapack", "-lblas", "-lm"])

    def command(self, system, steps, *options):
        return [self.program, system, "--steps", str(steps), *self.options, *options]

    def read(self, output):
        return parse(output)


class Octave:
    """textbook.m."""

    name = "textbook Octave"
    countable = False
    slow = True

    def command(self, system, steps, sliders=200):
        return ["octave-cli", "-q", os.path.join(FOLDER, "textbook.m"), system, str(steps), str(sliders)]

    def read(self, output):
        return parse(output)


class Dovetail:
    """The program under test; cases and results go to `folder`."""

    name = "dovetail"
    countable = True
    slow = False

    def __init__(self, program, folder):
        self.program = program
        self.case = os.path.join(folder, "case.yaml")
        self.result = os.path.join(folder, "result.h5")

    def command(self, system, steps, every=100, sliders=0):
        """Also writes the case: the one of `system` with other steps; 0 sliders are the exact law, others those of the rivals."""
        with open(os.path.join(FOLDER, system + ".yaml"), encoding="utf-8") as file:
            text = file.read()
        changes = {r"\bsteps: \d+": f"steps: {steps}", r"\bevery: \d+": f"every: {every}", r"\blaw: iwan4": f"law: iwan4, sliders: {sliders}"}
        for old, new in changes.items():
            text, count = re.subn(old, new, text)
            if count != 1:
                raise Fault(f"{system}.yaml must have {old} once")
        with open(self.case, "w", encoding="utf-8") as file:
            file.write(text)
        if os.path.exists(self.result):
            os.remove(self.result)
        return [self.program, "run", self.case, "-o", self.result]

    def read(self, output):
        """As a rival would say it, of all runs in sum, and the motion of the first; the seconds are those of the stepping alone, as with the rivals."""
        with h5py.File(self.result, "r") as file:
            runs = list(file["/transient"].values())
            steps, seconds, iterations = (float(sum(np.sum(run[key][()]) for run in runs)) for key in ("steps", "seconds", "iterations"))
            (point,) = runs[0]["points"].values()
            final = float(point["displacement"][-1, 0])
        rate, iterations = steps / seconds, iterations / steps
        return {"steps": steps, "seconds": seconds, "steps_per_second": rate, "iterations_per_step": iterations, "displacement": final}

    def read_history(self):
        """Times and displacements of the watched point."""
        with h5py.File(self.result, "r") as file:
            (run,) = file["/transient"].values()
            (point,) = run["points"].values()
            return run["time"][()], point["displacement"][:, 0]


class DovetailLanes(Dovetail):
    """The same with sixteen runs of levels from 1 down to a quarter: they march side by side, in the lanes of vector registers."""

    LEVELS = 16

    name = f"dovetail, {LEVELS} runs"
    countable = False

    def command(self, system, steps, every=100, sliders=0):
        command = super().command(system, steps, every, sliders)
        levels = [round(1 - 0.75 * level / (self.LEVELS - 1), 3) for level in range(self.LEVELS)]
        with open(self.case, "a", encoding="utf-8") as file:
            file.write(f"      runs: [{{level: {levels}}}]\n")
        return command
