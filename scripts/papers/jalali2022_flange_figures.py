"""jalali2022_flange_figures.py - figures 8 to 11 of the paper in our form: the flange with its sizes, its mesh and loads, the beam that stands for it,
and k_w read from loops.

All sizes are measured on the mesh that was computed with, so the pictures cannot differ from it.
"""
import os

import h5py
import numpy as np
from matplotlib.collections import PolyCollection

from plots.sheet import LINES, Sheet, legend_above, prefix, time_axis

from .jalali2022_figures import BLUE, HEIGHT

SIDES = ((0, 3, 2, 1), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7))  # of a brick
COLOURS = {"lower": "#b9cde4", "upper": "#cfe0c3", "washers": "#e3c17a"}
BOLT = "#c9a0a0"
SMALL = 1e-6  # [m]
TALL = 5.2  # [inch]
ALONG_Z = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1.0]])  # rows: to the right, upwards, towards the reader
ALONG_Y = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0.0]])
TANGENTS = (("#d01818", "--", "at zero force"), ("#1e8c32", "-.", "just after a reversal"))


def read_groups(mesh_path):
    """Numbers of the groups of solids of Gmsh's file, by name."""
    with open(mesh_path, encoding="utf-8") as file:
        names = file.read().split("$PhysicalNames\n")[1].split("$EndPhysicalNames")[0].splitlines()[1:]
    words = [line.split(None, 2) for line in names]
    return {name.strip('"'): int(number) for dimension, number, name in words if dimension == "3"}


def seen_from(place):
    """A view from there, in which x points upwards."""
    towards = np.array(place) / np.linalg.norm(place)
    upwards = np.array([1, 0, 0]) - towards[0] * towards
    upwards /= np.linalg.norm(upwards)
    return np.array([np.cross(upwards, towards), upwards, towards])


class Mesh:
    """The bricks that the preload has written beside the result."""

    def __init__(self, result_path, mesh_path):
        with h5py.File(os.path.splitext(result_path)[0] + "_tightened.xdmf.h5") as file:
            self.points = file["XDMF/Points"][:]
            bricks = file["XDMF/Topology"][:].reshape(-1, 9)[:, 1:]
            group = file["XDMF/CellData/group"][:].astype(int)
        self.group = read_groups(mesh_path)
        faces, owners = np.vstack([bricks[:, side] for side in SIDES]), np.tile(group, len(SIDES))
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        self.faces, self.owners = faces[first[count == 1]], owners[first[count == 1]]

    def nodes_of(self, name):
        return self.points[np.unique(self.faces[self.owners == self.group[name]])]

    def colours(self):
        colours = {number: COLOURS.get(name, BOLT) for name, number in self.group.items()}
        return np.array([colours[number] for number in self.owners])

    def paint(self, axes, view, chosen=None):
        """What is nearest to the reader last; in millimetres."""
        chosen = np.arange(len(self.faces)) if chosen is None else np.flatnonzero(chosen)
        seen = 1e3 * self.points @ view.T
        order = chosen[np.argsort(seen[self.faces[chosen]][:, :, 2].mean(axis=1))]
        axes.add_collection(PolyCollection(seen[self.faces[order]][:, :, :2], facecolors=self.colours()[order], edgecolors="#606060", linewidths=0.25))
        axes.set_aspect("equal")
        axes.autoscale_view()
        axes.grid(False)

    def touching(self):
        """Faces of the lower part where it meets the upper one."""
        return (self.owners == self.group["lower"]) & (np.abs(self.points[self.faces][:, :, 2]).max(axis=1) < SMALL)


def sizes(mesh):
    """In millimetres."""
    lower, bolts = mesh.nodes_of("lower"), [mesh.nodes_of(f"bolt_{i}") for i in (1, 2, 3)]
    axes = [(bolt.min(axis=0) + bolt.max(axis=0))[:2] / 2 for bolt in bolts]
    far = lower[lower[:, 2] < lower[:, 2].min() + SMALL]
    plate = far[:, 0].max()
    beyond = lower[lower[:, 0] > plate + SMALL]
    face = lower[np.abs(lower[:, 2]) < SMALL]
    found = {"length": -lower[:, 2].min(), "width": np.ptp(lower[:, 1]), "plate": plate, "height": lower[:, 0].max(), "thick": np.ptp(beyond[:, 2]),
             "away": axes[0][0], "first": axes[0][1], "pitch": axes[1][1] - axes[0][1], "hole": 2 * np.linalg.norm(face[:, :2] - axes[0], axis=1).min()}
    return {name: 1e3 * float(value) for name, value in found.items()}


