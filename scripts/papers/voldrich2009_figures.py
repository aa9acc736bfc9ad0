"""voldrich2009_figures.py - figures 2, 6 and 8 to 10 of the paper, and fig. 9 with other normal stiffness and roughness."""
import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from plots.balanced import MARKS, runs_of
from plots.sheet import COLORS, LINES, Sheet, legend_above

from . import voldrich2009_faces as rough
from .voldrich2009_claims import m2, varied_name

HEIGHT, PANEL = 4.6, 2.3  # of a row [inch]
TICKS = (1, 2, 3, 5)  # of a decade
SHORT = ("fig_08",)
NINE = (*COLORS, "#b8860b", "#00897b", "#d81b60")  # of curves, whose dashes have a meaning
SINES = dict(linestyle="none", markersize=3, markerfacecolor="white", markeredgewidth=0.7)
UP_AND_DOWN = {"up": "^", "down": "v"}
FOLD = dict(color="black", linestyle="none", marker=MARKS["fold"], markersize=4.5, markerfacecolor="white")
UNSTABLE = (0, (3.5, 1.5))  # dashes
BAND = (18, 28)  # [Hz]
JUMPS_AT = (22.8, 26.2)  # [Hz]
LOOKS = [dict(color=color, linestyle=style, linewidth=1.2) for style in ("-", "--") for color in (*COLORS, "#b8860b")]


def figure_2(results, faces, name):
    """Lines by eqs 1 and 2; a circle for each load that dovetail was given, at the depth at which so much of the faces touches."""
    sheet = Sheet(results["fig_2"], name, "Fig. 2 of voldrich2009: load and depth of rough faces, and their stiffness under the load", HEIGHT)
    depth = np.linspace(0, 1.2, 241)
    share = np.linspace(0, 1, 1001)
    places = np.interp(faces.tangential, rough.touching(share), share)
    circles = dict(color=COLORS[1], linestyle="none", marker="o", markersize=4, markerfacecolor="none")
    squares = dict(circles, color=COLORS[2], marker="s", markersize=7)
    left, right = sheet.row(HEIGHT, [1, 1], head=0.55)
    left.plot(depth, rough.pressing(depth), label="eq. 2", **LINES[0])
    within = np.array(rough.LOADS) < 0.5  # where all touches, the stiffness tells no depth
    left.plot(places[within], np.array(rough.LOADS)[within], label="dovetail", **circles)
    left.set(xlabel="displacement $u^* = u/R$", ylabel="normal force $F_N^* = F_N/(k_N R)$")
    right.plot(rough.pressing(depth), rough.touching(depth), label="eqs 1, 2", **LINES[0])
    right.plot(rough.LOADS, faces.tangential, label="dovetail, tangential", **circles)
    right.plot(rough.LOADS, faces.normal, label="dovetail, normal", **squares)
    right.set(xlabel="normal force $F_N^*$", ylabel="stiffness $k_T^* = k_T(F_N)/k_T$")
    for axes in (left, right):
        legend_above(axes)
    return sheet


def figure_6(results, oscillators, name):
    """A row for each frequency, as in the paper: motion and speed in time, the phase plane, motion against the force."""
    found = oscillators.found["contact"]
    sheet = Sheet(results["fig_6"], name, "Fig. 6 of voldrich2009: steady cycles of eq. 14; where the contact sticks, the line is thick", PANEL * len(found))
    for ratio, steady in found.items():
        pairs = ((steady.tau, steady.motion, "$\\tau$", "$v$"), (steady.tau, steady.velocity, "$\\tau$", "$dv/d\\tau$"),
                 (steady.motion, steady.velocity, "$v$", "$dv/d\\tau$"), (steady.motion, steady.sine, "$v$", "$\\sin \\eta\\tau$"))
        for axes, (x, y, along, up) in zip(sheet.row(PANEL, [1] * 4, head=0.35), pairs):
            axes.plot(x, y, **LINES[0])
            axes.plot(np.where(steady.sticks, x, np.nan), np.where(steady.sticks, y, np.nan), color=COLORS[1], linewidth=3)
            axes.set(xlabel=along, ylabel=up)
            axes.set_title(f"$\\eta$ = {ratio}", loc="left")
    return sheet


