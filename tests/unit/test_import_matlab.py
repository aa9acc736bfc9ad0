#!/usr/bin/env python3
"""Matrices, names and fields of MATLAB's files of all versions are what was saved, on any number of ranks; what cannot be used is told."""
import os
import subprocess

import h5py
import numpy as np
import scipy.io
import scipy.linalg
import scipy.sparse

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
MPIEXEC = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
CASE = "matrices: {{ file: {file}, points: {points}, mass: {mass}, stiffness: {stiffness}{more} }}\nstudies: [ modes: {{ count: 3 }} ]\n"
GOOD = {"file": "full7.mat", "points": "[a, b, c]", "mass": "M", "stiffness": "K", "more": ""}

M = np.diag([2.0, 1.0, 3.0])
K = np.array([[6.0, -2.0, 0.0], [-2.0, 4.0, -1.0], [0.0, -1.0, 5.0]])
T = np.array([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])  # transposed it has another shape
OMEGA = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True))
CELLS = np.array(["a", "b", "c"], dtype=object)


def save(name, version, **variables):
    """v4, v6 (version 5, not packed) or v7 (packed)."""
    scipy.io.savemat(name, variables, format="4" if version == 4 else "5", do_compression=version == 7, oned_as="row")


def write_text(file, path, text):
    data = file.create_dataset(path, data=np.array([[ord(letter)] for letter in text], dtype="u2"))
    data.attrs["MATLAB_class"] = np.bytes_("char")
    return data


def write_sparse(group, matrix):
    packed = scipy.sparse.csc_matrix(matrix)
    group.attrs["MATLAB_class"], group.attrs["MATLAB_sparse"] = np.bytes_("double"), np.uint64(packed.shape[0])
    group["data"], group["ir"], group["jc"] = packed.data, packed.indices.astype("u8"), packed.indptr.astype("u8")


def save_hdf5(name):
    """As MATLAB does for -v7.3: a header of 512 bytes; matrices transposed, sparse ones as groups, cells as references."""
    with h5py.File(name, "w", userblock_size=512) as file:
        for key, value in (("M", M), ("K", K), ("T", T), ("v", T[:1])):
            file.create_dataset(key, data=value.T).attrs["MATLAB_class"] = np.bytes_("double")
        write_sparse(file.create_group("Ks"), K)
        write_sparse(file.create_group("Ts"), T)
        write_sparse(file.create_group("model/K"), K)
        file["model"].attrs["MATLAB_class"] = np.bytes_("struct")
        file["model/M"] = M.T
        cells = file.create_dataset("names", (1, 3), dtype=h5py.ref_dtype)
        cells.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, text in enumerate(CELLS):
            cells[0, i] = write_text(file, f"#refs#/{text}", text).ref
        rows = file.create_dataset("rows", data=np.array([[97, 98, 99], [32, 32, 32]], dtype="u2"))  # ['a ';'b ';'c ']
        rows.attrs["MATLAB_class"] = np.bytes_("char")
        wrong = file.create_group("broken")
        wrong.attrs["MATLAB_sparse"] = np.uint64(3)
        wrong["data"], wrong["ir"], wrong["jc"] = np.ones(2), np.array([0, 7], dtype="u8"), np.array([0, 1, 2, 2], dtype="u8")
    with open(name, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(124) + b"\0\2IM")


def make():
    variables = {"M": M, "K": K, "T": T, "v": T[:1], "Ks": scipy.sparse.csc_matrix(K), "Ts": scipy.sparse.csc_matrix(T)}
    save("full4.mat", 4, **variables)
    more = {"names": CELLS, "rows": np.array(["a ", "b ", "c "]), "model": {"K": scipy.sparse.csc_matrix(K), "M": M, "deep": {"M": M}},
            "single": K.astype("f4"), "whole": K.astype("i2"), "complex": K + 1j, "cube": np.zeros((2, 2, 2)), "none": np.zeros((0, 3)),
            "nan": np.full((3, 3), np.nan), "mixed": np.array(["a", 1.0, "c"], dtype=object)}
    save("full6.mat", 6, **variables, **more)
    save("full7.mat", 7, **variables, **more)
    save_hdf5("full73.mat")
    with open("full7.mat", "rb") as file:
        whole = file.read()
    with open("cut.mat", "wb") as file:
        file.write(whole[:160])
    with open("text.mat", "w", encoding="utf-8") as file:
        file.write("1 2 3\n")
    swap_bytes()


def swap_bytes():
    """The same matrices in version 4, of a machine with the other order of bytes; scipy writes its own only."""
    with open("big4.mat", "wb") as file:
        for name, matrix in (("M", M), ("K", K)):
            file.write(np.array([1000, *matrix.shape, 0, len(name) + 1], dtype=">i4").tobytes() + name.encode() + b"\0")
            file.write(matrix.T.astype(">f8").tobytes())


def run(command, ranks):
    if ranks > 1:
        command = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)


def write(changes, name):
    with open(name, "w", encoding="utf-8") as file:
        file.write(CASE.format(**{**GOOD, **changes}))


