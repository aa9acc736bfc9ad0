"""Modes of equal frequency are one choice among their mixtures, the same on 1, 2, 3 ranks, and what is not determined of them is said."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import box
import sumali

# A beam of square section bends alike in two directions: modes 1 and 2, 3 and 4, 7 and 8 are pairs.
BEAM = """mesh: beam.msh
materials: {{steel: {{young: 2e11, poisson: 0.3, density: 8000}}}}
parts: {{bar: steel}}
supports: [{{group: root}}]
points: {{tip: {{average: tip}}, corner: {{at: [1, 0.1, 0.1]}}}}
{reduction}studies: [modes: {{count: {count}}}]
"""
REDUCTIONS = {"whole": "", "craig_bampton": "reduction: {craig_bampton: {modes: 8, keep: [tip]}}\n", "modes": "reduction: {modes: {count: 8}}\n"}


def run(name, text, ranks=1):
    """What the run prints, and the stuck modes."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("run", name + ".yaml", ranks=ranks), check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    with h5py.File(name + ".h5") as result:
        return done.stdout, {key: data[()] for key, data in result["modes/stuck"].items()}


def on_any_number_of_ranks(reduction):
    """Shapes differed by half of their size before; now by 2e-12, round-off of the factor of the mesh."""
    _, one = run(reduction, BEAM.format(reduction=REDUCTIONS[reduction], count=8))
    assert list(one["equal"]) == [2, 2, 2, 2, 1, 1, 2, 2], one["equal"]
    for ranks in (2, 3):
        _, other = run(f"{reduction}_{ranks}", BEAM.format(reduction=REDUCTIONS[reduction], count=8), ranks)
        for key in ("shape", "participation"):
            error = np.max(np.abs(one[key] - other[key])) / np.max(np.abs(one[key]))
            assert error <= 1e-9, f"{reduction}, {ranks} ranks, {key}: {error}"


def a_pair_that_is_cut_is_the_same_and_said():
    printed, seven = run("cut", BEAM.format(reduction="", count=7))
    _, eight = run("uncut", BEAM.format(reduction="", count=8))
    assert list(seven["equal"]) == [2, 2, 2, 2, 1, 1, 2], seven["equal"]
    error = np.max(np.abs(seven["shape"] - eight["shape"][:, :7])) / np.max(np.abs(eight["shape"]))
    assert error <= 1e-9, error
    assert "modes 1 to 2, 3 to 4, 7 to 8" in printed and "ask for 8 modes" in printed, printed


def one_choice_in_closed_form():
    """K = 3 M: every vector is a mode. The first moves an unknown as much as can be: M^-1 e_1, of unit mass; the second leaves that at rest."""
    text = "matrices: {points: [a, b], mass: [[2, 1], [1, 2]], stiffness: [[6, 3], [3, 6]]}\nstudies: [modes: {}]\n"
    printed, modes = run("alike", text)
    first = np.array([2.0, -1.0]) / 3.0 / np.sqrt(2.0 / 3.0)
    second = np.array([0.0, 1.0]) / np.sqrt(2.0)
    assert np.max(np.abs(modes["shape"] - np.array([first, second]).T)) <= 1e-14, modes["shape"]
    assert np.max(np.abs(modes["omega"] - np.sqrt(3.0))) <= 1e-14, modes["omega"]
    assert "modes 1 to 2" in printed, printed


def near_frequencies_are_not_taken_for_equal():
    """Equal oscillators, coupled by 1e-11 of their stiffness: modes (1, 1) and (1, -1), omega^2 = 1 and 1 + 2e-11."""
    text = "masses: {a: {mass: 1}, b: {mass: 1}}\nsprings:\n" + "".join(
        f"  - {{between: [{ends}], stiffness: {k}}}\n" for ends, k in (("ground, a", 1), ("ground, b", 1), ("a, b", 1e-11)))
    printed, modes = run("coupled", text + "studies: [modes: {}]\n")
    assert np.max(np.abs(np.abs(modes["shape"]) - np.sqrt(0.5))) <= 1e-4, modes["shape"]  # round-off over distance, 1e-16 / 2e-11
    assert list(modes["equal"]) == [1, 1] and "equal frequencies" not in printed, printed


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        box.box("beam.msh", (1.0, 0.1, 0.1), (16, 2, 2))
        for reduction in REDUCTIONS:
            on_any_number_of_ranks(reduction)
        a_pair_that_is_cut_is_the_same_and_said()
        one_choice_in_closed_form()
        near_frequencies_are_not_taken_for_equal()
