#!/usr/bin/env python3
"""The study loop against closed forms of energy and stiffness, at 1, 2 and 3 ranks, resumed, with a structure and without."""
import os
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
from compare_results import differences, read

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
LAWS = """laws:
  slider: { law: jenkins, stiffness: 1e6, slip_force: 10 }
  iwan: { law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 }
  spring: { law: spring, stiffness: 2e3 }
  damper: { law: damper, damping: 7 }
  spheres: { law: mindlin, contact_radius: 1e-3, shear_modulus: 2e10, friction: 0.3, load: 50 }
"""
STUDIES = """studies:
  - loop: { name: slider, law: slider, path: { sine: { amplitude: 3e-5, cycles: 3 } } }
  - loop: { name: iwan, law: iwan, path: { growing_sine: { from: 1e-6, to: 1e-3, cycles: 12, frequency: 5, growth: linear } } }
  - loop: { name: spring, law: spring, path: { sine: { amplitude: 1e-3 } } }
  - loop: { name: damper, law: damper, path: { sine: { amplitude: 1e-3, frequency: 10, phase: 1.5707963267948966 } } }
  - loop: { name: spheres, law: spheres, steps: 2000, path: { ramp: { through: [2e-8, -2e-8, 2e-8], speed: 3 } } }
  - loop: { name: together, law: [iwan, spring, { law: jenkins, stiffness: 1e3, slip_force: 0.5 }, { law: jenkins, stiffness: 2e3, slip_force: 0.1 }],
            path: { ramp: { through: [1e-3, -1e-3, 1e-3] } } }
  - loop: { name: file, law: slider, path: { table: { file: path.csv, scale: 1e-5 } } }
  - loop: { name: beats, law: iwan, path: { multi_sine: { duration: 3, terms: [{ amplitude: 1e-3, frequency: 1 }, { amplitude: 8e-4, frequency: 3.3, phase: 1 }] } } }
"""
STRUCTURE = """masses: { block: { mass: 2 } }
springs: [{ between: [ground, block], stiffness: 8e3 }]
joints: { bolt: { between: [ground, block], x: [iwan, spring] } }
"""


