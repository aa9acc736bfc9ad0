"""Motions of points that are prescribed by elimination: against closed forms, scipy, and the same structure in coordinates relative to its base."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np
import scipy.integrate
import scipy.linalg

import box
import sumali


def run(name, text, ranks=1):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("run", name + ".yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done, h5py.File(name + ".h5")


def close(name, found, expected, tolerance):
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    assert error <= tolerance, f"{name}: {error:.2e} beyond {tolerance:.0e}"


MASS, STIFFNESS, DAMPING = 2.0, 8e4, 40.0
ZETA, OMEGA0 = DAMPING / (2 * np.sqrt(STIFFNESS * MASS)), np.sqrt(STIFFNESS / MASS)
OSCILLATOR = f"""masses: {{table: {{mass: 0.5}}, block: {{mass: {MASS}}}}}
springs: [{{between: [table, block], stiffness: {STIFFNESS}}}]
dampers: [{{between: [table, block], damping: {DAMPING}}}]
moving_supports: [{{point: table}}]
studies:
"""


def transmissibility_of_an_oscillator():
    """(k + i w c) / (k - w^2 m + i w c), of displacements; velocities and accelerations as amplitudes. Newmark: 1000 steps a period."""
    frequencies = np.array([20.0, 30.0, 31.8, 45.0])
    text = OSCILLATOR
    for given in ("displacement", "velocity", "acceleration"):
        text += f"  - response: {{name: {given}, frequencies: {frequencies.tolist()}, steps: 500, load: {{harmonic: {{{given}: table, amplitude: 0.01}}}}}}\n"
    _, result = run("response", text)
    omega = 2 * np.pi * frequencies
    transfer = (STIFFNESS + 1j * omega * DAMPING) / (STIFFNESS - omega**2 * MASS + 1j * omega * DAMPING)
    for power, given in enumerate(("displacement", "velocity", "acceleration")):
        group = result[f"response/{given}/up_1"]
        names = [n.decode() for n in group.attrs["motions"].split()] if "motions" in group.attrs else None
        amplitude = group["amplitude"][()]
        block = amplitude[:, np.argmax(np.abs(amplitude[2]))]
        close(given, block, 0.01 * np.abs(transfer) / omega**power, 2e-3)


def oscillator(signal_of_table):
    """Absolute motion of the block; signal_of_table(t) gives displacement and velocity of the table."""

    def rate(t, y):
        u, v = signal_of_table(t)
        return [y[1], (STIFFNESS * (u - y[0]) + DAMPING * (v - y[1])) / MASS]

    times = np.linspace(0.0, 0.2, 4001)
    return times, scipy.integrate.solve_ivp(rate, (0.0, 0.2), [0.0, 0.0], t_eval=times, rtol=1e-10, atol=1e-14, max_step=5e-4).y


def transients_of_an_oscillator():
    """Half sine of acceleration, its integrals in closed form; sines of displacement and velocity: scipy's Runge-Kutta at 1e-10."""
    duration, peak = 0.011, 100.0
    w = np.pi / duration
    end_v, end_u = 2 * peak / w, peak / w * duration

    def pulse(t):
        if t > duration:
            return end_u + end_v * (t - duration), end_v
        return peak / w * (t - np.sin(w * t) / w), peak / w * (1 - np.cos(w * t))

    def displacement(t):
        return 1e-3 * np.sin(150 * t), 0.15 * np.cos(150 * t)

    def velocity(t):
        return 0.2 / 150 * (1 - np.cos(150 * t)), 0.2 * np.sin(150 * t)

    f = 150 / (2 * np.pi)
    loads = {
        "pulse": (pulse, f"half_sine: {{acceleration: table, amplitude: {peak}, duration: {duration}}}"),
        "sine": (displacement, f"harmonic: {{displacement: table, amplitude: 1 mm, frequency: {f!r}}}"),
        "speed": (velocity, f"harmonic: {{velocity: table, amplitude: 0.2, frequency: {f!r}}}"),
    }
    text = OSCILLATOR
    for name, (_, load) in loads.items():
        text += f"  - transient: {{name: {name}, time_step: 5e-5, steps: 4000, load: {{{load}}}, watch: {{points: [table, block], energy: yes}}}}\n"
    _, result = run("transient", text)
    for name, (course, _) in loads.items():
        times, (u, v) = oscillator(course)
        group = result[f"transient/{name}"]
        table = np.array([course(t) for t in times])
        points = group["points"]
        close(name + " table", points["table/displacement"][:, 0], table[:, 0], 1e-9)
        close(name + " table's velocity", points["table/velocity"][:, 0], table[:, 1], 1e-9)
        close(name + " block", points["block/displacement"][:, 0], u, 1e-4)
        close(name + " block's velocity", points["block/velocity"][:, 0], v, 1e-4)
        # The table's own mass, and what spring and damper carry, moved by the reaction.
        a = points["table/acceleration"][:, 0]
        reaction = 0.5 * a + STIFFNESS * (table[:, 0] - u) + DAMPING * (table[:, 1] - v)
        close(name + " reaction", group["moving_supports/table/x/reaction"][()], reaction, 3e-4)
        work = scipy.integrate.cumulative_trapezoid(reaction * table[:, 1], times, initial=0.0)
        close(name + " work", group["energy/work"][()], work, 1e-3)
        energy = group["energy"]
        assert np.max(np.abs(energy["balance"])) <= 1e-3 * np.max(np.abs(energy["work"])), name


