"""checks.py - the peaks of the deep beam: displacement in the middle, and stress of bending in its outermost fibre."""
import os

import h5py
import numpy as np

INERTIA, FIBRE = 2 * 2**3 / 12, 1.0


def greatest_stress(result, run):
    """Bending moments are those of the middles of elements; the one at x = 5 m follows from the four next to it as a parabola, [N/mm^2]."""
    path = f"{os.path.splitext(result.filename)[0]}_{run}.xdmf.h5"
    with h5py.File(path) as file:
        moments = np.array([moment[:, 2] for moment in file["XDMF/CellData/beam_moment"].values()])
    half = moments.shape[1] // 2
    near, far = (moments[:, half - i] + moments[:, half + i - 1] for i in (1, 2))
    return np.abs(near + (near - far) / 8).max() / 2 * FIBRE / INERTIA * 1e-6


def measure(result):
    sines, shock = result["response/test_5h/up_1"], result["transient/test_5t"]
    y = 1e3 * shock["points/middle/displacement"][:, 1]
    peak = int(np.argmax(y))
    return {
        "5H displacement": 1e3 * sines["amplitude"][:, 1].max(),
        "5H frequency": sines["frequency"][np.argmax(sines["amplitude"][:, 1])],
        "5H steady": sines["steady"][:].all(),
        "5H stress": greatest_stress(result, "test_5h_stress"),
        "5T displacement": y[peak],
        "5T time": shock["time"][peak],
        "5T stress": greatest_stress(result, "test_5t"),
        "static": 1e3 * result["static/at_rest/points/middle/displacement"][-1, 1],
    }
