#!/usr/bin/env python3
"""What is exported is what was computed with, and comes back as the same structure; matrices that other programs wrote are what scipy
takes them for. [timeout: 400]"""
import os
import subprocess

import h5py
import numpy as np
import scipy.io
import scipy.linalg
import scipy.sparse

PROGRAM, SOURCE = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_SOURCE"]
RIGID = 6  # of the Sumali beam, which floats

STUDIES = """\
studies:
  - modes: { count: 12 }
  - transient:
      name: hit
      load: { half_sine: { point: p1, direction: z, mode: 9 } }
      watch: { points: [p1, bolt2_upper], joints: all }
      runs: [ { level: 1779, time_step: 3e-6, steps: 1000 } ]
"""
JOINTS = "laws: { slip: { law: iwan4, slip_force: 30.7, stiffness: 4.73e8, chi: -0.23, beta: 0.46 } }\njoints:\n" + "".join(
    f"  bolt{i}: {{ between: [bolt{i}_lower, bolt{i}_upper], x: slip }}\n" for i in (1, 2, 3, 4)) + "damping: { modal: 1e-4 }\n"
IMPORTED = """\
matrices:
  file: sumali_1.h5
  points: /system/motions
  map: /system/motion_map
  mass: /system/mass
  stiffness: /system/stiffness
"""
RELATIVE = """\
matrices:
  file: joints.h5
  points: names
  map: rows
  mass: mass
  stiffness: stiffness
"""


