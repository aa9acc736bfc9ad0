#!/usr/bin/env python3
"""Rough surfaces to model and curve, against scipy's quadrature of the asperities, a memory of its own and the Bouc-Wen equation."""
import os
import subprocess
import sys

import numpy as np
from scipy import integrate, optimize

sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "scripts"))
sys.dont_write_bytecode = True
from papers import masing
from papers.asperities import Asperities

FOLDER = os.path.join(os.path.dirname(os.environ["DOVETAIL_PROGRAM"]), "tests")

# roughness, radius, density, young and poisson of both, area, load, friction, cut, correction
SURFACES = {
    "table 1": (0.5e-6, 150e-6, 5e8, 200e9, 0.3, 200e9, 0.3, 500e-6, 50, 0.3, 3, 0),
    # eta = eta_i, R = R_i / 2, sigma = sqrt(2) sigma_i, mu = 0.16, 70 GPa (errata)
    "table 2": (np.sqrt(2) * 0.8e-6, 85e-6, 250e6, 70e9, 0.3, 70e9, 0.3, 77e-4, 2 * 9.81, 0.16, 3, 0),
    "of steel on polymer, uncorrected": (2e-6, 40e-6, 1e9, 210e9, 0.28, 3e9, 0.4, 1e-4, 400, 0.25, 4, 1),
    "cut low": (1e-6, 1e-4, 1e9, 2e11, 0.3, 2e11, 0.3, 1e-4, 5, 0.3, 1, 0),
    "barely touching": (1e-6, 1e-4, 1e9, 2e11, 0.3, 2e11, 0.3, 1e-4, 1e-9, 0.3, 3, 0),
    "high tips": (1e-6, 1e-4, 1e9, 2e11, 0.3, 2e11, 0.3, 1e-4, 1, 0.3, 8, 0.6),
    "pressed deep": (1e-6, 1e-4, 1e9, 2e11, 0.3, 2e11, 0.3, 1e-4, 2e6, 0.3, 3, 0),
}


def ask(program, *arguments, text=""):
    """Lines of a program of tests/verify."""
    command = [os.path.join(FOLDER, program), *[a if isinstance(a, str) else repr(float(a)) for a in arguments]]
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout.splitlines()


def model_of(surface):
    return {key: float(value) for key, value in (line.split() for line in ask("dump_derived", "rough_interface", *surface))}


def follow(law, surface, motions):
    """Rows of force, stiffness, dissipated; None stands for a new joint."""
    text = "".join("new\n" if motion is None else repr(float(motion)) + "\n" for motion in motions)
    return np.array([[float(number) for number in line.split()] for line in ask("dump_law", law, *surface, text=text)])


def virgin(law, surface, motions):
    return follow(law, surface, [item for motion in motions for item in (None, motion)])


def assert_close(actual, expected, tolerance, what):
    error = np.max(np.abs(np.asarray(actual) / expected - 1))
    assert error < tolerance, f"{what}: {actual} is not {expected}, off by {error:.2g}"


def path(slip_motion, seed):
    """Zigzags: wild, then shrinking, then growing again."""
    random = np.random.default_rng(seed)
    ranges = np.concatenate([np.full(20, 1.4), 1.2 * 0.85**np.arange(20), 1.2 * 0.85**np.arange(20)[::-1]])
    return slip_motion * ranges * np.where(np.arange(60) % 2, -1, 1) * random.uniform(0.3, 1, 60)


def check_model(name, surface):
    asperities, model = Asperities(*surface), model_of(surface)
    expected = {"correction": asperities.xi, "slip_force": asperities.slip_force, "stiffness": asperities.stiffness,
                "slip_displacement": asperities.slip_motion, "fullness": asperities.slip_force / asperities.stiffness / asperities.slip_motion}
    for key, value in expected.items():
        assert_close(model[key], value, 1e-9, f"{name}: {key}")
    assert abs(model["separation"] / asperities.sigma + asperities.depth - asperities.cut) < 1e-9, name
    check_fit(name, model)


