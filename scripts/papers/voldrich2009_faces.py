"""voldrich2009_faces.py - section 2.1 of voldrich2009: stiffness of rough faces under a load, eqs 1 and 2, figure 2. Everything is by k_N R, R, k_N
and k_T: masses rest on faces under many loads, and dovetail linearises what carries them."""
import numpy as np
from scipy.optimize import brentq

from .rows import Row

LOADS = (*np.round(np.arange(0.02, 0.5, 0.04), 2), 0.5, 0.6, 0.7)  # from 0.5 on all of the faces touches
NORMAL, TANGENTIAL, ROUGHNESS = 4e4, 1e4, 1e-3  # [N/m], [N/m], [m]; ours


def touching(depth):
    """h* of eq. 1."""
    t = np.clip(depth, 0, 1)
    return 3 * t**2 - 2 * t**3


def pressing(depth):
    """F_N* of eq. 2."""
    t = np.clip(depth, 0, 1)
    return t**3 - t**4 / 2 + np.maximum(depth - 1, 0)


def depth_of(load):
    """u*, where eq. 2 gives this load."""
    return brentq(lambda depth: pressing(depth) - load, 0, 2, xtol=1e-15)


def case_of_faces():
    law = {"law": "rough_contact", "normal_stiffness": NORMAL, "tangential_stiffness": TANGENTIAL, "roughness": ROUGHNESS, "friction": 0.5}
    names = [f"m{number}" for number in range(len(LOADS))]
    return {"title": "Stiffness of rough faces, fig. 2 (Voldrich 2009)", "masses": {name: {"mass": 1.0, "directions": ["x", "y"]} for name in names},
            "joints": {f"on_{name}": {"between": ["ground", name], "contact": {"law": {**law, "preload": float(load * NORMAL * ROUGHNESS)}}} for name, load in zip(names, LOADS)},
            "studies": [{"modes": {}}]}


class Faces:
    """The stiffnesses that dovetail has found, normal and tangential, by k_N and k_T."""

    def __init__(self, result):
        stiffness = np.diag(result.file["system/stiffness_stuck"][:])
        self.normal, self.tangential = stiffness[::2] / NORMAL, stiffness[1::2] / TANGENTIAL

    def rows(self):
        truth = np.array([touching(depth_of(load)) for load in LOADS])
        for name, found in (("k_T*, tangential", self.tangential), ("slope of F_N*, normal", self.normal)):
            yield Row("fig. 2", f"{name} stiffness under {len(LOADS)} loads by eqs 1 and 2, largest difference", 0, np.abs(found - truth).max(), 1e-9,
                      "scipy's root, in the same equations")
