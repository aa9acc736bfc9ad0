"""test_paraview.py - ParaView itself opens what is written for it, and sees the motion that the result tells. [timeout: 300]

Needs `scripts/setup paraview`. Times, nodes, modes, displacements and velocities are compared with those of the result at the points:
p1, which is a node, and a bolt, which is the mean of a patch of nodes that Gmsh knows by name. All shapes of elements must be the same
in both kinds of files, and a mode shape is drawn.
"""
import glob
import importlib.util
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
UNPACKED = os.path.join(os.environ["DOVETAIL_SOURCE"], "build", "paraview", "usr", "lib", "python3", "dist-packages")  # by scripts/setup, where VTK's is installed


def skip(reason):
    print(f"skipped: {reason}; scripts/setup paraview installs what is missing")
    sys.exit(77)


try:
    import gmsh
    import h5py
    import matplotlib.image
    import numpy as np
    import bolted
    import sumali
    from gmsh_shapes import write_shapes
    import screen
except ImportError as fault:
    skip(fault)
for tool in ("pvbatch", "Xvfb"):
    if not shutil.which(tool):
        skip(f"there is no {tool}")
if not os.path.isdir(UNPACKED) and not importlib.util.find_spec("paraview"):
    skip("ParaView has no Python")
DUMP = os.path.join(os.path.dirname(sumali.PROGRAM), "tests", "dump_fields")
VOLUMES = ("tet4", "hex27", "tet10", "hex8", "line2", "wedge6", "hex20", "pyramid5", "wedge15", "line3", "pyramid13", "wedge18", "pyramid14")
SURFACES = ("tri3", "quad9", "line2", "tri6", "quad4", "quad8")
VTK_QUAD, VTK_LINE, VTK_POLYLINE, VTK_HEX27, VTK_HEX20 = 9, 3, 4, 29, 25
STUDIES = """studies:
  - modes: { count: 9 }
  - transient:
      name: hit
      time_step: 5e-6
      steps: 2000
      every: 50
      load: { half_sine: { point: p1, direction: z, mode: 9 } }
      runs: [{ level: [133.5, 1779] }]
      fields: { every: 50, velocity: yes }
"""


def pvbatch(script, *words):
    """Runs a script on a screen of no hardware."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if os.path.isdir(UNPACKED):
        environment["PYTHONPATH"] = UNPACKED
    with screen.borrowed():
        done = subprocess.run(["pvbatch", script, *words], env=environment | {"DISPLAY": os.environ["DISPLAY"]}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=250, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "ERR|" not in said, f"pvbatch ended with {done.returncode}:\n{said}"


def make_shapes():
    gmsh.initialize()
    write_shapes("volumes.msh", VOLUMES)
    write_shapes("surfaces.msh", SURFACES)
    gmsh.finalize()
    subprocess.run([DUMP, "volumes.msh", "surfaces.msh"], check=True)


def patch_nodes(name):
    """The numbers of the nodes of a physical surface."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.open(sumali.MESH)
    (tag,) = [tag for dim, tag in gmsh.model.getPhysicalGroups(2) if gmsh.model.getPhysicalName(dim, tag) == name]
    nodes = gmsh.model.mesh.getNodesForPhysicalGroup(2, tag)[0]
    gmsh.finalize()
    return nodes


def close(found, wanted, what):
    scale = np.abs(wanted).max()
    assert scale > 0 and np.abs(found - wanted).max() < 1e-11 * scale, f"{what}: off by {np.abs(found - wanted).max() / scale:.1e}"


def node_of_p1(seen, shapes, wanted):
    """Of the two nodes there the one that moves as the point does; the other must not."""
    here = np.flatnonzero(np.linalg.norm(seen["places"] - sumali.P1, axis=1) < 1e-9)
    faults = [np.abs(shapes[:, node] - wanted).max() / np.abs(wanted).max() for node in here]
    assert len(here) == 2 and min(faults) < 1e-11 and max(faults) > 1e-6, faults
    return here[np.argmin(faults)]


