"""joints.py - milliseconds a step, and seconds before the first one, of chains and grids with a thousand joints and more, for scripts/bench.

Masses in a line with a joint from each to the ground, or in a square with joints along x, shaken by their base until nearly all joints slip.
User time of two lengths of a run: steps are what they differ by, and the set-up, reading included, is the rest.
"""
import math
import os
import re
import resource
import statistics

from machine import Fault, execute, print_table, say

LAWS = {"iwan4": "{law: iwan4, slip_force: 30, stiffness: 5e5, chi: -0.3, beta: 0.5}", "jenkins": "{law: jenkins, slip_force: 30, stiffness: 5e5}"}
SYSTEMS = [("chain", 1000, "none"), ("chain", 3000, "none"), ("grid", 3025, "none"), ("chain", 1000, "modal")]
STEPS = 1000


def links_of(kind, count):
    """Names of the masses; pairs with a spring, pairs with a joint."""
    if kind == "chain":
        masses = [f"m{i}" for i in range(count)]
        return masses, list(zip(["ground"] + masses, masses)), [("ground", mass) for mass in masses]
    side = math.isqrt(count)
    name = lambda i, j: "ground" if i < 0 or j < 0 else f"m{i}_{j}"
    places = [(i, j) for i in range(side) for j in range(side)]
    along = [(name(i - 1, j), name(i, j)) for i, j in places]
    return [name(i, j) for i, j in places], along + [(name(i, j - 1), name(i, j)) for i, j in places], along


def write_case(path, kind, count, law, damping, steps):
    masses, springs, joints = links_of(kind, count)
    lines = ["masses:"] + [f"  {mass}: {{mass: {1 + 0.06 * (7 * i % 5)}}}" for i, mass in enumerate(masses)]
    lines += ["springs:"] + [f"  - {{between: [{a}, {b}], stiffness: 1e6}}" for a, b in springs]
    lines += ["laws:", f"  law: {LAWS[law]}", "joints:"] + [f"  j{i}: {{between: [{a}, {b}], x: law}}" for i, (a, b) in enumerate(joints)]
    lines += ["damping: {modal: 1e-4}"] if damping == "modal" else []
    lines += ["studies:", "  - transient:", "      name: shake", "      time_step: 5e-5", f"      steps: {steps}", "      every: 100",
              f"      load: {{harmonic: {{base: x, amplitude: {60 if kind == 'chain' else 600}, frequency: 40}}}}",
              f"      watch: {{points: [{masses[len(masses) // 2]}], joints: none}}"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def user_seconds(program, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output, _, _ = execute([program, "run", path, "-q", "-o", path.replace(".yaml", f"_{os.getpid()}.h5")])
    os.remove(path.replace(".yaml", f"_{os.getpid()}.h5"))
    found = re.search(r"shake +\d+ +\S+ +\S+ +(\S+) +\S+ +complete", output)
    if not found:
        raise Fault(f"the motion does not reach its end:\n{output}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, float(found.group(1))


def measure(options, folder, kind, count, law, damping):
    path = os.path.join(folder, "joints.yaml")
    short, long = [], []
    for times, steps in ((short, STEPS), (long, 3 * STEPS)):
        write_case(path, kind, count, law, damping, steps)
        for _ in range(options.repeat):
            seconds, iterations = user_seconds(options.program, path)
            times.append(seconds)
    step = (statistics.median(long) - statistics.median(short)) / (2 * STEPS)
    return {"system": kind, "rows": count, "law": law, "damping": damping, "milliseconds_per_step": 1e3 * step,
            "setup": statistics.median(short) - STEPS * step, "iterations_per_step": iterations}


def bench(options, folder):
    """Steps of many joints."""
    rows = [measure(options, folder, kind, count, law, damping) for kind, count, damping in SYSTEMS for law in LAWS]
    table = [["system", "rows", "law", "damping", "ms/step", "set-up [s]", "iterations/step"]]
    for row in rows:
        table.append([row["system"], str(row["rows"]), row["law"], row["damping"], f"{row['milliseconds_per_step']:.3f}", f"{row['setup']:.2f}",
                      f"{row['iterations_per_step']:.2f}"])
    print_table(table, 4)
    say(f"user time of one core; medians of {options.repeat} runs of {STEPS} and {3 * STEPS} steps")
    return rows
