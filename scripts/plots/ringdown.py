"""ringdown.py - ring-down curves of a result, and their sheets: frequency and damping against amplitude.

A curve is a group /ring_down/<run or record>/<mode<k> or point> with the datasets amplitude, omega and zeta; omega_error, zeta_error
and trusted are used when they are there. Rows beyond the last point are NaN. Attributes tell its study, and of what the amplitude is.
"""
import functools
import re

import h5py
import numpy as np

from .result import as_text, texts
from .sheet import COLORS, MARKERS, Sheet, escape

HEIGHT, MOST_SUBJECTS, MOST_LETTERS = 3.0, 8, 130
POINTS, FEWEST = 3000, 30  # markers of a panel at most, and the least that a curve keeps
ROOM = 0.08  # about the trusted points, as a share of their span
NEEDED, OPTIONAL = ("amplitude", "omega", "zeta"), ("omega_error", "zeta_error", "trusted")
RATES = {"displacement": "", "velocity": "/s", "acceleration": "/s$^2$"}


class Curve:
    """What was found of one decay, as far as it is known."""

    def __init__(self, run, name, subject, group):
        self.run, self.name, self.subject = run, name, subject
        columns = {column: np.asarray(group[column][:], dtype=float) for column in NEEDED + OPTIONAL if column in group}
        known = np.all([np.isfinite(columns[column]) for column in NEEDED], axis=0) & (columns["amplitude"] > 0)
        self.amplitude, self.omega, self.zeta = (columns[column][known] for column in NEEDED)
        self.omega_error, self.zeta_error, trusted = (columns[column][known] if column in columns else None for column in OPTIONAL)
        self.time = np.asarray(group["time"][:])[known] if "time" in group else None
        self.trusted = np.full(known.sum(), True) if trusted is None else np.nan_to_num(trusted) != 0
        self.study = as_text(group.attrs.get("study", re.sub(r"_\d+$", "", name)))
        self.quantity = as_text(group.attrs.get("amplitude", "displacement"))
        self.remark = texts(group["remark"][:1])[0] if "remark" in group else ""

    def __len__(self):
        return len(self.amplitude)

    @property
    def unit(self):
        """Of the amplitude; the coordinate of a mode carries the root of its mass, and a record may be of either."""
        length = "m" if not self.subject.startswith("mode ") else "m kg$^{1/2}$" if self.run else "m or m kg$^{1/2}$"
        return length + RATES.get(self.quantity, "")

    @property
    def place(self):
        return self.run.place if self.run else ""

    @property
    def frequency(self):
        return self.omega / (2 * np.pi)

    @property
    def frequency_error(self):
        return None if self.omega_error is None else self.omega_error / (2 * np.pi)

    def some(self, most):
        """Places of at most so many points, evenly along the curve."""
        return np.unique(np.linspace(0, len(self) - 1, min(most, len(self))).round().astype(int))


class RingDownStudy:
    """The curves of one study."""

    def __init__(self, result, name, curves):
        self.result, self.name, self.curves = result, name, curves
        self.title = f"Ring-down {name}"

    @functools.cached_property
    def subjects(self):
        """The curves that have points, by what they are of, modes in their order."""
        names = sorted({curve.subject for curve in self.curves if len(curve)}, key=in_order)
        return {name: [curve for curve in self.curves if curve.subject == name and len(curve)] for name in names}


def in_order(subject):
    """Modes by their numbers, then points."""
    number = re.fullmatch(r"mode (\d+)", subject)
    return (0, int(number[1]), "") if number else (1, 0, subject)


def by_subject(group):
    """The groups in it by what they are of: `mode 7` or the name of a point."""
    named = {re.sub(r"^mode(\d+)$", r"mode \1", key): item for key, item in group.items() if isinstance(item, h5py.Group)}
    return {subject: named[subject] for subject in sorted(named, key=in_order)}


def curves_of(result, folder, name):
    """The curves in a group of this name."""
    run = next((run for study in result.studies for run in study.runs if run.name == name), None)
    return [Curve(run, name, subject, group) for subject, group in by_subject(folder[name]).items() if all(column in group for column in NEEDED)]


def studies_of(result):
    folder = result.file.get("ring_down", {})
    curves = [curve for name in folder for curve in curves_of(result, folder, name)]
    return [RingDownStudy(result, name, [curve for curve in curves if curve.study == name]) for name in dict.fromkeys(curve.study for curve in curves)]


def families_of(curves):
    """The curves by what they are told apart by: their runs, while there are few, else where these are pushed, else nothing."""
    for key in (lambda curve: curve.name, lambda curve: curve.place):
        names = list(dict.fromkeys(key(curve) for curve in curves))
        if len(names) <= len(MARKERS) and sum(map(len, names)) + 6 * len(names) <= MOST_LETTERS:
            return {name: [curve for curve in curves if key(curve) == name] for name in names}
    return {"": curves}


