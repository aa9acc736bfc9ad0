#!/usr/bin/env python3
"""The contract of studies, kind by kind as `dovetail help studies` lists them: each has help, outputs with units, a case tests/studies/KIND.yaml,
resumes, gives the same bits on 1, 2 and 3 ranks, and is in the report. [timeout: 300]"""
import os
import re
import signal
import subprocess
import sys
import time

import h5py

sys.dont_write_bytecode = True  # the source folder stays as it is
SOURCE = os.environ["DOVETAIL_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
import forked
from compare_results import differences, read

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_MPIEXEC"]
FOLDER, REPORT = os.path.join(SOURCE, "tests", "studies"), os.path.join(forked.SCRIPTS, "report")


def dovetail(*words, ranks=1):
    launch = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launch, PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"dovetail {' '.join(words)} at {ranks} ranks: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def kinds():
    """The first words of the indented lines."""
    return re.findall(r"^  (\w+) +\S", dovetail("help", "studies"), re.MULTILINE)


def compute(kind, *more, ranks=1):
    dovetail("run", os.path.join(FOLDER, f"{kind}.yaml"), "-q", "-o", f"{kind}.h5", *more, ranks=ranks)
    return read(f"{kind}.h5")


def check_help(kind):
    """Every key has a line of help below it, and what is found has units: `help results` leaves none without."""
    keys = dovetail("help", "studies", kind)
    assert re.match(rf"{kind}: \S", keys), f"no summary: {keys[:80]}"
    lines = [line for line in keys.splitlines() if line.startswith("  ") and line[2] != " "]
    assert lines and all(len(line.split(None, 1)) == 2 for line in lines), f"a key without help: {lines}"
    outputs = dovetail("help", "results", kind)
    assert f"/{kind}/" in outputs or f"/{kind}:" in outputs, f"no outputs: {outputs[:200]}"
    described = [line for line in outputs.splitlines() if re.match(r"  \S", line) and not line.startswith("  attributes of")]
    assert described and all(len(line.split()) >= 3 for line in described), f"an output without unit or help: {described}"


def check_units(kind):
    """Numbers of the result have a unit, or none where the help says `1`; what has several values says its dimensions."""
    without = {key.split("/")[-1] for key, unit in re.findall(r"^  (\S+)\s+(.+?)(?:  |$)", dovetail("help", "results", kind), re.MULTILINE) if unit.split()[0] == "1"}
    faults = []

    def look(name, item):
        if isinstance(item, h5py.Dataset):
            if item.dtype.kind == "f" and "unit" not in item.attrs and name.split("/")[-1] not in without:
                faults.append(f"{name} has no unit")
            if item.size > 1 and "dimensions" not in item.attrs:
                faults.append(f"{name} has no dimensions")

    with h5py.File(f"{kind}.h5") as file:
        assert kind in file and len(file[kind]), f"its case leaves nothing at /{kind}"
        file[kind].visititems(look)
    assert not faults, faults[:5]


def check_ranks(kind, one):
    for ranks in (2, 3):
        faults = differences(one, compute(kind, ranks=ranks))
        assert not faults, f"{ranks} ranks: {faults[:5]}"


def kill(kind):
    """A process that is killed as soon as its result is there, however far it has come."""
    path = f"{kind}.h5"
    os.remove(path)
    process = subprocess.Popen([PROGRAM, "run", os.path.join(FOLDER, f"{kind}.yaml"), "-q", "-o", path], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not os.path.exists(path):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()


def check_resume(kind, one):
    """Of a complete result, and of one whose program was killed."""
    faults = differences(one, compute(kind, "--resume"))
    assert not faults, f"resumed when it was complete: {faults[:5]}"
    kill(kind)
    faults = differences(one, compute(kind, "--resume"))
    assert not faults, f"resumed after a kill: {faults[:5]}"


def check_report(kind):
    page = f"{kind}.html"
    done = forked.run(REPORT, f"{kind}.h5", "-o", page)
    assert done.returncode == 0, done.stderr
    with h5py.File(f"{kind}.h5") as file, open(page, encoding="utf-8") as text:
        words = re.sub(r"<pre>.*?</pre>", "", text.read(), flags=re.DOTALL)  # without the case, which names everything
        assert "<h2" in words, "the report has no chapter"
        missing = [name for name in file[kind] if name not in words]
        assert not missing, f"the report does not name {missing}"


def check(kind):
    assert os.path.exists(os.path.join(FOLDER, f"{kind}.yaml")), f"there is no case tests/studies/{kind}.yaml for this kind of study"
    one = compute(kind)
    check_help(kind)
    check_units(kind)
    check_report(kind)
    check_ranks(kind, one)
    check_resume(kind, one)


def main():
    faults = []
    found = kinds()
    assert found, "no kinds of study are listed"
    for kind in found:
        try:
            check(kind)
        except (AssertionError, subprocess.CalledProcessError) as fault:
            faults.append(f"{kind}: {fault}")
    left = {name[: -len(".yaml")] for name in os.listdir(FOLDER) if name.endswith(".yaml")} - set(found)
    faults += [f"tests/studies/{name}.yaml: there is no such kind of study" for name in sorted(left)]
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
