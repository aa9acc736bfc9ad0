#!/usr/bin/env python3
"""run_ranks.py - the result of a case with several runs is the same at 1, 2 and 3 ranks, dataset by dataset and bit for bit.

    run_ranks.py PROGRAM CASE...
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
from compare_results import differences, read

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
MPIEXEC = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")


def compute(program, case, ranks):
    """The result of a case at a number of ranks, as it was read."""
    path = os.path.abspath(f"{os.path.splitext(os.path.basename(case))[0]}_{ranks}.h5")
    command = [program, "run", case, "-q", "-o", path]
    if ranks > 1:
        command = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    done = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with exit code {done.returncode}\n" + done.stderr.decode(errors="replace")[-4000:])
    return read(path)


def main():
    program, *cases = sys.argv[1:]
    failed = False
    for case in cases:
        alone = compute(os.path.abspath(program), case, 1)
        if alone.get("case/complete") != 1 or sum(name.endswith("/time") for name in alone) < 3:
            sys.exit(f"{case}: not the complete result of several runs")
        for ranks in (2, 3):
            for fault in differences(alone, compute(os.path.abspath(program), case, ranks)):
                failed = True
                print(f"{os.path.basename(case)} at 1 and {ranks} ranks: {fault}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