def frame_trusted(axes, curves, values_of):
    """Axes about the trusted points, and others no farther from these than they span; the rest lies beyond. How many do."""
    trusted = np.concatenate([values_of(curve)[curve.trusted] for curve in curves])
    every = np.concatenate([values_of(curve) for curve in curves])
    is_log = axes.get_yscale() == "log"
    seen, others = (np.log(values[values > 0]) if is_log else values for values in (trusted if len(trusted) else every, every))
    if not len(seen):
        return 0
    near = others[(others >= 2 * seen.min() - seen.max()) & (others <= 2 * seen.max() - seen.min())]
    low, high = min(seen.min(), near.min(initial=np.inf)), max(seen.max(), near.max(initial=-np.inf))
    room = max(ROOM * (high - low), 0.1 if is_log else 1e-4 * abs(high))
    limits = np.array([low - room, high + room])
    axes.set_ylim(np.exp(limits) if is_log else limits)
    low, high = axes.get_ylim()
    return int(np.count_nonzero((every < low) | (every > high)))


def draw_points(axes, curve, places, values, errors, look, label):
    """Full markers are trusted, hollow ones are not; standard deviations are told of those that are trusted."""
    for truth, fill in ((True, look["color"]), (False, "none")):
        chosen = places[curve.trusted[places] == truth]
        if truth and errors is not None:
            axes.errorbar(curve.amplitude[chosen], values[chosen], np.nan_to_num(errors[chosen]), fmt="none", ecolor="#bcbcbc", elinewidth=0.6, label="_")
        axes.plot(curve.amplitude[chosen], values[chosen], linestyle="none", markerfacecolor=fill, markeredgewidth=0.6, zorder=3,
                  label=label if truth else "_", **look)


def markers_of(curves):
    """How many points of each curve are drawn at most."""
    return max(POINTS // len(curves), FEWEST)


def draw_panel(axes, families, values_of, errors_of):
    most = markers_of([curve for curves in families.values() for curve in curves])
    for i, (name, curves) in enumerate(families.items()):
        look = dict(color=COLORS[i % len(COLORS)], marker=MARKERS[i % len(MARKERS)], markersize=3)
        for j, curve in enumerate(curves):
            draw_points(axes, curve, curve.some(most), values_of(curve), errors_of(curve), look, "_" if j else escape(name) or "_")


def draw_models(axes, models, values_of):
    """Curves of models that the result holds."""
    for model in models:
        order = np.argsort(model.amplitude)
        axes.plot(model.amplitude[order], values_of(model)[order], color="black", linewidth=1.0, label=escape(model.name), zorder=4)


def draw_subject(sheet, subject, curves, models):
    """A row: frequency and damping."""
    families = families_of(curves)
    panels = sheet.row(HEIGHT, [1, 1], head=0.55)
    beyond = []
    for axes, label, values_of, errors_of in ((panels[0], "frequency [Hz]", lambda c: c.frequency, lambda c: c.frequency_error),
                                              (panels[1], "damping ratio [1]", lambda c: c.zeta, lambda c: c.zeta_error)):
        axes.set_xscale("log")
        axes.set_yscale("log" if axes is panels[1] and any((c.zeta > 0).any() for c in curves) else "linear")
        draw_panel(axes, families, values_of, errors_of)
        draw_models(axes, models, values_of)
        beyond.append(frame_trusted(axes, curves, values_of))
        axes.set_xlabel(f"amplitude of {curves[0].quantity}, {escape(subject)} [{curves[0].unit}]")
        axes.set_ylabel(label)
    panels[0].ticklabel_format(axis="y", useOffset=False)
    trusted, count = sum(int(c.trusted.sum()) for c in curves), sum(map(len, curves))
    some = f"{count} points of {len(curves)} run{'s' * (len(curves) > 1)}, {trusted} trusted" + "; hollow: not trusted" * (trusted < count)
    some += f"; at most {markers_of(curves)} of a curve drawn" if any(len(curve) > markers_of(curves) for curve in curves) else ""
    outside = f"; {max(beyond)} beyond the axes" if any(beyond) else ""
    panels[0].set_title(f"{escape(subject)}: {some}{outside}\n", loc="left")
    if any(not line.get_label().startswith("_") for line in panels[0].lines):
        handles = [line for line in panels[0].lines if not line.get_label().startswith("_")]
        panels[1].legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, frameon=False, ncol=len(handles),
                         columnspacing=1, handletextpad=0.3)


def draw(study, models=()):
    """The sheet, when there are points; `models` are curves of the same modes or points."""
    shown = dict(list(study.subjects.items())[:MOST_SUBJECTS])
    if not shown:
        return
    some = f", {len(shown)} of {len(study.subjects)} modes and points" if len(shown) < len(study.subjects) else ""
    sheet = Sheet(study.result, f"{study.name}_ring_down", f"{study.title}: frequency and damping against amplitude{some}", HEIGHT * len(shown))
    has_errors = any(curve.omega_error is not None for curves in shown.values() for curve in curves)
    sheet.note = "bars: a standard deviation to either side" if has_errors else ""
    for subject, curves in shown.items():
        draw_subject(sheet, subject, curves, [model for model in models if model.subject == subject])
    yield sheet
