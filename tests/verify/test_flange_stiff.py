"""A bolted flange whose faces are nearly rigid: every step of a cycle of shear finds its equilibrium, and the loss tends to a limit. [timeout: 300]

Interfaces that are stiff beside the elements behind them, k h/E of 200 to 2000, make Newton's method cycle where sliding and pressing drive each other;
such steps are found with friction held. Source: a trial in Python lost 5.47, 5.09, 5.02, 5.01 mJ in a cycle with k h/E = 0.2, 1.9, 19, 190 on a
mesh of 13,095 unknowns, and failed in steps at more than 190. With the word `full`, on the mesh of test_flange.py.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

from flange import CASE, SHEAR, Flange
from touching import agree, in_a_folder, start

STEPS = 40  # from one end of the cycle to the other
EDGE, YOUNG = 4e-3, 210e9


def loss(stiffness):
    """Of a cycle [J], and in how many steps friction had to be held, which the run tells where there are any."""
    cycle = f"  - static:\n      about: tightened\n{SHEAR}      path: {{ cycles: 1 }}\n      steps: {STEPS}\n"
    text = CASE.replace("ELEMENT", "hex8").replace("1e14", repr(stiffness)).replace("5e13", repr(stiffness))
    done = start(text + cycle)
    assert done.returncode == 0, done.stderr
    with h5py.File("case.h5") as file:
        static, what = file["static/static"], f"k h/E = {stiffness * EDGE / YOUNG:.3g}"
        assert static["reason"][0] == b"complete" and static["halved"][0] == 0 and file["preload/tightened/halved"][0] == 0, what
        agree(f"{what}: tension", file["preload/tightened/tension"][-1], 3 * [8e3], 1e-9)
        told = [line for line in done.stdout.splitlines() if "friction of faces held" in line]
        held = [int(file[group]["held"][0]) for group in ("preload/tightened", "static/static")]
        assert [int(line.split()[1]) for line in told] == [count for count in held if count], (held, told)
        lost = static["joints/face/contact/dissipated"][()]
        assert np.all(np.diff(lost) >= 0), what
        return lost[-1] - lost[-1 - 2 * STEPS], sum(held)


def a_coarse_mesh():
    """Measured: 4.613, 4.579, 4.578, 4.578 mJ; two steps of 120 need held friction with the last two stiffnesses."""
    Flange(3, 2, 1, 4).write("flange.msh")
    losses, held = np.transpose([loss(stiffness) for stiffness in (1e14, 1e15, 1e16, 1e17)])
    assert held[0] == 0 and held[-1] > 0, held
    agree("limit", losses[1:], np.full(3, losses[-1]), 2e-3)  # in the trial 2e-3 from 19 to 190
    assert losses[-1] < losses[0] < 1.05 * losses[-1], losses


def as_in_the_trial():
    """Measured: 5.579, 5.118, 5.037, 5.026 mJ, and 5.025 with k h/E = 1900; held friction in 0, 0, 0, 4 and 8 steps of 120."""
    Flange().write("flange.msh")
    for stiffness, other in ((1e13, 5.47e-3), (1e14, 5.09e-3), (1e15, 5.02e-3), (1e16, 5.01e-3), (1e17, 5.01e-3)):
        agree(f"loss, k h/E = {stiffness * EDGE / YOUNG:.3g}", loss(stiffness)[0], other, 0.06)


if __name__ == "__main__":
    in_a_folder(as_in_the_trial if "full" in sys.argv else a_coarse_mesh)