def dovetail(*arguments, ranks=1):
    command = [PROGRAM, *arguments]
    if ranks > 1:
        command = [os.environ["DOVETAIL_MPIEXEC"], "--quiet", "--oversubscribe", "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}"
    return done


def close(actual, expected, tolerance, what):
    error = np.max(np.abs(np.asarray(actual) / expected - 1))
    assert error <= tolerance, f"{what}: {actual} is not {expected}, off by {error:.2g}"


def read_loop(name):
    with h5py.File("loops.h5") as file:
        group = file[f"loop/{name}"]
        cycles = {key: values[:] for key, values in group["cycles"].items()}
        samples = {key: group[key][:] for key in ("time", "displacement", "velocity", "force", "dissipated", "reversals")}
        assert not any(np.isnan(values).any() for values in samples.values()), f"{name} has samples that were not written"
        return samples, cycles


def check(name, cycles, stiffness, energy, area_tolerance):
    """Of each cycle, and what follows from them."""
    close(cycles["secant_stiffness"], stiffness, 1e-9, f"{name}, stiffness")
    close(cycles["peak_force"], stiffness * cycles["amplitude"], 1e-9, f"{name}, peak force")
    close(cycles["dissipated"], energy, 1e-9, f"{name}, dissipated")
    close(cycles["area"], energy, area_tolerance, f"{name}, area")
    close(cycles["damping"], energy / (2 * np.pi * stiffness * cycles["amplitude"] ** 2), area_tolerance, f"{name}, damping")


def closed_forms():
    # Jenkins: a parallelogram; its kinks lie between samples
    _, cycles = read_loop("slider")
    close(cycles["begin"], [0.25, 0.75, 1.25, 1.75], 1e-12, "begin")
    close(cycles["end"], [1.25, 1.75, 2.25, 2.75], 1e-12, "end")
    check("slider", cycles, 10 / 3e-5, 4 * 10 * (3e-5 - 10 / 1e6), 2e-4)

    # Segalman 2005, eqs 16 and 19: a cycle of amplitude a loses e(a) = 4 R a^(chi+3) / ((chi+2)(chi+3)). When amplitudes grow, each way back
    # loses half a cycle of the one before, and then goes on along the first loading, which loses a quarter of a cycle in all.
    chi, beta, force, stiffness = -0.4, 1, 20, 4e3
    phi = force * (1 + beta) / (stiffness * (beta + (chi + 1) / (chi + 2)))
    R = force * (chi + 1) / (phi ** (chi + 2) * (beta + (chi + 1) / (chi + 2)))
    energy = lambda a: 4 * R * a ** (chi + 3) / ((chi + 2) * (chi + 3))
    samples, cycles = read_loop("iwan")
    turns = np.abs(samples["displacement"][samples["reversals"]])
    assert len(turns) == 24 and np.all(np.diff(turns) > 0)
    lost = energy(turns) / 4 + np.concatenate([[0], np.cumsum(energy(turns[:-1]) / 2)])
    close(samples["dissipated"][samples["reversals"]], lost, 1e-9, "dissipated")
    close(cycles["dissipated"], lost[2:] - lost[:-2], 1e-9, "dissipated in cycles")
    close(cycles["amplitude"], turns[1:-1] / 2 + turns[2:] / 2, 1e-12, "amplitude of growing cycles")
    close(cycles["peak_force"], [stiffness * a - R * a ** (chi + 2) / ((chi + 1) * (chi + 2)) for a in turns[2:]], 1e-9, "first loading again")

    # a spring
    _, cycles = read_loop("spring")
    close(cycles["secant_stiffness"], 2e3, 1e-12, "spring")
    assert np.all(np.abs(cycles["area"]) < 1e-12 * 2e3 * 1e-6) and np.all(cycles["dissipated"] == 0)

    # a damper: pi c omega a^2, and no stiffness that could have a damping
    _, cycles = read_loop("damper")
    assert len(cycles["area"]) == 3  # a cosine turns at its beginning and end
    close(cycles["area"], np.pi * 7 * 2 * np.pi * 10 * 1e-6, 1e-7, "damper")
    close(cycles["dissipated"], np.pi * 7 * 2 * np.pi * 10 * 1e-6, 1e-4, "work of the damper")
    close(cycles["peak_force"], 7 * 1e-3 * 2 * np.pi * 10, 1e-9, "force of the damper")
    assert np.all(cycles["secant_stiffness"] == 0) and np.all(np.isnan(cycles["damping"]))

    # Mindlin and Deresiewicz 1953, in the symbols of peyret2017
    radius, modulus, load, a = 1e-3, 2e10, 0.3 * 50, 2e-8
    slip = 3 * load / (16 * radius * modulus)
    p = (1 - a / slip) ** 1.5
    samples, cycles = read_loop("spheres")
    assert list(samples["reversals"]) == [2000, 4000, 6000]
    close(samples["time"][[2000, 6000]], [2e-8 / 3, 10e-8 / 3], 1e-12, "times of a ramp")
    lost = 9 * load**2 / (10 * radius * modulus) * (1 - p ** (5 / 3) - 5 * (1 - p) / 6 * (1 + p ** (2 / 3)))
    check("spheres", cycles, load * (1 - p) / a, lost, 1e-6)


def laws_in_parallel():
    """Forces and energies add up."""
    chi, beta, force, stiffness, a = -0.4, 1, 20, 4e3, 1e-3
    phi = force * (1 + beta) / (stiffness * (beta + (chi + 1) / (chi + 2)))
    R = force * (chi + 1) / (phi ** (chi + 2) * (beta + (chi + 1) / (chi + 2)))
    _, cycles = read_loop("together")
    lost = 4 * R * a ** (chi + 3) / ((chi + 2) * (chi + 3)) + 4 * 0.5 * (a - 0.5 / 1e3) + 4 * 0.1 * (a - 0.1 / 2e3)
    peak = stiffness * a - R * a ** (chi + 2) / ((chi + 1) * (chi + 2)) + 2e3 * a + 0.5 + 0.1
    check("together", cycles, peak / a, lost, 1e-5)
    with h5py.File("loops.h5") as file:
        derived = file["loop/together/derived"]
        assert sorted(derived) == ["iwan", "jenkins", "jenkins_2"]
        close(derived["iwan/slip_displacement"][()], phi, 1e-12, "phi_max")
        close([derived[f"{law}/slip_displacement"][()] for law in ("jenkins", "jenkins_2")], [0.5 / 1e3, 0.1 / 2e3], 1e-12, "slip displacements")
        assert derived["iwan/slip_displacement"].attrs["unit"] == b"m"


def paths():
    """The displacements that were asked for, and their turns among the samples."""
    samples, cycles = read_loop("file")
    close(samples["displacement"][samples["reversals"]], [4e-5, -2e-5, 1e-5], 1e-12, "turns of a file")
    close(cycles["peak_force"], 10, 1e-12, "peak force")
    samples, _ = read_loop("beats")
    time = samples["time"]
    angles = 2 * np.pi * np.array([1, 3.3])[:, None] * time + np.array([0, 1])[:, None]
    amplitudes = np.array([1e-3, 8e-4])
    scale = np.max(np.abs(samples["displacement"]))
    assert np.max(np.abs(amplitudes @ np.sin(angles) - samples["displacement"])) < 1e-13 * scale
    velocity = (amplitudes * 2 * np.pi * np.array([1, 3.3])) @ np.cos(angles)
    assert np.max(np.abs(velocity - samples["velocity"])) < 1e-11 * np.max(np.abs(velocity))
    ways = np.diff(samples["displacement"])
    turns = 1 + np.flatnonzero(ways[1:] * ways[:-1] < 0)
    first = [0] if samples["reversals"][0] == 0 else []
    assert list(samples["reversals"]) == first + list(turns), "reversals are where the samples turn"


def whatever_the_ranks():
    alone = read("loops.h5")
    for ranks in (2, 3):
        dovetail("run", "loops.yaml", "-q", "-o", f"loops_{ranks}.h5", ranks=ranks)
        faults = differences(alone, read(f"loops_{ranks}.h5"))
        assert not faults, f"{ranks} ranks: {faults[0]}"
    dovetail("run", "loops.yaml", "-q", "--resume")
    faults = differences(alone, read("loops.h5"))
    assert not faults, f"resumed: {faults[0]}"


def with_a_structure():
    """The same loops, and no word of a law that either the joints or a loop uses."""
    with open("both.yaml", "w", encoding="utf-8") as file:
        file.write(LAWS + "  idle: { law: spring, stiffness: 1 }\n" + STRUCTURE + STUDIES + "  - modes: {}\n")
    done = dovetail("run", "both.yaml")
    assert [line for line in done.stderr.splitlines() if "is not used" in line] == [
        line for line in done.stderr.splitlines() if "the law 'idle'" in line
    ], done.stderr
    assert "the law 'idle' is not used" in done.stderr, done.stderr
    alone, both = read("loops.h5"), read("both.h5")
    assert {name for name in both if name.startswith("loop/")} == {name for name in alone if name.startswith("loop/")}
    faults = differences(*[{name: values for name, values in one.items() if name.startswith("loop/")} for one in (alone, both)])
    assert not faults, faults[0]


def main():
    with open("path.csv", "w", encoding="utf-8") as file:
        file.write("time, displacement\n0, 0\n0.5, 2\n1, 4\n2, -2\n2.5, -2\n3, 1\n4, 0\n")
    with open("loops.yaml", "w", encoding="utf-8") as file:
        file.write("title: loops\n" + LAWS + STUDIES)
    said = dovetail("run", "loops.yaml").stdout
    assert "slip_displacement" in said and "secant stiffness" in said
    dovetail("check", "loops.yaml")
    closed_forms()
    laws_in_parallel()
    paths()
    whatever_the_ranks()
    with_a_structure()


if __name__ == "__main__":
    main()
