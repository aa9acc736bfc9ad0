"""Two flanges with three bolts, as CalculiX has them on the very same mesh: shift, distance of the faces, frequencies about the preload. [timeout: 300]

hex8_plain and C3D8 are the same element, so that what differs is the contact: CalculiX integrates over faces (surface to surface), we take means
at nodes. hex8 and C3D8I differ on distorted bricks: shifts by 0.4 %, frequencies by 0.5 % here. Loops are not compared: without NLGEOM, CalculiX
turns the normals of contact but not the forces of bolts, and loses 28 % more in a cycle.
"""
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from flange import CASE, Flange
from flange_calculix import CalculiX
from touching import agree, in_a_folder, solve

def as_calculix_has_it():
    flange = Flange()
    flange.write("flange.msh")
    other = CalculiX(flange)
    other.run()
    with solve(CASE.replace("ELEMENT", "hex8_plain") + "  - modes: { about: tightened, count: 4, joints: stuck }\n") as file:
        tightened = file["preload/tightened"]
        face = tightened["joints/face"]
        agree("shift", tightened["shift"][-1], [1e-3 * other.moved[node - 1][0] for node in other.bolts], 3e-3)  # measured: 8e-4
        places = 1e3 * np.column_stack([face[axis][()] for axis in "xyz"])
        own, theirs, area = face["motion"][-1][:, 0], 1e-3 * other.distances(places), face["area"][()]
        # Over all points, open and closed, by area. Measured: 0.04.
        agree("distance of the faces", np.sqrt(np.sum(area * (own - theirs) ** 2) / np.sum(area * theirs**2)) + 1, 1, 0.12)
        # Measured: 2.7e-3, of the fourth; nodes with their areas are closed a little farther out.
        agree("frequencies", file["modes/stuck/omega"][()] / 2 / np.pi, other.frequencies, 9e-3)


if __name__ == "__main__":
    if not shutil.which("ccx"):
        print("skipped: CalculiX is not installed (scripts/setup bench)")
        sys.exit(77)
    in_a_folder(as_calculix_has_it)
