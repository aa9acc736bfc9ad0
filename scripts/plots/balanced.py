"""balanced.py - the sheets of responses by harmonic balance, and by one nonlinear mode: amplitude and phase of motions along curves that may turn back.

A study is a group /response/<name> with the attribute method = harmonic_balance or one_mode; each curve is a group in it, a row for each point in the
order of the curve; rows beyond are NaN. Peaks and folds that were located are in its group `special`. Curves along a resonance over the
level (attribute `along`) are backbones: they are drawn over the frequency, also through the peaks of other studies of the result. Beside curves by one
mode are those by harmonic balance at the same levels, dotted.
"""
import numpy as np
import h5py

from .result import as_text, texts
from .responses import CURVES, HEIGHT, MOST_SHEETS, ROUND_OFF
from .sheet import COLORS, Sheet, escape, prefix, wish_log

MARKS = {"peak": "^", "fold": "s", "period_doubling": "D", "neimark_sacker": "o"}


class Curve:
    """The rows that are known."""

    def __init__(self, name, group):
        self.name = name
        count = np.count_nonzero(np.isfinite(group["frequency"][:]))
        for key in ("frequency", "level", "amplitude", "phase", "harmonics", "heading"):
            setattr(self, key, group[key][:count])
        for key in ("left_out", "kept", "highest_harmonic", "samples", "stable"):  # one mode says nothing of these
            setattr(self, key, group[key][:count] if key in group else np.zeros(count))
        self.mode = int(group.attrs["mode"]) if "mode" in group.attrs else None
        self.damping = group["damping"][:count] if "damping" in group else None
        self.reason, self.finished, self.seconds = texts(group["reason"][:])[0], bool(group["finished"][0]), float(group["seconds"][0])
        kinds = texts(group["special/kind"][:])
        known = [i for i, kind in enumerate(kinds) if kind]
        self.special = [(kinds[i], *(float(group[f"special/{key}"][i]) for key in ("frequency", "level", "amplitude"))) for i in known]

    @property
    def unsure(self):
        """Points where motions do not stay, or may not; where that was not judged, those where the curve turned back."""
        return self.stable > 1 if self.judged else self.heading < 0

    @property
    def judged(self):
        return bool((self.stable > 0).any())


