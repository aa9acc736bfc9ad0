"""compared.py - the sheet of a comparison: frequency and damping of the structure over those of a modal model, mode by mode.

A comparison is a group /compare/<name> with a group <run>/mode<k> for each decay: amplitude, omega_ratio, zeta_ratio, regime; and a table.
"""
import h5py
import numpy as np

from . import ringdown
from .result import texts
from .sheet import COLORS, MARKERS, Sheet, escape, wish_log

COLUMNS, HEIGHTS, HEADS = 3, (1.75, 1.85), (0.4, 0.16)
MOST_MODES = 9
MACROSLIP = 2
MOST_DECADES_LINEAR = 0.5
RATIOS = (("omega_ratio", "frequency / model [1]"), ("zeta_ratio", "damping / model [1]"))


class Comparison:
    """One study, as far as it is known."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.places = {run.name: run.place for study in result.studies for run in study.runs}
        decays = {run: ringdown.by_subject(item) for run, item in group.items() if isinstance(item, h5py.Group) and run != "table"}
        subjects = sorted({subject for found in decays.values() for subject in found}, key=ringdown.in_order)
        self.subjects = {subject: {run: found[subject] for run, found in decays.items() if subject in found} for subject in subjects}

    @property
    def table(self):
        """The columns of the summary by their names."""
        return {name: texts(item[:]) if item.dtype.kind == "S" else item[:] for name, item in self.group.get("table", {}).items()}

    def families(self, subject):
        """Amplitude, both ratios and whether the model slips as a whole, of all decays from one place."""
        found = {}
        for run, group in self.subjects[subject].items():
            columns = np.array([np.asarray(group[key][:], dtype=float) for key in ("amplitude", "omega_ratio", "zeta_ratio", "regime")])
            columns = columns[:, np.isfinite(columns[:3]).all(axis=0)]
            if columns.size:
                found.setdefault(self.places.get(run, "") or "decays", []).append(columns)
        return {place: np.concatenate(parts, axis=1) for place, parts in found.items()}


def comparisons_of(result):
    return [Comparison(result, name, group) for name, group in result.file.get("compare", {}).items()]


def draw_panel(axes, families, row, label):
    """Full markers: the model is in microslip; hollow: in macroslip."""
    for i, (place, columns) in enumerate(families.items()):
        amplitude, ratio, slips = columns[0], columns[1 + row], columns[3] == MACROSLIP
        color, marker = COLORS[i % len(COLORS)], MARKERS[i % len(MARKERS)]
        for chosen, fill in ((~slips, color), (slips, "none")):
            axes.plot(amplitude[chosen], ratio[chosen], linestyle="none", marker=marker, markersize=3, markeredgewidth=0.6, color=color, markerfacecolor=fill,
                      label="_" if fill == "none" and (~slips).any() else escape(place))
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    every = np.concatenate([columns[1 + row] for columns in families.values()])
    if not wish_log(axes, every, MOST_DECADES_LINEAR):
        axes.margins(y=0.08)
    axes.set_ylabel(label)


def draw(found):
    """The sheet, when points were compared."""
    shown = {subject: families for subject in found.subjects if (families := found.families(subject))}
    shown = dict(list(shown.items())[:MOST_MODES])
    if not shown:
        return
    names, width = list(shown), min(len(shown), COLUMNS)
    sheet = Sheet(found.result, f"{found.name}_compare", f"Comparison {found.name}: trusted points of decays over the modal model at the same amplitude",
                  sum(HEIGHTS) * -(-len(names) // COLUMNS), note="full: the model is in microslip, hollow: in macroslip")
    for first in range(0, len(names), COLUMNS):
        rows = [sheet.row(height, [1] * width, head, foot) for height, head, foot in zip(HEIGHTS, HEADS, (0.12, 0.45))]
        band = names[first : first + COLUMNS]
        for i, (panels, subject) in enumerate(zip(zip(*rows), band)):
            for row, (axes, (_, label)) in enumerate(zip(panels, RATIOS)):
                draw_panel(axes, shown[subject], row, label)
            panels[0].tick_params(labelbottom=False)
            panels[1].set_xlabel(f"amplitude of {escape(subject)} [m kg$^{{1/2}}$]")
            panels[0].set_title(escape(subject), loc="left")
            panels[0].legend(handles=[line for line in panels[0].lines if not line.get_label().startswith("_")], loc="lower right", bbox_to_anchor=(1, 1),
                             borderaxespad=0.1, frameon=False, ncol=4, columnspacing=0.8, handletextpad=0.1, fontsize=6.5)
        for axes in [axes for row in rows for axes in row[len(band) :]]:
            axes.remove()
    yield sheet
