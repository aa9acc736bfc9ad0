"""Two bars that nothing holds but their bolts: preload, rigid and elastic modes about it, momentum and forces in motion. [timeout: 300]

The bars are 0.42 m long and 30 x 15 mm each; mesh and forces of the bolts are those of bolted.py.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import scipy.optimize

import bolted
from touching import agree, in_a_folder, solve

LENGTH, SIDE, YOUNG, POISSON, DENSITY = 0.42, 0.03, 210e9, 0.3, 7850.0
MASS = DENSITY * LENGTH * SIDE**2
HALF_A_LAYER = 2 * 0.5 * 0.005 * 0.02 * 0.01 / (LENGTH * SIDE**2)  # of the mass, of the bricks of both shanks at their cuts
THROW, PULL, RISE, TIME_STEP = 3e3, 2e5, 0.05, 2e-5
ABOUT = f"about: tight, time_step: {TIME_STEP}, watch: {{ modes: all, parts: all }}"


def pulls(pattern, kind="step", more=f", rise: {RISE}"):
    return f"{{ {kind}: {{ pattern: {pattern}, amplitude: {-PULL}{more} }} }}"


STUDIES = f"""  - preload: {{ name: tight }}
  - modes: {{ about: tight, count: 12, joints: stuck }}
  - transient: {{ name: thrown, {ABOUT}, steps: 1000, load: {{ step: {{ point: corner, direction: z, amplitude: {THROW} }} }} }}
  - transient: {{ name: lifted, {ABOUT}, steps: 3000, load: {pulls("pull")} }}
  - transient: {{ name: pried, {ABOUT}, steps: 3000, load: [ {pulls("pull")}, {pulls("hold")} ] }}
  - static: {{ name: pulled, about: tight, load: [ {pulls("pull", "force", "")}, {pulls("hold", "force", "")} ], steps: 4 }}
"""


def written(studies, joint=None):
    text = bolted.CASE.format(modes=20, studies=studies)
    for own, other in (("supports: [ { group: bottom } ]\n", ""), ("{ pressure: top } }", "{ pressure: top }, hold: { pressure: bottom } }"),
                       ("[0.07, 0.03, 0.03]", f"[{LENGTH}, {SIDE}, {SIDE}]")):
        assert own in text
        text = text.replace(own, other)
    return text if not joint else text[: text.index("joints:")] + f"joints: {{ face: {{ faces: [low_face, up_face], {joint} }} }}\nstudies:\n{studies}"


def free_beam(number):
    """Frequencies [Hz] of a free beam that shears (S. Timoshenko; k = 5/6): zeros of the determinant of moment and shear force at both ends, in the
    solutions exp(p x) of its two equations, between those of Bernoulli's beam."""
    area, inertia, shear = SIDE**2, SIDE**4 / 12, 5 / 6 * YOUNG / 2 / (1 + POISSON) * SIDE**2

    def determinant(omega):
        a, b = DENSITY * area * omega**2, DENSITY * inertia * omega**2
        # shear (w'' - t') + a w = 0 and E I t'' + shear (w' - t) + b t = 0 with w = exp(p x), t = (p + a/(shear p)) exp(p x)
        p = np.roots([YOUNG * inertia, 0, YOUNG * inertia * a / shear + b, 0, a * b / shear - a]).astype(complex)
        turn = p + a / shear / p
        rows = [factor * np.exp(p * x) for x in (0, LENGTH) for factor in (turn * p, p - turn)]
        found = np.linalg.det(np.array(rows) / np.exp(np.abs(p.real) * LENGTH))
        return found.real + found.imag

    bernoulli = [x**2 * np.sqrt(YOUNG * inertia / DENSITY / area) / LENGTH**2 for x in (4.730041, 7.853205, 10.995608)]
    grid = np.linspace(0.3 * bernoulli[0], bernoulli[number - 1], 400)
    values = [determinant(omega) for omega in grid]
    return [scipy.optimize.brentq(determinant, grid[i], grid[i + 1]) / 2 / np.pi for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0]


def glued_frequencies():
    """Bending in both planes. Measured: 4e-3, 1.5e-2; bricks of 20 mm, and slots round the shanks, make 3e-2 of the third."""
    with solve(written("  - modes: { count: 12, joints: stuck }\n", "tied: yes")) as file:
        glued = file["modes/stuck/frequency"][()]
    first, second = free_beam(2)
    agree("glued: first bending", glued[6:8], [first, first], 0.012)
    agree("glued: second bending", glued[8:10], [second, second], 0.045)
    return glued


def between_the_faces(run):
    """What the bolts pull more than the faces press [N]."""
    return sum(run[f"bolts/{bolt}/tension"][()] for bolt in bolted.BOLTS) - run["joints/face/contact/pressing"][()].sum(axis=1)


def floating():
    """Momentum is what the loads have given. Half of a force that lifts all goes through the joint, all of one that pries the bars apart; the tension is
    the force of the bricks above the cut, which accelerate a half layer that lies there. Measured: 7e-13; 8e-5 and 1e-5, as all still rings a little."""
    bolted.COUNT, bolted.CELL, bolted.BOLTS = (21, 3), (0.02, 0.01, 0.005), {"b1": (1, 1), "b2": (19, 1)}
    bolted.write_mesh()
    glued, force = glued_frequencies(), PULL * LENGTH * SIDE
    with solve(written(STUDIES)) as file:
        agree("tension", file["preload/tight/tension"][-1], [4e3, 5e3], 1e-9)
        own, rigid = file["modes/stuck/frequency"][()], file["modes/stuck/participation"][()]
        assert not np.any(own[:6]) and not np.any(glued[:6]) and np.all(own[6:] > 0.5 * glued[6]) and np.all(own[6:] < glued[6:]), (own, glued)
        agree("mass", np.sum(rigid[:6, :3] ** 2, axis=0), 3 * [MASS], 1e-10)
        impulses = {"thrown": lambda t: THROW * t, "lifted": lambda t: force * np.where(t < RISE, t**2 / 2 / RISE, t - RISE / 2), "pried": np.zeros_like}
        for name, given in impulses.items():
            run = file[f"transient/{name}"]
            momentum, scale = run["modal/velocity"][:, :6] @ rigid[:6, :3], force * RISE
            agree(f"{name}: momentum", 1 + momentum / scale, 1 + np.outer(given(run["time"][()]) / scale, [0, 0, 1]), 1e-10)
        for name, share in (("lifted", 0.5 + HALF_A_LAYER), ("pried", 1.0)):
            agree(f"{name}: force between the bars", between_the_faces(file[f"transient/{name}"])[-500:].mean(), share * force, 1e-3)
        pried, pulled = ([file[f"{study}/bolts/{bolt}/tension"][-500:] for bolt in bolted.BOLTS] for study in ("transient/pried", "static/pulled"))
        agree("pried: tensions", np.mean(pried, axis=1), [tension[-1] for tension in pulled], 1e-3)
        lifted = [file[f"transient/lifted/bolts/{bolt}/tension"][-500:].mean() for bolt in bolted.BOLTS]
        assert all(tension[0] - 10 < mean < tension[-1] for tension, mean in zip(pulled, lifted)), (lifted, pulled)


if __name__ == "__main__":
    in_a_folder(floating)
