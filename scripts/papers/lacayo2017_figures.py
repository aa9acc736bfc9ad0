"""lacayo2017_figures.py - figures 2, 4 to 8, 11 to 15, C.1 and D.1 of the paper."""
import numpy as np

from plots.backbones import Column, draw_points, limits_of, mark_beyond
from plots.result import as_text
from plots.sheet import COLORS, LINES, MARKERS, Sheet, escape, head_run, legend_above, time_axis

HEIGHT, WIDE = 3.3, 2.8  # of a row [inch]
AMPLITUDE = "displacement amplitude of mode {} [m kg$^{{1/2}}$]"
QUANTITIES = {"omega": "natural frequency [rad/s]", "zeta": "damping ratio [1]"}
MODEL = dict(color="black", linestyle="-", linewidth=1.6)
OUR_FIT = dict(color="#c8500a", linestyle=":", linewidth=1.6)
CLOSED_FORM = dict(color="#7a7a7a", linestyle="--", linewidth=1.1)
SHORT = ("fig_06", "fig_15")
TABLES = {"three_mass": "Table 3", "sumali": "Table 5"}
POINTS_OF_LINE = 3000


def looks(names):
    """A marker and a colour for each, that a grey print tells apart."""
    return {name: dict(color=COLORS[i], marker=MARKERS[i], markersize=3.4) for i, name in enumerate(names)}


def span_of(runs):
    """Their names: `impact_01 to 09`."""
    names = [run.name for run in runs]
    return names[0] + (f" to {names[-1].rpartition('_')[2]}" if len(names) > 1 else "")


def draw_model(axes, system, mode, kind, model="published", look=None, label="modal model"):
    """The modal model, as its motions show it."""
    curve = system.model(model, mode)
    axes.plot(curve.amplitude, getattr(curve, kind), label=label, zorder=4, **(look or MODEL))


def draw_families(axes, families, kind):
    """Measured curves by family: runs of a name that share a look."""
    for (name, look), curves in families:
        for i, curve in enumerate(curves):
            draw_points(axes, curve, np.arange(len(curve)), getattr(curve, kind), None, look, "_" if i else escape(name))


def amplitude_axes(axes, mode, kind, families):
    """Logarithmic, about what is measured."""
    curves = [curve for _, group in families for curve in group if len(curve)]
    axes.set_xscale("log")
    axes.set_yscale("log" if kind == "zeta" else "linear")
    axes.set_ylim(limits_of(Column(f"mode {mode}", {"": curves}), kind))
    amplitudes = np.concatenate([curve.amplitude for curve in curves])
    axes.set_xlim(0.7 * amplitudes.min(), 1.4 * amplitudes.max())
    axes.set_xlabel(AMPLITUDE.format(mode))
    axes.set_ylabel(QUANTITIES[kind])
    if kind == "omega":
        axes.ticklabel_format(axis="y", useOffset=False)


def show_all(axes, model, kind):
    """Makes room for the model as far as the axes go."""
    seen = getattr(model, kind)[(model.amplitude > axes.get_xlim()[0]) & (model.amplitude < axes.get_xlim()[1])]
    low, high = axes.get_ylim()
    room = 0.03 * (high - low) if kind == "omega" else 0
    axes.set_ylim(min(low, seen.min() - room), max(high, seen.max() + room))


def mark_slip(axes, system, mode):
    axes.axvline(system.slip(mode), color="#7a7a7a", linewidth=0.7, zorder=1)
    axes.text(system.slip(mode), 0.02, " $\\phi_{max}$", transform=axes.get_xaxis_transform(), va="bottom", fontsize=7, color="#505050")


def title_row(panels, system, mode, families, beyond):
    """What the row is of, and the legend."""
    curves = [curve for _, group in families for curve in group]
    count, trusted = sum(map(len, curves)), sum(int(curve.trusted.sum()) for curve in curves)
    hollow = f", {count - trusted} hollow: other modes in the signal, or uncertain" if trusted < count else ""
    outside = f", {beyond} beyond the axes" if beyond else ""
    panels[0].set_title(f"mode {mode}: {count} points{hollow}{outside}\n", loc="left")
    legend_above(panels[1])


