"""dynamics.py - time steps per second of jointed lumped systems, for scripts/bench.

Rates leave out reading the case and setting up.
"""
import re
import shutil
import statistics

import rivals
from machine import Fault, execute, execute_measured, print_table, say, shown

COUNTED_STEPS = 3000  # instructions are counted between this many steps and twice as many
SLOW_SHARE = 20       # Octave does so many times fewer steps


def count_instructions(program, system):
    """Instructions per step, by callgrind: two runs, so that what is done once drops out."""
    counts = []
    for steps in (COUNTED_STEPS, 2 * COUNTED_STEPS):
        try:
            _, errors, _ = execute(program.command(system, steps), ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
        except Fault as fault:
            if "unrecognised instruction" not in str(fault) and "SIGILL" not in str(fault):
                raise
            say(f"instructions of {program.name} are not counted: valgrind does not know AVX-512; measure a --program built with -D DOVETAIL_ARCH=x86-64-v3")
            return None
        found = re.search(r"Collected *: *(\d+)", errors)
        if not found:
            raise Fault(f"callgrind did not count: {errors[-2000:]}")
        counts.append(int(found.group(1)))
    return (counts[1] - counts[0]) / COUNTED_STEPS


def steps_of(program, options):
    return max(1, options.steps // SLOW_SHARE) if program.slow else options.steps


def measure(programs, system, options):
    """A row for each program: medians of its runs, which take turns with those of the others."""
    runs = {program.name: [] for program in programs}
    for _ in range(options.repeat):
        for program in programs:
            output, _, wall, memory = execute_measured(program.command(system, steps_of(program, options)))
            runs[program.name].append(dict(program.read(output), wall=wall, memory=memory))
    rows = []
    for program in programs:
        done = runs[program.name]
        rates = [run["steps_per_second"] for run in done]
        _, _, _, short_memory = execute_measured(program.command(system, max(1, steps_of(program, options) // 10)))
        rows.append({
            "program": program.name,
            "system": system,
            "steps": int(done[0]["steps"]),
            "steps_per_second": statistics.median(rates),
            "slowest": min(rates),
            "fastest": max(rates),
            "iterations_per_step": done[0]["iterations_per_step"],
            "displacement": done[0]["displacement"],
            "wall": statistics.median(run["wall"] for run in done),
            "memory": max(run["memory"] for run in done) if done[0]["memory"] else None,
            "memory_of_a_tenth": short_memory,
            "instructions_per_step": count_instructions(program, system) if program.countable and options.count else None,
        })
    return rows


def add_ratios(rows):
    """How many times more dovetail does in a second, and how many times fewer instructions it needs."""
    own = {row["system"]: row for row in rows if row["program"] == "dovetail"}
    for row in rows:
        base = own.get(row["system"])
        row["time_ratio"] = base["steps_per_second"] / row["steps_per_second"] if base else None
        counted = base and base["instructions_per_step"] and row["instructions_per_step"]
        row["instruction_ratio"] = row["instructions_per_step"] / base["instructions_per_step"] if counted else None


def print_dynamics(rows):
    table = [["system", "program", "steps/s", "(slowest to fastest)", "ratio", "instructions/step", "ratio", "iterations/step", "whole run [s]",
              "memory [MB]", "of a tenth"]]
    for row in rows:
        table.append([
            row["system"],
            row["program"],
            f"{row['steps_per_second']:,.0f}",
            f"({row['slowest']:,.0f} to {row['fastest']:,.0f})",
            shown(row["time_ratio"], ".1f"),
            shown(row["instructions_per_step"], ",.0f"),
            shown(row["instruction_ratio"], ".1f"),
            f"{row['iterations_per_step']:.2f}",
            f"{row['wall']:.2f}",
            shown(row["memory"], ".1f"),
            shown(row["memory_of_a_tenth"], ".1f"),
        ])
    print_table(table, 2)


def bench(options, folder):
    """Steps per second of the time integration."""
    programs = [rivals.Dovetail(options.program, folder), rivals.DovetailLanes(options.program, folder), *(rivals.Textbook(folder, variant) for variant in rivals.Textbook.VARIANTS)]
    if shutil.which("octave-cli"):
        programs.append(rivals.Octave())
    else:
        say("octave-cli is not installed: no textbook method in Octave")
    options.count = options.count and shutil.which("valgrind") is not None
    if not options.count:
        say("instructions are not counted" + ("" if shutil.which("valgrind") else ": valgrind is not installed"))
    if not shutil.which("time"):
        say("memory is not measured: the program `time` is not installed")
    rows = [row for system in rivals.SYSTEMS for row in measure(programs, system, options)]
    add_ratios(rows)
    print_dynamics(rows)
    say("dovetail of many runs: steps of all in sum, on one core, side by side in vector lanes; its memory is that of all runs")
    say("ratio: above 1 where dovetail, one run, is better; memory: peak of the process, and with a tenth of the steps")
    say(f"{options.steps:,} steps, Octave {SLOW_SHARE} times fewer; medians of {options.repeat} runs")
    return rows
