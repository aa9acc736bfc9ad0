"""Free vibrations of a solid sphere [Lamb 1882, On the vibrations of an elastic sphere]: five torsional modes of one frequency, which no
wall or support orders, and the breathing mode, on curved tetrahedra; the error falls as it should. [timeout: 300]"""
import os
import subprocess
import sys
import tempfile

try:
    import gmsh
except ImportError:
    print("skipped: there is no python3-gmsh")
    sys.exit(77)
import h5py
import numpy as np
from scipy.optimize import brentq
from scipy.special import spherical_jn

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
RADIUS, YOUNG, POISSON, DENSITY = 0.1, 70e9, 0.25, 2700.0
SHEAR = np.sqrt(YOUNG / (2 * (1 + POISSON)) / DENSITY)                                                 # speeds of waves [m/s]
PRESSURE = np.sqrt(YOUNG * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON)) / DENSITY)
SIZES = (0.05, 0.03)  # of elements [m]
COUNT = 40
CASE = f"""mesh: sphere.msh
materials: {{ metal: {{ young: {YOUNG}, poisson: {POISSON}, density: {DENSITY} }} }}
parts: {{ ball: metal }}
studies: [ modes: {{ count: {COUNT}, joints: stuck, prove: yes }} ]
"""


def closed_forms():
    """omega of the torsion of degree two, (l - 1) j_l(x) = x j_{l+1}(x), x = omega R / c_s; and of breathing, tan x = x / (1 - (x c_p / 2 c_s)^2),
    x = omega R / c_p."""
    twist = brentq(lambda x: spherical_jn(2, x) - x * spherical_jn(3, x), 2, 3)
    breathe = brentq(lambda x: np.sin(x) * (1 - (x * PRESSURE / SHEAR / 2) ** 2) - x * np.cos(x), 2, 3)
    return twist * SHEAR / RADIUS, breathe * PRESSURE / RADIUS


def write_mesh(size):
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.option.setNumber("Mesh.MeshSizeMin", size)
    gmsh.option.setNumber("Mesh.MeshSizeMax", size)
    gmsh.model.occ.addSphere(0, 0, 0, RADIUS, 1)
    gmsh.model.occ.synchronize()
    gmsh.model.setPhysicalName(3, gmsh.model.addPhysicalGroup(3, [1]), "ball")
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.write("sphere.msh")
    gmsh.finalize()


def frequencies(size):
    write_mesh(size)
    with open("sphere.yaml", "w", encoding="utf-8") as file:
        file.write(CASE)
    subprocess.run([PROGRAM, "run", "sphere.yaml", "-q"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with h5py.File("sphere.h5", "r") as file:
        omega = file["modes/stuck/omega"][()]
    assert np.count_nonzero(omega == 0) == 6, omega
    return omega[6:]


def errors(omega, twist, breathe):
    """Relative: the worst of the five modes of torsion, the lowest but for those of degree two that bulge; and of the mode nearest to
    breathing."""
    nearest = np.sort(np.abs(omega[:12] / twist - 1))[:5]
    return nearest[-1], np.min(np.abs(omega / breathe - 1))


def main():
    twist, breathe = closed_forms()
    assert abs(twist * RADIUS / SHEAR - 2.5011) < 1e-4, twist  # as tables have it
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        coarse, fine = (errors(frequencies(size), twist, breathe) for size in SIZES)
    print("torsion, breathing:", coarse, fine)
    for what, before, after, bound in zip(("torsion", "breathing"), coarse, fine, (1e-3, 2e-3)):
        assert after < bound, f"{what}: {after}"
        assert after < before * (SIZES[1] / SIZES[0]) ** 2, f"{what} converges too slowly: {before}, {after}"


if __name__ == "__main__":
    main()
