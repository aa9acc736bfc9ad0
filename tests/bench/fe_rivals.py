"""fe_rivals.py - the modes of a Bar by dovetail and by the programs it is measured against, for fe.py and verify/other_programs."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np

from bar import STEEL
from bricks import write_gmsh
from machine import ENVIRONMENT, FOLDER, Fault

CASE = """title: A clamped bar
mesh: bar.msh
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: {density} }} }}
parts: {{ bar: {{ material: steel, element: {element} }} }}
supports: [ {{ group: clamped }} ]
studies: [ modes: {{ count: {count}, joints: stuck }} ]
"""
ASSEMBLED = re.compile(r"stiffness and mass assembled in (\S+) s")


def seconds_of_assembly(errors):
    found = ASSEMBLED.search(errors)
    if not found:
        raise Fault(f"dovetail does not say how long its assembly took:\n{errors[-2000:]}")
    return float(found.group(1))


class Dovetail:
    """The program under test."""

    def __init__(self, program, element):
        self.program, self.element, self.name = program, element, "dovetail " + element

    def prepare(self, bar, count, folder, more=""):
        """Mesh and case; `more` are further lines of the case."""
        self.folder = folder
        write_gmsh(os.path.join(folder, "bar.msh"), bar.places, {"clamped": bar.clamped_faces, "bar": bar.elements})
        self.case = os.path.join(folder, self.element + ".yaml")
        with open(self.case, "w", encoding="utf-8") as file:
            file.write(CASE.format(element=self.element, count=count, **STEEL) + more)

    def command(self, cores):
        """Arguments, ranks, environment."""
        result = self.case.replace(".yaml", ".h5")
        for path in (result, self.case.replace(".yaml", ".hdf")):
            if os.path.exists(path):
                os.remove(path)
        return [self.program, "run", "-v", self.case, "-o", result], cores, {}

    def read(self, output, errors):
        """Frequencies [Hz], and the seconds of the assembly."""
        return self.result("modes/stuck/omega") / 2 / np.pi, seconds_of_assembly(errors)

    def result(self, name):
        with h5py.File(self.case.replace(".yaml", ".h5"), "r") as file:
            return file[name][()]

    def time_assembly(self):
        """A run that is ended once K and M are there."""
        command, _, _ = self.command(1)
        with subprocess.Popen(command, env=ENVIRONMENT, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            errors = ""
            for line in process.stderr:
                errors += line
                if ASSEMBLED.search(line):
                    process.kill()
        return seconds_of_assembly(errors)


class CalculiX:
    """ccx: SPOOLES and ARPACK; on several cores by threads."""

    def __init__(self, element):
        self.element, self.name = element, "CalculiX " + element

    @staticmethod
    def installed():
        return shutil.which("ccx") is not None

    def prepare(self, bar, count, folder):
        self.write(bar, f"*STEP\n*FREQUENCY\n{count}\n*NODE FILE\nU\n*END STEP\n", folder)

    def write(self, bar, steps, folder):
        """The input file of a bar on which `steps` are computed."""
        self.folder = folder
        with open(os.path.join(folder, self.element + ".inp"), "w", encoding="utf-8") as file:
            file.write("*NODE,NSET=ALL\n")
            np.savetxt(file, np.column_stack([np.arange(1, len(bar.places) + 1), bar.places]), "%d,%.17g,%.17g,%.17g")
            file.write(f"*ELEMENT,TYPE={self.element},ELSET=BAR\n")
            np.savetxt(file, np.column_stack([np.arange(1, len(bar.elements) + 1), bar.elements + 1]), "%d", delimiter=",")
            file.write("*NSET,NSET=CLAMPED\n")
            np.savetxt(file, bar.clamped + 1, "%d,")
            file.write("*MATERIAL,NAME=STEEL\n*ELASTIC\n{young:g},{poisson:g}\n*DENSITY\n{density:g}\n".format(**STEEL))
            file.write(f"*SOLID SECTION,ELSET=BAR,MATERIAL=STEEL\n*BOUNDARY\nCLAMPED,1,3\n{steps}")

    def command(self, cores):
        return ["ccx", os.path.join(self.folder, self.element)], 1, {"OMP_NUM_THREADS": str(cores)}

    def read(self, output, errors):
        """The first table of the .dat: mode, eigenvalue, rad/time, cycles/time."""
        eigenvalues = re.findall(r"^ *\d+ +(\S+E\S+) +\S+ +\S+ +\S+ *$", self.tables().split("P A R T I C I P A T I O N")[0], re.MULTILINE)
        return np.sqrt(np.array([float(value) for value in eigenvalues])) / 2 / np.pi, None

    def tables(self):
        with open(os.path.join(self.folder, self.element + ".dat"), encoding="utf-8") as file:
            return file.read()


class Dolfinx:
    """dolfinx_modes.py; `options` go to SLEPc."""

    def __init__(self, name="dolfinx Q1", *options):
        self.name, self.options = name, options

    @staticmethod
    def installed():
        return all(importlib.util.find_spec(name) for name in ("dolfinx", "slepc4py"))

    def prepare(self, bar, count, folder):
        self.folder, self.count = folder, str(count)
        self.path = os.path.join(folder, "bar.npz")
        np.savez(self.path, places=bar.places, elements=bar.elements, **STEEL)

    def command(self, cores):
        return [sys.executable, os.path.join(FOLDER, "dolfinx_modes.py"), self.path, self.count, *self.options], cores, {}

    def read(self, output, errors):
        return np.array([float(value) for value in re.findall(r"^frequency: (\S+)$", output, re.MULTILINE)]), None
