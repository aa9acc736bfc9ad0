"""forked.py - runs programs of scripts/ that draw, each in a fork of this process, which has their modules already: importing them takes a second."""
import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
import traceback

SCRIPTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts")
sys.path.append(SCRIPTS)
import plots.chapters

assert plots.chapters  # with all that draws
begun = set()


def exit_code(path, words):
    """Of the program, run here."""
    sys.argv = [path, *words]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # as python would end
        traceback.print_exc()
        return 1
    return 0


def run_in_child(path, words, streams):
    for number, stream in streams.items():
        os.dup2(stream.fileno(), number)
    code = exit_code(path, words)
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def run(path, *words):
    """As subprocess.run with its output captured as text. A program's first run is a process of its own: it must find its modules itself."""
    if path not in begun:
        begun.add(path)
        return subprocess.run([sys.executable, path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            run_in_child(path, words, {0: nothing, 1: out, 2: err})
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
    return subprocess.CompletedProcess([path, *words], code, *texts)
