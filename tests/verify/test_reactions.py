#!/usr/bin/env python3
"""Reactions at supports (`reactions: yes` of a static) are in balance with the loads, on any number of ranks, and are those of closed forms."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from touching import Bodies, agree, in_a_folder, refused, solve, start

LENGTH, WIDTH, HEIGHT, DENSITY = 0.3, 0.03, 0.02, 7850.0
AREA = WIDTH * HEIGHT
CASE = """mesh: bar.msh
materials: {{ steel: {{ young: 210e9, poisson: {poisson}, density: 7850 }} }}
parts: {{ bar: steel }}
supports: {supports}
points: {{ end: {{ average: tip }}{points} }}
patterns: {{ weight: {{ gravity: [1.5, -2.5, -9.81] }}, push: {{ pressure: top }} }}
reduction: {{ {reduction} }}
studies:
  - static: {{ reactions: yes, steps: 2, path: [1, -0.5], load: [ {loads} ] }}
"""
LOADS = """{ force: { point: end, direction: y, amplitude: 30 } }, { force: { pattern: weight, amplitude: 2 } },
    { force: { pattern: push, amplitude: 1e4 } }, { force: { base: x, amplitude: 40 } }, { force: { point: end, direction: rx, amplitude: 2 } }"""


def case(**given):
    return CASE.format(**{"poisson": 0.3, "supports": "[ { group: root } ]", "loads": LOADS, "points": "", "reduction": "modes: { count: 4 }", **given})


def write(kind, cells=(6, 2, 2)):
    bodies = Bodies()
    bodies.grid("bar", kind, cells, lambda i, j, k: (LENGTH * i / cells[0], WIDTH * j / cells[1], HEIGHT * k / cells[2]),
                {"root": (0, 0), "tip": (0, -1), "bottom": (2, 0), "top": (2, -1), "side": (1, 0)})
    bodies.write("bar.msh")


def about_origin(force, place):
    return np.concatenate([force, np.cross(place, force)])


def applied():
    """Forces and moments about the origin of LOADS at factor 1, by rigid-body statics: resultants act at the centroid, at the middle of the top
    face and at the end; the base's acceleration is a force -m a on the structure."""
    mass, centre = DENSITY * AREA * LENGTH, np.array([LENGTH, WIDTH, HEIGHT]) / 2
    end, top = np.array([LENGTH, WIDTH / 2, HEIGHT / 2]), np.array([LENGTH / 2, WIDTH / 2, HEIGHT])
    return (about_origin([0, 30, 0], end) + about_origin(2 * mass * np.array([1.5, -2.5, -9.81]), centre) + about_origin([-40 * mass, 0, 0], centre)
            + about_origin([0, 0, -1e4 * LENGTH * WIDTH], top) + [0, 0, 0, 2, 0, 0])


def reactions(file):
    """Of each support, force and moment at each turn; factors of these."""
    supports = file["static/static/supports"]
    factors = file["static/static/factor"][()][supports[next(iter(supports))]["row"][()]]
    return {name: np.hstack([group["force"][()], group["moment"][()]]) for name, group in supports.items()}, factors


def in_balance():
    """sum R + sum F = 0 in all six directions, whatever holds the bar: a clamp; rollers along axes of the model and of a frame; a rigid point;
    two supports of the same nodes. On 1, 2 and 3 ranks. Measured: 3e-12 of the largest."""
    frame = "frame: { x: [1, 0, 1], y: [0, 1, 0] }"
    held = {"a clamp": "[ { group: root } ]", "rollers": "[ { group: root, directions: [x, z] }, { group: side, directions: y }, { group: root } ]",
            "an inclined plane": f"[ {{ group: root, directions: x, {frame} }}, {{ group: side, directions: y }}, {{ group: bottom, directions: z }} ]",
            "a rigid point": "[ { point: foot } ]"}
    for ranks, (what, supports) in enumerate(held.items()):
        write(("hex8", "tet10", "hex20", "wedge6")[ranks], (4, 2, 2))
        points = ", foot: { rigid: root }" if "foot" in supports else ""
        with solve(case(supports=supports, points=points), ranks=1 + ranks % 3) as file:
            found, factors = reactions(file)
        assert len(found) == supports.count("group") + supports.count("point")
        expected = -np.outer(factors, applied())
        agree(what, sum(found.values()), expected, 1e-10)
        if what == "an inclined plane":  # nothing but what a plane can give
            assert np.abs(found["root"][:, :3] - np.outer(found["root"][:, 0], [1, 0, 1])).max() < 1e-9 * np.abs(expected).max()


def propped():
    """A bar between two walls that is pulled by its weight alone along itself: each takes half, w L / 2 (statically indeterminate; nu = 0)."""
    write("hex20", (4, 1, 1))
    text = case(poisson=0, supports="[ { group: root }, { group: tip } ]", loads="{ force: { pattern: weight } }")
    with solve(text.replace("end: { average: tip }", "").replace("[1.5, -2.5, -9.81]", "[9.81, 0, 0]")) as file:
        found, factors = reactions(file)
    for name in ("root", "tip"):
        agree(f"a propped bar, {name}", found[name][:, 0], -factors * DENSITY * AREA * LENGTH * 9.81 / 2, 1e-10)


def said_when_there_are_none():
    write("hex8", (2, 1, 1))
    for given, wanted in (({"supports": "[]"}, "need `supports`: nothing holds this mesh"), ({"loads": "{ force: { base: rx } }"}, "are not known under a base that turns")):
        done = start(case(**given), environment={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})  # among other faults
        assert done.returncode == 2 and "static.reactions: " + wanted in done.stderr, done.stderr
    refused("masses: { m: { mass: 1 } }\nsprings: [ { between: [ground, m], stiffness: 1 } ]\n"
            "studies:\n  - static: { reactions: yes, load: { force: { point: m } } }\n", "supports", "joints to the ground")


if __name__ == "__main__":
    in_a_folder(in_balance, propped, said_when_there_are_none)
