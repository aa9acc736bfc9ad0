#!/usr/bin/python3
"""convergence.py - modes 7, 8, 9 of the Sumali beam on finer meshes and with other elements, as the table of README.md.

    cases/sumali/convergence.py [--program DOVETAIL] [--ranks N] [ELEMENT:REFINE[:WEIGHTS]]...

ELEMENT is hex8, hex8_plain, hex20, hex27 or tet10; each brick becomes REFINE^3; WEIGHTS, equal or area, are those of the averages
over the patches. The geometry is that of meshes/sumali.geo; Gmsh (Debian: python3-gmsh) makes the meshes in a folder of its own.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

import h5py
import numpy as np

STUDY = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(STUDY))
# What meshes/make must be told.
ELEMENTS = {
    "hex8": [],
    "hex8_plain": [],
    "hex20": ["--order", "2", "--incomplete"],
    "hex27": ["--order", "2"],
    "tet10": ["--order", "2", "--set", "bricks=0"],
}
WEIGHTS = ("equal", "area")
TABLE = [
    *(f"hex8:{refine}:{weights}" for refine in (1, 2, 3) for weights in WEIGHTS),
    "hex8_plain:1",
    "hex8_plain:3",
    *(f"{mesh}:{weights}" for mesh in ("hex20:1", "hex27:1", "tet10:1", "hex20:2", "tet10:2") for weights in WEIGHTS),
]
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")


class Fault(Exception):
    """A program that fails."""


def cpu_used():
    """Seconds of processor time that children used so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def execute(command):
    done = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Fault(f"{' '.join(command)}\nended with exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def replace(pattern, new, text):
    text, count = re.subn(pattern, new, text, flags=re.MULTILINE)
    if not count:
        raise Fault(f"case.yaml has no {pattern}")
    return text


def write_case(element, weights, folder):
    """That of the study, with another mesh, elements and weights, and of the studies only the modes."""
    with open(os.path.join(STUDY, "case.yaml"), encoding="utf-8") as file:
        text = file.read()
    text = replace(r"^mesh:.*", "mesh: sumali.msh", text)
    text = replace(r"\bsteel, upper: steel\b", f"{{ material: steel, element: {element} }}, upper: {{ material: steel, element: {element} }}", text)
    text = replace(r"\bweights: equal\b", f"weights: {weights}", text)
    text = replace(r"^studies:(.|\n)*", "studies:\n  - modes: { count: 12 }\n", text)
    path = os.path.join(folder, "case.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def measure(program, element, refine, weights="equal", ranks=1):
    """Unknowns, seconds of processor time of the whole run, and omega [rad/s] of modes 7, 8, 9, stuck and slipping."""
    with tempfile.TemporaryDirectory() as folder:
        geo = os.path.join(ROOT, "meshes", "sumali.geo")
        execute([os.path.join(ROOT, "meshes", "make"), "-o", folder, "--set", f"refine={refine}", *ELEMENTS[element], geo])
        case, result = write_case(element, weights, folder), os.path.join(folder, "case.h5")
        start = cpu_used()
        execute([*(["mpiexec", "-n", str(ranks)] if ranks > 1 else []), program, "run", case, "-o", result])
        seconds = cpu_used() - start
        unknowns = int(re.search(r"(\d+) unknowns, reduced to", execute([program, "check", case])).group(1))
        with h5py.File(result, "r") as file:
            return unknowns, seconds, *(file[f"modes/{joints}/omega"][6:9] for joints in ("stuck", "slipping"))


def parse(word):
    """ELEMENT, REFINE, WEIGHTS of a mesh."""
    found = re.fullmatch(rf"({'|'.join(ELEMENTS)}):([1-9]\d?)(?::({'|'.join(WEIGHTS)}))?", word)
    if not found:
        raise argparse.ArgumentTypeError(f"'{word}' is not ELEMENT:REFINE or ELEMENT:REFINE:WEIGHTS")
    return found.group(1), int(found.group(2)), found.group(3) or "equal"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="*", type=parse, metavar="ELEMENT:REFINE[:WEIGHTS]", help="those of README.md when none is given")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "dovetail"))
    parser.add_argument("--ranks", type=int, default=1)
    options = parser.parse_args()
    print("| element | bricks | weights | unknowns | stuck, modes 7, 8, 9 [rad/s] | slipping | CPU [s] |\n|---|---|---|---|---|---|---|")
    for element, refine, weights in options.meshes or map(parse, TABLE):
        try:
            unknowns, seconds, *omegas = measure(os.path.abspath(options.program), element, refine, weights, options.ranks)
        except Fault as fault:
            sys.exit(f"convergence: {fault}")
        bricks = " x ".join(str(refine * count) for count in (80, 8, 1))
        stuck, slipping = (", ".join(f"{value:.2f}" for value in omega) for omega in omegas)
        print(f"| {element} | {bricks} | {weights} | {unknowns:,} | {stuck} | {slipping} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
