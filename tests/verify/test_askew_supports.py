#!/usr/bin/env python3
"""Supports along axes of their own: a bar between rollers that stands askew in space, against the closed forms of its discrete equations, and
against itself along the axes of the model; on 1, 2 and 3 ranks. [timeout: 300]

The bar is confined between rollers along its sides, so that it moves along its axis alone, with the modulus
M = E (1 - nu) / ((1 + nu) (1 - 2 nu)); held at one end. Of n linear elements of length h with consistent mass

    omega_k^2 = 6 M / (rho h^2) (1 - cos a_k) / (2 + cos a_k),   a_k = (2 k - 1) pi / (2 n)

[Hughes 2000, The Finite Element Method, section 9.1.4]; under its weight along the axis nodal displacements are exact,
u(L) = rho g L^2 / (2 M), and so they are under a traction p on its end, u(L) = p L / M.
"""
import itertools
import os
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True
import box

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
E, NU, RHO, G = 200e9, 0.3, 8000.0, 9.81
M = E * (1 - NU) / ((1 + NU) * (1 - 2 * NU))
LENGTH, WIDTH, CELLS = 1.0, 0.1, (8, 2, 2)


def rotation(angle=0.7, about=(1.0, 2.0, 3.0)):
    """Rodrigues' formula."""
    x, y, z = np.array(about) / np.linalg.norm(about)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def bar(path, turned):
    """Groups: the volumes, the faces at both ends, and those along the sides that look in y and in z; columns of `turned` are its axes."""
    counts = [n + 1 for n in CELLS]
    places = itertools.product(*map(range, counts))
    nodes = [tuple(float(c) for c in turned @ (np.array(place) * [LENGTH, WIDTH, WIDTH] / CELLS)) for place in places]

    def number(place):
        return (place[0] * counts[1] + place[1]) * counts[2] + place[2]

    def faces(axis, layers):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        found = []
        for layer, i, j in itertools.product(layers, range(CELLS[one]), range(CELLS[two])):
            corners = []
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                place = [0, 0, 0]
                place[axis], place[one], place[two] = layer, i + a, j + b
                corners.append(number(place))
            found.append(corners)
        return found

    bricks = [[number((i + a, j + b, k + c)) for a, b, c in box.CUBE] for i, j, k in itertools.product(*map(range, CELLS))]
    box.write(path, nodes, {"bar": (3, box.HEX, bricks), "root": (2, box.QUAD, faces(0, (0,))), "tip": (2, box.QUAD, faces(0, (CELLS[0],))),
                            "in y": (2, box.QUAD, faces(1, (0, CELLS[1]))), "in z": (2, box.QUAD, faces(2, (0, CELLS[2])))})


def text(vector):
    return "[" + ", ".join(f"{float(c):.17g}" for c in vector) + "]"


