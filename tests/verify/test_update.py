#!/usr/bin/env python3
"""The key `update`: forces of a linear problem, whose posterior and evidence are known in closed form, by Laplace and by a chain, on 1, 2 and 3
ranks; springs from frequencies beside `fit_modes` and scipy; shapes; sensitivities beside closed forms, scipy and differences; modes that change places;
numbers that are not determined or at a bound; a chain that is broken off.
[timeout: 240]"""
import os
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.stats

sys.dont_write_bytecode = True
import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
STOPPED = 3  # exit code


def command(name, ranks=1, *options):
    launch = [] if ranks == 1 else [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)]
    return launch + [PROGRAM, "run", name + ".yaml", "-q", *options]


def read(path):
    """The group `update`, as arrays by their paths in it."""
    found = {}
    with h5py.File(path) as file:
        file["update"].visititems(lambda key, item: found.update({key: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def run(name, case, ranks=1, expected=0):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(case)
    done = subprocess.run(command(name, ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert expected is None or done.returncode == expected, f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return read(name + ".h5"), done.stdout + done.stderr


def near(found, expected, tolerance):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max(), f"{found} is not {expected}, by {np.abs(found - expected).max():.2g}"


# Displacements of two masses in a row under two forces: linear in the forces, which are to be found.
FLEXIBILITY = np.linalg.inv([[300.0, -200.0], [-200.0, 200.0]])
ROWS = np.array([FLEXIBILITY[0], FLEXIBILITY[1], FLEXIBILITY[1]])
DATA, ERROR = np.array([0.05, 0.06, 0.061]), np.array([0.002, 0.003, 0.003])
MEAN, DEVIATION = np.array([2.0, 1.0]), np.array([1.0, 2.0])
LINEAR = """
masses: { a: { mass: 1 }, b: { mass: 1 } }
springs: [ { between: [ground, a], stiffness: 100 }, { between: [a, b], stiffness: 200 } ]
damping: { modal: 0.01 }
studies:
  - static:
      load: [ { force: { point: a, direction: x, amplitude: 1 } }, { force: { point: b, direction: x, amplitude: 1 } } ]
      steps: 1
update:
  find:
    fa: { path: "studies[0].static.load[0].force.amplitude", normal: { mean: 2, deviation: 1 } }
    fb: { path: "studies[0].static.load[1].force.amplitude", normal: { mean: 1, deviation: 2 } }
  targets:
    ua: { path: "static/static/points/a/displacement[x]", take: last, value: 0.05, uncertainty: 0.002 }
    ub: { path: "static/static/points/b/displacement[2, x]", value: 0.06, relative_uncertainty: 5 % }
    uc: { path: "static/static/points/b/displacement[2, x]", value: 0.061, uncertainty: 0.003 m }
  predict:
    sum: { path: "static/static/points/b/displacement[x]", take: last }
"""


def closed_form():
    """Mean, covariance and logarithm of the evidence: the data are normal with covariance E + A P A^T."""
    scaled = ROWS / ERROR[:, None]
    covariance = np.linalg.inv(scaled.T @ scaled + np.diag(DEVIATION**-2.0))
    mean = covariance @ (scaled.T @ (DATA / ERROR) + MEAN / DEVIATION**2)
    evidence = scipy.stats.multivariate_normal.logpdf(DATA, ROWS @ MEAN, np.diag(ERROR**2) + ROWS @ np.diag(DEVIATION**2) @ ROWS.T)
    return mean, covariance, evidence


def a_linear_problem_has_its_closed_form():
    mean, covariance, evidence = closed_form()
    deviation = np.sqrt(np.diag(covariance))
    found, said = run("linear", LINEAR)
    # The search ends within a hundredth of a standard deviation, 0.006 and 0.005 here; 4e-5 of it were seen, and 1e-11 in all that follows.
    near(found["value"], mean, 2e-4)
    near(found["posterior/deviation"], deviation, 1e-8)
    near(found["standard_error"], deviation, 1e-8)
    half = scipy.stats.norm.ppf(0.975) * deviation
    near(found["posterior/high"] - found["posterior/median"], half, 1e-8)
    near(found["posterior/median"] - found["posterior/low"], half, 1e-8)
    near(found["posterior/correlation"], covariance / np.outer(deviation, deviation), 1e-8)
    near(found["correlation"], covariance / np.outer(deviation, deviation), 1e-8)
    near(found["posterior/log_evidence"], evidence, 1e-6)
    near(found["sensitivity"], ROWS, 1e-8)
    near(found["predictions/at_best"], ROWS[1] @ mean, 2e-4)
    likelihood = scipy.stats.norm.logpdf(DATA, ROWS @ found["value"], ERROR).sum()
    near(found["log_likelihood"], likelihood, 1e-9)
    near(found["bic"], 2 * np.log(3) - 2 * likelihood, 1e-9)
    # 200 draws: a standard deviation of them errs by 5 %, their mean by 7 % of it.
    spread = np.sqrt(ROWS[1] @ covariance @ ROWS[1])
    assert abs(found["predictions/deviation"][0] / spread - 1) < 0.2 and abs(found["predictions/mean"][0] - ROWS[1] @ mean) < 0.28 * spread
    assert found["determined"].tolist() == [0, 1] and "known by its prior" in said  # 0.58 of 1, 0.46 of 2


def a_chain_finds_it_too():
    """With errors as it tells them; 4 of them are exceeded once in 16000 times, and the seed is fixed."""
    mean, covariance, evidence = closed_form()
    found, _ = run("chain", LINEAR + "  posterior: { method: chain, walkers: 8, steps: 3000, discard: 300, bridge: 500, seed: 5 }\n")
    assert found["posterior/converged"][0] == 1 and found["posterior/r_hat"][0] < 1.05 and 0.4 < found["posterior/acceptance"][0] < 0.9
    assert np.all(np.abs(found["posterior/mean"] - mean) < 4 * found["posterior/mean_error"])
    assert np.all(np.abs(found["posterior/deviation"] / np.sqrt(np.diag(covariance)) - 1) < 4 / np.sqrt(2 * found["posterior/effective"][0]))
    assert abs(found["posterior/log_evidence"][0] - evidence) < 4 * found["posterior/log_evidence_error"][0] < 0.2
    assert np.all(found["posterior/low"] < mean) and np.all(mean < found["posterior/high"])
    half = scipy.stats.norm.ppf(0.975) * np.sqrt(np.diag(covariance))
    near(found["posterior/high"] - found["posterior/low"], 2 * half, 0.15)  # ends of intervals err by 3 % of these with 1000 samples


def models_are_compared_by_their_evidence():
    """The same data with the second force known to be 1: the ratio of both evidences, in closed form. Other data are refused."""
    scaled = scipy.stats.multivariate_normal.logpdf(DATA, ROWS @ MEAN, np.diag(ERROR**2) + np.outer(ROWS[:, 0], ROWS[:, 0]) * DEVIATION[0]**2)
    known = "\n".join(line for line in LINEAR.splitlines() if "fb:" not in line)
    run("two_forces", LINEAR)
    run("one_force", known)
    run("other_data", known.replace("0.061", "0.062"))
    models = [sys.executable, os.path.join(os.environ["DOVETAIL_SOURCE"], "scripts/models")]
    said = subprocess.run(models + ["two_forces.h5", "one_force.h5"], capture_output=True, text=True, check=True).stdout.splitlines()
    ratio = np.exp(closed_form()[2] - scaled)
    near([float(line.split()[-1]) for line in said[1:]], [ratio / (1 + ratio), 1 / (1 + ratio)], 2e-3)  # printed with four digits
    refused = subprocess.run(models + ["two_forces.h5", "other_data.h5"], capture_output=True, text=True)
    assert refused.returncode == 2 and "other measurements than two_forces.h5" in refused.stderr, refused.stderr


def ranks_find_the_same():
    """Starts apart, and with one start its differences and walkers; all from the same numbers, to the last bit."""
    for name, case in (("apart", LINEAR + "  starts: 5\n"),
                       ("together", LINEAR + "  starts: 1\n  posterior: { method: chain, steps: 40, bridge: 16 }\n"),
                       ("exact", CROSSING + "  starts: 2\n")):  # apart on 2 ranks, together on 3
        ended = STOPPED if "chain" in case else 0  # 40 steps are not enough
        alone, _ = run(name, case, 1, ended)
        for ranks in (2, 3):
            several, _ = run(f"{name}_{ranks}", case, ranks, ended)
            assert alone.keys() == several.keys()
            for key, value in alone.items():
                assert np.array_equal(value, several[key], equal_nan=value.dtype.kind == "f"), f"{name}, {key} differs on {ranks} ranks"


SPRINGS = """
masses: { a: { mass: 2 }, b: { mass: 2 } }
springs: [ { between: [ground, a], stiffness: 4000 }, { between: [a, b], stiffness: 4000 } ]
damping: { modal: 0.01 }
studies:
  - modes: {}
"""


def frequencies(stiffness, mass=2.0):
    total, product = (stiffness[0] + 2 * stiffness[1]) / mass, stiffness[0] * stiffness[1] / mass**2
    root = np.sqrt(total**2 - 4 * product)
    return np.sqrt(np.array([total - root, total + root]) / 2) / (2 * np.pi)


def springs_are_those_of_scipy_and_fit_modes():
    target, error = np.array([4.2, 11.1]), np.array([0.01, 0.02])
    case = SPRINGS + """  - fit_modes:
      find: { first: { path: "springs[0].stiffness" }, second: { path: "springs[1].stiffness" } }
      targets: [ { mode: 1, frequency: 4.2, uncertainty: 0.01 }, { mode: 2, frequency: 11.1, uncertainty: 0.02 } ]
update:
  find: { first: { path: "springs[0].stiffness" }, second: { path: "springs[1].stiffness" } }
  targets:
    f1: { path: "modes/stuck/frequency[1]", value: 4.2, uncertainty: 0.01 }
    f2: { path: "modes/stuck/frequency[2]", value: 11.1, uncertainty: 0.02 }
"""
    found, _ = run("springs", case)
    scipys = scipy.optimize.least_squares(lambda k: (frequencies(k) - target) / error, [4000, 4000], x_scale=1000, xtol=1e-14, ftol=1e-14, gtol=1e-14)
    deviation = np.sqrt(np.diag(np.linalg.inv(scipys.jac.T @ scipys.jac)))
    assert np.all(np.abs(found["value"] - scipys.x) < 0.01 * deviation), (found["value"], scipys.x)
    near(found["standard_error"], deviation, 1e-4)  # elsewhere by up to a hundredth of a deviation, 1e-4 of the numbers
    with h5py.File("springs.h5") as file:
        modes = {key: file["fit_modes/fit_modes/" + key][()] for key in ("value", "standard_error", "sensitivity", "correlation")}
    near(found["standard_error"], modes["standard_error"], 1e-4)
    near(found["sensitivity"], modes["sensitivity"], 1e-4)
    near(found["correlation"], modes["correlation"], 1e-4)
    assert np.all(found["starts/converged"] == 1) and np.ptp(found["starts/chi_square"]) < 1e-4
    assert np.isnan(found["posterior/log_evidence"][0])  # of flat priors without bounds there is none


def a_shape_is_weighted_by_its_mac():
    """A shape that no springs have, of any length: the sum of squares is (1 - MAC) |v|^2 / sigma^2; and one that they have, by scipy."""
    update = """update:
  find: {{ first: {{ path: "springs[0].stiffness" }}, second: {{ path: "springs[1].stiffness" }} }}
  targets:
    f1: {{ path: "modes/stuck/frequency[1]", value: 4.2, uncertainty: 0.01 }}
    shape: {{ path: "modes/stuck/shape[1]", motions: [b x, a x], value: {}, uncertainty: 0.06 }}
"""
    value = np.array([-3.0, -1.8])
    found, _ = run("shape", SPRINGS + update.format(value.tolist()))

    def deviate(k):
        first = frequencies(k)[0]
        shape = np.array([1, k[1] / (k[0] + k[1] - 2.0 * (2 * np.pi * first)**2)])  # of b and a
        return np.append((value @ shape / (shape @ shape) * shape - value) / 0.06, (first - 4.2) / 0.01)

    scipys = scipy.optimize.least_squares(deviate, [4000, 4000], x_scale=1000, xtol=1e-14, ftol=1e-14, gtol=1e-14)
    deviation = np.sqrt(np.diag(np.linalg.inv(scipys.jac.T @ scipys.jac)))
    assert np.all(np.abs(found["value"] - scipys.x) < 0.01 * deviation), (found["value"], scipys.x)
    near(found["standard_error"], deviation, 1e-3)  # both by differences
    near(found["after"][1:], value, 1e-3)
    opposite = np.array([3.0, -1.0])  # the first mode has both in phase
    found, _ = run("opposite", SPRINGS + update.format(opposite.tolist()), expected=None)
    assert found["misfit"][1] > 1
    shape = found["after"][1:]
    mac = (shape @ opposite)**2 / (shape @ shape) / (opposite @ opposite)
    near(2 * found["misfit"][1]**2, (1 - mac) * (opposite @ opposite) / 0.06**2, 1e-9)


def a_curve_is_read_from_a_file():
    """Frequencies of a mass on a joint that slips over its amplitude, with errors in a column; two numbers that gave them come back."""
    case = """
masses: { block: { mass: 2 } }
springs: [ { between: [ground, block], stiffness: 8e4 } ]
laws: { slip: { law: iwan4, slip_force: 20, stiffness: 4e4, chi: -0.4, beta: 1 } }
joints: { bolt: { between: [ground, block], x: slip } }
damping: { modal: 1e-3 }
studies:
  - nonlinear_modes: { modes: 1, from: 1e-5, to: 1e-3, method: quasi_static, points: 12 }
"""
    with open("truth.yaml", "w", encoding="utf-8") as file:
        file.write(case)
    subprocess.run(command("truth"), check=True, stdin=subprocess.DEVNULL, capture_output=True)
    with h5py.File("truth.h5") as file:
        curve = [file["nonlinear_modes/nonlinear_modes/mode1/" + key][1:-1] for key in ("amplitude", "zeta")]
    np.savetxt("backbone.csv", np.column_stack([0.05 * curve[1], curve[1], curve[0]]), delimiter=",", fmt="%.17g")
    found, said = run("curve", case + """update:
  find: { slip: { path: laws.slip.slip_force, start: 15 N }, chi: { path: laws.slip.chi, start: -0.5, uniform: { from: -0.9, to: 0.2 } } }
  targets:
    zeta: { path: nonlinear_modes/nonlinear_modes/mode1/zeta, over: amplitude, data: { file: backbone.csv, over: 3, value: 2, uncertainty: 1 } }
  predict:
    all: { path: nonlinear_modes/nonlinear_modes/mode1/zeta, over: amplitude, grid: { from: 2e-5, to: 9e-4, count: 4, spacing: logarithmic } }
""")
    near(found["value"], [20, -0.4], 1e-3)  # the search ends within a hundredth of a standard deviation: 0.005 of 20 N
    near(found["uncertainty"], 0.05 * curve[1], 1e-15)
    assert "10 points of a curve" in said and found["units"].tolist() == [b"N", b""]
    assert np.all(found["predictions/all/low"] < found["predictions/all/at_best"])
    assert np.all(found["predictions/all/at_best"] < found["predictions/all/high"])


def studies_are_computed_for_what_needs_them():
    """Modes for predictions alone, a run that stops for nothing: what is found is the same to the last bit. What is predicted is known in closed form."""
    begin, end = LINEAR.split("update:")
    more = "  - modes: {}\n  - transient: { name: stops, time_step: 1e-4, steps: 100, load: { half_sine: { point: a, duration: 2e-3, amplitude: 1e300 } } }\n"
    end = "joints: { bolt: { between: [ground, a], x: { law: cubic, stiffness: 1e-12, cubic: 1e-9 } } }\n" + "update:" + end
    alone, _ = run("alone", begin + end)
    beside, _ = run("beside", begin + more + end + "    f: modes/stuck/frequency[1]\n", expected=STOPPED)
    for key, value in alone.items():
        if not key.startswith("predictions/"):
            assert np.array_equal(value, beside[key], equal_nan=value.dtype.kind == "f"), f"{key}: {value} and {beside[key]}"
    for key in ("at_best", "low", "median", "high"):
        assert beside["predictions/" + key][0] == alone["predictions/" + key][0], key
        near(beside["predictions/" + key][1], np.sqrt(np.linalg.eigvalsh([[300.0, -200.0], [-200.0, 200.0]])[0]) / (2 * np.pi), 1e-12)
    said = subprocess.run([PROGRAM, "check", "beside.yaml"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout
    assert "each evaluation computes static; modes and transient stops are not needed\n" in said, said
    assert "with 200 draws, each of which computes static and modes; transient stops is not needed\n" in said, said


SHAPES = SPRINGS.replace("{", "{{").replace("}", "}}") + """update:
  starts: 2
  find: {{ first: {{ path: "springs[0].stiffness" }}, second: {{ path: "springs[1].stiffness" }} }}
  targets:
    f1: {{ path: "modes/stuck/frequency[1]", value: 4.2, uncertainty: 0.01{0} }}
    o2: {{ path: "modes/stuck/omega[2]", value: 69.7, uncertainty: 0.1{0} }}
    shape: {{ path: "modes/stuck/shape[1]", motions: [a x, b x], value: [0.53, 0.85], uncertainty: 0.1 }}
"""


def sensitivities_have_their_closed_form():
    """omega^2 = (S -+ R) / 2, S = (k1 + 2 k2) / m, R^2 = S^2 - 4 k1 k2 / m^2; the first shape is (sin t, cos t) / m^1/2, tan 2 t = 2 k2 / k1. With
    `take` an output is differentiated by differences, which are 1e-6 off, for more evaluations."""
    found, said = run("closed_form", SHAPES.format(""))
    k1, k2, m = *found["value"], 2.0
    total, product = (k1 + 2 * k2) / m, k1 * k2 / m**2
    root = np.sqrt(total**2 - 4 * product)
    dtotal, dproduct = np.array([1, 2]) / m, np.array([k2, k1]) / m**2
    droot = (total * dtotal - 2 * dproduct) / root
    omega = np.sqrt(np.array([total - root, total + root]) / 2)
    angle, dangle = np.arctan2(2 * k2, k1) / 2, np.array([-k2, k1]) / (k1**2 + 4 * k2**2)
    # Round-off of a difference over 1e-4 of a number is 1e-12 of the whole; up to 3e-12 were seen.
    near(found["sensitivity"][0], (dtotal - droot) / 2 / (4 * np.pi * omega[0]), 1e-10)
    near(found["sensitivity"][1], (dtotal + droot) / 2 / (2 * omega[1]), 1e-10)
    near(found["sensitivity"][2:], np.outer([np.cos(angle), -np.sin(angle)], dangle) / np.sqrt(m), 1e-10)
    assert found["exact"].tolist() == [1, 1, 1] and "exact sensitivities" in said
    rough, said = run("rough", SHAPES.format(", take: first"))
    near(rough["sensitivity"], found["sensitivity"], 1e-6)  # the square of a step of a thousandth; 2e-8 were seen
    assert rough["exact"].tolist() == [0, 0, 1] and "exact or by differences" in said
    assert rough["evaluations"][0] > 2 * found["evaluations"][0] and found["structures"][0] > 0


def sensitivities_are_those_of_scipy():
    """Masses, springs and a law that slips, by Richardson's extrapolation of the eigenvalues of scipy; nothing tells of the damping."""
    case = """
masses: { a: { mass: 2 }, b: { mass: 1.5 }, c: { mass: 0.7 } }
springs: [ { between: [ground, a], stiffness: 4000 }, { between: [a, b], stiffness: 3000 }, { between: [b, c], stiffness: 7000 } ]
laws: { slip: { law: jenkins, slip_force: 20, stiffness: 2500 } }
joints: { bolt: { between: [ground, c], x: slip } }
damping: { modal: 0.01 }
studies: [ modes: { count: 2 } ]
update:
  starts: 1
  find:
    m: { path: masses.b.mass }
    k: { path: [ "springs[0].stiffness", "springs[2].stiffness" ], relative: yes, least: 0.5, most: 2 }
    slip: { path: laws.slip.stiffness }
    zeta: { path: damping.modal, normal: { mean: 0.01, deviation: 0.001 } }
  targets:
    stuck: { path: "modes/stuck/frequency[2]", value: %r, uncertainty: 0.1 }
    slipping: { path: "modes/slipping/frequency[1]", value: %r, uncertainty: 0.1 }
    shape: { path: "modes/slipping/shape[2]", motions: [a x, b x, c x], value: %r, uncertainty: 0.1 }
"""

    def modes(values):
        m, k, slip, _ = values
        links = np.array([[1, 0, 0], [-1, 1, 0], [0, -1, 1], [0, 0, 1.0]])
        found = []
        for stuck in (1, 0):
            eigen, shapes = scipy.linalg.eigh(links.T @ np.diag([4000 * k, 3000, 7000 * k, stuck * slip]) @ links, np.diag([2, m, 0.7]))
            found.append((np.sqrt(eigen) / (2 * np.pi), shapes * np.sign(shapes[np.abs(shapes).argmax(axis=0), range(3)])))
        return np.array([found[0][0][1], found[1][0][0], *found[1][1][:, 1]])

    def slope(start, p):
        differences = [(modes(start + h * np.eye(4)[p] * start) - modes(start - h * np.eye(4)[p] * start)) / (2 * h * start[p]) for h in (2e-3, 1e-3)]
        return (4 * differences[1] - differences[0]) / 3  # its error: 1e-10

    start = np.array([1.5, 1, 2500, 0.01])
    values = modes(start)
    found, _ = run("links", case % (values[0], values[1], values[2:].tolist()))
    near(found["value"], start, 1e-9)
    for p in range(4):
        near(found["sensitivity"][:, p], slope(start, p), 1e-9)  # 6e-12 were seen
    assert found["exact"].tolist() == [1, 1, 1] and found["structures"][0] % 8 == 0


# A mass on two springs, across each other: the frequencies cross where these are equal.
CROSSING = """
masses: { a: { mass: 2, directions: [x, y] } }
springs: [ { between: [ground, a], direction: x, stiffness: 4000 }, { between: [ground, a], direction: y, stiffness: 6000 } ]
damping: { modal: 0.01 }
studies: [ modes: {} ]
update:
  find: { kx: { path: "springs[0].stiffness", most: 20000 }, ky: { path: "springs[1].stiffness", most: 20000 } }
  targets:
    fx: { path: "modes/stuck/frequency[1]", value: 11, uncertainty: 0.01 }
    fy: { path: "modes/stuck/frequency[2]", value: 7, uncertainty: 0.02 }
"""


def modes_are_followed_by_their_shape():
    """The first mode of the case moves in x. It has the larger frequency in the end: k = m (2 pi f)^2. By their numbers no case has what is
    asked for, and the search ends where both frequencies are equal. From equal ones, which have no derivatives of their own, it goes on, too."""
    stiffness = 2 * (2 * np.pi * np.array([11, 7]))**2
    found, said = run("crossing", CROSSING + "  starts: 8\n")
    near(found["value"], stiffness, 1e-5)  # a hundredth of a deviation at most
    assert found["starts/chi_square"].max() < 1e-3 and found["followed"].tolist() == [1, 1] and "followed by their shape" in said
    near(found["sensitivity"], np.diag([11, 7] / (2 * stiffness)), 1e-5)
    found, _ = run("equal", CROSSING.replace("6000", "4000") + "  starts: 1\n")
    near(found["value"], stiffness, 1e-5)
    found, said = run("numbered", CROSSING.replace("uncertainty", "follow: no, uncertainty"), expected=None)
    assert found["followed"].tolist() == [0, 0] and "followed" not in said
    near(found["after"], [10.2, 10.2], 1e-3)  # the mean of both, weighted by their variances
    assert found["chi_square"][0] > 1e4


def modes_of_a_mesh_are_followed_and_differentiated():
    """A cantilever whose frequencies are proportional to E^1/2: exact where its unknowns are the same; by differences where it is reduced anew,
    and then followed by the motion of its mesh."""
    box.line("rod.msh", 0.5, 6)
    case = box.ROD + """
damping: { modal: 0.01 }
studies: [ modes: { count: 4 }, modes: { name: more, count: 8 } ]
update:
  starts: 1
  find: { E: { path: materials.steel.young } }
  targets: { f2: { path: "modes/stuck/frequency[2]", value: 250, uncertainty: 0.01 } }
"""
    for name, more, exact in (("whole", "", 1), ("reduced", "reduction: { craig_bampton: { modes: 5, keep: end } }\n", 0)):
        found, _ = run(name, case + more)
        near(found["value"], 2e11 * (250 / found["before"][0])**2, 1e-5)  # half a thousandth of a deviation, which is 8e-5
        near(found["sensitivity"], found["after"][0] / (2 * found["value"][0]), 1e-9 if exact else 1e-6)  # seen: 3e-11 and 1e-7
        assert found["exact"].tolist() == [exact] and found["followed"].tolist() == [1]


LINKED = """
mesh: bar.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 7850 } }
parts: { bar: steel }
points: { end: { average: tip }, middle: { at: [0.5, 0.05, 0] }, corner: { at: [1, 0, 0] } }
supports: [ { group: root } ]
masses: { hung: { mass: 10 } }
springs: [ { between: [hung, end], direction: x, stiffness: 1e6 } ]
constraints: { link: [ { point: middle, direction: z }, { point: corner, direction: z, factor: FACTOR } ] }
studies: [ modes: { count: 3, joints: stuck } ]
"""


def equations_between_motions_are_differentiated():
    """Modes satisfy the equations of their own structure, so that of one with another lever they tell nothing: differences do."""
    box.box("bar.msh", (1.0, 0.1, 0.05), (8, 2, 2))
    with open("lever.yaml", "w", encoding="utf-8") as file:
        file.write(LINKED.replace("FACTOR", "-0.6"))
    subprocess.run(command("lever"), check=True, stdin=subprocess.DEVNULL, capture_output=True)
    with h5py.File("lever.h5") as file:
        frequency = float(file["modes/stuck/frequency"][1])
    text = LINKED.replace("FACTOR", "-0.5") + """update:
  starts: 1
  find: { lever: { path: "constraints.link[1].factor" } }
  targets: { f: { path: "modes/stuck/frequency[2]", value: %r, uncertainty: 0.01 } }
""" % frequency
    found, _ = run("levered", text)
    near(found["value"], -0.6, 1e-5)  # a thousandth of a deviation
    assert found["exact"].tolist() == [0] and abs(found["sensitivity"][0, 0]) > 50, found["sensitivity"]


def samples(name, case):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(case)
    subprocess.run(command(name), stdin=subprocess.DEVNULL, capture_output=True)
    with h5py.File(name + ".h5") as file:
        return file["vary/samples/outputs"][:], file["vary/samples/reason"][:]


def a_shape_that_is_lost_is_a_reason():
    """Two oscillators that a soft spring couples: their modes are theirs while their frequencies differ, and half of each where these are equal. Of
    three whose springs between them become stiff, the first has no mode of its own any more."""
    case = """
masses: { a: { mass: 1 }, b: { mass: 1 } }
springs: [ { between: [ground, a], stiffness: 1000 }, { between: [ground, b], stiffness: 2000 }, { between: [a, b], stiffness: 1 } ]
studies: [ modes: {} ]
vary:
  parameters: { k: { path: "springs[0].stiffness", values: [1500, 2000, 4000] } }
  outputs: { shaped: { path: "modes/stuck/omega[1]", follow: yes }, numbered: "modes/stuck/omega[1]" }
"""
    outputs, reason = samples("alike", case)
    omega = np.array([np.sqrt(np.linalg.eigvalsh([[k + 1, -1], [-1, 2001]])) for k in (1500, 2000, 4000)])
    near(outputs[:, 1], omega[:, 0], 1e-12)
    near(outputs[[0, 2], 0], [omega[0, 0], omega[2, 1]], 1e-12)
    assert np.isnan(outputs[1, 0]) and b"modes 1 and 2 both resemble mode 1 of the case (MAC of 0.5 and 0.5)" in reason[1], reason[1]
    case = """
masses: { a: { mass: 1 }, b: { mass: 1 }, c: { mass: 1 } }
springs:
  - { between: [ground, a], stiffness: 1000 }
  - { between: [ground, b], stiffness: 2000 }
  - { between: [ground, c], stiffness: 3000 }
  - { between: [a, b], stiffness: 0.01 }
  - { between: [b, c], stiffness: 0.01 }
studies: [ modes: {} ]
vary:
  parameters: { k: { path: [ "springs[3].stiffness", "springs[4].stiffness" ], values: [0.01, 1e6] } }
  outputs: { shaped: { path: "modes/stuck/omega[1]", follow: yes } }
"""
    outputs, reason = samples("lost", case)  # (1, 1, 1), (1, 0, -1), (1, -2, 1): MAC of 1/3, 1/2, 1/6
    assert np.isnan(outputs[1, 0]) and b"none of 3 modes has the shape of mode 1 of the case (MAC of 0.5 at most)" in reason[1], reason[1]


def modes_of_a_mesh_on_its_modes_are_followed():
    """Joints that hold without any give are shown on the modes that the mesh moves on, and these are other ones with another section: modes of bending in y,
    proportional to the height, and of bending in z change places."""
    box.line("two.msh", 0.5, 6)
    case = """
mesh: two.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 7850 } }
parts: { beam: { material: steel, element: beam_euler, section: { rectangle: { height: 0.029, width: 0.03 }, orientation: [0, 1, 0] } } }
points: { end: { at: [0.5, 0, 0] } }
supports: [ { group: root } ]
masses: { hung: { mass: 0.5 } }
springs: [ { between: [hung, ground], stiffness: 1e5 } ]
joints: { rub: { between: [hung, end], x: { law: coulomb, slip_force: 1 } } }
studies:
  - modes: { count: 6, joints: slipping }
  - transient: { time_step: 1e-5, steps: 3, load: { half_sine: { point: end, direction: y, duration: 1e-3, amplitude: 1 } } }
vary:
  parameters: { height: { path: parts.beam.section.rectangle.height, values: [0.0285, 0.031] } }
  outputs:
    shaped: { path: "modes/slipping/frequency[2]", follow: yes }
    other: { path: "modes/slipping/frequency[3]", follow: yes }
    second: "modes/slipping/frequency[2]"
    third: "modes/slipping/frequency[3]"
"""
    outputs, reason = samples("two", case)
    assert not reason[0] and not reason[1], reason
    assert outputs[0, 0] == outputs[0, 2] and outputs[0, 1] == outputs[0, 3] and outputs[1, 0] == outputs[1, 3] and outputs[1, 1] == outputs[1, 2], outputs
    near(outputs[1, 0] / outputs[0, 0], 0.031 / 0.0285, 1e-3)  # turning of the sections lowers it, by 1e-5 to 1e-4
    near(outputs[1, 1], outputs[0, 1], 1e-3)


def what_the_targets_do_not_tell_is_said():
    """Two springs from one frequency; a spring at its bound, missed by more than its uncertainty."""
    one = "  targets: { f1: { path: \"modes/stuck/frequency[1]\", value: 4.2, uncertainty: 0.01 } }\n"
    both = "  find: { first: { path: \"springs[0].stiffness\" }, second: { path: \"springs[1].stiffness\" } }\n"
    found, said = run("open", SPRINGS + "update:\n" + both + one)
    assert found["determined"].tolist() == [0, 0] and "1 data cannot tell 2 numbers" in said
    near(found["after"], 4.2, 1e-4)
    bounded = "  find: { first: { path: \"springs[0].stiffness\", start: 3990, least: 3900, most: 4000 } }\n"
    found, said = run("bound", SPRINGS + "update:\n" + bounded + one.replace("4.2", "4.5"))
    near(found["value"], 4000, 1e-12)
    assert found["at_bound"][0] == 1 and "at its bound" in said
    near(found["chi_square"], ((frequencies([4000.0, 4000.0])[0] - 4.5) / 0.01)**2, 1e-6)


def a_case_that_has_no_answer_is_a_reason():
    """No frequency 3 of two: the path is fine, the number is not there."""
    found, said = run("none", SPRINGS + """update:
  find: { first: { path: "springs[0].stiffness" } }
  targets: { f3: { path: "modes/stuck/frequency[3]", value: 4.2, uncertainty: 0.01 } }
""", expected=STOPPED)
    assert b"index 3 is not one of 1 to 2" in found["reason"][0] and "index 3 is not" in said


def a_prediction_without_a_value_is_said():
    """Of two frequencies the second has a band, the third none, with the number of draws and the reason."""
    found, said = run("unpredicted", SPRINGS + """update:
  find: { first: { path: "springs[0].stiffness" } }
  targets: { f1: { path: "modes/stuck/frequency[1]", value: 4.2, uncertainty: 0.01 } }
  posterior: { draws: 8 }
  predict: { f3: "modes/stuck/frequency[3]", f2: "modes/stuck/frequency[2]" }
""")
    assert found["predictions/count"].tolist() == [0, 8] and np.isnan(found["predictions/low"][0]) and np.isfinite(found["predictions/low"][1])
    assert "no value with the best values and 8 of 8 draws: f3: index 3 is not one of 1 to 2" in said and "nan" not in said, said


def a_chain_goes_on_where_it_was_broken_off():
    """To the last bit: the proposals are the same, and the result tells which were accepted."""
    case = LINEAR + "  starts: 1\n  posterior: { method: chain, walkers: 4, steps: 2500, bridge: 16 }\n"
    begin = time.monotonic()
    whole, _ = run("whole", case)
    seconds = time.monotonic() - begin
    with open("broken.yaml", "w", encoding="utf-8") as file:
        file.write(case)
    going = subprocess.Popen(command("broken"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds / 2)
    going.send_signal(signal.SIGTERM)
    assert going.wait() == STOPPED
    part = read("broken.h5")
    steps = part["chain/steps_done"][0]
    assert 0 < steps < 2500, f"{steps} steps in {seconds / 2:.1f} s: the test is of no use"
    subprocess.run(command("broken", 1, "--resume"), check=True, stdin=subprocess.DEVNULL, capture_output=True)
    resumed = read("broken.h5")
    for key, value in whole.items():
        if key != "evaluations":
            assert np.array_equal(value, resumed[key], equal_nan=value.dtype.kind == "f"), f"{key} differs after {steps} steps"


if __name__ == "__main__":
    for check in (a_linear_problem_has_its_closed_form, a_chain_finds_it_too, models_are_compared_by_their_evidence, ranks_find_the_same,
                  springs_are_those_of_scipy_and_fit_modes, a_shape_is_weighted_by_its_mac, sensitivities_have_their_closed_form,
                  sensitivities_are_those_of_scipy, modes_are_followed_by_their_shape, modes_of_a_mesh_are_followed_and_differentiated,
                  equations_between_motions_are_differentiated, modes_of_a_mesh_on_its_modes_are_followed,
                  a_shape_that_is_lost_is_a_reason, what_the_targets_do_not_tell_is_said, a_prediction_without_a_value_is_said,
                  a_case_that_has_no_answer_is_a_reason, studies_are_computed_for_what_needs_them, a_curve_is_read_from_a_file,
                  a_chain_goes_on_where_it_was_broken_off):
        check()
