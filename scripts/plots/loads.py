"""loads.py - the first load of a run in time, from the values of its case: a picture of a motion shows what set it off."""
import functools

import numpy as np

from .sheet import COLORS, prefix

SHARE = 0.3  # of the height of a panel that a load takes at its foot
POINTS = 2000
FOREVER = 1e300


class Load:
    """A signal: kind, amplitude [unit], start, end [s]; and its values, where these are known without a file."""

    def __init__(self, run):
        told = run.group.attrs
        self.run, self.kind = run, run.load_kind
        self.amplitude, self.unit = float(told.get("amplitude", 0)), run.load_unit
        self.values = run.result.load_values(run.study, self.kind)
        self.duration = float(told.get("duration", self.number("duration", np.inf)))
        self.start = self.number("start", max(float(told.get("free_from", 0)) - self.duration, 0.0))

    def number(self, key, fallback):
        try:
            return float(self.values[key])
        except (KeyError, ValueError):
            return fallback

    @property
    def end(self):
        return self.start + self.duration if self.duration < FOREVER else np.inf

    @property
    def frequency(self):
        """Of a harmonic; given, or that of a mode with the joints stuck."""
        modes = self.run.result.modes.get("stuck")
        mode = int(self.number("mode", self.run.group.attrs.get("mode", 0)))
        known = modes is not None and 0 < mode <= len(modes["frequency"])
        return self.number("frequency", float(modes["frequency"][mode - 1]) if known else np.nan)

    def share(self, since):
        """Of the amplitude, so long after the start; as src/march/signal.c."""
        if self.kind == "half_sine":
            return np.sin(np.pi * since / self.duration)
        rise = self.number("rise", 0.0)
        if self.kind == "step":
            return np.minimum(since / rise, 1.0) if rise > 0 else np.ones_like(since)
        if self.kind == "harmonic":
            swell = np.where(since < rise, 0.5 - 0.5 * np.cos(np.pi * since / (rise or 1)), 1.0)
            return swell * np.sin(2 * np.pi * self.frequency * since + self.number("phase", 0.0))
        if self.kind == "chirp":
            return np.sin(2 * np.pi * self.turns(since) + self.number("phase", 0.0))
        return np.full_like(since, np.nan)

    def turns(self, since):
        """Of a chirp: the integral of its frequency."""
        low, high = self.number("from", np.nan), self.number("to", np.nan)
        if self.values.get("sweep", "linear") == "linear" or low == high:
            return low * since + 0.5 * (high - low) * since**2 / self.duration
        return low * self.duration / np.log(high / low) * ((high / low) ** (since / self.duration) - 1)

    def at(self, times):
        """NaN where the values lie in a file."""
        inside = (times >= self.start) & (times <= self.end)
        return np.where(inside, self.amplitude * self.share(np.where(inside, times - self.start, 0.0)), 0.0)

    @functools.cached_property
    def name(self):
        unit, factor = prefix(abs(self.amplitude), self.unit)
        return f"{self.kind.replace('_', ' ')} {self.amplitude * factor:.4g} {unit}"


def load_of(run):
    """The first load, if the run has one that pushes."""
    return Load(run) if run.load_kind and run.group.attrs.get("amplitude", 0) else None


def draw_load(axes, run, first, last, factor):
    """The load between two times [s], of an axis with so many units a second, at the foot of a panel on a scale of its own."""
    load = load_of(run)
    if load is None:
        return
    times = np.linspace(first, last, POINTS)
    values = load.at(times)
    if not np.isfinite(values).all() or not values.any():
        return
    twin = axes.twinx()
    twin.fill_between(times * factor, 0, values, color=COLORS[1], alpha=0.4, linewidth=0)
    most = np.abs(values).max()
    low = min(values.min() / most, 0)
    twin.set_ylim(low * most, (low + (1 - low) / SHARE) * most)
    twin.set_xlim(axes.get_xlim())
    twin.axis("off")
    axes.plot([], [], color=COLORS[1], alpha=0.5, linewidth=4, label=load.name)
