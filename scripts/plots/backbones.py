"""backbones.py - frequency and damping against amplitude: points of decays, curves of models, of as many modes as there are, side by side.

A column is of one mode or point: its frequency above, its damping ratio below, on one axis of amplitudes. Points that are not trusted are
hollow; what would press all else together lies beyond the axes and is marked at their edge.
"""
import numpy as np

from .result import TURNS
from .sheet import COLORS, LINES, MARKERS, WIDTH, escape, fit

COLUMNS, HEIGHTS = 3, (2.55, 2.2)  # of a band; of its rows [inch]
HEADS = (0.86, 0.42)  # room above the panels of each row
POINTS, FEWEST = 3000, 30  # markers of a panel at most, and the least that a curve keeps
ROOM = 0.06  # about what is shown, as a share of its span
NEAR, WIDE = 0.6, 0.1  # points that are not trusted are shown up to this share of the span of frequencies, which is at least so wide
DAMPINGS, MOST_DAMPING = (10.0, 300.0), 1.0  # and down and up to so many times the trusted damping
MOST_FAMILIES, MOST_LETTERS = 8, 60
SAMPLE, LETTER = 0.3, 0.048  # of a legend: a line or marker, a letter [inch]
QUANTITIES = (("frequency [Hz]", "frequency", "frequency_error"), ("damping ratio [1]", "zeta", "zeta_error"))


