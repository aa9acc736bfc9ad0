"""test_motion_fields.py - motions on the mesh at the times asked for: whatever happens to the program, however many ranks it has. [timeout: 300]

That they are the right motions at the right places is seen by test_paraview.py.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

EXIT_INPUT, EXIT_NATURE = 2, 3
PATIENCE = 120  # seconds
HIT = """studies:
  - transient:
      name: hit
      time_step: 5e-6
      steps: {steps}
      every: {every}
      load: {{ half_sine: {{ point: p1, direction: z, mode: 9 }} }}
      {more}
"""
LONG = {"steps": 1500000, "every": 50000, "more": "runs: [{ level: [133.5, 1779] }]\n      fields: { every: 50000, velocity: yes }"}
SERIES = [f"beam_hit_{run}.xdmf{ending}" for run in (1, 2) for ending in ("", ".h5")]


def begin(folder, **request):
    """An empty folder with the case, into which the test goes."""
    os.chdir(HOME)
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    os.chdir(folder)
    sumali.write("beam.yaml", HIT.format(**request))


def bytes_of(names):
    return {name: open(name, "rb").read() for name in names}


def series(name):
    """Times, nodes, fields of a motion, as its numbers and as its text have them."""
    with h5py.File(f"{name}.xdmf.h5") as file:
        times, points = file["XDMF/Time"][:], file["XDMF/PointData"]
        fields = {field: np.array([points[field][f"{i:06d}"][:] for i in range(len(times))]) for field in points if field != "node"}
        assert all(len(points[field]) == len(times) for field in fields)
    with open(f"{name}.xdmf", encoding="utf-8") as file:
        text = file.read()
    assert [float(told) for told in re.findall(r'<Time Value="([^"]+)"', text)] == list(times)
    assert all(f"{name}.xdmf.h5:/XDMF/PointData/{field}/{i:06d}<" in text for field in fields for i in range(len(times)))
    return times, fields


def ask(more, steps=1000):
    begin("ask", steps=steps, every=1, more=more)
    sumali.run("beam.yaml")


def check_choice():
    """Times are those of the nearest steps; a window has its ends; the chosen run alone is written."""
    ask("fields: { times: [0, 1.002e-3, 2.4976e-3, 5e-3] }")
    times, fields = series("beam_hit")
    assert list(fields) == ["displacement"] and np.allclose(times, [0, 1e-3, 2.5e-3, 5e-3], rtol=1e-12)
    assert not fields["displacement"][0].any() and fields["displacement"][1].any()
    ask("runs: [{ level: [1, 2] }]\n      fields: { every: 30, from: 1.5e-3, to: 2.1e-3, runs: hit_2 }")
    assert np.allclose(series("beam_hit_2")[0], np.arange(300, 421, 30) * 5e-6, rtol=1e-12)
    assert not os.path.exists("beam_hit_1.xdmf")


def check_dampers():
    """Also where damping couples the modes: the point moves as one of the two nodes there does."""
    begin("dampers", steps=1000, every=10, more="fields: { every: 10, velocity: yes }")
    with open("beam.yaml", "a", encoding="utf-8") as file:
        file.write("dampers: [{ between: [bolt1_lower, bolt1_upper], direction: y, damping: 1e3 }]\n")
    sumali.run("beam.yaml")
    _, fields = series("beam_hit")
    with h5py.File("beam_hit.xdmf.h5") as file:
        here = np.flatnonzero(np.linalg.norm(file["XDMF/Points"][:] - sumali.P1, axis=1) < 1e-9)
    with h5py.File("beam.h5") as file:
        for name, values in fields.items():
            wanted = file[f"transient/hit/points/p1/{name}"][:, :3]
            assert min(np.abs(values[:, node] - wanted).max() for node in here) < 1e-12 * np.abs(wanted).max() and np.abs(wanted).max() > 0


def check_ranks():
    found = []
    for ranks in (1, 2, 3):
        begin(f"ranks_{ranks}", steps=2000, every=1, more="runs: [{ level: [133.5, 1779] }]\n      fields: { every: 100, velocity: yes }")
        sumali.run("beam.yaml", ranks=ranks)
        found.append([series(f"beam_hit_{run}") for run in (1, 2)])
    for run in (0, 1):
        for times, fields in (other[run] for other in found[1:]):
            assert np.array_equal(times, found[0][run][0])
            for name, values in fields.items():
                wanted = found[0][run][1][name]
                assert np.abs(values - wanted).max() < 1e-7 * np.abs(wanted).max(), f"{name}: {np.abs(values - wanted).max()}"


def start_and_wait():
    """The program at work: some snapshots are in the result and more will come."""
    program = subprocess.Popen(sumali.command("run", "beam.yaml", "-q", "-save_interval", "0.02"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    given_up = time.monotonic() + PATIENCE
    while program.poll() is None and time.monotonic() < given_up:
        if os.path.exists("beam.h5"):
            with h5py.File("beam.h5") as file:
                if np.isfinite(file["transient/hit_2/fields/time"][3]):
                    return program
        time.sleep(0.005)
    raise AssertionError(f"it could not be caught at work; it ended with {program.poll()}: {program.communicate()[1]}")


def check_resumed(wanted):
    """The same bytes as unbroken, and nothing else left behind."""
    sumali.run("beam.yaml", "--resume")
    assert bytes_of(SERIES) == wanted, [name for name, content in bytes_of(SERIES).items() if content != wanted[name]]
    assert sorted(os.listdir()) == sorted(["beam.yaml", "beam.h5", *SERIES]), os.listdir()


def check_broken_off():
    begin("unbroken", **LONG)
    sumali.run("beam.yaml")
    wanted = bytes_of(SERIES)
    for name in SERIES:
        os.remove(name)
    check_resumed(wanted)  # as after a kill while they are written
    for ending in (signal.SIGKILL, signal.SIGTERM):
        begin(ending.name, **LONG)
        program = start_and_wait()
        program.send_signal(ending)
        program.communicate(timeout=PATIENCE)
        assert program.returncode == (EXIT_NATURE if ending == signal.SIGTERM else -signal.SIGKILL), program.returncode
        assert not glob.glob("*.xdmf*")
        check_resumed(wanted)


def check_stopped():
    """A run that nature stops leaves the motion until then."""
    begin("stopped", steps=4000, every=1, more="max_iterations: 1\n      tolerance: 1e-15\n      runs: [{ level: 1e7, time_step: 1e-4 }]\n      fields: { every: 1 }")
    done = subprocess.run(sumali.command("run", "beam.yaml", "-q"), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    with h5py.File("beam.h5") as file:
        steps, reason = int(file["transient/hit/steps"][0]), file["transient/hit/reason"][0]
    assert done.returncode == EXIT_NATURE and 0 <= steps < 4000 and reason.startswith(b"stopped"), (done, steps, reason)
    assert len(series("beam_hit")[0]) == steps + 1


def check_refusal():
    """Of a place that is taken, before anything is computed; and of a name that ParaView could not read."""
    begin("refused", **LONG)
    with open("beam_hit_2.xdmf", "w", encoding="utf-8") as file:
        file.write("measured in May")
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
    for words, message in ((["-o", "beam.h5"], "error: beam_hit_2.xdmf: is not a file of fields (XDMF) and will not be replaced"),
                           (["-o", "a:b.h5"], "error: a:b_hit_1.xdmf: a name with ':' or '|' makes ParaView crash")):
        done = subprocess.run(sumali.command("run", "beam.yaml", "-q", *words), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == EXIT_INPUT and done.stderr.startswith(message) and done.stderr.count("\n") == 1, done
    assert sorted(os.listdir()) == ["beam.yaml", "beam_hit_2.xdmf"], os.listdir()


HOME = os.getcwd()
check_choice()
check_dampers()
check_ranks()
check_broken_off()
check_stopped()
check_refusal()
