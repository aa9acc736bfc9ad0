"""large.py - seconds and memory of large jointed structures, and what `dovetail check` says of them beforehand, for scripts/bench."""
import os
import re
import statistics

import numpy as np

from bar import STEEL
from bricks import Grid, quadrangles, write_gmsh
from fe_rivals import seconds_of_assembly
from machine import Fault, Watch, execute_measured, print_table, say, shown

SIDES = (2.0, 0.25, 0.05)  # of each plate [m]
PATCH = 4                  # cells on each side of a bolt's patch
MODES = 20
CELLS = [(160, 20, 4), (270, 34, 8)]  # of each plate: 101,115 and 511,245 unknowns in all
BOLTS = {60: (5, 1), 504: (21, 2)}  # along and across, by the motions they keep: six on each of two sides
RUNS = [(60, False, 1), (60, False, 2), (60, True, 1), (60, True, 2), (504, True, 1)]  # motions that joints see, reduced, ranks
REDUCTION = f"reduction: {{ craig_bampton: {{ modes: {MODES} }} }}"

BOLT = "x: [slip, along], y: across, z: rigid, rx: rigid, ry: rigid"
CASE = """title: Two plates and their bolts
mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: {density} }} }}
parts: {{ lower: steel, upper: steel }}
supports: [ {{ group: clamped }} ]
points:
{points}
laws:
  slip: {{ law: iwan4, slip_force: 30.7, stiffness: 4.73e8, chi: -0.23, beta: 0.46 }}
  along: {{ law: spring, stiffness: 5.3e7 }}
  across: {{ law: spring, stiffness: 5.25e8 }}
joints:
{joints}
{reduction}
studies: [ modes: {{ count: {count}, joints: stuck }} ]
"""


class Plates:
    """Two plates of hexahedra, one on the other; the lower is clamped at x = 0; patches of `bolts` along and across tie them."""

    def __init__(self, cells, bolts):
        lower = Grid(cells, SIDES, corner=(0, 0, -SIDES[2]))
        upper = Grid(cells, SIDES, first=len(lower.places))
        self.places = np.vstack([lower.places, upper.places])
        self.groups = {"lower": lower.hexahedra(), "upper": upper.hexahedra(), "clamped": quadrangles(lower.number[0])}
        self.unknowns = 3 * (len(self.places) - lower.number[0].size)
        self.bolts = [f"bolt{number}" for number in range(1, bolts[0] * bolts[1] + 1)]
        faces = {"lower": lower.number[:, :, -1], "upper": upper.number[:, :, 0]}
        for bolt, (i, j) in zip(self.bolts, np.ndindex(*bolts)):
            x, y = (start_of_patch(cells[axis], bolts[axis], place) for axis, place in ((0, i), (1, j)))
            for side, face in faces.items():
                self.groups[f"{bolt}_{side}"] = quadrangles(face[x : x + PATCH + 1, y : y + PATCH + 1])

    def case(self, mesh, reduction):
        points = "\n".join(f"  {bolt}_{side}: {{ average: {bolt}_{side}, weights: equal }}" for bolt in self.bolts for side in ("lower", "upper"))
        joints = "\n".join(f"  {bolt}: {{ between: [{bolt}_lower, {bolt}_upper], {BOLT} }}" for bolt in self.bolts)
        return CASE.format(mesh=mesh, points=points, joints=joints, reduction=reduction, count=MODES, **STEEL)


def start_of_patch(cells, bolts, place):
    """First cell of the patch of a bolt, of those that stand evenly."""
    return round((place + 0.5) * cells / bolts - PATCH / 2)


def write(plates, reduction, folder):
    write_gmsh(os.path.join(folder, "plates.msh"), plates.places, plates.groups)
    case = os.path.join(folder, "plates.yaml")
    with open(case, "w", encoding="utf-8") as file:
        file.write(plates.case("plates.msh", reduction))
    return case


def foretell(program, case, ranks):
    """The memory [MB] over all ranks, as `check` tells it, and the seconds that took."""
    output, _, seconds, _ = execute_measured([program, "check", case])
    found = re.search(r"about (\S+) MB of memory on each rank, and (\S+) MB for the mesh", output)
    if not found:
        raise Fault(f"check says no memory:\n{output}")
    return float(found.group(1)) * ranks + float(found.group(2)), seconds


def run(program, case, ranks):
    """Seconds and memory [MB] of the whole process, and the seconds of the assembly in it."""
    result = case.replace(".yaml", ".h5")
    if os.path.exists(result):
        os.remove(result)
    watch = Watch()
    _, errors, wall, memory = execute_measured([program, "run", "-v", case, "-o", result], ranks)
    return {"wall": wall, "cpu": watch.own_seconds(), "memory": memory, "assembly": seconds_of_assembly(errors)}


def measure(plates, reduced, ranks, options, folder):
    case = write(plates, REDUCTION if reduced else "", folder)
    memory, check = foretell(options.program, case, ranks)
    watch = Watch()
    runs = [run(options.program, case, ranks) for _ in range(options.repeat)]
    return {
        "unknowns": plates.unknowns,
        "joined": 12 * len(plates.bolts),
        "reduced": reduced,
        "ranks": ranks,
        "wall": statistics.median(run["wall"] for run in runs),
        "cpu": statistics.median(run["cpu"] for run in runs),
        "memory": max(run["memory"] for run in runs) if runs[0]["memory"] else None,
        "assembly": statistics.median(run["assembly"] for run in runs),
        "memory_foretold": memory,
        "check": check,
        "others": watch.others(),
    }


def print_rows(rows):
    table = [["unknowns", "joined", "reduced", "ranks", "wall [s]", "CPU [s]", "memory [MB]", "assembly [s]", "check says [MB]", "check took [s]", "others"]]
    for row in rows:
        table.append([
            f"{row['unknowns']:,}",
            str(row["joined"]),
            "yes" if row["reduced"] else "no",
            str(row["ranks"]),
            f"{row['wall']:.1f}",
            f"{row['cpu']:.1f}",
            shown(row["memory"], ",.0f"),
            f"{row['assembly']:.2f}",
            f"{row['memory_foretold']:,.0f}",
            f"{row['check']:.1f}",
            f"{row['others']:.2f}",
        ])
    print_table(table, 0)


def bench(options, folder):
    """Each row is printed when it is there: the last ones take minutes."""
    rows = []
    for cells in CELLS:
        for joined, reduced, ranks in RUNS:
            rows.append(measure(Plates(cells, BOLTS[joined]), reduced, ranks, options, folder))
            print_rows(rows[-1:])
    say(f"medians of {options.repeat} runs; together:")
    print_rows(rows)
    say(f"joined: motions that joints see, which Craig-Bampton keeps beside {MODES} modes where reduced; CPU and memory: sums over the ranks; others: cores that others used")
    return rows
