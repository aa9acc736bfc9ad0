"""balanced.py - what the study `response` of dovetail has computed by harmonic balance, as papers look at it: curves that may turn back, and
where stepped sines lie on them."""
import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from plots.balanced import Balanced


def followed(frequencies, load, name="curve", **keys):
    """The study."""
    return {"response": {"name": name, "method": "harmonic_balance", "frequencies": frequencies, "load": load, **keys}}


def as_stepped(frequency, steps):
    """The frequency at which the structure answers as it does to Newmark's rule with so many steps a period: 2/h tan(Omega h/2), which is
    exact for what the load excites, and for harmonics of joints but nearly."""
    return frequency * np.tan(np.pi / steps) / (np.pi / steps)


class BalancedCurve:
    """Frequency and amplitude (half of what lies between the extremes) of a motion along the first curve of a study, from low frequencies to
    high ones; between points by splines over the length of the curve, on which folds are nothing special."""

    def __init__(self, result, motion, name="curve"):
        study = Balanced(result, name, result.file[f"response/{name}"])
        self.points = study.curves[0]
        self.frequency, self.amplitude = self.points.frequency, self.points.amplitude[:, study.motions.index(motion)]
        parts = np.hypot(np.diff(self.frequency) / np.ptp(self.frequency), np.diff(np.log(self.amplitude)))
        self.length = np.concatenate([[0.0], np.cumsum(parts)])
        self.frequency_along, self.amplitude_along = CubicSpline(self.length, self.frequency), CubicSpline(self.length, np.log(self.amplitude))

    @property
    def folds(self):
        """Their frequencies, in the order of the curve."""
        return [frequency for kind, frequency, _, _ in self.points.special if kind == "fold"]

    @property
    def peak(self):
        """Frequency and amplitude of the highest point."""
        at = self.amplitude.argmax()
        return self.frequency[at], self.amplitude[at]

    def at(self, frequency, direction="up"):
        """Amplitude on the branch that a sweep from below, or from above, is on."""
        passes = np.flatnonzero((self.frequency[:-1] - frequency) * (self.frequency[1:] - frequency) <= 0)
        k = passes[0 if direction == "up" else -1]
        ends = self.length[k], self.length[k + 1]
        misses = [self.frequency_along(end) - frequency for end in ends]
        place = brentq(lambda length: self.frequency_along(length) - frequency, *ends) if misses[0] * misses[1] < 0 else ends[np.argmin(np.abs(misses))]
        return float(np.exp(self.amplitude_along(place)))

    def fold_amplitudes(self):
        """Where the curve turns back, amplitudes of this motion."""
        turns = self.frequency_along.derivative().roots(extrapolate=False)
        return [float(np.exp(self.amplitude_along(turns[np.argmin(np.abs(self.frequency_along(turns) - fold))]))) for fold in self.folds]

    def differences(self, sweep, motion, direction, steps):
        """Of stepped sines from the branch they are on, relative; NaN where they found nothing steady."""
        truth = np.array([self.at(frequency, direction) for frequency in as_stepped(sweep.frequency, steps)])
        return np.where(sweep.sweeps[direction]["steady"] != 0, sweep.amplitude(motion, direction) / truth - 1, np.nan)
