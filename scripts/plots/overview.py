"""overview.py - a transient study on one page: a row for each of a few runs, what moves, how it decays, at which frequencies, where energy goes."""
from . import energies, loops, motions, spectrogram
from .sheet import Sheet, heading_of, legend_above, time_axis

MOST_RUNS, MOST_CHANNELS = 3, 3
HEIGHT, HEAD, FOOT, ABOVE = 1.77, 0.5, 0.38, 0.31  # of a row: what is above and below its panels, and the name of its run [inch]
WIDTHS = [1.05, 0.85, 1.15, 0.95]
POINTS = 800  # of a line


def panels_of(run, joint):
    """What can be drawn of a run: functions of axes. `joint` is the place of the joint direction whose loop is shown, or None."""
    kind = "points" if "points" in run.histories else run.main_kind
    names = motions.choose_channels(run, kind)[:MOST_CHANNELS] if kind else []
    if not names:
        return []
    channels = motions.channels_named(run, kind, names)
    start, stop, about = motions.find_cycles(run, channels)

    def draw_cycles(axes):
        motions.draw_detail(axes, run, channels, start, stop)
        axes.set_title(f"about {about}\n", loc="left")
        legend_above(axes, small=True)

    def draw_decay(axes):
        motions.draw_amplitudes(axes, run, channels)
        axes.set_title("largest of each cycle\n" if stop - start < run.known else "", loc="left")

    panels = [draw_cycles, draw_decay]
    moving = spectrogram.channels_of(run)
    if moving and run.known > 4 * spectrogram.FEWEST:
        panels.append(lambda axes: spectrogram.draw_channel(axes, run, moving[0]))
    if joint is not None:
        panels.append(lambda axes: loops.draw_small(axes, loops.Loop(run, run.joints[joint])))
    elif run.energy:
        panels.append(lambda axes: draw_energies(axes, run))
    return panels


def draw_energies(axes, run):
    smoothing = run.smoothing(run.motions, POINTS)
    energies.draw_parts(axes, run, smoothing, run.middles(smoothing[0]) * time_axis(axes, *run.span))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=2, fontsize=6.5, frameon=False, borderaxespad=0, handlelength=1.6, columnspacing=0.8, labelspacing=0.2)


def draw(study):
    """The sheet, when anything moved."""
    shown = study.some(MOST_RUNS)
    joint = loops.busiest(shown, 1)[0] if shown and shown[-1].joints else None
    runs = [(run, panels) for run in shown if (panels := panels_of(run, joint))]
    with_numbers = len(study.begun) > 1
    if not runs:
        return
    sheet = Sheet(study.result, f"{study.name}_overview", f"{study.title}: motion, decay, frequencies and {'loops' if joint is not None else 'energies'}", HEIGHT * (len(runs) + with_numbers), [run for run, _ in runs])
    for run, panels in runs:
        row = sheet.row(HEIGHT, WIDTHS[: len(panels)], HEAD, FOOT)
        for axes, draw_panel in zip(row, panels):
            draw_panel(axes)
        row[0].text(0, 1 + ABOVE / (HEIGHT - HEAD - FOOT), heading_of(run), transform=row[0].transAxes, va="bottom", fontsize=8, fontweight="bold")
    if with_numbers:
        motions.draw_numbers(sheet, study, HEIGHT)
    yield sheet
