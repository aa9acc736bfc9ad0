"""energies.py - the sheet of energies of a study: where the work of the loads goes, and what the balance misses."""
from .sheet import LINES, Sheet, head_run, legend_above, prefix, scale, time_axis

MOST_RUNS, POINTS, HEIGHT = 3, 1000, 2.4
PARTS = {"work": "work of loads", "stored": "kinetic, strain", "joints": "into joints", "damping": "into damping"}


def draw_parts(axes, run, smoothing, times):
    """Means over a cycle, which keep the balance and let the lines be told apart."""
    unit, factor = prefix(max(run.energy[name].peak[0] for name in PARTS), "J")
    for line, (name, label) in zip(LINES, PARTS.items()):
        axes.plot(times, run.energy[name].mean(*smoothing) * factor, label=label, **line)
    axes.set_ylabel(f"energy [{unit}]")
    legend_above(axes)


def draw_decay(axes, run, smoothing, times):
    """A straight line where damping is linear."""
    stored = run.energy["stored"].mean(*smoothing)
    unit, factor = scale(axes, stored, "J", 0.1)
    axes.plot(times, stored * factor, **LINES[1])
    axes.set_title(f"{PARTS['stored']} [{unit}]", loc="left")


def draw_error(axes, run, smoothing, times):
    missing = run.energy["balance"].magnitude(*smoothing) / (run.most_energy or 1)
    unit, factor = scale(axes, missing, "", 0)
    axes.plot(times, missing * factor, color="black", linewidth=0.8)
    axes.set_title(f"error of the balance / largest energy {unit}", loc="left")


def draw(study):
    """The sheet, when energies were watched."""
    runs = [run for run in study.some(MOST_RUNS) if run.energy]
    if not runs:
        return
    sheet = Sheet(study.result, f"{study.name}_energies", f"{study.title}: energies, averaged over cycles", HEIGHT * len(runs), runs)
    for run in runs:
        smoothing = run.smoothing(run.motions, POINTS)
        panels = sheet.row(HEIGHT, [1.5, 1, 1])
        head_run(panels[0], run)
        for axes, draw_panel in zip(panels, (draw_parts, draw_decay, draw_error)):
            factor = time_axis(axes, *run.span)
            draw_panel(axes, run, smoothing, run.middles(smoothing[0]) * factor)
    yield sheet
