#!/usr/bin/env python3
"""run_kill_samples.py - samples of a case that are computed when it is killed: none that was done is lost, and --resume ends with the same table.

    run_kill_samples.py [--seed N] [--kills N] PROGRAM CASE

Each trial starts the case, on one rank or on three, kills all of it or one rank with SIGKILL at a random moment, and resumes on another number of
ranks. Others kill a run that adds samples to an earlier result, and ask a run politely to end.
"""
import argparse
import os
import random
import re
import shlex
import shutil
import signal
import sys
import time

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
from compare_results import bits, differences, read
from run_kill import EXIT_NATURE, Fault, Program, in_new_folder

DONE, STOPPED, REFUSED = 1, 2, 3


def rows(path):
    """What is known of each sample: its status, and how long it took, which tells whether it was computed again. Nothing of what is no result."""
    if not os.path.exists(path):
        return np.zeros(0, int), np.zeros(0)
    with h5py.File(path, "r") as file:
        return file["vary/samples/status"][:], file["vary/samples/seconds"][:]


def check_broken(path, unbroken):
    """Each row with a status is that of the unbroken run."""
    if not os.path.exists(path):
        return
    with h5py.File(path, "r") as file:
        status = file["vary/samples/status"][:]
        known = np.flatnonzero(status)
        for name in ("samples/status", "samples/inputs", "samples/outputs", "samples/reason", "samples/warnings", "curves/curve/values"):
            found, wanted = file[f"vary/{name}"][:][known], unbroken[f"vary/{name}"][known]
            if not np.array_equal(bits(found), bits(wanted)):
                raise Fault(f"vary/{name}: a wrong row among {len(known)}")


def check_kept(before, path):
    """Samples that were done at the kill are as they were: not computed again."""
    status, seconds = before
    _, now = rows(path)
    known = np.flatnonzero(status)
    if not np.array_equal(seconds[known], now[known]):
        raise Fault(f"{np.count_nonzero(seconds[known] != now[known])} of {len(known)} samples that were done were computed again")


def check_finished(program, case, before):
    code = program.end()
    if code:
        raise Fault(f"resumed, it ended with exit code {code}:\n{program.text()}")
    faults = differences(case.unbroken, read(program.path))
    faults += [f"left {name}" for name in os.listdir(os.path.dirname(program.path)) if name != os.path.basename(program.path)]
    if faults:
        raise Fault("resumed, it differs from the unbroken run: " + "; ".join(faults[:5]))
    check_kept(before, program.path)


class Case:
    """A case with all its samples and with half of them, and their unbroken results."""

    def __init__(self, options):
        self.path, self.half = os.path.abspath("all.yaml"), os.path.abspath("half.yaml")
        with open(options.case, encoding="utf-8") as file:
            text = file.read()
        samples = int(re.search(r"samples: (\d+)", text)[1])
        for path, number in ((self.path, samples), (self.half, samples // 2)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(f"samples: {samples}", f"samples: {number}"))
        for name in ("all.h5", "half.h5"):
            if os.path.exists(name):
                os.remove(name)
        self.seconds = self.run(options, self.path, "all.h5")
        self.run(options, self.half, "half.h5")
        self.unbroken = read("all.h5")
        found = set(self.unbroken["vary/samples/status"])
        if found != {DONE, STOPPED, REFUSED}:
            raise Fault(f"{options.case}: samples have the status {found}, and not each of {DONE}, {STOPPED} and {REFUSED}")

    @staticmethod
    def run(options, case, path):
        program = Program(options, case, os.path.abspath(path))
        program.wait_for_result()
        appeared = time.monotonic()
        if program.end():
            raise Fault(f"{case}, unbroken:\n{program.text()}")
        return time.monotonic() - appeared


def trial_of_kills(options, case, number, chance):
    """How many samples had been done at the kill; a second one may follow."""
    ranks = chance.choice([1, 3])
    one_rank, again, moments = ranks > 1 and chance.random() < 0.5, chance.random() < 0.3, [0.9 * chance.random(), 0.5 * chance.random()]

    def trial(path):
        before = rows(path)
        for moment in moments[: 2 if again else 1]:
            program = Program(options, case.path, path, resume=os.path.exists(path), ranks=ranks)
            program.wait_for_result()
            time.sleep(moment * case.seconds)
            program.kill(only_last=one_rank)
            check_broken(path, case.unbroken)
            if len(before[0]):
                check_kept(before, path)
            before = rows(path)
        check_finished(Program(options, case.path, path, resume=True, ranks=chance.choice([1, 2, 3])), case, before)
        return np.count_nonzero(before[0]) if np.count_nonzero(before[0]) < len(before[0]) else 0

    try:
        return in_new_folder(trial)
    except Fault as fault:
        raise Fault(f"trial {number}, {ranks} ranks, moments {moments}: {fault}") from None


def earlier_rows(path):
    """Of the result, or of the one that it takes the place of."""
    for name in (path, f"{path}.1"):
        status, _ = rows(name)
        yield np.count_nonzero(status)


def trial_of_extension(options, case, number, chance):
    """Whether a kill met a run that adds samples: at any moment one of the two results has all rows of the earlier one."""
    moment, ranks = 1.2 * chance.random() * case.seconds, chance.choice([1, 3])
    first = np.count_nonzero(rows("half.h5")[0])

    def trial(path):
        shutil.copy("half.h5", path)
        before = rows(path)
        program = Program(options, case.path, path, resume=True, ranks=ranks)
        time.sleep(moment)
        struck = program.kill()
        if max(earlier_rows(path)) < first:
            raise Fault(f"of {first} samples {list(earlier_rows(path))} are left")
        check_finished(Program(options, case.path, path, resume=True, ranks=chance.choice([1, 2])), case, before)
        return struck

    try:
        return in_new_folder(trial)
    except Fault as fault:
        raise Fault(f"adding samples, trial {number}, {ranks} ranks, killed after {moment:.3f} s: {fault}") from None


def trial_of_wish(options, case, wish):
    """A polite signal: what is done is saved, exit code 3, and a line says how to go on."""

    def trial(path):
        program = Program(options, case.path, path)
        program.wait_for_result()
        time.sleep(0.2 * case.seconds)
        program.process.send_signal(wish)
        code = program.end()
        before = rows(path)
        if code != EXIT_NATURE or f"-o {shlex.quote(path)} --resume`" not in program.text():
            raise Fault(f"{wish.name}: ended with exit code {code} and said:\n{program.text()}")
        if not 0 < np.count_nonzero(before[0]) < len(before[0]):
            raise Fault(f"{wish.name}: {np.count_nonzero(before[0])} samples are done")
        check_finished(Program(options, case.path, path, resume=True, ranks=2), case, before)

    in_new_folder(trial)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("case")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--kills", type=int, default=3 if "ASAN_OPTIONS" in os.environ else 6)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    print(f"--seed {options.seed}", flush=True)
    chances = [random.Random(f"{options.seed} {i}") for i in range(2 * options.kills)]
    try:
        case = Case(options)
        done = [trial_of_kills(options, case, i, chances[i]) for i in range(options.kills)]
        met = [trial_of_extension(options, case, i, chances[options.kills + i]) for i in range(options.kills)]
        if not any(done) or not any(met):
            raise Fault(f"no kill met a run at work: samples done {done}, runs that add samples {met}")
        for wish in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            trial_of_wish(options, case, wish)
        print(f"samples done at the kills: {done}")
    except Fault as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
