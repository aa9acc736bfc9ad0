"""Unknowns without mass are condensed statically: frequencies, statics and motions are those of the whole equation, and what cannot be is said."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np
import scipy.linalg

import box
import sumali

# A beam of Euler and Bernoulli, unit length, E I = 1e3: deflection and rotation of each end.
BEAM = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]]) * 1e3


def command(word, name, text):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run(sumali.command(word, name + ".yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)


def run(name, text):
    done = command("run", name, text)
    assert done.returncode == 0, done.stderr
    return done, h5py.File(name + ".h5")


def frequencies_of_a_beam_without_rotary_inertia():
    """Against the pencil of all unknowns (scipy, QZ), whose infinite eigenvalues are left out; and the deflection of statics in closed form."""
    num = 6
    size = 2 * (num + 1)
    stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
    for e in range(num):
        stiffness[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += BEAM
    for i in range(num + 1):
        mass[2 * i, 2 * i] = 0.5 + 0.1 * i
    stiffness, mass = stiffness[2:, 2:], mass[2:, 2:]  # clamped
    names = [f"n{i} {d}" for i in range(1, num + 1) for d in ("y", "rz")]
    text = f"matrices: {{points: {names}, mass: {mass.tolist()}, stiffness: {stiffness.tolist()}}}\n".replace("'", "")
    text += f"studies:\n  - modes: {{count: 20}}\n  - static: {{name: s, steps: 1, load: {{force: {{point: n{num}, direction: rz, amplitude: 2}}}}}}\n"
    done, result = run("beam", text)
    assert f"{num} unknowns without mass, condensed statically" in done.stderr, done.stderr
    alpha, beta = scipy.linalg.eig(stiffness, mass, right=False, homogeneous_eigvals=True)
    finite = np.abs(beta) > 1e-12 * np.max(np.abs(beta))
    omega = np.sort(np.sqrt((alpha[finite] / beta[finite]).real))
    error = np.max(np.abs(result["modes/stuck/omega"][()] / omega - 1.0))
    assert len(omega) == num and error <= 1e-11, error  # QZ: 1e-13
    tip = result[f"static/s/points/n{num}/displacement"][()][-1]  # M L^2 / 2 E I, M L / E I: bending by a moment
    assert np.max(np.abs(tip / (2.0 * np.array([num**2 / 2.0, num]) / 1e3) - 1.0)) <= 1e-11, tip


SERIES = """masses: {a: {mass: 2}, b: {mass: 0}, c: {mass: 0}}
laws: {slip: {law: jenkins, stiffness: 300, slip_force: 1}}
joints: {j: {between: [ground, b], x: slip}}
springs: [{between: [ground, a], stiffness: 100}, {between: [a, c], stiffness: 1200}, {between: [c, b], stiffness: 1200}]
studies:
  - modes: {}
  - transient:
      name: t
      time_step: 1e-3
      steps: 3000
      watch: {points: [a, b], joints: [j], energy: yes}
      load: [{half_sine: {point: a, amplitude: 20, duration: 0.3}}, {half_sine: {point: b, amplitude: 2.5, duration: 0.7}}]
"""


def series(h, steps):
    """The same, by Newmark's rule for a alone: u_b = a + (p_b - f) / k at once, f of the slider by return mapping. Motions of a and b, f."""
    m, ground, k, stuck, slip = 2.0, 100.0, 600.0, 300.0, 1.0
    half_sine = lambda t, amplitude, duration: amplitude * np.sin(np.pi * t / duration) if t < duration else 0.0
    u = v = f = old = 0.0
    acceleration, found = 0.0, [(0.0, 0.0, 0.0)]
    for i in range(1, steps + 1):
        p_a, p_b = half_sine(i * h, 20, 0.3), half_sine(i * h, 2.5, 0.7)
        u_star, v_star = u + h * v + h * h / 4 * acceleration, v + h / 2 * acceleration
        branch = []
        for sticks in (True, False):  # f = alpha + gamma u
            gamma = stuck / (1 + stuck / k) if sticks else 0.0
            alpha = (f + stuck * (p_b / k - old)) / (1 + stuck / k) if sticks else slip * np.sign(branch[0])
            u_new = (u_star + h * h / (4 * m) * (p_a + p_b - alpha)) / (1 + h * h / (4 * m) * (ground + gamma))
            branch.append(alpha + gamma * u_new)
            if abs(branch[-1]) <= slip * (1 + 1e-12):
                break
        f = branch[-1]
        acceleration = (p_a + p_b - f - ground * u_new) / m
        u, v = u_new, v_star + h / 2 * acceleration
        old = u + (p_b - f) / k
        found.append((u, old, f))
    return np.array(found).T


def a_joint_on_a_point_without_mass():
    """Springs in series with a slider: motions by another integrator, frequencies in closed form, stuck and slipping, energies in balance."""
    _, result = run("series", SERIES)
    stuck = np.sqrt((100 + 600 * 300 / 900) / 2)
    for state, omega, follows in (("stuck", stuck, 600 / 900), ("slipping", np.sqrt(100 / 2), 1.0)):
        modes = result["modes/" + state]
        assert abs(modes["omega"][0] / omega - 1) <= 1e-13, modes["omega"][()]
        shape = modes["shape"][:, 0]  # a, b, c: b follows a, c is midway
        assert np.max(np.abs(shape - np.array([1, follows, (1 + follows) / 2]) / np.sqrt(2))) <= 1e-13, shape
    run_ = result["transient/t"]
    u, b, force = series(1e-3, 3000)
    assert np.max(np.abs(force)) == 1.0 and np.min(force) == -1.0  # it slides in both directions
    for name, own in (("points/a/displacement", u), ("points/b/displacement", b), ("joints/j/x/force", force)):
        error = np.max(np.abs(run_[name][()].ravel() - own)) / np.max(np.abs(own))
        assert error <= 1e-9, (name, error)  # what the tolerance of Newton leaves, 1e-10 of the force
    assert np.max(np.abs(run_["energy/balance"][()])) <= 1e-10 * np.max(run_["energy/work"][()])
    assert np.all(np.isfinite(run_["points/a/velocity"][()])) and np.all(np.isnan(run_["points/b/velocity"][()]))


