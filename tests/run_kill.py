#!/usr/bin/env python3
"""run_kill.py - a run that is killed at any moment leaves a readable result, and --resume goes on to the bits of an unbroken run.

    run_kill.py [--seed N] [--kills N] PROGRAM CASE...

Each trial starts a case, kills all its processes at a random moment with SIGKILL, looks at what they left, and resumes; some are
killed again. The last trials are at two ranks, where sometimes only one of them is killed, and end by a signal that asks politely.
"""
import argparse
import concurrent.futures
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
from compare_results import bits, differences, read

EXIT_NATURE = 3
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
MPIEXEC = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
PATIENCE = 300 if "ASAN_OPTIONS" in os.environ else 60  # seconds for one start of the program


class Fault(Exception):
    """What the program did wrong."""


def is_alive(pid):
    """Neither gone nor a corpse that nobody has buried."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def family_of(pid):
    """A process and all that came of it."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        children = []
    return [pid] + [descendant for child in children for descendant in family_of(child)]


class Program:
    """One start of the program on a result."""

    def __init__(self, options, case, path, resume=False, ranks=1):
        self.path = path
        command = [options.program, "run", case, "-o", path, "-save_interval", "0.02"] + ["--resume"] * resume
        if ranks > 1:
            command = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] + command
        self.output = tempfile.TemporaryFile()
        self.begun = time.monotonic()
        self.process = subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def wait_for_result(self):
        """Until the result has taken its place, or the program has ended."""
        while not os.path.exists(self.path) and self.process.poll() is None:
            if time.monotonic() - self.begun > PATIENCE:
                raise Fault(f"no result within {PATIENCE} s")
            time.sleep(0.001)

    def end(self):
        """The exit code."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Fault(f"did not end within {PATIENCE} s:\n{self.text()}") from None
        return code

    def kill(self, only_last=False):
        """Ends the program and its ranks, or only the youngest of them, at once; false when it had ended by itself."""
        if self.process.poll() is not None:
            return False
        self.process.send_signal(signal.SIGSTOP)  # no rank may be born meanwhile
        family = family_of(self.process.pid)
        for pid in family[-1:] if only_last else family:
            os.kill(pid, signal.SIGKILL)
        self.process.send_signal(signal.SIGCONT)
        self.process.wait(PATIENCE)
        while any(is_alive(pid) for pid in family):
            time.sleep(0.001)
        return True

    def text(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")[-4000:]


AT_THE_END = ("turned_back", "turned")  # written when a run has ended
SO_FAR = ("peak", "peak_time", "peak_force", "imbalance", "largest", "given", "at_start", "lost")  # extremes grow until then


def check_last(file, contact, unbroken):
    """What parts did when they were last saved is as the histories of the unbroken run have it."""
    last, times = file[contact]["last"], unbroken[f"{contact.partition('/joints/')[0]}/time"]
    if f"{contact}/state" not in unbroken or np.isnan(last["time"][0]):
        return
    sample = np.flatnonzero(times == last["time"][0])
    if len(sample) != 1:
        raise Fault(f"{contact}/last/time: {last['time'][0]} is none of the samples")
    for kind in ("state", "pressing", "dissipated"):
        if not np.array_equal(bits(last[kind][:]), bits(unbroken[f"{contact}/{kind}"][sample[0]])):
            raise Fault(f"{contact}/last/{kind}: not what it was at its time")


def check_broken(path, unbroken):
    """Everything up to the recorded step is there and right, everything after is right or not yet."""
    with h5py.File(path, "r") as file:
        for name, run in file["transient"].items():
            steps = int(run["steps"][0])
            known = int(np.searchsorted(unbroken[f"transient/{name}/time"], (steps + 0.5) * run.attrs["time_step"])) if steps else 0
            for dataset in (path for path in unbroken if path.startswith(f"transient/{name}/") and unbroken[path].dtype == np.float64 and "@" not in path):
                if dataset.endswith("/last/time"):
                    check_last(file, dataset[: -len("/last/time")], unbroken)
                if "/contact/last/" in dataset or dataset.rsplit("/", 1)[-1] in SO_FAR:
                    continue
                values, right = file[dataset][()], unbroken[dataset]
                if dataset.rsplit("/", 1)[-1] not in AT_THE_END and not np.isfinite(values[:known]).all():
                    raise Fault(f"{dataset}: no number before step {steps}")
                if not np.all(np.isnan(values) | (bits(values) == bits(right))):
                    raise Fault(f"{dataset}: a wrong number")
        for dataset in (path for path in unbroken if path.startswith(("modes/", "system/")) and "@" not in path):
            if not np.array_equal(file[dataset][()], unbroken[dataset]):
                raise Fault(f"{dataset}: wrong")


def check_finished(program, unbroken):
    """A resumed program ends well, with the bits of the unbroken one and nothing else beside them."""
    code = program.end()
    if code != 0:
        raise Fault(f"resumed, it ended with exit code {code}:\n{program.text()}")
    faults = differences(unbroken, read(program.path))
    faults += [f"left {name}" for name in os.listdir(os.path.dirname(program.path)) if name != os.path.basename(program.path)]
    if faults:
        raise Fault("resumed, it differs from the unbroken run: " + "; ".join(faults[:5]))


def in_new_folder(trial):
    """Runs a trial on a result in a folder of its own, which stays when something was wrong."""
    folder = tempfile.mkdtemp(prefix="trial_", dir=".")
    path = os.path.join(os.path.abspath(folder), "result.h5")
    outcome = trial(path)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    os.rmdir(folder)
    return outcome


def trial_of_kills(options, case, number, ranks, chance):
    """Number of kills that struck a program at work, of one or more in a row; the random numbers are drawn before anything runs."""
    at_any_time, again, one_rank, moments = chance.random() < 0.2, chance.random() < 0.3, chance.random() < 0.5, [chance.random(), chance.random()]
    resuming_ranks = chance.choice([1, ranks])

    def trial(path):
        struck = 0
        for moment in moments[: 2 if again else 1]:
            program = Program(options, case.path, path, resume=struck > 0, ranks=ranks)
            if at_any_time:
                time.sleep(moment * case.seconds)
            else:
                program.wait_for_result()
                time.sleep(moment * case.working)
            struck += program.kill(only_last=ranks > 1 and one_rank)
            if os.path.exists(path):
                check_broken(path, case.unbroken)
        check_finished(Program(options, case.path, path, resume=os.path.exists(path), ranks=resuming_ranks), case.unbroken)
        return struck

    try:
        return in_new_folder(trial)
    except Fault as fault:
        raise Fault(f"trial {number}, {os.path.basename(case.path)}, {ranks} ranks, moments {moments}: {fault}") from None


def trial_of_wish(options, case, wish, ranks, chance):
    """1 when the program heard the signal at work; it must then save what it has, say how to go on, and end with exit code 3."""
    moment = 0.5 * chance.random()

    def trial(path):
        program = Program(options, case.path, path, ranks=ranks)
        program.wait_for_result()
        time.sleep(moment * case.working)
        program.process.send_signal(wish)
        code = program.end()
        with h5py.File(path, "r") as file:
            if file["case/complete"][()] == 1:
                return 0
        if ranks == 1 and (code != EXIT_NATURE or f"-o {shlex.quote(path)} --resume`" not in program.text()):
            raise Fault(f"ended with exit code {code} and said:\n{program.text()}")
        check_broken(path, case.unbroken)
        check_finished(Program(options, case.path, path, resume=True, ranks=ranks), case.unbroken)
        return 1

    try:
        return in_new_folder(trial)
    except Fault as fault:
        raise Fault(f"{wish.name}, {os.path.basename(case.path)}, {ranks} ranks: {fault}") from None


class Case:
    """A case, its unbroken result, and how long that takes."""

    def __init__(self, options, path):
        self.path = os.path.abspath(path)
        unbroken = os.path.abspath(os.path.splitext(os.path.basename(path))[0] + ".h5")
        if os.path.exists(unbroken):
            os.remove(unbroken)
        program = Program(options, self.path, unbroken)
        program.wait_for_result()
        appeared = time.monotonic()
        if program.end() != 0:
            raise Fault(f"{self.path}, unbroken:\n{program.text()}")
        self.seconds, self.working = time.monotonic() - program.begun, time.monotonic() - appeared
        self.unbroken = read(unbroken)


def repeat(what, number, attempts):
    """Tries until so many attempts have struck; what comes too late proves nothing."""
    struck = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for first in range(0, attempts, 4):
            struck += sum(pool.map(what, range(first, first + 4)))
            if struck >= number:
                return struck
    raise Fault(f"only {struck} of {number} signals struck the program at work")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("case", nargs="+")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--kills", type=int, default=6 if "ASAN_OPTIONS" in os.environ else 20)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    print(f"--seed {options.seed}", flush=True)
    chances = [random.Random(f"{options.seed} {i}") for i in range(4 * options.kills + 64)]
    try:
        cases = [Case(options, path) for path in options.case]

        def kill(i):
            return trial_of_kills(options, cases[i % len(cases)], i, 1, chances[i])

        def kill_ranks(i):
            return trial_of_kills(options, cases[i % len(cases)], i, 2, chances[-1 - i])

        def wish(i):
            return trial_of_wish(options, cases[i % len(cases)], (signal.SIGTERM, signal.SIGINT)[i // 2 % 2], 1, chances[-33 - i])

        repeat(kill, options.kills, 4 * options.kills)
        repeat(kill_ranks, min(options.kills, 4), 32)
        repeat(wish, 3, 16)
    except Fault as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
