"""test_other_programs.py - CalculiX and dolfinx find what dovetail finds, on the same nodes and elements. [timeout: 300]

hex8_plain is the textbook's: its frequencies are theirs on distorted elements, to as many digits as they print.
hex8 has the stiffness of CalculiX's C3D8I on straight elements. On distorted ones C3D8I differs, and it gives inertia to its
incompatible modes (its shape8humass.f), so its frequencies are others.
"""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests", "bench"))
import numpy as np

from bar import Bar
from fe_rivals import CalculiX, Dolfinx, Dovetail
from machine import execute

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
CELLS, COUNT = (20, 6, 3), 8
PRINTED, CONVERGED = 3e-7, 1e-8  # CalculiX prints seven digits of the eigenvalue; dolfinx and we iterate to 1e-8 of it
END, FORCE = [10.0, 0.0, 0.0], 1e9
FOLLOW_END = """points: { end: { at: [10, 0, 0] } }
reduction: { guyan: { keep: [end] } }
"""


def run(program, folder):
    command, _, environment = program.command(1)
    return execute(command, folder=folder, **environment)[:2]


def frequencies(program, folder):
    program.prepare(Bar(CELLS), COUNT, folder)
    return program.read(*run(program, folder))[0][:COUNT]


def compare(what, own, theirs, tolerance, faults):
    if own.shape != theirs.shape or not np.all(np.abs(own - theirs) <= tolerance * np.abs(theirs)):
        faults.append(f"{what} differ, by more than {tolerance}: dovetail's\n{own}\nand theirs\n{theirs}")


def compare_frequencies(folder, faults):
    own = frequencies(Dovetail(PROGRAM, "hex8_plain"), folder)
    for other, tolerance in ((CalculiX("C3D8"), PRINTED), (Dolfinx(), CONVERGED)):
        if other.installed():
            compare(f"frequencies of {other.name}", own, frequencies(other, folder), tolerance, faults)


def compare_compliance(folder, faults):
    """Displacements of a corner of the free end under forces there, along x, y, z."""
    bar = Bar((4, 2, 2), shake=0)
    end = 1 + int(np.argmin(np.linalg.norm(bar.places - END, axis=1)))
    other = CalculiX("C3D8I")
    loads = [f"*STEP\n*STATIC\n*CLOAD,OP=NEW\n{end},{d},{FORCE:g}\n*NODE PRINT,NSET=END\nU\n*END STEP\n" for d in (1, 2, 3)]
    other.write(bar, f"*NSET,NSET=END\n{end}\n" + "".join(loads), folder)
    run(other, folder)
    rows = re.findall(rf"^ *{end} +(\S+) +(\S+) +(\S+) *$", other.tables(), re.MULTILINE)
    own = Dovetail(PROGRAM, "hex8")
    own.prepare(bar, 3, folder, FOLLOW_END)
    run(own, folder)
    compare("compliances of C3D8I", np.linalg.inv(own.result("system/stiffness")), np.array(rows, dtype=float) / FORCE, PRINTED, faults)


def main():
    if not CalculiX.installed() and not Dolfinx.installed():
        print("skipped: neither CalculiX nor dolfinx is installed (scripts/setup bench)")
        sys.exit(77)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        compare_frequencies(folder, faults)
        if CalculiX.installed():
            compare_compliance(folder, faults)
    sys.exit("\n".join(faults) or 0)


main()