def beam_in_relative_coordinates():
    """A cantilever with a consistent mass matrix, its clamp moved in y by a cosine of acceleration, against the same on a base with modal damping and a slipping joint
    to the clamp; and with matrices of scipy."""
    num, length = 4, 0.25
    stiffness, mass = np.zeros((2 * num + 2,) * 2), np.zeros((2 * num + 2,) * 2)
    for e in range(num):
        L = length
        k = 200.0 / L**3 * np.array([[12, 6 * L, -12, 6 * L], [6 * L, 4 * L * L, -6 * L, 2 * L * L], [-12, -6 * L, 12, -6 * L], [6 * L, 2 * L * L, -6 * L, 4 * L * L]])
        m = 0.8 * L / 420 * np.array([[156, 22 * L, 54, -13 * L], [22 * L, 4 * L * L, 13 * L, -3 * L * L], [54, 13 * L, 156, -22 * L], [-13 * L, -3 * L * L, -22 * L, 4 * L * L]])
        stiffness[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += k
        mass[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += m
    names = [f"n{i} {d}" for i in range(num + 1) for d in ("y", "rz")]

    def case(first, load):
        K, M = stiffness[first:, first:], mass[first:, first:]
        clamp = "n0" if first == 0 else "ground"
        inertia = mass[first:] @ np.tile([1.0, 0.0], num + 1)  # what the clamp's own rows couple is part of it
        base = np.stack([np.zeros(len(M)), np.linalg.solve(M, inertia)], axis=1)
        text = f"matrices: {{points: {names[first:]}, mass: {M.tolist()}, stiffness: {K.tolist()}{f', base: {base.tolist()}' if first else ''}}}\n".replace("'", "")
        text += "laws: {slip: {law: jenkins, stiffness: 2e3, slip_force: 0.4}}\n"
        text += f"joints: {{grip: {{between: [{clamp}, n2], y: slip}}}}\ndamping: {{modal: 0.02, rayleigh: {{stiffness: 1e-5}}}}\n"
        text += "moving_supports: [{point: n0}]\n" if first == 0 else ""
        text += f"studies:\n  - modes: {{}}\n  - transient: {{name: t, time_step: 5e-5, steps: 4000, tolerance: 1e-12, load: {{harmonic: {{{load}, amplitude: 60, frequency: 25, phase: 90 deg}}}}, watch: {{points: all, joints: all, energy: yes}}}}\n"
        return run("moved" if first == 0 else "based", text)[1]["."]

    moved = case(0, "acceleration: n0, direction: y")
    based = case(2, "base: y")
    close("frequencies", moved["modes/stuck/omega"][()], np.sqrt(scipy.linalg.eigh(stiffness[2:, 2:] + grip_stiffness(2e3, 2 * num, 2), mass[2:, 2:], eigvals_only=True)), 1e-10)
    moved, based = moved["transient/t"], based["transient/t"]
    clamp = moved["points/n0/displacement"][:, 0]
    for n in (2, num):
        relative = moved[f"points/n{n}/displacement"][:, 0] - clamp
        close(f"point n{n}", relative, based[f"points/n{n}/displacement"][:, 0], 5e-5)  # 1e-5 of the steps
        acceleration = moved[f"points/n{n}/acceleration"][:, 0] - moved["points/n0/acceleration"][:, 0]
        close(f"acceleration n{n}", acceleration, based[f"points/n{n}/acceleration"][:, 0], 1e-3)
    for what in ("displacement", "force", "dissipated"):
        close("joint " + what, moved[f"joints/grip/y/{what}"][()], based[f"joints/grip/y/{what}"][()], 2e-4)
    assert based["joints/grip/y/dissipated"][-1] > 1e-3  # it slips
    close("damping", moved["energy/damping"][-1], based["energy/damping"][-1], 1e-4)
    # The reaction accelerates the whole mass.
    u = np.concatenate([moved[f"points/n{n}/acceleration"][()] for n in range(num + 1)], axis=1)
    rigid = np.tile([1.0, 0.0], num + 1)
    close("reaction", moved["moving_supports/n0/y/reaction"][()], u @ (mass @ rigid), 1e-6)


def mesh_with_a_kept_clamp():
    """A line of beams reduced by Craig and Bampton, its clamped end a moving support, against the same mesh held there on an accelerated base; and
    frequencies of a cantilever: (1.875104, 4.694091)^2 (E I / rho A)^1/2 / L^2."""
    box.line("line.msh", 0.5, 20)
    text = """mesh: line.msh
materials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}
parts: {beam: {material: steel, section: {rectangle: {height: 0.01, width: 0.01}, orientation: [0, 1, 0]}}}
points: {root: {at: [0, 0, 0]}, tip: {at: [0.5, 0, 0]}}
damping: {modal: 0.01}
"""
    load = "time_step: 2e-5, steps: 2000, watch: {points: [root, tip]}, load: {harmonic: {%s, amplitude: 10, frequency: 60, phase: 90 deg}}"
    _, moved = run("mesh_moved", text + "reduction: {craig_bampton: {modes: 12, keep: [root, tip]}}\nmoving_supports: [{point: root}]\nstudies:\n  - modes: {}\n  - transient: {name: t, " + load % "acceleration: root, direction: z" + "}\n")
    _, based = run("mesh_based", text + "supports: [{point: root}]\nreduction: {craig_bampton: {modes: 12, keep: [tip]}}\nstudies:\n  - transient: {name: t, " + load % "base: z" + "}\n")
    bending = np.array([1.875104, 4.694091]) ** 2 * np.sqrt(210e9 * 0.01**2 / 12 / 7850) / 0.5**2
    close("bending", moved["modes/stuck/omega"][()][[0, 2]], bending, 1e-2)
    moved, based = moved["transient/t"], based["transient/t"]
    relative = moved["points/tip/displacement"][:, 2] - moved["points/root/displacement"][:, 2]
    close("tip", relative, based["points/tip/displacement"][:, 2], 1e-3)
    assert "moving_supports/root/ry/reaction" in moved


def grip_stiffness(value, size, unknown):
    matrix = np.zeros((size, size))
    matrix[unknown, unknown] = value
    return matrix


def statics_by_displacement_and_by_force():
    """A slider between a moved point and a block on a spring: the reaction, given as a force on the free point, brings the displacement back."""
    structure = """masses: {pull: {mass: 1}, block: {mass: 1}}
springs: [{between: [ground, block], stiffness: 1000}, {between: [pull, block], stiffness: 500}]
laws: {slip: {law: iwan4, slip_force: 2, stiffness: 4e3, chi: -0.4, beta: 1}}
joints: {j: {between: [pull, block], x: slip}}
"""
    load = "path: [1, -0.6], steps: 40"
    _, moved = run("moved_static", structure + f"moving_supports: [{{point: pull}}]\nstudies:\n  - static: {{name: s, load: {{force: {{displacement: pull, amplitude: 20 mm}}}}, {load}}}\n")
    reaction = moved["static/s/moving_supports/pull/x/reaction"][()]
    pull, block = (moved[f"static/s/points/{p}/displacement"][:, 0] for p in ("pull", "block"))
    close("pull", pull, 0.02 * moved["static/s/factor"][()], 1e-12)
    close("block", 1000 * block, reaction, 1e-9)
    close("joint", moved["static/s/joints/j/x/displacement"][()], block - pull, 1e-9)
    peak = reaction[40]
    text = structure + f"studies:\n  - static: {{name: s, load: {{force: {{point: pull, amplitude: {peak!r}}}}}, steps: 40}}\n"
    _, forced = run("forced_static", text)
    close("back", forced["static/s/points/pull/displacement"][-1, 0], 0.02, 1e-7)


def two_supports_and_ranks():
    """Three masses between two supports that move differently, by a table: scipy; and alike on two ranks."""
    samples = [(0.0, 0.0), (0.02, 1.0), (0.05, -0.5), (0.07, 0.0)]
    with open("table.txt", "w", encoding="utf-8") as file:
        file.writelines(f"{t} {x}\n" for t, x in samples)
    text = """masses: {left: {mass: 0}, a: {mass: 1}, b: {mass: 2}, c: {mass: 1.5}, right: {mass: 0}}
springs:
  - {between: [left, a], stiffness: 4e3}
  - {between: [a, b], stiffness: 9e3}
  - {between: [b, c], stiffness: 7e3}
  - {between: [c, right], stiffness: 5e3}
dampers: [{between: [left, a], damping: 5}]
moving_supports: [{point: left}, {point: right}]
studies:
  - transient:
      {name: t, time_step: 1e-4, steps: 2000, load: [{table: {displacement: left, amplitude: 0.01, file: table.txt}}, {chirp: {acceleration: right, amplitude: 5, from: 3, to: 30, duration: 0.15}}, {step: {point: b, amplitude: 2, rise: 0.03}}], runs: [{level: [1, 2]}]}
"""
    _, result = run("two", text)
    K = np.array([[13e3, -9e3, 0], [-9e3, 16e3, -7e3], [0, -7e3, 12e3]])
    M = np.array([1, 2, 1.5])

    def rate(t, y):
        left = 0.01 * np.interp(t, *zip(*samples), right=0.0)
        i = np.searchsorted([s[0] for s in samples], t, side="right")
        slope = 0.01 * (samples[i][1] - samples[i - 1][1]) / (samples[i][0] - samples[i - 1][0]) if 0 < i < len(samples) else 0.0
        push = 5 * np.sin(2 * np.pi * (3 * t + 0.5 * 27 * t * t / 0.15)) if t < 0.15 else 0.0
        u, v = y[:3], y[3:6]
        force = -K @ u + np.array([4e3 * left + 5 * (slope - v[0]), 2 * min(t / 0.03, 1.0), 5e3 * y[6]])
        return np.concatenate([v, force / M, [y[7], push]])

    times = np.linspace(0, 0.2, 2001)
    y = np.zeros(8)
    exact = [y]
    for start, end in zip(times[:-1], times[1:]):  # kinks are between steps
        y = step(rate, start, end, y)
        exact.append(y)
    exact = np.array(exact)
    for i, name in enumerate(("a", "b", "c")):
        close(name, result[f"transient/t_1/points/{name}/displacement"][:, 0], exact[:, i], 1e-4)
    close("right", result["transient/t_1/points/right/displacement"][:, 0], exact[:, 6], 1e-7)
    _, spread = run("two_spread", text, ranks=2)
    for run_name in ("t_1", "t_2"):
        for path in ("points/b/displacement", "moving_supports/right/x/reaction"):
            close("ranks " + path, spread[f"transient/{run_name}/{path}"][()], result[f"transient/{run_name}/{path}"][()], 1e-12)


def step(rate, start, end, y):
    """Kutta's rule, its ends looked at from inside the step."""
    h = end - start
    k1 = rate(start + 1e-6 * h, y)
    k2 = rate(start + h / 2, y + h / 2 * k1)
    k3 = rate(start + h / 2, y + h / 2 * k2)
    k4 = rate(end - 1e-6 * h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (transmissibility_of_an_oscillator, transients_of_an_oscillator, beam_in_relative_coordinates, mesh_with_a_kept_clamp, statics_by_displacement_and_by_force, two_supports_and_ranks):
            test()
