#!/usr/bin/env python3
"""Measured records of universal files, text and binary, and of MATLAB's files are those that were written; a choice that is missing is told."""
import os
import struct
import subprocess
import sys

import h5py
import numpy as np
import scipy.io

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
from universal_file import COMPLEX_DOUBLE, COMPLEX_SINGLE, DOUBLE, SINGLE, header, numbers

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
MPIEXEC = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
STEP, COUNT, FREQUENCY, ZETA = 5e-4, 1501, 50.0, 0.01  # 1501: no form fills its last line
TIMES = STEP * np.arange(COUNT)
OMEGA = 2 * np.pi * FREQUENCY
VALUES = 3.0 * np.exp(-ZETA * OMEGA * TIMES) * np.cos(OMEGA * np.sqrt(1 - ZETA**2) * TIMES + 0.3)


def text_dataset(function=1, kind=SINGLE, even=True, values=VALUES, times=TIMES, node=1, direction=3, **more):
    return ("    -1\n    58\n" + header(function, kind, even, node, direction, count=len(values), step=STEP, **more) + numbers(kind, even, values, times) + "    -1\n").encode()


def binary_dataset(order, kind, even, time_form="f", node=1, direction=3, name="binary"):
    value_form = "f" if kind == SINGLE else "d"
    sign = "<" if order == 1 else ">"
    flat = VALUES if even else [number for pair in zip(TIMES, VALUES) for number in pair]
    data = struct.pack(f"{sign}{len(flat)}{value_form}" if even else sign + (time_form + value_form) * COUNT, *flat)
    first = f"    58b{order:6d}{2:6d}{11:12d}{len(data):12d}{0:6d}{0:6d}{0:12d}{0:12d}\n"
    return b"    -1\n" + first.encode() + header(1, kind, even, node, direction, name=name, count=COUNT, step=STEP).encode() + data + b"\n    -1\n"


UNITS = b"    -1\n   164\n         5mm (milli-newton)          2\n  1.00000000000000000D+03  1.00000000000000000D+03  1.00000000000000000D+00\n  2.73149999999999980D+02\n    -1\n"


def write(name, *datasets):
    with open(name, "wb") as file:
        file.write(b"".join(datasets))


def make():
    np.savetxt("plain.csv", np.column_stack([TIMES, VALUES]), fmt="%.17g", delimiter=",")
    for kind, letter in ((SINGLE, "s"), (DOUBLE, "d")):
        for even in (True, False):
            name = letter + ("_even" if even else "_uneven")
            write(name + ".uff", text_dataset(kind=kind, even=even))
            for order in (1, 2):
                write(f"{name}_{order}.uff", binary_dataset(order, kind, even, "f" if letter == "s" else "d"))
    write("mixed.uff", binary_dataset(1, DOUBLE, False, "f"))
    response = np.array([1 + 2j, 3 - 4j, 5e-100 + 6j])
    frf = text_dataset(4, COMPLEX_DOUBLE, values=response, times=TIMES[:3], abscissa=18)
    write("several.uff", b"    -1\n   151\nsome program\n    -1\n", frf, text_dataset(kind=DOUBLE, name="hammer 1"),
          text_dataset(kind=DOUBLE, values=0.5 * VALUES, node=12, direction=-2, ordinate=11, unit="m/s"), binary_dataset(2, DOUBLE, True, node=7),
          text_dataset(kind=DOUBLE, values=1e3 * VALUES, node=9, unit="mm/s^2"))
    write("frf.uff", frf)
    write("millimetres.uff", UNITS, text_dataset(kind=DOUBLE, unit=""))
    uneven = TIMES + np.where(np.arange(COUNT) == 700, 0.3 * STEP, 0.0)
    write("uneven.uff", text_dataset(kind=DOUBLE, even=False, times=uneven))
    whole = text_dataset(kind=DOUBLE)
    write("cut.uff", whole[:3000])
    write("short.uff", whole[:3000].rsplit(b"\n", 1)[0] + b"\n    -1\n")
    write("word.uff", whole.replace(whole.split(b"\n")[20].split()[1], b"  overflow"))
    write("kind.uff", whole.replace(b"         4      1501", b"         3      1501"))
    write("much.uff", whole.replace(b"         4      1501", b"         4 999999999"))
    write("few_bytes.uff", binary_dataset(1, SINGLE, True).replace(f"{4 * COUNT:12d}".encode(), f"{4 * COUNT - 4:12d}".encode()))
    write("vax.uff", binary_dataset(1, SINGLE, True).replace(b"     1     2", b"     1     1"))
    write("geometry.uff", b"    -1\n    15\n         1         0\n    -1\n")
    table = np.column_stack([VALUES, 0.5 * VALUES, TIMES])
    scipy.io.savemat("record.mat", {"acc": VALUES, "t": TIMES, "all": table, "test": {"acc": table.T}})
    with h5py.File("record.h5", "w") as file:
        file["acc"], file["t"], file["all"] = VALUES, TIMES, table