def tiny_masses_have_it_as_their_limit():
    """A step that damps what it does not resolve: with masses of 1e-6 at b and c the motion of a is the same but for these masses and the damping."""
    damped = SERIES.replace("steps: 3000", "steps: 3000\n      alpha: -0.3")
    _, result = run("none", damped)
    _, tiny = run("tiny", damped.replace("mass: 0}", "mass: 1e-6}"))
    a, other = (file["transient/t/points/a/displacement"][()] for file in (result, tiny))
    assert np.max(np.abs(a - other)) <= 5e-5 * np.max(np.abs(a)), np.max(np.abs(a - other)) / np.max(np.abs(a))


def beside_a_mesh():
    """A point without mass between two springs, at a mesh that is reduced, that is whole and that is on its modes: both springs are one."""
    box.box("bar.msh", (1.0, 0.1, 0.1), (8, 1, 1))
    text = """mesh: bar.msh
materials: {{steel: {{young: 2e11, poisson: 0.3, density: 8000}}}}
parts: {{bar: steel}}
supports: [{{group: root}}]
points: {{tip: {{average: tip}}}}
{springs}
{reduction}studies: [modes: {{count: 4}}]
"""
    one = "springs: [{between: [ground, tip], direction: y, stiffness: 2e6}]"
    two = "masses: {b: {mass: 0, directions: [y]}}\nsprings: [{between: [ground, b], direction: y, stiffness: 3e6}, {between: [b, tip], direction: y, stiffness: 6e6}]"
    for reduction in ("", "reduction: {craig_bampton: {modes: 6, keep: [tip]}}\n", "reduction: {modes: {count: 6}}\n"):
        omega = [run("mesh", text.format(springs=springs, reduction=reduction))[1]["modes/stuck/omega"][()] for springs in (one, two)]
        assert np.max(np.abs(omega[1] / omega[0] - 1)) <= 1e-9, (reduction, omega)


def what_cannot_be_condensed_is_said_in_one_line():
    masses = "masses: {a: {mass: 1}, b: {mass: 0}, c: {mass: 0}}\n"
    spring = "springs: [{between: [ground, a], stiffness: 1}, {between: [b, c], stiffness: 1}"
    cases = {
        "loose": (spring + "]", "point 'c' in x has no mass, and no stiffness holds it"),
        "damped": (spring + ", {between: [a, b], stiffness: 1}]\ndampers: [{between: [b, c], damping: 1}]", "but a damper acts on it"),
        "slides": (spring + "]\nlaws: {s: {law: jenkins, stiffness: 1, slip_force: 1}}\njoints: {j: {between: [a, b], x: s}}",
                   "no stiffness holds it while the joints slip"),
        "started": (spring + ", {between: [a, b], stiffness: 1}]", "point 'b' has no mass in direction x"),
    }
    for name, (text, message) in cases.items():
        study = "transient: {time_step: 0.1, steps: 2, initial: {displacement: {b: 1}}}" if name == "started" else "modes: {}"
        done = command("check", name, masses + text + f"\nstudies: [{study}]\n")
        errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
        assert done.returncode == 2 and len(errors) == 1 and message in errors[0], done.stderr
    done = command("check", "fine", masses + cases["started"][0] + "\nstudies: [modes: {}]\n")
    assert done.returncode == 0 and "2 more without mass, condensed statically" in done.stdout, done.stdout


def joints_of_all_kinds_beside_a_damper():
    """A law that feels velocities beside a damper, and one that does not slip: against a mass of 1e-6, whose own motion is 1e-6 of the others."""
    text = """
masses: { a: { mass: 2 }, b: { mass: %s } }
joints: { j: { between: [ground, %s], x: %s } }
springs: [ { between: [ground, a], stiffness: 100 }, { between: [a, b], stiffness: 1200 }, { between: [ground, b], stiffness: 50 } ]
dampers: [ { between: [ground, a], damping: 1 } ]
studies:
  - modes: {}
  - transient: { time_step: 1e-3, steps: 1000, alpha: -0.3, load: { half_sine: { point: a, amplitude: 20, duration: 0.3 } } }
"""
    lugre = "{ law: lugre, stiffness: 300, static_force: 1, kinetic_force: 0.8, stribeck_velocity: 0.1, bristle_damping: 0.1, viscous: 0.05 }"
    for i, (place, law) in enumerate((("b", lugre), ("a", "{ law: gap, stiffness: 300, clearance: 0.001 }"))):
        motions = []
        for mass in ("0", "1e-6"):
            with run(f"kinds_{i}_{len(motions)}", text % (mass, place, law))[1] as file:
                motions.append((file["modes/stuck/omega"][0], file["transient/transient/points/a/displacement"][:, 0]))
        assert abs(motions[0][0] / motions[1][0] - 1) < 1e-5
        assert np.abs(motions[0][1] - motions[1][1]).max() < 1e-5 * np.abs(motions[1][1]).max()  # 1.1e-6 measured, the frequency 2.3e-7


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        frequencies_of_a_beam_without_rotary_inertia()
        a_joint_on_a_point_without_mass()
        tiny_masses_have_it_as_their_limit()
        beside_a_mesh()
        joints_of_all_kinds_beside_a_damper()
        what_cannot_be_condensed_is_said_in_one_line()