class Column:
    """What is drawn of a mode or point: families of curves by their names, lines of models, and frequencies that are known otherwise."""

    def __init__(self, subject, families, models=(), known=()):
        self.subject, self.families, self.models, self.known = subject, families, list(models), list(known)
        self.curves = [curve for curves in families.values() for curve in curves]

    @property
    def most(self):
        """Markers of a curve."""
        return max(POINTS // max(len(self.curves), 1), FEWEST)

    @property
    def heading(self):
        trusted, count = sum(int(curve.trusted.sum()) for curve in self.curves), sum(map(len, self.curves))
        some = f"{trusted} of {count} points trusted" if trusted < count else f"{count} points"
        return escape(self.subject) + (f": {some}, of {len(self.curves)} run{'s' * (len(self.curves) > 1)}" if self.curves else "")


def families_of(curves):
    """The curves by what they are told apart by: their runs, while there are few, else where these are pushed, else nothing."""
    for key in (lambda curve: curve.name, lambda curve: curve.place):
        names = list(dict.fromkeys(key(curve) for curve in curves))
        if len(names) <= MOST_FAMILIES and sum(map(len, names)) + 4 * len(names) <= MOST_LETTERS:
            return {name: [curve for curve in curves if key(curve) == name] for name in names}
    return {"": curves}


def frequencies_known(result, subject):
    """Of a mode with its joints stuck, and of the slipping one that it becomes."""
    stuck, slipping = (result.modes.get(state) for state in ("stuck", "slipping"))
    mode = int(subject.removeprefix("mode ")) if subject.startswith("mode ") and subject[5:].isdigit() else 0
    if stuck is None or not 0 < mode <= len(stuck["frequency"]):
        return []
    pair = int(stuck["pair"][mode - 1]) if "pair" in stuck else 0
    return [float(stuck["frequency"][mode - 1])] + ([float(slipping["frequency"][pair - 1])] if slipping is not None and pair else [])


def moves_most(result, subject):
    """A motion of a point of the structure in a mode: its name, and how far it goes for a coordinate of 1 m kg^1/2 [kg^-1/2]. Points that
    are watched come before others."""
    stuck = result.modes.get("stuck")
    mode = int(subject.removeprefix("mode ")) if subject.startswith("mode ") and subject[5:].isdigit() else 0
    if stuck is None or "shape" not in stuck or not 0 < mode <= stuck["shape"].shape[1]:
        return None
    watched = {point for run in result.file.get("transient", {}).values() for point in run.get("points", {})}
    rows = [row for row, name in enumerate(result.motions) if name.rpartition(" ")[2] not in TURNS]
    rows = [row for row in rows if result.motions[row].rpartition(" ")[0] in watched] or rows
    shape = np.abs(stuck["shape"][:, mode - 1])
    best = max(rows, key=lambda row: shape[row], default=None)
    return (result.motions[best], float(shape[best])) if best is not None and shape[best] > 0 else None


def limits_of(column, name):
    """Of an axis: all that is trusted or known otherwise, and what is not trusted while it is near."""
    values = np.concatenate([getattr(curve, name) for curve in column.curves] or [[]])
    trusted = np.concatenate([getattr(curve, name)[curve.trusted] for curve in column.curves] or [[]])
    is_damping = name == "zeta"
    reach = np.concatenate([curve.amplitude for curve in column.curves] or [[0, np.inf]])
    modelled = [getattr(model, name)[(model.amplitude >= reach.min()) & (model.amplitude <= reach.max())] for model in column.models if not model.is_printed]
    sure = np.concatenate([trusted, [] if is_damping else column.known, *modelled])
    sure = sure[sure > 0] if len(sure[sure > 0]) else values[values > 0]
    sure = sure if len(sure) else np.ones(1)
    if is_damping:
        least, most = sure.min() / DAMPINGS[0], max(min(sure.max() * DAMPINGS[1], MOST_DAMPING), sure.max())
    else:
        beside = NEAR * max(np.ptp(sure), WIDE * sure.max())
        least, most = sure.min() - beside, sure.max() + beside
    near = values[(values >= least) & (values <= most)]
    low, high = min(sure.min(), near.min(initial=np.inf)), max(sure.max(), near.max(initial=-np.inf))
    if is_damping:
        room = max(ROOM * np.log(high / low), 0.1)
        return low * np.exp(-room), high * np.exp(room)
    room = max(ROOM * (high - low), 1e-4 * high)
    return low - room, high + room


def draw_points(axes, curve, places, values, errors, look, label):
    """Full markers are trusted, hollow ones are not; standard deviations are told of those that are trusted."""
    for truth, fill in ((True, look["color"]), (False, "none")):
        chosen = places[curve.trusted[places] == truth]
        if truth and errors is not None:
            axes.errorbar(curve.amplitude[chosen], values[chosen], np.nan_to_num(errors[chosen]), fmt="none", ecolor="#bcbcbc", elinewidth=0.6, label="_")
        axes.plot(curve.amplitude[chosen], values[chosen], linestyle="none", markerfacecolor=fill, markeredgewidth=0.6, zorder=3,
                  label=label if truth else "_", **look)


def mark_beyond(axes, column, name):
    """Triangles at the edge where points lie beyond it; how many."""
    low, high = axes.get_ylim()
    count = 0
    for curve in column.curves:
        values = getattr(curve, name)
        for beyond, edge, marker in ((values > high, high, "^"), (values < low, low, "v")):
            axes.plot(curve.amplitude[beyond], np.full(beyond.sum(), edge), marker, color="#7a7a7a", markersize=3, clip_on=False, zorder=4, label="_beyond")
            count += int(beyond.sum())
    return count


def draw_panel(axes, column, quantity):
    label, name, error = quantity
    axes.set_xscale("log")
    if name == "zeta" and any((getattr(item, name) > 0).any() for item in column.curves + column.models):
        axes.set_yscale("log")
    for i, (family, curves) in enumerate(column.families.items()):
        look = dict(color=COLORS[i % len(COLORS)], marker=MARKERS[i % len(MARKERS)], markersize=3)
        for j, curve in enumerate(curves):
            places = np.unique(np.linspace(0, len(curve) - 1, min(column.most, len(curve))).round().astype(int))
            draw_points(axes, curve, places, getattr(curve, name), getattr(curve, error), look, "_" if j else escape(family) or "_")
    reach = np.concatenate([curve.amplitude for curve in column.curves] or [model.amplitude for model in column.models])
    for model, line in zip(column.models, [LINES[0], *LINES[1:]]):
        order = np.argsort(model.amplitude)
        axes.plot(model.amplitude[order], getattr(model, name)[order], label=escape(fit(model.name, 24)), zorder=4, **{**line, "linewidth": 1.0})
    axes.set_xlim(reach.min() / 1.5, reach.max() * 1.5)
    axes.set_ylim(limits_of(column, name))
    axes.set_ylabel(label)
    axes.margins(y=0)
    return mark_beyond(axes, column, name)


def add_metres(axes, result, column):
    """The amplitude of a point above that of the mode; whether there is one."""
    found = moves_most(result, column.subject) if (column.curves + column.models)[0].unit == "m kg$^{1/2}$" else None
    if found is None:
        return
    motion, size = found
    top = axes.twiny()
    top.set_xscale("log")
    top.set_xlim(np.array(axes.get_xlim()) * size)
    top.grid(False)
    top.tick_params(labelsize=7, pad=1)
    top.set_xlabel(f"amplitude of {escape(motion)} in its shape, stuck [m]", fontsize=7, labelpad=3)


def draw_column(panels, result, column):
    """The panels of one mode or point, from above."""
    beyond = [draw_panel(axes, column, quantity) for axes, quantity in zip(panels, QUANTITIES)]
    panels[0].tick_params(labelbottom=False)
    panels[0].ticklabel_format(axis="y", useOffset=False)
    some = (column.curves + column.models)[0]
    panels[1].set_xlabel(f"amplitude of {some.quantity}, {escape(column.subject)} [{some.unit}]")
    add_metres(panels[0], result, column)
    outside = f"; {max(beyond)} beyond" if any(beyond) else ""
    panels[0].text(0, 1 + 0.5 / (HEIGHTS[0] - HEADS[0]), column.heading + outside, transform=panels[0].transAxes, va="bottom", fontsize=8)
    handles = [line for line in panels[1].lines if not line.get_label().startswith("_")]
    if handles:
        each = SAMPLE + LETTER * max(len(line.get_label()) for line in handles)
        panels[1].legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1, frameon=False, columnspacing=0.8, handletextpad=0.2, handlelength=1.4,
                         labelspacing=0.2, fontsize=6.5, ncol=int(np.clip(panels[1].get_position().width * WIDTH / each, 1, len(handles))))


def height_of(count):
    """Of the bands of so many columns [inch]."""
    return sum(HEIGHTS) * -(-count // COLUMNS)


def draw_columns(sheet, result, columns):
    """Bands of columns, filled from the left."""
    width = min(len(columns), COLUMNS)
    for first in range(0, len(columns), COLUMNS):
        rows = [sheet.row(height, [1] * width, head, foot) for height, head, foot in zip(HEIGHTS, HEADS, (0.05, 0.45))]
        band = columns[first : first + COLUMNS]
        for panels, column in zip(zip(*rows), band):
            draw_column(panels, result, column)
        for axes in [axes for row in rows for axes in row[len(band) :]]:
            axes.remove()
