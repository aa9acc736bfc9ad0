"""responses.py - the sheets of a frequency response: amplitude and phase of its motions over frequency, a line for each curve.

A study is a group /response/<name> with the names and units of its motions; each curve is a group in it with frequency, amplitude, phase,
steady and more, a row for each frequency: those of the case first, then those that were put between them; rows beyond are NaN. Measured
frequency responses are groups below `measured`, and get a sheet of their own: they are motions over the load.
"""
import numpy as np
import h5py

from .result import as_text, texts
from .sheet import COLORS, Sheet, escape, prefix, wish_log

HEIGHT, MOST_SHEETS = 3.2, 6  # of a row [inch]; motions that are drawn
ROUND_OFF = (1e-9, 1e-12)  # of the largest motion of the same unit, and of any
KINDS = ("displacement", "velocity", "acceleration")
LOOKS = {"up": ("-", ">"), "down": ("--", "<"), "rest": (":", "o")}
BANDS = {"up": dict(linewidth=3.5, alpha=0.35)}  # a pale band: a sweep down is seen on it where both agree
CURVES = ("harmonic_balance", "one_mode")  # methods whose curves may turn back: balanced.py


class Curve:
    """The rows that are known, in the order of their frequency."""

    def __init__(self, name, group):
        self.name, self.level, self.direction = name, float(group.attrs["level"]), as_text(group.attrs["direction"])
        frequency = group["frequency"][:]
        order = np.argsort(frequency)[: np.count_nonzero(np.isfinite(frequency))]
        self.frequency, self.amplitude, self.phase = (group[key][:][order] for key in ("frequency", "amplitude", "phase"))
        self.first = group["harmonics"][:, :, 0][order]
        self.steady, self.cycles, self.reason = group["steady"][:][order] == 1, group["cycles"][:][order], texts(group["reason"][:][order])
        self.finished = bool(group["finished"][0])

    @property
    def end(self):
        """What is not as asked, in words."""
        return "" if self.finished else "broken off"


class Measured:
    """A measured frequency response, and how far the curves are from it."""

    def __init__(self, name, group, chief):
        self.name, self.quantity, self.motion = name, as_text(group.attrs["quantity"]), as_text(group.attrs["motion"]) or chief
        self.frequency, self.amplitude, self.phase = (group[key][:] for key in ("frequency", "amplitude", "phase"))
        self.unit = as_text(group["amplitude"].attrs["unit"])
        self.rows = list(zip(texts(group["curve"][:]), *(group[key][:] for key in ("points", "difference", "frac", "peak_frequency_ratio", "peak_amplitude_ratio"))))

    @property
    def has_phase(self):
        return np.isfinite(self.phase).all()


class Response:
    """One study."""

    def __init__(self, result, name, group):
        self.result, self.name = result, name
        self.motions, self.units = texts(group["motions"][:]), texts(group["units"][:])
        self.chief = self.motions.index(as_text(group.attrs["chief"]))
        self.load = float(group.attrs["load_amplitude"]), float(group.attrs.get("load_phase", 0))
        self.curves = [Curve(key, item) for key, item in group.items() if isinstance(item, h5py.Group) and key != "measured"]
        self.measured = [Measured(key, item, self.motions[self.chief]) for key, item in group.get("measured", {}).items()]

    @property
    def begun(self):
        return [curve for curve in self.curves if np.isfinite(curve.amplitude).any()]

    @property
    def level_unit(self):
        return self.result.response_unit(self.name)

    @property
    def levels(self):
        return sorted({curve.level for curve in self.curves})

    def shown(self):
        """The motions that are drawn: the chief one, and those that move most; round-off is none."""
        size = np.array([max(np.nanmax(curve.amplitude[:, i]) for curve in self.begun) for i in range(len(self.motions))])
        alike = [size[np.array(self.units) == unit].max() for unit in self.units]
        moves = [i for i in range(len(self.motions)) if i == self.chief or size[i] > max(ROUND_OFF[0] * alike[i], ROUND_OFF[1] * size.max())]
        order = sorted(moves, key=lambda i: (i != self.chief, -size[i]))
        return order[:MOST_SHEETS]


def responses_of(result):
    """Those by motions in time; balanced.py has the others."""
    return [Response(result, name, group) for name, group in result.file.get("response", {}).items() if as_text(group.attrs["method"]) not in CURVES]


def draw_curves(axes, response, values):
    """A line for each curve; what is not steady is hollow."""
    levels = response.levels
    for curve in response.begun:
        y = values(curve)
        style, marker = LOOKS[curve.direction]
        color = COLORS[levels.index(curve.level) % len(COLORS)]
        label = f"level {curve.level:g}, {'from rest' if curve.direction == 'rest' else curve.direction}"
        band = BANDS.get(curve.direction, dict(linewidth=1))
        axes.plot(curve.frequency, y, linestyle=style, color=color, **band)
        for chosen, fill in ((curve.steady, color), (~curve.steady, "white")):
            axes.plot(curve.frequency[chosen], y[chosen], linestyle="none", marker=marker, markersize=3, markeredgewidth=0.7, color=color, markerfacecolor=fill)
        axes.plot([], [], linestyle=style, color=color, marker=marker, markersize=3, label=label, **band)
    if not all(curve.steady[np.isfinite(curve.amplitude[:, 0])].all() for curve in response.begun):
        axes.plot([], [], "o", color="black", markerfacecolor="white", markersize=3, label="not steady")
    axes.set_xlabel("frequency [Hz]")


