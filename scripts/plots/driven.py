"""driven.py - the sheet of a study of laws along a path: path, loop, and what each cycle does against its amplitude.

A study is a group /loop/<name> with time, displacement, force, dissipated of each sample, its reversals, and its cycles.
"""
import numpy as np

from .result import Channel, as_text
from .sheet import COLORS, LINES, Sheet, prefix, scale, time_axis, wish_log

HEIGHT, POINTS, MOST_SAMPLES = 3.0, 2000, 100_000  # of a row [inch], of a line over time, of a loop
ROUNDING = 1e-9
SAME = 1e-6  # amplitudes that differ by less are one: cycles are then told apart by their numbers
CYCLES = {"area": ("work of a cycle", "J"), "secant_stiffness": ("secant stiffness", "N/m"), "damping": ("damping ratio", "")}


class DrivenLoop:
    """One study, as far as it is known."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.title = f"Loop {name}"
        self.known = int(np.count_nonzero(np.isfinite(group["force"][:])))
        self.cycles = {key: values[:] for key, values in group["cycles"].items()}
        self.laws, self.path = as_text(group.attrs["laws"]), as_text(group.attrs["path"]).replace("_", " ")

    def channel(self, key, unit):
        return Channel(key, unit, self.known, [self.group[key]])

    @property
    def is_steady(self):
        """Whether all cycles have one amplitude."""
        amplitudes = self.cycles["amplitude"]
        return np.ptp(amplitudes) <= SAME * amplitudes.max()


def loops_of(result):
    return [DrivenLoop(result, name, group) for name, group in result.file.get("loop", {}).items() if "reversals" in group]


def draw_path(axes, loop):
    """The displacement in time, with its reversals while they can be told apart."""
    channel, time = loop.channel("displacement", "m"), loop.group["time"]
    bucket = -(-loop.known // POINTS)
    unit, factor = prefix(channel.peak[0], "m")
    times = time_axis(axes, time[0], time[loop.known - 1])
    if bucket == 1:
        axes.plot(time[: loop.known] * times, channel.read(0, loop.known) * factor, **LINES[0])
    else:
        middles = time[bucket // 2 : loop.known - loop.known % bucket : bucket]
        axes.plot(np.repeat(middles, 2) * times, channel.zigzag(bucket, 0, loop.known) * factor, **LINES[0])
    turns = loop.group["reversals"][:]
    if len(turns) and len(turns) < POINTS / 20:
        axes.plot(time[:][turns] * times, loop.group["displacement"][:][turns] * factor, "o", color=COLORS[1], markersize=3)
    axes.set_ylabel(f"displacement [{unit}]")
    axes.set_title(f"path: {loop.known} samples, {len(turns)} reversals", loc="left")


def draw_loop(axes, displacement, force, title):
    x_unit, x_factor = prefix(np.abs(displacement).max(), "m")
    y_unit, y_factor = prefix(np.abs(force).max(), "N")
    axes.plot(displacement * x_factor, force * y_factor, color="black", linewidth=0.9)
    axes.set(xlabel=f"displacement [{x_unit}]", ylabel=f"force [{y_unit}]")
    axes.margins(0.05)
    axes.set_title(title, loc="left")


def draw_nothing(axes, why):
    axes.axis("off")
    axes.text(0.5, 0.5, why, ha="center", transform=axes.transAxes)


def draw_loops(whole, rest, loop):
    """The loop, and what is not elastic of it, which may be too little to be seen beside what is."""
    start = max(loop.known - MOST_SAMPLES, 0)
    displacement, force = (loop.group[key][start : loop.known] for key in ("displacement", "force"))
    draw_loop(whole, displacement, force, "loop" + f", its last {MOST_SAMPLES} samples" * (start > 0))
    low, high = np.argmin(displacement), np.argmax(displacement)
    span = displacement[high] - displacement[low]
    secant = (force[high] - force[low]) / span if span > 0 else 0.0
    left = force - secant * displacement
    if np.ptp(left) <= ROUNDING * np.ptp(force):
        draw_nothing(rest, "nothing but elastic")
    else:
        unit, factor = prefix(abs(secant), "N/m")
        draw_loop(rest, displacement, left, f"less {secant * factor:.4g} {unit} times displacement")


def draw_cycles(axes, loop, key):
    """What each cycle has, against its amplitude, or one after the other."""
    amplitudes, values = loop.cycles["amplitude"], loop.cycles[key]
    title, unit = CYCLES[key]
    if not np.isfinite(values).any():
        draw_nothing(axes, f"no {title}")
        return
    axes.set_title(f"{title}{'' if loop.is_steady else ' against amplitude'}", loc="left")
    if loop.is_steady:
        places = np.arange(1, len(values) + 1)
        axes.set_xlabel("number of the cycle")
        axes.xaxis.get_major_locator().set_params(integer=True)
    else:
        is_log = wish_log(axes, amplitudes, along="x")
        x_unit, factor = ("m", 1) if is_log else prefix(amplitudes.max(), "m")
        places = amplitudes * factor
        axes.set_xlabel(f"amplitude [{x_unit}]")
    y_unit, factor = scale(axes, values, unit) if unit else ("", 1)
    if not unit:
        wish_log(axes, values)
    axes.plot(places, values * factor, "o", color=COLORS[0], markersize=3, fillstyle="none")
    if loop.is_steady:
        axes.set_ylim(*sorted((0, 1.2 * values[np.nanargmax(np.abs(values))] * factor or 1)))
    axes.set_ylabel(f"{title} [{y_unit}]" if y_unit else title)


def draw(loop):
    """The sheet, when anything is known."""
    if not loop.known:
        return
    has_cycles = len(loop.cycles["area"]) > 0
    sheet = Sheet(loop.result, f"{loop.name}_loop", f"{loop.title}: {loop.laws} along a {loop.path}", HEIGHT * (1 + has_cycles))
    path, whole, rest = sheet.row(HEIGHT, [1.2, 1, 1])
    draw_path(path, loop)
    draw_loops(whole, rest, loop)
    if has_cycles:
        for axes, key in zip(sheet.row(HEIGHT, [1] * len(CYCLES)), CYCLES):
            draw_cycles(axes, loop, key)
    yield sheet
