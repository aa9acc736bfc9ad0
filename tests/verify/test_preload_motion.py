"""A tower that is pressed on its foot, moved about the preload: 20 modes against the whole mesh, and energies while it chatters. [timeout: 300]

The whole mesh moves in a program of this file: Newmark's rule with average acceleration on all of its unknowns, and springs with friction between the
nodes of the faces, which match. It takes stiffness and mass of the bodies from dovetail, nothing else.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import scipy.linalg

import one_mesh
import h5py

from touching import Bodies, agree, in_a_folder, solve, start

SIZE, TALL, FOOT, CELLS = (0.04, 0.03), 1.0, 0.02, (4, 3, 8)
ALL = 3 * 5 * 4 * (9 + 1)  # modes: nodes of the tower, and of the foot above the ground
NORMAL, TANGENTIAL, FRICTION, PRESSURE = 2e13, 1e13, 0.2, 2e7

CASE = """mesh: pressed.msh
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: {density} }} }}
parts: {{ foot: steel, tower: steel }}
supports: [ {{ group: ground }} ]
points:
  tip: {{ at: [0, 0, {tall}], of: tower }}
  low: {{ at: [0, 0, {low}], of: tower }}
{points}
patterns: {{ press: {{ pressure: top }} }}
reduction: {{ modes: {{ count: {modes} }} }}
joints:
  face:
    faces: [low_face, up_face]
    contact: {{ law: rough_contact, friction: {friction}, normal_stiffness: {normal}, tangential_stiffness: {tangential} }}
