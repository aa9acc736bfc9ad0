"""faces.py - seconds and memory of contact between meshed faces: a bolted flange on three meshes, for scripts/bench.

The reduction to 20 modes with the compliance H of all points, the tightening, the reduction about the preload, then a quasi-static cycle of 80 steps
and 200 steps of a transient at 15 Hz. CalculiX computes preload and four frequencies of the smallest mesh, with C3D8.
"""
import os
import re
import shutil
import statistics
import sys

from machine import ROOT, Fault, Watch, execute, execute_measured, print_table, say, shown

sys.path.insert(0, os.path.join(ROOT, "tests", "verify"))
from flange import CASE, SHEAR, Flange
from flange_calculix import CalculiX

MESHES = [(4, 3, 2, 12), (6, 5, 3, 16), (8, 7, 4, 24)]  # cells, see Flange
STEPS = 200
# At most so many seconds: H, tightening and cycle of the smallest; H, tightening, a transient step of the largest. Modes count as H, too.
SMALLEST, LARGEST, TIGHTENING, STEP = 2.0, 12.0, 0.3, 0.020
MOTION = f"""  - static:
      about: tightened
{SHEAR}      path: {{ cycles: 1 }}
      steps: 27
  - transient:
      about: tightened
      time_step: 1e-4
      steps: {STEPS}
      load:
        - harmonic: {{ frequency: 15, point: left, direction: z, amplitude: -4000 }}
        - harmonic: {{ frequency: 15, point: right, direction: z, amplitude: 4000 }}
"""


def seconds_of(what, log):
    """All times of lines that begin with these words."""
    return [float(value) for value in re.findall(rf"^{what}.* (\S+) s$", log, re.MULTILINE)]


def run(program, studies, folder):
    case = os.path.join(folder, "flange.yaml")
    with open(case, "w", encoding="utf-8") as file:
        file.write(CASE.replace("ELEMENT", "hex8") + studies)
    for ending in ("h5", "hdf"):
        if os.path.exists(f"{folder}/flange.{ending}"):
            os.remove(f"{folder}/flange.{ending}")
    output, log, seconds, memory = execute_measured([program, "run", "-v", case, "-o", f"{folder}/flange.h5"])
    if "complete" not in output and studies:
        raise Fault(f"the motion does not reach its end:\n{output}")
    return log, seconds, memory


def measure_once(program, folder):
    """Tightening is what the preload takes beside the reductions, with all that is written of it but the displacements of the mesh for ParaView,
    which `fields: no` spares: these take one more factorisation."""
    log, _, _ = run(program, "", folder)
    reductions = seconds_of("reduction of", log)
    tightening = seconds_of("modes and layout", log)[0] - sum(reductions[1:])
    fields = seconds_of("preload", log)[0]
    log, wall, memory = run(program, MOTION, folder)
    return {"reduction": reductions[0], "again": sum(reductions[1:]), "tightening": tightening, "fields": fields, "cycle": seconds_of("static", log)[0],
            "step": seconds_of("transient", log)[0] / STEPS, "wall": wall, "memory": memory}


def measure(cells, options, folder):
    flange = Flange(*cells)
    flange.write(os.path.join(folder, "flange.msh"))
    watch = Watch()
    runs = [measure_once(options.program, folder) for _ in range(options.repeat)]
    row = {name: statistics.median(run[name] for run in runs) for name in runs[0] if name != "memory"}
    points = len({node for face in flange.groups["touch_left"] for node in face})
    return {"unknowns": 3 * len(flange.nodes), "points": points, "memory": max(run["memory"] or 0 for run in runs) or None, "others": watch.others(), **row}


def seconds_of_calculix(cells, folder):
    if not shutil.which("ccx"):
        say("CalculiX is not installed")
        return None
    CalculiX(Flange(*cells)).write(os.path.join(folder, "flange.inp"))
    return execute(["ccx", "flange"], folder=folder)[2]


def print_rows(rows):
    table = [["unknowns", "points", "H, 20 modes [s]", "tightening [s]", "for ParaView [s]", "about it [s]", "80 steps of a cycle [s]", "a transient step [ms]", "all [s]", "memory [MB]", "others"]]
    for row in rows:
        seconds = [f"{row[name]:.2f}" for name in ("reduction", "tightening", "fields", "again", "cycle")]
        table.append([f"{row['unknowns']:,}", str(row["points"]), *seconds, f"{1e3 * row['step']:.1f}", f"{row['wall']:.1f}", shown(row["memory"], ".0f"),
                      f"{row['others']:.2f}"])
    print_table(table, 0)


def verdict(value, most):
    return "met" if value <= most else "NOT met"


def bench(options, folder):
    rows = [measure(cells, options, folder) for cells in MESHES]
    print_rows(rows)
    both = sum(rows[0][name] for name in ("reduction", "tightening", "cycle"))
    say(f"H, tightening and cycle of {rows[0]['points']} points: {both:.2f} s, at most {SMALLEST}: {verdict(both, SMALLEST)}")
    say(f"H of {rows[-1]['points']} points: {rows[-1]['reduction']:.2f} s, at most {LARGEST}: {verdict(rows[-1]['reduction'], LARGEST)}")
    say(f"tightening of {rows[-1]['points']} points: {rows[-1]['tightening']:.2f} s, at most {TIGHTENING}: {verdict(rows[-1]['tightening'], TIGHTENING)}")
    say(f"a transient step of {rows[-1]['points']} points: {1e3 * rows[-1]['step']:.1f} ms, at most {1e3 * STEP:.0f}: {verdict(rows[-1]['step'], STEP)}")
    other = seconds_of_calculix(MESHES[0], folder)
    if other:
        say(f"CalculiX, preload and four frequencies of {rows[0]['points']} points: {other:.1f} s")
    return rows + [{"program": "CalculiX", "points": rows[0]["points"], "wall": other}]
