"""flange_calculix.py - the flange of flange.py as CalculiX reads it: preload, and frequencies about it."""
import re
import subprocess

import numpy as np

# Newtons, millimetres, tonnes. A pre-tension section pulls along the outward normal of its surface.
MATERIAL = """*MATERIAL,NAME=STEEL
*ELASTIC
210000,0.3
*DENSITY
7.85e-9
*SOLID SECTION,ELSET=ALL,MATERIAL=STEEL
*BOUNDARY
CLAMP,1,3
*SURFACE INTERACTION,NAME=ROUGH
*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR
1e5
*FRICTION
0.2,5e4
*CONTACT PAIR,INTERACTION=ROUGH,TYPE=SURFACE TO SURFACE
TOUCH_LEFT,TOUCH_RIGHT
"""
NODE = r"^ *(\d+) +(\S+E\S+) +(\S+E\S+) +(\S+E\S+) *$"
MODE = r"^ *\d+ +\S+E\S+ +(\S+E\S+) +\S+E\S+ *$"


def lines(*rows):
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


class CalculiX:
    """The preload in one step, then frequencies about it."""

    def __init__(self, flange):
        self.flange = flange
        self.bricks = [brick for bricks in flange.parts.values() for brick in bricks]
        self.bolts = [len(flange.nodes) + 1 + bolt for bolt in range(3)]

    def nodes_of(self, *groups):
        return sorted({node + 1 for group in groups for face in self.flange.groups[group] for node in face})

    def surface(self, name, side):
        """Faces at one end of the extruded bricks: S1 at their smaller x, S2 at the larger."""
        ends = {tuple(sorted(brick[:4] if side == "S1" else brick[4:])): number for number, brick in enumerate(self.bricks, 1)}
        return f"*SURFACE,NAME={name.upper()}\n" + lines(*((ends[tuple(sorted(face))], side) for face in self.flange.groups[name]))

    def write(self, path):
        text = "*NODE\n" + lines(*((number, *place) for number, place in enumerate(self.flange.nodes, 1)), *((bolt, 0, 0, 0) for bolt in self.bolts))
        text += "*ELEMENT,TYPE=C3D8,ELSET=ALL\n" + lines(*((number, *(node + 1 for node in brick)) for number, brick in enumerate(self.bricks, 1)))
        text += "*NSET,NSET=CLAMP\n" + lines(*((node,) for node in self.nodes_of("clamp")))
        text += "*NSET,NSET=SEEN\n" + lines(*((node,) for node in [*self.nodes_of("touch_left", "touch_right"), *self.bolts]))
        text += self.surface("touch_left", "S2") + self.surface("touch_right", "S1") + "".join(self.surface(f"cut{bolt + 1}", "S2") for bolt in range(3))
        text += MATERIAL
        for bolt, node in enumerate(self.bolts):
            text += f"*PRE-TENSION SECTION,SURFACE=CUT{bolt + 1},NODE={node}\n1,0,0\n"
        text += "*STEP\n*STATIC\n1,1\n*CLOAD\n" + lines(*((bolt, 1, 8000) for bolt in self.bolts)) + "*NODE PRINT,NSET=SEEN\nU\n*END STEP\n"
        text += "*STEP,PERTURBATION\n*FREQUENCY\n4\n*END STEP\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run(self):
        self.write("flange.inp")
        subprocess.run(["ccx", "flange"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=200)
        with open("flange.dat", encoding="utf-8") as file:
            static, modes = file.read().split("E I G E N V A L U E   O U T P U T")[:2]
        self.moved = {int(row[0]) - 1: np.array(row[1:], dtype=float) for row in re.findall(NODE, static, re.MULTILINE)}
        self.frequencies = [float(value) for value in re.findall(MODE, modes.split("E I G E N V A L U E    N U M B E R")[0], re.MULTILINE)]

    def distances(self, places):
        """By which the right of two nodes at one place has moved from the left one [mm]."""
        at = [{tuple(np.round(self.flange.nodes[node - 1], 4) + 0.0): self.moved[node - 1][0] for node in self.nodes_of(side)} for side in ("touch_left", "touch_right")]
        keys = [tuple(np.round(place, 4) + 0.0) for place in places]
        return np.array([at[1][key] - at[0][key] for key in keys])