studies:
  - preload: {{ name: pressed, load: {{ force: {{ pattern: press, amplitude: {pressure} }} }} }}
{studies}"""


class Tower:
    """A foot that stands on the ground and a tower on it: nodes, and those of both faces in pairs."""

    def __init__(self):
        self.bodies = Bodies()
        for name, cells, bottom, height, faces in (("foot", 1, -FOOT, FOOT, {"ground": (2, 0), "low_face": (2, -1)}),
                                                   ("tower", CELLS[2], 0.0, TALL, {"up_face": (2, 0), "top": (2, -1)})):
            self.bodies.grid(name, "hex8", (*CELLS[:2], cells), lambda i, j, k, n=cells, z=bottom, h=height:
                             (SIZE[0] * i / CELLS[0], SIZE[1] * j / CELLS[1], z + h * (k / n) ** 2), faces)
        self.places = np.array(self.bodies.nodes)
        self.lower, self.upper = (np.unique(self.bodies.groups[group][2]) for group in ("low_face", "up_face"))
        assert np.array_equal(self.places[self.lower], self.places[self.upper])
        self.areas = self.weights("up_face")[self.upper]

    def weights(self, group):
        """Areas of the nodes of a face, all alike."""
        areas = np.zeros(len(self.places))
        np.add.at(areas, np.array(self.bodies.groups[group][2]), SIZE[0] * SIZE[1] / CELLS[0] / CELLS[1] / 4)
        return areas

    def body(self, name):
        """Its name, nodes and elements, numbered from 0."""
        dimension, shape, elements = self.bodies.groups[name]
        first = np.min(elements)
        return name, self.places[first:np.max(elements) + 1], {name: (dimension, shape, [[int(n - first) for n in nodes] for nodes in elements])}

    def write(self):
        self.bodies.write("pressed.msh")

    def case(self, modes, studies, friction=FRICTION, points=False):
        """With `points`: l0, u0 and so on, the nodes of both faces."""
        pairs = "".join(f"  {side}{i}: {{ at: {list(map(float, self.places[node]))}, of: {body} }}\n" for side, body, nodes in
                        (("l", "foot", self.lower), ("u", "tower", self.upper)) for i, node in enumerate(nodes)) if points else ""
        return CASE.format(young=one_mesh.YOUNG, poisson=one_mesh.POISSON, density=one_mesh.DENSITY, tall=TALL, low=TALL / CELLS[2] ** 2, points=pairs,
                           modes=modes, friction=friction, normal=NORMAL, tangential=TANGENTIAL, pressure=PRESSURE, studies=studies)


def dragged(begin, way, first, last):
    """Stretches that are dragged along straight ways within circles whose radii change in proportion, in angles: how they end, and how far they slip after
    which part of the way. A radius of nothing is 1e-100, as logarithms want one."""
    rise, along = last - first, np.hypot(*way.T)
    a, b, c = along ** 2 - rise ** 2, np.sum(begin * way, axis=1) - first * rise, np.minimum(np.sum(begin ** 2, axis=1) - first ** 2, 0)
    c[c > -1e-15 * first ** 2] = 0
    part = np.clip((np.sqrt(np.maximum(b * b - a * c, 0)) - b) / np.where(a == 0, 1, a), 0, 1)
    onset = begin + part[:, None] * way
    first, last, left = np.maximum(first + part * rise, 1e-100), np.maximum(last, 1e-100), (1 - part) * along
    equal = np.abs(last - first) < 1e-9 * first
    per_radius = np.where(equal, 2 / (first + last), np.log(last / first) / np.where(equal, 1, last - first))
    towards = np.arctan2(way[:, 1], way[:, 0])
    delta = (towards - np.where(np.hypot(*onset.T) > 0, np.arctan2(onset[:, 1], onset[:, 0]), towards) + np.pi) % (2 * np.pi) - np.pi
    turned = 2 * np.arctan(np.tan(delta / 2) * np.exp(-left * per_radius))
    bent = np.log(np.cos(delta / 2) ** 2 + np.sin(delta / 2) ** 2 * np.exp(-2 * left * per_radius))
    end = last[:, None] * np.column_stack([np.cos(towards - turned), np.sin(towards - turned)])
    return end, np.maximum(left + bent / per_radius - (last - first), 0), part


class Springs:
    """Of points with their areas: rows x y z each, z normal. Closed where z is negative; they remember where they stick and were last. Steps are straight."""

    def __init__(self, areas, friction=FRICTION):
        self.normal, self.tangential, self.friction = NORMAL * areas, TANGENTIAL * areas, friction
        self.origin, self.last, self.slip_work = np.zeros((len(areas), 2)), np.zeros((len(areas), 3)), 0.0

    def stuck(self):
        return np.column_stack([self.tangential, self.tangential, self.normal]).ravel()

    def radius(self, z):
        return self.friction * NORMAL / TANGENTIAL * np.maximum(-z, 0)

    def force(self, motion):
        d = motion.reshape(-1, 3)
        before, after = self.last[:, 2], d[:, 2]
        self.closed, within = after < 0, np.where(before == after, 1, np.maximum(before, after) - np.minimum(before, after))
        touching = np.where(np.maximum(before, after) <= 0, 1, np.maximum(-np.minimum(before, after), 0) / within)
        begin, way = self.last[:, :2] - self.origin, touching[:, None] * (d - self.last)[:, :2]
        first, last = np.maximum(self.radius(before), np.hypot(*begin.T)), self.radius(after)
        self.stretch = begin + way
        self.size = np.hypot(*self.stretch.T)
        slips = self.size > last
        end, length, part = dragged(begin, way, first, last)
        limits = self.friction * self.normal * np.maximum(-np.array([before, after]), 0)
        self.loss = np.sum(slips * length * (limits[0] * (1 - part) + limits[1] * (1 + part)) / 2)
        self.share = np.where(slips, last / np.maximum(self.size, 1e-300), 1.0)
        self.kept = np.where(slips[:, None], end, self.stretch) * self.closed[:, None]
        return np.column_stack([self.tangential[:, None] * self.kept, self.normal * np.minimum(after, 0)]).ravel()

    def tangent(self):
        """Of the last force, as if its slip had the direction of the stretch, which is near enough for Newton's method: blocks of the points."""
        blocks = np.zeros((len(self.size), 3, 3))
        direction = self.stretch / np.maximum(self.size, 1e-300)[:, None]
        across = np.eye(2) - (self.share < 1)[:, None, None] * direction[:, :, None] * direction[:, None, :]
        blocks[:, :2, :2] = (self.closed * self.tangential * self.share)[:, None, None] * across
        blocks[:, 2, 2] = self.closed * self.normal
        blocks[:, :2, 2] = -(self.closed * (self.share < 1) * self.friction * self.normal)[:, None] * direction
        return scipy.linalg.block_diag(*blocks)

    def accept(self, motion):
        self.force(motion)
        self.slip_work += self.loss
        self.last = motion.reshape(-1, 3).copy()
        self.origin = self.last[:, :2] - self.kept

    def stored(self, force):
        force = force.reshape(-1, 3)
        return np.sum(force[:, 2] ** 2 / self.normal + np.sum(force[:, :2] ** 2, axis=1) / self.tangential) / 2


