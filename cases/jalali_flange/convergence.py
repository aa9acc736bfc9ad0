#!/usr/bin/python3
"""convergence.py - the flange on finer meshes, with other elements and interface stiffnesses, as the tables of README.md.

    cases/jalali_flange/convergence.py [--program DOVETAIL] [--ranks N] [--fine]

Without --fine the mesh of 101,000 unknowns is left out, which takes some minutes. Gmsh (Debian: python3-gmsh) makes the meshes.
"""
import argparse
import os
import tempfile
import time

import numpy as np
import variants
from variants import checks, runs

LEVELS = (1, 2, 3, 4, 5)  # kN
MESHES = {"hex8": ("hex8", 1, []), "hex20": ("hex20", 1, ["--order", "2", "--incomplete"]), "hex8, refined": ("hex8", 2, [])}
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--fine", action="store_true")
    options = parser.parse_args()
    options.program = runs.find_program(options.program)
    with tempfile.TemporaryDirectory() as folder:
        print_head("washers, elements")
        for number, (label, (element, refine, more)) in enumerate(MESHES.items()):
            if refine == 1 or options.fine:
                mesh = variants.make_mesh(os.path.join(folder, f"mesh_{number}"), "--set", f"refine={refine}", *more)
                measure(options, folder, f"mesh_{number}", f"tied, {label}", mesh=mesh, element=element)
        measure(options, folder, "frictional", "frictional, hex8", file="frictional.yaml")
        print()
        print_head("stiffness of the interface, by that of the case")
        for factor in FACTORS:
            measure(options, folder, "stiffness", f"{factor:g}", stiffness=factor)


if __name__ == "__main__":
    main()
