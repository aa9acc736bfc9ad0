#!/usr/bin/env python3
"""Reactions at supports in motions (`reactions: yes` of a transient, and of modes) are those of matrices in numpy, in balance with inertia, loads and
joints, and those of a static where loads come slowly. [timeout: 300]"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import scipy.linalg

import one_mesh
from test_reactions import HEIGHT, LENGTH, WIDTH, about_origin, write
from touching import agree, in_a_folder, refused, solve, start

CELLS, STEP, STEPS, RATIO, STIFFNESS = (5, 2, 2), 2e-5, 400, 0.02, 3e6
CASE = """mesh: bar.msh
materials: {{ steel: {{ young: 2e11, poisson: 0.3, density: 8000 }} }}
parts: {{ bar: steel }}
supports: {supports}
points: {{ end: {{ at: [0.3, 0.03, 0.02] }}, middle: {{ at: [0.18, 0, 0] }} }}
joints: {{ brake: {{ between: [ground, middle], z: {{ law: jenkins, stiffness: {stiffness}, slip_force: 40 }} }} }}
patterns: {{ weight: {{ gravity: [1.5, -2.5, -9.81] }}, push: {{ pressure: top }} }}
reduction: {{ {reduction} }}
damping: {damping}
studies:
  - modes: {{ joints: stuck, count: 500, reactions: yes }}
  - transient: {{ reactions: yes, time_step: {step}, steps: {steps}, watch: {{ modes: all }}, load: [ {loads} ] }}
{more}"""
LOADS = """{{ half_sine: {{ point: end, direction: y, amplitude: 300, duration: {t} }} }}, {{ half_sine: {{ pattern: weight, amplitude: 30, duration: {t} }} }},
    {{ half_sine: {{ pattern: push, amplitude: 1e5, duration: {t} }} }}, {{ half_sine: {{ base: x, amplitude: 400, duration: {t} }} }}"""
DURATION = 4e-3


def case(**given):
    return CASE.format(**{"supports": "[ { group: root } ]", "reduction": "modes: { count: 5 }", "damping": f"{{ modal: {RATIO} }}", "step": STEP,
                          "steps": STEPS, "loads": LOADS.format(t=DURATION), "stiffness": STIFFNESS, "more": "", **given})


def reactions(group):
    return {name: np.hstack([support["force"][()], support["moment"][()]]) for name, support in group["supports"].items()}


class Bar:
    """K, M of all nodes; forces of a unit of each load on them; R the rigid motions about the origin, all from the mesh alone."""

    def __init__(self):
        counts = [n + 1 for n in CELLS]
        self.nodes = np.array([(LENGTH * i / CELLS[0], WIDTH * j / CELLS[1], HEIGHT * k / CELLS[2])
                               for i in range(counts[0]) for j in range(counts[1]) for k in range(counts[2])])
        at = np.arange(len(self.nodes)).reshape(counts)
        cells = [[at[i, j, k], at[i + 1, j, k], at[i + 1, j + 1, k], at[i, j + 1, k], at[i, j, k + 1], at[i + 1, j, k + 1], at[i + 1, j + 1, k + 1],
                  at[i, j + 1, k + 1]] for i in range(CELLS[0]) for j in range(CELLS[1]) for k in range(CELLS[2])]
        self.K, self.M = one_mesh.matrices("free", self.nodes, {"bar": (3, 5, cells)})
        self.held = np.repeat(self.nodes[:, 0] == 0, 3)
        self.R = np.zeros((len(self.K), 6))
        for c in range(3):
            self.R[c::3, c] = 1
        for n, place in enumerate(self.nodes):
            self.R[3 * n:3 * n + 3, 3:] = np.array([np.cross(axis, place) for axis in np.eye(3)]).T
        self.loads = np.zeros((4, len(self.K)))
        self.loads[0, 3 * self.place(0.3, 0.03, 0.02) + 1] = 300
        self.loads[1] = 30 * self.M @ self.R[:, :3] @ [1.5, -2.5, -9.81]
        for j in range(CELLS[1]):  # a quarter of each face to each of its corners
            for i in range(CELLS[0]):
                for n in (at[i, j, -1], at[i + 1, j, -1], at[i, j + 1, -1], at[i + 1, j + 1, -1]):
                    self.loads[2, 3 * n + 2] -= 1e5 * LENGTH * WIDTH / CELLS[0] / CELLS[1] / 4
        self.loads[3] = -400 * self.M @ self.R[:, 0]
        self.joint = np.zeros(len(self.K))
        self.joint[3 * self.place(0.18, 0, 0) + 2] = 1

    def place(self, *place):
        return int(np.argmin(np.linalg.norm(self.nodes - place, axis=1)))

    def modes(self, count):
        free = ~self.held
        K0 = (self.K + STIFFNESS * np.outer(self.joint, self.joint))[np.ix_(free, free)]
        values, shapes = scipy.linalg.eigh(K0, self.M[np.ix_(free, free)])
        return K0, values[:count], shapes[:, :count]


def signal(time):
    return np.where(time < DURATION, np.sin(np.pi * time / DURATION), 0.0)


def like(bar, file, shapes):
    """Modes have the signs of those in the result."""
    end = np.searchsorted(np.flatnonzero(~bar.held), 3 * bar.place(0.3, 0.03, 0.02) + np.arange(3))
    own, names = file["modes/stuck/shape"], [name.decode() for name in file["system/motions"]]
    first = names.index("end x")
    return shapes * np.sign(np.sum(own[first:first + 3] * shapes[end], axis=0))


def expected(bar, file, run, count):
    """Reactions by K u + M u'' + C u' - p of held nodes, u with the static part of modes left out, from the coordinates and the joint of the result;
    and what rigid-body mechanics says they are."""
    free, held = ~bar.held, bar.held
    K0, values, shapes = bar.modes(count)
    shapes = like(bar, file, shapes)
    q, v, time = run["modal/displacement"][()], run["modal/velocity"][()], run["time"][()]
    joint = run["joints/brake/z"]
    remainder = joint["force"][()] - STIFFNESS * joint["displacement"][()]
    p = np.outer(signal(time), bar.loads.sum(axis=0))
    s = p[:, free] - np.outer(remainder, bar.joint[free])
    c = 2 * RATIO * np.sqrt(values)
    a = s @ shapes - c * v - values * q
    u = q @ shapes.T + np.linalg.solve(K0, s.T).T - s @ shapes @ (shapes / values).T
    on_held = u @ bar.K[np.ix_(free, held)] + a @ shapes.T @ bar.M[np.ix_(free, held)] - p[:, held] + (v * c / values) @ shapes.T @ bar.K[np.ix_(free, held)]
    inertia = a @ shapes.T @ bar.M[free] @ bar.R
    on_joint = joint["force"][()] + STIFFNESS * (v * c / values) @ shapes.T @ bar.joint[free]  # ratios of modes damp what it is stuck with, too
    return on_held @ bar.R[held], inertia - p @ bar.R + np.outer(on_joint, bar.joint @ bar.R)


def as_in_numpy():
    """Five modes and the compliance of all others, a joint that slips, modal damping, four kinds of loads: those of numpy to 9e-10 of the largest, and
    in balance with inertia, loads and the joint likewise: what is left of accelerations that are found from coordinates and loads."""
    write("hex8", CELLS)
    bar = Bar()
    for ranks, count in ((1, 5), (2, 5), (3, 1)):
        with solve(case(reduction=f"modes: {{ count: {count} }}"), ranks=ranks) as file:
            found = reactions(file["transient/transient"])["root"]
            direct, balance = expected(bar, file, file["transient/transient"], count)
            assert np.abs(file["transient/transient/joints/brake/z/dissipated"][-1]) > 0
        for c, what in ((slice(0, 3), "forces"), (slice(3, 6), "moments")):
            agree(f"{count} modes, {ranks} ranks, {what}", found[:, c], direct[:, c], 5e-9)
            agree(f"{count} modes, {ranks} ranks, {what} in balance", found[:, c], balance[:, c], 5e-9)


def of_modes():
    """K phi - omega^2 M phi at held nodes, of modes in numpy, on 2 ranks; the same of a mesh that other studies reduce and of one that none does."""
    bar = Bar()
    _, values, shapes = bar.modes(8)
    for reduction in ("modes: { count: 8 }", None):
        text = case(reduction=reduction or "")
        if not reduction:
            text = text.replace("reduction: {  }\n", "").split("  - transient")[0].replace("count: 500", "count: 8")
        with solve(text, ranks=2) as file:
            own = like(bar, file, shapes)
            found = np.hstack([file["modes/stuck/supports/root"][key][()] for key in ("force", "moment")])
        direct = (own.T @ bar.K[np.ix_(~bar.held, bar.held)] - values[:, None] * (own.T @ bar.M[np.ix_(~bar.held, bar.held)])) @ bar.R[bar.held]
        agree("reactions of modes", found, direct, 1e-10)


def as_reduced_otherwise():
    """Craig-Bampton with all fixed-interface modes, whose coordinates are no modes, moves as all modes do."""
    write("hex8", (3, 2, 1))
    found = []
    for damping in (f"{{ modal: {RATIO} }}", "{ rayleigh: { mass: 20, stiffness: 2e-6 } }"):
        for reduction in ("modes: { count: 500 }", "craig_bampton: { modes: 500, keep: [end] }"):
            with solve(case(reduction=reduction, damping=damping)) as file:
                found.append(reactions(file["transient/transient"])["root"])
        agree(f"Craig-Bampton, {damping}", found[-1], found[-2], 1e-6)


def as_at_rest():
    """Loads that come over 0.4 s, thirty periods of the first mode, and stay: reactions of a static, to what still swings."""
    write("tet10", (3, 1, 1))
    slow = LOADS.replace("half_sine", "step").replace("duration: {t}", "rise: 0.4").format()
    still = LOADS.replace("half_sine", "force").replace(", duration: {t}", "").format()
    text = case(loads=slow, step=1e-3, steps=500, stiffness="3e6, slip_force: 1e9").replace(", slip_force: 40", "")
    text += f"  - static: {{ reactions: yes, load: [ {still} ] }}\n"
    for supports in ("[ { group: root } ]", "[ { group: root, directions: [x, z] }, { group: side, directions: y }, { group: tip } ]"):
        with solve(text.replace("[ { group: root } ]", supports)) as file:
            found, rest = reactions(file["transient/transient"]), reactions(file["static/static"])
        assert set(found) == set(rest) and len(found) == supports.count("group")
        largest = max(np.abs(of[-1, :3]).max() for of in rest.values())
        for name, of in rest.items():
            for c in (slice(0, 3), slice(3, 6)):
                size = largest * (1 if c.start == 0 else LENGTH)
                assert np.abs(found[name][-1, c] - of[-1, c]).max() < 3e-3 * size, (supports, name, found[name][-1], of[-1])


def refused_where_not_known():
    write("hex8", (2, 1, 1))
    refused(case(supports="[]").replace("count: 500, reactions: yes", "count: 5"), "transient.reactions: need `supports`")
    done = start(case(loads="{ half_sine: { base: rx, duration: 1e-3 } }"), environment={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    assert done.returncode == 2 and "transient.reactions: are not known under a base that turns" in done.stderr, done.stderr
    refused("masses: { m: { mass: 1 } }\nsprings: [ { between: [ground, m], stiffness: 1 } ]\nstudies:\n"
            "  - transient: { reactions: yes, time_step: 1, steps: 1, load: { step: { point: m } } }\n", "joints to the ground")


if __name__ == "__main__":
    in_a_folder(as_in_numpy, of_modes, as_reduced_otherwise, as_at_rest, refused_where_not_known)
