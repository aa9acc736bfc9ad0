"""What `dovetail check` says of faces whose elements are too coarse for the pressure between them: each warning has the numbers of the mesh.

Numbers follow from the grids: how many cells lie side by side, how much longer those of one side are; on a quarter of a circle of radius 0.1 in
n cells each turns by 90/n degrees, and the arc rises by r (1 - cos(45/n degrees)).
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import subprocess

import numpy as np

import sumali
from touching import Bodies, in_a_folder

CASE = """mesh: bodies.msh
materials: { steel: { young: 210e9, poisson: 0.3, density: 7850 } }
parts: { one: steel, other: steel }
supports: [ { group: held } ]
joints:
  face: { faces: [a, b], contact: { law: rough_contact, friction: 0.3 } }
studies:
  - modes: { count: 1 }
"""
RADIUS = 0.1


def flat(cells, kind="hex8"):
    """Two blocks, one on the other, with so many cells along x and y; kinds of both."""
    bodies = Bodies()
    for body, (name, count) in enumerate(zip(("one", "other"), cells)):
        def place(i, j, k, body=body, count=count):
            return i / count[0], j / count[1], body + k / 2

        bodies.grid(name, kind, (*count, 2), place, {"held": (2, 0), "a": (2, -1)} if body == 0 else {"b": (2, 0)})
    bodies.write("bodies.msh", 0.1)


def round_bodies(around):
    """A quarter of a shaft in a quarter of a bush."""
    bodies = Bodies()
    for body, (name, count) in enumerate(zip(("one", "other"), around)):
        def place(i, j, k, body=body, count=count):
            angle, radius = np.pi / 2 * i / count, RADIUS * (0.5 + 0.5 * body + 0.25 * k)
            return radius * np.cos(angle), radius * np.sin(angle), 0.1 * j / 4

        bodies.grid(name, "hex8", (count, 4, 2), place, {"held": (2, 0), "a": (2, -1)} if body == 0 else {"b": (2, 0)})
    bodies.write("bodies.msh")


def warnings(text=CASE, ranks=1):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("check", "case.yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.removeprefix("warning: case.yaml:6:18: ") for line in done.stderr.splitlines() if line.startswith("warning: ")]


def fine_faces_draw_no_warning():
    for cells in (((4, 4), (5, 5)), ((3, 3), (9, 9)), ((3, 12), (3, 3))):
        flat(cells)
        assert warnings() == [], cells
    flat(((4, 4), (2, 2)), "hex20")  # four linear faces for each of second order
    assert warnings() == []
    round_bodies((6, 8))  # 15 degrees and 11
    assert warnings() == []


def few_elements_across():
    for ranks in (1, 2):
        flat(((4, 4), (4, 2)))
        assert warnings(ranks=ranks) == ["the area where the faces meet is 2 elements of 'b' wide: with fewer than 3 the pressure on it is hardly resolved; refine them"]
    assert warnings(CASE.replace("contact: { law: rough_contact, friction: 0.3 }", "tied: yes")) == []  # glue needs no pressures


def elements_of_two_lengths():
    flat(((3, 3), (12, 12)))
    assert warnings() == ["elements of 'a' are 4 times as long as those of 'b', and the pressure is no finer than they are; refine them"]


def arcs_of_few_elements():
    round_bodies((4, 12))
    found = warnings()
    told = re.fullmatch(r"'a' turns by 22.5 degrees from one face to the next, and arcs rise (\S+) m over them, which make gaps that are not there; refine it to 15 degrees", found[0])
    assert len(found) == 1 and told, found
    assert abs(float(told[1]) / (RADIUS * (1 - np.cos(np.pi / 16))) - 1) < 0.03, found  # two digits are printed


if __name__ == "__main__":
    in_a_folder(fine_faces_draw_no_warning, few_elements_across, elements_of_two_lengths, arcs_of_few_elements)
