"""peyret2017_figures.py - figures 3 to 8 of the paper."""
import numpy as np

from plots.sheet import LINES, Sheet, legend_above

HEIGHT = 3.4  # of a row [inch]
NAMES = {"mindlin": "Mindlin", "full": "Full-Dahl", "simplified": "Simplified-Dahl", "envelope": "Full-Dahl, T* of the envelope"}
MODELS = ("mindlin", "full", "simplified")  # of dovetail
LOOKS = dict(zip(NAMES, LINES))
SHORT = ("fig_05",)


def draw_motion(axes, judge, loop):
    """Displacement by delta_c against time."""
    axes.plot(loop.time, loop.displacement / judge.contact.slip_motion, **LINES[0])
    for limit, label in ((1, "$\\delta_c$, from which on all slips"), (-1, "_")):
        axes.axhline(limit, color="#7a7a7a", linestyle="--", linewidth=0.9, label=label)
    axes.set(xlabel="time [s]", ylabel="displacement $\\delta/\\delta_c$", xlim=(0, loop.time[-1]), ylim=(-1.7, 1.7))
    legend_above(axes)


def draw_forces(axes, judge, forces, inside, about):
    """Force by T_c against displacement by delta_c."""
    motion = judge.loops[f"{about}_mindlin"].displacement[inside] / judge.contact.slip_motion
    for name, force in forces.items():
        axes.plot(motion, force[inside] / judge.contact.slip_force, label=NAMES[name], **LOOKS[name])
    axes.set(xlabel="displacement $\\delta/\\delta_c$", ylabel="force $T/T_c$")
    legend_above(axes)


def draw_errors(axes, judge, forces, inside, about):
    """Of the models relative to Mindlin's, and the 2 % of the paper."""
    time = judge.loops[f"{about}_mindlin"].time[inside]
    errors = {name: judge.errors(about, force)[inside] for name, force in forces.items() if name != "mindlin"}
    for name, error in errors.items():
        axes.plot(time, error, label=NAMES[name], **LOOKS[name])
    axes.axhline(2, color="#7a7a7a", linewidth=0.8)
    axes.text(time[-1], 2, "2 % ", ha="right", va="bottom", fontsize=7, color="#505050")
    least = max(min(error.max() for error in errors.values()) / 1e3, 1e-4)
    axes.set(xlabel="time [s]", ylabel="error $100\\,|T - T_{Mindlin}|/T^*$ [%]", yscale="log", xlim=(time[0], time[-1]), ylim=(least, 200))
    legend_above(axes)


def forces_of(judge, about):
    return {name: judge.loops[f"{about}_{name}"].force for name in MODELS}


def comparison(result, judge, name, title, about, cycles):
    """Figs 4 to 6: loops, and errors in time."""
    sheet = Sheet(result, name, title, HEIGHT)
    forces, inside = forces_of(judge, about), judge.loops[f"{about}_mindlin"].within(0, cycles)
    for axes, draw in zip(sheet.row(HEIGHT, [1, 1], head=0.55), (draw_forces, draw_errors)):
        draw(axes, judge, forces, inside, about)
    return sheet


def figure_3(result, judge, name):
    sheet = Sheet(result, name, "Fig. 3 of peyret2017: imposed displacements", HEIGHT)
    for axes, about in zip(sheet.row(HEIGHT, [1, 1], head=0.55), judge.levels):
        draw_motion(axes, judge, judge.loops[f"{about}_mindlin"])
        axes.set_title(f"{about}-slip, $\\lambda$ = {judge.levels[about]}\n", loc="left")
    return sheet


def figure_7(result, judge, name):
    loop = judge.loops["growing_mindlin"]
    sheet = Sheet(result, name, "Fig. 7 of peyret2017: exponentially growing sine; its amplitudes are ours", HEIGHT)
    axes = sheet.row(HEIGHT, head=0.55)[0]
    for side, label in ((1, "envelope"), (-1, "_")):
        axes.plot(loop.time, side * judge.envelope(loop.time) / judge.contact.slip_motion, label=label, **LINES[3])
    draw_motion(axes, judge, loop)
    return sheet


def figure_8(result, judge, name):
    title = "Fig. 8 of peyret2017: along the growing sine; Simplified-Dahl, and a second Full-Dahl, with T* of the envelope, integrated by scipy"
    sheet = Sheet(result, name, title, HEIGHT)
    loops = judge.loops
    forces = {"mindlin": loops["growing_mindlin"].force, "full": loops["growing_full"].force, "simplified": judge.growing_by_envelope(virgin=False),
              "envelope": judge.growing_by_envelope(virgin=True)}
    inside = np.ones(len(loops["growing_mindlin"].time), dtype=bool)
    for axes, draw in zip(sheet.row(HEIGHT, [1, 1], head=0.55), (draw_forces, draw_errors)):
        draw(axes, judge, forces, inside, "growing")
    return sheet


def draw(result, judge, short):
    """The sheets, one after the other; few of them when it must be short."""
    sheets = {
        "fig_03": lambda name: figure_3(result, judge, name),
        "fig_04": lambda name: comparison(result, judge, name, "Fig. 4 of peyret2017: one cycle of micro-slip", "micro", 1),
        "fig_05": lambda name: comparison(result, judge, name, "Fig. 5 of peyret2017: five cycles of micro-slip", "micro", 5),
        "fig_06": lambda name: comparison(result, judge, name, "Fig. 6 of peyret2017: one cycle of macro-slip", "macro", 1),
        "fig_07": lambda name: figure_7(result, judge, name),
        "fig_08": lambda name: figure_8(result, judge, name),
    }
    for name, make in sheets.items():
        if not short or name in SHORT:
            yield make(name)