def meet(springs, influence, motion, guess):
    """Newton's method on d + H (f(d) - k d) = d_lin, shortened while the imbalance grows."""
    def imbalance(d):
        return d + influence @ (springs.force(d) - stuck * d) - motion

    stuck, d = springs.stuck(), guess.copy()
    error = imbalance(d)
    for _ in range(60):
        if np.abs(error).max() <= 1e-11 * np.abs(d).max():
            return d
        step, share = np.linalg.solve(np.eye(len(d)) + influence @ (springs.tangent() - np.diag(stuck)), -error), 1.0
        while np.linalg.norm(imbalance(d + share * step)) > np.linalg.norm(error) and share > 1e-3:
            share /= 2
        d = d + share * step
        error = imbalance(d)
    raise AssertionError("no equilibrium")


class WholeMesh:
    """K and M of all nodes that move, and the differences of the faces."""

    def __init__(self, tower):
        stiffness, mass = (scipy.linalg.block_diag(*of) for of in zip(*(one_mesh.matrices(*tower.body(name)) for name in ("foot", "tower"))))
        self.moving = np.repeat(tower.places[:, 2] > -FOOT + 1e-9, 3)
        rows = np.zeros((3 * len(tower.lower), len(self.moving)))
        for i, (low, up) in enumerate(zip(tower.lower, tower.upper)):
            rows[3 * i:3 * i + 3, 3 * up:3 * up + 3], rows[3 * i:3 * i + 3, 3 * low:3 * low + 3] = np.eye(3), -np.eye(3)
        self.rows = rows[:, self.moving]
        self.springs = Springs(tower.areas)
        self.mass = mass[np.ix_(self.moving, self.moving)]
        self.stuck = stiffness[np.ix_(self.moving, self.moving)] + self.rows.T * self.springs.stuck() @ self.rows
        self.place = np.cumsum(self.moving) - 1

    def press(self, load):
        factor = scipy.linalg.cho_factor(self.stuck)
        linear = self.rows @ scipy.linalg.cho_solve(factor, load)
        influence = self.rows @ scipy.linalg.cho_solve(factor, self.rows.T)
        d = meet(self.springs, influence, linear, linear)
        self.springs.accept(d)
        return scipy.linalg.cho_solve(factor, load - self.rows.T @ (self.springs.force(d) - self.springs.stuck() * d))

    def march(self, u, load, time_step, seen):
        """Average acceleration from rest at u, load(step): motions of the unknowns that are `seen`."""
        factor = scipy.linalg.cho_factor(self.stuck + 4 / time_step**2 * self.mass)
        reached = scipy.linalg.cho_solve(factor, self.rows.T)
        influence, stuck = self.rows @ reached, self.springs.stuck()
        v, a, d, moved = np.zeros_like(u), np.zeros_like(u), self.rows @ u, [u[seen]]
        for p in load:
            linear = scipy.linalg.cho_solve(factor, p + self.mass @ (4 / time_step**2 * u + 4 / time_step * v + a))
            d = meet(self.springs, influence, self.rows @ linear, d)
            new = linear - reached @ (self.springs.force(d) - stuck * d)
            self.springs.accept(d)
            a, before = 4 / time_step**2 * (new - u) - 4 / time_step * v - a, a
            v, u = v + time_step / 2 * (a + before), new
            moved.append(u[seen])
        return np.array(moved)


PUSH, DRIVE, PERIODS, STEPS = 3e3, 15.0, 2, 150


