"""runs.py - what a paper needs to be computed: cases with further studies, the program, the time each part takes."""
import contextlib
import glob
import importlib.util
import os
import shutil
import subprocess
import time

import yaml

from plots.result import Fault

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
TAIL = 4000  # letters shown of a program that failed


class Clock:
    """The seconds of each part."""

    def __init__(self):
        self.seconds = {}

    @contextlib.contextmanager
    def part(self, name):
        start = time.monotonic()
        yield
        self.seconds[name] = self.seconds.get(name, 0) + time.monotonic() - start

    def __str__(self):
        parts = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items())
        return f"seconds: {parts}; {sum(self.seconds.values()):.1f} in all"


def execute(command):
    done = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise Fault(f"`{' '.join(command)}` ended with exit code {done.returncode}: ...{(done.stdout + done.stderr)[-TAIL:]}")


def in_the_sources():
    """Whether this is the folder of the sources; else it is an installed one."""
    return os.path.exists(os.path.join(ROOT, "CMakeLists.txt"))


def find_program(program):
    """That of the user; else ours: the one that is installed, or in the sources that of build, built when it is missing."""
    if program:
        if not os.access(program, os.X_OK):
            raise Fault(f"{program}: is no program")
        return os.path.abspath(program)
    if not in_the_sources():
        ours = shutil.which("dovetail", path=os.path.join(os.path.dirname(os.path.dirname(ROOT)), "bin")) or shutil.which("dovetail")
        if not ours:
            raise Fault("there is no program `dovetail` on PATH; --program says where it is")
        return ours
    ours = os.path.join(ROOT, "build", "release", "dovetail")
    if not os.path.exists(ours):
        execute([os.path.join(ROOT, "scripts", "build"), "release", "dovetail"])
    return ours


def tools_of(case):
    """The python of a study of cases/: what it knows of the paper, and how it reads a decay."""
    specification = importlib.util.spec_from_file_location(case, os.path.join(ROOT, "cases", case, "checks.py"))
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def read_case(name, file="case.yaml"):
    """The case of a study of cases/, which may be written anywhere; with the keys of the file that it includes."""
    folder = os.path.join(ROOT, "cases", name)
    with open(os.path.join(folder, file), encoding="utf-8") as text:
        case = yaml.safe_load(text)
    if "include" in case:
        common = read_case(name, case.pop("include"))
        for key, value in case.items():
            common[key] = {**common.get(key, {}), **value} if isinstance(value, dict) else value
        return common
    if "mesh" in case:
        case["mesh"] = os.path.join(folder, case["mesh"])
    return case


def transient_of(case, name):
    """The transient study of this name."""
    return next(study["transient"] for study in case["studies"] if study.get("transient", {}).get("name") == name)


def write_case(case, folder, name):
    """Its file, in a folder of ours: an earlier one, and its results, make room."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".yaml")
    for old in glob.glob(glob.escape(os.path.join(folder, name)) + ".*"):
        if os.path.isfile(old):
            os.remove(old)
    with open(path, "w", encoding="utf-8") as file:
        yaml.safe_dump(case, file, sort_keys=False, default_flow_style=None, width=160)
    return path


def run_case(program, case, folder, name, ranks):
    """The result of a case, in a folder of ours."""
    path, result = write_case(case, folder, name), os.path.join(folder, name + ".h5")
    over = ["mpiexec", "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    execute([*over, program, "run", path, "-o", result, "--quiet"])
    return result
