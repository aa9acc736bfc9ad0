#!/usr/bin/python3
"""sweep.py - the flange under other preloads, with other friction, from microslip to macroslip; frequency and damping of its first modes over the
amplitude: the tables and the picture of README.md.

    cases/jalali_flange/sweep.py [--program DOVETAIL] [--short] [-o FOLDER]

Some minutes; --short leaves out most of it.
"""
import argparse
import itertools
import os
import tempfile

import numpy as np
import variants
from plots import sheet
from variants import checks, runs

PRELOADS, FRICTIONS = (5e3, 10e3, 15e3), (0.1, 0.2, 0.3)  # N, 1
LEVELS = (1, 2, 3, 4, 5, 6)  # kN
MODES = (1, 2, 3)
MOST = {1: 3e-3, 2: 3e-4, 3: 3e-4}  # m, the largest motion of the tip's corner along a mode
LEAST = 1e-6  # damping; less is what the energies of a cycle without slip do not close by
AMPLITUDES = np.geomspace(0.02, 1, 8)
STEPS = 160  # of a cycle
# Periods of the lowest mode to a cycle, and the damping of all modes in it, so that none of them rings: inertia is 1e-4 of the load at most
# (tests/verify/test_flange_damping.py).
SLOW, DAMPED = 100, 0.7


def energies(program, folder, preload, friction):
    case = variants.write([variants.slow_cycles(LEVELS)], preload=preload, friction=friction)
    with variants.compute(program, folder, "energies", case) as file:
        return variants.slow_energies(file, LEVELS)


def print_energies(program, folder, preloads, frictions):
    print("| preload [kN] | friction | all slips beyond [kN] | " + " | ".join(f"{level} kN" for level in LEVELS) + " |")
    print("|---|---|---|" + "---|" * len(LEVELS))
    for preload, friction in itertools.product(preloads, frictions):
        cells = [f"{1e3 * energy:.3g} ({100 * share:.0f} %)" for energy, share in energies(program, folder, preload, friction)]
        print(f"| {preload / 1e3:g} | {friction} | {3e-3 * preload * friction:.2g} | " + " | ".join(cells) + " |", flush=True)


def cycles_of(mode, omega, loads):
    """Slow cycles along a mode, one run for each load."""
    cycle = float(2 * np.pi / omega * SLOW)
    return {"transient": {"name": f"mode{mode}", "about": "tightened", "time_step": cycle / STEPS, "steps": 9 * STEPS // 4,
                          "load": {"harmonic": {"shape": {"mode": mode}, "frequency": 1 / cycle}}, "runs": [{"level": [float(load) for load in loads]}],
                          "watch": {"points": "none", "joints": "face", "modes": mode}}}


def harmonic(load, q):
    """omega^2 of a motion q = A cos theta along a loop that begins at its largest q: the first harmonic of the load over A."""
    half, turn = np.ptp(q) / 2, np.argmin(q)
    theta = np.arccos(np.clip((q - q.min()) / half - 1, -1, 1))
    theta[turn:] = 2 * np.pi - theta[turn:]
    share = load * np.cos(theta)
    return np.sum((share[1:] + share[:-1]) / 2 * np.diff(theta)) / np.pi / half


def read_cycle(run, omega):
    """Half of the range of q, frequency [Hz], damping ratio of the second cycle."""
    last = slice(-STEPS - 1, None)
    q, energy = run["modal/displacement"][last, 0], run["energy/joints"][last]
    half, level = np.ptp(q) / 2, run.attrs["level"]
    load = level * np.sin(omega / SLOW * run["time"][last])
    return half, np.sqrt(harmonic(load, q)) / (2 * np.pi), (energy[-1] - energy[0]) / (2 * np.pi * half * level)