# The record as the case gives it, its relative error and the factor to the plain one. What is written with six digits is as exact as they are.
READ = [("file: plain.csv", 1e-13, 1.0)] + [
    (f"file: {letter}_{spacing}{order}.uff", 3e-6 if letter == "s" and not order else 1e-7 if letter == "s" else 1e-12, 1.0)
    for letter in "sd" for spacing in ("even", "uneven") for order in ("", "_1", "_2")] + [
    ("file: mixed.uff", 1e-7, 1.0),
    ("file: several.uff, values: 2", 1e-12, 1.0),
    ("file: several.uff, values: hammer 1", 1e-12, 1.0),
    ("file: several.uff, values: 12 -y", 1e-12, 0.5),
    ("file: several.uff, values: binary", 1e-12, 1.0),
    ("file: several.uff, values: 9 z, scale: 1e-3", 1e-12, 1.0),
    ("file: several.uff, values: 9 z, scale: 1e-3, rate: 2000", 1e-12, 1.0),
    ("file: record.mat, time: t, values: acc", 1e-12, 1.0),
    ("file: record.mat, rate: 2000, values: 'test.acc(2,:)'", 1e-12, 0.5),
    ("file: record.mat, time: 'all(:,3)', values: 'all(:, 2)'", 1e-12, 0.5),
    ("file: record.h5, time: /t, values: /acc", 1e-12, 1.0),
    ("file: record.h5, time: '/all(:,3)', values: '/all(:,2)'", 1e-12, 0.5)]

LIST = ("1 (frequency response of 1 z), 2 (time response of 1 z, 'hammer 1'), 3 (time response of 12 -y), 4 (time response of 7 z, 'binary'), "
        "5 (time response of 9 z)")
