#!/usr/bin/env python3
"""A mass on a spring and on a joint of each law that has a memory, struck and left to ring: energy is kept, Newton converges, slip dissipates."""
import os
import subprocess

import h5py
import numpy as np
from scipy import integrate

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
STEPS = 4000
# Joints of about 1 N/m that slip at about 1 N, some at each side of what a law distinguishes.
SPHERES = "young_1: 0.85, poisson_1: 0.3, young_2: 0.85, poisson_2: 0.3, friction: 0.5, load: 1.4"
ROUGH = "roughness: 0.3, asperity_radius: 0.3, density: 2, young_1: 1.1, poisson_1: 0.3, young_2: 1.1, poisson_2: 0.3, area: 1.5, load: 1.5, friction: 0.5"
LAWS = {
    "jenkins": ["stiffness: 1.2, slip_force: 0.6"],
    "iwan4": ["slip_force: 0.7, stiffness: 1, chi: -0.5, beta: 5", "slip_force: 0.7, stiffness: 1, chi: -0.5, beta: 5, sliders: 20"],
    "mindlin": ["contact_radius: 0.5, shear_modulus: 0.25, friction: 0.5, load: 1.4"],
    "mindlin_spheres": [f"radius_1: 2, radius_2: 2, {SPHERES}"],
    "rough_interface": [ROUGH],
    "rough_exponential": [ROUGH],
    "dahl": ["stiffness: 1.2, slip_force: 0.6", "stiffness: 1.2, slip_force: 0.6, alpha: 0.3333333333333333"],
    "mindlin_dahl": ["stiffness: 1.2, slip_force: 0.6"],
    "mindlin_dahl_simplified": ["stiffness: 1.2, slip_force: 0.6, cycle_force: 0.5"],
    "bouc_wen": ["k_l: 0.1, k_h: 1, A: 1.1, B: 1.5, C: 0.4", "k_h: 1, A: 1.1, B: 1.5, C: -0.4, N: 2", "k_h: 0.8, B: 1, C: 0.3, N: 1.7"],
    "bouc_wen_rough": ["stiffness: 1.2, slip_displacement: 0.8, decay: 1.7, offset: 0.2, k_l: 0.1"],
    "valanis": ["stiffness: 1.5, slip_stiffness: 0.1, slip_force: 0.7, kappa: 0.6",
                "stiffness: 1.5, slip_stiffness: 0.1, slip_force: 0.7, kappa: 0.6, shape: 3, slip_stiffness_below: 0.3",
                "stiffness: 3, slip_stiffness: 0.1, slip_force: 0.7, kappa: 0.4, shape: 2, slip_stiffness_quadratic: 0.1",
                "stiffness: 3, slip_stiffness: 0.1, slip_force: 0.7, kappa: 0.4, shape: 2, slip_stiffness_quadratic: 0.1, denominator: 2"],
    "generalized_valanis": ["C1: 1.1, C2: 1.4, P1_x: 0.3", "C1: 1.1, C2: 1.4, P1_x: 0.3, P1_v: 0.05, P1_x2: 0.1, P1_x3: 0.05"],
}
WITHOUT_MEMORY = {"spring", "damper", "cubic", "gap"}
OF_FACES = {"rough_contact", "rough_contact_fading"}  # three components and a press: they have tests of their own


# dF/dx = g(x, v, F, s), s the direction, for the first case of a law: as the papers have it, integrated by scipy.
RATES = {
    "dahl": lambda x, v, f, s: 1.2 * (1 - s * f / 0.6),
    "bouc_wen": lambda x, v, f, s: 0.1 + 1.1 - (1.5 * s * np.sign(f - 0.1 * x) + 0.4) * abs(f - 0.1 * x),
    "valanis": lambda x, v, f, s: 1.5 * (1 + s * (0.1 * x - f) / (0.7 * (1 - 0.6 * 0.1 / 1.5))) / (1 + 0.6 * s * (0.1 * x - f) / (0.7 * (1 - 0.6 * 0.1 / 1.5))),
    "generalized_valanis": lambda x, v, f, s: 1.1 + s * (0.3 * x - 1.4 * f),
}
TIME_STEP, SPRING, SPEED = 0.05, 0.5, 2


def move(law, parameters):
    """Struck to a few slip displacements, the mass rings down through all amplitudes."""
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(f"""
masses: {{ block: {{ mass: 1 }} }}
springs: [ {{ between: [ground, block], stiffness: {SPRING} }} ]
joints: {{ joint: {{ between: [ground, block], x: {{ law: {law}, {parameters} }} }} }}
studies: [ {{ transient: {{ name: ring, time_step: {TIME_STEP}, steps: {STEPS}, initial: {{ velocity: {{ block: {SPEED} }} }} }} }} ]
""")
    done = subprocess.run([PROGRAM, "run", "case.yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{law} {parameters}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return h5py.File("case.h5")["transient/ring"]


def check(law, parameters):
    """Newton needs two iterations a step, a few at kinks; energy is kept to its tolerance; what slip takes is what the motion loses."""
    with move(law, parameters).file as file:
        run, what = file["transient/ring"], f"{law} {parameters}"
        kinetic, strain, joints, balance = (run["energy/" + key][:] for key in ("kinetic", "strain", "joints", "balance"))
        dissipated, start = run["joints/joint/x/dissipated"][:], kinetic[0] + strain[0]
        assert len(run["time"]) == STEPS + 1 and run["halved"][0] == 0, f"{what}: {len(run['time'])} steps"
        assert run["iterations"][0] <= 2.1 * STEPS, f"{what}: {run['iterations'][0]} iterations"
        assert np.max(np.abs(balance)) < 1e-11 * start, f"{what}: balance {np.max(np.abs(balance))}"
        assert kinetic[-1] + strain[-1] < 0.2 * start, f"{what} hardly dissipates"
        if law != "generalized_valanis":  # where F^2 / (2 C1) is called stored, so that what is dissipated may fall for a while
            assert np.all(np.diff(dissipated) >= -1e-15 * start), what
        stored = joints[-1] - dissipated[-1]
        assert -5e-3 * start < stored < 0.1 * start, f"{what}: {stored} J left in the joint"
        return run["points/block/displacement"][:, 0]


def check_motion(law, motion, rate):
    """Against scipy, a second-order scheme's error away."""
    times = TIME_STEP * np.arange(401)

    def change(_, state):
        x, v, f = state
        return v, -SPRING * x - f, rate(x, v, f, 1 if v > 0 else -1) * v

    exact = integrate.solve_ivp(change, (0, times[-1]), (0, SPEED, 0), t_eval=times, rtol=1e-8, atol=1e-10, max_step=TIME_STEP).y[0]
    assert np.max(np.abs(motion[:401] - exact)) < 5e-3 * np.max(np.abs(exact)), f"{law}: off by {np.max(np.abs(motion[:401] - exact))}"


if __name__ == "__main__":
    told = subprocess.run([PROGRAM, "help", "laws"], check=True, capture_output=True, text=True).stdout
    listed = {line.split()[0] for line in told.splitlines()}
    known = set(LAWS) | WITHOUT_MEMORY | OF_FACES
    assert listed == known, f"laws without a case: {listed ^ known}"
    for kind, variants in LAWS.items():
        motions = [check(kind, variant) for variant in variants]
        if kind in RATES:
            check_motion(kind, motions[0], RATES[kind])
