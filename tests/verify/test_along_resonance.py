#!/usr/bin/env python3
"""Curves along resonances over the level: the Sumali beam against an independent trial program and against its nonlinear mode; peaks against curves over the
frequency; modes without a load; a nonlinear mode that is killed goes on. [timeout: 300]"""
import os
import subprocess
import sys
import time

import h5py
import numpy as np
from scipy.interpolate import CubicSpline

sys.dont_write_bytecode = True
import sumali

LOAD = "load: { harmonic: { point: p1, direction: z } }, watch: { points: p1, joints: none }"
TWO_MASSES = """
masses: { a: { mass: 1 }, b: { mass: 2 } }
springs: [ { between: [ground, a], stiffness: 4e3 }, { between: [a, b], stiffness: 3e3 } ]
joints: { j: { between: [ground, b], x: { law: LAW } } }
damping: { modal: 0.01 }
studies:
"""


def along(name, what, to, start=1e-2, modes="7", **keys):
    words = "".join(f", {key}: {value}" for key, value in keys.items())
    return f"  - response: {{ name: {name}, method: harmonic_balance, along: {what}, modes: {modes}, stability: no, levels: {{ from: {start}, to: {to} }}{words}, {LOAD} }}\n"


def known(group, *keys):
    count = np.isfinite(group["frequency"][:]).sum()
    return [group[key][:count] for key in keys]


def check_beam():
    """Angular frequencies of a trial program in Python [shared notes on harmonic balance], with other harmonics: 15 here, which move them by 5e-6 in
    quadrature, and a peak in macroslip, which is flat, by 1.4e-4. Along the nonlinear mode: level = 2 zeta W^2 a / |phi^T P| while other modes take little of
    the load's work."""
    fixed = {"harmonics": 15, "samples": 256}
    sumali.write("beam.yaml", "studies:\n" + along("low", "phase_resonance", 0.027, **fixed) + along("high", "phase_resonance", 0.917, **fixed) +
                 along("low_peak", "peak", 0.027, **fixed) + along("high_peak", "peak", 0.917, start=0.1, **fixed) +
                 along("small", "phase_resonance", 3e-3, start=1e-5, harmonics=9, samples=256) +
                 "  - nonlinear_modes: { modes: 7, from: 1e-9, to: 3e-6, harmonics: 9, samples: 256 }\n")
    sumali.run("beam.yaml", "-o", "beam.h5")
    with h5py.File("beam.h5") as file:
        for name, expected, tolerance in (("low", 756.598, 3e-5), ("high", 736.163, 2e-5), ("low_peak", 756.608, 1e-5), ("high_peak", 738.003, 5e-4)):
            curve = file[f"response/{name}/curve_1"]
            assert curve["reason"][0] == b"complete" and curve.attrs["mode"] == 7
            found = 2 * np.pi * known(curve, "frequency")[0][-1]
            if "-v" in sys.argv:
                print(name, found / expected - 1)
            assert abs(found / expected - 1) < tolerance, f"{name}: {found} against {expected}"
        frequency, coordinate, damping = known(file["response/small/curve_1"], "frequency", "coordinate", "damping")
        mode = file["nonlinear_modes/nonlinear_modes/mode7"]
        count = int(mode["count"][0])
        assert 10 < len(coordinate) < 100 and coordinate[-1] < mode["amplitude"][count - 1]
        for value, own, tolerance in ((2 * np.pi * frequency, mode["omega"][:count], 2e-6), (damping, mode["zeta"][:count], 3e-3)):
            error = np.abs(CubicSpline(np.log(mode["amplitude"][:count]), own)(np.log(coordinate)) / value - 1)[coordinate < 1e-6]
            if "-v" in sys.argv:
                print(error.max())
            assert error.max() < tolerance, error