def check_modes(result):
    """The elastic modes in the .hdf; their field names end with what the result says of their frequencies."""
    seen = np.load("beam.hdf.npz")
    assert seen["reader"] == "VTKHDFReader" and len(seen["times"]) == 0
    names = sorted(name for name in seen.files if name.startswith("points/stuck_"))
    assert len(names) == 9
    shapes = np.array([seen[name] for name in names[6:]])
    motions = [text.decode().rstrip("\\0") for text in result["system/motions"][:]]
    wanted = [result["modes/stuck/shape"][motions.index(f"p1 {direction}")][6:9] for direction in "xyz"]
    return node_of_p1(seen, shapes, np.transpose(wanted))


def check_run(run, name, p1, bolt):
    seen, still = np.load(f"beam_{name}.xdmf.npz"), np.load("beam.hdf.npz")
    assert seen["reader"] == "Xdmf3ReaderS"
    assert np.array_equal(seen["times"], run["time"][:]) and len(seen["times"]) == 41
    for part in ("places", "cells", "cells/part", "cells/group", "cells/element"):
        assert np.array_equal(seen[part], still[part]), part
    assert (seen["points/node"] == still["points/node"]).all()
    patch = np.isin(still["points/node"], bolt)
    assert patch.sum() == len(bolt) == 25
    for field in ("displacement", "velocity"):
        values = seen[f"points/{field}"]
        close(values[:, p1], run[f"points/p1/{field}"][:, :3], f"{name}: {field} of p1")
        close(values[:, patch].mean(axis=1), run[f"points/bolt1_lower/{field}"][:, :3], f"{name}: mean {field} of the patch")


def cells_of(seen):
    """Type and corners of each."""
    rows, cells = list(seen["cells"]), []
    while rows:
        kind, count = rows[:2]
        cells.append((kind, rows[2 : 2 + count]))
        del rows[: 2 + count]
    return cells


def check_shapes(name, count):
    """As in the .hdf; XDMF has poly-lines for lines, and for a brick of 27 nodes ParaView gets the 20 on its edges."""
    still, seen = np.load(f"{name}.hdf.npz"), np.load(f"{name}.xdmf.npz")
    wanted = [(VTK_POLYLINE, corners) if kind == VTK_LINE else (VTK_HEX20, corners[:20]) if kind == VTK_HEX27 else (kind, corners)
              for kind, corners in cells_of(still)]
    assert len(wanted) == count and cells_of(seen) == wanted, f"{name}: {cells_of(seen)} instead of {wanted}"
    assert np.array_equal(seen["times"], [0, 1e-3, 4e-3])
    for time in range(3):
        assert np.array_equal(seen["points/bending"][time], (time + 1) * still["points/stuck_001_123.4Hz"])


def check_faces():
    """A preload: scalars of faces at each stage, one quadrangle for each of their elements, and nodes that only they have."""
    seen, mesh = np.load("bolted_tight_face.xdmf.npz"), np.load("bolted_tight.xdmf.npz")
    with h5py.File("bolted.h5") as result:
        joint = result["preload/tight/joints/face"]
        place = [int(np.argmin(np.linalg.norm(seen["places"] - spot, axis=1))) for spot in np.stack([joint[axis][()] for axis in "xyz"], axis=1)]
        for field in ("pressure", "state", "gap"):
            assert np.array_equal(seen[f"points/{field}"][:, place], joint[field][()]), field
    assert np.array_equal(seen["times"], range(3)) and sorted(place) == list(range(32))
    assert len(cells_of(seen)) == 19 and all(kind == VTK_QUAD and len(corners) == 4 for kind, corners in cells_of(seen))
    rows = [int(np.flatnonzero(mesh["points/node"][0] == node)[0]) for node in seen["points/node"][0]]
    assert np.array_equal(seen["places"], mesh["places"][rows]) and np.array_equal(seen["points/displacement"], mesh["points/displacement"][:, rows])


