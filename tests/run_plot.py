#!/usr/bin/env python3
"""run_plot.py - scripts/plot must draw what the program writes, however it ended, and refuse everything else with one line."""
import argparse
import os
import re
import shutil
import subprocess
import sys

import h5py
import matplotlib.image
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
import forked

EXIT_INPUT, EXIT_NATURE = 2, 3
PLOT = os.path.join(forked.SCRIPTS, "plot")
SYSTEM = """
title: A $ in the title, 100 %
masses:
  block: { mass: 2 }
  hull: { mass: 3, inertia: [1, 2, 3], directions: [x, y, z, rx, ry, rz] }
springs:
  - { between: [ground, block], direction: x, stiffness: 8e3 }
  - { between: [block, hull], direction: x, stiffness: 1e3 }
"""
JOINT = """
joints:
  bolt: { between: [ground, block], x: %s }
"""
TRANSIENT = """
  - transient: { name: %s, time_step: 1e-4, steps: 20000, load: { half_sine: { point: block, duration: 2e-3 } }, %s }
"""
STOPS = """studies:
  - transient:
      { name: hard, time_step: 1e-2, steps: 2000, max_iterations: 1, tolerance: 1e-15, runs: [{ level: [1e-6, 1e-2] }],
        load: { half_sine: { point: block, start: 3, duration: 0.5 } } }
"""
IWAN = "{ law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 }"
WALL = "{ law: cubic, stiffness: 1, cubic: 1e15 }"  # too steep for a single iteration
MODES = "studies:\n  - modes: {}\n"
SHEETS = ("motions", "spectrograms", "loops", "energies")
CASES = {
    "modes_only": (SYSTEM + MODES, ["modes"]),
    "fitted_modes": (SYSTEM + """studies:
  - fit_modes: { name: found, find: { m: { path: masses.hull.mass }, k: { path: "springs[0].stiffness" } }, targets: [{ mode: 6, frequency: 2.5 }, { mode: 7, frequency: 12 }] }
""", ["found_fit_modes"]),
    "several_runs": (SYSTEM + JOINT % IWAN + MODES + TRANSIENT % ("hit", "runs: [{ level: [0, 30, -300, 3000] }]")
                     + TRANSIENT % ("blind", "watch: { points: none, joints: none, energy: no }")
                     + TRANSIENT % ("still", "runs: [{ level: 0, steps: 1 }]"),
                     ["modes", *(f"hit_{sheet}" for sheet in SHEETS), *(f"still_{sheet}" for sheet in SHEETS if sheet != "spectrograms")]),
    "laws_alone": ("laws: { slip: %s }\n" % IWAN + """studies:
  - loop: { name: grow, law: slip, path: { growing_sine: { from: 1e-6, to: 1e-2, cycles: 9 } } }
  - loop: { name: steady, law: [slip, { law: spring, stiffness: 2 }], path: { sine: { amplitude: 1e-3 } } }
  - loop: { name: once, law: { law: spring, stiffness: 2 }, path: { ramp: { through: 1 } } }
  - fit_polynomial: { name: slope, data: { of: steady }, order: 3 }
  - fit_polynomial: { name: line, data: { of: grow }, terms: x, branch: both }
  - fit_law: { name: found, law: { law: iwan4 }, find: { slip_force: 10, stiffness: 1e3, chi: {}, beta: 2 },
             beside: { stiffness: { start: 1e3 } }, data: { of: grow } }
""", ["grow_loop", "steady_loop", "once_loop", "slope_fit_polynomial", "line_fit_polynomial", "found_fit_law"]),
    "responses": (SYSTEM + JOINT % IWAN + """studies:
  - response: { name: sines, frequencies: { from: 4, to: 12, count: 9 }, direction: [up, down, rest], level: [0.1, 50], refine: 3, steps: 40,
                min_cycles: 9, max_cycles: 60, load: { harmonic: { point: block } }, watch: { joints: all } }
""", ["sines_response"]),
    "faces": (SYSTEM + """joints:
  pad: { between: [ground, hull], contact: { law: { law: rough_contact, normal_stiffness: 8e5, tangential_stiffness: 4e5, friction: 0.3, preload: 30 },
                                             area: [0.1, 0.1], parts: [2, 3], moment: [0.4, 0.3] } }
  many: { between: [ground, block], contact: { law: { law: rough_contact, normal_stiffness: 8e5, tangential_stiffness: 4e5, friction: 0.3, gap: 1e-6 },
                                               area: [0.1, 0.1], parts: [9, 9] } }
studies:
  - transient: { name: slide, time_step: 1e-4, steps: 3000, load: { half_sine: { point: hull, direction: y, amplitude: 60, duration: 5e-3 } } }
  - transient: { name: wholly, time_step: 1e-4, steps: 300, watch: { parts: all }, load: { half_sine: { point: hull, direction: y, duration: 5e-3 } } }
""", [f"{study}_{sheet}" for study in ("slide", "wholly") for sheet in (*SHEETS, "contacts")]),
    "varied": (SYSTEM + JOINT % IWAN + MODES + TRANSIENT % ("hit", "runs: [{ level: 300 }]") + """vary:
  samples: 32
  parameters: { slip: { path: joints.bolt.x.slip_force, normal: { mean: 20, deviation: 3 } }, m: { path: masses.hull.mass, relative: yes, uniform: { from: 0.9, to: 1.1 } } }
  outputs: { f: "modes/stuck/frequency[6]", x: { path: "transient/hit/points/block/displacement[x]", over: time, grid: { from: 0, to: 1, count: 60 } } }
""", ["modes", *(f"hit_{sheet}" for sheet in SHEETS), "vary_samples", "vary_bands", "vary_shares"]),
    "updated": (SYSTEM + MODES + """update:
  find: { m: { path: masses.hull.mass, normal: { mean: 3, deviation: 1 } }, k: { path: "springs[0].stiffness", lognormal: { median: 8e3, deviation: 0.2 } } }
  targets: { one: { path: "modes/stuck/frequency[6]", value: 2.6, uncertainty: 0.1 }, two: { path: "modes/stuck/frequency[7]", value: 11, uncertainty: 0.1 } }
  predict: { low: "modes/stuck/frequency[6]" }
""", ["modes", "update_targets", "update_posterior"]),
    "stopped": (SYSTEM + JOINT % WALL + STOPS,
                [f"hard_{sheet}" for sheet in SHEETS]),
}


