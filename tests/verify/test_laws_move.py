#!/usr/bin/env python3
"""A mass on a spring and on a joint of each law that has a memory, struck and left to ring: energy is kept, Newton converges, slip dissipates.
[timeout: 300]"""
import os
import subprocess

import h5py
import numpy as np
import yaml
from scipy import integrate

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
STEPS = 4000
MEMORYLESS = ("linear", "elastic:")  # properties of laws that have nothing to dissipate or to remember
SEVERAL = "several components"  # laws of faces: they have tests of their own
ACTIVE = "may give out energy that it never took"

# dF/dx = g(p, x, v, F, s), s the direction, for the first example of a law: as the papers have it, integrated by scipy.
RATES = {
    "dahl": lambda p, x, v, f, s: p["stiffness"] * (1 - s * f / p["slip_force"]),
    "bouc_wen": lambda p, x, v, f, s: p["k_l"] + p["k_h"] * (p["A"] - (p["B"] * s * np.sign(f - p["k_l"] * x) + p["C"]) * abs(f - p["k_l"] * x) / p["k_h"]),
    "valanis": lambda p, x, v, f, s: valanis(p, s * (p["slip_stiffness"] * x - f)),
    "generalized_valanis": lambda p, x, v, f, s: p["C1"] + s * (p["P1_x"] * x - p["C2"] * f),
}
FALLBACKS = {"A": 1, "C": 0, "k_l": 0}  # of the examples above
TIME_STEP, SPRING, SPEED = 0.05, 0.5, 2
# Error of the energies, what the tolerance of Newton leaves, of the energy at the start. Where the force is one of the velocity alone it has one sign as
# long as the mass goes one way, and adds up: 2e-10, proportional to the tolerance.
BALANCE, SUMMED_BALANCE = 2e-11, 1e-9


def valanis(p, left):
    """Eqs 2 and 6 of jalali2022 with a linear g, case I."""
    part = left / (p["slip_force"] * (1 - p["kappa"] * p["slip_stiffness"] / p["stiffness"]))
    return p["stiffness"] * (1 + part) / (1 + p["kappa"] * part)


def told(*words):
    return subprocess.run([PROGRAM, "help", *words], check=True, capture_output=True, text=True).stdout


def section(text, title):
    """The lines of a section of the help."""
    return [line.strip() for line in text.split(f"\n{title}\n")[1].split("\n\n")[0].splitlines()]


def examples():
    """Name, text to paste, and properties of every example of a law of one component with a memory."""
    for line in told("laws").splitlines():
        help_of_law = told("laws", line.split()[0])
        properties = section(help_of_law, "properties")
        if SEVERAL in properties[0] or any(text.startswith(MEMORYLESS) for text in properties):
            continue
        for example in section(help_of_law, "examples, of order one"):
            text, what = example.split(" # ")
            yield line.split()[0], text, properties + what.split("; ")


def move(law):
    """Struck to a few slip displacements, the mass rings down through all amplitudes."""
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(f"""
masses: {{ block: {{ mass: 1 }} }}
springs: [ {{ between: [ground, block], stiffness: {SPRING} }} ]
joints: {{ joint: {{ between: [ground, block], x: {law} }} }}
studies: [ {{ transient: {{ name: ring, time_step: {TIME_STEP}, steps: {STEPS}, initial: {{ velocity: {{ block: {SPEED} }} }} }} }} ]
""")
    done = subprocess.run([PROGRAM, "run", "case.yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{law}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return h5py.File("case.h5")["transient/ring"]


def check(law, active):
    """Newton needs two iterations a step, a few at kinks; energy is kept to its tolerance; what slip takes is what the motion loses."""
    with move(law).file as file:
        run = file["transient/ring"]
        kinetic, strain, joints, balance = (run["energy/" + key][:] for key in ("kinetic", "strain", "joints", "balance"))
        dissipated, start = run["joints/joint/x/dissipated"][:], kinetic[0] + strain[0]
        assert len(run["time"]) == STEPS + 1 and run["halved"][0] == 0, f"{law}: {len(run['time'])} steps"
        assert run["iterations"][0] <= 2.1 * STEPS, f"{law}: {run['iterations'][0]} iterations"
        allowed = (SUMMED_BALANCE if "tanh_friction" in law else BALANCE) * start
        assert np.max(np.abs(balance)) < allowed, f"{law}: balance {np.max(np.abs(balance))}"
        assert kinetic[-1] + strain[-1] < 0.2 * start, f"{law} hardly dissipates"
        if not active:  # so that what is dissipated may fall for a while
            assert np.all(np.diff(dissipated) >= -1e-15 * start), law
        stored = joints[-1] - dissipated[-1]
        assert -5e-3 * start < stored < 0.1 * start, f"{law}: {stored} J left in the joint"
        return run["points/block/displacement"][:, 0]


def check_motion(law, motion, rate):
    """Against scipy, a second-order scheme's error away."""
    times = TIME_STEP * np.arange(401)
    parameters = {**FALLBACKS, **yaml.safe_load(law)}

    def change(_, state):
        x, v, f = state
        return v, -SPRING * x - f, rate(parameters, x, v, f, 1 if v > 0 else -1) * v

    exact = integrate.solve_ivp(change, (0, times[-1]), (0, SPEED, 0), t_eval=times, rtol=1e-8, atol=1e-10, max_step=TIME_STEP).y[0]
    assert np.max(np.abs(motion[:401] - exact)) < 5e-3 * np.max(np.abs(exact)), f"{law}: off by {np.max(np.abs(motion[:401] - exact))}"


def main():
    seen = set()
    for kind, law, properties in examples():
        motion = check(law, ACTIVE in properties)
        if kind in RATES and kind not in seen:
            check_motion(law, motion, RATES[kind])
        seen.add(kind)
    assert set(RATES) <= seen, f"no example of {set(RATES) - seen}"


if __name__ == "__main__":
    main()
