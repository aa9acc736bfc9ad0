#!/usr/bin/env python3
"""What is legal in a mesh and most often wrong draws one warning: millimetres, elements that are too stiff."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import box

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
CASE = """
mesh: bar.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 8000 } }
parts: { bar: steel }
points: { end: { average: tip } }
supports: [ { group: root } ]
reduction: { guyan: { keep: end } }
studies: [ modes: {} ]
"""


def warnings(size, cells, tets=False, ranks=1):
    box.box("bar.msh", size, cells, tets)
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(CASE)
    command = [PROGRAM, "check", "case.yaml"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("warning: ")]


def main():
    assert warnings((0.5, 0.05, 0.05), (8, 1, 1)) == []
    millimetres = "warning: bar.msh is 500 m long; if it is in millimetres, let Gmsh save it with Mesh.ScalingFactor = 0.001"
    stiff = ("warning: part 'bar' has 48 elements of kind tet4, far too stiff in bending; better make its mesh of tet10 "
             "(Mesh.ElementOrder = 2)")
    for ranks in (1, 2):
        assert warnings((500, 50, 50), (8, 1, 1), ranks=ranks) == [millimetres]
        found = warnings((0.5, 0.05, 0.05), (8, 1, 1), tets=True, ranks=ranks)
        assert found == [stiff], found


if __name__ == "__main__":
    main()
