/* matrix.c - sums of sparse matrices. */
#include "system.h"

PetscErrorCode MatrixAdd(Mat *sum, PetscReal factor, Mat matrix)
{
  Mat merged = *sum;

  PetscFunctionBegin;
  PetscCall(MatAXPY(merged, factor, matrix, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatDuplicate(merged, MAT_COPY_VALUES, sum));
  PetscCall(MatDestroy(&merged));
  PetscFunctionReturn(PETSC_SUCCESS);
}
