"""test_ensemble_parts.py - samples of a case that are added to an earlier result, or computed in parts and merged, give the table of one run of all
of them to the last bit, and what cannot be united is refused in one line. [timeout: 300]"""
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
SOURCE = os.environ["DOVETAIL_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from compare_results import differences, read

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_MPIEXEC"]
with open(os.path.join(SOURCE, "tests", "every_status.yaml"), encoding="utf-8") as file:
    CASE = file.read().replace("steps: 3000", "steps: 300")


def write(name, samples, more="", case=CASE):
    with open(name, "w", encoding="utf-8") as file:
        file.write(case.replace("samples: 400", f"samples: {samples}{more}"))


def dovetail(*words, ranks=1, code=0):
    """Standard output and standard error."""
    command = [PROGRAM, *words]
    if ranks > 1:
        command = [MPIEXEC, "--oversubscribe", "-n", str(ranks)] + command
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0") if code == 2 or ranks > 1 else None  # a run that is refused ends where it stands
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def same(one, other):
    faults = differences(read(one), read(other))
    assert not faults, f"{one} and {other}: {faults[:5]}"


def seconds(path):
    with h5py.File(path) as file:
        return file["vary/samples/seconds"][:]


def remove(*names):
    for name in names:
        if os.path.exists(name):
            os.remove(name)


def added_samples(method, first, then):
    """Rows of the earlier result are not computed again; it is there no more, as the new one holds all of it."""
    remove("added.h5", "added.h5.1")
    write("few.yaml", first, f"\n  method: {method}")
    write("many.yaml", then, f"\n  method: {method}")
    dovetail("run", "few.yaml", "-q", "-o", "added.h5")
    before = seconds("added.h5")
    _, log = dovetail("run", "many.yaml", "-o", "added.h5", "--resume", ranks=2)
    assert f"{len(before)} samples are taken from the earlier result" in log, log
    dovetail("run", "many.yaml", "-q", "-o", "all.h5")
    same("all.h5", "added.h5")
    np.testing.assert_array_equal(seconds("added.h5")[: len(before)], before)
    assert not os.path.exists("added.h5.1")


def served():
    """Rank 0 answers the others, as it does where ranks are on several machines; a rank alone has nobody to serve."""
    for ranks in (1, 2, 4):
        remove("served.h5")
        dovetail("run", "many.yaml", "-q", "-o", "served.h5", "-serve_samples", ranks=ranks)
        same("all.h5", "served.h5")


def fewer_samples():
    """What the new result has no place for stays."""
    shutil.copy("all.h5", "fewer.h5")
    _, log = dovetail("run", "few.yaml", "-o", "fewer.h5", "--resume")
    assert "of fewer.h5.1 are none of these: it stays" in log, log
    assert os.path.exists("fewer.h5.1")
    remove("fewer.h5.1")


def other_statistics():
    """Percentiles and confidence change, and no sample is computed again."""
    write("other.yaml", 40, "\n  method: random\n  percentiles: [10, 20, 30, 40]\n  confidence: 0.9")
    shutil.copy("all.h5", "other.h5")
    before = seconds("other.h5")
    dovetail("run", "other.yaml", "-q", "-o", "other.h5", "--resume")
    np.testing.assert_array_equal(seconds("other.h5"), before)
    with h5py.File("other.h5") as file:
        values = np.sort(file["vary/samples/outputs"][:, 0])
        values = values[~np.isnan(values)]
        # percentiles are linear between sorted samples, as numpy's are
        np.testing.assert_allclose(file["vary/statistics/percentile"][0], np.percentile(values, [10, 20, 30, 40]), rtol=1e-12)


def hypercubes():
    """They cannot be extended: nothing is computed, and the earlier result stays as it is."""
    remove("cube.h5")
    write("cube.yaml", 10, "\n  method: latin_hypercube")
    write("larger.yaml", 20, "\n  method: latin_hypercube")
    dovetail("run", "cube.yaml", "-q", "-o", "cube.h5")
    before = read("cube.h5")
    for ranks in (1, 2):
        _, log = dovetail("run", "larger.yaml", "-q", "-o", "cube.h5", "--resume", ranks=ranks, code=2)
        wanted = "a Latin hypercube cannot be extended: cube.h5 has one of 10 samples; without --resume all are computed anew"
        assert sum("error: larger.yaml:" in line and line.endswith(wanted) for line in log.splitlines()) == 1, log
    assert not differences(before, read("cube.h5"))
    dovetail("run", "larger.yaml", "-q", "--part", "1/2", "-o", "part.h5")
    _, log = dovetail("merge", "cube.h5", "part.h5", "-o", "no.h5", code=2)
    assert log == "error: cube.h5: a Latin hypercube cannot be extended: it is one of 10 samples, part.h5 one of 20\n", log


def parts():
    """Each sample is in one part, and parts are as large as each other to one sample."""
    counts = []
    for part in (1, 2, 3):
        remove(f"many_part{part}.h5")
        dovetail("run", "many.yaml", "-q", "--part", f"{part}/3", ranks=part)
        with h5py.File(f"many_part{part}.h5") as file:
            counts.append(np.flatnonzero(file["vary/samples/status"][:]))
            assert file["case/complete"][()] == 1
            assert f"\n--part: {part}/3\n" in file["case"].attrs["values"].decode()
    assert sorted(np.concatenate(counts)) == list(range(40)) and max(map(len, counts)) - min(map(len, counts)) <= 1, counts
    remove("merged.h5")
    said, log = dovetail("merge", "many_part1.h5", "many_part2.h5", "many_part3.h5", "-o", "merged.h5", ranks=2)
    same("all.h5", "merged.h5")
    alone, warnings = dovetail("run", "many.yaml", "-q", "-o", "again.h5")
    assert said.split("result:")[0].splitlines()[1:] == alone[alone.index("\nvary:") :].split("result:")[0].splitlines()[1:], said
    assert log == next(line for line in warnings.splitlines(keepends=True) if "samples have warnings" in line), log


def a_part_that_is_resumed():
    """As the whole, which then takes its samples."""
    shutil.copy("many_part2.h5", "whole.h5")
    before = seconds("whole.h5")
    _, log = dovetail("run", "many.yaml", "-o", "whole.h5", "--resume")
    assert "samples are taken from the earlier result" in log, log
    same("all.h5", "whole.h5")
    known = ~np.isnan(before)
    np.testing.assert_array_equal(seconds("whole.h5")[known], before[known])


def missing_samples():
    """Are told, and computed by --resume; what was united has sums that hold."""
    remove("merged.h5")
    with h5py.File("many_part3.h5") as file:
        missing = np.count_nonzero(file["vary/samples/status"][:])
    _, log = dovetail("merge", "many_part1.h5", "many_part2.h5", "-o", "merged.h5", code=3)
    wanted = f"warning: {missing} of 40 samples are missing; run with --resume: `dovetail run CASE -o merged.h5 --resume` computes them\n"
    assert log == wanted, log
    _, log = dovetail("run", "many.yaml", "-o", "merged.h5", "--resume")
    assert "damaged" not in log and f"{40 - missing} samples are in the result already" in log, log
    same("all.h5", "merged.h5")


def damage_is_noticed():
    """A number of the united result is changed behind its sum: --resume computes the samples anew."""
    remove("merged.h5")
    dovetail("merge", "many_part1.h5", "many_part2.h5", "many_part3.h5", "-o", "merged.h5")
    with h5py.File("merged.h5", "r+") as file:
        file["vary/samples/outputs"][np.flatnonzero(file["vary/samples/status"][:] == 1)[7], 0] += 1e-9
    _, log = dovetail("run", "many.yaml", "-o", "merged.h5", "--resume")
    assert "rows of /vary/samples/outputs are damaged" in log, log
    same("all.h5", "merged.h5")


def numbers_of_samples():
    """Results with fewer samples are united with those of more."""
    dovetail("run", "few.yaml", "-q", "-o", "few.h5")
    remove("merged.h5", "rest.h5")
    dovetail("run", "many.yaml", "-q", "--part", "1/2", "-o", "rest.h5")
    dovetail("merge", "few.h5", "rest.h5", "-o", "merged.h5", code=3)
    with h5py.File("merged.h5") as file, h5py.File("few.h5") as few, h5py.File("rest.h5") as rest:
        status = file["vary/samples/status"][:]
        assert np.all(status[: len(few["vary/samples/status"])] > 0)
        np.testing.assert_array_equal(status[16:], rest["vary/samples/status"][16:])
    dovetail("run", "many.yaml", "-q", "-o", "merged.h5", "--resume")
    same("all.h5", "merged.h5")


def conflicts():
    """Rows that differ, other cases, other files: one line each, and nothing is written."""
    remove("no.h5")
    shutil.copy("all.h5", "changed.h5")
    with h5py.File("changed.h5", "r+") as file:
        file["vary/samples/outputs"][11, 0] *= 1 + 1e-12
        del file["case/sums"].attrs["datasets"]
    refused("changed.h5: cannot be merged: it is damaged: HDF5 cannot read all of it", "all.h5", "changed.h5")
    write("other_case.yaml", 40, "\n  method: random", CASE.replace("stiffness: 4e3", "stiffness: 5e3"))
    dovetail("run", "other_case.yaml", "-q", "-o", "other_case.h5")
    refused("other_case.h5: is not of the same case as all.h5: laws.slip.stiffness was 4000 [N/m], is now 5000 [N/m]", "all.h5", "other_case.h5")
    write("plain.yaml", 40, "", CASE[: CASE.index("vary:")])
    dovetail("run", "plain.yaml", "-q", "-o", "plain.h5")
    refused("plain.h5: cannot be merged: it has no samples: its case has no key `vary`", "plain.h5")
    refused("none.h5: cannot be merged: there is no such file", "all.h5", "none.h5")
    _, log = dovetail("merge", "all.h5", "-o", "all.h5", code=2)
    assert log == "error: all.h5: cannot be written: it is one of the results that are merged; choose another name with -o\n", log
    assert not os.path.exists("no.h5") and not os.path.exists("no.h5.tmp") and not os.path.exists("no.h5.lock")


def refused(line, *results):
    _, log = dovetail("merge", *results, "-o", "no.h5", code=2)
    assert log == f"error: {line}\n", log


def other_numbers():
    """A sample that two results have computed to other numbers, with right sums: as on machines that round otherwise."""
    write("loose.yaml", 40, "\n  method: random", CASE)
    shutil.copy("many_part1.h5", "loose.h5")
    with h5py.File("loose.h5") as file:
        sample = int(np.flatnonzero(file["vary/samples/status"][:] == 1)[3])
    change_behind_sums("loose.h5", sample)
    refused(f"loose.h5: the outputs of sample {sample + 1} are others than in all.h5: leave one of the two out", "all.h5", "loose.h5")


def change_behind_sums(path, sample):
    """A number in the table, and no sums of any block: they are not checked then."""
    with h5py.File(path, "r+") as file:
        file["vary/samples/outputs"][sample, 0] *= 1 + 1e-12
        file["case/sums"][:] = 0


def commands():
    """What the command line refuses."""
    for words, line in (
        (["run", "plain.yaml", "--part", "1/2", "-o", "no.h5"], "plain.yaml: --part is for cases with the key `vary`, whose samples it divides"),
        (["run", "many.yaml", "--part", "3/2"], "--part: expected a part of how many, as 3/10, found '3/2'"),
        (["run", "many.yaml", "--part", "0/2"], "--part: expected a part of how many, as 3/10, found '0/2'"),
        (["run", "many.yaml", "--part=3"], "--part: expected a part of how many, as 3/10, found '3'"),
        (["run", "many.yaml", "--part"], "--part: expected a part of how many, as 3/10, found nothing"),
        (["check", "many.yaml", "--part", "1/2"], "--part is not for `dovetail check`; see `dovetail help`"),
        (["merge", "all.h5"], "`dovetail merge` needs -o FILE, the result to write"),
        (["merge", "-o", "no.h5"], "`dovetail merge` needs a result; see `dovetail help`"),
    ):
        _, log = dovetail(*words, code=2)
        assert log.splitlines()[-1] == f"error: {line}", log


def main():
    added_samples("sobol", 16, 40)
    added_samples("sobol_indices", 4, 8)
    added_samples("random", 16, 40)
    served()
    fewer_samples()
    other_statistics()
    parts()
    a_part_that_is_resumed()
    missing_samples()
    damage_is_noticed()
    numbers_of_samples()
    hypercubes()
    conflicts()
    other_numbers()
    commands()


if __name__ == "__main__":
    main()
