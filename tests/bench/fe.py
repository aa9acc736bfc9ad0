"""fe.py - seconds and memory of the modes of a bar of distorted hexahedra, side by side with others, and of assembly, for scripts/bench.

Every run is a whole process: reading the mesh, assembly, factorisation, modes, writing frequencies and shapes.
"""
import statistics

import numpy as np

from bar import Bar
from fe_rivals import CalculiX, Dolfinx, Dovetail
from machine import Watch, execute_measured, print_table, say, shown

CELLS, COUNT = (200, 24, 6), 20
ASSEMBLIES = {(200, 24, 6): 0.15, (430, 52, 14): 2.0}  # at most so many seconds on one core
# At least so many times faster, on one core and on two; at most so many times the memory of the leaner of them.
FASTER, MEMORY = {"CalculiX C3D8": 5.0, "dolfinx Q1": 1.2}, 1.1
SLOW = "CalculiX C3D8I"  # runs once, for minutes
SAME = {"CalculiX C3D8": "dovetail hex8_plain", "dolfinx Q1": "dovetail hex8_plain", "CalculiX C3D8I": "dovetail hex8"}


def programs(options):
    """dovetail, and those of the others that are installed."""
    found = [Dovetail(options.program, "hex8"), Dovetail(options.program, "hex8_plain")]
    if Dolfinx.installed():
        found += [Dolfinx(), Dolfinx("dolfinx Q1, no purification", "-eps_purify", "0")]
    if CalculiX.installed():
        found += [CalculiX("C3D8"), CalculiX("C3D8I")]
    for rival in (Dolfinx, CalculiX):
        if not rival.installed():
            say(f"{rival.__name__} is not installed")
    return found


def run(program, cores):
    command, ranks, environment = program.command(cores)
    watch = Watch()
    output, errors, wall, memory = execute_measured(command, ranks, folder=program.folder, **environment)
    frequencies, assembly = program.read(output, errors)
    return {"wall": wall, "cpu": watch.own_seconds(), "memory": memory, "others": watch.others(), "assembly": assembly,
            "frequencies": list(frequencies[:COUNT])}


def summarise(program, cores, runs):
    return {
        "program": program.name,
        "cores": cores,
        "wall": statistics.median(run["wall"] for run in runs),
        "cpu": statistics.median(run["cpu"] for run in runs),
        "fastest": min(run["wall"] for run in runs),
        "slowest": max(run["wall"] for run in runs),
        "memory": max(run["memory"] for run in runs) if runs[0]["memory"] else None,
        "others": max(run["others"] for run in runs),
        "assembly": runs[0]["assembly"] and statistics.median(run["assembly"] for run in runs),
        "frequencies": runs[0]["frequencies"],
    }


def add_ratios(rows):
    """How many times more than dovetail's hex8 on as many cores, and how far the frequencies are from dovetail's with the same element."""
    find = {(row["program"], row["cores"]): row for row in rows}
    for row in rows:
        own, same = find["dovetail hex8", row["cores"]], find.get((SAME.get(row["program"].split(",")[0]), row["cores"]))
        row["time_ratio"] = row["wall"] / own["wall"]
        row["memory_ratio"] = row["memory"] / own["memory"] if row["memory"] else None
        row["difference"] = float(np.max(np.abs(np.array(row["frequencies"]) / same["frequencies"] - 1))) if same else None


def print_modes(rows):
    table = [["program", "cores", "wall [s]", "(fastest to slowest)", "ratio", "CPU [s]", "memory [MB]", "ratio", "others", "f1 [Hz]",
              f"f{COUNT} [Hz]", "difference"]]
    for row in rows:
        table.append([
            row["program"],
            str(row["cores"]),
            f"{row['wall']:.2f}",
            f"({row['fastest']:.2f} to {row['slowest']:.2f})",
            f"{row['time_ratio']:.2f}",
            f"{row['cpu']:.2f}",
            shown(row["memory"], ".0f"),
            shown(row["memory_ratio"], ".2f"),
            f"{row['others']:.2f}",
            f"{row['frequencies'][0]:.6f}",
            f"{row['frequencies'][-1]:.4f}",
            shown(row["difference"], ".1e"),
        ])
    print_table(table, 1)
    say("ratio: of dovetail hex8 on as many cores, above 1 where dovetail is better; others: cores that others used, in the worst run")
    say("difference: of the frequencies from dovetail's with the same element (C3D8I: a like one); CPU and memory: sums over the ranks")


def judge(what, value, bound, below):
    met = value <= bound if below else value >= bound
    say(f"{'met' if met else 'MISSED'}: {what} {value:.2f}, wanted at {'most' if below else 'least'} {bound:g}")


def judge_modes(rows):
    for cores in (1, 2):
        rivals = {row["program"]: row for row in rows if row["cores"] == cores and row["program"] in FASTER}
        for name, row in rivals.items():
            judge(f"times faster than {name} on {cores}:", row["time_ratio"], FASTER[name], below=False)
        if rivals and all(row["memory"] for row in rivals.values()):
            leaner = min(rivals.values(), key=lambda row: row["memory"])
            judge(f"of the memory of the leaner, {leaner['program']}, on {cores}:", 1 / leaner["memory_ratio"], MEMORY, below=True)


def bench_modes(options, folder):
    bar, all_programs = Bar(CELLS), programs(options)
    say(f"{COUNT} modes of a clamped bar, {' x '.join(map(str, CELLS))} distorted hexahedra, {bar.unknowns():,} unknowns; medians of {options.repeat} runs, {SLOW} runs once")
    for program in all_programs:
        program.prepare(bar, COUNT, folder)
    runs = {(program, cores): [] for cores in (1, 2) for program in all_programs}
    for turn in range(options.repeat):
        for (program, cores), done in runs.items():
            if turn == 0 or program.name != SLOW:
                done.append(run(program, cores))
    rows = [summarise(program, cores, done) for (program, cores), done in runs.items()]
    add_ratios(rows)
    print_modes(rows)
    judge_modes(rows)
    return rows


def bench_assembly(options, folder):
    rows = []
    for cells, bound in ASSEMBLIES.items():
        bar, program = Bar(cells), Dovetail(options.program, "hex8")
        program.prepare(bar, 1, folder)
        watch = Watch()
        seconds = sorted(program.time_assembly() for _ in range(options.repeat))
        judge(f"seconds of assembly of {bar.unknowns():,} unknowns ({seconds[0]:.3f} to {seconds[-1]:.3f}):", statistics.median(seconds), bound, below=True)
        rows.append({"program": program.name, "unknowns": bar.unknowns(), "assembly": seconds, "others": watch.others()})
    return rows


def bench(options, folder):
    return bench_assembly(options, folder) + bench_modes(options, folder)
