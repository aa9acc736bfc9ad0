"""Frequency and damping of a bolted flange over the amplitude: quasi-static cycles along a mode against its ring-down and against periodic motions,
the nonlinear mode. [timeout: 300]

Mode 3 on a coarse mesh; with the word `full` three modes, also on the mesh of test_flange.py. All three are those of cases/jalali_flange/backbones.py.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", "jalali_flange")]
import numpy as np
import yaml

import backbones
from flange import CASE, Flange
from touching import agree, in_a_folder, solve


def compute(studies, **changes):
    case = yaml.safe_load(CASE.replace("ELEMENT", "hex8"))
    case["studies"] += studies
    return solve(yaml.safe_dump({**case, **changes}))


def frequencies():
    with compute([{"modes": {"about": "tightened", "count": 6, "joints": "stuck"}}]) as file:
        return file["modes/stuck/omega"][()]


def ring_down(mode, omega, amplitude, periods):
    with compute(backbones.studies_of_ring_down("free", mode, omega, amplitude, periods, 100)) as file:
        return backbones.read_ring_down(file, "free", mode).T


def cycles(mode, lowest, loads):
    with compute([backbones.study_cycles(mode, lowest, loads)], damping={"modal": backbones.DAMPED}) as file:
        return backbones.read_cycles(file, mode, lowest).T


def periodic(mode, amplitudes):
    with compute([backbones.study_curve(mode, 0.9 * amplitudes.min(), 1.1 * amplitudes.max())]) as file:
        return backbones.read_curve(file, mode, amplitudes)


def compare_periodic(mode, half, turns, zeta):
    """The same cycles. Measured: frequency 4e-5, damping 1.2e-2 (with 7 harmonics and 256 samples 6e-3); the inertia of other modes is in it."""
    omega, damping = periodic(mode, half)
    agree(f"mode {mode}: frequency of periodic motions", omega, turns, 1.2e-4)
    agree(f"mode {mode}: their damping", damping / zeta, np.ones(len(half)), 0.04)


def compare(omega, mode, amplitude, periods, allowed):
    """At some points of the ring-down. The frequency of a loop is that of its first harmonic: alpha / A alone would be 2.4e-4 higher in mode 3."""
    reached, turned, lost, error = ring_down(mode, omega[mode - 1], amplitude, periods)
    some = np.unique(np.linspace(0, len(reached) - 1, 4).astype(int))
    half, turns, zeta = cycles(mode, omega[0], reached[some] * turned[some] ** 2)
    if "TOUCHING_PRINT" in os.environ:
        print("amplitude, Hz and zeta of the ring-down, its error, of the cycle")
        print(np.column_stack([reached[some], turned[some] / 2 / np.pi, lost[some], error[some], half, turns / 2 / np.pi, zeta]))
    agree(f"mode {mode}: amplitude", half, reached[some], 0.01)
    agree(f"mode {mode}: frequency", turned[some], turns, allowed[0])
    agree(f"mode {mode}: damping", lost[some] / zeta, np.ones(len(some)), allowed[1])
    return half, turns, zeta


def a_coarse_mesh():
    """Measured: frequency 4e-5, damping 3e-3. From 2.8e-4 to 2.4e-4 m kg^1/2 damping grows by an eighth, as all that slips does so from the start."""
    Flange(2, 1, 1, 6).write("flange.msh")
    half, turns, zeta = compare(frequencies(), 3, 2.8e-4, 60, (1.5e-4, 0.012))
    assert zeta[-1] > 1.1 * zeta[0], zeta
    compare_periodic(3, half, turns, zeta)


def three_modes():
    """Measured, frequency and damping: modes 5 and 6 of the coarse mesh 7e-5, 3.8e-2 and 3e-4, 5e-2; modes 3 and 5 of that of test_flange.py 1.3e-4,
    3.2e-2 and 8e-5, 1e-2. The cycles have converged; in motion other modes ring and make more slip, too."""
    meshes = {(2, 1, 1, 6): ((5, 6e-5, 100, (3e-4, 0.12)), (6, 2e-5, 100, (1e-3, 0.15))),
              (4, 3, 2, 12): ((3, 3.2e-4, 120, (4e-4, 0.1)), (5, 6e-5, 120, (3e-4, 0.05)))}
    for cells, cases in meshes.items():
        Flange(*cells).write("flange.msh")
        omega = frequencies()
        for mode, amplitude, periods, allowed in cases:
            compare(omega, mode, amplitude, periods, allowed)


if __name__ == "__main__":
    in_a_folder(three_modes if "full" in sys.argv else a_coarse_mesh)
