"""compare_results.py - in what two result files differ, bit for bit."""
import h5py
import numpy as np

TIMES = {"seconds", "sums"}  # datasets that tell how long the computer took, and the sums of these
CIRCUMSTANCES = {"date", "ranks"}  # attributes that tell when and how it was made


def read(path):
    """All datasets and attributes of a result, by path and path@name."""
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and name.rsplit("/", 1)[-1] not in TIMES:
            found[name] = np.asarray(item[()])
        for key, value in item.attrs.items():
            if key not in CIRCUMSTANCES:
                found[f"{name}@{key}"] = np.asarray(value)

    with h5py.File(path, "r") as file:
        file.visititems(keep)
    return found


def bits(values):
    """Numbers as what they are in memory, so that NaN equals NaN and 0 is not -0."""
    return values.view(np.uint64) if values.dtype == np.float64 and values.ndim else values


def differences(one, other):
    """What differs between two results that were read: a list of texts, empty when nothing does."""
    faults = [f"{name}: only in one of them" for name in sorted(set(one) ^ set(other))]
    for name in sorted(set(one) & set(other)):
        a, b = one[name], other[name]
        if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
            faults.append(f"{name}: {a.dtype} {a.shape} and {b.dtype} {b.shape}")
        elif not np.array_equal(bits(a), bits(b)):
            where = np.argwhere(np.atleast_1d(bits(a) != bits(b)))[0]
            faults.append(f"{name}: differ first at {tuple(int(i) for i in where)}: {a[tuple(where)] if a.ndim else a} and {b[tuple(where)] if b.ndim else b}")
    return faults