FAULTS = [
    ("file: several.uff", f"file: say which function as `values`: 'several.uff' has: {LIST}"),
    ("file: several.uff, values: 1", f"values: expected a time response of real numbers, function 1 is another; 'several.uff' has: {LIST}"),
    ("file: several.uff, values: 6", "values: expected a function of 'several.uff' by its number, its name, or its node and direction (12 z), found '6'; "
                                     f"it has: {LIST}"),
    ("file: several.uff, values: 12 y", "values: expected a function of 'several.uff' by its number, its name, or its node and direction (12 z), found '12 y'"),
    ("file: several.uff, values: 5", "key 'scale' is missing: the file says that its unit is 'mm/s^2'; give the factor to SI units, 1 if they are SI units"),
    ("file: several.uff, values: 3, quantity: acceleration", "key 'scale' is missing: the file says that its unit is 'm/s'"),
    ("file: several.uff, values: 2, time: 1", "time: several.uff is a universal file, in which each function has its times"),
    ("file: millimetres.uff", "key 'scale' is missing: the file says that its unit is 'lengths of 1/1000 m'"),
    ("file: frf.uff", "file: there is no time response in 'frf.uff'; it has: 1 (frequency response of 1 z)"),
    ("file: uneven.uff", "file: expected times at equal steps, 0.0005 s on average; found 0.00065 s before sample 701, at 0.35015 s"),
    ("file: cut.uff", "cut.uff:39:1: the file ends within a dataset: expected a line with -1 in columns 5 and 6"),
    ("file: short.uff", "short.uff:39:5: the dataset ends before its last number"),
    ("file: word.uff", "word.uff:21:25: expected a number, found 'overflow'"),
    ("file: kind.uff", "kind.uff:9:1: expected the type of the numbers, 2, 4, 5 or 6, in columns 1 to 10, found "),
    ("file: much.uff", "much.uff:9:1: promises more samples than the file can hold"),
    ("file: few_bytes.uff", "few_bytes.uff:14:1: expected 6004 bytes for 1501 samples, the header says 6000"),
    ("file: vax.uff", "vax.uff:2:1: expected a byte order, 1 or 2, and numbers of IEEE 754, 2, found "),
    ("file: geometry.uff", "file: 'geometry.uff' holds no measured function (dataset 58 or 58b)"),
    ("file: record.mat, time: t", "file: record.mat is a file of MATLAB: give `values` as one of its variables"),
    ("file: record.mat, values: acc", "file: record.mat is a file of MATLAB: give `time` as one of its variables, or the `step` where the study has one"),
    ("file: record.mat, rate: 2000, values: all", "values: expected one column, found a dataset of 1501 x 3; of several say which: NAME(:,3)"),
    ("file: record.mat, rate: 2000, values: 'all(:,4)'", "values: expected one column of those that there are, found a dataset of 1501 x 3"),
    ("file: record.mat, rate: 2000, step: 5e-4, values: acc", "'rate' and 'step' exclude each other"),
]


def run(command, ranks=1):
    if ranks > 1:
        command = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)


def check_read(ranks):
    with open("read.yaml", "w", encoding="utf-8") as file:
        file.write("studies:\n" + "".join(f"  - ring_down: {{ name: r{i}, records: {{ {record}, name: r{i} }} }}\n" for i, (record, _, _) in enumerate(READ)))
    done = run([PROGRAM, "run", "read.yaml", "-o", f"read{ranks}.h5"], ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    with h5py.File(f"read{ranks}.h5") as result:
        first = result["ring_down/r0/mode1"]
        omega, zeta, envelope = (first[key][:] for key in ("omega", "zeta", "knot_envelope"))
        assert np.isfinite(omega[0]) and abs(np.nanmean(omega) / OMEGA - 1) < 1e-3 and abs(np.nanmean(zeta) / ZETA - 1) < 0.02
        for i, (record, error, factor) in enumerate(READ):
            decay = result[f"ring_down/r{i}/mode1"]
            # Slopes of phase and ln amplitude over some cycles are as exact as the numbers are, times about ten for the damping.
            assert np.allclose(decay["omega"][:], omega, rtol=error, atol=0, equal_nan=True), f"{record}: {decay['omega'][:] / omega - 1}"
            assert np.allclose(decay["zeta"][:], zeta, rtol=300 * error, atol=0, equal_nan=True), f"{record}: {decay['zeta'][:] / zeta - 1}"
            assert np.allclose(decay["knot_envelope"][:], factor * envelope, rtol=30 * error, atol=0, equal_nan=True), record
            assert decay.attrs["signal"] == (b"velocity" if "12 -y" in record else b"acceleration"), record


def check_faults(ranks, faults):
    for i, (record, _) in enumerate(faults):
        with open(f"case_{i}.yaml", "w", encoding="utf-8") as file:
            file.write(f"studies: [ ring_down: {{ records: {{ {record} }} }} ]\n")
    done = run([PROGRAM, "check", *[f"case_{i}.yaml" for i in range(len(faults))]], ranks)
    assert done.returncode == 2, done.stderr
    said = done.stderr
    for i, (record, expected) in enumerate(faults):
        own, refused, said = said.partition(f"case_{i}.yaml: refused\n")
        assert refused and own.startswith("error: ") and expected in own.splitlines()[0] and len(own.splitlines()) <= 2, f"{record}: {expected}\n{own}"
    assert not said, said


def main():
    make()
    check_read(1)
    check_read(2)
    check_faults(1, FAULTS)
    check_faults(3, FAULTS[::5])


if __name__ == "__main__":
    main()
