"""machine.py - runs programs and measures them: seconds, memory, and how much of the machine others used meanwhile."""
import glob
import os
import platform
import re
import resource
import shutil
import subprocess
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
# One core for every process; MPI as root, for containers.
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
QUIET = 0.1  # cores that others may use on a quiet machine


class Fault(Exception):
    """A program that does not build, fails or says nothing that can be read."""


def say(text=""):
    print(text, flush=True)


def execute(command, tool=(), folder=None, **environment):
    """Standard output and error of a command run under a tool, and the seconds it took."""
    start = time.monotonic()
    done = subprocess.run([*tool, *command], env=dict(ENVIRONMENT, **environment), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    seconds = time.monotonic() - start
    if done.returncode != 0:
        raise Fault(f"{' '.join(command)}\nended with exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout, done.stderr, seconds


def execute_measured(command, ranks=1, **options):
    """Standard output and error, seconds, and the peak memory [MB], summed over the ranks, when the program `time` is there.

    A child of this process would count this process's own memory as its peak; a child of `time` does not.
    """
    start = [] if ranks == 1 else ["mpiexec", "-n", str(ranks)]
    tool = shutil.which("time")
    if not tool:
        return *execute([*start, *command], **options), None
    with tempfile.TemporaryDirectory() as folder:
        each = ["sh", "-c", f'exec {tool} -f %M -o {folder}/$$ "$0" "$@"']
        output, errors, seconds = execute([*start, *each, *command], **options)
        peaks = []
        for path in glob.glob(os.path.join(folder, "*")):
            with open(path, encoding="utf-8") as file:
                peaks.append(int(file.read().split()[-1]) / 1024)
    return output, errors, seconds, sum(peaks)


# The machine.


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"model name\s*: (.*)", file.read())
    return found.group(1) if found else platform.machine()


def used_cpu():
    """Seconds of processor time used so far: by the whole machine (or kept from it by its host), and by our own children."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system, _, _, irq, softirq, steal = (int(word) for word in file.readline().split()[1:9])
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK"), own.ru_utime + own.ru_stime


class Watch:
    """What of the machine was used since it was made."""

    def __init__(self):
        self.start, (self.all, self.own) = time.monotonic(), used_cpu()

    def own_seconds(self):
        """Processor time of our own children, which a busy machine changes little."""
        return used_cpu()[1] - self.own

    def others(self):
        """Cores that others used."""
        used, own = used_cpu()
        return max(0.0, (used - self.all - (own - self.own)) / (time.monotonic() - self.start))


def describe_machine():
    library = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    blas = re.search(r"libblas\.so\.3 .*=> (\S+)", library)
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "blas": os.path.realpath(blas.group(1)) if blas else "unknown",
        "load_average": os.getloadavg()[0],
    }


# Tables.


def shown(value, form):
    return "-" if value is None else format(value, form)


def print_table(table, texts):
    """Lines of cells, the first `texts` columns to the left, the others to the right."""
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    for line in table:
        say("  ".join(cell.ljust(width) if i < texts else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))).rstrip())
