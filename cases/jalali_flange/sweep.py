#!/usr/bin/python3
"""sweep.py - the flange under other preloads, with other friction, from microslip to macroslip; frequency and damping of its first modes over the
amplitude: the tables and the picture of README.md.

    cases/jalali_flange/sweep.py [--program DOVETAIL] [--short] [-o FOLDER]

Some minutes; --short leaves out most of it.
"""
import argparse
import dataclasses
import itertools
import os
import tempfile

import backbones
import numpy as np
import variants
from plots import sheet
from variants import runs

PRELOADS, FRICTIONS = (5e3, 10e3, 15e3), (0.1, 0.2, 0.3)  # N, 1
LEVELS = (1, 2, 3, 4, 5, 6)  # kN
MODES = (1, 2, 3)
MOST = {1: 3e-3, 2: 3e-4, 3: 3e-4}  # m, the largest motion of the tip's corner along a mode
LEAST = 1e-6  # damping; less is what the energies of a cycle without slip do not close by
AMPLITUDES = np.geomspace(0.02, 1, 8)
STARTS = (1, 0.5, 0.25)  # of ring-downs, by the largest motion
PERIODS, STEPS = {1: 50, 2: 50, 3: 60}, 100  # of a ring-down; in a period


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


def find_modes(program, folder, changes):
    """Angular frequencies, and the motion of the tip's corner along x of each mode."""
    modes = {"modes": {"about": "tightened", "count": max(MODES), "joints": "stuck"}}
    with variants.compute(program, folder, "modes", variants.write([modes], **changes)) as file:
        names = [name.decode() for name in file["system/motions"]]
        return file["modes/stuck/omega"][:], np.abs(file["modes/stuck/shape"][:][names.index("tip x")])


def in_hertz(rows, size):
    """Motion of the tip [m], frequency [Hz], damping ratio."""
    return rows[:, :3] * [size, 1 / (2 * np.pi), 1]


