#!/usr/bin/env python3
"""run_damage.py - a result that others damage, delete or replace is noticed, told of, and mended as far as it can be.

    run_damage.py PROGRAM
"""
import os
import random
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
from compare_results import differences, read

EXIT_INPUT, EXIT_NATURE = 2, 3
PATIENCE = 300 if "ASAN_OPTIONS" in os.environ else 60  # seconds
PROGRAM = os.path.abspath(sys.argv[1])
CASE = """\
masses: { block: { mass: 2 } }
springs: [ { between: [ground, block], stiffness: 8e3 } ]
studies:
  - modes: { count: 1 }
  - transient: { name: first, time_step: 1e-4, steps: 9000, load: { half_sine: { point: block, duration: 2e-3 } } }
  - transient: { name: second, time_step: 1e-4, steps: 9000, load: { half_sine: { point: block, duration: 4e-3 } } }
"""
LONG = CASE.replace("4e-3", "4e-3, amplitude: 2").replace("steps: 9000, load: { half_sine: { point: block, duration: 4e-3", "every: 1000, steps: 1000000000, load: { half_sine: { point: block, duration: 4e-3")


def start(*words):
    return subprocess.Popen([PROGRAM, "run", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(*words):
    process = start(*words)
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def flip(path, offset, bit=1):
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ bit]))


def place(path, dataset, share):
    """The offset of a byte of a dataset."""
    with h5py.File(path) as file:
        found = file[dataset]
        return found.id.get_offset() + int(share * found.id.get_storage_size())


def expect_mended(unbroken, told):
    """--resume says what was damaged, and leaves the bits of the unbroken result."""
    code, said = run("case.yaml", "-o", "a.h5", "--resume")
    assert code == 0 and all(words in said for words in told), (code, said)
    assert not differences(unbroken, read("a.h5")), differences(unbroken, read("a.h5"))[:3]
    code, said = run("case.yaml", "-o", "a.h5", "--resume")
    assert code == 0 and "damaged" not in said, (code, said)


def saved(path):
    """When the run was last saved."""
    return os.stat(f"{path}.restart/second.h5").st_mtime_ns if os.path.exists(f"{path}.restart/second.h5") else 0


def resume_and_stop(path):
    """A signal after the next time that it is saved."""
    before, begun = saved(path), time.monotonic()
    process = start("long.yaml", "-o", path, "--resume", "-v", "-save_interval", "0.1")
    while saved(path) in (0, before) and process.poll() is None and time.monotonic() - begun < PATIENCE:
        time.sleep(0.01)
    process.terminate()
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def damaged_contents_are_computed_anew():
    assert run("case.yaml", "-o", "a.h5")[0] == 0
    unbroken = read("a.h5")
    for dataset, share, told in (
        ("transient/first/time", 0.9, ["/transient/first/time are damaged; /transient/first is computed anew"]),
        ("transient/second/points/block/velocity", 0.01, ["/transient/second is computed anew"]),
        ("transient/second/reason", 0.01, ["/transient/second is computed anew"]),
        ("modes/stuck/omega", 0.0, ["/modes/stuck/omega was damaged and is written anew"]),
        ("system/mass", 0.5, ["/system/mass was damaged and is written anew"]),
        ("case/complete", 0.9, ["/case/complete is computed anew"]),
        ("case/sums", 0.0, ["damaged"]),
    ):
        flip("a.h5", place("a.h5", dataset, share))
        expect_mended(unbroken, told)
    for dataset in ("transient/first/time", "modes/stuck/omega", "transient/second/energy/work"):
        flip("a.h5", place("a.h5", dataset, 0.3), 64)
    expect_mended(unbroken, ["/transient/first is", "/transient/second is", "/modes/stuck/omega was"])


