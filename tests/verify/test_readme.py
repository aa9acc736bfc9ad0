"""The cases of README.md run as they stand there, and without a warning: those with a title are whole, others are pieces that are put into
the first.

The first case, fitted: all six parameters are determined, and are those of the case, whose mode has unit mass: K_inf = 8e4 / 2, K_T = 4e3 / 2,
F_S = 20 / 2^1/2, chi = -0.4, beta = 1, zeta_0 = 5e-3. Measured: 1e-5 to 6e-3 off; ring-downs smooth over the change to macroslip.
The block on its pad: it slides under 300 N, as its springs alone give 0.1 mm for what the pad does not hold, and sticks under 30 N.

Joint of two plates: each bolt has the tension that it was tightened to, and nothing else holds the upper plate across its plane, so that
the faces press each other with the sum of both, before and under the load of the static, too. Balances of forces: round-off, and the tolerance of
Newton's rule.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import sumali
from touching import agree, in_a_folder, start

with open(os.path.join(os.environ["DOVETAIL_SOURCE"], "README.md"), encoding="utf-8") as file:
    README = file.read()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", README, re.M | re.S)
SHOCK, SLIDE, LAP = [block for block in BLOCKS if block.startswith("title:")]
PRELOAD, BOLTS = 6e3, ("b1", "b2")
EXACT = {"stiffness": 4e4, "damping": 5e-3, "slip_force": 20 / 2**0.5, "tangent": 2e3, "chi": -0.4, "beta": 1}  # the modal Iwan model of the first case


def piece(*words):
    """The block that has all of these words."""
    found = [block for block in BLOCKS if all(word in block for word in words)]
    assert len(found) == 1, (words, found)
    return found[0]


def check(text):
    with open("piece.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("check", "piece.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr


def solve(text, name):
    done = start(text, name)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return h5py.File(name + ".h5", "r")


def the_first_case_runs():
    with solve(SHOCK, "shock") as file:
        assert len(file["transient/hammer_2/time"]) == 20001
    names = {}
    exec(re.search(r"^```python\n(import h5py\n.*?)^```", README, re.M | re.S)[1], names)  # reads shock.h5
    assert names["time"].shape == names["displacement"].shape and np.max(np.abs(names["loop"][1])) <= 20 * (1 + 1e-9)  # the slip force


def the_first_case_identifies_its_joint():
    longer = SHOCK.replace("steps: 20000", "steps: 50000\n      every: 10\n      watch: { modes: all }")
    with solve(longer + piece("- ring_down: { of: hammer }", "modal_iwan"), "fitted") as file:
        model = file["modal_iwan/fitted/mode1"]
        assert np.all(model["determined"][()] == 1), model["determined"][()]
        for key, value in EXACT.items():
            agree(key, model[key][()], value, 2e-2)
        assert model["points"][0] > model["points"][1], "no macroslip"
        for name in ("hammer", "model"):
            assert len(file[f"transient/{name}_3/time"]) == 5001


def nonlinear_modes_identify_the_joint_without_a_decay():
    with solve(SHOCK + piece("- nonlinear_modes:"), "curves") as file:
        for key, value in EXACT.items():
            agree(key, file["modal_iwan/direct/mode1"][key][()], value, 2e-2)


def responses_of_the_first_case_are_steady():
    with solve(SHOCK + piece("- response:"), "sines") as file:
        for name, curve in file["response/sines"].items():
            if isinstance(curve, h5py.Group):
                known = np.isfinite(curve["frequency"][()])
                assert np.sum(known) > 25 and np.all(curve["steady"][()][known] == 1), name


def the_block_slides():
    with solve(SLIDE, "slide") as file:
        most = [np.max(np.abs(file[f"transient/push_{run}/points/block/displacement"][:, 1])) for run in (1, 2)]
        assert most[0] < 3e-6 and 3e-4 < most[1] < 4e-4, most
        sliding = [np.max(file[f"transient/push_{run}/joints/pad/contact/share"][:, 2]) for run in (1, 2)]
        assert sliding[1] == 1, sliding


def pieces_fit_into_the_first_case():
    check(SHOCK + piece("- static: { name: pull"))
    check(piece("- loop: { name: grow"))


def the_joint_of_two_plates_is_in_balance():
    """Measured: 1e-15 of the tension, 2e-15 and 1e-13 of the sums."""
    check(LAP)
    with solve(LAP, "lap") as file:
        tightened, static = file["preload/tightened"], file["static/cycle"]
        face = tightened["joints/lap"]
        agree("tension", tightened["tension"][-1], 2 * [PRELOAD], 1e-9)
        agree("force between the plates", face["pressure"][()] @ face["area"][()], np.sum(tightened["tension"][()], axis=1), 1e-9)
        tension, head = sum(static[f"bolts/{bolt}/tension"][()] for bolt in BOLTS), static["bolts/b1/tension"][()]
        agree("force between the plates in the cycle", static["joints/lap/contact/force"][()], tension, 1e-9)
        agree("force under the head in the cycle", static["joints/under_head/contact/force"][()], head, 1e-9)
        assert np.min(tension) < 2 * PRELOAD - 1, tension  # the load does something


def with_the_meshes(test):
    """README's cases stand in the folder of the sources."""
    def run():
        os.symlink(os.path.join(os.environ["DOVETAIL_SOURCE"], "meshes"), "meshes")
        test()
    return run


if __name__ == "__main__":
    in_a_folder(the_first_case_runs, the_first_case_identifies_its_joint, nonlinear_modes_identify_the_joint_without_a_decay, responses_of_the_first_case_are_steady, the_block_slides, pieces_fit_into_the_first_case, with_the_meshes(the_joint_of_two_plates_is_in_balance))
