"""shapes.py - mode shapes of a mesh as pictures: each alone, or several on one sheet; the structure bent, coloured by how far its points move."""
import os

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection, PolyCollection

from .result import Fault
from .sheet import LEFT, MAKER, WIDTH, Sheet, escape, fit, plt
from .solid import Solid

SIZE, RESOLUTION = (10.0, 5.625), 160  # of a picture [inch], dots per inch
BEND = 0.1  # of the longest side of the structure
INK, PALE, COLORS = "#222222", "#9a9a9a", colormaps["viridis"]  # a grey print reads alike
LIGHT, AMBIENT = np.array([0.3, 0.5, 0.8]), 0.72
ENOUGH = 6000  # faces whose colours change smoothly from one to the next: fewer are divided
NEARER = 1e-3  # of the size: edges are drawn before the faces that they belong to
MOST_SHAPES, ACROSS, HEIGHTS = 9, 3, (1.0, 2.6)  # of a sheet; of a row [inch]
HEAD, FOOT, ROOM = 0.28, 0.04, 1.03


class View:
    """From a corner, mostly along the shortest side, the longest across the picture unless that is z, which points upwards."""

    def __init__(self, points):
        sides = np.ptp(points, axis=0)
        order = np.argsort(-sides, kind="stable")
        toward, up = np.zeros(3), np.array([0.0, 0.0, 1.0])
        toward[order] = (0.35, 0.8, 0.6) if order[2] == 2 else (0.35, 0.6, 0.9)
        if np.cross(up, toward)[order[0]] < 0:
            toward[order[1]] *= -1
        self.toward = toward / np.linalg.norm(toward)
        self.right = np.cross(up, self.toward)
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.toward, self.right)

    def flat(self, points):
        """Places on the paper."""
        return points @ np.column_stack([self.right, self.up])

    def near(self, points):
        return points @ self.toward


def bend(solid, name):
    """The points where the farthest of them has moved by BEND, and how far each has relative to that."""
    vectors = solid.field(name)
    lengths = np.linalg.norm(vectors, axis=1)
    largest = lengths.max() or 1.0
    return solid.points + vectors * (BEND * np.ptp(solid.points, axis=0).max() / largest), lengths / largest


def divided(values):
    """Four quadrilaterals for each: values at corners, in the middles of sides and of the whole."""
    sides, middle = 0.5 * (values + np.roll(values, -1, axis=1)), values.mean(axis=1)
    return np.concatenate([np.stack([values[:, k], sides[:, k], middle, sides[:, k - 1]], axis=1) for k in range(4)])


def paint(axes, solid, name, width=1.0):
    """The shape over the edges of the structure at rest; faces and edges from the farthest to the nearest."""
    view = View(solid.points)
    moved, share = bend(solid, name)
    corners, shares, finer = moved[solid.faces], share[solid.faces], 1.0
    middles = corners.mean(axis=1)
    while 0 < 4 * len(corners) <= ENOUGH:
        corners, shares, finer = divided(corners), divided(shares), 0.5 * finer
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    light = LIGHT / np.linalg.norm(LIGHT) @ np.stack([view.right, view.up, view.toward])
    bright = AMBIENT + (1 - AMBIENT) * np.abs(normals @ light)
    colors = COLORS(shares.mean(axis=1))
    colors[:, :3] *= bright[:, None]
    ends = moved[solid.edges]
    is_beam = len(solid.edges) - len(solid.lines) + np.arange(len(solid.lines))
    inks = np.tile(plt.matplotlib.colors.to_rgba(INK), (len(ends), 1))
    inks[is_beam] = COLORS(share[solid.lines].mean(axis=1)) if len(is_beam) else inks[is_beam]
    beside = view.near(ends.mean(axis=1))
    owners = view.near(middles)[solid.outline[1]].max(axis=1) if len(middles) else beside[:0]
    beside[: len(owners)] += np.maximum(finer * (owners - beside[: len(owners)]), 0)  # behind what is nearer than their own faces
    depths = np.r_[view.near(corners.mean(axis=1)), beside + NEARER * np.ptp(solid.points, axis=0).max()]
    order = np.argsort(depths)
    polygons = [*view.flat(corners), *view.flat(ends)]
    edge_colors, widths = np.concatenate([colors, inks]), np.r_[np.full(len(colors), 0.3), np.full(len(inks), 0.6)] * width
    widths[len(colors) + is_beam] = 3 * width
    axes.add_collection(LineCollection(view.flat(solid.points)[solid.edges], colors=PALE, linewidths=0.8 * width, rasterized=True, zorder=0.5))
    axes.add_collection(PolyCollection([polygons[i] for i in order], facecolors=np.concatenate([colors, np.zeros((len(inks), 4))])[order], edgecolors=edge_colors[order],
                                       linewidths=widths[order], rasterized=True))
    frame(axes, np.concatenate([view.flat(moved), view.flat(solid.points)]))