def run(name, text, ranks=1):
    """The name of the result of a case."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return name + ".h5"


def sumali():
    with open(os.path.join(SOURCE, "cases", "sumali", "case.yaml"), encoding="utf-8") as file:
        text = file.read()
    return text[:text.index("studies:")].replace("../../meshes", os.path.join(SOURCE, "meshes")) + "export: [matrices, mesh_map]\n" + STUDIES


def load(path):
    """Everything under /system."""
    with h5py.File(path) as file:
        return {name: values[()] for name, values in file["system"].items()}


def texts(values):
    return [text.decode().rstrip("\0") for text in values]


def omega(path, state):
    with h5py.File(path) as file:
        return file[f"modes/{state}/omega"][:]


def close(found, expected, tolerance):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert error <= tolerance, error


def exported_matrices_have_the_frequencies_of_the_result():
    system = load("sumali_1.h5")
    assert texts(system["unknowns"])[:4] == ["p1 x", "p1 y", "p1 z", "bolt1_lower x"] and texts(system["unknowns"])[-1] == "mode 10"
    assert texts(system["joint_rows"])[:4] == [f"bolt{i} x" for i in (1, 2, 3, 4)]
    for state in ("stuck", "slipping"):
        found = np.sqrt(scipy.linalg.eigh(system["stiffness_" + state], system["mass"], eigvals_only=True)[RIGID:12])
        close(omega("sumali_1.h5", state)[RIGID:], found, 1e-10)


def exported_stiffness_is_made_of_what_it_says():
    system, rows = load("sumali_1.h5"), slice(0, 4)
    joints = system["joint_map"][rows].T @ np.diag(4 * [4.73e8]) @ system["joint_map"][rows]  # iwan4's `stiffness` is K_T
    close(system["stiffness_stuck"] - system["stiffness"], joints, 1e-7)
    close(system["stiffness_slipping"], system["stiffness"], 1e-15)
    assert np.array_equal(np.sort(system["joint_stiffness"]), np.sort(4 * [5.3e7] + 4 * [5.25e8]))  # springs of the case
    free = system["stiffness"] - system["joint_map"].T @ np.diag(system["joint_stiffness"]) @ system["joint_map"]
    lowest = scipy.linalg.eigh(free, system["mass"], eigvals_only=True)
    assert np.sum(np.abs(lowest) < 1.0) == RIGID + 3, lowest[:12]  # two beams tied in z, rx, ry: x, y and rz of one on the other


def the_map_of_the_mesh_gives_the_shapes_that_are_drawn():
    system = load("sumali_1.h5")
    _, shapes = scipy.linalg.eigh(system["stiffness_stuck"], system["mass"])
    motions = system["mesh_map"] @ shapes[:, RIGID:9]
    with h5py.File("sumali_1.hdf") as file:
        fields = file["VTKHDF/PointData"]
        place = {node: i for i, node in enumerate(fields["node"][:])}
        drawn = np.array([fields[name][:] for name in sorted(fields) if name.startswith("stuck_")])[RIGID:9]
    rows = [place[node] for node in system["mesh_nodes"]]
    for k in range(3):
        expected = drawn[k, rows, system["mesh_directions"]]
        close(motions[:, k] * np.sign(motions[:, k] @ expected), expected, 1e-9)


def without_order(system):
    """What does not change when the last two modes mix: their frequencies differ by 2e-8 of themselves, so that their shapes are chance."""
    pair = system["mesh_map"][:, -2:]
    probe = np.sin(np.arange(len(pair)))
    return {
        "mesh_map": system["mesh_map"][:, :-2], "both": pair @ (pair.T @ probe), "mass": system["mass"][:-2, :-2],
        "mass_both": system["mass"][:-2, -2:] @ system["mass"][-2:, :-2], "base_inertia": system["base_inertia"][:-2]
    }


def ranks_export_the_same():
    first = load("sumali_1.h5")
    for ranks in (2, 3):
        other = load(run(f"sumali_{ranks}", sumali(), ranks))
        assert first.keys() == other.keys()
        for name in ("mesh_nodes", "mesh_directions", "motions", "unknowns", "joint_rows", "joint_map", "joint_stiffness"):
            assert np.array_equal(first[name], other[name]), name
        for name in ("stiffness", "stiffness_stuck", "motion_map"):
            close(other[name], first[name], 1e-12)
        expected = without_order(first)
        for name, values in without_order(other).items():
            close(values, expected[name], 1e-9)


def same_run(found, expected, spring):
    """`spring`: of the joint, which the stiffness holds in what was found."""
    for state in ("stuck", "slipping"):
        close(omega(found, state)[RIGID:] / omega(expected, state)[RIGID:], np.ones(12 - RIGID), 1e-12)
    with h5py.File(found) as one, h5py.File(expected) as other:
        for path in ("points/p1/displacement", "points/bolt2_upper/displacement", "joints/bolt1/x/displacement"):
            close(one["transient/hit"][path][:], other["transient/hit"][path][:], 1e-9)
        joint, force = one["transient/hit/joints/bolt1/x"], other["transient/hit/joints/bolt1/x/force"][:]
        close(joint["force"][:] + spring * joint["displacement"][:], force, 1e-9)


def an_exported_structure_comes_back_the_same():
    """Its stiffness holds the springs of the joints already: of the laws only the nonlinear ones are given."""
    for ranks in (1, 2, 3):
        same_run(run(f"imported_{ranks}", IMPORTED + JOINTS + STUDIES, ranks), "sumali_1.h5", 5.3e7)


def rows_of_b_are_joints_to_the_ground():
    """The relative motions of another program's joints are points, each with the ground on its other side; all laws of the case."""
    system = load("sumali_1.h5")
    rows = system["joint_map"]
    with h5py.File("joints.h5", "w") as file:
        file["mass"], file["stiffness"] = system["mass"], system["stiffness"] - rows.T @ np.diag(system["joint_stiffness"]) @ rows
        file["rows"] = np.vstack([system["motion_map"], rows])
        file["names"] = texts(system["motions"]) + texts(system["joint_rows"])
    joints = JOINTS
    for i in (1, 2, 3, 4):
        joints = joints.replace(f"[bolt{i}_lower, bolt{i}_upper], x: slip",
                                f"[ground, bolt{i}], x: [slip, {{ law: spring, stiffness: 5.3e7 }}], y: {{ law: spring, stiffness: 5.25e8 }}")
    same_run(run("relative", RELATIVE + joints + STUDIES), "sumali_1.h5", 0.0)


def random_structure(size):
    random = np.random.default_rng(7)
    stiffness, mass = (a @ a.T + size * np.eye(size) for a in random.standard_normal((2, size, size)))
    stiffness[np.abs(stiffness) < 1.5] = 0.0
    return 1e4 * stiffness, mass, random.standard_normal((2, size))


