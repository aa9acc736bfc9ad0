"""Frequencies of a strip that is pulled at the corners of its end, as CalculiX has them on the very same mesh. [timeout: 300]

CalculiX adds to the stiffness about the pull what stresses do, as we do; after a step with NLGEOM it also has the place and the shape that the pull leaves,
which change frequencies by about the strain, 1e-4 here. hex8_plain and C3D8 are the same element, so are hex20 and C3D20, tet10 and C3D10.
"""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from flange_calculix import lines
from touching import Bodies, agree, in_a_folder, solve

LENGTH, WIDTH, HEIGHT, PULL = 200.0, 20.0, 2.0, 400.0  # mm, N on each corner
# How CalculiX numbers the nodes of Gmsh's elements.
KINDS = {
    "hex8_plain": ("hex8", "C3D8", range(8), (30, 4, 2)),
    "hex20": ("hex20", "C3D20", (*range(8), 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15), (10, 2, 1)),
    "tet10": ("tet10", "C3D10", (0, 1, 2, 3, 4, 5, 6, 7, 9, 8), (12, 2, 1)),
}
CASE = """mesh: strip.msh
materials: {{ steel: {{ young: 210e9, poisson: 0.3, density: 7850 }} }}
parts: {{ strip: {{ material: steel, element: {kind} }} }}
supports: [ {{ group: clamp }} ]
points: {{ {points} }}
reduction: {{ modes: {{ count: 8 }} }}
studies:
  - preload: {{ name: pulled, load: [ {loads} ], stiffening: yes, fields: no }}
  - modes: {{ count: 6 }}
  - modes: {{ name: about, about: pulled, count: 6 }}
"""
INPUT = """*MATERIAL,NAME=STEEL
*ELASTIC
210000,0.3
*DENSITY
7.85e-9
*SOLID SECTION,ELSET=ALL,MATERIAL=STEEL
*BOUNDARY
CLAMP,1,3
*STEP,NLGEOM
*STATIC
1,1
*CLOAD
{loads}*END STEP
*STEP,PERTURBATION
*FREQUENCY
6
*END STEP
"""


def strip(kind, cells):
    """Its cells are of different widths, and askew."""
    def place(i, j, k):
        x, y, z = i / cells[0], j / cells[1], k / cells[2]
        return LENGTH * (x + 0.3 / cells[0] * np.sin(np.pi * x) * np.cos(4 * y)), WIDTH * (y + 0.08 * np.sin(np.pi * y) * np.cos(25 * x)), HEIGHT * (z - 0.5)

    bodies = Bodies()
    bodies.grid("strip", kind, cells, place, {"clamp": (0, 0)})
    return bodies


def calculix(bodies, shape, order, corners):
    elements = bodies.groups["strip"][2]
    clamp = sorted({node + 1 for face in bodies.groups["clamp"][2] for node in face})
    text = "*NODE\n" + lines(*((number, *map(repr, place)) for number, place in enumerate(bodies.nodes, 1)))
    text += f"*ELEMENT,TYPE={shape},ELSET=ALL\n"
    for number, element in enumerate(elements, 1):
        row = [number, *(element[i] + 1 for i in order)]
        text += lines(row[:15] + [""] if len(row) > 15 else row) + (lines(row[15:]) if len(row) > 15 else "")
    text += "*NSET,NSET=CLAMP\n" + lines(*((node,) for node in clamp))
    text += INPUT.format(loads=lines(*((corner + 1, 1, PULL) for corner in corners)))
    with open("strip.inp", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["ccx", "strip"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=200)
    with open("strip.dat", encoding="utf-8") as file:
        modes = file.read().split("E I G E N V A L U E   O U T P U T")[1].split("P A R T I C I P A T I O N")[0]
    return np.array([float(row.split()[3]) for row in re.findall(r"^ *\d+(?: +\S+E\S+){4} *$", modes, re.MULTILINE)])


def as_calculix_has_it():
    for kind, (grid, shape, order, cells) in KINDS.items():
        bodies = strip(grid, cells)
        bodies.write("strip.msh", 1e-3)
        corners = [n for n, (x, y, z) in enumerate(bodies.nodes) if x > LENGTH - 1e-9 and min(y, WIDTH - y) < 1e-9 and abs(abs(z) - HEIGHT / 2) < 1e-9]
        points = ", ".join(f"p{n}: {{ at: [{', '.join(repr(1e-3 * x) for x in bodies.nodes[n])}] }}" for n in corners)
        loads = ", ".join(f"{{ force: {{ point: p{n}, direction: x, amplitude: {PULL} }} }}" for n in corners)
        with solve(CASE.format(kind=kind, points=points, loads=loads)) as file:
            own, plain = (file[f"modes/{name}/omega"][()] / 2 / np.pi for name in ("about/stuck", "stuck"))
        # Measured: 9e-5, of tetrahedra 1.8e-4 (CalculiX integrates their mass otherwise); the pull itself changes the first by a factor of 1.6 to 2.7.
        agree(f"frequencies, {kind}", own, calculix(bodies, shape, order, corners), 6e-4)
        assert own[0] > 1.5 * plain[0], (own, plain)


if __name__ == "__main__":
    if not shutil.which("ccx"):
        print("skipped: CalculiX is not installed (scripts/setup bench)")
        sys.exit(77)
    in_a_folder(as_calculix_has_it)
