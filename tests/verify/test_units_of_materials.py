#!/usr/bin/env python3
"""Moduli and densities that are not in SI units are warned of, with the value that is probably meant; those of steel and of rubber are not. A
check counts its warnings at its end."""
import os
import subprocess

PROGRAM, SOURCE = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_SOURCE"]
CASE = """mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: 0.3, density: {density} }} }}
parts: {{ plate: steel }}
supports: [{{ group: edges }}]
studies: [{{ modes: {{}} }}]
"""


def warnings(young, density):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(CASE.format(mesh=os.path.join(SOURCE, "meshes", "nafems_fv52.msh"), young=young, density=density))
    done = subprocess.run([PROGRAM, "check", "case.yaml"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    count = done.stderr.count("warning: ")
    told = f", but {count} warning{'s' * (count > 1)}" if count else ""
    assert done.stdout.endswith(f"No errors found{told}; no study was run.\n"), done.stdout
    return [line for line in done.stderr.splitlines() if line.startswith("warning: materials.steel")]


def test(young, density, *wanted):
    found = warnings(young, density)
    assert len(found) == len(wanted) and all(words in line for words, line in zip(wanted, found)), (young, density, found)


test("200e9", "8000")
test("2e6", "1100")  # rubber
test("210e3", "7850", "in MPa, write 2.1e+11")
test("210", "7850", "in GPa, write 2.1e+11")
test("210e3", "7.85e-9", "in MPa, write 2.1e+11", "in t/mm^3, write 7850")
test("210e9", "7.85e-6", "in kg/mm^3, write 7850")
