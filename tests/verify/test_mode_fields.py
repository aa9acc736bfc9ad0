#!/usr/bin/env python3
"""Mode shapes on the mesh are those of the result, at the node that a point is, and the same on any number of ranks."""
import re
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

ELASTIC = slice(6, 9)  # rigid motions may mix


def compute(ranks):
    """omega and shapes of p1 by the result, places and elastic shapes of all nodes by the fields."""
    name = f"modes_{ranks}"
    sumali.write(name + ".yaml", "studies:\n  - modes: {count: 9}\n")
    sumali.run(name + ".yaml", ranks=ranks)
    with h5py.File(name + ".h5") as file:
        motions = [text.decode().rstrip("\0") if isinstance(text, bytes) else text for text in file["system/motions"][:]]
        rows = [i for i, motion in enumerate(motions) if re.match(r"p1\b", motion)]
        frequency, point = file["modes/stuck/frequency"][ELASTIC], file["modes/stuck/shape"][rows][:, ELASTIC]
    with h5py.File(name + ".hdf") as file:
        fields = file["VTKHDF/PointData"]
        stuck = sorted(field for field in fields if field.startswith("stuck_"))
        assert len(stuck) == 9 and len([field for field in fields if field.startswith("slipping_")]) == 9
        shapes = np.array([fields[field][:] for field in stuck[ELASTIC]])
        told = [float(re.search(r"_([\d.]+)Hz", field)[1]) for field in stuck[ELASTIC]]
        places = file["VTKHDF/Points"][:]
    assert np.allclose(told, frequency, rtol=1e-5)
    return point, places, shapes


def main():
    point, places, shapes = compute(1)
    assert point.shape == (3, 3), point.shape
    here = np.flatnonzero(np.linalg.norm(places - sumali.P1, axis=1) < 1e-9)
    differences = [np.abs(shapes[:, node, :].T - point).max() for node in here]
    assert len(here) == 2 and min(differences) < 1e-12 * np.abs(shapes).max(), differences
    assert max(differences) > 1e-9 * np.abs(shapes).max(), "the two parts move differently there"
    for ranks in (2, 3):
        _, other_places, other = compute(ranks)
        assert np.array_equal(places, other_places)
        assert np.abs(other - shapes).max() < 1e-7 * np.abs(shapes).max(), np.abs(other - shapes).max()


if __name__ == "__main__":
    main()
