"""motions.py - the sheet of motions of a study: a few runs in time, and all of them in numbers."""
import numpy as np

from .loads import draw_load, load_of
from .result import Steadied
from .sheet import DECADES, COLORS, LINES, MARKERS, Sheet, escape, head_run, legend_above, prefix, scale, time_axis, wish_log

MOST_RUNS, MOST_CHANNELS, CYCLES, HEIGHT = 3, 4, 8, 2.3
LARGE = 0.6  # of the largest motion: as well seen
RESTS = 1e-3  # of the largest motion: what moves less cannot be seen beside it
POINTS = 2000  # of a line
MOST_LETTERS = 90  # of a legend


def choose_channels(run, kind):
    """The names of those that move most, in this order, without those that hardly move."""
    channels = sorted(run.histories[kind], key=lambda channel: -channel.peak[0])[:MOST_CHANNELS]
    return [channel.name for channel in channels if channel.peak[0] >= RESTS * channels[0].peak[0]]


def channels_named(run, kind, names):
    named = {channel.name: channel for channel in run.histories[kind]}
    return [named[name] for name in names if name in named]


def draw_amplitudes(axes, run, channels):
    """The whole run, where single cycles cannot be seen: the largest of each."""
    bucket, window = run.smoothing(channels, POINTS)
    amplitudes = [channel.magnitude(bucket, window) for channel in channels]
    times = run.middles(bucket) * time_axis(axes, *run.span)
    unit, factor = scale(axes, np.concatenate(amplitudes), channels[0].unit)
    for line, channel, values in zip(LINES, channels, amplitudes):
        axes.plot(times, values * factor, label=escape(channel.name), **line)
    axes.set_ylabel(f"amplitude [{unit}]")


def largest_of(channels):
    return max(channels, key=lambda channel: channel.peak[0])


def find_cycles(run, channels):
    """The samples in which some cycles can be seen, and what they are about: the load, if the motion is large then, else the largest motion."""
    largest = largest_of(channels)
    period = largest.period(largest.peak[1])
    length, about = int(CYCLES * period) + 2, f"the largest motion, of {escape(largest.name)}"
    start, load = int(max(largest.peak[1] - CYCLES / 4 * period, 0)), load_of(run)
    if load and run.free_from is not None:
        pushed = max(int(np.searchsorted(run.group["time"][: run.known], load.start) - period / 4), 0)
        if np.abs(largest.read(pushed, pushed + length)).max() > LARGE * largest.peak[0]:
            start, about = pushed, "the load"
    return start, min(start + length, largest.count), about


