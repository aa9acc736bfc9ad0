"""variants.py - the flange with other meshes, stiffnesses, preloads, coefficients of friction and studies: what convergence.py and sweep.py compute."""
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "scripts")]
import h5py

import checks
from papers import runs

MAKE = os.path.join(ROOT, "meshes", "make")


def make_mesh(folder, *options):
    """Of meshes/flange.geo, with further options of meshes/make."""
    os.makedirs(folder, exist_ok=True)
    runs.execute([MAKE, "-o", folder, *options, os.path.join(ROOT, "meshes", "flange.geo")])
    return os.path.join(folder, "flange.msh")


def write(studies, file="case.yaml", mesh=None, element=None, stiffness=1.0, preload=None, friction=None):
    """The case with its preload and other studies after it; `stiffness` is a factor of those of the interfaces."""
    case = runs.read_case("jalali_flange", file)
    tighten = case["studies"][0]
    tighten["preload"]["fields"] = tighten["preload"]["stresses"] = False
    case["studies"] = [tighten, *studies]
    case["mesh"] = mesh or case["mesh"]
    if element:
        case["parts"] = {part: {"material": material, "element": element} for part, material in case["parts"].items()}
    for law in (joint["contact"] for joint in case["joints"].values() if "contact" in joint):
        for key in ("normal_stiffness", "tangential_stiffness"):
            law[key] = float(law[key]) * stiffness
        law["friction"] = friction or law["friction"]
    for bolt in case["bolts"].values():
        bolt["preload"] = float(preload or bolt["preload"])
    return case


def slow_cycles(levels, steps=checks.STEPS):
    """Two opposite forces at these levels [kN], each a whole cycle after the way to it."""
    loads = [{"force": {"point": point, "direction": "x", "amplitude": sign * 1e3}} for point, sign in (("upper", 1.0), ("lower", -1.0))]
    path = [float(factor) for level in levels for factor in (level, -level, level)]
    return {"static": {"name": "slow", "about": "tightened", "load": loads, "path": path, "steps": steps}}


def slow_energies(file, levels, steps=checks.STEPS):
    """Slip work of each cycle [J]; and how much of the closed area slips at its end."""
    faces = [group["contact"] for group in file["static/slow/joints"].values() if "contact" in group]
    lost = sum(face["dissipated"][:] for face in faces)
    share = file["static/slow/joints/face/contact/share"][:]
    ends = [(3 * i + 3) * steps for i in range(len(levels))]
    return [(lost[end] - lost[end - 2 * steps], share[end, 2] / (1 - share[end, 0])) for end in ends]


def compute(program, folder, name, case, ranks=1):
    return h5py.File(runs.run_case(program, case, folder, name, ranks))
