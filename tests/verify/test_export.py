#!/usr/bin/env python3
"""What `export`, `info --json`, `check --json` and `run --json` write is what the result holds, to the last digit, in forms that other programs
read: csv, json, numpy of Python, h5py beside them; universal files as tests/universal_file.py writes them, and back through `measured`."""
import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import h5py
import numpy as np

from universal_file import COMPLEX_DOUBLE, DOUBLE, numbers

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
# A title with quotes and a letter beyond ASCII; a point that turns; two loads; a window; a curve of uneven frequencies.
STRUCTURE = """title: 'a "b", ü'
masses: { m_1: { mass: 2, directions: [x, y] }, wheel: { mass: 0.5, inertia: 1e-3, directions: [x, rz] } }
springs:
  - { between: [ground, m_1], direction: x, stiffness: 8e3 }
  - { between: [ground, m_1], direction: y, stiffness: 9e3 }
  - { between: [m_1, wheel], direction: x, stiffness: 7e3 }
  - { between: [ground, wheel], direction: rz, stiffness: 5 }
joints: { bolt: { between: [ground, m_1], x: { law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 } } }
damping: { modal: 0.02 }
"""
STUDIES = """studies:
  - modes: {}
  - transient: { name: hit, time_step: 1e-3, steps: 400, every: 2, keep: { from: 0.1 }, watch: { modes: [1, 3] },
                 load: [ { half_sine: { point: wheel, direction: x, amplitude: 30, duration: 0.02 } }, { harmonic: { point: wheel, direction: rz, frequency: 9 } } ] }
  - response: { name: curve, method: harmonic_balance, frequencies: { from: 5, to: 9 }, level: 2, load: { harmonic: { point: wheel, direction: x, amplitude: 3 } } }
"""


def dovetail(*words, code=0):
    done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"} if code else None)
    assert done.returncode == code, (words, done.returncode, done.stdout.decode()[-500:], done.stderr.decode())
    return done.stdout if code == 0 else done.stderr.decode()


def rows(text, separator=","):
    return list(csv.reader(io.StringIO(text), delimiter=separator))


def columns_are_those_of_the_result():
    table = rows(dovetail("export", "case.h5", "transient/hit/points", "--csv").decode().split("\n\n")[0].split("\n", 1)[1])
    with h5py.File("case.h5") as file:
        run = file["transient/hit"]
        assert table[0] == ["time [s]", "points/m_1/acceleration x [m/s^2]", "points/m_1/acceleration y [m/s^2]", "points/m_1/displacement x [m]",
                            "points/m_1/displacement y [m]", "points/m_1/velocity x [m/s]", "points/m_1/velocity y [m/s]",
                            "points/wheel/acceleration x [m/s^2]", "points/wheel/acceleration rz [rad/s^2]", "points/wheel/displacement x [m]",
                            "points/wheel/displacement rz [rad]", "points/wheel/velocity x [m/s]", "points/wheel/velocity rz [rad/s]"], table[0]
        expected = np.hstack([run["time"][:][:, None]] + [run[f"points/{point}/{kind}"][:] for point in ("m_1", "wheel") for kind in ("acceleration", "displacement", "velocity")])
        assert np.array_equal(np.array(table[1:], float), expected) and len(expected) == 151 and expected[0, 0] == 0.1
        loads = rows(dovetail("export", "case.h5", "/transient/hit/loads/signal", "--tsv").decode(), "\t")
        assert loads[0] == ["time [s]", "loads/signal wheel x [N]", "loads/signal wheel rz [N m]"]
        assert np.array_equal(np.array(loads[1:], float)[:, 1:], run["loads/signal"][:])
        time = run["time"][:]
        assert np.allclose(run["loads/signal"][:, 1], np.sin(2 * np.pi * 9 * time), rtol=0, atol=1e-13)  # closed form; by round-off of the angle
    modes = rows(dovetail("export", "case.h5", "modes/stuck/shape", "--csv").decode())
    assert modes[0][:3] == ["motions", "shape mode 1 [kg^-1/2]", "shape mode 2 [kg^-1/2]"] and [row[0] for row in modes[1:]] == ["m_1 x", "m_1 y", "wheel x", "wheel rz"]


def tables_become_files():
    dovetail("export", "case.h5", "--csv", "-o", "tables")
    names = sorted(os.listdir("tables"))
    assert "transient_hit_samples.csv" in names and "modes_stuck_modes.csv" in names, names
    for name in names:
        with open(f"tables/{name}", encoding="utf-8", newline="") as file:
            table = list(csv.reader(file))
        assert table and all(len(row) == len(table[0]) for row in table), name
    dovetail("export", "case.h5", "transient/hit/time", "-o", "time.csv")
    with open("time.csv", encoding="utf-8") as file:
        assert file.readline() == "time [s]\n"


