#!/usr/bin/env python3
"""Harmonic balance with moving supports: linear structures against their matrices, nonlinear ones against scipy, stepped sines and Newton's law for the whole;
the same as an accelerated base in relative coordinates; fields of a mesh; ranks and --resume. [timeout: 200]"""
import os
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import scipy.integrate

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import box
import sumali
import test_moving_supports as moving
from test_moving_supports import close


def run(name, text, ranks=1):
    return moving.run(name, text, ranks)[1]


def known(group):
    return np.isfinite(group["frequency"][:]).sum() if "frequency" in group else None


def phasors(group, count):
    """a exp(i phase) of a sin(h W t + phase): [points, (motions,) harmonics]."""
    return group["harmonics"][:count] * np.exp(1j * group["harmonic_phases"][:count])


def motion(curve, name):
    names = [text.decode() for text in curve.parent["motions"]]
    return phasors(curve, known(curve))[:, names.index(name)]


def reaction(curve, point, direction="x"):
    return phasors(curve[f"moving_supports/{point}/{direction}/reaction"], known(curve))


def omegas(curve):
    return 2 * np.pi * curve["frequency"][: known(curve)]


STUCK = "{ law: jenkins, slip_force: 1e6, stiffness: 4e3 }"
IWAN = "{ law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 }"
TABLE = """masses: {{ table: {{ mass: 0.3 }}, block: {{ mass: 2 }} }}
springs: [{{ between: [table, block], stiffness: 8e4 }}]
dampers: [{{ between: [table, block], damping: 40 }}]
joints: {{ j: {{ between: [table, block], x: {law} }} }}
damping: {{ {damping} }}
moving_supports: [{{ point: table }}]
studies:
"""


def transmissibility():
    """(k + i w c) / (k - w^2 m + i w c) of displacements, with Rayleigh's factors of the matrices with the table; seen: 4e-15."""
    text = TABLE.format(law=STUCK, damping="rayleigh: { mass: 3, stiffness: 1e-4 }")
    given = ("displacement", "velocity", "acceleration")
    for word in given:
        text += f"  - response: {{ name: {word}, method: harmonic_balance, frequencies: {{ from: 20, to: 45 }}, load: {{ harmonic: {{ {word}: table, amplitude: 0.01, phase: 0.4 }} }} }}\n"
    result = run("linear", text)
    for power, word in enumerate(given):
        curve = result[f"response/{word}/curve_1"]
        w = omegas(curve)
        between, mass = 8.4e4 * (1 + 1e-4j * w) + 40j * w, 3j * w - w**2
        table = 0.01 * np.exp(0.4j) / (1j * w) ** power
        block = between * table / (between + 2 * mass)
        close(word + " table", motion(curve, "table x")[:, 0], table, 1e-12)
        close(word + " block", motion(curve, "block x")[:, 0], block, 1e-12)
        close(word + " reaction", reaction(curve, "table")[:, 0], between * (table - block) + 0.3 * mass * table, 1e-12)


SEVERAL = """masses: { left: { mass: 0 }, a: { mass: 1 }, between: { mass: 0 }, b: { mass: 2 }, c: { mass: 1.5 }, right: { mass: 0 } }
springs:
  - { between: [left, a], stiffness: 4e3 }
  - { between: [a, between], stiffness: 1.8e4 }
  - { between: [between, b], stiffness: 1.8e4 }
  - { between: [left, between], stiffness: 1e3 }
  - { between: [b, c], stiffness: 7e3 }
  - { between: [c, right], stiffness: 5e3 }
dampers: [{ between: [left, a], damping: 5 }, { between: [b, c], damping: 3 }]
laws: { grip: { law: jenkins, slip_force: SLIP, stiffness: 2e3 } }
joints: { j: { between: [left, between], x: grip }, k: { between: [right, b], x: grip } }
moving_supports: [{ point: left }, { point: right }]
studies:
  - response:
      name: sines
      method: harmonic_balance
      stability: no
      frequencies: { from: 3, to: 12 }
      level: [1, 2, 3]
      load:
        - { harmonic: { displacement: left, amplitude: 0.01, phase: 0.3 } }
        - { harmonic: { acceleration: right, amplitude: 20, phase: -1 } }
        - { harmonic: { point: b, amplitude: 30 } }
        - { harmonic: { point: right, amplitude: 7 } }
"""