def phase_of(curve, motion):
    """Against the load, in degrees, without leaps of a turn along the curve."""
    phase = curve.phase[:, motion].copy()
    known = np.isfinite(phase)
    phase[known] = np.unwrap(phase[known])
    turns = np.round(np.nanmean(phase) / (2 * np.pi) + 0.25) if known.any() else 0  # so that most of it lies between a lag of a turn and none
    return np.degrees(phase - 2 * np.pi * turns)


def draw_amplitude(axes, response, motion):
    every = np.concatenate([curve.amplitude[:, motion] for curve in response.begun])
    unit, factor = (response.units[motion], 1) if wish_log(axes, every[np.isfinite(every)]) else prefix(np.nanmax(every), response.units[motion])
    draw_curves(axes, response, lambda curve: curve.amplitude[:, motion] * factor)
    axes.set_ylabel(f"half peak to peak [{unit}]")
    axes.set_title(f"amplitude of {escape(response.motions[motion])}", loc="left")
    axes.legend(loc="best", ncols=1 + len(response.curves) // 8)


def draw_phase(axes, response, motion):
    draw_curves(axes, response, lambda curve: phase_of(curve, motion))
    axes.set_ylabel("first harmonic against the load [\N{DEGREE SIGN}]")
    axes.set_title("phase", loc="left")


def over_load(response, curve, measured):
    """The first harmonic of a curve in the quantity that was measured, over the load: a complex number for each frequency."""
    motion, rate = response.motions.index(measured.motion), KINDS.index(measured.quantity)
    phase = curve.phase[:, motion] - response.load[1]
    return curve.first[:, motion] * np.exp(1j * phase) * (2j * np.pi * curve.frequency) ** rate / (curve.level * response.load[0])


def draw_measured_panel(axes, response, measured, of, known):
    """Computed curves above the measured one, where that is known; `of` makes of a complex number what is drawn."""
    if known:
        given = measured.amplitude * np.exp(1j * np.nan_to_num(measured.phase))
        axes.plot(measured.frequency, of(given), color="#9a9a9a", linewidth=2.2, label=f"measured: {escape(measured.name)}")
    for curve in response.begun:
        style, marker = LOOKS[curve.direction]
        color = COLORS[response.levels.index(curve.level) % len(COLORS)]
        label = f"{curve.name}, level {curve.level:g}"
        axes.plot(curve.frequency, of(over_load(response, curve, measured)), linestyle=style, linewidth=1, marker=marker, markersize=2.5, color=color, label=escape(label))
    axes.set_xlabel("frequency [Hz]")


def draw_measured(response):
    """A sheet, a row for each measured frequency response beside what was computed."""
    shown = [measured for measured in response.measured if len(measured.frequency)][:MOST_SHEETS]
    if not shown or not response.begun:
        return
    sheet = Sheet(response.result, f"{response.name}_measured", f"Response {response.name}: measured and computed, over the load", HEIGHT * len(shown))
    for measured in shown:
        size, angle = sheet.row(HEIGHT, [1.6, 1])
        draw_measured_panel(size, response, measured, np.abs, True)
        size.set_yscale("log")
        size.set_ylabel(f"{measured.quantity} over the load [{measured.unit}]")
        size.set_title(f"amplitude of {escape(measured.motion)}", loc="left")
        size.legend(loc="best", ncols=1 + len(response.curves) // 8)
        draw_measured_panel(angle, response, measured, lambda value: np.degrees(np.angle(value)), measured.has_phase)
        angle.set_ylabel("against the load [\N{DEGREE SIGN}]")
        angle.set_title("phase" if measured.has_phase else "phase: computed alone", loc="left")
    yield sheet


def draw(response):
    """A sheet, a row for each motion, when anything is known."""
    if not response.begun:
        return
    shown = response.shown()
    left = len(response.motions) - len(shown)
    some = f"; {left} motion{'s' * (left > 1)} not drawn" if left else ""
    some += f"; level 1 is {response.load[0]:g} {response.level_unit}" if response.level_unit else ""
    sheet = Sheet(response.result, f"{response.name}_response", f"Response {response.name}: steady motions under sines{some}", HEIGHT * len(shown))
    for motion in shown:
        amplitude, phase = sheet.row(HEIGHT, [1.6, 1])
        draw_amplitude(amplitude, response, motion)
        draw_phase(phase, response, motion)
    yield sheet
    yield from draw_measured(response)
