"""ringdown.py - ring-down curves of a result, and their sheets: frequency and damping against amplitude.

A curve is a group /ring_down/<run or record>/<mode<k> or point> with the datasets amplitude, omega and zeta; omega_error, zeta_error
and trusted are used when they are there. Rows beyond the last point are NaN. Attributes tell its study, and of what the amplitude is.
"""
import functools
import re

import h5py
import numpy as np

from . import backbones, iwan
from .result import as_text, texts
from .sheet import Sheet

MOST_SUBJECTS = 9
NEEDED, OPTIONAL = ("amplitude", "omega", "zeta"), ("omega_error", "zeta_error", "trusted")
PEAKS = "peak_frequency", "peak_height", "peak_width"
RATES = {"displacement": "", "velocity": "/s", "acceleration": "/s^2"}


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
        self.told_unit = as_text(group["amplitude"].attrs.get("unit", ""))
        peaks = [np.asarray(group[key][:], dtype=float) for key in PEAKS] if all(key in group for key in PEAKS) else []
        self.peaks = [peak for peak in zip(*peaks) if np.isfinite(peak[0])]
        self.remark = texts(group["remark"][:1])[0] if "remark" in group else ""

    def __len__(self):
        return len(self.amplitude)

    @property
    def unit(self):
        """Of the amplitude, which the result tells; the coordinate of a mode carries the root of its mass."""
        told = self.told_unit or ("m kg^1/2" if self.subject.startswith("mode ") else "m") + RATES.get(self.quantity, "")
        return told.replace("^1/2", "$^{1/2}$").replace("^2", "$^2$")

    @property
    def place(self):
        return self.run.place if self.run else ""

    @property
    def frequency(self):
        return self.omega / (2 * np.pi)

    @property
    def frequency_error(self):
        return None if self.omega_error is None else self.omega_error / (2 * np.pi)


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
    return [RingDownStudy(result, name, [curve for curve in curves if curve.study == name]) for name in result.in_order("ring_down", dict.fromkeys(curve.study for curve in curves))]


def draw(study):
    """The sheet, when there are points; with the curves of models of the same modes."""
    shown = dict(list(study.subjects.items())[:MOST_SUBJECTS])
    if not shown:
        return
    some = f", {len(shown)} of {len(study.subjects)} modes and points" if len(shown) < len(study.subjects) else ""
    columns = [backbones.Column(subject, backbones.families_of(curves), iwan.models_of(study.result, subject), backbones.frequencies_known(study.result, subject))
               for subject, curves in shown.items()]
    sheet = Sheet(study.result, f"{study.name}_ring_down", f"{study.title}: frequency and damping against amplitude{some}", backbones.height_of(len(columns)))
    sheet.note = notes_of(columns)
    backbones.draw_columns(sheet, study.result, columns)
    yield sheet


def notes_of(columns):
    """What the markers say."""
    curves = [curve for column in columns for curve in column.curves]
    words = ["hollow: not trusted, triangles: beyond the axes"] if any(not curve.trusted.all() for curve in curves) else []
    words += ["bars: a standard deviation to either side"] if any(curve.omega_error is not None for curve in curves) else []
    words += [f"at most {column.most} points of a curve are drawn" for column in columns if any(len(curve) > column.most for curve in column.curves)][:1]
    return "; ".join(words)
