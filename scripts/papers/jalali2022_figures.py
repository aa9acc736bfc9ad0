"""jalali2022_figures.py - figures 2 to 7 of the paper: loops, slopes, the functions g, one cycle in time."""
import numpy as np

from plots.sheet import Sheet, legend_above, prefix, time_axis

from .jalali2022_fits import both_ways, reconstruct

HEIGHT, LOW = 3.6, 2.5  # of a row [inch]
BLUE = dict(color="#0a50c8", linestyle="-", linewidth=1.3)
RED = dict(color="#d01818", linestyle="-", linewidth=1.3)
GREEN = dict(color="#1e8c32", linestyle=(0, (5, 4)), linewidth=1.9)
CIRCLES = dict(color="#d01818", linestyle="none", marker="o", markersize=4, markerfacecolor="none")
STARS = dict(color="#d01818", linestyle="none", marker="*", markersize=5)
SHAPES = {"linear": "linear, eq. 3", "quadratic": "quadratic, eq. 4", "bilinear": "bilinear, eq. 5"}
CASES = {2: ("case II, $g_2 = F$", dict(BLUE, linestyle="--")), 1: ("case I, $g_2 = g_1$", RED)}  # the paper's colours
FORCE, SLOPE = "force of the joint [N]", "dF/dx [N/m]"
TERMS = {"example_1": "P = 5 x", "example_2": "P = 30 x + 1400 x$^2$ |v|", "example_3": "P = 10$^4$ (5 x + 3 e$^x$ v), identified as a$_1$ x + a$_2$ v + a$_3$ x v",
         "example_4": "P = 40 sin x and 15 x, identified as a$_1$ x + a$_2$ x$^3$ + a$_3$ x$^5$ and a$_4$ x"}
MARKS = 45  # on a loop
SHORT = ("fig_02", "fig_04")


def displacement_axis(axes, largest):
    """Labels the axis; how many of its units are a metre."""
    unit, factor = prefix(largest, "m")
    axes.set_xlabel(f"displacement [{unit}]")
    axes.margins(0.06)
    return factor


def figure_2(result, found, tools):
    """Loops in both cases above the functions g."""
    sheet = Sheet(result, "fig_02", "Fig. 2 of jalali2022: Valanis loops with three functions g, Table 1", HEIGHT + LOW)
    reach = max(np.max(np.abs(found[f"{shape}_{case}"].x)) for shape in SHAPES for case in CASES)
    for axes, (shape, title) in zip(sheet.row(HEIGHT, [1, 1, 1], head=0.55), SHAPES.items()):
        factor = displacement_axis(axes, reach)
        for case, (label, look) in CASES.items():
            loop = found[f"{shape}_{case}"]
            axes.plot(loop.x * factor, loop.force, label=label, **look)
        axes.set_ylabel(FORCE)
        axes.set_title(f"{title}\n", loc="left")
        legend_above(axes)
    for axes, shape in zip(sheet.row(LOW, [1, 1, 1]), SHAPES):
        x = np.linspace(-reach, reach, 401)
        axes.plot(x * displacement_axis(axes, reach), tools.CURVES[shape](x), **dict(BLUE, color="black"))
        axes.set_ylabel("g(x) [N]")
    return sheet


def corners(loop):
    """A, C: where the motion turns; B, D: where it passes 0, forth and back."""
    low, high = int(np.argmin(loop.x)), int(np.argmax(loop.x))
    crossing = np.flatnonzero(np.diff(np.sign(loop.x)))
    forth = next(i for i in crossing if loop.v[i] > 0)
    back = next(i for i in crossing if loop.v[i] < 0)
    return {"A": low, "B": int(forth), "C": high, "D": int(back)}


def mark(axes, loop, along, across):
    for letter, i in corners(loop).items():
        axes.plot(along[i], across[i], color="black", marker="o", markersize=4, zorder=5)
        axes.annotate(letter, (along[i], across[i]), textcoords="offset points", xytext=(6, 5), fontweight="bold")