def draw_bounds(axes, judge, name):
    """The linear states in closed form, broad."""
    frequency = np.linspace(*BAND, 401)
    for sticks, state, color in ((False, "free", "#c4c4c4"), (True, "stuck", "#f0cfa8")):
        axes.plot(frequency, 1e3 * judge.linear(name, sticks, frequency), color=color, linewidth=4, zorder=1, label=state)


def label_axes(axes):
    axes.set(xlabel="frequency [Hz]", ylabel="amplitude of m2 [mm]", yscale="log", xlim=BAND)
    axes.yaxis.set_major_locator(LogLocator(subs=TICKS))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    legend_above(axes)


def cross_unsteady(axes, sweep):
    """The frequencies at which some motion is not steady."""
    unsteady = sweep.frequency[~sweep.steady]
    if len(unsteady):
        axes.plot(unsteady, np.full(len(unsteady), 0.02), transform=axes.get_xaxis_transform(), color="#d01818", linestyle="none", marker="x", markersize=4,
                  label="not steady")


def draw_sweep(axes, sweep, loads, direction="up"):
    for load, look in zip(loads, LOOKS):
        axes.plot(sweep.frequency, 1e3 * sweep.amplitude(m2(load), direction), label=f"{load} N", **look)
    cross_unsteady(axes, sweep)
    label_axes(axes)


def draw_curve(axes, curve, color, label):
    """A curve by harmonic balance, dashed where no motion stays, and its folds."""
    for unsure, part in runs_of(curve.points.unsure):
        axes.plot(curve.frequency[part], 1e3 * curve.amplitude[part], linestyle=UNSTABLE if unsure else "-", linewidth=1.2, color=color, zorder=2)
    axes.plot([], [], color=color, linewidth=1.2, label=label)
    for frequency, amplitude in zip(curve.folds, curve.fold_amplitudes()):
        axes.plot(frequency, 1e3 * amplitude, zorder=4, **FOLD)


def draw_sines(axes, sweep, load, color, direction, marker, every=1):
    """Motions by stepped sines, where they are steady."""
    frequency, steady = (sweep.sweeps[direction][key] for key in ("frequency", "steady"))
    chosen = np.flatnonzero(steady)[::every]
    axes.plot(frequency[chosen], 1e3 * sweep.amplitude(m2(load), direction)[chosen], color=color, marker=marker, zorder=3, **SINES)


def draw_both(axes, sweep, load, color, every=1):
    """Of sweeps up and down."""
    for direction, marker in UP_AND_DOWN.items():
        draw_sines(axes, sweep, load, color, direction, marker, every)


def name_both(axes):
    for direction, marker in UP_AND_DOWN.items():
        axes.plot([], [], color="black", marker=marker, label=f"sines {direction}", **SINES)


def figure_8(results, judge, curves, name):
    sheet = Sheet(results["fig_8"], name, "Fig. 8 of voldrich2009: response of m2 to 10 N at eight preloads, by harmonic balance (lines) and stepped sines", HEIGHT)
    axes = sheet.row(HEIGHT, head=0.55)[0]
    draw_bounds(axes, judge, "fig_8")
    for color, (load, curve) in zip(NINE, curves.found["fig_8"].items()):
        draw_curve(axes, curve, color, f"{load} N")
        draw_sines(axes, judge.sweeps["fig_8"], load, color, "up", "o", 2 - judge.short)
    axes.plot([], [], color="black", marker="o", label="stepped sines", **SINES)
    label_axes(axes)
    return sheet


