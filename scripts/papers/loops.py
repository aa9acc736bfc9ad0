"""loops.py - what the study `loop` of dovetail has computed, as papers look at it."""
import numpy as np

SIGNALS = ("time", "displacement", "force", "dissipated")


def loop(name, law, path, steps):
    """The study; `path` is {KIND: {...}}."""
    return {"loop": {"name": name, "law": law, "path": path, "steps": steps}}


def sine(amplitude, cycles):
    """A path of 1 Hz: a loop does not depend on how fast it is gone round, unless its law is viscous."""
    return {"sine": {"amplitude": float(amplitude), "frequency": 1.0, "cycles": cycles}}


class Loop:
    """One path and what answered it."""

    def __init__(self, result, name):
        group = result.file[f"loop/{name}"]
        self.name = name
        self.time, self.displacement, self.force, self.dissipated = (group[signal][:] for signal in SIGNALS)
        self.reversals = group["reversals"][:]
        self.cycles = {key: values[:] for key, values in group["cycles"].items()}
        self.derived = {law: {key: float(np.ravel(value[()])[0]) for key, value in values.items()} for law, values in group.get("derived", {}).items()}

    def within(self, begin, end):
        """The samples between two times."""
        slack = 1e-9 * (self.time[-1] - self.time[0])
        return (self.time >= begin - slack) & (self.time <= end + slack)