def run(name, supports, axes, more="", ranks=1, studies="  - modes: { count: 6 }\n"):
    """Supports are groups with directions, along the columns of `axes` (None: those of the model)."""
    frame = "" if axes is None else f", frame: {{ x: {text(axes[:, 0])}, y: {text(axes[:, 1])} }}"
    held = "".join(f"  - {{ group: {group}, directions: {directions}{frame} }}\n" for group, directions in supports)
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(f"mesh: {'straight' if axes is None else 'askew'}.msh\nmaterials: {{ m: {{ young: {E}, poisson: {NU}, density: {RHO} }} }}\n"
                   f"parts: {{ bar: m }}\nsupports:\n{held}{more}studies:\n{studies}")
    launch = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(launch + [PROGRAM, "run", f"{name}.yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return h5py.File(f"{name}.h5")


CONFINED = [("root", "x"), ("in y", "y"), ("in z", "z")]


def a_bar_between_inclined_rollers_vibrates_along_its_axis(axes):
    angles = (2 * np.arange(1, 4) - 1) * np.pi / (2 * CELLS[0])
    expected = np.sqrt(6 * M / RHO / (LENGTH / CELLS[0]) ** 2 * (1 - np.cos(angles)) / (2 + np.cos(angles))) / (2 * np.pi)
    for ranks in (1, 2, 3):
        with run(f"confined_{ranks}", CONFINED, axes, ranks=ranks) as file:
            found = file["modes/stuck/frequency"][:3]
        assert np.abs(found / expected - 1).max() < 1e-10, found / expected - 1  # measured: 2e-15 on 1, 2 and 3 ranks


def supports_that_leave_rigid_motions_give_the_same_frequencies_askew(axes):
    """Free to slide along one axis; and free in a plane, where it floats. Edges belong to two supports."""
    for case, (supports, rigid) in enumerate((([("root", "[x, y]"), ("in y", "y")], 1), ([("root", "x")], 3), ([("root", "[x, z]"), ("in y", "y")], 0))):
        with run(f"straight_{case}", supports, None) as file:
            expected = file["modes/stuck/frequency"][:]
        for ranks in (1, 3):
            with run(f"askew_{case}_{ranks}", supports, axes, ranks=ranks) as file:
                found = file["modes/stuck/frequency"][:]
            assert (expected[:rigid] == 0).all() and (found[:rigid] == 0).all() and found[rigid] > 0, found
            assert np.abs(found[rigid:] / expected[rigid:] - 1).max() < 1e-10, found / expected - 1  # measured: 1e-12


def frequencies_agree(name, supports, axes, more, path="modes/stuck/frequency", **keywords):
    """Straight and askew; `more` of the case depends on the axes of the structure."""
    found = []
    for turned in (None, axes):
        with run(name, supports, turned, more(np.eye(3) if turned is None else axes), **keywords) as file:
            found.append(file[path][:])
    assert found[0][0] > 1.0 and np.abs(found[1] / found[0] - 1).max() < 1e-9, (name, found)  # measured: 3e-13


def a_support_of_a_point_has_a_frame(axes):
    """The average of a face is held along two inclined axes, and about one."""
    supports = [("root", "[x, y]"), ("in z", "z")]
    for reduction in ("", "reduction: { craig_bampton: { modes: 4, keep: tip } }\n"):
        def more(turned, reduction=reduction):
            frame = "" if np.array_equal(turned, np.eye(3)) else f", frame: {{ x: {text(turned[:, 0])}, y: {text(turned[:, 1])} }}"
            return f"  - {{ point: tip, directions: [y, rx]{frame} }}\npoints: {{ tip: {{ average: tip }} }}\n{reduction}"

        frequencies_agree("point", supports, axes, more)


def tension_stiffens_between_inclined_supports(axes):
    def more(turned):
        return f"patterns: {{ weight: {{ gravity: {text(1e6 * turned[:, 0])} }} }}\n"

    studies = ("  - preload: { name: pull, load: { force: { pattern: weight } }, stiffening: yes }\n"
               "  - modes: { count: 4, about: pull, name: pulled }\n")
    frequencies_agree("pulled", [("root", "x"), ("in y", "y"), ("root", "z")], axes, more, "modes/pulled/stuck/frequency", studies=studies)


def weight_and_traction_along_the_axis_give_exact_displacements(axes):
    pressure = 1e6
    more = (f"points: {{ tip: {{ average: tip }}, corner: {{ node: {np.prod([n + 1 for n in CELLS])} }} }}\n"
            f"patterns: {{ weight: {{ gravity: {text(G * axes[:, 0])} }}, push: {{ pressure: tip }} }}\n")
    studies = "".join(f"  - static: {{ name: {name}, load: {{ force: {{ pattern: {name}, amplitude: {value} }} }}, steps: 1 }}\n"
                      for name, value in (("weight", 1), ("push", pressure)))
    for reduction in ("", "reduction: { modes: { count: 4 } }\n", "reduction: { craig_bampton: { modes: 4, keep: tip } }\n"):
        with run("loads", CONFINED, axes, more + reduction, studies=studies) as file:
            for study, expected in (("weight", RHO * G * LENGTH**2 / (2 * M)), ("push", -pressure * LENGTH / M)):
                for point in ("tip", "corner"):
                    found = file[f"static/{study}/points/{point}/displacement"][-1, :3]
                    assert np.abs(found - expected * axes[:, 0]).max() < 1e-9 * abs(expected), (reduction, study, point, found)


def main():
    axes = rotation()
    bar("straight.msh", np.eye(3))
    bar("askew.msh", axes)
    a_bar_between_inclined_rollers_vibrates_along_its_axis(axes)
    supports_that_leave_rigid_motions_give_the_same_frequencies_askew(axes)
    a_support_of_a_point_has_a_frame(axes)
    tension_stiffens_between_inclined_supports(axes)
    weight_and_traction_along_the_axis_give_exact_displacements(axes)


main()