def frame(axes, places):
    """All of it, in the middle, as wide as high."""
    box, size = axes.get_position(), axes.figure.get_size_inches()
    low, high = places.min(axis=0), places.max(axis=0)
    ratio = (box.width * size[0]) / (box.height * size[1])
    half = 0.5 * ROOM * max(high[1] - low[1], (high[0] - low[0]) / ratio, 1e-300)
    middle = 0.5 * (low + high)
    axes.set(xlim=(middle[0] - half * ratio, middle[0] + half * ratio), ylim=(middle[1] - half, middle[1] + half))
    axes.axis("off")


def draw_scale(figure, place):
    """The colours."""
    bar = figure.add_axes(place)
    figure.colorbar(plt.cm.ScalarMappable(plt.Normalize(0, 1), COLORS), cax=bar).outline.set_linewidth(0.5)
    bar.set_title("relative\nmotion", fontsize=8)


def draw(solid, shape, path):
    """A picture of one shape."""
    figure = plt.figure(figsize=SIZE, dpi=RESOLUTION)
    axes = figure.add_axes([0.02, 0.06, 0.86, 0.82])
    paint(axes, solid, shape.name, 1.3)
    draw_scale(figure, [0.915, 0.2, 0.015, 0.55])
    figure.text(0.5, 0.93, escape(shape.title), fontsize=15, fontweight="bold", ha="center")
    figure.text(0.99, 0.015, escape(os.path.basename(solid.path)), fontsize=7, color="#505050", ha="right")
    try:
        figure.savefig(path, dpi=RESOLUTION, metadata={"Software": MAKER, "Source": os.path.basename(solid.path)})
    except OSError as fault:
        raise Fault(f"{path}: {fault.strerror}") from None
    finally:
        plt.close(figure)


def fields_beside(result, name):
    """The mesh with the shapes of a study of modes, where there is one beside the result."""
    path = result.path.removesuffix(".h5") + (f"_{name}" if name else "") + ".hdf"
    try:
        return Solid(path) if os.path.exists(path) else None
    except Fault:
        return None


def height_of(solid):
    """Of a row, as the structure is long and high on the paper [inch]."""
    places = View(solid.points).flat(solid.points)
    wide, high = np.ptp(places, axis=0)
    return float(np.clip(1.25 * WIDTH / ACROSS * high / (wide or 1), *HEIGHTS)) + HEAD


def draw_sheet(result, name, solid):
    """The first shapes with the joints stuck; of others when there are none."""
    shapes = [shape for shape in solid.shapes if shape.state == "stuck"] or solid.shapes
    if not shapes:
        return
    shown, height = shapes[:MOST_SHAPES], height_of(solid)
    some = f", the first {len(shown)} of {len(shapes)} that are no rigid motions" if len(shown) < len(shapes) else ""
    sheet = Sheet(result, f"{name}_shapes" if name else "shapes", f"Mode shapes{f' {name}' if name else ''}{f', joints {shown[0].state}' if result.has_joints else ''}{some}",
                  height * -(-len(shown) // ACROSS), note="light: moves far; dark: rests; lines: the structure at rest")
    for first in range(0, len(shown), ACROSS):
        for axes, shape in zip(sheet.row(height, [1] * ACROSS, HEAD, FOOT), [*shown[first : first + ACROSS], *[None] * ACROSS]):
            place = axes.get_position()
            axes.set_position([place.x0 - 0.8 * LEFT / WIDTH, place.y0, place.width + 0.8 * LEFT / WIDTH, place.height])
            axes.axis("off")
            if shape:
                paint(axes, solid, shape.name, 0.6)
                axes.set_title(escape(fit(f"mode {shape.mode}: {shape.frequency} Hz" if shape.mode else shape.name, 40)), loc="left")
    yield sheet
