"""motions.py - the sheet of motions of a study: a few runs in time, and all of them in numbers."""
import numpy as np

from .sheet import DECADES, COLORS, LINES, MARKERS, NOTHING, Sheet, escape, head_run, legend_above, prefix, scale, time_axis, wish_log

MOST_RUNS, MOST_CHANNELS, CYCLES, HEIGHT = 3, 4, 8, 2.3
POINTS = 2000  # of a line
MOST_LETTERS = 90  # of a legend


def choose_channels(run, kind):
    """The names of those that move most, without those that hardly move."""
    channels = sorted(run.histories[kind], key=lambda channel: -channel.peak[0])[:MOST_CHANNELS]
    return {channel.name for channel in channels if channel.peak[0] >= NOTHING * channels[0].peak[0]}


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


def find_cycles(channels):
    """The samples about the largest motion in which some cycles can be seen."""
    largest = largest_of(channels)
    period = largest.period(largest.peak[1])
    start = int(max(largest.peak[1] - CYCLES / 4 * period, 0))
    return start, min(int(start + CYCLES * period) + 2, largest.count)


def draw_cycles(axes, run, channels, start, stop):
    bucket = -(-(stop - start) // POINTS)
    times = np.repeat(run.middles(bucket, start, stop), 2)
    times *= time_axis(axes, times[0], times[-1])
    largest = largest_of(channels)
    unit, factor = prefix(largest.peak[0], largest.unit)
    for line, channel in zip(LINES, channels):
        axes.plot(times, channel.zigzag(bucket, start, stop) * factor, label=escape(channel.name), **line)
    axes.set_ylabel(f"{escape(largest.name) if len(channels) == 1 else 'displacement'} [{unit}]")


def draw_run(sheet, run, kind, names):
    """The whole run and some of its cycles; only these when they are the whole run."""
    channels = [channel for channel in run.histories[kind] if channel.name in names]
    start, stop = find_cycles(channels)
    is_whole = stop - start == run.known
    panels = sheet.row(HEIGHT, [1] if is_whole else [1, 1.2])
    head_run(panels[0], run)
    draw_cycles(panels[-1], run, channels, start, stop)
    if not is_whole:
        draw_amplitudes(panels[0], run, channels)
        panels[1].set_title(f"about the largest motion, of {escape(largest_of(channels).name)}", loc="left")
    if len(channels) > 1:
        legend_above(panels[0])


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


def draw_number(axes, title, value, decades, families, has_levels):
    every, places = [], []
    for i, (name, runs) in enumerate(families.items()):
        x, y = [run.level if has_levels else run.number for run in runs], [value(run) for run in runs]
        axes.plot(x, y, color=COLORS[i % len(COLORS)], marker=MARKERS[i % len(MARKERS)], markersize=4, linestyle="none", fillstyle="none",
                  clip_on=False, zorder=3, label=escape(name) or "no load")
        every, places = every + y, places + x
    wish_log(axes, places, along="x")
    if not wish_log(axes, every, decades):
        axes.set_ylim(0, 1.08 * max(every) or 1)
    axes.set_title(title, loc="left")
    axes.set_xlabel("level" if has_levels else "number of the run")


def describe_runs(study):
    """How many there are, and which did not end as asked."""
    text, odd = f"{len(study.begun)} of {len(study.runs)} runs", [run.name for run in study.runs if run.end]
    return text + (f"; not ended as asked: {', '.join(odd[:4])}{', ...' * (len(odd) > 4)}" if odd else "")


def draw_numbers(sheet, study):
    """All runs, over their levels, or over their numbers when the levels are the same."""
    shown = list(numbers(study))
    families = {}
    for run in study.begun:
        families.setdefault(run.place, []).append(run)
    if len(families) > len(MARKERS) or len("".join(families)) > MOST_LETTERS:
        families = {"": study.begun}
    has_levels = len({run.level for run in study.begun}) > 1
    panels = sheet.row(HEIGHT, [1] * len(shown), head=0.55)
    for axes, (title, value, decades) in zip(panels, shown):
        draw_number(axes, title, value, decades, families, has_levels)
    above = dict(y=1 + 0.22 / (HEIGHT - 0.97), va="bottom", transform=panels[0].transAxes)
    panels[0].text(0, s=describe_runs(study), **above)
    if len(families) > 1:
        panels[-1].legend(handles=panels[0].lines, loc="lower right", ncol=len(families), frameon=False, borderaxespad=0, columnspacing=1,
                          bbox_to_anchor=(1, above["y"]))


def draw_kind(study, kind, title, with_numbers):
    """The sheet of one kind of histories, when there is anything to see."""
    runs = [run for run in study.some(MOST_RUNS) if kind in run.histories]
    count = len(runs) + with_numbers
    if not count:
        return
    sheet = Sheet(study.result, f"{study.name}_{title.replace(' ', '_')}", f"{study.title}: {title}", HEIGHT * count, runs)
    names = choose_channels(runs[-1], kind) if runs else set()
    most = max((len(run.histories[kind]) for run in runs), default=0)
    sheet.note = f"drawn are {len(names)} of {most} histories, those that move most" if len(names) < most else ""
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
