"""screen.py - a screen of no hardware: ParaView of Debian draws with X only."""
import contextlib
import os
import shutil
import subprocess


def exists():
    """Whether there is something to make one with."""
    return shutil.which("Xvfb") is not None


@contextlib.contextmanager
def borrowed():
    """DISPLAY while it lasts. Xvfb finds a free number itself; xvfb-run looks for one first, and two at a time find the same.
    Without -noreset it is deaf for a moment when a window is closed, and who draws several may die of it."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise OSError(server.wait(), "could not be started", "Xvfb")
        os.environ["DISPLAY"] = f":{number}"
        yield
    finally:
        server.terminate()
        server.wait()
