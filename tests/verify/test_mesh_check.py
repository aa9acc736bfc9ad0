#!/usr/bin/env python3
"""What `dovetail check` tells of a mesh: extents, mass, first frequency, cost; and warnings of what is legal and most often wrong."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
E, RHO = 2e11, 8000.0
CASE = """
mesh: bar.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 8000 } }
parts: { bar: steel }
points: { end: { average: tip }, seen: { at: [0, 1, 0] } }
supports: [ { group: root } ]
reduction: { craig_bampton: { modes: 4, keep: end } }
studies:
  - modes: {}
  - transient: { time_step: 1e-6, steps: 10, load: { half_sine: { POINT, direction: y, duration: 1e-4 } }, watch: { points: [seen] } }
"""


def check(size, cells, *words, tets=False, ranks=1, point="point: end", changes=(), code=0):
    box.box("bar.msh", size, cells, tets)
    text = CASE
    for old, new in (("[0, 1, 0]", f"[{size[0]}, {size[1]}, 0]"), ("POINT", point), *changes):
        assert old in text
        text = text.replace(old, new)
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    command = [PROGRAM, "check", "case.yaml", *words]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def warnings(*words, **keywords):
    return [line for line in check(*words, **keywords).stderr.splitlines() if line.startswith("warning: ")]


def what_is_most_often_wrong_draws_one_warning():
    assert warnings((0.5, 0.05, 0.05), (8, 1, 1)) == []
    millimetres = "warning: bar.msh is 500 m long; if it is in millimetres, write mesh: {file: bar.msh, unit: mm}"
    stiff = "warning: part 'bar' has 48 elements of kind tet4, far too stiff in bending; better make its mesh of tet10 (Mesh.ElementOrder = 2)"
    for ranks in (1, 2):
        assert warnings((500, 50, 50), (8, 1, 1), ranks=ranks) == [millimetres]
        found = warnings((0.5, 0.05, 0.05), (8, 1, 1), tets=True, ranks=ranks)
        assert found == [stiff], found


def a_small_part_in_millimetres_shows_by_extents_mass_and_first_frequency():
    """20 x 1 x 1 mm taken for metres: no warning, but 160 t and 2 Hz. A cantilever: 3.516 sqrt(E I / (rho A)) / L^2 / 2 pi."""
    said = check((20.0, 1.0, 1.0), (40, 2, 2))
    assert not re.search("warning", said.stderr)
    assert "369 nodes, 160 elements, x 0 to 20, y 0 to 1, z 0 to 1 m" in said.stdout and "mass 160000 kg" in said.stdout, said.stdout
    frequency = float(re.search(r"first frequency (\S+) Hz\n", said.stdout)[1])
    assert abs(frequency / (3.516 * (E / RHO / 12) ** 0.5 / 20**2 / 6.2832) - 1) < 0.01, said.stdout


def a_long_reduction_is_told_and_not_done():
    for ranks in (1, 3):
        said = check((0.5, 0.05, 0.05), (8, 1, 1), "-patience", "0", ranks=ranks)
        assert "first frequency not computed" in said.stdout and "mass 10 kg" in said.stdout, said.stdout
        assert re.search(r"reduction: about \S+ s on one free core", said.stdout), said.stdout
        assert re.search(r"on each rank, and \S+ MB for the mesh over all ranks", said.stdout), said.stdout
        assert not re.search("^reduction", said.stderr, re.M), said.stderr


def each_bolt_is_one_line():
    """A cut of 2 x 1 m across bricks of 1 m: k = E A / h."""
    mesh = os.path.join(os.environ["DOVETAIL_SOURCE"], "tests", "bad", "meshes", "four_bricks.msh")
    changes = [("mesh: bar.msh", f"mesh: {mesh}"), ("poisson: 0.3", "poisson: 0"), ("bar: steel", "body: steel"), ("average: tip", "at: [2, 0, 0]"),
               ("group: root", "group: end"), ("craig_bampton: { modes: 4, keep: end }", "modes: { count: 6 }"),
               ("studies:", "bolts: { b1: { cut: through, preload: 8e3 } }\nstudies:")]
    for ranks in (1, 2, 3):
        said = check((2, 1, 1), (8, 1, 1), changes=changes, ranks=ranks).stdout
        assert "  bolt b1: 6 nodes of the cut, area 2 m^2, stiffness at the cut 4e+11 N/m, preload 8000 N (4000 Pa)\n" in said, said


def names_in_studies_and_faults_before_the_factorisation_are_found_all_the_same():
    for words in ((), ("-patience", "0")):
        said = check((0.5, 0.05, 0.05), (8, 1, 1), *words, point="point: eend", code=2)
        assert "unknown point 'eend'; did you mean 'end'?" in said.stderr, said.stderr
        said = check((0.5, 0.05, 0.05), (8, 1, 1), *words, changes=[("watch:", "initial: { velocity: { seen: [0, 1, 0] } }, watch:")], code=2)
        assert "point 'seen' is not kept" in said.stderr, said.stderr
        said = check((0.5, 0.05, 0.05), (8, 1, 1), *words, point="point: seen",
                     changes=[(", keep: end", ""), ("group: root", "group: root, directions: x")], code=2)
        assert "part 'bar' floats free" in said.stderr, said.stderr


if __name__ == "__main__":
    what_is_most_often_wrong_draws_one_warning()
    a_small_part_in_millimetres_shows_by_extents_mass_and_first_frequency()
    a_long_reduction_is_told_and_not_done()
    each_bolt_is_one_line()
    names_in_studies_and_faults_before_the_factorisation_are_found_all_the_same()