def draw_cycles(axes, run, channels, start, stop):
    bucket = -(-(stop - start) // POINTS)
    times = np.repeat(run.middles(bucket, start, stop), 2)
    times *= time_axis(axes, times[0], times[-1])
    largest = largest_of(channels)
    unit, factor = prefix(largest.peak[0], largest.unit)
    for line, channel in zip(LINES, channels):
        axes.plot(times, channel.zigzag(bucket, start, stop) * factor, label=escape(channel.name), **line)
    axes.set_ylabel(f"{escape(largest.name) if len(channels) == 1 else 'displacement'} [{unit}]")


def draw_detail(axes, run, channels, start, stop):
    """Some cycles, and what set them off."""
    draw_cycles(axes, run, channels, start, stop)
    times = run.group["time"][start], run.group["time"][stop - 1]
    _, factor = prefix(times[1], "s")
    draw_load(axes, run, *times, factor)


def draw_run(sheet, run, kind, names):
    """The whole run and some of its cycles; only these when they are the whole run."""
    channels = channels_named(run, kind, names)
    start, stop, about = find_cycles(run, channels)
    is_whole = stop - start == run.known
    panels = sheet.row(HEIGHT, [1] if is_whole else [1, 1.2], head=0.5)
    head_run(panels[0], run)
    draw_detail(panels[-1], run, channels, start, stop)
    if not is_whole:
        draw_amplitudes(panels[0], run, channels)
        panels[1].set_title(f"about {about}\n", loc="left")
    for axes in panels:
        if len([line for line in axes.lines if not line.get_label().startswith("_")]) > 1:
            legend_above(axes)


def energy_error(run):
    return run.energy["balance"].peak[0] / (run.most_energy or 1)


def energy_title(study):
    """What the balance of energies shows: numerical damping takes energy on purpose."""
    damped = any(run.group.attrs.get("alpha", 0) < 0 or run.group.attrs.get("gamma", 0.5) > 0.5 for run in study.runs)
    return "energy taken by numerical damping / energy" if damped else "error of energy / energy"


def share_dissipated(run):
    dissipated = sum(joint.dissipated.read(run.known - 1, run.known)[0] for joint in run.joints)
    return 100 * dissipated / (run.most_energy or 1)


def numbers(study):
    """The numbers that tell the runs apart: a title, a function of a run, and the decades from which its axis is logarithmic."""
    first = study.begun[0]
    if first.decisive:
        yield f"largest motion{' of a joint' if first.joints else ''} [{first.decisive[0].unit}]", lambda run: run.size, DECADES
    if first.joints and first.energy:
        yield "lost in joints [% of energy]", share_dissipated, np.inf
    if first.energy:
        yield energy_title(study), energy_error, 0
    yield "iterations per step", lambda run: run.group["iterations"][0] / run.steps, np.inf


def strength_of(run):
    """The amplitude of its first load, which is what a level means; the level of a run without."""
    return float(run.group.attrs.get("amplitude", run.level)) if run.load_unit else run.level


def draw_number(axes, title, value, decades, families, has_levels):
    every, places = [], []
    for i, (name, runs) in enumerate(families.items()):
        x, y = [abs(strength_of(run)) if has_levels else run.number for run in runs], [value(run) for run in runs]
        axes.plot(x, y, color=COLORS[i % len(COLORS)], marker=MARKERS[i % len(MARKERS)], markersize=4, linestyle="none", fillstyle="none",
                  clip_on=False, zorder=3, label=escape(name) or "no load")
        every, places = every + y, places + x
    wish_log(axes, places, along="x")
    if not wish_log(axes, every, decades):
        axes.set_ylim(0, 1.08 * max(every) or 1)
    axes.set_title(title, loc="left")
    units = {run.load_unit for runs in families.values() for run in runs}
    axes.set_xlabel("number of the run" if not has_levels else f"amplitude of the load [{units.pop()}]" if len(units) == 1 and "" not in units else "level")


def describe_runs(study):
    """How many there are, and which did not end as asked."""
    text, odd = f"{len(study.begun)} of {len(study.runs)} runs", [run.name for run in study.runs if run.end]
    return text + (f"; not ended as asked: {', '.join(odd[:4])}{', ...' * (len(odd) > 4)}" if odd else "")


def draw_numbers(sheet, study, height=HEIGHT):
    """All runs, over their levels, or over their numbers when the levels are the same."""
    shown = list(numbers(study))
    families = {}
    for run in study.begun:
        families.setdefault(run.place, []).append(run)
    if len(families) > len(MARKERS) or len("".join(families)) > MOST_LETTERS:
        families = {"": study.begun}
    has_levels = len({abs(strength_of(run)) for run in study.begun}) > 1 and len({run.load_unit for run in study.begun}) == 1
    panels = sheet.row(height, [1] * len(shown), head=0.55)
    for axes, (title, value, decades) in zip(panels, shown):
        draw_number(axes, title, value, decades, families, has_levels)
    above = dict(y=1 + 0.22 / (height - 0.97), va="bottom", transform=panels[0].transAxes)
    panels[0].text(0, s=describe_runs(study), **above)
    if len(families) > 1:
        panels[-1].legend(handles=panels[0].lines, loc="lower right", ncol=len(families), frameon=False, borderaxespad=0, columnspacing=1,
                          bbox_to_anchor=(1, above["y"]))


def what_is_left(runs, kind, names):
    most = max((len(run.histories[kind]) for run in runs), default=0)
    return f"drawn are {len(names)} of {most} histories, those that move most" if len(names) < most else ""


def what_drifts(runs, kind, names):
    """Of which histories a drift was taken, and how fast it is in the last of these runs."""
    drifting = [channel for run in runs[-1:] for channel in channels_named(run, kind, names) if isinstance(channel, Steadied)]
    if not drifting:
        return ""
    fastest = max(drifting, key=lambda channel: abs(channel.rate))
    return f"without the drift of the floating structure, in {runs[-1].name} {abs(fastest.rate):.3g} m/s of {fastest.name}"


def draw_kind(study, kind, title, with_numbers):
    """The sheet of one kind of histories, when there is anything to see."""
    runs = [run for run in study.some(MOST_RUNS) if kind in run.histories]
    count = len(runs) + with_numbers
    if not count:
        return
    sheet = Sheet(study.result, f"{study.name}_{title.replace(' ', '_')}", f"{study.title}: {title}", HEIGHT * count, runs)
    names = choose_channels(runs[-1], kind) if runs else []
    sheet.note = "; ".join(filter(None, [what_is_left(runs, kind, names), what_drifts(runs, kind, names)]))
    for run in runs:
        draw_run(sheet, run, kind, names)
    if with_numbers:
        draw_numbers(sheet, study)
    yield sheet


def draw(study):
    """A sheet of the main histories and the numbers of all runs, and one of points or modes when these are watched, too."""
    kinds = list(dict.fromkeys(kind for run in study.begun for kind in (run.main_kind, *run.histories))) or [""]
    yield from draw_kind(study, kinds[0], "motions", len(study.begun) > 1)
    for kind in kinds[1:]:
        yield from draw_kind(study, kind, f"motions of {kind}", False)
