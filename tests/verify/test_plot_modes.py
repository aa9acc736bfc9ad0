"""test_plot_modes.py - scripts/plot-modes draws every mode shape of a file of fields, and refuses anything else with one line. [timeout: 120]

The outside of an element of each shape must enclose its volume (divergence theorem), which Gmsh's element of reference and the map give; and the
page of moving shapes must hold the numbers that the file of fields has.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.append(os.path.join(os.environ["DOVETAIL_SOURCE"], "scripts"))
try:
    import gmsh
except ImportError as fault:
    print(f"skipped: {fault}")
    sys.exit(77)
import h5py
import matplotlib.image
import numpy as np
from gmsh_shapes import MAP, SHAPES, write_shapes
from plots.solid import Solid

EXIT_INPUT = 2
DUMP = os.path.join(os.path.dirname(os.environ["DOVETAIL_PROGRAM"]), "tests", "dump_fields")
PLOT = os.path.join(os.environ["DOVETAIL_SOURCE"], "scripts", "plot-modes")
NAMES = "stuck_001_123.4Hz", "stuck_002_2345.67Hz"


def plot(*words):
    return subprocess.run([PLOT, *words], capture_output=True, text=True, check=False)


def make_beam():
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.occ.addBox(0, 0, 0, 1, 0.1, 0.05)
    gmsh.model.occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.05)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.write("beam.msh")
    gmsh.finalize()
    subprocess.run([DUMP, "beam.msh"], check=True)


def volume_of(solid):
    """By the divergence theorem, of faces in two triangles each."""
    corners = solid.points[solid.faces]
    first, second = (np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, k], corners[:, k + 1])) for k in (1, 2))
    return abs((first + second).sum()) / 6


def check_outsides():
    """No face is missing, twice there, or turned inside out, whatever the order of the nodes."""
    gmsh.initialize()
    names = [name for name in SHAPES if name.startswith(("tet", "hex", "wedge", "pyramid"))]
    for name in names:
        write_shapes(f"{name}.msh", [name])
    gmsh.finalize()
    subprocess.run([DUMP, *(f"{name}.msh" for name in names)], check=True)
    for name in names:
        volume = SHAPES[name][1] * np.linalg.det(MAP)
        assert abs(volume_of(Solid(f"{name}.hdf")) / volume - 1) < 1e-12, (name, volume_of(Solid(f"{name}.hdf")), volume)


def check_beam():
    """Of a mesh of second order: volume and the twelve edges of a box."""
    solid = Solid("beam.hdf")
    assert abs(volume_of(solid) / (1 * 0.1 * 0.05) - 1) < 1e-12
    ends = solid.points[solid.edges[: len(solid.edges) - len(solid.lines)]]  # the lines of the mesh beside them are drawn as beams
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    assert abs(lengths.sum() / (4 * (1 + 0.1 + 0.05)) - 1) < 1e-12, lengths.sum()
    assert [(shape.mode, shape.state, shape.frequency) for shape in solid.shapes] == [(1, "stuck", "123.4"), (2, "stuck", "2345.67")]


def check_moving(path, names):
    """The page needs nothing from outside; its shapes are those of the file, to a part in 32767 of the largest motion."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert not re.search(r"(src|href)=|url\(|import |fetch\(|https?:", text) and 'type="range"' in text
    data = json.loads(re.search('id="data">(.*?)</script>', text, re.DOTALL)[1])
    faces = np.frombuffer(base64.b64decode(data["faces"]), "<u4")
    points = np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(-1, 3)
    assert faces.max() == len(points) - 1 and np.allclose(np.ptp(points, axis=0), [1, 0.1, 0.05])
    with h5py.File("beam.hdf") as file:
        nodes = file["VTKHDF/Points"][:]
        assert len(data["shapes"]) == len(names)
        for name, shape in zip(names, data["shapes"]):
            values = np.frombuffer(base64.b64decode(shape["values"]), "<i2").reshape(-1, 3) / 32767
            field = file["VTKHDF/PointData"][name][:]
            found = [np.argmin(((points - (node - [0.5, 0.05, 0.025])) ** 2).sum(axis=1)) for node in nodes[:9]]
            assert np.abs(values[found] - field[:9] / np.linalg.norm(field, axis=1).max()).max() < 1e-4, name


def check_count():
    """So many of each state at most; pictures of shapes that are gone go, others stay."""
    shutil.copyfile("pictures/modes.html", "pictures/own.png")
    answer = plot("beam.hdf", "-o", "pictures", "--count", "1")
    assert answer.returncode == 0 and answer.stdout.split() == [os.path.join("pictures", name) for name in (f"{NAMES[0]}.png", "modes.html")], answer
    assert sorted(os.listdir("pictures")) == ["modes.html", "own.png", f"{NAMES[0]}.png"]
    check_moving("pictures/modes.html", NAMES[:1])
    answer = plot("beam.hdf", "--count", "none")
    assert answer.returncode == EXIT_INPUT and "none is no number" in answer.stderr, answer
    with open("pictures/modes.html", "w", encoding="utf-8") as file:
        file.write("somebody's own page\n")
    answer = plot("beam.hdf", "-o", "pictures")
    assert answer.returncode == EXIT_INPUT and "left alone" in answer.stderr and answer.stderr.count("\n") == 1, answer


def check_picture(path):
    """On white, in the colours of a shape that rests at some points and moves far at others."""
    picture = matplotlib.image.imread(path)[:, :1350, :3]  # the legend is on the right
    assert (picture[0, 0] == 1).all() and 0.5 < (picture == 1).all(axis=2).mean() < 0.97, f"{path}: hardly anything is drawn"
    yellow, blue = picture[..., 0] > picture[..., 2] + 0.3, picture[..., 2] > picture[..., 1] + 0.1
    assert min(np.count_nonzero(yellow), np.count_nonzero(blue)) > 500, f"{path}: not the colours of a mode shape"


def check_refusal(path, reason):
    answer = plot(path)
    assert answer.returncode == EXIT_INPUT and answer.stderr.startswith(f"error: {path}: {reason}") and answer.stderr.count("\n") == 1, answer
    assert not answer.stdout and not os.path.exists(path + "_modes"), answer


def main():
    shutil.rmtree("pictures", ignore_errors=True)
    make_beam()
    answer = plot("beam.hdf", "-o", "pictures")
    pictures = [os.path.join("pictures", f"{name}.png") for name in NAMES]
    assert answer.returncode == 0 and not answer.stderr and answer.stdout.split() == [*pictures, "pictures/modes.html"], answer
    for picture in pictures:
        check_picture(picture)
    check_beam()
    check_moving("pictures/modes.html", NAMES)
    check_count()
    check_outsides()
    with open("beam.hdf", "rb") as whole, open("cut.hdf", "wb") as cut:
        cut.write(whole.read()[:20000])
    check_refusal("cut.hdf", "is not a file of fields")
    check_refusal("beam.msh", "is not a file of fields")
    check_refusal("none.hdf", "No such file")


main()
