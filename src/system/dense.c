/* dense.c - small dense matrices that all ranks hold. */
#include "dense.h"

PetscErrorCode SumOverRanks(Mat like, PetscReal numbers[], size_t count)
{
  PetscMPIInt length;

  PetscFunctionBegin;
  PetscCall(PetscMPIIntCast((PetscInt)count, &length));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, numbers, length, MPIU_REAL, MPIU_SUM, PetscObjectComm((PetscObject)like)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void Symmetrise(PetscInt size, PetscInt count, PetscReal matrix[])
{
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < i; j++) {
      PetscReal *const lower = &matrix[i * size + j], *const upper = &matrix[j * size + i];

      *lower = *upper = 0.5 * (*lower + *upper);
    }
}
