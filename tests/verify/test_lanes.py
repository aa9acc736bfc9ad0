#!/usr/bin/env python3
"""test_lanes.py - many runs of a transient, which march side by side in vector lanes, have the bits of single runs, at any number of ranks and
after an interruption; and they move as scipy integrates them, each by its own level."""
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import h5py
import numpy as np
from scipy.integrate import solve_ivp

from compare_results import differences, read
from touching import in_a_folder

CHAIN = """
masses: {{ m1: {{ mass: 1, directions: [x, y] }}, m2: {{ mass: 1.2, directions: [x, y] }}, m3: {{ mass: {mass}, directions: [x, y] }} }}
springs:
  - {{ between: [ground, m1], direction: x, stiffness: 2e4 }}
  - {{ between: [m1, m2], direction: x, stiffness: 3e4 }}
  - {{ between: [m2, m3], direction: x, stiffness: 1e4 }}
  - {{ between: [ground, m1], direction: y, stiffness: 4e4 }}
  - {{ between: [m1, m2], direction: y, stiffness: 2e4 }}
  - {{ between: [m2, m3], direction: y, stiffness: 2e4 }}
laws:
  iwan: {{ law: iwan4, slip_force: 4, stiffness: 3e4, chi: -0.4, beta: 0.6 }}
  slider: {{ law: jenkins, stiffness: 2e4, slip_force: 3 }}
  smooth: {{ law: bouc_wen, k_h: 2e4, B: 5e3, N: 1 }}
joints:
  j1: {{ between: [m1, m2], x: iwan, y: slider }}
  j2: {{ between: [m2, m3], x: iwan, y: smooth }}
  j3: {{ between: [ground, m3], x: {{ law: gap, stiffness: 3e4, clearance: 1e-4, sides: 2 }} }}
damping: {{ modal: [0.01, 0.005] }}
studies:
  - transient:
      name: hit
      time_step: 1e-4
      steps: {steps}
      every: 7
      load:
        - half_sine: {{ point: m3, direction: x, amplitude: 60, duration: 0.01 }}
        - harmonic: {{ point: m2, direction: y, amplitude: 10, frequency: 17 }}
      runs:
        - {{ level: [0.02, 0.1, 0.3, 0.6, 1, 1.5, 2, 3, 5, 8, 12], time_step: [1e-4, 3e-4] }}
        - {{ level: 1, steps: 150 }}
        - {{ level: [1, 2], point: m1 }}
      watch: {{ joints: all, energy: yes }}
"""

DUFFING = """
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 800 }} ]
joints: {{ j: {{ between: [ground, block], x: {{ law: cubic, stiffness: 100, cubic: 3e5 }} }} }}
damping: {{ modal: 0.03 }}
studies:
  - transient: {{ name: t, time_step: {h}, steps: {steps}, every: 10, load: {{ harmonic: {{ point: block, amplitude: 10, frequency: 4 }} }},
      runs: [ {{ level: {levels} }} ] }}
"""


def write(text, **numbers):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(text.format(**numbers))


def command(path, *more):
    return [os.environ["DOVETAIL_PROGRAM"], "run", "case.yaml", "-o", path, "--quiet", *more]


def run(path, *more, ranks=1):
    start = [os.environ["DOVETAIL_MPIEXEC"], "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
    subprocess.run([*start, *command(path, *more)], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return read(path)


def lanes_change_no_bit(mass=0.9):
    write(CHAIN, steps=1500, mass=mass)
    alone = run("alone.h5", "-lanes", "no")
    assert not (faults := differences(run("lanes.h5"), alone)), faults
    assert not (faults := differences(run("ranks.h5", ranks=2), alone)), faults
    dissipated = [alone[name][-1] for name in alone if name.endswith("/j1/x/dissipated")]
    assert len(dissipated) == 25 and max(dissipated) > 1e3 * min(dissipated) > 0  # levels do differ


def anything_but_yes_or_no_is_refused():
    done = subprocess.run(command("refused.h5", "-lanes", "eight"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr == "error: -lanes: expected yes or no, found 'eight'\n", done.stderr


def nor_do_they_where_a_mass_is_condensed():
    lanes_change_no_bit(mass=0)


def runs_that_were_broken_off_go_on():
    write(CHAIN, steps=40000, mass=0.9)
    with subprocess.Popen(command("broken.h5", "-save_interval", "0.02"), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not os.path.exists("broken.h5.restart"):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.wait()
    assert len(os.listdir("broken.h5.restart")) > 1  # several motions were on their way
    assert not (faults := differences(run("broken.h5", "--resume"), run("whole.h5", "-lanes", "no"))), faults


def levels_move_as_scipy_says():
    levels, h, steps = [0.1, 0.4, 0.7, 1.0, 1.3, 1.6, 1.9, 2.2, 2.5], 1e-4, 10000
    write(DUFFING, h=h, steps=steps, levels=levels)
    run("duffing.h5")
    damping = 2 * 0.03 * np.sqrt(900 / 2) * 2
    with h5py.File("duffing.h5") as file:
        for level, moved in zip(levels, file["transient"].values()):
            def rate(t, y):
                return y[1], (10 * level * np.sin(8 * np.pi * t) - damping * y[1] - 900 * y[0] - 3e5 * y[0]**3) / 2

            times = moved["time"][()]
            exact = solve_ivp(rate, (0, times[-1]), (0, 0), "DOP853", times, rtol=1e-11, atol=1e-14).y[0]
            error = np.max(np.abs(moved["points/block/displacement"][:, 0] - exact)) / np.max(np.abs(exact))
            assert error < 5e-5, (level, error)  # of the step: 1.3e-5 at most


if __name__ == "__main__":
    in_a_folder(lanes_change_no_bit, anything_but_yes_or_no_is_refused, nor_do_they_where_a_mass_is_condensed, runs_that_were_broken_off_go_on, levels_move_as_scipy_says)
