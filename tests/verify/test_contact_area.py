#!/usr/bin/env python3
"""A block on an area of contact: its stiffness in closed form; parts that stick, slip, part and meet again beside scipy. [timeout: 300]"""
import os
import subprocess

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
MASS, INERTIA = 2.0, np.array([0.01, 0.012, 0.011])
K_N, K_T, ROUGH, MU, PRELOAD = 8e5, 4e5, 2e-5, 0.3, 30.0
SIDES = (0.1, 0.08)

CASE = f"""
masses: {{ block: {{ mass: {MASS}, inertia: {INERTIA.tolist()}, directions: [x, y, z, rx, ry, rz] }} }}
joints:
  pad:
    between: [ground, block]
    contact:
      law: {{ law: rough_contact, normal_stiffness: {K_N}, tangential_stiffness: {K_T}, roughness: %g, friction: {MU}, preload: {PRELOAD} }}
      area: {list(SIDES)}
      parts: %s
"""
MODES = "studies:\n  - modes: {}\n"
# A push along y and z, and a moment that tilts the block until parts are open: of each half a sine, from time 0.
PULSES = {"y": (40.0, 3e-3), "z": (25.0, 4e-3), "ry": (1.6, 4e-3), "rz": (-0.9, 5e-3)}
LOADS = "\n".join(f"        - half_sine: {{ point: block, direction: {d}, amplitude: {a}, duration: {t} }}" for d, (a, t) in PULSES.items())
STEP, STEPS, EVERY = 2e-6, 20000, 10
MOTION = f"""studies:
  - transient:
      name: hit
      time_step: {STEP}
      steps: {STEPS}
      every: {EVERY}
      runs: [{{ level: [1, 0.5, 0.1] }}]
      load:
{LOADS}
"""


def run(name, text, ranks=1):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return h5py.File(name + ".h5")


def the_stuck_area_is_as_stiff_as_its_moments():
    """Sum over n equal parts of a side L: z^2 is L^2 (1 - 1/n^2) / 12 on average."""
    for parts in ((1, 4), (4, 4), (3, 5)):
        y2, z2 = (side**2 * (1 - 1 / n**2) / 12 for side, n in zip(SIDES, parts))
        with run("stuck", CASE % (0, list(parts)) + MODES) as file:
            stiffness = file["system/stiffness_stuck"][:]
        expected = np.diag([K_N, K_T, K_T, K_T * (y2 + z2), K_N * z2, K_N * y2])
        assert np.abs(stiffness - expected).max() < 1e-12 * K_N, (parts, stiffness)


class Block:
    """The same in rates: slip flows as fast as the force lies beyond its circle, s' = (1 - mu F_N / |k_T w|) w / tau."""

    def __init__(self, tau, level):
        self.tau, self.level = tau, level
        self.y, self.z = (np.array([-0.25, 0.25])[index] * side for index, side in zip(([0, 1, 0, 1], [0, 0, 1, 1]), SIDES))
        self.k_n, self.k_t = K_N / 4, K_T / 4
        self.rest = brentq(lambda u: self.press(u)[0] - PRELOAD / 4, 0, 1)

    def press(self, u):
        """Eqs 1 and 2 of voldrich2009, k_N share integrated over the depth."""
        t = np.clip(u / ROUGH, 0, 1)
        return self.k_n * (ROUGH * (t**3 - t**4 / 2) + np.maximum(u - ROUGH, 0)), 3 * t**2 - 2 * t**3

    def parts(self, q, s):
        """Normal and tangential force of each part, its flow of slip, and whether it slips."""
        d_x = q[0] + self.z * q[4] - self.y * q[5]
        w = np.array([q[1] - self.z * q[3], q[2] + self.y * q[3]]) - s
        normal, share = self.press(self.rest - d_x)
        stretch, limit = np.hypot(*w), np.where(share > 0, MU * normal / np.maximum(self.k_t * share, 1e-300), 0)
        excess = np.maximum(1 - limit / np.maximum(stretch, 1e-300), 0)
        return normal, self.k_t * share * w, excess * w / self.tau, excess > 0

    def rate(self, time, state):
        q, v, s = state[:6], state[6:12], state[12:20].reshape(2, 4)
        normal, pull, flow, _ = self.parts(q, s)
        force = np.zeros(6)
        for direction, (amplitude, duration) in PULSES.items():
            if time < duration:
                force[["x", "y", "z", "rx", "ry", "rz"].index(direction)] = self.level * amplitude * np.sin(np.pi * time / duration)
        press = normal - PRELOAD / 4
        force += [press.sum(), *-pull.sum(1), (self.z * pull[0] - self.y * pull[1]).sum(), (self.z * press).sum(), -(self.y * press).sum()]
        return np.concatenate([v, force / np.concatenate([[MASS] * 3, INERTIA]), flow.ravel(), (pull * flow).sum(0)])

    def move(self, times):
        """Motion, normal force, whether each part slips, energy it has lost; between the ends of the pulses, where the load has a kink."""
        ends = sorted({0, *(duration for _, duration in PULSES.values()), times[-1]})
        columns = [np.zeros((24, 1))]
        for begin, end in zip(ends, ends[1:]):
            inside = times[(times > begin + 1e-12) & (times <= end + 1e-12)]
            points = np.minimum(inside, end)
            solution = solve_ivp(self.rate, (begin, end), columns[-1][:, -1], "LSODA", np.union1d(points, [end]), rtol=1e-7, atol=1e-11, max_step=1e-5)
            assert solution.success
            columns.append(solution.y)
        states = np.concatenate(columns, 1)
        found = [self.parts(state[:6], state[12:20].reshape(2, 4)) for state in states.T]
        return states[:6].T, np.array([part[0] for part in found]), np.array([part[3] for part in found]), states[20:].T


