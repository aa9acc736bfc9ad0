"""jamshidi2021_figures.py - figures 4, 7 to 9, 12 to 15 of the paper; what was measured is not in its text, and not drawn."""
import numpy as np

from plots.sheet import LINES, Sheet, legend_above

from .jamshidi2021_claims import stiffness_of, with_spring

HEIGHT = 3.6  # of a row [inch]
SHORT = ("fig_04",)
SUM, FIT = LINES[1], LINES[0]  # the rough interface is dashed in the paper, the Bouc-Wen model solid
MICRO = 1e6  # um in a metre


def figure_4(result, judge, name):
    sheet = Sheet(result, name, "Fig. 4 of jamshidi2021: stiffness of the surfaces of Table 1 on first loading", HEIGHT)
    panels = sheet.row(HEIGHT, [1, 1], head=0.55)
    curves = {law: stiffness_of(judge.loops[f"virgin_{law}_1"]) for law in ("sum", "fit")}
    motion = curves["sum"][0] / judge.surface.slip_motion
    for (law, (_, slopes)), label, look in zip(curves.items(), ("sum of asperities, eq. 34", "exponential, eq. 38"), (LINES[0], LINES[1])):
        panels[0].plot(motion, slopes / judge.surface.stiffness, label=label, **look)
    panels[0].set(ylabel="stiffness $K_\\tau/K_T$")
    panels[1].plot(motion, (curves["fit"][1] - curves["sum"][1]) / judge.surface.stiffness, label="exponential less sum of asperities", **LINES[0])
    panels[1].set(ylabel="difference of $K_\\tau/K_T$")
    for axes in panels:
        axes.set(xlabel="displacement $x/x_L$", xlim=(0, 1))
        legend_above(axes)
    return sheet


def draw_loops(axes, judge, path, begin, end):
    """Force by Q_L against displacement by x_L, one line for each spring."""
    for share, look in zip(judge.springs, (LINES[2], LINES[1], LINES[0])):
        loop = judge.loops[with_spring(path, share)]
        inside = loop.within(begin, end)
        axes.plot(loop.displacement[inside] / judge.surface.slip_motion, loop.force[inside] / judge.surface.slip_force, label=f"$k_l$ = {share:g} $K_T$", **look)
    axes.set(xlabel="displacement $x/x_L$", ylabel="force $Q/Q_L$")
    legend_above(axes)


def figure_7(result, judge, name):
    sheet = Sheet(result, name, "Fig. 7 of jamshidi2021: steady loops of the Bouc-Wen model of Table 1 with springs beside it; their amplitudes are ours", HEIGHT)
    states = {"pre": "a) pre-slip", "slide": "b) slide"}
    for axes, (path, share) in zip(sheet.row(HEIGHT, [1, 1], head=0.55), judge.tops.items()):
        loop = judge.loops[with_spring(path, 0)]
        draw_loops(axes, judge, path, loop.cycles["begin"][-1], loop.cycles["end"][-1])
        axes.set_title(f"{states[path]}, $x_o$ = {share} $x_L$\n", loc="left")
    return sheet


def figure_8(result, judge, name):
    loop = judge.loops[with_spring("nested", 0)]
    sheet = Sheet(result, name, "Fig. 8 of jamshidi2021: multi-harmonic motion; it is ours, since the text does not give it", HEIGHT)
    axes = sheet.row(HEIGHT)[0]
    axes.plot(loop.time, loop.displacement / judge.surface.slip_motion, **LINES[0])
    axes.set(xlabel="time [s]", ylabel="displacement $x/x_L$", xlim=(0, loop.time[-1]))
    return sheet


