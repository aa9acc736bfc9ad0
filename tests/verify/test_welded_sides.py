#!/usr/bin/env python3
"""Joints whose two sides the mesh itself holds together are told of, with the number of nodes and a place; so are frequencies that no solid of this
size has, with the unit that is probably meant. What is as it should be gets no word.

Two plates of 0.2 x 0.05 x 0.01 m, one on the other, clamped at one end, with a joint between patches at the other end or near the clamp.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

import sumali
from touching import Bodies, in_a_folder

LENGTH, WIDTH, THICK, CELLS = 0.2, 0.05, 0.01, (20, 5, 1)
CASE = """
mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: 0.3, density: {density} }} }}
parts: {parts}
supports: [ {{ group: clamped }}, {{ group: clamped_upper }} ]
points: {{ below: {{ average: {sides[0]} }}, above: {{ average: {sides[1]} }} }}
joints: {{ bolt: {{ between: [below, above], x: {{ law: jenkins, stiffness: {stiffness}, slip_force: 10 }}, y: rigid, z: rigid }} }}
studies: [ {{ modes: {{ count: 4 }} }} ]
"""


def plates(path, welded, scale=1.0):
    """`welded(x)`: where nodes of both plates that lie at the same place are one. Patches of 2 x 3 cells at the end and near the clamp."""
    bodies = Bodies()
    patch = {"end": lambda a, b: a in (17, 18) and b in (1, 2, 3), "beside": lambda a, b: a in (18, 19) and b in (1, 2, 3), "start": lambda a, b: a in (1, 2) and b in (1, 2, 3)}
    for name, bottom in (("lower", 0), ("upper", 1)):
        faces = {("clamped" if bottom == 0 else "clamped_upper"): (0, 0)}
        for place, which in patch.items():
            for side, plane in (("bottom", 0), ("top", 1)):
                faces[f"{name}_{side}_{place}"] = (2, plane, which)
        bodies.grid(name, "hex8", CELLS, lambda i, j, k: (LENGTH * i / CELLS[0], WIDTH * j / CELLS[1], THICK * (bottom + k)), faces)
    first = {}
    for node, place in enumerate(bodies.nodes):
        first.setdefault(tuple(np.round(place, 9)), node)
    one = [first[tuple(np.round(place, 9))] if welded(place[0]) else node for node, place in enumerate(bodies.nodes)]
    used = sorted(set(one))
    number = {node: i for i, node in enumerate(used)}
    bodies.nodes = [bodies.nodes[node] for node in used]
    for name, (dimension, shape, elements) in bodies.groups.items():
        bodies.groups[name] = (dimension, shape, [[number[one[node]] for node in element] for element in elements])
    bodies.write(path, scale)


def check(sides=("lower_top_end", "upper_bottom_end"), parts="{ lower: steel, upper: steel }", mesh="plates.msh", young="210e9", density="7850", word="check", code=0, stiffness="1e6"):
    """What is warned of; a check counts it at its end."""
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(CASE.format(sides=sides, parts=parts, mesh=mesh, young=young, density=density, stiffness=stiffness))
    done = subprocess.run(sumali.command(word, "case.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    if word == "check" and code == 0:
        told = f", but {len(warnings)} warning{'s' * (len(warnings) > 1)}" if warnings else ""
        assert done.stdout.endswith(f"No errors found{told}; no study was run.\n"), done.stdout
    return warnings if word == "check" else done.stdout


def told(found, *words):
    assert len(found) == 1 and all(word in found[0] for word in words), found


def plates_with_nodes_of_their_own_are_silent():
    plates("plates.msh", lambda x: False)
    assert check() == []


def shared_nodes_of_the_sides_are_counted():
    """Patches of 2 x 3 cells that have one row of 3 cells in common: 8 nodes. Their motions are not independent either, which is refused."""
    sides = ("lower_top_end", "upper_bottom_beside")
    plates("plates.msh", lambda x: True)
    for parts in ("{ lower: steel, upper: steel }", "{ all: steel }"):
        told(check(sides, parts, code=2), "joint 'bolt': 'below' and 'above' share 8 nodes of the mesh, ", ", 0.01) among them")


def parts_that_are_welded_between_the_sides_are_told():
    """From the lower face of the lower plate to the upper face of the upper one: the 12 nodes between, no others of the patch's circle but 4."""
    plates("plates.msh", lambda x: True)
    told(check(("lower_bottom_end", "upper_top_end")), "at 'below' and 'above' the bodies 'lower' and 'upper' share 12 nodes of the mesh")
    told(check(("lower_bottom_end", "upper_top_end"), "{ all: steel }"), "the bodies 'volume 1' and 'volume 9' share 12 nodes of the mesh")


def parts_that_are_one_body_elsewhere_are_silent():
    plates("plates.msh", lambda x: x < 0.05)
    for sides in (("lower_top_end", "upper_bottom_end"), ("lower_bottom_end", "upper_top_end")):
        told(check(sides), "is this a crack that is not meant?")
    told(check(("lower_bottom_start", "upper_top_start"))[:1], "the bodies 'lower' and 'upper' share")


def joints_that_change_no_frequency_are_told():
    """Measured: 0.34 % and, as the change goes with the stiffness, 0.034 %."""
    sides = ("lower_bottom_end", "upper_top_end")
    plates("plates.msh", lambda x: True)
    assert "no frequency changes" not in check(sides, word="run")
    assert "no frequency changes by more than 0.03" in check(sides, word="run", stiffness="1e5")


def frequencies_of_no_solid_are_told():
    """212 Hz in metres. With lengths 400 and 4000 times those, 0.5 and 0.05 Hz: the mesh is 80 and 800 m long. The highest is 13 km/s over twice the
    0.02 m of both plates, 325 kHz; of a density 1e-7 times that of steel the first is 670 kHz, of 1e-6 times 212 kHz."""
    for scale, words in ((400, ()), (4000, ("plates.msh is 800 m long", "the first frequency is 0.0528 Hz, very low for a structure of 800 m; if plates.msh is in millimetres, write mesh: {file: plates.msh, unit: mm}"))):
        plates("plates.msh", lambda x: False, scale)
        found = check()
        assert len(found) == len(words) and all(word in line for word, line in zip(words, found)), found
    found = check(mesh="{ file: plates.msh, scale: 0.75 }", density="4e4")  # who says the unit is not told of it
    assert len(found) == 2 and "very low for a structure of 600 m; young" in found[1], found
    plates("plates.msh", lambda x: False)
    for density, words in (("7.85e-3", ()), ("7.85e-4", ("a solid of this thickness, 0.02 m, has 3.25e+05 Hz at most",))):
        found = check(density=density)
        assert len(found) == len(words) and all(word in line for word, line in zip(words, found)), found


if __name__ == "__main__":
    in_a_folder(plates_with_nodes_of_their_own_are_silent, shared_nodes_of_the_sides_are_counted, parts_that_are_welded_between_the_sides_are_told,
                parts_that_are_one_body_elsewhere_are_silent, joints_that_change_no_frequency_are_told, frequencies_of_no_solid_are_told)