def measure(axes, begin, end, text, lift):
    """A dimension line between two places, moved by `lift`."""
    begin, end = np.add(begin, lift), np.add(end, lift)
    axes.annotate("", begin, end, arrowprops=dict(arrowstyle="<->", color="black", linewidth=0.7, shrinkA=0, shrinkB=0))
    upright = abs(end[0] - begin[0]) < abs(end[1] - begin[1])
    axes.annotate(text, (begin + end) / 2, textcoords="offset points", xytext=(-2, 0) if upright else (0, 2), ha="right" if upright else "center",
                  va="center" if upright else "bottom", rotation=90 if upright else 0, fontsize=7)


def frame(axes, horizontal, vertical, reach):
    axes.set(xlabel=f"{horizontal} [mm]", ylabel=f"{vertical} [mm]", xlim=reach[:2], ylim=reach[2:])


def figure_8(result, mesh):
    """The contact face, seen along the bolts; the flanges, seen from the side."""
    sheet = Sheet(result, "fig_08", "Fig. 8 of jalali2022: the flange and its sizes in mm, which are ours", TALL)
    front, side = sheet.row(TALL, [1, 1])
    size = {name: float(f"{value:.4g}") for name, value in sizes(mesh).items()}
    mesh.paint(front, ALONG_Z, mesh.touching())
    measure(front, (0, 0), (size["width"], 0), f"{size['width']:g}", (0, -6))
    measure(front, (0, 0), (0, size["height"]), f"{size['height']:g}", (-6, 0))
    measure(front, (size["width"], 0), (size["width"], size["away"]), f"{size['away']:g}", (8, 0))
    measure(front, (size["first"], size["height"]), (size["first"] + size["pitch"], size["height"]), f"{size['pitch']:g}", (0, 4))
    front.text(0.5 * size["width"], size["height"] + 12, f"3 holes of {size['hole']:g}, for M8", ha="center")
    frame(front, "y", "x", (-14, size["width"] + 14, -24, size["height"] + 34))
    mesh.paint(side, ALONG_Y)
    measure(side, (-size["thick"], size["height"]), (0, size["height"]), f"{size['thick']:g}", (0, 4))
    measure(side, (-60, 0), (-60, size["plate"]), f"{size['plate']:g}", (0, 0))
    measure(side, (-70, -6), (0, -6), f"to the clamped end {size['length']:g}", (0, 0))
    measure(side, (0, -6), (70, -6), f"to the free end {size['length']:g}", (0, 0))
    frame(side, "z", "x", (-74, 74, -24, size["height"] + 34))
    return sheet


def push(axes, tail, way, text, side):
    """A force from `tail`, with its name on one side."""
    axes.annotate("", np.add(tail, way), xytext=tail, arrowprops=dict(arrowstyle="-|>", color="#d01818", linewidth=1.8, shrinkA=0, shrinkB=0))
    axes.annotate(text, np.add(tail, np.multiply(way, 0.5)), textcoords="offset points", xytext=(6 * side, 0), ha="left" if side > 0 else "right",
                  va="center", color="#d01818", fontsize=9)


def figure_9(result, mesh, force):
    """The model, and the forces on it."""
    sheet = Sheet(result, "fig_09", "Fig. 9 of jalali2022: two bolted flanges as meshed, external loads", TALL)
    model, loads = sheet.row(TALL, [1, 1.2])
    mesh.paint(model, seen_from((0.6, -0.75, 0.45)))
    model.set_title("(a) the mesh\n", loc="left")
    model.axis("off")
    mesh.paint(loads, ALONG_Y)
    top, length = 1e3 * mesh.points[:, 0].max(), 1e3 * np.abs(mesh.points[:, 2]).max()
    push(loads, (5, top), (0, 40), f"F$_1$ = {force / 1e3:g} kN sin ωt\non the upper flange", 1)
    push(loads, (-5, top + 40), (0, -40), "F$_2$ = F$_1$\non the lower flange", -1)
    loads.plot([-length, -length], [-8, 15], color="black", linewidth=4)
    loads.text(-length + 4, 18, "clamped")
    loads.set_title("(b) external loads\n", loc="left")
    frame(loads, "z", "x", (-length - 12, length + 12, -40, top + 70))
    return sheet


