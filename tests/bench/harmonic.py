"""harmonic.py - seconds of curves by harmonic balance and of nonlinear modes, for scripts/bench.

The times are those of the curves, as results tell them: without reading, modes and reduction. Voldrich's two masses are also swept by stepped
sines in the same run, up and down, at a hundred frequencies. Variants per second are of processor time, of a `vary` of each case: reading, modes
and results included, the start of the program and the case itself not.
"""
import os
import resource
import statistics

import h5py
import numpy as np

from machine import ROOT, execute, print_table, say

ONE_MASS = """
masses: { m: { mass: 1, directions: [x] } }
springs: [ { between: [ground, m], direction: x, stiffness: 0.75 } ]
joints: { j: { between: [ground, m], x: { law: iwan4, slip_force: 0.2, stiffness: 0.25, chi: -0.5, beta: 0 } } }
damping: { modal: 0.005 }
studies:
  - response: { method: harmonic_balance, stability: no, harmonics: 3, samples: 1024, step: 0.015, frequencies: { from: 0.1, to: 0.2 }, load: { harmonic: { point: m, amplitude: 0.1 } } }
"""
SUMALI = """
studies:
  - nonlinear_modes: { name: periodic, modes: 7, from: 1e-10, to: 1e-2, harmonics: 9, samples: 256 }
  - nonlinear_modes: { name: static, modes: 7, from: 1e-10, to: 1e-6, points: 100, method: quasi_static }
"""
POINTS = 100
SAMPLES = f"""
studies:
  - nonlinear_modes: {{ name: static, modes: 7, from: 1e-10, to: 1e-2, points: {POINTS}, method: quasi_static, watch: {{ points: none, joints: none }} }}
vary:
  samples: 200
  parameters: {{ slip: {{ path: laws.slip.slip_force, uniform: {{ from: 20, to: 40 }} }}, chi: {{ path: laws.slip.chi, uniform: {{ from: -0.4, to: -0.1 }} }} }}
  outputs: {{ seconds: nonlinear_modes/static/mode7/seconds }}
"""
PRELOADS = (0, 10, 20, 30, 50, 100, 200, 600)  # N, fig. 8 of voldrich2009
VOLDRICH = """
studies:
  - response: { name: curve, method: harmonic_balance, stability: no, frequencies: { from: 18, to: 28 }, load: { harmonic: { point: m2, amplitude: 10 } } }
  - response: { name: stepped, frequencies: { from: 18, to: 28, count: 100 }, direction: [up, down], steps: 400, load: { harmonic: { point: m2, amplitude: 10 } } }
"""


VARIANTS = 64
VARIED = {
    "one mass": ("joints.j.x.slip_force, uniform: { from: 0.15, to: 0.25 }", "response/response/curve_1/frequency"),
    "Sumali": ("laws.slip.slip_force, uniform: { from: 25, to: 35 }", "nonlinear_modes/periodic/mode7/zeta"),
    "Voldrich": ("joints.pad.contact.law.preload, uniform: { from: 5, to: 60 }", "response/curve/curve_1/frequency"),
}


def case_of(study):
    """A case of the project without its studies."""
    path = os.path.join(ROOT, "cases", study, "case.yaml")
    with open(path, encoding="utf-8") as file:
        return file.read().partition("\nstudies:")[0].replace("../../meshes", os.path.join(ROOT, "meshes"))


