#!/usr/bin/python3
"""convergence.py - the flange on finer meshes, with other elements and interface stiffnesses, as the tables of README.md.

    cases/jalali_flange/convergence.py [--program DOVETAIL] [--ranks N] [--fine]

Without --fine the meshes are left out that take minutes; one of them has 101,000 unknowns. Gmsh (Debian: python3-gmsh) makes the meshes.
"""
import argparse
import os
import tempfile
import time

import numpy as np
import variants
from variants import checks, runs

LEVELS = (1, 2, 3, 4, 5)  # kN
# Element, numbers of flange.geo, and other options of meshes/make; those marked fine take a minute or more.
MESHES = {
    "hex8": ("hex8", False, {}, []),
    "hex20": ("hex20", False, {}, ["--order", "2", "--incomplete"]),
    "hex8, rim 4": ("hex8", False, {"rim": 4}, []),
    "hex8, rim 8": ("hex8", False, {"rim": 8, "sheets": 2}, []),
    "hex8, rim 16": ("hex8", True, {"rim": 16, "sheets": 2}, []),
    "hex8, refined": ("hex8", True, {"refine": 2}, []),
    "hex8, rim 16, twice the cells": ("hex8", True, {"cells": 8, "rim": 16, "sheets": 2}, []),
}
RESOLVED = "hex8, rim 8"  # on which the stiffness of the interface is changed, too
FACTORS = (0.01, 0.1, 0.3, 1, 3, 10, 100)  # of the interface stiffness
STUDIES = [{"modes": {"about": "tightened", "count": 6, "joints": "stuck"}}, variants.slow_cycles(LEVELS)]


def figures(file):
    """Points of contact; frequencies of bending [Hz]; energies [mJ]."""
    hertz = file["modes/stuck/omega"][:][list(checks.BENDING)] / (2 * np.pi)
    points = len(file["preload/tightened/joints/face/area"])
    energies = [1e3 * energy for energy, _ in variants.slow_energies(file, LEVELS)]
    return [str(points), *(f"{f:.2f}" for f in hertz), *(f"{e:.4g}" for e in energies)]


def print_row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def print_head(first):
    titles = [first, "points", *(f"mode {i} [Hz]" for i in (1, 2, 3)), *(f"{level} kN [mJ]" for level in LEVELS), "s"]
    print_row(*titles)
    print_row(*["---"] * len(titles))


def measure(options, folder, name, label, **changes):
    start = time.monotonic()
    with variants.compute(options.program, folder, name, variants.write(STUDIES, **changes), options.ranks) as file:
        print_row(label, *figures(file), f"{time.monotonic() - start:.0f}")


def mesh_of(folder, label):
    """What variants.write is to change for it."""
    element, _, numbers, more = MESHES[label]
    words = [word for name, value in numbers.items() for word in ("--set", f"{name}={value}")]
    return {"mesh": variants.make_mesh(os.path.join(folder, label.replace(" ", "_")), *words, *more), "element": element}


def compare_meshes(options, folder):
    print_head("washers, elements")
    for label, (_, fine, _, _) in MESHES.items():
        if options.fine or not fine:
            measure(options, folder, "mesh", f"tied, {label}", **mesh_of(folder, label))
    measure(options, folder, "frictional", "frictional, hex8", file="frictional.yaml")


def compare_stiffnesses(options, folder, label):
    print()
    print_head(f"stiffness of the interface, by that of the case ({label})")
    for factor in FACTORS:
        measure(options, folder, "stiffness", f"{factor:g}", stiffness=factor, **mesh_of(folder, label))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--fine", action="store_true")
    options = parser.parse_args()
    options.program = runs.find_program(options.program)
    with tempfile.TemporaryDirectory() as folder:
        compare_meshes(options, folder)
        for label in ("hex8", RESOLVED):
            compare_stiffnesses(options, folder, label)


if __name__ == "__main__":
    main()