def backbone(program, folder, preload, friction, amplitudes):
    """For each mode: motion of the tip [m], frequency, damping."""
    modes = {"modes": {"about": "tightened", "count": max(MODES), "joints": "stuck"}}
    changes = {"preload": preload, "friction": friction}
    with variants.compute(program, folder, "modes", variants.write([modes], **changes)) as file:
        omega = file["modes/stuck/omega"][:]
        names = [name.decode() for name in file["system/motions"]]
        tip = np.abs(file["modes/stuck/shape"][:][names.index("tip x")])
    loads = {mode: MOST[mode] / size * omega[mode - 1]**2 * amplitudes for mode, size in zip(MODES, tip)}
    case = variants.write([cycles_of(mode, omega[0], loads[mode]) for mode in MODES], **changes)
    case["damping"] = {"modal": DAMPED}
    found = {}
    with variants.compute(program, folder, "backbone", case) as file:
        for mode, size in zip(MODES, tip):
            rows = np.array([read_cycle(file[f"transient/mode{mode}_{i + 1}"], omega[0]) for i in range(len(amplitudes))])
            found[mode] = rows * [size, 1, 1]
    return found


def shown(zeta):
    return f"{zeta:.2g}" if zeta > LEAST else "0"


def draw(path, found):
    """Frequency and damping of each mode over the motion of the tip; a colour for each preload, a line style for each friction."""
    figure, panels = sheet.plt.subplots(2, len(MODES), figsize=(sheet.WIDTH, 6), sharex="col", constrained_layout=True)
    colours = dict(zip(sorted({preload for preload, _ in found}), sheet.COLORS))
    styles = dict(zip(sorted({friction for _, friction in found}), (":", "-", "--")))
    for (preload, friction), modes in found.items():
        for column, mode in enumerate(MODES):
            tip, hertz, zeta = modes[mode].T
            look = dict(color=colours[preload], linestyle=styles[friction], linewidth=1.3, label=f"{preload / 1e3:g} kN, {friction}")
            panels[0, column].semilogx(1e3 * tip, hertz, **look)
            slips = zeta > LEAST
            panels[1, column].loglog(1e3 * tip[slips], zeta[slips], **look)
    for column, mode in enumerate(MODES):
        panels[0, column].set_title(f"mode {mode}")
        panels[1, column].set_xlabel("motion of the corner of the tip [mm]")
        if max(modes[mode][:, 2].max() for modes in found.values()) < 10 * LEAST:
            for line in list(panels[1, column].lines):
                line.remove()
            panels[1, column].yaxis.set_visible(column == 0)
            panels[1, column].tick_params(left=False, which="both", labelleft=False)
            panels[1, column].text(0.5, 0.5, f"below {10 * LEAST:.0e}", ha="center", transform=panels[1, column].transAxes)
    panels[0, 0].set_ylabel("frequency [Hz]")
    panels[1, 0].set_ylabel("damping ratio, of slip alone")
    panels[0, 0].legend(title="preload, friction")
    figure.savefig(path, dpi=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("-o", "--output", default=".", metavar="FOLDER", help="of the picture, amplitudes.png")
    options = parser.parse_args()
    program = runs.find_program(options.program)
    preloads, frictions, amplitudes = (PRELOADS[:2], FRICTIONS[1:2], AMPLITUDES[::3]) if options.short else (PRELOADS, FRICTIONS, AMPLITUDES)
    with tempfile.TemporaryDirectory() as folder:
        print_energies(program, folder, preloads, frictions)
        found = {pair: backbone(program, folder, *pair, amplitudes) for pair in itertools.product(preloads, frictions)}
    print("\n| preload [kN] | friction | mode | frequency, smallest to largest motion [Hz] | damping |\n|---|---|---|---|---|")
    for (preload, friction), modes in found.items():
        for mode, rows in modes.items():
            print(f"| {preload / 1e3:g} | {friction} | {mode} | {rows[0, 1]:.3f} to {rows[-1, 1]:.3f} | {shown(rows[0, 2])} to {shown(rows[-1, 2])} |")
    os.makedirs(options.output, exist_ok=True)
    draw(os.path.join(options.output, "amplitudes.png"), found)


if __name__ == "__main__":
    main()
