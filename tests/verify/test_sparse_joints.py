#!/usr/bin/env python3
"""test_sparse_joints.py - a chain of many joints, whose steps take sparse factors and no modes, moves as textbook steps of numpy and scipy do; the
same to the bit on any number of ranks, and after --resume; `check` and the log say that no modes are needed. [timeout: 300]"""
import os
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
from scipy.linalg import solve_banded

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
from compare_results import differences, read

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_MPIEXEC"]
MASSES, STEP, STEPS = 200, 2e-4, 500
SPRING, STUCK, SLIP = 1e4, 2e4, 15.0
AMPLITUDE, FREQUENCY = 30.0, 12.0  # of the base
PUSH, PULSE = 150.0, 9.0           # on m57
RAYLEIGH = (0.5, 1e-5)
MASS = 1.0 + 0.1 * (np.arange(MASSES) % 7)


def write_case(name, steps, every, runs=""):
    """Springs between neighbours, and joints that go to the ground and to a neighbour in turn."""
    points = [f"m{i}" for i in range(MASSES)]
    lines = ["masses:"] + [f"  {point}: {{mass: {mass}}}" for point, mass in zip(points, MASS)]
    lines += ["springs:"] + [f"  - {{between: [{'ground' if i == 0 else points[i - 1]}, {points[i]}], stiffness: {SPRING}}}" for i in range(MASSES)]
    lines += ["laws:", f"  slider: {{law: jenkins, stiffness: {STUCK}, slip_force: {SLIP}}}", "joints:"]
    lines += [f"  j{i}: {{between: [{points[i - 1] if i % 2 else 'ground'}, {points[i]}], x: slider}}" for i in range(MASSES)]
    lines += [f"damping: {{rayleigh: {{mass: {RAYLEIGH[0]}, stiffness: {RAYLEIGH[1]}}}}}", "studies:", "  - transient:", "      name: shake",
              f"      time_step: {STEP}", f"      steps: {steps}", f"      every: {every}", *([f"      runs: {runs}"] if runs else []),
              "      load:", f"        - harmonic: {{base: x, amplitude: {AMPLITUDE}, frequency: {FREQUENCY}}}",
              f"        - harmonic: {{point: m57, amplitude: {PUSH}, frequency: {PULSE}}}",
              "      watch: {points: [m0, m57, m199], joints: [j56, j57]}"]
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def run(*arguments, code=0, ranks=1):
    command = [PROGRAM, "run", *arguments]
    if ranks > 1:
        command = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def tridiagonal(to_left, to_ground):
    """The matrix of links [N/m] from each mass to the one on its left, and to the ground, as solve_banded has it."""
    bands = np.zeros((3, MASSES))
    bands[1] = to_left + to_ground
    bands[1, :-1] += to_left[1:]
    bands[0, 1:] = bands[2, :-1] = -to_left[1:]
    return bands


def times(bands, u):
    product = bands[1] * u
    product[:-1] += bands[0, 1:] * u[1:]
    product[1:] += bands[2, :-1] * u[:-1]
    return product


