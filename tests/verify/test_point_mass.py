#!/usr/bin/env python3
"""Point masses on nodes of solids and of beams: frequencies of an independent assembly, and of closed forms."""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.linalg

sys.dont_write_bytecode = True
import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
E, RHO = 200e9, 8000.0


def frequencies(name, case, ranks=1):
    """omega^2 of all modes."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(case)
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with h5py.File(name + ".h5") as file:
        return file["modes/stuck/omega"][:] ** 2


def line_matrices(length, cells):
    """Stiffness and mass of linear functions along a line of unit constants."""
    h = length / cells
    K, M = np.zeros((cells + 1, cells + 1)), np.zeros((cells + 1, cells + 1))
    for i in range(cells):
        K[i:i + 2, i:i + 2] += np.array([[1, -1], [-1, 1]]) / h
        M[i:i + 2, i:i + 2] += np.array([[2, 1], [1, 2]]) * h / 6
    return K, M


def masses_at_the_corners_of_a_bar_are_those_of_tensor_products():
    """Bricks that move in x alone, without contraction: K and M are products of those of lines."""
    size, cells, mass = (1.0, 0.2, 0.1), (5, 2, 1), 3.0
    box.box("bar.msh", size, cells)
    (Kx, Mx), (Ky, My), (Kz, Mz) = (line_matrices(*pair) for pair in zip(size, cells))
    K = E * np.kron(np.kron(Kx, My), Mz) + E / 2 * (np.kron(np.kron(Mx, Ky), Mz) + np.kron(np.kron(Mx, My), Kz))
    M = RHO * np.kron(np.kron(Mx, My), Mz)
    for j in (0, cells[1]):
        for k in (0, cells[2]):
            i = (cells[0] * (cells[1] + 1) + j) * (cells[2] + 1) + k
            M[i, i] += mass
    held = (cells[1] + 1) * (cells[2] + 1)
    expected = scipy.linalg.eigh(K[held:, held:], M[held:, held:], eigvals_only=True)
    case = f"""
mesh: bar.msh
materials: {{ steel: {{ young: {E}, poisson: 0, density: {RHO} }} }}
parts: {{ bar: {{ material: steel, element: hex8_plain }}, corners: {{ point_mass: {{ mass: {mass} }} }} }}
points: {{ end: {{ at: [{size[0]}, 0, 0] }} }}
supports: [ {{ group: root }}, {{ group: bar, directions: [y, z] }} ]
reduction: {{ craig_bampton: {{ modes: 100, keep: end }} }}
studies: [ modes: {{ count: 100 }} ]
"""
    for ranks in (1, 2, 3):
        found = frequencies(f"bar_{ranks}", case, ranks)
        assert found.shape == expected.shape and np.abs(found / expected - 1).max() < 1e-9, found / expected - 1


def a_body_at_the_tip_of_a_light_cantilever():
    """Its centre lies beyond the tip: two motions in each plane, one along the axis, one about it; the beam has no mass to speak of."""
    length, diameter, mass, polar, across, beyond = 0.5, 0.02, 2.0, 3e-3, 5e-3, 0.04
    G = E / (2 * (1 + 0.25))
    area, inertia = np.pi * diameter**2 / 4, np.pi * diameter**4 / 64
    K = E * inertia / length**3 * np.array([[12, -6 * length], [-6 * length, 4 * length**2]])
    M = np.array([[mass, mass * beyond], [mass * beyond, across + mass * beyond**2]])
    bending = scipy.linalg.eigh(K, M, eigvals_only=True)
    expected = np.sort(np.concatenate([bending, bending, [E * area / length / mass, G * 2 * inertia / length / polar]]))
    box.line("cantilever.msh", length, 1)
    found = frequencies("cantilever", f"""
mesh: cantilever.msh
materials: {{ light: {{ young: {E}, poisson: 0.25, density: 1e-8 }} }}
parts:
  beam: {{ material: light, element: beam_euler, section: {{ circle: {{ diameter: {diameter} }} }} }}
  tip: {{ point_mass: {{ mass: {mass}, inertia: [{polar}, {across}, {across}], offset: [{beyond}, 0, 0] }} }}
points: {{ end: {{ at: [{length}, 0, 0] }} }}
supports: [ {{ group: root }} ]
reduction: {{ guyan: {{ keep: end }} }}
studies: [ modes: {{ count: 100 }} ]
""")
    assert np.abs(found / expected - 1).max() < 1e-9, found / expected - 1


def two_masses_on_one_node_add_up():
    """The same point is a physical group and an entity: a part each."""
    length, diameter = 0.5, 0.02
    box.line("shared.msh", length, 4)
    found = []
    for k, tips in enumerate(("tip: { point_mass: { mass: 2 } }", "tip: { point_mass: { mass: 1.2 } }\n  point 3: { point_mass: { mass: 0.8 } }")):
        for ranks in (1, 2):
            found.append(frequencies(f"shared_{k}_{ranks}", f"""
mesh: shared.msh
materials: {{ m: {{ young: {E}, poisson: 0.25, density: {RHO} }} }}
parts:
  beam: {{ material: m, section: {{ circle: {{ diameter: {diameter} }} }} }}
  {tips}
supports: [ {{ group: root }} ]
studies: [ modes: {{ count: 6 }} ]
""", ranks))
    for other in found[1:]:
        assert np.abs(other / found[0] - 1).max() < 1e-10, other / found[0] - 1  # measured: 8e-13


if __name__ == "__main__":
    two_masses_on_one_node_add_up()
    masses_at_the_corners_of_a_bar_are_those_of_tensor_products()
    a_body_at_the_tip_of_a_light_cantilever()
