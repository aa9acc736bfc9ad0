"""one_mesh.py - stiffness and mass of a small mesh, on the motions of its nodes, as dovetail computes them.

A Guyan reduction that keeps all nodes leaves the matrices as they are.
"""
import os
import subprocess

import h5py
import numpy as np

import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
YOUNG, POISSON, DENSITY = 2e11, 0.3, 8000.0
CASE = """\
mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: {density} }} }}
parts: {{ {parts} }}
points:
{points}
reduction: {{ guyan: {{ keep: [{names}] }} }}
export: matrices
studies: [ modes: {{ count: 1 }} ]
"""


def run(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


def matrices(name, nodes, groups, kind=None):
    """Node by node, x y z. groups: as box.write has them, of solids; kind: of their elements when it is not the default."""
    box.write(name + ".msh", [tuple(map(float, node)) for node in nodes], groups)
    names = [f"n{i}" for i in range(len(nodes))]
    points = "\n".join(f"  {point}: {{ at: [{', '.join(map(repr, map(float, node)))}] }}" for point, node in zip(names, nodes))
    part = f"{{ material: steel, element: {kind} }}" if kind else "steel"
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(CASE.format(mesh=name + ".msh", young=YOUNG, poisson=POISSON, density=DENSITY, points=points, names=", ".join(names),
                               parts=", ".join(f"{group}: {part}" for group in groups)))
    run("run", name + ".yaml", "-q")
    with h5py.File(name + ".h5") as file:
        system = file["system"]
        assert [motion.decode() for motion in system["motions"]] == [f"{point} {axis}" for point in names for axis in "xyz"]
        back = np.linalg.inv(system["motion_map"][()])
        return [back.T @ system[matrix][()] @ back for matrix in ("stiffness", "mass")]


def strain_rows(gradients):
    """B of xx yy zz xy yz zx."""
    B = np.zeros((6, 3 * len(gradients)))
    for a, (x, y, z) in enumerate(gradients):
        B[:, 3 * a:3 * a + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
    return B


def elasticity():
    lam, mu = YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON), YOUNG / 2 / (1 + POISSON)
    D = np.diag([2 * mu] * 3 + [mu] * 3)
    D[:3, :3] += lam
    return D


def difference(own, expected):
    return np.abs(own - expected).max() / np.abs(expected).max()
