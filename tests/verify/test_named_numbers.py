#!/usr/bin/env python3
"""Numbers that could be taken for others are named for what they are, and are that: energies that start at time 0, loads that end with the motion, half
peak to peak beside the first harmonic, cycles that overlap, energy that numerical damping takes, beams with and without rotary inertia."""
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import box
import sumali
from touching import agree, in_a_folder

BLOCK = """
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e3 }} ]
joints: {{ pad: {{ between: [ground, block], x: {{ law: {law} }} }} }}
studies: [ {study} ]
"""
SLIDER = "jenkins, stiffness: 2e3, slip_force: 1"


def run(text, word="run"):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists("case.h5"):
        os.remove("case.h5")
    done = subprocess.run(sumali.command(word, "case.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return done.stdout


def energies_count_from_the_initial_motion():
    """A slider that was dragged by 3 mm has lost 1 N times 2.5 mm before; from then on what it takes is what it loses and stores, f^2 / 2 k. Measured:
    6e-4 of the most, from steps in which it begins to slip or to stick; the loss before, 2.5e-3 J, would be as much as all of it."""
    run(BLOCK.format(law=SLIDER, study="transient: { name: t, time_step: 1e-3, steps: 500, initial: { displacement: { block: 3e-3 } }, watch: { joints: all } }"))
    with h5py.File("case.h5") as file:
        joint, energy = file["transient/t/joints/pad/x"], file["transient/t/energy"]
        stored = joint["force"][()] ** 2 / (2 * 2e3)
        assert joint["dissipated"][0] == 0 and energy["joints"][0] == 0 and stored[0] > 0
        agree("joints", energy["joints"][()], stored - stored[0] + joint["dissipated"][()], 3e-3)
        assert joint["dissipated"][-1] > 1e-3, "it does not slip"


def a_load_that_ends_with_the_motion_is_whole():
    """m a + k u of the block is the load: all of 10 N where the table and the motion end together, half where the motion goes on without the load."""
    with open("ramp.csv", "w", encoding="utf-8") as file:
        file.write("0 0\n5 10\n")
    for steps, share in ((5000, 1.0), (5001, 0.5)):
        run(BLOCK.format(law="spring, stiffness: 2e3", study=f"transient: {{ name: t, time_step: 1e-3, steps: {steps}, load: {{ table: {{ point: block, file: ramp.csv }} }} }}"))
        with h5py.File("case.h5") as file:
            point = file["transient/t/points/block"]
            force = 2 * point["acceleration"][5000, 0] + 1e4 * point["displacement"][5000, 0]
            agree("force at the last line of the table", force, 10 * share, 1e-9)


def responses_name_both_amplitudes():
    """Under sines a hardening spring moves with a third harmonic, so that half peak to peak is not the first one."""
    said = run(BLOCK.format(law="cubic, stiffness: 2e3, cubic: 1e9", study="response: { name: r, frequencies: [9, 10], steps: 100, load: { harmonic: { point: block, amplitude: 20 } } }")
               .replace("studies", "damping: { modal: 0.05 }\nstudies"))
    row = next(line.split() for line in said.splitlines() if line.split()[:1] == ["up_1"])
    assert "half p-p 1st harmonic" in said and "half p-p: half from the lowest to the highest value in a cycle" in said, said
    with h5py.File("case.h5") as file:
        curve = file["response/r/up_1"]
        place = np.argmax(curve["amplitude"][:, 0])
        both = curve["amplitude"][place, 0], curve["harmonics"][place, 0, 0]
        agree("printed", [float(row[3]), float(row[4]), float(row[5])], [*both, curve["frequency"][place]], 1e-5)
        assert abs(both[0] / both[1] - 1) > 1e-3, both


def numerical_damping_is_named():
    for alpha in (-0.1, 0):
        said = run(BLOCK.format(law="spring, stiffness: 2e3", study=f"transient: {{ name: t, time_step: 1e-3, steps: 100, alpha: {alpha}, initial: {{ velocity: {{ block: 1 }} }} }}"))
        assert ("with alpha -0.1 and gamma 0.6 it is what this numerical damping takes" in said) == (alpha < 0), said


def cycles_that_overlap_are_told():
    """A sine of three periods turns six times, between which lie four cycles; of each half of the next is a part, so that every second one adds up to
    the loss of whole periods, 4 F (a - F / k)."""
    text = "laws: { slider: { law: " + SLIDER + " } }\nstudies: [ { loop: { law: slider, path: { sine: { amplitude: 3e-3, cycles: 3 } } } } ]\n"
    assert "4 cycles, each overlapping the next by half" in run(text, "check")
    assert "each shares half of its path with the next; for sums take every second one" in run(text)
    with h5py.File("case.h5") as file:
        cycles = file["loop/loop/cycles"]
        agree("loss of two periods", np.sum(cycles["dissipated"][::2]), 2 * 4 * 1 * (3e-3 - 1 / 2e3), 1e-9)
        assert cycles["begin"][1] < cycles["end"][0]


def even_terms_of_a_symmetric_joint_turn_their_sign():
    """The loop of a symmetric law with a term x^2, P2(x) = P1(-x): as the study says, the branch down has that term with the opposite sign."""
    fits = "".join(f"  - fit_polynomial: {{ name: {branch}, data: {{ of: loop }}, terms: [x, x2], branch: {branch} }}\n" for branch in ("up", "down"))
    said = run("laws: { v: { law: generalized_valanis, C1: 1.1, C2: 1.4, P1_x: 0.3, P1_x2: 0.2 } }\nstudies:\n  - loop: { law: v, path: { sine: { amplitude: 1, cycles: 3 } } }\n" + fits)
    assert said.count("terms of even order: x2; of a symmetric joint a fit of `branch: down` gives these with the opposite sign") == 1, said
    with h5py.File("case.h5") as file:
        up, down = (file[f"fit_polynomial/{branch}/value"][()] for branch in ("up", "down"))
        agree("up", up, [1.1, 0.3, 0.2, 1.4], 1e-4)
        agree("down", down, [1.1, 0.3, -0.2, 1.4], 1e-4)


def beams_have_rotary_inertia_unless_told():
    """A supported beam, k = n pi / L: w^2 = E I k^4 / (rho A + rho I k^2) with Rayleigh's inertia, E I k^4 / (rho A) without. With 48 cubic elements 1e-6
    above that in the third mode, falling with the fourth power."""
    box.line("beam.msh", 1.0, 48)
    for rotary, share in (("yes", 1), ("no", 0)):
        run(f"""
mesh: beam.msh
materials: {{ steel: {{ young: 210e9, poisson: 0.3, density: 7850 }} }}
parts: {{ beam: {{ element: beam_euler, material: steel, section: {{ rectangle: {{ height: 0.1, width: 0.2 }}, orientation: [0, 1, 0], rotary_inertia: {rotary} }} }} }}
supports: [ {{ group: beam, directions: [x, z, rx, ry] }}, {{ group: root, directions: y }}, {{ group: tip, directions: y }} ]
studies: [ {{ modes: {{ count: 3 }} }} ]
""")
        with h5py.File("case.h5") as file:
            omega = file["modes/stuck/omega"][()]
        k = math.pi * np.arange(1, 4)
        radius = 0.1**2 / 12  # I / A
        agree(f"rotary inertia {rotary}", omega, np.sqrt(210e9 * radius * k**4 / (7850 * (1 + share * radius * k**2))), 1e-5)


if __name__ == "__main__":
    in_a_folder(energies_count_from_the_initial_motion, a_load_that_ends_with_the_motion_is_whole, responses_name_both_amplitudes,
                numerical_damping_is_named, cycles_that_overlap_are_told, even_terms_of_a_symmetric_joint_turn_their_sign,
                beams_have_rotary_inertia_unless_told)