def several_supports_of_a_structure():
    """Two supports with signals of their own beside a force, dampers that couple modes, a point without mass that a joint pulls at from its support: the
    matrices of all points, solved in numpy; seen: 4e-14. With slip the same on 1, 2, 3 ranks."""
    names = ("left", "a", "between", "b", "c", "right")
    M, K, C = np.diag([0, 1, 0, 2, 1.5, 0.0]), np.zeros((6, 6)), np.zeros((6, 6))
    for matrix, i, j, value in ((K, 0, 1, 4e3), (K, 1, 2, 1.8e4), (K, 2, 3, 1.8e4), (K, 0, 2, 3e3), (K, 3, 4, 7e3), (K, 4, 5, 5e3), (K, 5, 3, 2e3), (C, 0, 1, 5.0), (C, 3, 4, 3.0)):
        matrix[np.ix_([i, j], [i, j])] += value * np.array([[1, -1], [-1, 1]])
    curve = run("several", SEVERAL.replace("SLIP", "1e6"))["response/sines/curve_2"]
    w = omegas(curve)
    exact, forces = np.zeros((len(w), 6), complex), np.zeros((len(w), 6), complex)
    free, moved = [1, 2, 3, 4], [0, 5]
    for i, omega in enumerate(w):
        Z = K + 1j * omega * C - omega**2 * M
        exact[i, 0], exact[i, 5] = 0.02 * np.exp(0.3j), 40 * np.exp(-1j) / -(omega**2)
        pushed = np.array([0, 0, 60, 0]) - Z[np.ix_(free, moved)] @ exact[i, moved]
        exact[i, free] = np.linalg.solve(Z[np.ix_(free, free)], pushed)
        forces[i] = Z @ exact[i]
    forces[:, 5] -= 14
    for i, name in enumerate(names):
        close(name, motion(curve, name + " x")[:, 0], exact[:, i], 1e-12)
    for i in moved:
        close("reaction " + names[i], reaction(curve, names[i])[:, 0], forces[:, i], 1e-12)
    slipping = [run(f"ranks_{ranks}", SEVERAL.replace("SLIP", "20"), ranks)["response/sines"] for ranks in (1, 2, 3)]
    assert np.max(np.abs(reaction(slipping[0]["curve_3"], "left")[:, 2])) > 0.1  # it slips
    for ranks in (1, 2):
        for name in ("curve_1", "curve_2", "curve_3"):
            close(f"{ranks + 1} ranks", motion(slipping[ranks][name], "b x"), motion(slipping[0][name], "b x"), 1e-12)
            close(f"{ranks + 1} ranks, reaction", reaction(slipping[ranks][name], "right"), reaction(slipping[0][name], "right"), 1e-12)


def hardening_oscillator():
    """A cubic spring to a shaken table: scipy's Runge-Kutta until all has died out (exp(-20 * 1.5) < 1e-13), at the ends of a curve, harmonics 1 and 3 of the
    block; and its reaction, which accelerates both masses, whatever is between them."""
    text = TABLE.format(law="{ law: cubic, stiffness: 0, cubic: 3e9 }", damping="modal: 0")
    text += "  - response: { name: hard, method: harmonic_balance, accuracy: 1e-7, frequencies: { from: 28, to: 45 }, load: { harmonic: { displacement: table, amplitude: 0.4 mm } } }\n"
    curve = run("hard", text)["response/hard/curve_1"]
    assert "reason" in curve and curve["reason"][0] == b"complete"
    block, w = motion(curve, "block x"), omegas(curve)
    for point in (0, -1):
        omega = w[point]

        def rate(t, y):
            d, v = y[0] - 4e-4 * np.sin(omega * t), y[1] - 4e-4 * omega * np.cos(omega * t)
            return [y[1], -(8e4 * d + 3e9 * d**3 + 40 * v) / 2]

        period = 2 * np.pi / omega
        begin = np.ceil(3.0 / period) * period
        times = begin + np.arange(64) * period / 64
        y = scipy.integrate.solve_ivp(rate, (0, times[-1]), [0, 0], t_eval=times, rtol=1e-11, atol=1e-15, method="DOP853").y[0]
        for h in (1, 3):
            exact = 2j * np.mean(y * np.exp(-1j * h * omega * times))  # a exp(i phase) of a sin(h W t + phase)
            close(f"harmonic {h} at {omega:.0f}", block[point, h - 1] / abs(block[point, 0]), exact / abs(block[point, 0]), 1e-8)
            assert abs(exact) > 1e-4 * abs(block[point, 0]) or h == 1
    table = motion(curve, "table x")
    inertia = -((np.arange(1, 6) * w[:, None]) ** 2) * (2 * block + 0.3 * table)
    close("reaction of all harmonics", reaction(curve, "table"), inertia, 1e-9)
    assert np.max(np.abs(inertia[:, 2])) > 1e-2 * np.max(np.abs(inertia[:, 0]))


