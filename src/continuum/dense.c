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

PetscErrorCode MultiplyColumns(Mat A, Mat X, Mat *product)
{
  PetscInt num_columns;
  Vec      x, y;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(X, MAT_DO_NOT_COPY_VALUES, product));
  PetscCall(MatGetSize(X, NULL, &num_columns));
  for (PetscInt c = 0; c < num_columns; c++) {
    PetscCall(MatDenseGetColumnVecRead(X, c, &x));
    PetscCall(MatDenseGetColumnVecWrite(*product, c, &y));
    PetscCall(MatMult(A, x, y));
    PetscCall(MatDenseRestoreColumnVecWrite(*product, c, &y));
    PetscCall(MatDenseRestoreColumnVecRead(X, c, &x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