def solve(options, folder, name, text, *more):
    with open(os.path.join(folder, f"{name}.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    result = os.path.join(folder, f"{name}.h5")
    if os.path.exists(result):
        os.remove(result)
    execute([options.program, "run", "-q", os.path.join(folder, f"{name}.yaml"), "-o", result, *more])
    return h5py.File(result, "r")


def curve_of(group):
    """Seconds and points of a curve."""
    points = group["frequency"] if "frequency" in group else group["omega"]
    return float(group["seconds"][0]), int(np.isfinite(points[:]).sum())


def measure_one_mass(options, folder):
    with solve(options, folder, "one_mass", ONE_MASS) as file:
        return curve_of(file["response/response/curve_1"])


def measure_sumali(options, folder):
    with solve(options, folder, "sumali", case_of("sumali") + SUMALI) as file:
        return [curve_of(file[f"nonlinear_modes/{name}/mode7"]) for name in ("periodic", "static")]


def measure_voldrich(options, folder):
    """All preloads: curves, and stepped sines."""
    balanced = stepped = points = 0
    for preload in PRELOADS:
        text = case_of("voldrich_2dof").replace("preload: 30", f"preload: {preload}")
        with solve(options, folder, "voldrich", text + VOLDRICH) as file:
            seconds, count = curve_of(file["response/curve/curve_1"])
            balanced += seconds
            points += count
            stepped += sum(np.nansum(file[f"response/stepped/{curve}_1/seconds"][:]) for curve in ("up", "down"))
    return (balanced, points), (stepped, 2 * 100 * len(PRELOADS))


def measure_lanes(options, folder, lanes):
    """Quasi-static curves of samples with other joints, in sum, one by one or side by side."""
    with solve(options, folder, "samples", case_of("sumali") + SAMPLES, "-lanes", "yes" if lanes else "no") as file:
        seconds = file["vary/samples/outputs"][:, 0]
        return float(seconds.sum()), POINTS * len(seconds)


def processor_seconds(options, folder, name, text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    solve(options, folder, name, text).close()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure_variants(options, folder, name, text):
    """Variants per second of processor time: what more of them take beyond one."""
    path, output = VARIED[name]
    times = []
    for count in (1, 1 + VARIANTS):
        vary = f"vary: {{ samples: {count}, parameters: {{ p: {{ path: {path} }} }}, outputs: {{ o: {{ path: {output}, take: most }} }} }}\n"
        times.append(min(processor_seconds(options, folder, "varied", text + vary) for _ in range(options.repeat)))
    return VARIANTS / (times[1] - times[0])


def bench_variants(options, folder):
    periodic = "".join(line for line in SUMALI.splitlines(True) if "static" not in line)
    curve = "".join(line for line in VOLDRICH.splitlines(True) if "stepped" not in line)
    texts = {"one mass": ONE_MASS, "Sumali": case_of("sumali") + periodic, "Voldrich": case_of("voldrich_2dof") + curve}
    found = {name: measure_variants(options, folder, name, text) for name, text in texts.items()}
    print_table([["curves of variants", "per second and core"], *([name, f"{rate:.1f}"] for name, rate in found.items())], 1)
    return [{"work": f"variants: {name}", "per_second": rate} for name, rate in found.items()]


def median(runs):
    return statistics.median(seconds for seconds, _ in runs), runs[0][1]


def bench(options, folder):
    ones = [measure_one_mass(options, folder) for _ in range(options.repeat)]
    beams = [measure_sumali(options, folder) for _ in range(options.repeat)]
    alone = [measure_lanes(options, folder, False) for _ in range(options.repeat)]
    beside = [measure_lanes(options, folder, True) for _ in range(options.repeat)]
    masses = [measure_voldrich(options, folder) for _ in range(options.repeat)]
    work = [("one mass, iwan4: a curve, 3 harmonics, 1024 samples", median(ones), 0.05),
            ("Sumali: nonlinear mode 7, 8 decades, 9 harmonics", median([beam[0] for beam in beams]), 0.02),
            ("Sumali: quasi-static curve", median([beam[1] for beam in beams]), 0.002),
            ("Sumali: 200 such curves of variants, one by one", median(alone), None),
            ("Sumali: the same side by side", median(beside), None),
            ("Voldrich: curves of 8 preloads", median([mass[0] for mass in masses]), 0.5),
            ("Voldrich: stepped sines, up and down", median([mass[1] for mass in masses]), None)]
    print_table([["work", "points", "seconds", "goal", ""], *([name, str(points), f"{seconds:.4f}", "" if goal is None else f"{goal:g}",
                 "" if goal is None else "met" if seconds <= goal else "NOT met"] for name, (seconds, points), goal in work)], 1)
    say(f"curves of variants a second: {200 / median(alone)[0]:,.0f} one by one, {200 / median(beside)[0]:,.0f} side by side in vector lanes")
    say(f"stepped sines by curves: {work[6][1][0] / work[5][1][0]:.1f}")
    return [{"work": name, "points": points, "seconds": seconds, "goal": goal} for name, (seconds, points), goal in work] + bench_variants(options, folder)