def slipping_oscillator():
    """Stepped sines of an Iwan joint between table and block, 2000 steps a period: Newmark's rule turns (W h)^2 / 12 = 8e-7 late, times the magnification."""
    frequencies, text = (30.0, 33.0), TABLE.format(law=IWAN, damping="modal: 0.001")
    load = "load: { harmonic: { acceleration: table, amplitude: 40, phase: 1 } }"
    for i in range(2):
        text += f"  - response: {{ name: balanced_{i}, method: harmonic_balance, accuracy: 1e-6, frequencies: {{ from: {frequencies[i]}, to: {frequencies[i] + 0.1} }}, {load} }}\n"
    text += f"  - response: {{ name: stepped, frequencies: {list(frequencies)}, steps: 2000, tolerance: 1e-7, harmonics: 3, {load} }}\n"
    result = run("slipping", text)
    stepped = phasors(result["response/stepped/up_1"], 2)
    names = [text.decode() for text in result["response/stepped/motions"]]
    for i in range(2):
        curve = result[f"response/balanced_{i}/curve_1"]
        for name in ("table x", "block x"):
            close(f"{name} at {frequencies[i]}", motion(curve, name)[0, 0], stepped[i, names.index(name), 0], 6e-5)
        close("third harmonic", motion(curve, "block x")[0, 2], stepped[i, names.index("block x"), 2], 3e-4)
        assert abs(stepped[i, names.index("block x"), 2]) > 1e-6 * abs(stepped[i, names.index("block x"), 0])


MOVED = """masses: {{ {base} a: {{ mass: 1 }}, b: {{ mass: 2 }} }}
springs: [{{ between: [{clamp}, a], stiffness: 4e3 }}, {{ between: [a, b], stiffness: 3e3 }}]
dampers: [{{ between: [{clamp}, a], damping: 0.6 }}, {{ between: [a, b], damping: 0.3 }}]
joints: {{ j: {{ between: [{clamp}, b], x: {{ law: iwan4, slip_force: 5, stiffness: 1e3, chi: -0.4, beta: 1 }} }}, k: {{ between: [a, b], x: {{ law: cubic, stiffness: 0, cubic: 1e6 }} }} }}
{supports}studies:
"""
STUDIES = ("frequencies: { from: 4, to: 16 }, level: [1, 3]", "along: phase_resonance, modes: [1, 2], levels: { from: 0.1, to: 3 }",
           "along: peak, modes: [1, 2], levels: { from: 0.1, to: 3 }", "frequency: 5.5, levels: { from: 0.1, to: 3 }")


def relative_coordinates():
    """An accelerated table against the load on the base of what stands on it, whose motions are relative: curves over frequency and level, along phase
    resonances and peaks of the coordinate, with stability; the points are the same ones."""
    results = []
    for moved in (True, False):
        text = MOVED.format(base="t: { mass: 0 }," if moved else "", clamp="t" if moved else "ground", supports="moving_supports: [{ point: t }]\n" if moved else "")
        for i, keys in enumerate(STUDIES):
            text += f"  - response: {{ name: s{i}, method: harmonic_balance, stability: yes, {keys}, load: {{ harmonic: {{ {'acceleration: t' if moved else 'base: x'}, amplitude: 2 }} }} }}\n"
        results.append(run("moved" if moved else "based", text)["response"])
    folds = 0
    for i in range(len(STUDIES)):
        for name in [key for key in results[0][f"s{i}"] if key.startswith("curve")]:
            moved, based = (result[f"s{i}/{name}"] for result in results)
            assert moved["reason"][0] == based["reason"][0] == b"complete" and known(moved) == known(based), f"s{i} {name}"
            close(f"s{i} frequencies", omegas(moved), omegas(based), 1e-10)
            for point in "ab":
                relative = motion(moved, point + " x") - motion(moved, "t x")
                close(f"s{i} {point}", relative, motion(based, point + " x"), 1e-9)
            close("multipliers", moved["multiplier"][: known(moved)], based["multiplier"][: known(based)], 1e-9)
            assert np.array_equal(moved["stable"][:], based["stable"][:])
            for key in ("coordinate", "damping"):
                if key in moved:
                    close(f"s{i} {key}", moved[key][: known(moved)], based[key][: known(based)], 1e-9)
            folds += sum(kind == b"fold" for kind in moved["special/kind"][:])
    assert folds >= 2