def check_peaks():
    """The largest first harmonic of a point over the level is that of curves over the frequency, which parabolas find; with folds (cubic) and friction."""
    for name, law, levels in (("cubic", "cubic, stiffness: 1e3, cubic: 3e6", (1, 3)), ("iwan4", "iwan4, stiffness: 1e3, slip_force: 2, chi: -0.4, beta: 0.5", (0.7, 2))): # at 2.2 the third harmonic meets mode 2, and the peak of the point ends
        text = TWO_MASSES.replace("LAW", law)
        for i, level in enumerate(levels):
            text += f"""  - response: {{ name: along{i}, method: harmonic_balance, along: peak, at: a, modes: 1, levels: {{ from: 0.01, to: {level} }}, stability: no, load: {{ harmonic: {{ point: b }} }} }}
  - response: {{ name: curve{i}, method: harmonic_balance, frequencies: {{ from: 3, to: 10 }}, level: {level}, stability: no, load: {{ harmonic: {{ point: b }} }} }}
"""
        with open(f"{name}.yaml", "w", encoding="utf-8") as file:
            file.write(text)
        sumali.run(f"{name}.yaml", "-o", f"{name}.h5")
        with h5py.File(f"{name}.h5") as file:
            motion = list(file["response/curve0/motions"][:]).index(b"a x")
            for i in range(2):
                ridge, curve = file[f"response/along{i}/curve_1"], file[f"response/curve{i}/curve_1"]
                harmonics, frequency = known(ridge, "harmonics", "frequency")
                assert ridge["reason"][0] == b"complete", ridge["reason"][0]
                values = known(curve, "harmonics")[0][:, motion, 0]
                # the largest point lies beside the peak, which is flat: steps of 0.1 miss it by 2e-3 at most
                assert values.max() < (1 + 1e-4) * harmonics[-1, motion, 0] < (1 + 5e-3) * values.max(), (values.max(), harmonics[-1, motion, 0])
                at = known(curve, "frequency")[0][values.argmax()]
                assert abs(frequency[-1] / at - 1) < 3e-2


def check_refusals():
    """A mode that the loads do not excite has no resonance under them; one without strain has no frequency."""
    text = """
masses: { a: { mass: 1 }, b: { mass: 2 } }
springs: [ { between: [ground, a], stiffness: 4e3 } ]
joints: { j: { between: [ground, a], x: { law: jenkins, stiffness: 1e3, slip_force: 2 } } }
studies:
  - response: { method: harmonic_balance, along: peak, modes: [1, 2], levels: { from: 1, to: 2 }, load: { harmonic: { point: b } } }
"""
    with open("refused.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
    done = subprocess.run(sumali.command("run", "refused.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
    assert done.returncode == 2, done
    assert "modes[0]: mode 1 has no frequency" in done.stderr and "modes[1]: mode 2 is not excited by the loads" in done.stderr, done.stderr


def check_kill():
    """A nonlinear mode that is killed goes on from where it was saved, and is that of a run that was not, to round-off."""
    sumali.write("killed.yaml", "studies:\n  - nonlinear_modes: { modes: 9, from: 1e-9, to: 1e-3, harmonics: 15, samples: 1024, watch: { points: p1 } }\n")
    sumali.run("killed.yaml", "-o", "whole.h5")
    program = subprocess.Popen(sumali.command("run", "killed.yaml", "-q", "-o", "killed.h5", "-save_interval", "0.001"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    saved = "killed.h5.restart/nonlinear_modes-nonlinear_modes-mode9.h5"
    while not os.path.exists(saved):
        assert program.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    program.kill()
    program.wait()
    done = subprocess.run(sumali.command("run", "killed.yaml", "-v", "-o", "killed.h5", "--resume"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "nonlinear_modes/nonlinear_modes/mode9 goes on from point" in done.stderr, done.stderr
    with h5py.File("whole.h5") as whole, h5py.File("killed.h5") as killed:
        one, other = (file["nonlinear_modes/nonlinear_modes/mode9"] for file in (whole, killed))
        assert one["count"][0] == other["count"][0] and not os.path.exists("killed.h5.restart")
        for key in ("amplitude", "omega", "zeta", "cosine"):
            assert np.allclose(one[key][:], other[key][:], rtol=1e-7, atol=1e-20, equal_nan=True), key
        for key in ("resonance_harmonic", "resonance_mode", "left_out_harmonic", "left_out_mode"):
            assert (one[key][:] == other[key][:]).all(), key
        left_out = list(zip(one["left_out_harmonic"][:], one["left_out_mode"][:]))
        assert all(k > 15 for k, mode in left_out if k) and left_out[0][0]


if __name__ == "__main__":
    check_beam()
    check_peaks()
    check_refusals()
    check_kill()
