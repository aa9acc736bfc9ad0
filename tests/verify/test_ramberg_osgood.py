#!/usr/bin/env python3
"""The law ramberg_osgood against its inverse u(F), solved by scipy's brentq, a memory of its own and the closed form of its loops."""
import os
import subprocess
import sys

import numpy as np
from scipy import optimize

sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "scripts"))
sys.dont_write_bytecode = True
from papers import masing

DUMP_LAW = os.path.join(os.path.dirname(os.environ["DOVETAIL_PROGRAM"]), "tests", "dump_law")
DECADES = np.logspace(-12, 6, 73)  # motions over F_y / k

# stiffness, yield_force, alpha, exponent
CURVES = [(1.2, 0.6, 0.5, 7), (5e8, 2e3, 3 / 7, 1.7), (1, 0.4, 20, 3), (2e6, 50, 0.002, 40), (1, 1, 1e6, 100), (1, 1, 1, 1.01)]


def follow(curve, motions):
    """Rows of force, stiffness, dissipated; None stands for a new joint."""
    text = "".join("new\n" if motion is None else repr(float(motion)) + "\n" for motion in motions)
    lines = subprocess.run([DUMP_LAW, "ramberg_osgood", *map(repr, map(float, curve))], input=text, check=True, capture_output=True, text=True).stdout
    return np.array([[float(number) for number in line.split()] for line in lines.splitlines()])


def motion_of(curve, force):
    stiffness, yield_force, alpha, exponent = curve
    return force / stiffness * (1 + alpha * (force / yield_force) ** (exponent - 1))


def force_of(curve, motion):
    if motion == 0:
        return 0.0
    stiffness, yield_force, alpha, exponent = curve
    most = min(stiffness * motion, yield_force * (stiffness * motion / (alpha * yield_force)) ** (1 / exponent))
    return optimize.brentq(lambda force: motion_of(curve, force) - motion, 0.3 * most, 1.000001 * most, xtol=1e-300, rtol=4 * np.finfo(float).eps)


def lost_in_cycle(curve, force):
    """4 (n - 1) / (n + 1) F times the motion of the power at F: the area of the loop between -F and F [Jennings 1964]."""
    stiffness, yield_force, alpha, exponent = curve
    return 4 * (exponent - 1) / (exponent + 1) * force * alpha * force / stiffness * (force / yield_force) ** (exponent - 1)


def assert_close(actual, expected, tolerance, what):
    """To a relative tolerance, above numbers that are 0 but for the range of floating point."""
    error = np.max(np.abs(actual - expected) / np.maximum(np.abs(expected), 1e-290))
    assert error < tolerance, f"{what}: off by {error:.2g}"


def check_curve(curve):
    """Over eighteen decades: the force, the tangent 1 / (du/dF), and what is dissipated, a quarter of a loop. The law takes the power from a
    logarithm, whose rounding grows n times in the tangent and in what is dissipated: up to 7e-15 and 7e-14 at n = 40 and 100. Forces are right to 3.4e-15 without fma, 2.6e-15 with it."""
    stiffness, yield_force, alpha, exponent = curve
    motions = DECADES * yield_force / stiffness
    rows = follow(curve, [item for motion in motions for item in (None, motion)])
    forces = np.array([force_of(curve, motion) for motion in motions])
    assert_close(rows[:, 0], forces, 2e-14, f"{curve}: force")
    assert_close(rows[:, 1], stiffness / (1 + alpha * exponent * (forces / yield_force) ** (exponent - 1)), 3e-14, f"{curve}: stiffness")
    assert_close(rows[:, 2], lost_in_cycle(curve, forces) / 4, 3e-13, f"{curve}: dissipated")


def check_loops(curve):
    """A steady cycle, and a path of nested and closed loops."""
    stiffness, yield_force = curve[:2]
    top = 3 * (1 + curve[2]) * yield_force / stiffness
    rows = follow(curve, [top, -top, top])
    assert_close(rows[2, 2] - rows[0, 2], lost_in_cycle(curve, rows[0, 0]), 1e-12, f"{curve}: a loop")
    random = np.random.default_rng(1)
    path = top * np.concatenate([random.uniform(-1, 1, 60), 0.9 ** np.arange(40) * random.uniform(0.5, 1, 40) * (-1) ** np.arange(40)])
    expected = masing.follow(lambda motion: force_of(curve, motion), path)
    error = np.max(np.abs(follow(curve, path)[:, 0] - expected)) / np.max(np.abs(expected))
    assert error < 1e-13, f"{curve}: a path is off by {error:.2g}"


if __name__ == "__main__":
    for one in CURVES:
        check_curve(one)
        check_loops(one)
