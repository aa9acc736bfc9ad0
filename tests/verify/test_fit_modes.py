#!/usr/bin/env python3
"""Numbers of a case from natural frequencies: chains whose inverse is known in closed form, a beam of a mesh, targets that contradict each other
or tell too little, and numbers that no structure has."""
import os
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True
import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
STOPPED = 3  # exit code
EXACT = 1e-9  # what is left when the search has converged: ten times what was seen


def run(name, case, ranks=1, expected=0):
    """The group of the fit, as arrays, and what is printed."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(case)
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert expected in (None, done.returncode), f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    with h5py.File(name + ".h5") as file:
        return {key: value[:] for key, value in file["fit_modes/fit_modes"].items()}, done.stdout


def near(found, expected, tolerance=EXACT):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max(), f"{found} is not {expected}, by {np.abs(found / expected - 1).max():.2g}"


def one_number_in_several_places():
    """A chain of equal masses and springs between two walls: omega_j = 2 (k/m)^1/2 sin(j pi / (2 n + 2)). Of three masses, k and m only as their
    ratio: with m known, k follows from any mode."""
    mass, stiffness, mode = 0.5, 4321.0, 2
    frequency = 2 * np.sqrt(stiffness / mass) * np.sin(mode * np.pi / 8) / (2 * np.pi)
    ends = ["ground, a", "a, b", "b, c", "c, ground"]
    found, _ = run("equal", f"""
masses: {{ a: {{ mass: {mass} }}, b: {{ mass: {mass} }}, c: {{ mass: {mass} }} }}
springs: [ {', '.join(f'{{ between: [{pair}], stiffness: 1000 }}' for pair in ends)} ]
studies:
  - fit_modes:
      find: {{ k: {{ path: [ {', '.join(f'"springs[{i}].stiffness"' for i in range(4))} ] }} }}
      targets: [ {{ mode: {mode}, frequency: {frequency!r} }} ]
""")
    near(found["value"], stiffness)
    near(found["before"], frequency * np.sqrt(1000 / stiffness))
    near(found["sensitivity"], frequency / (2 * stiffness))
    near(found["standard_error"], 2 * stiffness * 1e-3)  # of a thousandth of the frequency
    assert found["determined"][0] == 1 and found["converged"][0] == 1 and found["reason"][0] == b"converged"


def two_springs_from_two_frequencies():
    """Two equal masses in a row: lambda_1 lambda_2 = k1 k2 / m^2 and lambda_1 + lambda_2 = (k1 + 2 k2) / m. Errors by the derivatives of these."""
    m, k = 2.0, np.array([5000.0, 3000.0])
    root = np.sqrt((k[0] + 2 * k[1])**2 - 4 * k[0] * k[1])
    square = np.array([k[0] + 2 * k[1] - root, k[0] + 2 * k[1] + root]) / (2 * m)
    omega = np.sqrt(square)
    # d(sum, product) / d lambda and / d k
    by_square = np.array([[1, 1], [square[1], square[0]]])
    by_stiffness = np.array([[1 / m, 2 / m], [k[1] / m**2, k[0] / m**2]])
    slopes = np.linalg.solve(by_square, by_stiffness) / (2 * omega[:, None]) / (2 * np.pi)
    error = np.array([0.01, 0.02])  # [Hz]
    covariance = np.linalg.inv((slopes / error[:, None]).T @ (slopes / error[:, None]))
    deviation = np.sqrt(np.diag(covariance))
    found, _ = run("two", f"""
masses: {{ a: {{ mass: {m} }}, b: {{ mass: {m} }} }}
springs: [ {{ between: [ground, a], stiffness: 4000 }}, {{ between: [a, b], stiffness: 4000 }} ]
studies:
  - fit_modes:
      find: {{ first: {{ path: "springs[0].stiffness" }}, second: {{ path: "springs[1].stiffness" }} }}
      targets:
        - {{ mode: 1, frequency: {float(omega[0] / (2 * np.pi))!r}, uncertainty: {error[0]} }}
        - {{ mode: 2, frequency: {float(omega[1] / (2 * np.pi))!r}, uncertainty: {error[1]} }}
