#!/usr/bin/env python3
"""run_bad.py - every broken case of a folder must give the message its first lines announce, at a number of ranks.

A case begins with one or more comments `# error: FILE:LINE:COL: PATH: MESSAGE`. `dovetail check FILE`, run in that folder, must
end with exit code 2 within ten seconds, begin its standard error, but for stages of the log, with exactly these lines, and give no other error.
A line that ends in ` ...` stands for all that begin so: what follows is a list that grows.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

EXIT_INPUT = 2
SECONDS = 30  # until a case that does not end is given up: a busy machine takes its time
CRASH = re.compile(r"PETSC ERROR|Traceback|Segmentation|Sanitizer|runtime error:|Signal: |\bassert")
STAGE = re.compile(r"  \d+\.\d{3} s$")  # of the log
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def read_expected(path):
    """The messages announced at the top of a case."""
    expected = []
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if not line.startswith("# error: "):
                break
            expected.append(line[2:].rstrip("\r\n"))
    return expected


def agree(lines, expected):
    """Whether the lines are those expected."""
    return len(lines) == len(expected) and all(
        line.startswith(text[: -len("...")]) if text.endswith(" ...") else line == text for line, text in zip(lines, expected))


def run(options, path):
    """What is wrong with what the program does about this case: a list of texts, empty when nothing is."""
    expected = read_expected(path)
    if not expected:
        return ["its first line must be `# error: FILE:LINE:COL: PATH: MESSAGE`"]
    command = [options.program, "check", os.path.basename(path)]
    if options.ranks > 1:
        command = [options.mpiexec, "--quiet", "--oversubscribe", "-n", str(options.ranks)] + command
    try:
        done = subprocess.run(command, cwd=os.path.dirname(path), env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS * options.patience)
    except subprocess.TimeoutExpired:
        return [f"did not end within {SECONDS * options.patience} s"]
    text = done.stderr.decode(errors="surrogateescape")
    lines = [line for line in text.splitlines() if not STAGE.search(line)]

    faults = []
    if done.returncode != EXIT_INPUT:
        faults.append(f"exit code {done.returncode}, not {EXIT_INPUT}")
    errors = [line for line in lines if line.startswith("error:")]
    if not agree(lines[: len(expected)], expected) or not agree(errors, expected):
        faults += [f"expected: {line}" for line in expected] + [f"got:      {line}" for line in lines[: len(expected) + 5]]
    if CRASH.search(text) and not any(CRASH.search(line) for line in expected):
        faults.append("it crashed:")
        faults += ["          " + line for line in lines[:40]]
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("cases", nargs="*", help="names of single cases; all when none is given")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--half", type=int, choices=(0, 1), help="only every other case, from the first or from the second on")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    options.mpiexec = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
    options.patience = 3 if "ASAN_OPTIONS" in os.environ else 1  # sanitizers are slow

    paths = sorted(glob.glob(os.path.join(os.path.abspath(options.folder), "*.yaml")))
    if options.half is not None:
        paths = paths[options.half :: 2]
    if options.cases:
        paths = [path for path in paths if os.path.basename(path) in options.cases]
    if not paths:
        sys.exit("no cases there")

    # mpiexec spends most of its time waiting.
    workers = (os.cpu_count() or 1) * (1 if options.ranks == 1 else 2)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(lambda path: run(options, path), paths))
    failing = [(path, faults) for path, faults in zip(paths, results) if faults]
    for path, faults in failing:
        print(os.path.basename(path))
        for fault in faults:
            print("    " + fault.encode(errors="backslashreplace").decode())
    print(f"{len(paths) - len(failing)} of {len(paths)} broken cases are refused as they should at {options.ranks} ranks")
    if failing:
        print("wrong: " + " ".join(os.path.basename(path) for path, _ in failing))
    sys.exit(1 if failing else 0)


if __name__ == "__main__":
    main()
