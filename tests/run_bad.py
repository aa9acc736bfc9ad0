#!/usr/bin/env python3
"""run_bad.py - every broken case of a folder must give the message its first lines announce, at a number of ranks.

A case begins with one or more comments `# error: FILE:LINE:COL: PATH: MESSAGE`. `dovetail check FILE...`, run in that folder, must
end with exit code 2, and say of each case, but for stages of the log, first exactly these lines, and no other error.
A line that ends in ` ...` stands for all that begin so: what follows is a list that grows.

Many cases are given to one process. One that does not get its messages there is checked once more, alone.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

EXIT_INPUT = 2
SECONDS = 60  # until a process that does not end is given up: a busy machine takes its time
MOST = 50  # cases of one process
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


def check(options, paths):
    """Exit code and standard error of the program on these cases of one folder; no exit code where it did not end."""
    command = [options.program, "check", *map(os.path.basename, paths)]
    if options.ranks > 1:
        command = [options.mpiexec, "--quiet", "--oversubscribe", "-n", str(options.ranks)] + command
    with tempfile.TemporaryDirectory(prefix="bad") as session:  # of OpenMPI: programs that end remove those of others that start
        try:
            done = subprocess.run(command, cwd=os.path.dirname(paths[0]), env=dict(ENVIRONMENT, OMPI_MCA_orte_tmpdir_base=session),
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS * options.patience)
        except subprocess.TimeoutExpired as late:
            return None, (late.stderr or b"").decode(errors="surrogateescape")
    return done.returncode, done.stderr.decode(errors="surrogateescape")


def judge(expected, text):
    """What is wrong with what was said of a case: a list of texts, empty when nothing is."""
    lines = [line for line in text.splitlines() if not STAGE.search(line)]
    errors = [line for line in lines if line.startswith("error:")]
    faults = []
    if not expected:
        return ["its first line must be `# error: FILE:LINE:COL: PATH: MESSAGE`"]
    if not agree(lines[: len(expected)], expected) or not agree(errors, expected):
        faults += [f"expected: {line}" for line in expected] + [f"got:      {line}" for line in lines[: len(expected) + 5]]
    if CRASH.search(text) and not any(CRASH.search(line) for line in expected):
        faults.append("it crashed:")
        faults += ["          " + line for line in lines[:40]]
    return faults


def tell_exit(options, code):
    """The same of an exit code."""
    if code is None:
        return [f"did not end within {SECONDS * options.patience} s"]
    return [] if code == EXIT_INPUT else [f"exit code {code}, not {EXIT_INPUT}"]


def run_alone(options, path):
    code, text = check(options, [path])
    return tell_exit(options, code) + judge(read_expected(path), text)


def divide(text, paths):
    """What was said of each case up to the line that it is refused; nothing of one that was not."""
    said, begin = {}, 0
    refusals = {f"{os.path.basename(path)}: refused": path for path in paths}
    lines = text.splitlines()
    for end, line in enumerate(lines):
        if line in refusals:
            said[refusals[line]] = "\n".join(lines[begin:end])
            begin = end + 1
    return said


def run(options, paths):
    """What is wrong with each of these cases, by path."""
    if len(paths) == 1:
        return {paths[0]: run_alone(options, paths[0])}
    code, text = check(options, paths)
    said = divide(text, paths)
    results = {path: judge(read_expected(path), said.get(path, "")) for path in paths}
    for path in [path for path in paths if results[path]]:
        together = ["alone it is refused as it should, but not behind others:"] + results[path] if path in said else []
        results[path] = run_alone(options, path) or together
    if code != EXIT_INPUT and not any(results.values()):
        first = next((path for path in paths if path not in said), paths[-1])
        results[first] = ["behind others, not alone:"] + tell_exit(options, code) + text.splitlines()[-40:]
    return results


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

    workers = (os.cpu_count() or 1) if options.ranks == 1 else 1
    count = max(-(-len(paths) // MOST), min(workers, len(paths)))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pieces = pool.map(lambda first: run(options, paths[first::count]), range(count))
        results = {path: faults for piece in pieces for path, faults in piece.items()}
    failing = [(path, results[path]) for path in paths if results[path]]
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