def scipys_files_are_what_scipy_takes_them_for():
    """Coordinate and array, symmetric and general; and the frequencies of both states with a joint on a combination of unknowns."""
    stiffness, mass, rows = random_structure(9)
    scipy.io.mmwrite("coordinate.mtx", scipy.sparse.coo_matrix(stiffness), symmetry="symmetric", precision=17)
    scipy.io.mmwrite("general.mtx", scipy.sparse.coo_matrix(stiffness), symmetry="general", precision=17)
    scipy.io.mmwrite("array.mtx", mass, symmetry="symmetric", precision=17)
    scipy.io.mmwrite("dense.mtx", mass, symmetry="general", precision=17)
    scipy.io.mmwrite("map.mtx", np.vstack([np.eye(9)[4], rows]), precision=17)
    scipy.io.mmwrite("base.mtx", np.round(100 * rows.T).astype(int))
    spring, stuck = 7e4 * np.outer(rows[0], rows[0]), 3e4 * np.outer(rows[1] - rows[0], rows[1] - rows[0])
    for ranks, k, m in ((1, "coordinate", "array"), (2, "general", "dense"), (3, "coordinate", "dense")):
        path = run(f"combined_{ranks}", f"""\
matrices: {{ points: [plain, one y, two y], mass: {m}.mtx, stiffness: {k}.mtx, map: map.mtx, base: base.mtx }}
springs: [ {{ between: [ground, one], stiffness: 7e4 }} ]
joints: {{ joint: {{ between: [one, two], y: {{ law: jenkins, stiffness: 3e4, slip_force: 1 }} }} }}
studies: [ modes: {{}} ]
""", ranks)
        for state, whole in (("slipping", stiffness + spring), ("stuck", stiffness + spring + stuck)):
            squares, shapes = scipy.linalg.eigh(whole, mass)
            close(omega(path, state), np.sqrt(squares), 1e-12)
            expected = shapes.T @ mass @ np.round(100 * rows.T)
            with h5py.File(path) as file:
                close(np.abs(file[f"modes/{state}/participation"][:, :2]), np.abs(expected), 1e-9)
                close(np.abs(file[f"modes/{state}/shape"][:]), np.abs(np.vstack([np.eye(9)[4], rows]) @ shapes), 1e-9)


def h5pys_datasets_of_any_kind_are_read():
    """Single precision, whole numbers, big-endian, packed; texts of fixed and variable length; directions in any order; modes."""
    stiffness, mass, _ = random_structure(5)
    stiffness, mass = np.round(stiffness).astype(int), mass.astype(np.float32)
    names = ["b z", "a", "mode 1", "a y", "b x"]
    with h5py.File("kinds.h5", "w") as file:
        file["deep/K"], file["M"], file["D"] = stiffness, mass, (1e-3 * mass).astype(">f8")
        file.create_dataset("packed", data=mass, chunks=(2, 2), compression="gzip")
        file["fixed"], file["variable"] = np.array(names, dtype="S16"), names
    found = {}
    for number, (m, texts_of) in enumerate((("M", "fixed"), ("/packed", "variable"))):
        path = run(f"kinds_{number}", f"""\
matrices: {{ file: kinds.h5, points: {texts_of}, mass: {m}, stiffness: deep/K, damping: /D }}
studies: [ modes: {{}} ]
""")
        close(omega(path, "stuck"), np.sqrt(scipy.linalg.eigh(stiffness, mass.astype(float), eigvals_only=True)), 1e-12)
        found[number] = load(path)
        assert texts(found[number]["motions"]) == ["b z", "b x", "a x", "a y"], texts(found[number]["motions"])
        order = [names.index(name.replace("a x", "a")) for name in texts(found[number]["unknowns"])]
        assert np.array_equal(found[number]["stiffness"], stiffness[np.ix_(order, order)])
        close(found[number]["damping"], 1e-3 * mass.astype(float)[np.ix_(order, order)], 1e-6)
    assert np.array_equal(found[0]["mass"], found[1]["mass"])


def main():
    run("sumali_1", sumali())
    exported_matrices_have_the_frequencies_of_the_result()
    exported_stiffness_is_made_of_what_it_says()
    the_map_of_the_mesh_gives_the_shapes_that_are_drawn()
    ranks_export_the_same()
    an_exported_structure_comes_back_the_same()
    rows_of_b_are_joints_to_the_ground()
    scipys_files_are_what_scipy_takes_them_for()
    h5pys_datasets_of_any_kind_are_read()


if __name__ == "__main__":
    main()