def figure_9(results, judge, curves, name):
    """All of it, and where sweeps jump."""
    sheet = Sheet(results["fig_9"], name, "Fig. 9 of voldrich2009: the same with motion normal to the faces; k_N = 4e4 N/m, R = 0 are inferred", 2 * HEIGHT)
    looks = dict(zip(curves.found["fig_9"], NINE))
    axes = sheet.row(HEIGHT, head=0.55)[0]
    draw_bounds(axes, judge, "fig_9")
    for load, color in looks.items():
        draw_curve(axes, curves.found["fig_9"][load], color, f"{load} N")
        draw_both(axes, judge.sweeps["fig_9"], load, color, 4)
    name_both(axes)
    cross_unsteady(axes, judge.sweeps["fig_9"])
    label_axes(axes)
    axes = sheet.row(HEIGHT, head=0.55)[0]
    for load, sweep in curves.jumps.items():
        draw_curve(axes, curves.found["fig_9"][load], looks[load], f"{load} N")
        draw_both(axes, sweep, load, looks[load])
    axes.plot([], [], color="black", linestyle=UNSTABLE, linewidth=1.2, label="not stable")
    axes.plot([], [], label="fold", **FOLD)
    name_both(axes)
    label_axes(axes)
    axes.set(xlim=JUMPS_AT, ylim=(0.65, 8))
    axes.set_title("where sweeps jump\n", loc="left", fontweight="bold")
    return sheet


def figure_10(results, judge, name):
    sheet = Sheet(results["fig_10"], name, "Fig. 10 of voldrich2009: M_y0 = 1 N m on 4 x 4 parts; lower preloads than 26.7 N cannot take it", 2 * HEIGHT)
    axes = sheet.row(HEIGHT, head=0.55)[0]
    draw_bounds(axes, judge, "fig_10")
    draw_sweep(axes, judge.sweeps["fig_10"], judge.loads("fig_10"))
    axes = sheet.row(HEIGHT, head=0.55)[0]
    for load, look in zip((30, 50, 100), LOOKS):
        for of, style, state in (("fig_10", "-", "1 N m"), ("fig_8", ":", "no moment, fig. 8")):
            sweep = judge.sweeps[of]
            axes.plot(sweep.frequency, 1e3 * sweep.amplitude(m2(load)), **{**look, "linestyle": style}, label=f"{load} N, {state}")
    label_axes(axes)
    return sheet


def figure_varied(results, judge, varied, name):
    """Fig. 9 with other k_N and R, up and down."""
    sheet = Sheet(results[varied_name(1)], name, "Fig. 9 of voldrich2009 with other normal stiffness and roughness, a study of ours: up (lines) and down (dashes)", HEIGHT * len(varied))
    for number, label in enumerate(varied, 1):
        axes, key = sheet.row(HEIGHT, head=0.55)[0], varied_name(number)
        sweep = judge.sweeps[key]
        for load, look in zip(judge.loads(key), LOOKS):
            for direction, style in (("up", "-"), ("down", "--")):
                axes.plot(sweep.frequency, 1e3 * sweep.amplitude(m2(load), direction), **{**look, "linestyle": style}, label=f"{load} N" if direction == "up" else "_")
        cross_unsteady(axes, sweep)
        label_axes(axes)
        axes.set_xlim(sweep.frequency[0], sweep.frequency[-1])
        axes.set_title(f"{label}\n", loc="left", fontweight="bold")
    return sheet


def draw(results, faces, oscillators, judge, curves, varied, short):
    """The sheets, one after the other; few of them when it must be short."""
    sheets = {
        "fig_02": lambda name: figure_2(results, faces, name),
        "fig_06": lambda name: figure_6(results, oscillators, name),
        "fig_08": lambda name: figure_8(results, judge, curves, name),
        "fig_09": lambda name: figure_9(results, judge, curves, name),
        "fig_09_varied": lambda name: figure_varied(results, judge, varied, name),
        "fig_10": lambda name: figure_10(results, judge, name),
    }
    for name, make in sheets.items():
        if not short or name in SHORT:
            yield make(name)
