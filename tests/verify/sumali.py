"""sumali.py - the Sumali beam of cases/ with other studies, for the tests that look at motions of a mesh."""
import os
import subprocess
import time

import h5py

PROGRAM, SOURCE = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_SOURCE"]
MESH = os.path.join(SOURCE, "meshes", "sumali.msh")
P1 = (0.254, -0.0254, 0)  # where its point p1 is, on the lower of two nodes


def write(path, studies):
    with open(os.path.join(SOURCE, "cases", "sumali", "case.yaml"), encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[: text.index("studies:")].replace("../../meshes", os.path.dirname(MESH)) + studies)


def command(*words, ranks=1):
    alone = [PROGRAM, *words]
    return alone if ranks == 1 else [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks), *alone]


def run(path, *words, ranks=1):
    subprocess.run(command("run", path, "-q", *words, ranks=ranks), check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def kill(case, result, name, step):
    """Starts a case on one rank and kills it when its run of that name is beyond a step and has saved itself: what it leaves can be resumed."""
    program = subprocess.Popen(command("run", case, "-q", "-o", result, "-save_interval", "0.01"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    begun, steps, saved = time.monotonic(), 0, f"{result}.restart/{name}.h5"
    while steps < step or not os.path.exists(saved):
        assert program.poll() is None, "it ended before it could be killed"
        assert time.monotonic() - begun < 60, "it does not get on"
        time.sleep(0.005)
        if os.path.exists(result):
            with h5py.File(result, locking=False) as file:
                steps = int(file[f"transient/{name}/steps"][0])
    program.kill()
    program.wait()
    assert os.path.exists(saved)
