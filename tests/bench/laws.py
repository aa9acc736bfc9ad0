"""laws.py - millions of evaluations of every joint law a second, and of those of faces in large blocks, for scripts/bench."""
import re
import statistics

from machine import execute, print_table, say, shown

GOAL = 10  # million evaluations of force and tangent a second on one core
POINTS, CONTACT_POINTS = 1000, 10_000  # of a block


def measure(options, points, law):
    """What bench_laws says, run after run."""
    runs = {}
    for _ in range(options.repeat):
        for line in execute([options.program, "--points", str(points), "--law", law])[0].splitlines():
            law, parameters, path, evaluated, accepted = line.split("\t")
            rates = runs.setdefault((law, re.sub(r"( 0)+$", "", parameters), path), ([], []))
            rates[0].append(float(evaluated))
            if accepted != "-":
                rates[1].append(float(accepted))
    return [{
        "law": law, "parameters": parameters, "path": path,
        "evaluated": statistics.median(evaluated), "slowest": min(evaluated), "fastest": max(evaluated),
        "accepted": statistics.median(accepted) if accepted else None,
        "goal": GOAL, "ratio": statistics.median(evaluated) / GOAL, "verdict": "met" if statistics.median(evaluated) >= GOAL else "NOT met",
    } for (law, parameters, path), (evaluated, accepted) in runs.items()]


def compare(options, points, law=""):
    """Evaluations and accepted motions a second of the laws whose names begin so."""
    rows = measure(options, points, law)
    table = [["law", "parameters", "path", "million/s", "(slowest to fastest)", "of the goal", "verdict", "accepted, million/s"]]
    for row in rows:
        table.append([row["law"], row["parameters"], row["path"], f"{row['evaluated']:.1f}", f"({row['slowest']:.1f} to {row['fastest']:.1f})",
                      f"{row['ratio']:.1f}", row["verdict"], shown(row["accepted"], ".1f")])
    print_table(table, 3)
    missed = sum(row["verdict"] != "met" for row in rows)
    say(f"force and tangent, blocks of {points:,} points, one core; goal {GOAL} million/s: " + (f"{missed} of {len(rows)} below it" if missed else "met by all"))
    say(f"processor time, medians of {options.repeat} runs; accepted: with the energy dissipated and the history moved on")
    return rows


def bench(options, folder):
    return compare(options, POINTS)


def bench_contact(options, folder):
    """Points of faces: three components of force, and a tangent of 3 x 3."""
    return compare(options, CONTACT_POINTS, "rough_contact")
