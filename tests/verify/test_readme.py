"""The cases of README.md run as they stand there: those with a title are whole, others are pieces that are put into the first.

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
import numpy as np

import sumali
from touching import agree, in_a_folder, solve

with open(os.path.join(os.environ["DOVETAIL_SOURCE"], "README.md"), encoding="utf-8") as file:
    README = file.read()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", README, re.M | re.S)
SHOCK, LAP = [block for block in BLOCKS if block.startswith("title:")]
PRELOAD, BOLTS = 6e3, ("b1", "b2")


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


def the_first_case_runs():
    with solve(SHOCK, "shock") as file:
        assert len(file["transient/hammer_2/time"]) == 20001
    names = {}
    exec(re.search(r"^```python\n(import h5py\n.*?)^```", README, re.M | re.S)[1], names)  # reads shock.h5
    assert names["time"].shape == names["displacement"].shape and np.max(np.abs(names["loop"][1])) <= 20 * (1 + 1e-9)  # the slip force


def pieces_fit_into_the_first_case():
    longer = SHOCK.replace("steps: 20000", "steps: 100000\n      every: 10\n      watch: { modes: all }")
    check(longer + piece("- ring_down: { of: hammer }", "modal_iwan"))
    check(SHOCK + piece("- response:"))
    check(SHOCK + piece("- static: { name: pull"))
    check(re.sub(r"^joints:\n.*?(?=^damping)", piece("pad:", "contact:"), SHOCK, flags=re.M | re.S))
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
    in_a_folder(the_first_case_runs, pieces_fit_into_the_first_case, with_the_meshes(the_joint_of_two_plates_is_in_balance))