def as_array(values):
    return np.array([np.nan if value is None else value for value in np.ravel(np.array(values, dtype=object))], float)


def json_has_paths_and_all_digits():
    told, whole = json.loads(dovetail("info", "case.h5", "--json")), json.loads(dovetail("export", "case.h5", "--json"))
    assert told["complete"] is True and told["title"] == 'a "b", ü'
    with h5py.File("case.h5") as file:
        paths = []
        file.visit(paths.append)
        assert {"/" + path for path in paths} - {"/case/sums"} == set(whole["contents"]) == set(told["contents"])
        for path, entry in whole["contents"].items():
            if isinstance(file[path], h5py.Group):
                assert entry["attributes"].keys() == dict(file[path].attrs).keys(), path
                continue
            values = file[path][()]
            assert entry["shape"] == list(values.shape), path
            if values.dtype.kind == "S":
                assert np.ravel(entry["values"]).tolist() == [text.decode() for text in np.ravel(values)], path
            else:
                assert np.array_equal(as_array(entry["values"]), np.ravel(values).astype(float), equal_nan=True), path
            short = told["contents"][path]
            if "least" in short:
                assert short["known"] == np.isfinite(values).sum() and short["most"] == np.nanmax(values), path
            else:
                assert short == entry, path
        assert any(np.isnan(file[path][()]).any() for path in paths if isinstance(file[path], h5py.Dataset) and file[path].dtype.kind == "f")


def blocks(text, number):
    """Lines of each dataset of a universal file with this number."""
    parts = text.split("    -1\n")[1::2]
    return [part.split("\n", 1)[1] for part in parts if part.split("\n", 1)[0].strip() == str(number)]


def universal_files_hold_histories_and_responses():
    dovetail("export", "case.h5", "transient/hit/points", "modes", "response", "-o", "case.uff")
    with open("case.uff", encoding="ascii", errors="replace") as file:
        text = file.read()
    assert len(blocks(text, 164)) == 1 and len(blocks(text, 2411)[0].splitlines()) == 2 * 2
    with h5py.File("case.h5") as file:
        run, shapes = file["transient/hit"], file["modes/stuck/shape"][:]
        functions = blocks(text, 58)
        for function, (point, c, node, direction) in zip(functions[2:4] + functions[8:10], (("m_1", 0, 1, 1), ("m_1", 1, 1, 2), ("wheel", 0, 2, 1), ("wheel", 1, 2, 6))):
            lines = function.splitlines(keepends=True)
            assert lines[0].startswith(f"/transient/hit/points/{point}/displacement ") and lines[5][41:55].split() == [str(node), str(direction)], lines[:6]
            assert "".join(lines[11:]) == numbers(DOUBLE, True, run[f"points/{point}/displacement"][:, c], run["time"][:])
            assert lines[6].split()[:5] == ["4", "151", "1", "1.00000E-01", "2.00000E-03"], lines[6]
        curve = file["response/curve/curve_1"]
        known = np.isfinite(curve["frequency"][:])
        motion = [name.decode() for name in file["response/curve/motions"][:]].index("wheel x")
        frf = curve["harmonics"][known, motion, 0] * np.exp(1j * curve["harmonic_phases"][known, motion, 0]) / (2 * 3)  # level and amplitude of the load
        frequency = curve["frequency"][known]
        lines = next(function for function in functions if function.startswith("/response/curve/curve_1 wheel x")).splitlines(keepends=True)
        right, own = numbers(COMPLEX_DOUBLE, False, frf, frequency), "".join(lines[11:])  # sines of numpy round off otherwise
        assert [len(line) for line in own.splitlines()] == [len(line) for line in right.splitlines()]
        assert np.allclose(np.array(own.split(), float), np.array(right.split(), float), rtol=2e-12, atol=1e-15 * np.abs(frf).max())
        mode = blocks(text, 55)[-1].splitlines()  # the highest of those stuck
        found = [[float(line[13 * i: 13 * i + 13]) for i in range(6)] for line in mode[9::2]]
        assert np.allclose(found, [[*shapes[:2, -1], 0, 0, 0, 0], [shapes[2, -1], 0, 0, 0, 0, shapes[3, -1]]], rtol=6e-6, atol=0)  # E13.5
        assert np.isclose(float(mode[7].split()[0]), file["modes/stuck/frequency"][-1], rtol=6e-6)
    return frequency, frf