""")
    near(found["value"], k)
    near(found["sensitivity"], slopes)
    near(found["standard_error"], deviation, 1e-6)
    near(found["correlation"], covariance / np.outer(deviation, deviation), 1e-6)
    near(found["high"] / found["value"], np.exp(1.959964 * deviation / k), 1e-6)  # searched by their logarithms


def frequencies_that_contradict_each_other():
    """f_i = c_i s with s = k^1/2 of two oscillators that are one number: linear least squares, and what is missed widens the error."""
    c, uncertainty = np.array([1.0, np.sqrt(0.5)]) / (2 * np.pi), np.array([0.1, 0.2])
    target = np.array([7.5, 10.3])  # of masses 2 and 1
    weight = 1 / uncertainty**2
    c = c[::-1]
    s = np.sum(weight * c * target) / np.sum(weight * c**2)
    widening = np.sqrt(np.sum(weight * (c * s - target)**2))
    found, said = run("contradiction", f"""
masses: {{ heavy: {{ mass: 2 }}, light: {{ mass: 1 }} }}
springs: [ {{ between: [ground, heavy], stiffness: 4000 }}, {{ between: [ground, light], stiffness: 4000 }} ]
studies:
  - fit_modes:
      find: {{ k: {{ path: [ "springs[0].stiffness", "springs[1].stiffness" ] }} }}
      targets:
        - {{ mode: 1, frequency: {target[0]}, uncertainty: {uncertainty[0]} }}
        - {{ mode: 2, frequency: {target[1]}, uncertainty: {uncertainty[1]} }}
""")
    assert widening > 1, widening
    near(found["value"], s**2, 1e-7)  # the search ends at 1e-4 of a standard error at the latest
    near(found["widening"], widening, 1e-6)
    near(found["standard_error"], 2 * s * widening / np.sqrt(np.sum(weight * c**2)), 1e-6)
    assert "as much wider" in said, said


def a_beam_of_a_mesh():
    """Frequencies of a cantilever of steel are proportional to E^1/2, whatever the mesh, on any number of ranks, and whether it is reduced."""
    box.line("rod.msh", 0.5, 6)
    case = box.ROD + """%s
studies:
  - fit_modes: { find: { E: { path: materials.steel.young } }, targets: [ { mode: 2, frequency: 250 } ] }
"""
    values = []
    reduced = "reduction: { craig_bampton: { modes: 5, keep: end } }"
    for name, reduction, ranks in (("whole", "", 1), ("whole", "", 2), ("whole", "", 3), ("reduced", reduced, 1)):
        found, _ = run(f"{name}_{ranks}", case % reduction, ranks)
        near(found["value"], 2e11 * (250 / found["before"][0])**2)
        near(found["after"], 250)
        near(found["sensitivity"], 250 / (2 * found["value"][0]))
        values.append(found["value"][0])
    near(values, np.full(len(values), values[0]), 1e-11)


def a_number_in_an_equation_between_motions():
    """Modes satisfy the equations of their own structure and tell nothing of one with another lever: its own modes do. The frequency is that of the case."""
    box.box("bar.msh", (1.0, 0.1, 0.05), (8, 2, 2))
    text = """
mesh: bar.msh
materials: {{ steel: {{ young: 2e11, poisson: 0.3, density: 7850 }} }}
parts: {{ bar: steel }}
points: {{ middle: {{ at: [0.5, 0.05, 0] }}, corner: {{ at: [1, 0, 0] }} }}
supports: [ {{ group: root }} ]
constraints: {{ link: [ {{ point: middle, direction: z }}, {{ point: corner, direction: z, factor: {} }} ] }}
studies:
  - fit_modes:
      find: {{ lever: {{ path: "constraints.link[1].factor" }} }}
      targets: [ {{ mode: 1, frequency: {} }} ]
