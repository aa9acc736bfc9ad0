"""modes.py - the sheet of natural frequencies and mode shapes, one column for each state of the joints."""
import numpy as np

from .result import TURNS
from .sheet import COLORS, MARKERS, NOTHING, Sheet, escape, legend_above

MOST_MODES, MOST_NAMES = 12, 24
LINE = 0.13  # height of a line of a title [inch]


def by_direction(motions, turns):
    """The points that move so, and for each direction the (place among them, row of the shape) of its motions."""
    names = [name.rpartition(" ")[::2] for name in motions]
    wanted = [(point, direction, row) for row, (point, direction) in enumerate(names) if (direction in TURNS) == turns]
    points = list(dict.fromkeys(point for point, _, _ in wanted))
    place = {point: i for i, point in enumerate(points)}
    rows = {}
    for point, direction, row in wanted:
        rows.setdefault(direction, []).append((place[point], row))
    return points, rows


def columns(result, found):
    """A column for each state of the joints, if there are any, and one more where points turn, which has another unit."""
    states = sorted(found, key=lambda state: state != "stuck")
    for state in states if result.has_joints else states[:1]:
        group = found[state]
        for turns in (False, True):
            points, rows = by_direction(result.motions, turns)
            if points:
                yield state, group, turns, points, rows


def draw_shape(axes, shape, points, rows, largest):
    """Stems while they can be told apart, else lines."""
    for i, (direction, places) in enumerate(rows.items()):
        at, row = np.transpose(places)
        shift = 0.18 * (i - (len(rows) - 1) / 2)
        look = dict(color=COLORS[i], marker=MARKERS[i], markersize=4, label=direction)
        if len(points) > MOST_NAMES:
            axes.plot(at, shape[row], linewidth=1, markevery=max(len(at) // 20, 1), **look)
        else:
            axes.vlines(at + shift, 0, shape[row], color=COLORS[i], linewidth=1.5)
            axes.plot(at + shift, shape[row], linestyle="none", **look)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_xlim(-0.5, len(points) - 0.5)
    axes.margins(y=0.15)
    if np.abs(shape[[row for places in rows.values() for _, row in places]]).max() < NOTHING * largest:
        axes.set_ylim(-largest, largest)


def names_below(points):
    """Some of the names, every how many, whether they stand upright, and the room that takes [inch]."""
    stride = -(-len(points) // MOST_NAMES)
    names = [escape(point) for point in points[::stride]]
    upright = sum(map(len, names)) > 60
    return names, stride, upright, 0.25 + (0.07 * max(map(len, names)) if upright else 0)


def name_points(axes, points, turns, is_last):
    names, stride, upright, _ = names_below(points)
    axes.set_xticks(range(0, len(points), stride), names if is_last else [], rotation=90 if upright else 0)
    axes.set_ylabel("rad/(m kg$^{1/2}$)" if turns else "kg$^{-1/2}$")


def head_mode(axes, heading, group, mode):
    omega, frequency = group["omega"][mode], group["frequency"][mode]
    rigid = mode < group.attrs.get("rigid", 0)
    value = "rigid" if rigid else f"{omega:.6g} rad/s   {frequency:.6g} Hz"
    axes.set_title(f"{heading}mode {mode + 1}:  {value}", loc="left", fontweight="bold" if rigid else "normal")


def draw(result):
    """A sheet for each study of modes."""
    for name in result.modes_by_study:
        yield from draw_study(result, name)


def draw_study(result, name):
    """The sheet, when it has modes."""
    shown = list(columns(result, result.modes_by_study[name]))
    if not shown:
        return
    available = max(len(group["omega"]) for _, group, *_ in shown)
    rigid = min(int(group.attrs.get("rigid", 0)) for _, group, *_ in shown)
    first = rigid if rigid < available else 0  # they tell nothing, but when there is nothing else
    count = min(available - first, MOST_MODES)
    some = f", {first + 1} to {first + count} of {available}" if available > count else ""
    some += f"; the first {first} are rigid motions" if first else ""
    height = 1.15 if count > 1 else 2.0
    below = max(names_below(points)[-1] for *_, points, _ in shown)
    sheet = Sheet(result, f"{name}_modes" if name else "modes", f"{name}{': n' if name else 'N'}atural frequencies and mass-normalised mode shapes{some}", height * count + below)
    for mode in range(first, first + count):
        is_last = mode == first + count - 1
        foot = below if is_last else 0
        for axes, (state, group, turns, points, rows) in zip(sheet.row(height + foot, [1] * len(shown), 0.35, foot), shown):
            if mode < len(group["omega"]):
                shape = group["shape"][:, mode]
                head_mode(axes, f"joints {state}\n" if mode == first and result.has_joints else "", group, mode)
                draw_shape(axes, shape, points, rows, np.abs(shape).max())
                name_points(axes, points, turns, is_last)
            else:
                axes.axis("off")
            if mode == first and len(rows) > 1:
                legend_above(axes, LINE)
    yield sheet