def draw_comparison(sheet, system, mode, families, lines):
    """A row: frequency and damping against amplitude; measured points and the lines of models."""
    panels = sheet.row(HEIGHT, [1, 1], head=0.55)
    beyond = 0
    for axes, kind in zip(panels, QUANTITIES):
        draw_families(axes, families, kind)
        amplitude_axes(axes, mode, kind, families)
        lines(axes, kind)
        show_all(axes, system.model("published", mode), kind)
        beyond = max(beyond, mark_beyond(axes, Column(f"mode {mode}", dict(enumerate(group for _, group in families))), kind))
        mark_slip(axes, system, mode)
    title_row(panels, system, mode, families, beyond)


def selective(system, name, number, modes):
    """Figs 4, 11, C.1, D.1: one mode excited alone, the closed forms, and the modal models."""
    sheet = Sheet(system.result, name, f"Fig. {number} of lacayo2017: modes excited alone, model and eqs 12, 13 with {TABLES[system.name]}; {', '.join(span_of(system.runs_of('selective', mode=mode)) for mode in modes)}",
                  HEIGHT * len(modes))
    for mode in modes:
        runs = system.runs_of("selective", mode=mode)
        families = [((f"{state} shape", look), [system.curve(run, mode) for run in runs if as_text(run.group.attrs["joints"]) == state])
                    for state, look in looks(("stuck", "slipping")).items()]

        def lines(axes, kind, mode=mode):
            amplitude = np.geomspace(*axes.get_xlim(), POINTS_OF_LINE)
            closed = {"omega": system.tables[mode].omega, "zeta": system.tables[mode].damping}[kind]
            axes.plot(amplitude, closed(amplitude), label="eqs 12, 13", zorder=2, **CLOSED_FORM)
            draw_model(axes, system, mode, kind)
            draw_model(axes, system, mode, kind, "fitted", OUR_FIT, "our fit")

        draw_comparison(sheet, system, mode, families, lines)
    return sheet


def impacts(system, name, number, mode):
    """Figs 5 to 7, 12 to 14: a mode of every impact, by the place that is hit."""
    runs = {place: system.runs_of("impact", place) for place in system.places}
    families = [((f"{place} hit", look), [system.curve(run, mode) for run in runs[place]]) for place, look in looks(system.places).items()]
    source = "; ".join(f"{place}: {span_of(group)}" for place, group in runs.items())
    sheet = Sheet(system.result, name, f"Fig. {number} of lacayo2017: mode {mode} of impacts, model of {TABLES[system.name]}; {source}", HEIGHT)
    draw_comparison(sheet, system, mode, families, lambda axes, kind: draw_model(axes, system, mode, kind))
    return sheet


def draw_decay(axes, system, run):
    """Amplitudes of the modal velocities against time."""
    factor = time_axis(axes, *run.span)
    axes.set_yscale("log")
    for line, mode, marker in zip(LINES, system.modes, MARKERS):
        curve = system.curve(run, mode)
        axes.plot(curve.time * factor, curve.amplitude * curve.omega, marker=marker, markersize=3, label=f"mode {mode}", **line)
    axes.set_ylabel("velocity amplitude [m kg$^{1/2}$/s]")
    legend_above(axes)


def draw_damping(axes, system, run, mode):
    """One decay beside the model."""
    curve = system.curve(run, mode)
    look = looks(["measured"])["measured"]
    draw_points(axes, curve, np.arange(len(curve)), curve.zeta, None, look, "measured")
    axes.plot(curve.amplitude, curve.zeta, color="#9a9a9a", linewidth=0.6, label="_")
    axes.set(xscale="log", yscale="log", xlabel=AMPLITUDE.format(mode), ylabel="damping ratio [1]")
    draw_model(axes, system, mode, "zeta")
    model = system.model("published", mode)
    low, high = 0.5 * curve.amplitude.min(), 2 * curve.amplitude.max()
    seen = np.concatenate([model.zeta[(model.amplitude > low) & (model.amplitude < high)], curve.zeta[curve.zeta > 0]])
    axes.set(xlim=(low, high), ylim=(0.7 * seen.min(), 1.4 * seen.max()))
    axes.set_title(f"mode {mode}\n", loc="left")
    legend_above(axes)


def figure_8(system):
    """Mode 1 of an impact on u2, and what the other modes do meanwhile."""
    run = system.runs["impact_12"]
    sheet = Sheet(system.result, "fig_08", f"Fig. 8 of lacayo2017: {run.name}, {run.load}", HEIGHT + WIDE)
    panels = sheet.row(HEIGHT, [1, 1], head=0.55)
    draw_damping(panels[0], system, run, 1)
    curve = system.curve(run, 1)
    factor = time_axis(panels[1], *run.span)
    draw_points_in_time(panels[1], curve, curve.zeta, factor)
    panels[1].set_ylabel("damping ratio [1]")
    panels[1].set_title("mode 1, in time\n", loc="left")
    draw_decay(sheet.row(WIDE)[0], system, run)
    return sheet


