"""flange_calculix.py - the flange of flange.py as CalculiX reads it: preload, and frequencies about it or a cycle of shear."""
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

    def shares(self, group):
        """Of the area of a group, by node."""
        shares, places = {}, np.array(self.flange.nodes)
        for face in self.flange.groups[group]:
            area = np.linalg.norm(np.cross(*(places[face[2:]] - places[face[:2]]))) / 2
            for node in face:
                shares[node + 1] = shares.get(node + 1, 0.0) + area / 4
        return {node: share / sum(shares.values()) for node, share in shares.items()}

    def model(self):
        text = "*NODE\n" + lines(*((number, *place) for number, place in enumerate(self.flange.nodes, 1)), *((bolt, 0, 0, 0) for bolt in self.bolts))
        text += "*ELEMENT,TYPE=C3D8,ELSET=ALL\n" + lines(*((number, *(node + 1 for node in brick)) for number, brick in enumerate(self.bricks, 1)))
        text += "*NSET,NSET=CLAMP\n" + lines(*((node,) for node in self.nodes_of("clamp")))
        text += "*NSET,NSET=SEEN\n" + lines(*((node,) for node in [*self.nodes_of("touch_left", "touch_right"), *self.bolts]))
        text += "*NSET,NSET=TOPS\n" + lines(*((node,) for node in self.nodes_of("top_left", "top_right")))
        text += self.surface("touch_left", "S2") + self.surface("touch_right", "S1") + "".join(self.surface(f"cut{bolt + 1}", "S2") for bolt in range(3))
        text += MATERIAL
        for bolt, node in enumerate(self.bolts):
            text += f"*PRE-TENSION SECTION,SURFACE=CUT{bolt + 1},NODE={node}\n1,0,0\n"
        return text

    def preload(self, seen="SEEN", geometry=""):
        return f"*STEP{geometry}\n*STATIC\n1,1\n*CLOAD\n" + lines(*((bolt, 1, 8000) for bolt in self.bolts)) + f"*NODE PRINT,NSET={seen}\nU\n*END STEP\n"

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.model() + self.preload() + "*STEP,PERTURBATION\n*FREQUENCY\n4\n*END STEP\n")

    @staticmethod
    def compute(seconds):
        subprocess.run(["ccx", "flange"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=seconds)
        with open("flange.dat", encoding="utf-8") as file:
            return file.read()

    def run(self):
        self.write("flange.inp")
        static, modes = self.compute(200).split("E I G E N V A L U E   O U T P U T")[:2]
        self.moved = {int(row[0]) - 1: np.array(row[1:], dtype=float) for row in re.findall(NODE, static, re.MULTILINE)}
        self.frequencies = [float(value) for value in re.findall(MODE, modes.split("E I G E N V A L U E    N U M B E R")[0], re.MULTILINE)]

    def shear(self, force, ends, increments, seconds=600):
        """To each of the ends in turn, times the force along z on the right flange and against it on the left: motion of the loads [mm] from the preload on.
        Bolts are locked. Geometry is nonlinear, as the normals of contact turn in any case, and forces of bolts must turn with them."""
        sides = {"top_left": -force, "top_right": force}
        shares = {top: self.shares(top) for top in sides}
        text = self.model() + self.preload("TOPS", ",NLGEOM=YES")
        for number, end in enumerate(ends):
            text += f"*STEP,NLGEOM=YES,INC=1000\n*STATIC,DIRECT\n{1 / increments},1\n"
            text += "" if number else "*BOUNDARY,FIXED\n" + lines(*((bolt, 1, 1) for bolt in self.bolts))
            text += "*CLOAD,OP=NEW\n" + lines(*((node, 3, end * sides[top] * share) for top in sides for node, share in shares[top].items()))
            text += "*NODE PRINT,NSET=TOPS\nU\n*END STEP\n"
        with open("flange.inp", "w", encoding="utf-8") as file:
            file.write(text)
        moved = []
        for block in self.compute(seconds).split("displacements (vx,vy,vz)")[1:]:
            heights = {int(row[0]): float(row[3]) for row in re.findall(NODE, block, re.MULTILINE)}
            moved.append(sum(np.sign(sides[top]) * sum(share * heights[node] for node, share in shares[top].items()) for top in sides))
        return np.array(moved) - moved[0]

    def distances(self, places):
        """By which the right of two nodes at one place has moved from the left one [mm]."""
        at = [{tuple(np.round(self.flange.nodes[node - 1], 4) + 0.0): self.moved[node - 1][0] for node in self.nodes_of(side)} for side in ("touch_left", "touch_right")]
        keys = [tuple(np.round(place, 4) + 0.0) for place in places]
        return np.array([at[1][key] - at[0][key] for key in keys])