def shaken_on_the_whole_mesh():
    """Motions of the tip along x and z and of the place that is pushed along x, and what slipping has lost."""
    tower = Tower()
    tower.write()
    mesh = WholeMesh(tower)
    tip, low = (int(np.argmin(np.abs(tower.places - [0, 0, height]).sum(axis=1))) for height in (TALL, TALL / CELLS[2] ** 2))
    press, push = np.zeros((2, 3 * len(tower.places)))
    press[2::3], push[3 * low] = -PRESSURE * tower.weights("top"), PUSH
    press, push = press[mesh.moving], push[mesh.moving]
    rest = mesh.press(press)
    before = mesh.springs.slip_work
    load = (press + push * np.sin(2 * np.pi * (n + 1) / STEPS) for n in range(PERIODS * STEPS))
    moved = mesh.march(rest, load, 1 / DRIVE / STEPS, mesh.place[[3 * tip, 3 * tip + 2, 3 * low]])
    return tower, moved - moved[0], mesh.springs.slip_work - before


def shaken(tower, modes, ranks=1):
    """The same by dovetail."""
    study = (f"  - transient: {{ about: pressed, time_step: {1 / DRIVE / STEPS!r}, steps: {PERIODS * STEPS}, watch: {{ parts: all }}, "
             f"load: {{ harmonic: {{ point: low, direction: x, frequency: {DRIVE}, amplitude: {PUSH} }} }} }}\n")
    with solve(tower.case(modes, study), ranks=ranks) as file:
        run = file["transient/transient"]
        assert run["joints/face/contact/share"][:, 2].max() > 0.7
        tip, low = (run[f"points/{name}/displacement"][()] for name in ("tip", "low"))
        return np.column_stack([tip[:, 0], tip[:, 2], low[:, 0]]), run["joints/face/contact/dissipated"][-1].sum()


def modes_move_as_the_whole_mesh():
    """Two periods of a push near the foot, at half the first frequency: up to 3/4 of the area slide. Measured, relative to the largest: with all modes
    3e-9 of the motions and of the loss; with 20 modes 3.9e-5, 2.6e-4, 4.8e-4 and 4.6e-4 (the trial with the flange: 1e-5 of the motion, 3e-4 of
    the loss); with 5 modes 7e-3 of the loss."""
    tower, moved, lost = shaken_on_the_whole_mesh()
    for modes, allowed in ((20, (1.5e-4, 1e-3, 2e-3, 2e-3)), (ALL, 4 * (2e-8,))):
        own, loss = shaken(tower, modes)
        for name, one, other, tolerance in zip(("tip x", "tip z", "low x"), own.T, moved.T, allowed):
            agree(f"{modes} modes: {name}", one, other, tolerance)
        agree(f"{modes} modes: loss", loss, lost, allowed[-1])
    alone, loss = shaken(tower, 20)
    for ranks in (2, 3):
        own, loss_on = shaken(tower, 20, ranks)
        agree(f"{ranks} ranks: motion", own, alone, 1e-8)
        agree(f"{ranks} ranks: loss", loss_on, loss, 1e-8)


def replayed(tower, friction, first, moved):
    """Of the points that move so from the preload: what slipping loses, and the energy stored, less the work of the forces of the preload."""
    springs = Springs(tower.areas, friction)
    springs.accept(first)
    rest, springs.slip_work = springs.force(first), 0.0
    stored, lost = [], []
    for motion in moved:
        springs.accept(first + motion)
        stored.append(springs.stored(springs.force(first + motion)) - springs.stored(rest) - rest @ motion)
        lost.append(springs.slip_work)
    return np.array(stored), np.array(lost)


def gaps(group, tower, last):
    """Motions of the upper nodes against the lower ones, rows of all points."""
    upper, lower = ([group[f"points/{side}{i}/displacement"][last, :3] for i in range(len(tower.lower))] for side in "ul")
    return np.concatenate(np.array(upper) - np.array(lower), axis=-1)


BLOW = """load: [ { half_sine: { point: tip, direction: z, amplitude: 6e4, duration: 5e-4 } },
                      { half_sine: { point: low, direction: x, amplitude: 2e4, duration: 5e-4 } } ]"""