def draw_points_in_time(axes, curve, values, factor, label="_"):
    """Full markers are trusted, hollow ones are not."""
    look = looks(["measured"])["measured"]
    for trusted, fill in ((True, look["color"]), (False, "white")):
        chosen = curve.trusted == trusted
        if chosen.any():
            axes.plot(curve.time[chosen] * factor, values[chosen], linestyle="none", markerfacecolor=fill, label=label, zorder=5, **look)
            label = "_"


def figure_15(system):
    """The three modes of simulation 6 of Table D.2."""
    run = system.runs["impact_06"]
    sheet = Sheet(system.result, "fig_15", f"Fig. 15 of lacayo2017: {run.name}, {run.load}", HEIGHT + WIDE)
    for axes, mode in zip(sheet.row(HEIGHT, [1, 1, 1], head=0.55), system.modes):
        draw_damping(axes, system, run, mode)
    draw_decay(sheet.row(WIDE)[0], system, run)
    return sheet


def draw_steps(axes, knots, curve, kind, factor):
    """Between knots the slope is one value; its middle is the point that is kept."""
    values = getattr(curve, kind)
    axes.step(knots * factor, np.append(values, values[-1]), where="post", color="#7a7a7a", linewidth=1.0)
    draw_points_in_time(axes, curve, values, factor)
    axes.set_ylabel(QUANTITIES[kind])


def figure_2(system):
    """A signal, its envelope, the piecewise linear fit, and the points that are kept."""
    run = system.runs["selective_05"]
    mode = 7
    curve, group = system.curve(run, mode), system.file[f"ring_down/{run.name}/mode{mode}"]
    knots, envelope = (group[name][:] for name in ("knot_time", "knot_envelope"))
    known = np.isfinite(knots)
    knots, envelope = knots[known], envelope[known]
    sheet = Sheet(system.result, "fig_02", f"Fig. 2 of lacayo2017: how frequency and damping are found, mode {mode} of {run.name}; hollow points: uncertain", 2 * HEIGHT)
    axes = sheet.row(HEIGHT, head=0.55)[0]
    head_run(axes, run)
    factor = time_axis(axes, *run.span)
    signal = np.abs(run.group["modal/velocity"][: run.known, system.modes.index(mode)])
    axes.plot(run.group["time"][: run.known] * factor, signal, color="#a8a8a8", linewidth=0.5, label="absolute value of the velocity")
    axes.plot(knots * factor, envelope, color="#c8500a", linestyle="--", linewidth=1.5, label="piecewise linear fit to the logarithm of the envelope", zorder=4)
    draw_points_in_time(axes, curve, curve.amplitude * curve.omega, factor, "points that are kept")
    axes.set(yscale="log", ylim=(0.3 * envelope.min(), 2 * signal.max()), ylabel="modal velocity [m kg$^{1/2}$/s]")
    legend_above(axes)
    for axes, kind in zip(sheet.row(HEIGHT, [1, 1]), QUANTITIES):
        draw_steps(axes, knots, curve, kind, time_axis(axes, *run.span))
    return sheet


def draw(systems, short):
    """The sheets, one after the other; few of them when it must be short."""
    masses, beam = systems["three_mass"], systems["sumali"]
    sheets = {"fig_02": lambda name: figure_2(beam), "fig_04": lambda name: selective(masses, name, "4", [2]),
              **{f"fig_{4 + mode:02d}": lambda name, mode=mode: impacts(masses, name, str(4 + mode), mode) for mode in masses.modes},
              "fig_08": lambda name: figure_8(masses), "fig_11": lambda name: selective(beam, name, "11", [8]),
              **{f"fig_{5 + mode}": lambda name, mode=mode: impacts(beam, name, str(5 + mode), mode) for mode in beam.modes},
              "fig_15": lambda name: figure_15(beam), "fig_C1": lambda name: selective(masses, name, "C.1", [1, 3]),
              "fig_D1": lambda name: selective(beam, name, "D.1", [7, 9])}
    for name, make in sheets.items():
        if not short or name in SHORT:
            yield make(name)
