#!/usr/bin/env python3
"""test_rate_laws_in_motion.py - transients of oscillators with Valanis' laws, also those that depend on velocity, converge with the square
of the step to what scipy finds from rest, reversal by reversal (cases/jalali_sdof)."""
import importlib.util
import os
import subprocess

import h5py
import numpy as np
import yaml

CASE = os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", "jalali_sdof")
PERIODS, SAMPLES, STEPS = 4, 100, (400, 800, 1600)
RATIO = (3.6, 4.4)  # of the error at one step to that at half of it; a step that happens to end on a reversal shows


def load_checks():
    specification = importlib.util.spec_from_file_location("checks", os.path.join(CASE, "checks.py"))
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def move(checks, steps):
    """Displacement and force of every oscillator, with so many steps in a period."""
    with open(os.path.join(CASE, "case.yaml"), encoding="utf-8") as file:
        case = yaml.safe_load(file)
    transient = case["studies"][0]["transient"]
    transient.update(time_step=float(checks.PERIOD / steps), steps=PERIODS * steps, every=steps // SAMPLES)
    with open(f"steps_{steps}.yaml", "w", encoding="utf-8") as file:
        yaml.safe_dump(case, file)
    subprocess.run([os.environ["DOVETAIL_PROGRAM"], "run", f"steps_{steps}.yaml", "-o", f"steps_{steps}.h5", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(f"steps_{steps}.h5") as file:
        joints = file["transient/steady/joints"]
        return {name: np.array([joints[f"{name}/x/{key}"][:] for key in ("displacement", "force")]) for name in joints}


def main():
    checks = load_checks()
    times = np.arange(PERIODS * SAMPLES + 1) * checks.PERIOD / SAMPLES
    motions = [move(checks, steps) for steps in STEPS]
    for name, slope in checks.SLOPES.items():
        exact = checks.integrate(slope, (0.0, 0.0, 0.0), times)[[0, 2]]
        errors = [np.max(np.abs(motion[name] - exact), axis=1) / np.max(np.abs(exact), axis=1) for motion in motions]
        ratios = np.sqrt(errors[0] / errors[2])
        assert np.all(errors[2] < 5e-4), f"{name}: {errors}"
        assert np.all((RATIO[0] < ratios) & (ratios < RATIO[1])), f"{name}: {errors}"


if __name__ == "__main__":
    main()
