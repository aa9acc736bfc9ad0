"""iwan.py - modal Iwan models of a result, and their sheets: curves of frequency and damping over the points that they were found from.

A model is a group /modal_iwan/<study>/mode<k> with its parameters and curve_amplitude, curve_omega, curve_zeta.
"""
import numpy as np

from . import backbones, ringdown
from .sheet import Sheet

MOST_MODES = 9


class Model:
    """The curves of one mode; or those that eqs 8 to 13 of lacayo2017 give for it, as printed."""

    quantity, unit = "displacement", "m kg$^{1/2}$"

    def __init__(self, study, subject, group, kind="curve"):
        self.study, self.subject, self.group = study, subject, group
        self.is_printed = kind == "printed"
        self.name = "eqs 8-13, lacayo2017" if self.is_printed else f"model {study}"
        columns = [group[key][:] for key in ("curve_amplitude", f"{kind}_omega", f"{kind}_zeta")]
        known = np.all(np.isfinite(columns), axis=0) & (columns[0] > 0)
        self.amplitude, omega, self.zeta = (column[known] for column in columns)
        self.frequency = omega / (2 * np.pi)

    def __len__(self):
        return len(self.amplitude)


def groups_of(result):
    """The modes of each study, in their order."""
    return {study: ringdown.by_subject(group) for study, group in result.file.get("modal_iwan", {}).items()}


def models_of(result, subject=None, kind="curve"):
    """All models, or those of a mode, as far as they are known."""
    models = [Model(study, name, group, kind) for study, groups in groups_of(result).items() for name, group in groups.items()
              if f"{kind}_omega" in group and (subject is None or name == subject)]
    return [model for model in models if len(model)]


def source_of(result, study):
    """The name of the ring-down that a model was fitted to, if the case says one."""
    for path, value in result.values.items():
        if path.endswith(".modal_iwan.name") and value == study:
            return result.values.get(path.removesuffix("name") + "of", "")
    return ""


def draw(result, study):
    """The sheet of one study, when it is known."""
    models = [model for model in models_of(result) if model.study == study][:MOST_MODES]
    if not models:
        return
    source = source_of(result, study)
    decays = {found.name: found.subjects for found in ringdown.studies_of(result)}
    columns = []
    for model in models:
        curves = decays.get(source, {}).get(model.subject, [])
        printed = [other for other in models_of(result, model.subject, "printed") if other.study == study]
        columns.append(backbones.Column(model.subject, {f"ring-down {source}": curves} if curves else {}, [model, *printed], backbones.frequencies_known(result, model.subject)))
    sheet = Sheet(result, f"{study}_modal_iwan", f"Modal Iwan model {study}: curves of frequency and damping{f' over the points of {source}' if source else ''}", backbones.height_of(len(columns)))
    backbones.draw_columns(sheet, result, columns)
    yield sheet