def warned_of_chatter(text):
    """Runs it: what it warns of energies that faces lose or make, and the most of that by its result, relative to the work."""
    done = start(text)
    assert done.returncode == 0, done.stderr
    with h5py.File("case.h5") as file:
        energy = {name: values[()] for name, values in file["transient/transient/energy"].items()}
    gone = energy["joints"] - energy["stored"] - energy["dissipated"]
    return [line for line in done.stderr.splitlines() if "open, close and slide" in line], np.abs(gone - gone[0]).max() / energy["work"].max()


def energies_while_it_chatters():
    """A blow lifts the tower, which falls back under the pressure: points open and close thousands of times in 60 ms, and friction is so small that it
    goes on. The result's balance takes forces of joints by their mean over a step; it is round-off, of energies that cancel, and what Newton leaves.
    Measured: 1e-10 to 1.3e-9, of motions that grow apart from the last bit on.

    What the springs store and lose is something else, as their forces are no straight lines over a step that opens, closes or slides: energy less
    work is up to 2.0e-2, 3.2e-3, 1.7e-3 of the largest energy with steps of 40, 20, 10 us and friction, -4.7e-2, -1.3e-2, -2.1e-3 without. The
    result holds what the springs store, and a run of which more than 1e-2 is wrong says so."""
    tower = Tower()
    tower.write()
    for friction in (0.0, 0.02):
        for time_step, allowed in ((4e-5, 0.15), (2e-5, 0.04), (1e-5, 0.01)):
            study = f"  - transient: {{ about: pressed, time_step: {time_step!r}, steps: {round(0.06 / time_step)}, watch: {{ parts: all }}, {BLOW} }}\n"
            with solve(tower.case(20, study, friction, points=True)) as file:
                run, contact = file["transient/transient"], file["transient/transient/joints/face/contact"]
                energy = {name: values[()] for name, values in run["energy"].items()}
                slip, turns = contact["dissipated"][()].sum(axis=1), np.count_nonzero(np.diff(contact["state"][()] > 0, axis=0))
                stored, lost = replayed(tower, friction, gaps(file["preload/pressed"], tower, -1), gaps(run, tower, slice(None)))
            assert turns > 1200, turns
            largest, what = energy["work"].max(), f"friction {friction}, {time_step:g} s"
            agree(f"{what}: balance", energy["balance"] / largest + 1, np.ones(len(stored)), 1e-8)
            if friction:
                agree(f"{what}: slip", slip, lost, 1e-9)  # measured: 1e-14
                agree(f"{what}: dissipated", energy["dissipated"], lost, 1e-9)  # measured: 1e-14
            agree(f"{what}: stored", energy["stored"] / largest + 1, stored / largest + 1, 1e-9)  # measured: 1e-14
            agree(f"{what}: energy", (energy["kinetic"] + energy["strain"] + stored + slip - energy["work"]) / largest + 1, np.ones(len(stored)), allowed)


def steps_too_long_for_faces_that_chatter():
    """Halving the step or leaving out modes that it does not resolve, omega h above 1, is what the warning asks for. Measured: 2.0e-2 with 40 us,
    1.7e-3 with 10 us, 4.2e-2 with 80 modes and 20 us."""
    tower = Tower()
    tower.write()
    for modes, time_step, warns in ((20, 4e-5, True), (20, 1e-5, False), (80, 2e-5, True)):
        study = f"  - transient: {{ about: pressed, time_step: {time_step!r}, steps: {round(0.06 / time_step)}, {BLOW} }}\n"
        lines, wrong = warned_of_chatter(tower.case(modes, study, 0.02))
        assert len(lines) == warns and (wrong > 1e-2) == warns, (modes, time_step, lines, wrong)
        if warns:
            assert "halve the time_step" in lines[0] and f"{time_step:.3g}" in lines[0]
        if modes == 80:
            assert 20 <= int(lines[0].split(" or keep ")[1].split()[0]) < 60, lines


if __name__ == "__main__":
    in_a_folder(modes_move_as_the_whole_mesh, energies_while_it_chatters, steps_too_long_for_faces_that_chatter)