def parts_stick_slip_part_and_meet_as_scipy_has_it():
    with run("moving", CASE % (ROUGH, [2, 2]) + MOTION) as file:
        for name, level in (("hit_1", 1), ("hit_2", 0.5)):
            group = file["transient"][name]
            keep = slice(0, None, 10)
            motion = group["points/block/displacement"][keep]
            state, pressing, lost, share = (group["joints/pad/contact"][key][keep] for key in ("state", "pressing", "dissipated", "share"))
            near, far = (Block(tau, level).move(group["time"][keep]) for tau in (1e-6, 2e-6))
            q, normal, lost_there = (2 * a - b for a, b in ((near[0], far[0]), (near[1], far[1]), (near[3], far[3])))  # extrapolated to tau = 0
            difference = [np.abs(motion[:, of] - q[:, of]).max() / np.abs(q[:, of]).max() for of in (slice(0, 3), slice(3, 6))]
            expected = np.where(normal <= 1e-9 * PRELOAD, 0, np.where(near[2], 2, 1))
            assert max(difference) < 2e-4, difference
            assert np.abs(pressing - normal).max() < 2e-6 * normal.max()
            assert np.abs(lost - lost_there).max() < 2e-4 * lost_there.sum(1).max()
            assert np.mean(expected == state) > 0.99
            assert min(np.mean(state == kind) for kind in range(0 if level == 1 else 1, 3)) > 0.1  # the hardest push opens some parts
            assert np.abs(share - [[np.mean(row == kind) for kind in range(3)] for row in state]).max() < 1e-12
            total = sum(group[f"joints/pad/{direction}/dissipated"][-1] for direction in ("x", "y", "z", "rx", "ry", "rz"))
            assert abs(group["joints/pad/contact/dissipated"][-1].sum() - total) < 1e-12 * total
            assert np.abs(group["energy/balance"][:]).max() < 1e-9 * group["energy/work"][:].max()


def ranks_agree(alone):
    for ranks in (2, 3):
        with run(f"ranks_{ranks}", CASE % (ROUGH, [2, 2]) + MOTION, ranks) as file:
            for name in ("hit_1", "hit_2", "hit_3"):
                for key in ("points/block/displacement", *(f"joints/pad/contact/{key}" for key in ("state", "pressing", "dissipated", "share"))):
                    one, other = alone[f"transient/{name}/{key}"][:], file[f"transient/{name}/{key}"][:]
                    assert np.abs(one - other).max() <= 1e-12 * max(np.abs(one).max(), 1e-30), (ranks, name, key)


def main():
    the_stuck_area_is_as_stiff_as_its_moments()
    parts_stick_slip_part_and_meet_as_scipy_has_it()
    with h5py.File("moving.h5") as alone:
        ranks_agree(alone)


if __name__ == "__main__":
    main()