def ring_downs(program, folder, omega, tip, changes):
    """For each mode, by motions that nothing but the joints damps: what is known in the middle of one begun at each of the STARTS."""
    studies = [(mode, f"mode{mode}_from_{i}", MOST[mode] / tip[mode - 1] * start) for mode in MODES for i, start in enumerate(STARTS)]
    case = variants.write([each for mode, name, size in studies
                           for each in backbones.studies_of_ring_down(name, mode, omega[mode - 1], size, PERIODS[mode], STEPS)], **changes)
    del case["damping"]
    found = {mode: [] for mode in MODES}
    with variants.compute(program, folder, "ring_downs", case) as file:
        for mode, name, _ in studies:
            rows = in_hertz(backbones.read_ring_down(file, name, mode), tip[mode - 1])
            found[mode].append(rows[len(rows) // 2])
    return {mode: np.array(rows) for mode, rows in found.items()}


def cycles(program, folder, omega, tip, amplitudes, changes):
    """For each mode, by slow cycles; `amplitudes` of the tip [m] for each."""
    loads = {mode: amplitudes[mode] / size * omega[mode - 1]**2 for mode, size in zip(MODES, tip)}
    case = variants.write([backbones.study_cycles(mode, omega[0], loads[mode]) for mode in MODES], **changes)
    case["damping"] = {"modal": backbones.DAMPED}
    with variants.compute(program, folder, "cycles", case) as file:
        return {mode: in_hertz(backbones.read_cycles(file, mode, omega[0]), size) for mode, size in zip(MODES, tip)}


@dataclasses.dataclass
class Backbone:
    """Of one mode: rows of the curve, of the ring-downs, and of cycles as large as these."""

    curve: np.ndarray
    falls: np.ndarray
    beside: np.ndarray

    def cycles(self):
        """All of them, by their size."""
        rows = np.vstack([self.curve, self.beside])
        return rows[np.argsort(rows[:, 0])]

    def differences(self):
        """Of the ring-downs by their cycles: frequency, and damping where there is any, at most; NaN where there is none."""
        slips = self.beside[:, 2] > LEAST
        (turned, lost), (turns, zeta) = self.falls[:, 1:].T, self.beside[:, 1:].T
        return np.abs(turned / turns - 1).max(), np.abs(lost[slips] / zeta[slips] - 1).max() if slips.any() else np.nan


def backbones_of(program, folder, preload, friction, shares):
    """For each mode."""
    changes = {"preload": preload, "friction": friction}
    omega, tip = find_modes(program, folder, changes)
    falls = ring_downs(program, folder, omega, tip, changes)
    amplitudes = {mode: np.append(MOST[mode] * shares, falls[mode][:, 0]) for mode in MODES}
    rows = cycles(program, folder, omega, tip, amplitudes, changes)
    return {mode: Backbone(rows[mode][:len(shares)], falls[mode], rows[mode][len(shares):]) for mode in MODES}


def shown(zeta):
    return f"{zeta:.2g}" if zeta > LEAST else "0"


def draw_falls(axes, falls, colour):
    """Ring-downs as circles."""
    tip, hertz, zeta = falls.T
    look = dict(color=colour, linestyle="none", marker="o", markersize=4, markerfacecolor="none")
    axes[0].plot(1e3 * tip, hertz, **look)
    axes[1].plot(1e3 * tip[zeta > LEAST], zeta[zeta > LEAST], **look)


def print_backbones(found):
    print("\n| preload [kN] | friction | mode | frequency, smallest to largest motion [Hz] | damping | ring-downs by cycles: frequency | damping |")
    print("|---|---|---|---|---|---|---|")
    for (preload, friction), modes in found.items():
        for mode, backbone in modes.items():
            (_, low, least), (_, high, most) = backbone.curve[0], backbone.curve[-1]
            turned, lost = backbone.differences()
            print(f"| {preload / 1e3:g} | {friction} | {mode} | {low:.3f} to {high:.3f} | {shown(least)} to {shown(most)} | {turned:.1e} | "
                  f"{'' if np.isnan(lost) else f'{lost:.1e}'} |")


def draw(path, found):
    """Frequency and damping of each mode over the motion of the tip; a colour for each preload, a line style for each friction."""
    figure, panels = sheet.plt.subplots(2, len(MODES), figsize=(sheet.WIDTH, 6), sharex="col", constrained_layout=True)
    colours = dict(zip(sorted({preload for preload, _ in found}), sheet.COLORS))
    styles = dict(zip(sorted({friction for _, friction in found}), (":", "-", "--")))
    for (preload, friction), modes in found.items():
        for column, mode in enumerate(MODES):
            tip, hertz, zeta = modes[mode].cycles().T
            look = dict(color=colours[preload], linestyle=styles[friction], linewidth=1.3, label=f"{preload / 1e3:g} kN, {friction}")
            panels[0, column].semilogx(1e3 * tip, hertz, **look)
            slips = zeta > LEAST
            panels[1, column].loglog(1e3 * tip[slips], zeta[slips], **look)
            draw_falls(panels[:, column], modes[mode].falls, colours[preload])
    for column, mode in enumerate(MODES):
        panels[0, column].set_title(f"mode {mode}")
        panels[1, column].set_xlabel("motion of the corner of the tip [mm]")
        if max(modes[mode].curve[:, 2].max() for modes in found.values()) < 10 * LEAST:
            for line in list(panels[1, column].lines):
                line.remove()
            panels[1, column].yaxis.set_visible(column == 0)
            panels[1, column].tick_params(left=False, which="both", labelleft=False)
            panels[1, column].grid(False)
            panels[1, column].text(0.5, 0.85, f"damping below {10 * LEAST:.0e}", ha="center", transform=panels[1, column].transAxes)
    panels[0, 0].set_ylabel("frequency [Hz]")
    panels[1, 0].set_ylabel("damping ratio, of slip alone")
    panels[1, 0].legend(*panels[0, 0].get_legend_handles_labels(), title="preload, friction; circles: ring-downs", loc="lower center", ncols=3, fontsize=8,
                        title_fontsize=8)
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
        found = {pair: backbones_of(program, folder, *pair, amplitudes) for pair in itertools.product(preloads, frictions)}
    print_backbones(found)
    os.makedirs(options.output, exist_ok=True)
    draw(os.path.join(options.output, "amplitudes.png"), found)


if __name__ == "__main__":
    main()