def draw_slopes(axes, loop, slopes, title):
    """A loop and its slopes on the way forth, k_w1, and back, k_w2; each way where the force passes its middle and where it begins."""
    x, force = loop
    unit, factor = prefix(np.abs(x - x.mean()).max(), "m")
    middle = (x.max() + x.min()) / 2
    axes.plot((x - middle) * factor, force, label="solid", **BLUE)
    for number, way in enumerate(slopes, 1):
        for look, (at, slope) in zip(TANGENTS, way):
            reach = 0.12 * np.ptp(force) / slope
            ends = np.array([-reach, reach])
            axes.plot((x[at] - middle + ends) * factor, force[at] + ends * slope, color=look[0], linestyle=look[1], linewidth=1.8, zorder=5,
                      label=f"k$_w${number} = {slope:.3g} N/m, {look[2]}")
    axes.set(xlabel=f"displacement from its mean [{unit}]", ylabel="load [N]")
    axes.set_title(f"{title}\n", loc="left")
    axes.legend(loc="upper left", fontsize=6.5)


def figure_11(result, panels):
    """Each panel: title, loop, slopes."""
    sheet = Sheet(result, "fig_11", "Fig. 11 of jalali2022: k_w by the hysteresis loop", 1.3 * HEIGHT)
    for axes, (title, loop, slopes) in zip(sheet.row(1.3 * HEIGHT, [1] * len(panels), head=0.55), panels):
        draw_slopes(axes, loop, slopes, title)
    return sheet


def spring(axes, begin, end, text):
    """Upright, as a zigzag."""
    share = np.linspace(0, 1, 12)
    bend = np.array([0, 0, *([1, -1] * 4), 0, 0]) * 0.03
    axes.plot(begin[0] + bend, begin[1] + share * (end[1] - begin[1]), color="black", linewidth=1.2)
    axes.annotate(text, (begin[0], (begin[1] + end[1]) / 2), textcoords="offset points", xytext=(-12, 0), ha="right", va="center")


def figure_10(result, values):
    """The beam of two halves; `values` {symbol: text}."""
    sheet = Sheet(result, "fig_10", "Fig. 10 of jalali2022: the model of the flange as two beams, with what was identified from Table 8", HEIGHT)
    axes, = sheet.row(HEIGHT)
    low, high = 0.0, 0.45
    axes.plot([0, 0], [-0.25, 0.25], color="black", linewidth=4)
    for begin, level in ((0, low), (1, high)):
        axes.plot([begin, begin + 1], [level, level], color="#0a50c8", linewidth=4, solid_capstyle="butt")
        axes.text(begin + 0.5, level + 0.06, f"E I, \N{GREEK SMALL LETTER RHO} A, L / 2; w$_{begin + 1}$", ha="center")
    for level in (low, high):
        axes.plot(1, level, marker="s", markersize=12, color="#7a7a7a")
    axes.annotate(f"M$_1$ = M$_2$ = {values['M']}, J$_1$ = J$_2$ = {values['J']}", (1, low), textcoords="offset points", xytext=(14, -14))
    spring(axes, (1, low + 0.04), (1, high - 0.04), f"k$_w$ = {values['k_w']}\nand N(z)")
    angle = np.linspace(-0.4 * np.pi, 0.4 * np.pi, 40)
    axes.plot(1 + 0.12 * np.cos(angle), (low + high) / 2 + 0.5 * (high - low) * np.sin(angle), color="#d01818", linewidth=1.4)
    axes.annotate(f"k$_\\theta$ = {values['k_theta']}", (1.12, (low + high) / 2), textcoords="offset points", xytext=(8, 0), va="center", color="#d01818")
    axes.set(xlim=(-0.1, 2.1), ylim=(-0.4, 0.8))
    axes.axis("off")
    return sheet


def figure_9_area(result, cycles):
    """Shares of the faces over the cycle; `cycles` {frequency: (time, shares that are open, stick and slip)}."""
    sheet = Sheet(result, "fig_09_area", "Fig. 9 of jalali2022, the loads' last cycle: what of the faces sticks, slips, is open", 2 * HEIGHT)
    panels = [axes for _ in range(2) for axes in sheet.row(HEIGHT, [1, 1], head=0.55)]
    for axes, (frequency, (time, shares)) in zip(panels, cycles.items()):
        factor = time_axis(axes, 0, time[-1] - time[0])
        for share, label, look in zip(shares.T, ("open", "sticks", "slips"), LINES):
            axes.plot((time - time[0]) * factor, 100 * share, label=label, **look)
        axes.set(ylabel="share of the area [%]", ylim=(0, 100))
        axes.set_title(f"{frequency} Hz\n", loc="left")
        legend_above(axes)
    return sheet