def a_killed_run_is_checked_up_to_its_last_save():
    """Rows that came after the save are no damage, and those before it are guarded."""
    for damage in (False, True):
        process = start("long.yaml", "-o", "k.h5", "-save_interval", "0.05")
        begun = time.monotonic()
        while not os.path.exists("k.h5.restart/second.h5") and time.monotonic() - begun < PATIENCE:
            time.sleep(0.01)
        time.sleep(0.3)
        process.kill()
        process.communicate()
        if damage:
            flip("k.h5", place("k.h5", "transient/second/time", 0.0) + 12)
        code, said = resume_and_stop("k.h5")
        assert code == EXIT_NATURE and ("/transient/second is computed anew" in said) == damage, (damage, code, said)
        assert damage or "damaged" not in said, said
        subprocess.run("rm -rf k.h5*", shell=True, check=True)


def damaged_metadata_end_in_one_line():
    """Any byte outside of the datasets: mended, unnoticed where nothing was read, or one line and exit code 2."""
    assert run("case.yaml", "-o", "m.h5")[0] == 0
    with open("m.h5", "rb") as file:
        whole = file.read()
    data = np.zeros(len(whole), dtype=bool)

    def mark(_, item):
        if isinstance(item, h5py.Dataset) and item.size:
            data[item.id.get_offset() : item.id.get_offset() + item.id.get_storage_size()] = True

    with h5py.File("m.h5") as file:
        file.visititems(mark)
    free, chance, refused = np.flatnonzero(~data), random.Random(7), 0
    for _ in range(24):
        with open("m.h5", "wb") as file:
            file.write(whole)
        flip("m.h5", int(chance.choice(free)), 1 << chance.randrange(8))
        code, said = run("case.yaml", "-o", "m.h5", "--resume", "-q")
        assert code in (0, EXIT_INPUT) and "PETSC ERROR" not in said, (code, said)
        errors = [line for line in said.splitlines() if line.startswith("error: ")]
        assert len(errors) == (code == EXIT_INPUT), said
        refused += code == EXIT_INPUT
        for name in os.listdir("."):
            if name.startswith("m.h5."):
                os.remove(name)
    assert refused >= 6, refused


def a_result_that_is_taken_away_ends_the_run():
    def replace():
        with open("other", "w", encoding="ascii") as file:
            file.write("other")
        os.replace("other", "t.h5")

    for what, take, kept in (
        ("deleted or moved", lambda: os.remove("t.h5"), "t.h5.1"),
        ("replaced by another file", replace, "t.h5.1"),
        ("deleted or moved", lambda: os.rename("t.h5", "elsewhere.h5"), "elsewhere.h5"),
        ("overwritten", lambda: os.truncate("t.h5", 1000), None),
    ):
        process, begun = start("long.yaml", "-o", "t.h5", "-save_interval", "0.1"), time.monotonic()
        while not os.path.exists("t.h5.restart/second.h5") and time.monotonic() - begun < PATIENCE:
            time.sleep(0.01)
        take()
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == EXIT_NATURE and "warning: " in said and f"t.h5: was {what} while it was written" in said, (what, process.returncode, said)
        assert ("what was computed is lost" in said and "result: " not in said) if kept is None else (f"{kept}\n" in said), said
        if kept:
            with h5py.File(kept) as file:
                assert file["case/complete"][()] == 0 and file["transient/second/steps"][0] > 0
            _, said = resume_and_stop(kept)
            assert "goes on from step" in said and "damaged" not in said, said
        subprocess.run("rm -rf t.h5* elsewhere.h5*", shell=True, check=True)


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in (("case.yaml", CASE), ("long.yaml", LONG)):
            with open(name, "w", encoding="ascii") as file:
                file.write(text)
        for test in (damaged_contents_are_computed_anew, a_killed_run_is_checked_up_to_its_last_save, damaged_metadata_end_in_one_line,
                     a_result_that_is_taken_away_ends_the_run):
            begun = time.monotonic()
            try:
                test()
            except (AssertionError, subprocess.TimeoutExpired) as fault:
                failed += 1
                print(f"{test.__name__}: {fault}")
            print(f"{test.__name__}: {time.monotonic() - begun:.1f} s")
        os.chdir("/")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
