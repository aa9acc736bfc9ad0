#!/usr/bin/env python3
"""Pyramids of 5 nodes: matrices of numpy and scipy, closed forms of a right pyramid, constant strains from bricks to tetrahedra, and a
cantilever of pyramids that tends to Timoshenko's. [timeout: 300]"""
import itertools
import sys

sys.dont_write_bytecode = True
import h5py
import numpy as np
import scipy.linalg
import scipy.optimize
from scipy.special import roots_jacobi, roots_legendre

import box
from one_mesh import DENSITY, YOUNG, difference, elasticity, matrices, run, strain_rows

PYRAMID = 7
BASE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
RIGHT = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1]], dtype=float)
SKEW = np.array([[1.1, 0.2, -0.1], [0.1, 0.7, 0.3], [-0.2, 0.1, 1.3]])
PARALLELOGRAM = RIGHT @ SKEW.T
PLANE = PARALLELOGRAM + np.array([[0.2, 0, 0], [0, 0, 0], [0.1, 0.3, 0], [0, 0, 0], [0.2, 0.3, 0.1]]) @ np.diag([1, 1, 0]) @ SKEW.T
WARPED = PARALLELOGRAM + np.array([[0.2, 0, 0.1], [0, 0.1, -0.2], [0.1, 0.3, 0.2], [0, 0, 0], [0.2, 0.3, 0.1]])


def functions(xi, eta, zeta):
    """Values and gradients of 1/4 ((1 + xi_i xi)(1 + eta_i eta) - zeta + xi_i eta_i xi eta zeta / (1 - zeta)) [Bedrosian 1992]."""
    values, slopes = np.zeros(5), np.zeros((5, 3))
    for i, (x, y) in enumerate(BASE):
        values[i] = ((1 + x * xi) * (1 + y * eta) - zeta + x * y * xi * eta * zeta / (1 - zeta)) / 4
        slopes[i] = (x * (1 + y * eta) + x * y * eta * zeta / (1 - zeta), y * (1 + x * xi) + x * y * xi * zeta / (1 - zeta),
                     -1 + x * y * xi * eta / (1 - zeta)**2)
        slopes[i] /= 4
    values[4], slopes[4] = zeta, (0, 0, 1)
    return values, slopes


def quadrature(count):
    """Points and weights: Legendre's across, Jacobi's along the axis."""
    across, height = roots_legendre(count), roots_jacobi(count, 2, 0)
    for (t, w), (a, u), (b, v) in itertools.product(zip(*height), zip(*across), zip(*across)):
        z = (1 + t) / 2
        yield (a * (1 - z), b * (1 - z), z), w / 8 * u * v


def integrated(nodes, count):
    K, M, D = 0, 0, elasticity()
    for point, weight in quadrature(count):
        values, slopes = functions(*point)
        J = nodes.T @ slopes
        B = strain_rows(slopes @ np.linalg.inv(J))
        K = K + weight * np.linalg.det(J) * B.T @ D @ B
        M = M + DENSITY * weight * np.linalg.det(J) * np.kron(np.outer(values, values), np.eye(3))
    return K, M


def of_one_pyramid(nodes):
    return matrices("one", nodes, {"body": (3, PYRAMID, [[0, 1, 2, 3, 4]])})


def check(what, error, tolerance):
    assert error < tolerance, f"{what}: {error:.2e}, allowed {tolerance:.0e}"


def one_pyramid_has_the_matrices_of_scipy():
    """By the same number of points, whatever its form; by many where few are exact."""
    for name, nodes in (("parallelogram", PARALLELOGRAM), ("plane", PLANE), ("warped", WARPED)):
        own, same, many = of_one_pyramid(nodes), integrated(nodes, 2), integrated(nodes, 10)
        for k, what in enumerate(("stiffness", "mass")):
            check(f"{what} on a {name} base, 2 x 2 x 2 points", difference(own[k], same[k]), 1e-13)
        if name != "warped":
            check(f"mass on a {name} base, 10 x 10 x 10 points", difference(own[1], many[1]), 1e-13)
        if name == "parallelogram":
            check(f"stiffness on a {name} base, 10 x 10 x 10 points", difference(own[0], many[0]), 1e-13)
        check(f"trace of the stiffness on a {name} base", abs(np.trace(own[0]) / np.trace(many[0]) - 1), 2e-3)  # seen: 4e-4, warped


def a_right_pyramid_has_the_mass_and_inertia_of_the_textbook():
    """a b h / 3, its centre at h / 4; m (a^2 + b^2) / 20 about the axis, m (b^2 / 20 + h^2 / 10) about the middle of the base along a."""
    a, b, h = 0.3, 0.2, 0.5
    nodes = RIGHT * [a / 2, b / 2, h]
    _, M = of_one_pyramid(nodes)
    moved = np.vstack([np.hstack([np.eye(3), np.transpose([np.cross(axis, place) for axis in np.eye(3)])]) for place in nodes])
    found, mass = moved.T @ M @ moved, DENSITY * a * b * h / 3
    expected = np.diag([mass] * 3 + [mass * (b**2 / 20 + h**2 / 10), mass * (a**2 / 20 + h**2 / 10), mass * (a**2 + b**2) / 20])
    expected[0, 4] = expected[4, 0] = mass * h / 4
    expected[1, 3] = expected[3, 1] = -mass * h / 4
    check("rigid motions", difference(found, expected), 1e-13)


def cells(counts):
    """Nodes of a box of cells, and the numbers of the corners of each; the centres of all cells come behind."""
    grid = [n + 1 for n in counts]
    corners = np.array(list(itertools.product(*map(range, grid))), dtype=float)
    places = list(itertools.product(*map(range, counts)))
    centres = np.array(places) + 0.5
    numbers = [[((i + a) * grid[1] + j + b) * grid[2] + k + c for a, b, c in box.CUBE] for i, j, k in places]
    return np.vstack([corners, centres]), places, numbers, len(corners)


