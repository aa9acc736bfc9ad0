"""Stresses for ParaView (`stresses: yes`) against closed forms, each said at its test. Of elements alone: unit/element_stress."""
import itertools
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import bolted
import box
from touching import Bodies, agree, in_a_folder, solve

YOUNG, DENSITY = 210e9, 7850.0
LENGTH, WIDTH, HEIGHT = 0.1, 0.03, 0.02
AREA = WIDTH * HEIGHT
XX, YY, ZZ, XY, YZ, XZ = range(6)

CASE = """mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: 7850 }}, soft: {{ young: 70e9, poisson: {poisson}, density: 2700 }} }}
parts: {{ {parts} }}
supports: {supports}
reduction: {{ modes: {{ count: 4 }} }}
{more}
studies:
{studies}
"""
PRESSED = "  - preload: {{ name: at_rest, stresses: yes, load: {{ force: {{ pattern: push, amplitude: {} }} }} }}"


def case(studies, **given):
    return CASE.format(**{"mesh": "bar.msh", "young": YOUNG, "poisson": 0.3, "parts": "bar: steel", "more": "", "studies": studies, **given})


class Seen:
    """What a file for ParaView holds at one time, of nodes and of elements."""

    def __init__(self, path, time=0):
        with h5py.File(path) as file:
            root = file["XDMF"]
            self.places, self.groups = root["Points"][()], root["CellData/group"][()]
            for kind in ("PointData", "CellData"):
                for name, field in root[kind].items():
                    if isinstance(field, h5py.Group):
                        setattr(self, name, field[f"{time:06d}"][()])


def von_mises(stress):
    tensor = np.zeros((*stress.shape[:-1], 3, 3))
    for c, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))):
        tensor[..., i, j] = tensor[..., j, i] = stress[..., c]
    deviator = tensor - np.trace(tensor, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * (deviator**2).sum(axis=(-2, -1)))


def bar(kind, cells, **more):
    """Along x, corners inside moved from their places."""
    bodies, chance = Bodies(), np.random.default_rng(3)

    def place(*at):
        inside = [0 < i < n for i, n in zip(at, cells)]
        return [size * (i + 0.15 * free * chance.uniform(-1, 1)) / n - (axis > 0) * size / 2
                for axis, (size, i, n, free) in enumerate(zip((LENGTH, WIDTH, HEIGHT), at, cells, inside))]

    bodies.grid("bar", kind, cells, place, {"root": (0, 0), "tip": (0, -1), "side": (1, 0), "bottom": (2, 0), **more})
    return bodies


ROLLERS = "[ { group: root, directions: [x] }, { group: side, directions: [y] }, { group: bottom, directions: [z] } ]"
PUSH = "patterns: { push: { pressure: tip } }"


def pulled():
    """sigma = F / A everywhere, in every element. Measured: 1e-13."""
    for kind in ("hex8", "hex20", "hex27", "tet4", "tet10", "wedge6"):
        bar(kind, (5, 3, 2)).write("bar.msh")
        for ranks in (1, 2, 3) if kind == "hex20" else (1,):
            with solve(case(PRESSED.format(-5e7), supports=ROLLERS, more=PUSH), ranks=ranks):
                seen = Seen("case_at_rest.xdmf.h5")
            for name in ("stress", "element_stress"):
                values = getattr(seen, name)
                agree(f"{kind}, {ranks} ranks: {name}", values, np.outer(np.ones(len(values)), [5e7, 0, 0, 0, 0, 0]), 1e-9)
            for name in ("von_mises", "element_von_mises"):
                agree(f"{kind}, {ranks} ranks: {name}", getattr(seen, name), 5e7, 1e-9)


def bent():
    """sigma = - M y / I, by a moment on a rigid end; nu = 0, so that the end may stay plane. Measured: 1e-12, where bricks are undistorted."""
    inertia, moment = HEIGHT * WIDTH**3 / 12, 100.0
    text = case("  - preload: { name: at_rest, stresses: yes, load: { force: { point: end, direction: rz, amplitude: 100 } } }",
                poisson=0, supports="[ { group: root } ]", more="points: { end: { rigid: tip } }")
    for kind in ("hex8", "hex20", "hex27", "tet10"):
        bodies = Bodies()
        bodies.grid("bar", kind, (4, 2, 1), lambda i, j, k: (LENGTH * i / 4, WIDTH * (j / 2 - 0.5), HEIGHT * (k - 0.5)), {"root": (0, 0), "tip": (0, -1)})
        bodies.write("bar.msh")
        with solve(text):
            seen = Seen("case_at_rest.xdmf.h5")
        expected = np.zeros_like(seen.stress)
        expected[:, XX] = -moment * seen.places[:, 1] / inertia
        agree(f"{kind}: bending", seen.stress, expected, 1e-9)


def thick_cylinder(kind, cells):
    """A quarter under a pressure inside, held along its axis: places, and errors of the stresses along r and around, by the pressure."""
    inner, outer, pressure = 0.02, 0.05, 1e8
    bodies = Bodies()
    bodies.grid("bar", kind, (*cells, 1), lambda i, j, k: (inner * (outer / inner) ** (i / cells[0]), math.pi / 2 * j / cells[1], 0.004 * k),
                {"tip": (0, 0), "x_axis": (1, 0), "y_axis": (1, -1), "low": (2, 0), "high": (2, -1)})
    bodies.nodes = [(r * math.cos(angle), r * math.sin(angle), z) for r, angle, z in bodies.nodes]
    bodies.write("bar.msh")
    held = ", ".join(f"{{ group: {group}, directions: [{axis}] }}" for group, axis in (("x_axis", "y"), ("y_axis", "x"), ("low", "z"), ("high", "z")))
    with solve(case(PRESSED.format(pressure), supports=f"[ {held} ]", more=PUSH)):
        seen = Seen("case_at_rest.xdmf.h5")
    x, y = seen.places[:, 0], seen.places[:, 1]
    r = np.hypot(x, y)
    along = (seen.stress[:, XX] * x**2 + seen.stress[:, YY] * y**2 + 2 * seen.stress[:, XY] * x * y) / r**2
    around = (seen.stress[:, XX] * y**2 + seen.stress[:, YY] * x**2 - 2 * seen.stress[:, XY] * x * y) / r**2
    mean = pressure * inner**2 / (outer**2 - inner**2)
    exact = mean * (1 - (outer / r) ** 2), mean * (1 + (outer / r) ** 2), np.full_like(r, 2 * 0.3 * mean)
    assert np.allclose(von_mises(seen.stress), seen.von_mises, rtol=1e-12)
    return [np.abs(own - right).max() / pressure for own, right in zip((along, around, seen.stress[:, ZZ]), exact)]


def pressed_inside():
    """Lame's cylinder [Timoshenko, Goodier, Theory of elasticity, 3rd ed., section 28]."""
    for kind in ("hex20", "hex8", "tet10"):
        for n in (2, 4, 8):
            print(kind, n, ["%.3e" % error for error in thick_cylinder(kind, (n, 2 * n))])


if __name__ == "__main__":
    in_a_folder(pulled, bent, pressed_inside)
