"""contact_loops.py - the sheet of faces that are moved in three directions: their way with the friction along it, loops, the hodograph of the friction, and what they do.

A study is a group /loop/<name> with displacement [samples, 3], force, pressing and share of each sample, and its cycles.
"""
import numpy as np

from .contacts import STATES, legend_of_states
from .result import as_text
from .sheet import COLORS, LINES, Sheet, prefix, scale, time_axis

HEIGHT, MOST_SAMPLES, MOST_ARROWS, MOST_POINTS = 3.0, 20_000, 28, 1500
AXES = "xyz"
LITTLE = 1e-9  # of the largest motion: a direction that is still


class ContactLoop:
    """One study, as far as it is known: its last samples, if there are very many."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.title = f"Loop {name}"
        self.law, self.path = as_text(group.attrs["laws"]), as_text(group.attrs["path"])
        self.known = int(np.count_nonzero(np.isfinite(group["pressing"][:])))
        start = max(self.known - MOST_SAMPLES, 0)
        self.time, self.displacement, self.force, self.pressing, self.share = (
            group[key][start : self.known] for key in ("time", "displacement", "force", "pressing", "share"))
        self.cycles = {key: values[:] for key, values in group["cycles"].items()}
        self.is_cut = start > 0

    @property
    def moves(self):
        """Which of y and z move."""
        largest = np.abs(self.displacement[:, 1:]).max(axis=0)
        return [1 + k for k in range(2) if largest[k] > LITTLE * largest.max()]

    @property
    def last_cycle(self):
        """Samples of the last cycle, or all."""
        if not len(self.cycles["begin"]):
            return slice(None)
        span = (self.cycles[key][-1] for key in ("begin", "end"))
        first, last = (int(np.argmin(np.abs(self.time - time))) for time in span)
        return slice(first, last + 1)


def contact_loops_of(result):
    return [ContactLoop(result, name, group) for name, group in result.file.get("loop", {}).items() if "pressing" in group]


def draw_way(axes, loop):
    """The way along the faces, with the force on the side that moves, which friction turns against it, at places of equal distance."""
    part = loop.last_cycle
    unit, factor = prefix(np.abs(loop.displacement[part, 1:]).max(), "m")
    y, z = loop.displacement[part, 1:].T * factor
    axes.plot(y, z, color="black", linewidth=0.9)
    axes.plot(y[0], z[0], "o", color="black", markersize=3)
    gone = np.concatenate([[0], np.cumsum(np.hypot(np.diff(y), np.diff(z)))])
    at = np.unique(np.searchsorted(gone, np.linspace(0, gone[-1], MOST_ARROWS, endpoint=False)[1:]))
    traction = -loop.force[part, 1:][at]
    largest, reach = np.hypot(*traction.T).max() if len(at) else 0, max(np.ptp(y), np.ptp(z))
    if largest > 0:
        axes.quiver(y[at], z[at], *(traction.T * 0.22 * reach / largest), color=COLORS[1], angles="xy", scale_units="xy", scale=1, width=0.006)
    axes.set(xlabel=f"y [{unit}]", ylabel=f"z [{unit}]", aspect="equal", adjustable="datalim")
    axes.margins(0.15)
    axes.set_title("way, and friction against it" + ", last cycle" * (part != slice(None)), loc="left")


def draw_line(axes, loop, direction):
    """The way in one direction over time."""
    times = time_axis(axes, loop.time[0], loop.time[-1])
    unit, factor = prefix(np.abs(loop.displacement[:, direction]).max(), "m")
    axes.plot(loop.time * times, loop.displacement[:, direction] * factor, **LINES[0])
    axes.set_ylabel(f"{AXES[direction]} [{unit}]")
    axes.set_title("way", loc="left")


def draw_loops(axes, loop):
    """Force over displacement in each direction along the faces that moves."""
    x_unit, x_factor = prefix(np.abs(loop.displacement[:, 1:]).max(), "m")
    y_unit, y_factor = prefix(np.abs(loop.force[:, 1:]).max(), "N")
    for line, direction in zip(LINES, loop.moves):
        axes.plot(loop.displacement[:, direction] * x_factor, loop.force[:, direction] * y_factor, label=AXES[direction], **line)
    axes.set(xlabel=f"displacement [{x_unit}]", ylabel=f"force [{y_unit}]")
    axes.margins(0.05)
    axes.set_title("loops along the faces", loc="left")
    axes.legend(loc="best")


def draw_hodograph(axes, loop):
    """The end of the force along the faces, within what friction bears at its largest and least in the last cycle."""
    part = loop.last_cycle
    unit, factor = prefix(np.abs(loop.force[part, 1:]).max(), "N")
    axes.plot(*(loop.force[part, 1:].T * factor), color="black", linewidth=0.9)
    slips = loop.share[part, 2] > 0.5
    axes.plot(*(loop.force[part, 1:][slips].T * factor), ".", color=COLORS[1], markersize=2, label="slips")
    axes.set(xlabel=f"force in y [{unit}]", ylabel=f"force in z [{unit}]", aspect="equal", adjustable="datalim")
    axes.margins(0.1)
    axes.set_title("hodograph" + ", last cycle" * (part != slice(None)), loc="left")
    if slips.any():
        axes.legend(loc="best")


def draw_pressing(axes, loop):
    """What presses the faces over time, and the normal motion."""
    times = time_axis(axes, loop.time[0], loop.time[-1])
    unit, factor = prefix(loop.pressing.max(), "N")
    axes.plot(loop.time * times, loop.pressing * factor, label="pressing", **LINES[0])
    axes.plot(loop.time * times, np.hypot(*loop.force[:, 1:].T) * factor, label="along the faces", **LINES[1])
    axes.set_ylabel(f"force [{unit}]")
    axes.set_ylim(bottom=0)
    axes.legend(loc="best")
    axes.set_title("forces", loc="left")


def draw_normal(axes, loop):
    x_unit, x_factor = prefix(np.abs(loop.displacement[:, 0]).max(), "m")
    unit, factor = prefix(loop.pressing.max(), "N")
    axes.plot(loop.displacement[:, 0] * x_factor, loop.pressing * factor, color="black", linewidth=0.9)
    axes.set(xlabel=f"normal displacement x [{x_unit}]", ylabel=f"pressing force [{unit}]")
    axes.set_title("normal to the faces", loc="left")


def draw_states(axes, loop):
    """How much is open, sticks and slips, over time."""
    times = time_axis(axes, loop.time[0], loop.time[-1])
    some = np.unique(np.linspace(1, len(loop.time) - 1, min(MOST_POINTS, len(loop.time) - 1)).astype(int))
    axes.stackplot(loop.time[some] * times, loop.share[some].T[::-1], colors=list(STATES.values())[::-1], linewidth=0, step="pre")
    axes.set(ylim=(0, 1), ylabel="share")
    legend_of_states(axes, STATES.values(), (1, 1), loc="lower right")


def draw_cycles(axes, loop):
    """What each cycle dissipates."""
    values = loop.cycles["dissipated"]
    unit, factor = scale(axes, values, "J")
    axes.plot(np.arange(1, len(values) + 1), values * factor, "o", color=COLORS[0], markersize=3, fillstyle="none")
    axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    axes.set(xlim=(0.5, len(values) + 0.5), xlabel="number of the cycle", ylabel=f"dissipated [{unit}]")
    axes.set_ylim(0, 1.2 * values.max() * factor or 1)
    axes.set_title("energy of a cycle", loc="left")


def draw(loop):
    """The sheet, when anything is known."""
    if not loop.known:
        return
    has_cycles, has_normal, moves = len(loop.cycles["begin"]) > 0, np.ptp(loop.displacement[:, 0]) > 0, loop.moves
    sheet = Sheet(loop.result, f"{loop.name}_loop", f"{loop.title}: contact {loop.law} moved by {loop.path}" + f", its last {MOST_SAMPLES} samples" * loop.is_cut,
                  2 * HEIGHT)
    if len(moves) == 2:
        way, loops, hodograph = sheet.row(HEIGHT, [1, 1, 1])
        draw_way(way, loop)
        draw_loops(loops, loop)
        draw_hodograph(hodograph, loop)
    elif moves:
        way, loops = sheet.row(HEIGHT, [1.3, 1])
        draw_line(way, loop, moves[0])
        draw_loops(loops, loop)
    else:
        draw_line(sheet.row(HEIGHT, [1])[0], loop, 0)
    lower = [draw_pressing, draw_states] + [draw_normal] * has_normal + [draw_cycles] * has_cycles
    for axes, draw_it in zip(sheet.row(HEIGHT, [1] * len(lower)), lower):
        draw_it(axes, loop)
    yield sheet
