#!/usr/bin/env bash
#SBATCH --job-name=dovetail
#SBATCH --time=04:00:00
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append
# job.sh - a job that computes a case, on one node or on many, or one part of its samples as a task of an array.
#   sbatch [OPTIONS] job.sh CASE RESULT
# Three minutes before the time limit SLURM sends SIGUSR1 to all ranks: dovetail saves what it has, and the job puts itself back into the queue, where it
# goes on with --resume. A task of an array writes RESULT with _partN in its name. scripts/slurm/README.md has more.
set -u
[[ $# -eq 2 ]] || { echo "usage: sbatch job.sh CASE RESULT" >&2; exit 2; }
case=$1
result=$2
dovetail=${DOVETAIL:-dovetail}
most_turns=${DOVETAIL_MOST_TURNS:-50}
turn=${SLURM_RESTART_COUNT:-0}
words=(-q)

# One thread of BLAS for each rank: ranks are the parallel unit.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

job=${SLURM_JOB_ID:?this script is for sbatch}
if [[ -n ${SLURM_ARRAY_TASK_ID:-} ]]; then
  job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  whole=$result
  result=${result%.h5}_part$SLURM_ARRAY_TASK_ID.h5
  [[ -e $result || ! -e $whole ]] || cp "$whole" "$result" # with fewer samples: the part takes them from it
  words+=(--part "$SLURM_ARRAY_TASK_ID/${DOVETAIL_PARTS:-$SLURM_ARRAY_TASK_COUNT}")
fi
[[ ! -e $result ]] || words+=(--resume)

echo "turn $turn on ${SLURM_JOB_NODELIST:-this machine}: $dovetail run $case -o $result ${words[*]}"
# shellcheck disable=SC2086  # options are words
srun ${DOVETAIL_SRUN:-} "$dovetail" run "$case" -o "$result" "${words[@]}"
code=$?
[[ $code -eq 3 ]] || exit "$code"

# Stopped before the end: by the signal, or because a motion did not go on, which another turn would not change.
if "$dovetail" info "$result" | sed -n 1,12p | grep -q incomplete; then
  if ((turn + 1 < most_turns)); then
    echo "not finished: back into the queue"
    exec scontrol requeue "$job"
  fi
  echo "not finished after $most_turns turns (DOVETAIL_MOST_TURNS): submit it again to go on" >&2
  exit 3
fi
echo "finished; some runs stopped before their end, the result says why"
exit 0
