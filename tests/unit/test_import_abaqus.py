#!/usr/bin/env python3
"""Matrices that Abaqus wrote, by rows or by nodes, all or half of them, and those of Nastran's punch files give the frequencies of scipy; faults are told with their line."""
import os
import subprocess

import h5py
import numpy as np
import scipy.linalg

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
NODES = [7, 2, 30]  # two directions each; Abaqus writes them in any order
rng = np.random.default_rng(3)
ROOT = rng.standard_normal((6, 6))
K = ROOT @ ROOT.T + 6 * np.eye(6)
M = np.diag([2.0, 3.0, 1.0, 1.5, 2.5, 4.0])
M[0, 1] = M[1, 0] = 0.25


def write_rows(name, matrix, half):
    with open(name, "w", encoding="utf-8") as file:
        for i, j in zip(*np.nonzero(matrix)):
            if not half or j >= i:
                file.write(f"{i + 1} {j + 1}  {matrix[i, j]:.15e}\n")


def write_nodes(name, matrix, half, blank=", "):
    with open(name, "w", encoding="utf-8") as file:
        file.write("**\n** unsymmetric=no\n*MATRIX ASSEMBLE\n" if half else "")
        for i, j in zip(*np.nonzero(matrix)):
            if not half or j >= i:
                file.write(blank.join((str(NODES[i // 2]), str(i % 2 + 1), str(NODES[j // 2]), str(j % 2 + 1), f"{matrix[i, j]:.15e}")) + "\n")


def write_punch(name, form=6):
    """As Nastran punches them: the lower triangle in columns, large fields, which may touch."""
    with open(name, "w", encoding="utf-8") as file:
        file.write("$TITLE\n$SUBTITLE\n")
        for matrix_name, matrix in (("KAAX", K), ("MAAX", M)):
            file.write(f"DMIG    {matrix_name:<8s}{0:<8d}{form:<8d}{2:<8d}{0:<8d}{'':16s}{6:<8d}\n")
            for j in range(6):
                file.write(f"DMIG*   {matrix_name:<16s}{NODES[j // 2]:16d}{j % 2 + 1:16d}\n")
                for i in range(j if form == 6 else 0, 6):
                    if matrix[i, j]:
                        file.write(f"*       {NODES[i // 2]:16d}{i % 2 + 1:16d}{f'{matrix[i, j]:.9E}'.replace('E', 'D'):>16s}\n")


def run(case, command):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(case)
    more = ["-o", "out.h5"] if command == "run" else []
    return subprocess.run([PROGRAM, command, "case.yaml", *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)


def check_modes(keys, stiffness=K, springs="", error=1e-13):
    done = run(f"matrices: {{ {keys} }}\n{springs}studies: [ modes: {{ count: 6 }} ]\n", "run")
    assert done.returncode == 0, f"{keys}\n{done.stderr}"
    with h5py.File("out.h5") as result:
        omega = result["modes/stuck/omega"][:]
    expected = np.sqrt(scipy.linalg.eigh(stiffness, M, eigvals_only=True))
    # The files have 16 digits; the condition of the six numbers is about ten.
    assert np.allclose(omega, expected, rtol=error, atol=0), f"{keys}: {omega} is not {expected}"


def check_refused(keys, expected):
    done = run(f"matrices: {{ {keys} }}\nstudies: [ modes: {{}} ]\n", "check")
    assert done.returncode == 2 and done.stderr.count("error:") == 1 and expected in done.stderr, f"{keys}: {expected}\n{done.stderr}"


def main():
    for name, matrix in (("K", K), ("M", M)):
        for half in (False, True):
            kind = "half" if half else "full"
            write_rows(f"{name}_{kind}.mtx", matrix, half)
            write_nodes(f"{name}_nodes_{kind}.mtx", matrix, half, ", " if half else "   ")
    points = ", points: { nodes: 3, directions: [x, y] }"
    check_modes(f"mass: M_half.mtx, stiffness: K_full.mtx{points}")
    check_modes(f"mass: M_full.mtx, stiffness: K_half.mtx, damping: K_half.mtx{points}")
    check_modes("mass: M_nodes_half.mtx, stiffness: K_nodes_full.mtx")
    springs = "springs: [ { between: [ground, n30], direction: y, stiffness: 5 } ]\n"  # the last row, whatever the order of the file
    check_modes("mass: M_nodes_full.mtx, stiffness: K_nodes_half.mtx", K + np.diag([0, 0, 0, 0, 0, 5.0]), springs)
    for form in (1, 6):
        write_punch(f"form{form}.pch", form)
        check_modes(f"file: form{form}.pch, mass: MAAX, stiffness: KAAX", error=3e-9)  # ten digits
    write_punch("rectangular.pch", 2)
    for keys, expected in (("mass: MAAX, stiffness: K2GG", "stiffness: 'form6.pch' has no matrix 'k2gg'; it has: kaax, maax"),
                           ("file: rectangular.pch, mass: MAAX, stiffness: KAAX",
                            "rectangular.pch:3:25: expected a square (1) or symmetric (6) matrix, found form '2'")):
        check_refused(keys if "file" in keys else f"file: form6.pch, {keys}", expected)
    write_nodes("more.mtx", np.eye(6) + np.diag(np.ones(5), 1), True)
    with open("more.mtx", "a", encoding="utf-8") as file:
        file.write("31, 2, 31, 2, 1.0\n")
    check_refused("mass: more.mtx, stiffness: K_nodes_full.mtx", "matrices.mass: has an unknown of node 31 in y, which the stiffness does not have")
    check_refused("mass: M_nodes_full.mtx, stiffness: K_full.mtx", "matrices: key 'points' is missing: one name for each row of the matrices, or of map")
    check_refused("mass: M_full.mtx, stiffness: K_nodes_full.mtx, points: { nodes: 3, directions: [x, y] }",
                  "matrices.stiffness: names its unknowns by node and direction, as the stiffness must then do, too; leave `points` out")
    check_refused("mass: M_full.mtx, stiffness: K_full.mtx, points: { nodes: 2, directions: [x, y, w] }",
                  "matrices.points.directions[2]: unknown direction 'w'; it has: x, y, z, rx, ry, rz")
    for line, expected in (("1, 9, 1, 1, 1.0", "4:4: expected a whole number from 1 to 6, found '9'"),
                           ("-1, 1, 1, 1, 1.0", "4:1: expected a whole number from 1 to "),
                           ("1, 1, 1, 1, x", "4:13: expected a number, found 'x'"),
                           ("1, 1, 1.0", "4:1: expected node, direction, node, direction and value")):
        with open("bad.mtx", "w", encoding="utf-8") as file:
            file.write(f"** comment\n1, 1, 1, 1, 2.0\n** comment\n{line}\n")
        check_refused("mass: [[1]], stiffness: bad.mtx", f"bad.mtx:{expected}")


if __name__ == "__main__":
    main()
