"""The flange of cases/jalali_flange, washers tied, on 1 and 2 ranks, and frictional, on 1 and 3. [timeout: 300]

Ranks divide the mesh differently, so sums are rounded differently; what bolts, faces and points do must agree to that.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", "jalali_flange")]
import yaml

import variants
from touching import agree, in_a_folder, solve

SHAKEN = {"transient": {"name": "shaken", "about": "tightened", "time_step": 1e-4, "steps": 100, "watch": {"joints": "face"},
                        "load": [{"harmonic": {"point": "upper", "direction": "x", "frequency": 100.0, "amplitude": 3e3}},
                                 {"harmonic": {"point": "lower", "direction": "x", "frequency": 100.0, "amplitude": -3e3}}]}}
MODES = {"modes": {"about": "tightened", "count": 10, "joints": "stuck"}}
# Measured, the worst of both: frequencies 6e-12, tension 4e-14, pressure 3e-11, motions 1.3e-9, slip work 2.4e-8.
QUANTITIES = {
    "modes/stuck/omega": 3e-11,
    "preload/tightened/tension": 1e-11,
    "preload/tightened/joints/face/pressure": 1e-9,
    "static/slow/points/upper/displacement": 1e-8,
    "static/slow/joints/face/contact/dissipated": 3e-7,
    "static/slow/joints/face/contact/slip_width": 3e-6,
    "transient/shaken/points/upper/displacement": 1e-8,
}


def on_ranks():
    for file, ranks in (("case.yaml", 2), ("frictional.yaml", 3)):
        case = yaml.safe_dump(variants.write([MODES, variants.slow_cycles([1, 4], 10), SHAKEN], file))
        with solve(case) as alone:
            own = {path: alone[path][()] for path in QUANTITIES}
        with solve(case, ranks=ranks) as shared:
            for path, tolerance in QUANTITIES.items():
                agree(f"{file}, {ranks} ranks: {path}", shared[path][()], own[path], tolerance)


if __name__ == "__main__":
    in_a_folder(on_ranks)