"""
    frequency = float(run("lever", text.format(-0.6, 1000), expected=None)[0]["before"][0])
    found, _ = run("levered", text.format(-0.5, repr(frequency)))
    near(found["value"], -0.6, 1e-8)
    assert abs(found["sensitivity"][0, 0]) > 50, found["sensitivity"]


def a_number_that_enters_as_a_cube():
    """Without its small rotary inertia a thin strip's frequencies are proportional to its height."""
    box.line("strip.msh", 0.5, 6)
    found, _ = run("strip", """
mesh: strip.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 7850 } }
parts: { beam: { material: steel, element: beam_euler, section: { rectangle: { height: 1e-4, width: 0.03 }, orientation: [0, 1, 0] } } }
supports: [ { group: root }, { group: beam, directions: [x, z, rx, ry] } ]
studies:
  - fit_modes: { find: { h: { path: parts.beam.section.rectangle.height } }, targets: [ { mode: 1, frequency: 0.5 } ] }
""")
    near(found["value"], 1e-4 * 0.5 / found["before"][0], 1e-6)  # rotary inertia: (h / l)^2 is 4e-8
    near(found["sensitivity"], 0.5 / found["value"][0], 1e-6)  # the difference quotient of a cube: 1e-8


CHAIN = """
masses: { a: { mass: 2 }, b: { mass: 1 } }
springs: [ { between: [ground, a], stiffness: 4000 }, { between: [a, b], stiffness: 3000 } ]
laws: { unused: { law: spring, stiffness: 10 } }
"""


def numbers_that_are_not_told():
    """One frequency cannot tell two numbers, and one that acts on nothing is told by none."""
    found, said = run("few", CHAIN + """
studies:
  - fit_modes: { find: { k: { path: "springs[0].stiffness" }, m: { path: masses.a.mass } }, targets: [ { mode: 1, frequency: 5 } ] }
""")
    assert list(found["determined"]) == [0, 0] and np.isnan(found["correlation"]).all() and np.isinf(found["standard_error"]).all(), found
    near(found["after"], 5)
    assert "1 frequencies cannot tell 2 numbers" in said, said
    found, said = run("silent", CHAIN + """
studies:
  - fit_modes:
      find: { nothing: { path: laws.unused.stiffness }, k: { path: "springs[0].stiffness" } }
      targets: [ { mode: 1, frequency: 5 }, { mode: 2, frequency: 13 } ]
""")
    assert list(found["determined"]) == [0, 1] and np.isinf(found["standard_error"][0]), found
    near(found["value"][0], 10, 1e-14)  # the logarithm of a number and back
    assert found["widening"][0] > 10, found  # of one number from two frequencies
    assert (found["sensitivity"][:, 0] == 0).all() and "has no effect on these frequencies" in said, said


def bounds_hold():
    found, said = run("bounded", CHAIN + """
studies:
  - fit_modes: { find: { k: { path: "springs[0].stiffness", most: 4100 } }, targets: [ { mode: 1, frequency: 8 } ] }
""")
    near(found["value"], 4100)
    assert found["at_bound"][0] == 1 and found["converged"][0] == 1 and found["after"][0] < 8 and "at its bound" in said, said


def what_is_no_structure():
    """At the start there is a case that is refused, or a mode without a frequency."""
    found, said = run("negative", CHAIN + """
studies:
  - fit_modes: { find: { k: { path: "springs[0].stiffness", start: -5, least: -10, most: 10 } }, targets: [ { mode: 1, frequency: 8 } ] }
""", expected=STOPPED)
    assert "no model at the start: springs[0].stiffness: must be positive" in said and found["reason"][0].decode() in said, said
    assert found["converged"][0] == 0 and np.isnan(found["value"]).all(), found
    found, said = run("rigid", """
masses: { a: { mass: 2 }, b: { mass: 1 } }
springs: [ { between: [a, b], stiffness: 3000 } ]
studies:
  - fit_modes: { find: { k: { path: "springs[0].stiffness" } }, targets: [ { mode: 1, frequency: 8 } ] }
""", expected=STOPPED)
    assert "mode 1 is a rigid motion" in said, said


if __name__ == "__main__":
    one_number_in_several_places()
    two_springs_from_two_frequencies()
    frequencies_that_contradict_each_other()
    a_beam_of_a_mesh()
    a_number_in_an_equation_between_motions()
    a_number_that_enters_as_a_cube()
    numbers_that_are_not_told()
    bounds_hold()
    what_is_no_structure()