def check_fit(name, model):
    """Eq. 39 itself: the slope begins at K_T, ends at 0, and sums to Q_L."""
    decaying, level, decay = model["Lambda_1"], model["Lambda_0"], model["Omega_1"]
    if model["fullness"] >= 0.5:
        assert np.isnan(decay), name
        return
    root = optimize.brentq(lambda w: 1 / w - 1 / np.expm1(w) - model["fullness"], 1e-3, 700, xtol=1e-14, rtol=1e-14)
    assert_close(decay, root, 1e-9, f"{name}: Omega_1")
    assert_close(decaying - level, model["stiffness"], 1e-12, f"{name}: C-I")
    assert_close(decaying * np.exp(-decay), level, 1e-12, f"{name}: C-II")
    assert_close((decaying / decay * -np.expm1(-decay) - level) * model["slip_displacement"], model["slip_force"], 1e-9, f"{name}: C-III")
    assert_close(model["bouc_wen_B"], decay / 2 / model["slip_displacement"], 1e-14, f"{name}: B")
    assert_close(model["bouc_wen_fall"], level / model["stiffness"], 1e-14, f"{name}: fall of A")


def check_curve(name, surface):
    asperities = Asperities(*surface)
    motions = asperities.slip_motion * np.concatenate([np.geomspace(1e-6, 0.01, 10), np.linspace(0.013, 0.999, 75), [0.99999, 1.5]])
    rows = virgin("rough_interface", surface, motions)
    forces = np.array([asperities.force(motion) for motion in motions])
    tangents = np.array([asperities.tangent(motion) for motion in motions])
    assert np.max(np.abs(rows[:, 0] - forces)) < 1e-10 * asperities.slip_force, name
    assert np.max(np.abs(rows[:, 1] - tangents)) < 1e-9 * asperities.stiffness, name
    if name != "pressed deep":  # where scipy loses digits in the asperities themselves
        direct = np.array([asperities.force_by_asperities(motion) for motion in motions[12:60:6]])
        assert np.max(np.abs(rows[12:60:6, 0] - direct)) < 1e-9 * asperities.slip_force, name
    check_energy(name, surface, asperities)


def check_energy(name, surface, asperities):
    """In a steady cycle."""
    ratios = (0.05, 0.3, 0.7, 1, 1.7)
    tops = [ratio * asperities.slip_motion for ratio in ratios]
    loops = follow("rough_interface", surface, [item for top in tops for item in (None, top, -top, top)]).reshape(-1, 3, 3)
    for ratio, top, loop in zip(ratios, tops, loops):
        expected = masing.lost_in_cycle(asperities.force, top, asperities.slip_motion)
        assert_close(loop[2, 2] - loop[0, 2], expected, 1e-9, f"{name}: energy at {ratio}")


def check_path(name, surface):
    asperities = Asperities(*surface)
    motions = path(asperities.slip_motion, 5)
    forces = follow("rough_interface", surface, motions)[:, 0]
    assert np.max(np.abs(forces - masing.follow(asperities.force, motions))) < 1e-9 * asperities.slip_force, name


def check_bouc_wen(name, surface):
    """dz = (A - B Sign(dx z) |z|) dx with the memory form of A (errata), from one reversal to the next, each inside the one before."""
    model = model_of(surface)
    if np.isnan(model["Omega_1"]):
        return
    motions = model["slip_displacement"] * np.array([0.9, -0.6, 0.5, -0.3, 0.2])
    forces = follow("rough_exponential", surface, motions)[:, 0]
    start = np.array([0.0, 0.0])
    for i, motion in enumerate(motions):
        sense, b, fall = np.sign(motion - start[0]), model["bouc_wen_B"] * (2 if i == 0 else 1), model["bouc_wen_fall"]

        def rate(x, z, turn=start, s=sense, b=b):
            return 1 + s * b * (turn[1] + fall * (turn[0] - x)) - b * s * np.sign(z) * np.abs(z)

        step = integrate.solve_ivp(rate, (start[0], motion), [start[1]], method="DOP853", rtol=1e-12, atol=1e-13 * model["slip_displacement"],
                                   max_step=abs(motion - start[0]) / 50)
        start = np.array([motion, step.y[0, -1]])
        assert abs(model["stiffness"] * start[1] - forces[i]) < 1e-9 * model["slip_force"], name


for title, values in SURFACES.items():
    check_model(title, values)
    check_curve(title, values)
    check_path(title, values)
    check_bouc_wen(title, values)
assert_close(model_of(SURFACES["table 2"])["slip_force"], 3.139, 2e-4, "Q_L of table 2, errata")
