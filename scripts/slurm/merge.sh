#!/usr/bin/env bash
#SBATCH --job-name=dovetail-merge
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
# merge.sh - the job behind an array: unites its parts into RESULT, and removes them when nothing is missing.
#   sbatch --dependency=afterok:ARRAY merge.sh RESULT PARTS
set -eu
[[ $# -eq 2 ]] || { echo "usage: sbatch --dependency=afterok:ARRAY merge.sh RESULT PARTS" >&2; exit 2; }
result=$1
parts=()
for ((i = 1; i <= $2; i++)); do
  [[ ! -e ${result%.h5}_part$i.h5 ]] || parts+=("${result%.h5}_part$i.h5")
done
[[ ${#parts[@]} -gt 0 ]] || { echo "${result%.h5}_part*.h5: there is none" >&2; exit 2; }
"${DOVETAIL:-dovetail}" merge "${parts[@]}" -o "$result"
rm -- "${parts[@]}"