def check_modes(changes, ranks=1):
    write(changes, "case.yaml")
    done = run([PROGRAM, "run", "case.yaml", "-o", "out.h5"], ranks)
    assert done.returncode == 0, f"{changes}\n{done.stdout}{done.stderr}"
    with h5py.File("out.h5") as result:
        omega = result["modes/stuck/omega"][:]
    # Round-off of three numbers near 1; scipy and LAPACK agree to 2e-16 here.
    assert np.allclose(omega, OMEGA, rtol=1e-13, atol=0), f"{changes}: {omega} is not {OMEGA}"


READ = [{"file": f"full{version}.mat", "stiffness": stiffness} for version in (4, 6, 7, 73) for stiffness in ("K", "Ks")] + [
    {"file": "big4.mat"},
    {"file": "full7.mat", "stiffness": "single"},
    {"file": "full7.mat", "stiffness": "whole", "mass": "/M"},
    {"file": "full6.mat", "stiffness": "model.K", "mass": "model.deep.M", "points": "names"},
    {"file": "full7.mat", "stiffness": "/model/K", "mass": "model.M", "points": "rows"},
    {"file": "full73.mat", "stiffness": "model.K", "mass": "/model/M", "points": "names"},
    {"file": "full73.mat", "points": "/rows"},
]

HAS = "M, K, T, v, Ks, Ts"
FAULTS = [
    ({"stiffness": "k"}, f"stiffness: 'full7.mat' has no variable 'k'; it has: {HAS}, names, rows, model, single, whole, complex, cube, none, nan, mixed"),
    ({"file": "full4.mat", "stiffness": "k"}, f"stiffness: 'full4.mat' has no variable 'k'; it has: {HAS}"),
    ({"stiffness": "model.k"}, "stiffness: 'full7.mat' has no 'model.k'; the struct model has: K, M, deep"),
    ({"stiffness": "K.k"}, "stiffness: 'full7.mat' has no 'K.k'; K is a matrix of numbers"),
    ({"stiffness": "model"}, "stiffness: 'full7.mat' model is a struct, not a matrix of numbers"),
    ({"stiffness": "names"}, "stiffness: 'full7.mat' names is a cell array, not a matrix of numbers"),
    ({"stiffness": "rows"}, "stiffness: 'full7.mat' rows is a text, not a matrix of numbers"),
    ({"stiffness": "complex"}, "stiffness: 'full7.mat' complex holds complex numbers"),
    ({"stiffness": "cube"}, "stiffness: 'full7.mat' cube must have one or two dimensions, it has 3"),
    ({"stiffness": "none"}, "stiffness: 'full7.mat' none is empty"),
    ({"stiffness": "nan"}, "stiffness: nan must be finite: row 1, column 1 is nan"),
    ({"stiffness": "Ts"}, "stiffness: must have 3 rows, one for each point, got 2"),
    ({"stiffness": "v"}, "stiffness: must have 3 rows, one for each point, got 1"),
    ({"points": "K"}, "points: 'full7.mat' K is a matrix of numbers, not a list of texts"),
    ({"points": "mixed"}, "points: 'full7.mat' mixed must hold a text in each cell, cell 2 has none"),
    ({"file": "cut.mat"}, "mass: 'cut.mat' "),
    ({"file": "text.mat"}, "mass: 'text.mat' is no HDF5 file"),
    ({"file": "full73.mat", "stiffness": "Ts"}, "stiffness: must have 3 rows, one for each point, got 2"),
    ({"file": "full73.mat", "stiffness": "T"}, "stiffness: must have 3 rows, one for each point, got 2"),
    ({"file": "full73.mat", "stiffness": "model"}, "stiffness: 'full73.mat' model is a group, not a dataset; it has: K, M"),
    ({"file": "full73.mat", "stiffness": "names"}, "stiffness: 'full73.mat' names is a cell array, not a matrix of numbers"),
    ({"file": "full73.mat", "stiffness": "rows"}, "stiffness: 'full73.mat' rows is a text, not a matrix of numbers"),
    ({"file": "full73.mat", "stiffness": "broken"}, "stiffness: 'full73.mat' broken is damaged: its entries are not in the columns that it says"),
    ({"file": "full73.mat", "points": "K"}, "points: 'full73.mat' K holds no texts"),
]


def check_faults(ranks, faults):
    for i, (changes, _) in enumerate(faults):
        write(changes, f"case_{i}.yaml")
    done = run([PROGRAM, "check", *[f"case_{i}.yaml" for i in range(len(faults))]], ranks)
    assert done.returncode == 2, done.stderr
    said = done.stderr
    for i, (changes, expected) in enumerate(faults):
        own, refused, said = said.partition(f"case_{i}.yaml: refused\n")
        first = own.splitlines()[:1]
        assert refused and first and first[0].startswith(f"error: case_{i}.yaml:1:") and f"matrices.{expected}" in first[0], f"{changes}: {expected}\n{own}"
    assert not said, said


def main():
    make()
    for changes in READ:
        check_modes(changes)
    check_modes(READ[3], 2)
    check_modes(READ[5], 3)
    check_modes(READ[7], 2)
    # A map, which is not symmetric, must not be transposed: of three unknowns two points move, one of them alone is held.
    for version in (4, 7, 73):
        write({"file": f"full{version}.mat", "points": "[p, q]", "more": ", map: T"}, "map.yaml")
        done = run([PROGRAM, "check", "map.yaml"], 1)
        assert done.returncode == 0, done.stderr
    check_faults(1, FAULTS)
    check_faults(2, FAULTS[::4])


if __name__ == "__main__":
    main()