class Fault(Exception):
    pass


def require(truth, message):
    if not truth:
        raise Fault(message)


def plot(*arguments):
    return forked.run(PLOT, *arguments)


def run(program, name, text):
    """Makes NAME.h5; the exit code."""
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    for old in (name + ".h5", name + "_pictures"):
        if os.path.isdir(old):
            shutil.rmtree(old)
        elif os.path.exists(old):
            os.remove(old)
    return subprocess.run([program, "run", f"{name}.yaml"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode


def check_picture(path):
    """Large, mostly white, with ink all over it."""
    grey = matplotlib.image.imread(path)[:, :, :3].mean(axis=2)
    require(grey.shape[1] > 1500 and grey.shape[0] > 300, f"{path}: has {grey.shape} points")
    inked = [[(part < 0.9).mean() for part in np.array_split(rows, 3, axis=1)] for rows in np.array_split(grey, 3)]
    require(0.005 < np.mean(inked) < 0.3, f"{path}: {100 * np.mean(inked):.2g} % of it are ink")
    require(np.min(inked) > 0, f"{path}: a part of it is blank")


def check_drawn(result, names, *options):
    folder = options[-1] if options else result[:-3] + "_pictures"
    done = plot(result, *options)
    require(done.returncode == 0, f"{result}: exit code {done.returncode}: {done.stderr}")
    require("Warning" not in done.stderr and "Traceback" not in done.stderr, f"{result}: {done.stderr}")
    printed = done.stdout.splitlines()
    require(sorted(printed) == sorted(os.path.join(folder, f"{name}.png") for name in names), f"{result}: printed {printed}")
    for path in printed:
        check_picture(path)


def break_off(source, target, rest):
    """What a kill leaves: rows beyond the last step that is recorded are anything at all."""
    shutil.copyfile(source, target)
    with h5py.File(target, "r+") as file:
        run_group = file["transient/hard_1"]
        rows, known = len(run_group["time"]), 501
        file["case/complete"][()] = 0
        run_group["steps"][0], run_group["reason"][0] = known - 1, b""

        def spoil(_, item):
            if isinstance(item, h5py.Dataset) and len(item) == rows:
                item[known:] = rest

        run_group.visititems(spoil)


def check_broken_off(names):
    """Only what is known is drawn: whatever else stands there, the pictures are the same."""
    pictures = []
    for rest in (np.nan, 1e300):
        break_off("stopped.h5", "broken.h5", rest)
        check_drawn("broken.h5", names, "-o", "broken")
        pictures.append([matplotlib.image.imread(os.path.join("broken", f"{name}.png")) for name in names])
    require(all(np.array_equal(a, b) for a, b in zip(*pictures)), "broken.h5: rows that are not known change the pictures")


def check_faces_not_yet_known(names):
    """A run that was killed before anything was saved."""
    shutil.copyfile("faces.h5", "killed.h5")
    with h5py.File("killed.h5", "r+") as file:
        for run_group in file["transient"].values():
            run_group["reason"][0] = b""
            for joint in ("pad", "many"):
                for dataset in run_group[f"joints/{joint}/contact/last"].values():
                    dataset[:] = np.nan
    check_drawn("killed.h5", names)


def make_bad():
    with open("text.h5", "w", encoding="utf-8") as file:
        file.write("no result\n")
    with open("several_runs.h5", "rb") as whole, open("cut.h5", "wb") as cut:
        cut.write(whole.read(3000))
    with h5py.File("foreign.h5", "w") as file:
        file["x"] = [1.0]
    with h5py.File("nearly.h5", "w") as file:
        file["case/complete"] = 1
        file["transient/a/steps"] = [3]


def check_stale():
    """Pictures of a study that is gone go, too; those of other results, and what is no picture of ours, stay."""
    folder = "laws_alone_pictures"
    shutil.copyfile(os.path.join("modes_only_pictures", "modes.png"), os.path.join(folder, "modes.png"))
    matplotlib.image.imsave(os.path.join(folder, "mine.png"), np.zeros((9, 9)))
    with h5py.File("laws_alone.h5", "r+") as file:
        file.move("loop/once", "loop/again")
        del file["loop/grow"], file["fit_polynomial"], file["fit_law"]
    done = plot("laws_alone.h5")
    require(done.returncode == 0 and done.stderr.count("removed") == 5, f"laws_alone.h5: {done.stderr}")
    wanted = ["again_loop.png", "mine.png", "modes.png", "steady_loop.png"]
    require(sorted(os.listdir(folder)) == wanted, f"laws_alone.h5: left {os.listdir(folder)}")


def make_decay(path, factor):
    """A ring-down of one mode in closed form."""
    shutil.copyfile("modes_only.h5", path)
    amplitude = np.geomspace(1e-6, 1e-3, 20)
    with h5py.File(path, "r+") as file:
        group = file.create_group("ring_down/run/mode6")
        group.attrs.update(study="decay", mode=6, amplitude="displacement")
        group["amplitude"], group["omega"], group["zeta"] = amplitude, np.full(20, 60.0 * factor), factor * amplitude**0.5


def check_compared():
    """Several results on one sheet; in one folder each, without the option."""
    make_decay("first.h5", 1.0)
    make_decay("second.h5", 1.1)
    check_drawn("first.h5", ["compared"], "second.h5", "--compare", "-o", "both")
    done = plot("first.h5", "second.h5")
    wanted = [os.path.join(f"{name}_pictures", f"{sheet}.png") for name in ("first", "second") for sheet in ("modes", "decay_ring_down")]
    require(done.returncode == 0 and done.stdout.splitlines() == wanted, f"two results: {done.stdout}{done.stderr}")
    done = plot("several_runs.h5", "modes_only.h5", "--compare")
    require(done.returncode == EXIT_INPUT and done.stderr.startswith("error: several_runs.h5, modes_only.h5: nothing to compare") and done.stderr.count("\n") == 1,
            f"nothing to compare: {done.stderr}")


def check_refused(name, *options):
    done = plot(name, *options)
    lines = done.stderr.splitlines()
    require(done.returncode == EXIT_INPUT and not done.stdout, f"{name}: exit code {done.returncode}, printed {done.stdout}")
    require(len(lines) == 1 and re.match(r"error: \S+: .", lines[0]), f"{name}: said {done.stderr}")
    require(options or not os.path.exists(name[:-3] + "_pictures"), f"{name}: left a folder for its pictures")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    program = os.path.abspath(parser.parse_args().program)
    try:
        for name, (text, pictures) in CASES.items():
            code = run(program, name, text)
            require(code == (EXIT_NATURE if name == "stopped" else 0), f"{name}: dovetail ended with exit code {code}")
            check_drawn(f"{name}.h5", pictures)
        check_broken_off(CASES["stopped"][1])
        check_faces_not_yet_known(CASES["faces"][1])
        check_compared()
        check_stale()
        make_bad()
        for name in ("missing.h5", "text.h5", "cut.h5", "foreign.h5", "nearly.h5"):
            check_refused(name)
        check_refused("several_runs.h5", "-o", "text.h5")
    except Fault as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