def and_they_come_back(frequency, frf):
    """Through the program's own import: a response that measures what was exported, of text and of binary numbers."""
    dovetail("export", "case.h5", "response/curve", "--uff-binary", "-o", "binary.uff")
    with open("binary.uff", "rb") as file:
        raw = file.read()
    start = raw.index(b"/response/curve/curve_1 wheel x")
    for _ in range(11):
        start = raw.index(b"\n", start) + 1
    pairs = [struct.unpack_from("<fdd", raw, start + 20 * i) for i in range(len(frf))]
    assert np.abs(np.array([a + 1j * b for _, a, b in pairs]) - frf).max() < 1e-15 * np.abs(frf).max()
    for file, digits in (("case.uff", 2e-12), ("binary.uff", 4e-15)):
        with open("back.yaml", "w", encoding="utf-8") as out:
            out.write(STRUCTURE + "studies:\n  - response: { frequencies: [6], tolerance: 0.1, max_cycles: 40, load: { harmonic: { point: wheel, direction: x } },"
                      f" measured: {{ name: back, file: {file}, values: 2 x, quantity: displacement, motion: wheel x }} }}\n")
        dovetail("run", "back.yaml", "-q")
        with h5py.File("back.h5") as result:
            back = next(iter(result["response/response/measured"].values()))
            order = np.argsort(frequency, kind="stable")
            found = back["amplitude"][:] * np.exp(1j * back["phase"][:])
            assert len(found) == len(frf) and np.abs(np.sort(back["frequency"][:]) - frequency[order]).max() < 1e-5 * 9
            assert np.abs(np.sort_complex(found) - np.sort_complex(frf)).max() <= digits * np.abs(frf).max(), np.abs(np.sort_complex(found) - np.sort_complex(frf)).max()


def check_and_run_tell_all_as_json():
    with open("bad.yaml", "w", encoding="utf-8") as file:
        file.write(STRUCTURE.replace("slip_force", "slip_forse") + STUDIES)
    told = json.loads(subprocess.run([PROGRAM, "check", "--json", "case.yaml", "bad.yaml"], stdin=subprocess.DEVNULL, capture_output=True).stdout)["cases"]
    assert told[0]["valid"] is True and told[0]["unknowns"] == 4 and [study["name"] for study in told[0]["studies"]] == ["modes", "hit", "curve"]
    assert told[1]["valid"] is False and "did you mean 'slip_force'" in told[1]["errors"][0]["message"] and told[1]["errors"][0]["line"] == 8
    text = dovetail("run", "case.yaml", "--json", "-q").decode()
    ran = json.loads(text)
    assert ran["exit_code"] == 0 and ran["result"] == "case.h5" and any("Frequencies" in line or "mode" in line for line in ran["report"])
    with h5py.File("case.h5") as file:
        assert as_array(ran["contents"]["/modes/stuck/frequency"]["values"]).tolist() == file["modes/stuck/frequency"][:].tolist()
        peak = file["transient/hit/points/wheel/peak"]
        assert as_array(ran["contents"]["/transient/hit/points/wheel/peak"]["values"]).tolist() == peak[0].tolist()


def what_is_wrong_is_said_in_a_line():
    for words, wanted in (
        (["export", "case.h5", "transient/hit/tine", "--csv"], "there is no '/transient/hit/tine'; did you mean '/transient/hit/time'?"),
        (["export", "case.h5", "transient/qqqqqqqq", "--json"], "there is no '/transient/qqqqqqqq'; /transient has: hit"),
        (["export", "case.h5", "case", "--uff"], "modes, histories over time and frequency responses do"),
        (["export", "case.h5"], "needs one of --csv, --tsv, --json, --uff, --uff-binary"),
        (["export", "case.h5", "--csv", "--json"], "not several"),
        (["export", "case.yaml", "--csv"], "is not a result of dovetail"),
        (["export", "case.h5", "--json", "-o", "case.h5"], "is the result itself"),
        (["export", "case.h5", "--json", "-o", "nowhere/a.json"], "the folder 'nowhere' does not exist"),
        (["info", "case.yaml", "--json"], "is not a result of dovetail"),
        (["check", "case.yaml", "--csv"], "--csv is not for `dovetail check`")):
        said = dovetail(*words, code=2)
        assert said.startswith("error: ") and wanted in said and said.count("\n") == 1, (words, said)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        with open("case.yaml", "w", encoding="utf-8") as case:
            case.write(STRUCTURE + STUDIES)
        dovetail("run", "case.yaml", "-q")
        columns_are_those_of_the_result()
        tables_become_files()
        json_has_paths_and_all_digits()
        and_they_come_back(*universal_files_hold_histories_and_responses())
        what_is_wrong_is_said_in_a_line()
        check_and_run_tell_all_as_json()
