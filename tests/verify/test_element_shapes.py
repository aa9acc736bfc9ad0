#!/usr/bin/env python3
"""Every solid element against Gmsh's own: order of nodes, shape functions, stiffness and mass of one element, by Gmsh's quadrature of
high degree, put together by numpy. The elements are those that the program lists. [timeout: 300]"""
import re
import sys

sys.dont_write_bytecode = True
try:
    import gmsh
except ImportError:
    print("skipped: there is no python3-gmsh")
    sys.exit(77)
import numpy as np

from gmsh_shapes import MAP, SHAPES
from one_mesh import DENSITY, difference, elasticity, matrices, run, strain_rows

INTERNAL = {"hex8": (0, 1, 2), "wedge6": (2,)}  # directions of the incompatible modes 1 - xi_j^2


def solids():
    """{name: Gmsh's number of its shape}"""
    found = {}
    for line in run("help", "elements").split("\n\n")[0].splitlines()[1:]:
        name = line.split()[0]
        shape = re.search(r"number (\d+) of Gmsh, in a group of dimension (\d)", run("help", "elements", name))
        if shape[2] == "3":
            found[name] = int(shape[1])
    return found


def size_of(shape):
    """Of the reference element."""
    return next(size for number, size, _ in SHAPES.values() if number == shape)


def expected_matrices(kind, shape):
    points, weights = gmsh.model.mesh.getIntegrationPoints(shape, "Gauss8")
    points, weights = np.reshape(points, (-1, 3)), weights * size_of(shape) / np.sum(weights)  # Gmsh 4.8: 4/3 too much for pyramids
    _, values, _ = gmsh.model.mesh.getBasisFunctions(shape, points.ravel(), "Lagrange")
    _, slopes, _ = gmsh.model.mesh.getBasisFunctions(shape, points.ravel(), "GradLagrange")
    values, slopes = np.reshape(values, (len(points), -1)), np.reshape(slopes, (len(points), -1, 3))
    back, volume, D = np.linalg.inv(MAP), np.linalg.det(MAP), elasticity()
    K, M = 0, 0
    for point, weight, value, slope in zip(points, weights, values, slopes):
        extra = [-2 * point[j] * np.eye(3)[j] for j in INTERNAL.get(kind, ())]
        B = strain_rows(np.vstack([slope, *extra]) @ back)
        K = K + weight * volume * B.T @ D @ B
        M = M + DENSITY * weight * volume * np.kron(np.outer(value, value), np.eye(3))
    n = len(M)
    return K[:n, :n] - K[:n, n:] @ np.linalg.solve(K[n:, n:], K[n:, :n]), M


def main():
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    found = solids()
    assert {"hex8", "tet10"} <= found.keys(), found
    for kind, shape in found.items():
        _, _, _, count, places, _ = gmsh.model.mesh.getElementProperties(shape)
        nodes = np.reshape(places, (count, 3)) @ MAP.T + [0.3, -0.2, 0.1]
        own = matrices("one", nodes, {"body": (3, shape, [list(range(count))])}, kind)
        for what, found_matrix, expected in zip(("stiffness", "mass"), own, expected_matrices(kind, shape)):
            # 2.5e-12 for tet4 and tet10, whose points Gmsh has to 12 digits; the others 7e-14 at most.
            error = difference(found_matrix, expected)
            assert error < 1e-11, f"{what} of {kind} is not that of Gmsh's element: {error}"
    gmsh.finalize()


main()