def pyramids(cell, centre, without=()):
    """On the faces of a cell."""
    faces = ((0, 1, 2, 3), (7, 6, 5, 4), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
    return [[cell[i] for i in face] + [centre] for face in faces if face not in without]


def mixed_mesh():
    """Bricks, a layer of pyramids, and tetrahedra about the diagonal 0 6 of a cell. These have the diagonal 0 7 on their face 0 3 7 4, where
    two more stand on the face 1 2 6 5 of the layer in place of a pyramid, with the diagonal 1 6."""
    towards = (1, 5, 6, 2)
    nodes, places, numbers, first_centre = cells((3, 2, 2))
    bricks, between, tets = [], [], []
    for number, (place, cell) in enumerate(zip(places, numbers)):
        centre = first_centre + number
        if place[0] == 0:
            bricks.append(cell)
        elif place[0] == 1:
            between += pyramids(cell, centre, without=(towards,))
            tets += [[cell[1], cell[5], cell[6], centre], [cell[1], cell[6], cell[2], centre]]
        else:
            tets += [[cell[i] for i in tet] for tet in box.TETS]
    used = sorted({n for element in bricks + between + tets for n in element})
    new = {old: i for i, old in enumerate(used)}
    return nodes[used], [[[new[n] for n in element] for element in kind] for kind in (bricks, between, tets)]


def a_constant_strain_passes_from_bricks_through_pyramids_to_tetrahedra():
    nodes, (bricks, between, tets) = mixed_mesh()
    size = np.array([3.0, 2.0, 2.0])
    nodes = nodes + 0.12 * np.random.default_rng(3).uniform(-1, 1, nodes.shape)
    K, M = matrices("mixed", nodes, {"bricks": (3, 5, bricks), "between": (3, PYRAMID, between), "tets": (3, 4, tets)})
    gradient = np.array([[1e-3, -2e-4, 5e-4], [7e-4, -6e-4, 3e-4], [-4e-4, 8e-4, 9e-4]])
    u = (nodes @ gradient.T).ravel()
    inside = np.repeat(np.all((nodes > 0.3) & (nodes < size - 0.3), axis=1), 3)
    force = K @ u
    assert inside.sum() >= 3 * 6, inside
    check("force on the nodes inside", np.abs(force[inside]).max() / np.abs(force).max(), 1e-12)
    strain = strain_rows(np.eye(3)) @ gradient.ravel(order="F")
    volume = np.tile([1, 0, 0], len(nodes)) @ M @ np.tile([1, 0, 0], len(nodes)) / DENSITY
    check("energy", abs(u @ force / (volume * strain @ elasticity() @ strain) - 1), 1e-12)


def timoshenko(length, side):
    """The first frequency of a cantilever of a square section, Poisson's ratio 0, shear coefficient 5/6 [Cowper 1966]."""
    area, inertia, shear = side**2, side**4 / 12, 5 / 6 * YOUNG / 2 * side**2

    def determinant(omega):
        """Motion (w, theta, moment, force) from the root to the free end."""
        flow = np.array([[0, 1, 0, 1 / shear], [0, 0, 1 / (YOUNG * inertia), 0], [0, -DENSITY * inertia * omega**2, 0, -1],
                         [-DENSITY * area * omega**2, 0, 0, 0]])
        return np.linalg.det(scipy.linalg.expm(flow * length)[2:, 2:])

    slender = 3.516 * np.sqrt(YOUNG * inertia / (DENSITY * area)) / length**2
    return scipy.optimize.brentq(determinant, 0.8 * slender, slender)


def a_cantilever_of_pyramids_tends_to_timoshenkos():
    """With the square of the size of cells: 38, 11.1 and 2.9 % too high with 1, 2 and 4 of them across, by extrapolation 0.2 %."""
    length, side, errors = 1.0, 0.2, []
    for n in (2, 4, 8):
        counts = (5 * n // 2, n // 2, n // 2)
        nodes, places, numbers, first_centre = cells(counts)
        nodes = nodes / counts * [length, side, side]
        body = [pyramid for i, cell in enumerate(numbers) for pyramid in pyramids(cell, first_centre + i)]
        root = [[cell[i] for i in (0, 4, 7, 3)] for place, cell in zip(places, numbers) if place[0] == 0]
        box.write("cantilever.msh", [tuple(map(float, node)) for node in nodes], {"body": (3, PYRAMID, body), "root": (2, box.QUAD, root)})
        with open("cantilever.yaml", "w", encoding="utf-8") as file:
            file.write(f"mesh: cantilever.msh\nmaterials: {{ steel: {{ young: {YOUNG}, poisson: 0, density: {DENSITY} }} }}\n"
                       "parts: { body: steel }\nsupports: [ { group: root } ]\nstudies: [ modes: { count: 2 } ]\n")
        run("run", "cantilever.yaml", "-q")
        with h5py.File("cantilever.h5") as file:
            errors.append(file["modes/stuck/omega"][0] / timoshenko(length, side) - 1)
    assert errors[0] > errors[1] > errors[2] > 0, errors
    check("order", 4 - errors[1] / errors[2], 0.7)
    check("frequency in the limit", abs(4 * errors[2] - errors[1]) / 3, 0.006)


def main():
    for test in (one_pyramid_has_the_matrices_of_scipy, a_right_pyramid_has_the_mass_and_inertia_of_the_textbook,
                 a_constant_strain_passes_from_bricks_through_pyramids_to_tetrahedra, a_cantilever_of_pyramids_tends_to_timoshenkos):
        test()


main()