def check_stresses():
    """Six components at nodes and of elements, as the files have them, by the names that ParaView gives a symmetric tensor."""
    seen, modes = np.load("bolted_tight.xdmf.npz"), np.load("bolted.hdf.npz")
    with h5py.File("bolted_tight.xdmf.h5") as series, h5py.File("bolted.hdf") as shapes:
        for name in ("stress", "von_mises"):
            assert np.array_equal(seen[f"points/{name}"], [series[f"XDMF/PointData/{name}/{stage:06d}"][()] for stage in range(3)]), name
        for name in ("element_stress", "element_von_mises"):
            assert np.array_equal(seen[f"cells/{name}"], series[f"XDMF/CellData/{name}/000002"][()]), name
        own = [name for name in shapes["VTKHDF/PointData"] if name.startswith("stress_stuck_")]
        assert len(own) == 3
        for name in own:
            assert np.array_equal(modes[f"points/{name}"], shapes[f"VTKHDF/PointData/{name}"][()])
            assert np.array_equal(modes[f"cells/element_{name}"], shapes[f"VTKHDF/CellData/element_{name}"][()])
    assert list(seen["components/stress"]) == list(modes[f"components/{own[0]}"]) == ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]


def check_picture(path):
    """On white, in many colours: some cold (rest), some warm (far)."""
    picture = matplotlib.image.imread(path)[..., :3]
    drawn = picture[~(picture == 1).all(axis=2)]
    assert 0.03 < len(drawn) / picture[..., 0].size < 0.9, f"{path}: hardly anything is drawn"
    warm, cold = drawn[:, 0] > drawn[:, 2] + 0.3, drawn[:, 2] > drawn[:, 0] + 0.3
    assert min(warm.sum(), cold.sum()) > 200, f"{path}: not the colours of a mode shape"
    assert len(np.unique((drawn * 32).astype(int), axis=0)) > 30, f"{path}: too few colours"


def main():
    for earlier in glob.glob("*.npz") + glob.glob("*.png"):
        os.remove(earlier)
    sumali.write("beam.yaml", STUDIES)
    sumali.run("beam.yaml")
    make_shapes()
    bolted.write_mesh()
    bolted.write_case("bolted.yaml", ["preload: { name: tight, order: [b1, b2], stresses: yes }", "modes: { count: 3, joints: stuck, stresses: yes }"])
    sumali.run("bolted.yaml")
    with h5py.File("beam.h5") as result:
        seventh = f"stuck_007_{result['modes/stuck/frequency'][6]:.6g}Hz"
        files = ["beam.hdf", "beam_hit_1.xdmf", "beam_hit_2.xdmf", "volumes.hdf", "volumes.xdmf", "surfaces.hdf", "surfaces.xdmf", "bolted_tight.xdmf", "bolted_tight_face.xdmf", "bolted.hdf"]
        tasks = [{"file": os.path.abspath(file), "seen": file} for file in files]
        tasks.append({"file": os.path.abspath("beam.hdf"), "field": seventh, "time": 0, "picture": "mode.png"})
        tasks.append({"file": os.path.abspath("beam_hit_2.xdmf"), "field": "displacement", "time": 0.01, "picture": "motion.png"})
        with open("tasks.json", "w", encoding="utf-8") as file:
            json.dump(tasks, file)
        pvbatch(os.path.join(os.path.dirname(os.path.abspath(__file__)), "look_paraview.py"), os.path.abspath("tasks.json"))
        p1, bolt = check_modes(result), patch_nodes("bolt1_lower")
        for name in ("hit_1", "hit_2"):
            check_run(result[f"transient/{name}"], name, p1, bolt)
    check_shapes("volumes", len(VOLUMES))
    check_shapes("surfaces", len(SURFACES))
    check_faces()
    check_stresses()
    check_picture("mode.png")
    check_picture("motion.png")


main()