class Balanced:
    """One study."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.motions, self.units = texts(group["motions"][:]), texts(group["units"][:])
        self.chief = self.motions.index(as_text(group.attrs["chief"]))
        self.one_mode = as_text(group.attrs["method"]) == "one_mode"
        self.curves = [Curve(key, item) for key, item in sorted(group.items(), key=lambda item: (len(item[0]), item[0])) if isinstance(item, h5py.Group)]
        self.along_what = as_text(group.attrs.get("along", "")).replace("_", " ")
        self.by_level = not self.along_what and bool(self.begun) and all(np.ptp(curve.frequency) == 0 for curve in self.begun) and any(np.ptp(curve.level) > 0 for curve in self.begun)

    @property
    def begun(self):
        return [curve for curve in self.curves if len(curve.frequency)]

    def shown(self):
        """The motions that are drawn: the chief one, and those that move most; round-off is none."""
        size = np.array([max(curve.amplitude[:, i].max() for curve in self.begun) for i in range(len(self.motions))])
        alike = [size[np.array(self.units) == unit].max() for unit in self.units]
        moves = [i for i in range(len(self.motions)) if i == self.chief or size[i] > max(ROUND_OFF[0] * alike[i], ROUND_OFF[1] * size.max())]
        return sorted(moves, key=lambda i: (i != self.chief, -size[i]))[:MOST_SHEETS]

    def along(self, curve):
        return curve.level if self.by_level else curve.frequency


def is_balanced(group):
    return as_text(group.attrs.get("method", "")) in CURVES


def responses_of(result):
    return [Balanced(result, name, group) for name, group in result.file.get("response", {}).items() if is_balanced(group)]


def runs_of(flags):
    """Where runs of equal flags begin and end, each with the first point of the next."""
    ends = [0, *(np.flatnonzero(np.diff(flags)) + 1), len(flags)]
    return [(flags[a], slice(a, min(b + 1, len(flags)))) for a, b in zip(ends, ends[1:])]


def beside(response, motion):
    """Studies by harmonic balance with this motion, of a study by one mode: curves at its levels, with the place of the motion."""
    for other in responses_of(response.result) if response.one_mode else []:
        if not other.one_mode and not other.by_level and response.motions[motion] in other.motions:
            place = other.motions.index(response.motions[motion])
            yield from ((other.name, curve, place) for curve in other.begun if curve.level[0] in [own.level[0] for own in response.begun])


def draw_beside(axes, response, motion, values):
    names = set()
    for name, curve, place in beside(response, motion):
        axes.plot(curve.frequency, values(curve, place), ":", linewidth=1, color="black", label=None if name in names else f"harmonic balance, {name}")
        names.add(name)


def label_of(response, curve):
    if curve.mode is not None:
        return f"mode {curve.mode}"
    return f"{curve.frequency[0]:g} Hz" if response.by_level else f"level {curve.level[0]:g}"


def draw_curves(axes, response, values):
    for i, curve in enumerate(response.begun):
        x, y, color = response.along(curve), values(curve), COLORS[i % len(COLORS)]
        for unsure, part in runs_of(curve.unsure):
            axes.plot(x[part], y[part], linestyle="--" if unsure else "-", linewidth=1, color=color)
        axes.plot([], [], linewidth=1, color=color, label=label_of(response, curve))
    if any(curve.unsure.any() for curve in response.begun):
        axes.plot([], [], "--", color="black", linewidth=1, label="not stable, or not known to be" if response.begun[0].judged else "turned back; stability was not judged")
    axes.set_xlabel("level of the loads" if response.by_level else "frequency [Hz]")


def draw_backbones(axes, response, motion, factor):
    """Resonances of other studies through the peaks of this one, whose frame stays as it is."""
    frame = axes.get_xlim(), axes.get_ylim()
    for other in responses_of(response.result):
        if not other.along_what or response.motions[motion] not in other.motions:
            continue
        label = escape(f"{other.along_what} ({other.name})")
        for curve in other.begun:
            if curve.frequency.max() < frame[0][0] or curve.frequency.min() > frame[0][1]:
                continue
            axes.plot(curve.frequency, curve.harmonics[:, other.motions.index(response.motions[motion]), 0] * factor, linestyle=":" if other.along_what == "peak" else "-.", linewidth=0.9, color="#808080", label=label, zorder=1)
            label = "_"
    axes.set_xlim(frame[0])
    axes.set_ylim(frame[1])


def draw_amplitude(axes, response, motion):
    every = np.concatenate([curve.harmonics[:, motion, 0] for curve in response.begun])
    unit, factor = (response.units[motion], 1) if wish_log(axes, every) else prefix(np.nanmax(every), response.units[motion])
    draw_curves(axes, response, lambda curve: curve.harmonics[:, motion, 0] * factor)
    draw_beside(axes, response, motion, lambda curve, place: curve.harmonics[:, place, 0] * factor)
    if not response.by_level and not response.along_what:
        draw_backbones(axes, response, motion, factor)
    for curve in response.begun if motion == response.chief else []:
        for kind, frequency, level, amplitude in curve.special:
            axes.plot(level if response.by_level else frequency, amplitude * factor, MARKS.get(kind, "x"), color="black", markersize=3, markerfacecolor="white")
    for kind in sorted({special[0] for curve in response.begun for special in curve.special}) if motion == response.chief else []:
        axes.plot([], [], MARKS.get(kind, "x"), color="black", markersize=3, markerfacecolor="white", label=kind.replace("_", " "))
    if response.by_level:
        axes.set_xscale("log")
    axes.set_ylabel(f"first harmonic [{unit}]")
    axes.set_title(f"amplitude of {escape(response.motions[motion])}", loc="left")
    axes.legend(loc="best", ncols=1 + len(response.curves) // 8)


def draw_phase(axes, response, motion):
    draw_curves(axes, response, lambda curve: np.degrees(np.unwrap(curve.phase[:, motion])))
    draw_beside(axes, response, motion, lambda curve, place: np.degrees(np.unwrap(curve.phase[:, place])))
    if response.by_level:
        axes.set_xscale("log")
    axes.set_ylabel("first harmonic against the load [\N{DEGREE SIGN}]")
    axes.set_title("phase", loc="left")


def draw_resonance(sheet, response):
    """Frequency and equivalent damping over the level."""
    for axes, label, values_of in zip(sheet.row(HEIGHT, [1, 1]), ("frequency [Hz]", "equivalent damping ratio [1]"), (lambda c: c.frequency, lambda c: c.damping)):
        for i, curve in enumerate(response.begun):
            values = values_of(curve)
            shown = values / (values[0] if len(response.begun) > 1 and values is curve.frequency else 1)
            for unsure, part in runs_of(curve.unsure):
                axes.plot(curve.level[part], shown[part], linestyle="--" if unsure else "-", linewidth=1, color=COLORS[i % len(COLORS)])
            axes.plot([], [], linewidth=1, color=COLORS[i % len(COLORS)], label=label_of(response, curve))
        axes.set_xscale("log")
        if values_of(response.begun[0]) is response.begun[0].damping and all((curve.damping > 0).all() for curve in response.begun):
            axes.set_yscale("log")
        elif len(response.begun) > 1:
            label = "frequency, of the first point's [1]"
        axes.set_xlabel("level of the loads")
        axes.set_ylabel(label)
        axes.set_title("along the " + ("peak" if response.along_what == "peak" else "phase resonance"), loc="left")
        axes.legend(loc="best")


def draw(response):
    """A sheet, a row for each motion, when anything is known."""
    if not response.begun:
        return
    shown = response.shown()
    left = len(response.motions) - len(shown)
    some = f"; {left} motion{'s' * (left > 1)} not drawn" if left else ""
    rows = len(shown) + bool(response.along_what)
    how = f"by nonlinear mode {int(response.group.attrs['mode'])} of {as_text(response.group.attrs['of'])} alone" if response.one_mode else "by harmonic balance"
    sheet = Sheet(response.result, f"{response.name}_response", f"Response {response.name}: periodic motions under sines, {how}{some}", HEIGHT * rows)
    if response.along_what:
        draw_resonance(sheet, response)
    for motion in shown:
        amplitude, phase = sheet.row(HEIGHT, [1.6, 1])
        draw_amplitude(amplitude, response, motion)
        draw_phase(phase, response, motion)
    yield sheet
