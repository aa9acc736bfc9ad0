"""responses.py - what the study `response` of dovetail has computed, as papers look at it."""
import numpy as np

from plots.result import texts


def swept(frequencies, load, name="sweep", direction="up", **keys):
    """The study."""
    return {"response": {"name": name, "frequencies": frequencies, "direction": direction, "load": load, **keys}}


class Response:
    """Amplitudes of motions along the frequencies of each sweep: half of what lies between the extremes of a cycle."""

    def __init__(self, result, name="sweep"):
        group = result.file[f"response/{name}"]
        self.columns = {motion: column for column, motion in enumerate(texts(group["motions"][:]))}
        self.sweeps = {curve.removesuffix("_1"): {key: values[:] for key, values in group[curve].items()} for curve in group if f"{curve}/frequency" in group}

    @property
    def frequency(self):
        return next(iter(self.sweeps.values()))["frequency"]

    @property
    def unsteady(self):
        """Frequencies at which a sweep found nothing steady."""
        return {direction: sweep["frequency"][sweep["steady"] == 0] for direction, sweep in self.sweeps.items()}

    @property
    def steady(self):
        """Of each frequency, whether every sweep found a steady motion there."""
        return np.all([sweep["steady"] != 0 for sweep in self.sweeps.values()], axis=0)

    def nearest(self, frequency):
        """The one of the sweep."""
        return self.frequency[np.argmin(np.abs(self.frequency - frequency))]

    def amplitude(self, motion, direction="up"):
        return self.sweeps[direction]["amplitude"][:, self.columns[motion]]

    def at(self, motion, frequency, direction="up"):
        return self.amplitude(motion, direction)[self.frequency == self.nearest(frequency)][0]

    def peak(self, motion, direction="up"):
        """Frequency and amplitude."""
        values = self.amplitude(motion, direction)
        return self.frequency[values.argmax()], values.max()