def figure_3(result, found, tools):
    """One cycle of example 1."""
    loop = found["example_1"]
    sheet = Sheet(result, "fig_03", "Fig. 3 of jalali2022: a cycle of the response with P = \N{GREEK SMALL LETTER ALPHA} x, that of example 1", 2 * LOW)
    first, second = sheet.row(LOW, [1, 1]), sheet.row(LOW, [1, 1])
    unit, factor = prefix(np.max(np.abs(loop.x)), "m")
    time = loop.time - loop.time[0]
    for axes, values, label in zip([*first, second[0]], (loop.x * factor, loop.v, loop.force), (f"displacement [{unit}]", "velocity [m/s]", FORCE)):
        scale = time_axis(axes, 0, time[-1])
        axes.plot(time * scale, values, **BLUE)
        axes.set_ylabel(label)
        axes.margins(y=0.12)
        mark(axes, loop, time * scale, values)
    displacement_axis(second[1], np.max(np.abs(loop.x)))
    second[1].plot(loop.x * factor, loop.force, **BLUE)
    second[1].set_ylabel(FORCE)
    second[1].margins(0.12)
    mark(second[1], loop, loop.x * factor, loop.force)
    return sheet


def closed_form(name, loop, tools):
    """Force and slope by eq. 9 or 11; None where there is none."""
    if name not in tools.CLOSED:
        return None
    force = tools.by_closed_form(loop)
    return force, tools.SLOPES[name](np.sign(loop.v), loop.x, loop.v, force)


def broken(values, loop):
    """With gaps where the motion turns, at which slopes jump."""
    return np.insert(values, np.flatnonzero(np.diff(np.sign(loop.v))) + 1, np.nan)


def reconstructed_parts(loop, forth, back):
    """Samples on the way forth and back, some of them, with their markers and labels."""
    if back is forth:
        return [(np.ones(len(loop.x), bool), CIRCLES, "reconstructed")]
    return [(loop.v > 0, STARS, "reconstructed, v \N{GREATER-THAN OR EQUAL TO} 0"), (loop.v < 0, CIRCLES, "reconstructed, v < 0")]


def draw_example(panels, name, found, identified, tools):
    """The loop and its slope: simulated, reconstructed, and in closed form."""
    loop, (forth, back) = found[name], both_ways(identified, name)
    places, force = reconstruct(loop, forth, back)
    factor = displacement_axis(panels[0], np.max(np.abs(loop.x)))
    displacement_axis(panels[1], np.max(np.abs(loop.x)))
    panels[0].plot(loop.x * factor, loop.force, label="simulated", **BLUE)
    panels[1].plot(broken(loop.x * factor, loop), broken(loop.slope, loop), label="simulated", **BLUE)
    closed = closed_form(name, loop, tools)
    if closed:
        for axes, values in zip(panels, closed):
            axes.plot(broken(loop.x * factor, loop), broken(values, loop), label="closed form", zorder=3, **GREEN)
    chosen = slice(None, None, max(len(places) // MARKS, 1))
    places, force = places[chosen], force[chosen]
    for part, look, label in reconstructed_parts(loop, forth, back):
        kept = part[places]
        at = places[kept]
        panels[0].plot(loop.x[at] * factor, force[kept], label=label, zorder=4, **look)
        ways = [(back if loop.v[i] < 0 else forth).slope_at(np.sign(loop.v[i]), loop.x[i], loop.v[i], f) for i, f in zip(at, force[kept])]
        panels[1].plot(loop.x[at] * factor, ways, label=label, zorder=4, **look)
    panels[0].set_ylabel(FORCE)
    panels[1].set_ylabel(SLOPE)
    panels[0].set_title(f"{TERMS.get(name, 'P = 30 x + 1400 x$^2$ sgn v, which eq. 11 solves')}\n", loc="left")
    legend_above(panels[1])


def example(number, name, others=()):
    """A figure of an example, and of what belongs to it."""
    def make(result, found, identified, tools):
        sheet = Sheet(result, f"fig_{number:02d}", f"Fig. {number} of jalali2022: {name.replace('_', ' ')}, the loop and its slope, simulated and as identified",
                      HEIGHT * (1 + len(others)))
        for each in (name, *others):
            draw_example(sheet.row(HEIGHT, [1, 1], head=0.55), each, found, identified, tools)
        return sheet
    return make


def draw(result, found, identified, tools, short):
    """The sheets, one after the other; few of them when it must be short."""
    sheets = {"fig_02": lambda: figure_2(result, found, tools), "fig_03": lambda: figure_3(result, found, tools)}
    for number, name, others in ((4, "example_1", ()), (5, "example_2", ("example_2_sign",)), (6, "example_3", ()), (7, "example_4", ())):
        make = example(number, name, others)
        sheets[f"fig_{number:02d}"] = lambda make=make: make(result, found, identified, tools)
    for name, make in sheets.items():
        if not short or name in SHORT:
            yield make()
