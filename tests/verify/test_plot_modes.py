"""test_plot_modes.py - scripts/plot-modes draws every mode shape of a file of fields, and refuses anything else with one line. [timeout: 120]"""

import os
import shutil
import subprocess
import sys

try:
    import gmsh
    import vtkmodules.vtkIOHDF  # noqa: F401
except ImportError as fault:
    print(f"skipped: {fault}")
    sys.exit(77)
import matplotlib.image
import numpy as np

if not shutil.which("Xvfb"):
    print("skipped: there is no Xvfb")
    sys.exit(77)
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
    make_beam()
    answer = plot("beam.hdf", "-o", "pictures")
    pictures = [os.path.join("pictures", f"{name}.png") for name in NAMES]
    assert answer.returncode == 0 and not answer.stderr and answer.stdout.split() == pictures, answer
    for picture in pictures:
        check_picture(picture)
    with open("beam.hdf", "rb") as whole, open("cut.hdf", "wb") as cut:
        cut.write(whole.read()[:20000])
    check_refusal("cut.hdf", "is not a file of fields")
    check_refusal("beam.msh", "is not a file of fields")
    check_refusal("none.hdf", "No such file")


main()