def figure_9(result, judge, name):
    sheet = Sheet(result, name, "Fig. 9 of jamshidi2021: what the Bouc-Wen model remembers along the motion of fig. 8, beside the sum of asperities", HEIGHT)
    for axes, share in zip(sheet.row(HEIGHT, [1, 1], head=0.55), (judge.springs[0], judge.springs[-1])):
        total, fit = judge.loops["nested_sum"], judge.loops[with_spring("nested", share)]
        until_closed = fit.within(0, 1.25)
        spring = share * judge.surface.stiffness * total.displacement
        for force, label, look in ((fit.force, "Bouc-Wen", FIT), (total.force + spring, "sum of asperities", SUM)):
            axes.plot(fit.displacement[until_closed] / judge.surface.slip_motion, force[until_closed] / judge.surface.slip_force, label=label, **look)
        axes.set(xlabel="displacement $x/x_L$", ylabel="force $Q/Q_L$")
        axes.set_title(f"$k_l$ = {share:g} $K_T$\n", loc="left")
        legend_above(axes)
    return sheet


def draw_in_time(axes, cycle, values, label):
    """One steady cycle: a force and the motion, each by its largest."""
    time = (cycle.time - cycle.time[0]) * 1e3
    for signal, name, unit, look in ((values, label, "N", LINES[1]), (cycle.displacement * MICRO, "motion", "\N{MICRO SIGN}m", LINES[0])):
        largest = np.abs(signal).max()
        axes.plot(time, signal / largest, label=f"{name} by {largest:.3g} {unit}", **look)
    axes.set(xlabel="time [ms]", ylabel="by the largest", xlim=(0, time[-1]))
    legend_above(axes)


def figures_12_13(result, rig, name):
    """In time, and against the motion."""
    cycle = next(cycle for cycle in rig.steady["fit"] if cycle.level == 6)
    sheet = Sheet(result, name, f"Figs 12, 13 of jamshidi2021: a steady cycle at 65 Hz, {cycle.level:g} N; the paper does not say its force", 2 * HEIGHT)
    forces = {"excitation $F$": cycle.load, "$F - M\\ddot{x} = Q + K_s x$": cycle.measured_force()}
    for axes, (label, force) in zip(sheet.row(HEIGHT, [1, 1], head=0.55), forces.items()):
        draw_in_time(axes, cycle, force, label)
    for axes, (label, force) in zip(sheet.row(HEIGHT, [1, 1]), forces.items()):
        axes.plot(cycle.displacement * MICRO, force, **LINES[0])
        axes.set(xlabel="motion [\N{MICRO SIGN}m]", ylabel=f"{label} [N]")
    return sheet


def figure_of_rig(result, rig, name, number, levels):
    sheet = Sheet(result, name, f"Fig. {number} of jamshidi2021: steady loops of the rig at 65 Hz, Table 2; K_s = {rig.tools.SPRING:g} N/m is assumed", HEIGHT)
    for axes, level in zip(sheet.row(HEIGHT, [1, 1], head=0.55), levels):
        for law, label, look in (("fit", "Bouc-Wen", FIT), ("sum", "sum of asperities", SUM)):
            cycle = next(cycle for cycle in rig.steady[law] if cycle.level == level)
            axes.plot(cycle.displacement * MICRO, cycle.measured_force(), label=label, **look)
        axes.axhline(0, color="#b0b0b0", linewidth=0.6, zorder=1)
        axes.set(xlabel="motion [\N{MICRO SIGN}m]", ylabel="$F - M\\ddot{x} = Q + K_s x$ [N]")
        axes.set_title(f"{level} N\n", loc="left")
        legend_above(axes)
    return sheet


def draw(loops, motions, judge, rig, short):
    """The sheets, one after the other; few of them when it must be short."""
    sheets = {
        "fig_04": lambda name: figure_4(loops, judge, name),
        "fig_07": lambda name: figure_7(loops, judge, name),
        "fig_08": lambda name: figure_8(loops, judge, name),
        "fig_09": lambda name: figure_9(loops, judge, name),
        "fig_12_13": lambda name: figures_12_13(motions, rig, name),
        "fig_14": lambda name: figure_of_rig(motions, rig, name, 14, (3, 4)),
        "fig_15": lambda name: figure_of_rig(motions, rig, name, 15, (6, 8)),
    }
    for name, make in sheets.items():
        if not short or name in SHORT:
            yield make(name)
