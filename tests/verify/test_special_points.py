#!/usr/bin/env python3
"""Points of a curve that were located between its steps (peaks, folds), beyond the room for them, are counted in the result and said, by harmonic balance
and by one nonlinear mode; a peak that was kept is where it was."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py

from touching import in_a_folder, start

CASE = """masses: { m: { mass: 1 } }
springs: [ { between: [ground, m], stiffness: 1e4 } ]
joints: { c: { between: [ground, m], x: { law: cubic, stiffness: 0, cubic: 1e8 } } }
damping: { modal: 0.01 }
studies:
  - nonlinear_modes: { name: curves, modes: 1, from: 1e-5, to: 0.05 }
  - response: { name: balanced, method: harmonic_balance, frequencies: { from: 14, to: 22 }, level: 1, load: { harmonic: { point: m, amplitude: 2 } }%(more)s }
  - response: { name: alone, method: one_mode, of: curves, frequencies: { from: 14, to: 22 }, level: 1, load: { harmonic: { point: m, amplitude: 2 } }%(more)s }
"""


def kinds(curve):
    return [kind.decode() for kind in curve["special/kind"][:] if kind]


def what_has_no_room_is_counted_and_said():
    """A hardening oscillator has a peak and two folds."""
    whole = start(CASE % {"more": ""}, "whole")
    cut = start(CASE % {"more": ", max_special: 1"}, "cut")
    assert whole.returncode == cut.returncode == 0, whole.stderr + cut.stderr
    assert "max_special" not in whole.stdout and cut.stdout.count("raise `max_special`") == 2, cut.stdout
    with h5py.File("whole.h5") as all_points, h5py.File("cut.h5") as few:
        for study in ("balanced", "alone"):
            one, other = (file[f"response/{study}/curve_1"] for file in (all_points, few))
            assert sorted(kinds(one)) == ["fold", "fold", "peak"], kinds(one)
            assert one["special/missed"][0] == 0 and other["special/missed"][0] == 2 and kinds(other) == kinds(one)[:1]
            assert other["special/frequency"][0] == one["special/frequency"][0]
    assert "2 more located points" in cut.stdout


if __name__ == "__main__":
    in_a_folder(what_has_no_room_is_counted_and_said)
