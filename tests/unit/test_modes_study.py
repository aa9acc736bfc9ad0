#!/usr/bin/env python3
"""test_modes_study.py - the study of modes writes what it was asked for, whatever other studies ask for before or after it."""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

PROGRAM = os.environ["DOVETAIL_PROGRAM"]

# Nothing holds the last two of the masses: a rigid mode.
STRUCTURE = """\
masses: { a: { mass: 1 }, b: { mass: 2 }, c: { mass: 3 }, d: { mass: 4 } }
springs: [ { between: [ground, a], stiffness: 8e3 }, { between: [a, b], stiffness: 3e3 }, { between: [c, d], stiffness: 5e3 } ]
laws: { slip: { law: jenkins, stiffness: 1e3, slip_force: 1 } }
joints: { joint: { between: [a, b], x: slip } }
"""
MODES = "  - modes: { count: 2 }\n"
TRANSIENT = "  - transient: { time_step: 1e-3, steps: 3, load: { half_sine: { point: a, duration: 2e-3 } } }\n"
UNSTABLE = """\
matrices: { points: [p, q], mass: [[1, 0], [0, 1]], stiffness: [[-1, 0], [0, 4]] }
"""


def dovetail(name, text):
    """What a case prints, logs, and leaves of modes."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([PROGRAM, "run", name + ".yaml"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with h5py.File(name + ".h5") as result:
        modes = {state: {key: values[()] for key, values in group.items()} for state, group in result["modes"].items()}
        rigid = {state: int(group.attrs["rigid"]) for state, group in result["modes"].items()}
    return done, modes, rigid


def the_order_of_studies_does_not_change_what_is_written():
    first, modes, rigid = dovetail("modes_first", STRUCTURE + "studies:\n" + MODES + TRANSIENT)
    last, modes_last, rigid_last = dovetail("modes_last", STRUCTURE + "studies:\n" + TRANSIENT + MODES)
    for state in ("stuck", "slipping"):
        assert rigid[state] == rigid_last[state] == 1, (rigid, rigid_last)
        assert modes[state]["omega"].shape == (2,) and modes[state]["shape"].shape[1] == 2
        assert modes[state].keys() == modes_last[state].keys()
        for key, values in modes[state].items():
            assert values.shape == modes_last[state][key].shape, f"{state}/{key}: {values.shape}, {modes_last[state][key].shape}"
            assert np.array_equal(values, modes_last[state][key], equal_nan=True), f"{state}/{key}"
        for done in (first, last):
            assert done.stdout.count(f"1 of them move without strain while the joints are {state}") == 1, done.stdout


def an_unstable_mode_is_told_once_for_each_state():
    done, _, _ = dovetail("unstable", UNSTABLE + "studies:\n  - modes: { count: 1 }\n")
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    expected = [f"warning: mode 1 is unstable while the joints are {state}: omega^2 = -1 rad^2/s^2" for state in ("stuck", "slipping")]
    assert warnings == expected, done.stderr


# Oscillators on their own: the joint holds the first, which falls below the others when it slips.
CROSSING = """\
masses: { a: { mass: 2 }, b: { mass: 3 }, c: { mass: 1 } }
springs: [ { between: [ground, a], stiffness: 800 }, { between: [ground, b], stiffness: 4800 }, { between: [b, c], stiffness: 900 } ]
laws: { slip: { law: jenkins, stiffness: 7200, slip_force: 1 } }
joints: { joint: { between: [ground, a], x: slip } }
"""


def of_matrices(stiffness, mass):
    """numpy's frequencies and shapes of unit modal mass."""
    root = np.sqrt(mass)
    squares, vectors = np.linalg.eigh(stiffness / np.outer(root, root))
    return np.sqrt(squares), vectors / root[:, None]


def modes_that_cross_are_paired_by_their_shapes():
    done, modes, _ = dovetail("crossing", CROSSING + "studies:\n  - modes: { count: 3 }\n")
    mass = np.array([2.0, 3.0, 1.0])
    slipping = np.array([[800.0, 0, 0], [0, 5700, -900], [0, -900, 900]])
    (stuck_omega, stuck), (omega, shapes) = of_matrices(slipping + np.diag([7200.0, 0, 0]), mass), of_matrices(slipping, mass)
    mac = (stuck.T @ (mass[:, None] * shapes)) ** 2
    pair = np.argmax(mac, axis=1)
    found = modes["stuck"]
    assert list(pair) != [0, 1, 2] and list(found["pair"]) == list(pair + 1), (pair, found["pair"])
    assert np.abs(found["mac"] - mac).max() < 1e-12, found["mac"] - mac  # round-off of sums of three terms
    assert np.abs(found["pair_mac"] - mac.max(axis=1)).max() < 1e-12
    assert np.abs(found["change"] - (omega[pair] / stuck_omega - 1)).max() < 1e-12
    oscillator = int(np.argmax(stuck[0] ** 2))
    assert abs(found["change"][oscillator] - (np.sqrt(800 / 8000) - 1)) < 1e-12  # sqrt(k / (k + k_joint)) - 1
    assert "mac" not in modes["slipping"] and "change %" in done.stdout and "none" not in done.stdout


def a_mode_that_nothing_resembles_has_no_change():
    """The lowest mode of each state alone: they are motions of different masses."""
    done, modes, _ = dovetail("alone", CROSSING + "studies:\n  - modes: { count: 1 }\n")
    assert list(modes["stuck"]["pair"]) == [0] and np.isnan(modes["stuck"]["change"]).all(), modes["stuck"]
    assert "1 stuck mode is like no slipping mode" in done.stdout, done.stdout


def without_joints_one_column_is_printed():
    text = "masses: { a: { mass: 1 } }\nsprings: [ { between: [ground, a], stiffness: 4 } ]\nstudies:\n" + MODES
    done, modes, _ = dovetail("linear", text)
    assert "slipping" not in done.stdout and "stuck" not in done.stdout and "pair" not in done.stdout and "pair" not in modes["stuck"], done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        the_order_of_studies_does_not_change_what_is_written()
        an_unstable_mode_is_told_once_for_each_state()
        modes_that_cross_are_paired_by_their_shapes()
        a_mode_that_nothing_resembles_has_no_change()
        without_joints_one_column_is_printed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
