/*
  hand_out.c - bench_hand_out: how long a process takes to be given the next sample, while all others ask at the same time.

  Prints the number of processes, microseconds of one take, and takes a second of all together. With -serve_samples rank 0 answers the others.
*/
#include "../../src/ensemble/ensemble_private.h"
#include <petscsys.h>
#include <petsctime.h>
#include <stdio.h>

static PetscErrorCode Measure(PetscInt total, PetscReal *seconds, PetscInt *taken)
{
  PetscInt       first, count;
  HandOut       *out;
  PetscLogDouble start, end;

  PetscFunctionBegin;
  PetscCall(HandOutCreate(PETSC_COMM_WORLD, total, NULL, &out));
  PetscCall(PetscTime(&start));
  for (*taken = 0;; ++*taken) {
    PetscCall(HandOutTake(out, 1, &first, &count));
    if (count == 0) break;
  }
  PetscCall(PetscTime(&end));
  PetscCall(HandOutDestroy(&out));
  *seconds = end - start;
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  const PetscInt total = 200000;
  PetscReal      mine, longest;
  PetscInt       taken, sum;
  PetscMPIInt    size;

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(Measure(total, &mine, &taken));
  PetscCallMPI(MPI_Allreduce(&mine, &longest, 1, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Allreduce(&taken, &sum, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  PetscCheck(sum == total, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "%" PetscInt_FMT " numbers were given of %" PetscInt_FMT, sum, total);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d %g %g\n", size, 1e6 * longest * size / (PetscReal)total, (PetscReal)total / longest));
  PetscCall(PetscFinalize());
  return 0;
}