def textbook():
    """Average acceleration [Newmark 1959], the equilibrium at the end of each step by Newton's method on all unknowns. Motions of three masses, and
    what two joints have dissipated."""
    odd = np.arange(MASSES) % 2 == 1
    rows = lambda u: np.where(odd, u - np.concatenate(([0.0], u[:-1])), u)
    between = lambda k: tridiagonal(np.where(odd, k, 0.0), np.where(odd, 0.0, k))
    forces = lambda f: f - np.concatenate((np.where(odd, f, 0.0)[1:], [0.0]))
    K = tridiagonal(np.full(MASSES, SPRING), np.zeros(MASSES))
    C = RAYLEIGH[1] * (K + between(np.full(MASSES, STUCK)))
    C[1] += RAYLEIGH[0] * MASS
    u, v, a, slider, lost = (np.zeros(MASSES) for _ in range(5))
    found = [np.zeros(5)]
    for n in range(1, STEPS + 1):
        start_u, start_v = u + STEP * v + STEP**2 / 4 * a, v + STEP / 2 * a
        load = -MASS * AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * n * STEP)
        load[57] += PUSH * np.sin(2 * np.pi * PULSE * n * STEP)
        for _ in range(20):
            trial = STUCK * (rows(u) - slider)
            force = np.clip(trial, -SLIP, SLIP)
            a = 4 / STEP**2 * (u - start_u)
            v = start_v + STEP / 2 * a
            left = MASS * a + times(C, v) + times(K, u) + forces(force) - load
            J = 2 / STEP * C + K + between(np.where(np.abs(trial) > SLIP, 0.0, STUCK))
            J[1] += 4 / STEP**2 * MASS
            change = solve_banded((1, 1), J, left)
            u = u - change
            if np.abs(change).max() <= 1e-15 * np.abs(u).max():
                break
        force = np.clip(STUCK * (rows(u) - slider), -SLIP, SLIP)
        a, v = 4 / STEP**2 * (u - start_u), start_v + 2 / STEP * (u - start_u)
        at = np.where(np.abs(force) < SLIP, slider, rows(u) - force / STUCK)
        lost, slider = lost + SLIP * np.abs(at - slider), at
        found.append(np.array([*u[[0, 57, 199]], *lost[[56, 57]]]))
    return np.array(found).T


def check_textbook():
    """Newton's last changes were 1e-15 of u. 2.4e-13 was the most of motions and energies."""
    write_case("chain", STEPS, 1)
    assert "sparse matrices: steps need no modes" in run("chain.yaml", "-v").stderr
    told = subprocess.run([PROGRAM, "check", "chain.yaml"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    assert "sparse matrices: steps need no modes" in told, told
    expected = textbook()
    with h5py.File("chain.h5") as file:
        shake = file["transient/shake"]
        names = [f"points/{point}/displacement" for point in ("m0", "m57", "m199")] + [f"joints/{joint}/x/dissipated" for joint in ("j56", "j57")]
        for name, right in zip(names, expected):
            error = np.abs(shake[name][()].ravel() - right).max() / np.abs(right).max()
            assert error < 1e-10, f"{name}: off by {error:.2g}"
            assert np.abs(right).max() > 0.0
        balance, work = shake["energy/balance"][()], shake["energy/work"][()]
        assert np.abs(balance).max() < 1e-10 * np.abs(work).max(), np.abs(balance).max() / np.abs(work).max()


def check_ranks():
    write_case("levels", 300, 10, "[{level: [0.5, 1, 2]}]")
    for ranks in (1, 2):
        run("levels.yaml", "-o", f"levels{ranks}.h5", "-q", ranks=ranks)
    faults = differences(read("levels1.h5"), read("levels2.h5"))
    assert not faults, faults[:5]


def break_off():
    """Once there is something to go on from. The exit code."""
    if os.path.exists("long.h5"):
        os.remove("long.h5")
    program = subprocess.Popen([PROGRAM, "run", "long.yaml", "-q", "-save_interval", "0.02"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while not os.path.isdir("long.h5.restart") and program.poll() is None:
        time.sleep(0.001)
    program.send_signal(signal.SIGTERM)
    return program.wait()


def check_resume():
    """A busy machine may let the program come to its end before the signal."""
    write_case("long", 12000, 100)
    run("long.yaml", "-o", "whole.h5", "-q")
    codes = [break_off()]
    while codes[-1] == 0 and len(codes) < 5:
        codes.append(break_off())
    assert codes[-1] == 3, codes
    run("long.yaml", "--resume", "-q")
    faults = differences(read("whole.h5"), read("long.h5"))
    assert not faults, faults[:5]


if __name__ == "__main__":
    check_textbook()
    check_ranks()
    check_resume()