def fields_of_a_mesh():
    """A line of beams reduced by Craig and Bampton, its end a moving support: over a period the root moves as the support, the tip as what is watched, which is
    what the same mesh does relative to an accelerated base; also at rest, where a cantilever moves as a whole."""
    box.line("line.msh", 0.5, 10)
    text = """mesh: line.msh
materials: {steel: {young: 210e9, poisson: 0.3, density: 7850}}
parts: {beam: {material: steel, section: {rectangle: {height: 0.01, width: 0.01}, orientation: [0, 1, 0]}}}
points: {root: {at: [0, 0, 0]}, tip: {at: [0.5, 0, 0]}, middle: {at: [0.25, 0, 0]}}
joints: {j: {between: [CLAMP, middle], z: {law: jenkins, slip_force: 1, stiffness: 1e4}}}
damping: {modal: 0.01}
"""
    load = "  - response: {name: r, method: harmonic_balance, frequencies: {from: 60, to: 90}, stability: no, harmonics: 5, load: {harmonic: {%s, amplitude: 10}}, fields: {frequencies: 90, samples: 16}}\n"
    static = "  - static: {name: s, load: {force: {displacement: root, direction: z, amplitude: 1 mm}}, steps: 2, fields: yes}\n"
    moved = run("mesh_moved", text.replace("CLAMP", "root") + "reduction: {craig_bampton: {modes: 30, keep: [root, middle, tip]}}\nmoving_supports: [{point: root}]\nstudies:\n" + load % "acceleration: root, direction: z" + static)
    based = run("mesh_based", text.replace("CLAMP", "ground") + "supports: [{point: root}]\nreduction: {craig_bampton: {modes: 30, keep: [middle, tip]}}\nstudies:\n" + load % "base: z")
    curve, other = moved["response/r/curve_1"], based["response/r/curve_1"]
    close("tip", motion(curve, "tip z") - motion(curve, "root z"), motion(other, "tip z"), 1e-10)
    with h5py.File("mesh_moved_r_curve_1_1.xdmf.h5") as file:
        places = file["XDMF/Points"][:]
        period = np.array([file[f"XDMF/PointData/displacement/{i:06d}"][:] for i in range(16)])
    found = 2j * np.mean(period[:, :, 2] * np.exp(-2j * np.pi * np.arange(16) / 16)[:, None], axis=0)
    for name, place in (("root", 0.0), ("middle", 0.25), ("tip", 0.5)):
        close("field at " + name, found[np.argmin(np.abs(places[:, 0] - place))], motion(curve, name + " z")[-1, 0], 1e-10)
    close("support", motion(curve, "root z")[-1, 0], -10 / omegas(curve)[-1] ** 2, 1e-12)
    with h5py.File("mesh_moved_s.xdmf.h5") as file:
        series = file["XDMF/PointData/displacement"]
        close("shifted", series[sorted(series)[-1]][:, 2], 1e-3, 1e-8)


def going_on():
    """Broken off and resumed: the same curve, with its reactions."""
    text = SEVERAL.replace("SLIP", "20").replace("level: [1, 2, 3]", "level: 3\n      step: 0.03\n      max_points: 4000")
    whole = run("whole", text)["response/sines/curve_1"]
    words = sumali.command("run", "whole.yaml", "-o", "broken.h5")
    program = subprocess.Popen([*words, "-save_interval", "0.01"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists("broken.h5.restart/response-sines-curve_1.h5"):
        assert program.poll() is None, "it ended before it could be broken off"
        time.sleep(0.002)
    program.send_signal(signal.SIGINT)
    program.wait()
    done = subprocess.run([*words, "-v", "--resume"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "response/sines/curve_1 goes on from point" in done.stderr, done.stderr
    broken = h5py.File("broken.h5")["response/sines/curve_1"]
    count = min(known(whole), known(broken))
    assert abs(known(whole) - known(broken)) <= 2 and count > 150
    close("resumed", omegas(broken)[:100], omegas(whole)[:100], 1e-9)
    close("its reactions", reaction(broken, "left")[:100], reaction(whole, "left")[:100], 1e-9)
    assert np.all(np.abs(reaction(broken, "left")[:, 0]) > 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (transmissibility, several_supports_of_a_structure, hardening_oscillator, slipping_oscillator, relative_coordinates, fields_of_a_mesh, going_on):
            test()
