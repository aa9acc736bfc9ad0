"""together.py - frequency and damping against amplitude of several results on one sheet: decays as points, nonlinear modes and models as lines."""
import os

from . import backbones, iwan, nonlinear, ringdown
from .result import Fault
from .sheet import Sheet, fit

MOST_SUBJECTS, MOST_SOURCES = 9, 3


class Line:
    """A curve under the name of its result."""

    is_printed = False

    def __init__(self, curve, name):
        self.name, self.quantity, self.unit = name, curve.quantity, curve.unit
        self.amplitude, self.frequency, self.zeta = curve.amplitude, curve.frequency, curve.zeta

    def __len__(self):
        return len(self.amplitude)


def names_of(results):
    """What tells the results apart: their files, with the folder where two have one name."""
    names = [os.path.splitext(result.name)[0] for result in results]
    if len(set(names)) < len(names):
        names = [os.path.join(os.path.basename(os.path.dirname(os.path.abspath(result.path))), name) for result, name in zip(results, names)]
    return [f"{name} ({k})" if names.count(name) > 1 else name for k, name in enumerate(names, 1)]


def families_of(result, name):
    """The decays of each mode or point: those of a result with several studies under their names, too."""
    studies = [study for study in ringdown.studies_of(result) if study.subjects]
    for study in studies:
        for subject, curves in study.subjects.items():
            yield subject, f"{name}: {study.name}" if len(studies) > 1 else name, curves


def lines_of(result, name):
    curves = [(f"{name}: {study.name}", curve) for study in nonlinear.modes_of(result) for curve in study.begun]
    curves += [(f"{name}: {model.name}", model) for model in iwan.models_of(result)]
    for label, curve in curves:
        yield curve.subject, Line(curve, label)


def columns_of(results):
    """A column for each mode or point that any of the results has."""
    families, lines, known = {}, {}, {}
    for result, name in zip(results, names_of(results)):
        for subject, label, curves in families_of(result, name):
            families.setdefault(subject, {})[label] = curves
        for subject, line in lines_of(result, name):
            lines.setdefault(subject, []).append(line)
    for subject in sorted({*families, *lines}, key=ringdown.in_order):
        known = [value for result in results for value in backbones.frequencies_known(result, subject)]
        yield backbones.Column(subject, families.get(subject, {}), lines.get(subject, []), known)


def draw(results):
    """The sheet; one line is said when there is nothing on it."""
    columns = list(columns_of(results))
    if not columns:
        raise Fault(f"{', '.join(result.path for result in results)}: nothing to compare: neither ring-downs nor nonlinear modes nor modal models")
    some = f", {MOST_SUBJECTS} of {len(columns)} modes and points" if len(columns) > MOST_SUBJECTS else ""
    columns = columns[:MOST_SUBJECTS]
    sheet = Sheet(results[0], "compared", f"Frequency and damping against amplitude{some}", backbones.height_of(len(columns)), note=ringdown.notes_of(columns))
    sheet.heading, sheet.source = fit(" and ".join(names_of(results)), 120), "; ".join(result.source for result in results[:MOST_SOURCES])
    backbones.draw_columns(sheet, results[0], columns)
    return sheet
