"""test_slurm.py - the scripts for SLURM with programs in place of sbatch, srun and scontrol: jobs that reach their time limit go back into the queue and
go on, the parts of an array are merged by a dependent job, and the results are those of a plain run. [timeout: 300]"""
import os
import shutil
import stat
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
SOURCE = os.environ["DOVETAIL_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from compare_results import differences, read

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
SLURM = os.path.join(SOURCE, "scripts", "slurm")

# A job runs at once, from a copy of its script as under SLURM; it is run again when it was put back, and not at all after a job that failed.
SBATCH = r"""#!/usr/bin/env bash
set -u
tasks=0 dependency= ranks=1
while [[ ${1-} == --* ]]; do
  case $1 in
  --array=*) tasks=${1#--array=1-} ;;
  --dependency=afterok:*) dependency=${1##*:} ;;
  --ntasks=*) ranks=${1#*=} ;;
  esac
  echo "sbatch $1" >>"$FAKE/log"
  shift
done
grep -q '^#SBATCH --' "$1" || exit 1
id=$(($(cat "$FAKE/jobs" 2>/dev/null || echo 100) + 1))
echo $id >"$FAKE/jobs"
echo $id
[[ -z $dependency || ! -e $FAKE/failed$dependency ]] || { echo "job $id never runs" >>"$FAKE/log"; exit 0; }
script=$FAKE/script$id
cp "$1" "$script"; chmod +x "$script"; shift
one() { # JOB as scontrol names it, its turns
  local turn=0
  while :; do
    rm -f "$FAKE/requeued"
    SLURM_JOB_ID=$id SLURM_RESTART_COUNT=$turn FAKE_RANKS=$ranks "$script" "${words[@]}" >>"$FAKE/job$1.out" 2>&1
    code=$?
    echo "job $1 turn $turn code $code" >>"$FAKE/log"
    [[ -e $FAKE/requeued && $(cat "$FAKE/requeued") == "$1" ]] || break
    turn=$((turn + 1))
  done
  [[ $code -eq 0 ]] || touch "$FAKE/failed$id"
}
words=("$@")
if [[ $tasks -eq 0 ]]; then one "$id"; exit 0; fi
for ((t = 1; t <= tasks; t++)); do
  export SLURM_ARRAY_JOB_ID=$id SLURM_ARRAY_TASK_ID=$t SLURM_ARRAY_TASK_COUNT=$tasks
  one "${id}_$t"
done
"""

# The signal comes in the first turns, some time after the result was locked: before, it ends the program at once.
SRUN = r"""#!/usr/bin/env bash
set -u
while [[ ${1-} == -* ]]; do shift; done
for ((i = 1; i < $#; i++)); do [[ ${!i} != -o ]] || { next=$((i + 1)); result=${!next}; }; done
if [[ $FAKE_RANKS -gt 1 ]]; then "$DOVETAIL_MPIEXEC" --quiet --oversubscribe -n "$FAKE_RANKS" "$@" & else "$@" & fi
pid=$!
if [[ $SLURM_RESTART_COUNT -lt ${FAKE_LIMITS:-0} ]]; then
  while [[ ! -e $result.lock && -d /proc/$pid ]]; do sleep 0.01; done
  sleep "$FAKE_SECONDS"
  kill -USR1 $pid 2>/dev/null # mpiexec hands it on to its ranks
fi
wait $pid
code=$?
wait
exit $code
"""

SCONTROL = r"""#!/usr/bin/env bash
[[ $1 == requeue && $# -eq 2 ]] || exit 1
echo "$2" >"$FAKE/requeued"
"""


def make_slurm(folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in (("sbatch", SBATCH), ("srun", SRUN), ("scontrol", SCONTROL)):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def submit(state, *words, code=0, **settings):
    """What it prints, the log of the jobs, and what they printed."""
    os.makedirs(state)
    environment = dict(os.environ, PATH=f"{os.path.abspath('slurm')}:{os.environ['PATH']}", FAKE=os.path.abspath(state), DOVETAIL=PROGRAM,
                       ASAN_OPTIONS="detect_leaks=0",  # of runs that are refused, and of several ranks
                       **settings)
    done = subprocess.run([os.path.join(SLURM, "submit"), *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    log = open(os.path.join(state, "log"), encoding="utf-8").read() if os.path.exists(os.path.join(state, "log")) else ""
    said = "".join(open(os.path.join(state, name), encoding="utf-8").read() for name in sorted(os.listdir(state)) if name.endswith(".out"))
    return done.stdout, done.stderr, log, said


def same(path, right="right.h5"):
    faults = differences(read(right), read(path))
    assert not faults, f"{path}: {faults[:5]}"


def write(name, samples, change=("", "")):
    with open(os.path.join(SOURCE, "tests", "every_status.yaml"), encoding="utf-8") as file:
        text = file.read().replace("samples: 400", f"samples: {samples}").replace(*change)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def time_limits():
    """Of a job on one rank, and on two, which comes after a while: it goes back into the queue until it is done."""
    for ranks in (1, 2):
        result = f"limited{ranks}.h5"
        out, _, log, said = submit(f"state{ranks}", f"--ntasks={ranks}", "--time=1:00", "case.yaml", result, FAKE_LIMITS="2", FAKE_SECONDS="0.3")
        assert out == "101\n" and "sbatch --time=1:00\n" in log, out + log
        assert "turn 0" in log and "job 101 turn 0 code 0" in log and "not finished: back into the queue" in said and "--resume" in said, log + said
        same(result)


def too_many_turns():
    _, _, log, said = submit("turns", "case.yaml", "turns.h5", FAKE_LIMITS="9", FAKE_SECONDS="0.3", DOVETAIL_MOST_TURNS="1")
    assert "job 101 turn 0 code 3" in log and "not finished after 1 turns" in said, log + said


def array():
    """Three parts, each of which reaches its limit once, and the job that merges them."""
    out, _, log, said = submit("array", "--parts", "3", "--nodes=1", "case.yaml", "array.h5", FAKE_LIMITS="1", FAKE_SECONDS="0.3")
    assert out == "101\n102\n" and "sbatch --array=1-3\n" in log and "sbatch --dependency=afterok:101\n" in log, out + log
    for part in (1, 2, 3):
        assert f"job 101_{part} turn 0 code 0\n" in log, log
    assert "turn 1" in log and "job 102 turn 0 code 0" in log and "result: array.h5" in said, log + said
    same("array.h5")
    assert not [name for name in os.listdir() if "array_part" in name]


def more_samples():
    """The parts take what the merged result has."""
    write("more.yaml", 1000)
    subprocess.run([PROGRAM, "run", "more.yaml", "-q", "-o", "more_right.h5"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    _, _, log, said = submit("more", "--parts=2", "more.yaml", "array.h5")
    assert "job 102 turn 0 code 0" in log, log + said
    same("array.h5", "more_right.h5")


def faults():
    """A case that is refused is not tried again, and nothing is merged after it."""
    write("wrong.yaml", 10, ("mass: 2", "mass: -2"))
    _, _, log, said = submit("wrong", "--parts", "2", "wrong.yaml")
    assert "job 101_1 turn 0 code 2" in log and "job 102 never runs" in log and "mass: must be at least 0 kg, got -2" in said, log + said
    for words, line in (
        (["none.yaml"], "submit: none.yaml: cannot be read"),
        (["--parts", "0", "case.yaml"], "submit: --parts: expected a whole number from 1, found '0'"),
        (["--nodes", "2", "case.yaml"], "submit: options of sbatch are written --OPTION=VALUE, found '--nodes'"),
        (["a", "b", "c"], "submit: expected CASE [RESULT], found 3 words; see --help"),
    ):
        _, complaint, _, _ = submit(f"fault{len(line)}", *words, code=2)
        assert complaint == f"{line}\n", complaint


def main():
    shutil.rmtree("work", ignore_errors=True)
    os.mkdir("work")
    os.chdir("work")
    make_slurm("slurm")
    write("case.yaml", 800)
    subprocess.run([PROGRAM, "run", "case.yaml", "-q", "-o", "right.h5"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    time_limits()
    too_many_turns()
    array()
    more_samples()
    faults()


if __name__ == "__main__":
    main()
