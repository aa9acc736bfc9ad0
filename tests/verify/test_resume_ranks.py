"""test_resume_ranks.py - a mesh that floats: rigid modes, motions and what --resume goes on to are those of any number of ranks. [timeout: 300]"""
import os
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

sys.path.insert(0, os.path.join(sumali.SOURCE, "tests"))
from compare_results import differences, read

HIT = """studies:
  - modes: { count: 12 }
  - transient:
      name: hit
      time_step: 2e-5
      steps: 100000
      every: 20
      load: { half_sine: { point: p1, direction: z, mode: 9, amplitude: 500 } }
      watch: { points: [p1, bolt2_upper], modes: all, joints: none }
"""
MOTIONS = [f"points/{point}/{what}" for point in ("p1", "bolt2_upper") for what in ("displacement", "velocity")] + ["modal/displacement", "modal/velocity"]


def compare(path, allowed):
    """With the unbroken run on one rank, to within that of the largest."""
    with h5py.File("unbroken.h5") as right, h5py.File(path) as found:
        for name in ["modes/stuck/shape", "modes/slipping/shape"] + [f"transient/hit/{name}" for name in MOTIONS]:
            wanted = right[name][:]
            error = np.abs(found[name][:] - wanted).max() / np.abs(wanted).max()
            assert error <= allowed, f"{path}, {name}: off by {error:.2g}"


def other_numbers_of_ranks():
    """The mesh is reduced to nearly all digits on any number of ranks: at most 1.5e-12 was left of the motions, 4e-12 of the shapes of modes.
    Ranks add up the elements at their borders in another order."""
    for ranks in (2, 3, 4):
        sumali.run("hit.yaml", "-o", "other.h5", ranks=ranks)
        compare("other.h5", 1e-10)
    for ranks in (2, 3):
        sumali.kill("hit.yaml", "killed.h5", "hit", 20000)
        sumali.run("hit.yaml", "-o", "killed.h5", "--resume", ranks=ranks)
        compare("killed.h5", 1e-10)
        os.remove("killed.h5")


def checksum(numbers):
    """FNV-1a over words, as src/output/NOTES.md has it."""
    value = 0xCBF29CE484222325 ^ len(numbers)
    for word in numbers.view(np.uint64):
        value = (value ^ int(word)) * 0x100000001B3 % 2**64
    return (value ^ value >> 32) & (2**63 - 1)


def coordinates_on_other_modes():
    """A restart file whose coordinates do not move the points as it says they were moving: the run starts again, and says so."""
    sumali.kill("hit.yaml", "killed.h5", "hit", 20000)
    with h5py.File("killed.h5.restart/hit.h5", "r+") as file:
        numbers = file["numbers"][:]
        assert checksum(numbers) == file["checksum"][()]
        numbers[1] += 1e-4 * np.abs(numbers[1:10]).max()  # beside the seconds: the first point's displacement
        file["numbers"][:] = numbers
        file["checksum"][()] = checksum(numbers)
    done = subprocess.run(sumali.command("run", "hit.yaml", "-q", "-o", "killed.h5", "--resume"), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    said = [line for line in done.stderr.splitlines() if "points turn by up to 27 rad" not in line]  # as what floats may, in two seconds
    assert len(said) == 1 and "warning: run hit starts again: the saved state uses different modes" in said[0], done.stderr
    faults = differences(read("unbroken.h5"), read("killed.h5"))
    assert not faults, faults
    assert not os.path.exists("killed.h5.restart")


def main():
    for path in ("killed.h5", "killed.h5.restart/hit.h5"):
        if os.path.exists(path):
            os.remove(path)
    sumali.write("hit.yaml", HIT)
    sumali.run("hit.yaml", "-o", "unbroken.h5")
    other_numbers_of_ranks()
    coordinates_on_other_modes()


if __name__ == "__main__":
    main()
