#!/usr/bin/env python3
"""Every HDF5 file that does not hold what a case asks of it gets one line that says what is wrong with it, on any number of ranks."""
import os
import subprocess

import h5py
import numpy as np

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
CASE = "matrices: {{ file: {file}, points: {points}, mass: {mass}, stiffness: {stiffness} }}\nstudies: [ modes: {{}} ]\n"
GOOD = {"file": "good.h5", "points": "names", "mass": "M", "stiffness": "K"}


def make():
    with h5py.File("good.h5", "w") as file:
        file["M"], file["K"], file["names"] = np.eye(2), np.array([[2.0, -1.0], [-1.0, 2.0]]), ["a", "b"]
        file["nan"] = np.array([[1.0, 0.0], [0.0, np.nan]])
        file["skew"] = np.array([[1.0, 2.0], [-2.0, 1.0]])
        file["cube"], file["empty"], file["wide"] = np.zeros((2, 2, 2)), np.zeros((0, 2)), np.zeros((2, 3))
        file["complex"], file["three"] = np.eye(2).astype(complex), np.eye(3)
        file["group/deeper/here"] = np.eye(2)
        file["no_names"], file["dash"], file["many"] = ["a", ""], ["a", "-b"], np.array([["a", "b"]], dtype="S1")
        packed = file.create_dataset("damaged", data=np.arange(4000.0).reshape(2, 2000), chunks=(2, 2000), compression="gzip", fletcher32=True)
        offset, size = packed.id.get_chunk_info(0).byte_offset, packed.id.get_chunk_info(0).size
    with open("good.h5", "r+b") as file:  # in the middle of the packed numbers
        file.seek(offset + size // 2)
        file.write(b"\xff" * 16)
    with open("text.h5", "w", encoding="utf-8") as file:
        file.write("not HDF5\n")
    with open("good.h5", "rb") as file, open("cut.h5", "wb") as cut:
        cut.write(file.read()[:1000])


FAULTS = [
    ({"file": "nowhere.h5"}, "points: 'nowhere.h5' cannot be read: No such file or directory"),
    ({"file": "text.h5"}, "points: 'text.h5' is no HDF5 file"),
    ({"file": "cut.h5"}, "points: 'cut.h5' is damaged: HDF5 cannot open it"),
    ({"stiffness": "/group/deeper/there"}, "stiffness: 'good.h5' has no dataset '/group/deeper/there'; /group/deeper has: here"),
    ({"stiffness": "/group/other/there"}, "stiffness: 'good.h5' has no dataset '/group/other/there'; /group has: deeper"),
    ({"mass": "mass"}, "mass: 'good.h5' has no dataset 'mass'; / has: K, M, complex, cube, damaged, dash, empty, group, many, names, nan, "
                       "no_names, skew, three, wide"),
    ({"mass": "/M/below"}, "mass: 'good.h5' has no dataset '/M/below'; /M is no group"),
    ({"stiffness": "/group"}, "stiffness: 'good.h5' /group is a group, not a dataset"),
    ({"stiffness": "names"}, "stiffness: 'good.h5' names holds no real numbers"),
    ({"stiffness": "complex"}, "stiffness: 'good.h5' complex holds no real numbers"),
    ({"stiffness": "cube"}, "stiffness: 'good.h5' cube must have one or two dimensions, it has 3"),
    ({"stiffness": "empty"}, "stiffness: 'good.h5' empty is empty"),
    ({"stiffness": "damaged"}, "stiffness: 'good.h5' damaged cannot be read: it is damaged, or packed in a way that this HDF5 does not know"),
    ({"stiffness": "nan"}, "stiffness: nan must be finite: row 2, column 2 is nan"),
    ({"stiffness": "skew"}, "stiffness: must be symmetric: row 1, column 2 is 2, row 2, column 1 is -2"),
    ({"stiffness": "wide"}, "stiffness: must have 2 columns, one for each point, got 3"),
    ({"stiffness": "three"}, "stiffness: must have 2 rows, one for each point, got 3"),
    ({"points": "K"}, "points: 'good.h5' K holds no texts"),
    ({"points": "many"}, "points: 'good.h5' many must be a list of texts"),
    ({"points": "dash"}, "points: the name '-b' must begin with a letter"),
]


def check(cases, ranks):
    """Writes a case for each of these changes and gives them to one process: its exit code and standard error."""
    names = [f"case_{i}.yaml" for i in range(len(cases))]
    for name, changes in zip(names, cases):
        with open(name, "w", encoding="utf-8") as file:
            file.write(CASE.format(**{**GOOD, **changes}))
    command = [PROGRAM, "check", *names]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # HDF5 leaks with damaged files
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, env=environment)
    return done.returncode, done.stderr


def check_faults(faults, ranks):
    code, said = check([changes for changes, _ in faults], ranks)
    assert code == 2, f"exit code {code}\n{said}"
    for i, (changes, expected) in enumerate(faults):
        own, refused, said = said.partition(f"case_{i}.yaml: refused\n")
        first = own.splitlines()[:1]
        assert refused and first and first[0].startswith(f"error: case_{i}.yaml:1:") and f"matrices.{expected}" in first[0], f"{changes}: {expected}\n{own}"
        assert own.count(f"matrices.{expected}") == 1, own
    assert not said, said


def main():
    make()
    code, said = check([{}], 1)
    assert code == 0, said
    check_faults(FAULTS, 1)
    for ranks in (2, 3):
        check_faults(FAULTS[2::5], ranks)


if __name__ == "__main__":
    main()
