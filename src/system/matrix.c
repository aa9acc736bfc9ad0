/* matrix.c - sums of sparse matrices, and their factors. */
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

PetscErrorCode MatrixFactor(Mat matrix, const char *prefix, KSP *ksp)
{
  PC        pc;
  PetscBool symmetric, known;

  PetscFunctionBegin;
  PetscCall(MatIsSymmetricKnown(matrix, &known, &symmetric));
  PetscCall(KSPCreate(PETSC_COMM_SELF, ksp));
  PetscCall(KSPSetOptionsPrefix(*ksp, prefix));
  PetscCall(KSPSetOperators(*ksp, matrix, matrix));
  PetscCall(KSPSetType(*ksp, KSPPREONLY));
  PetscCall(KSPGetPC(*ksp, &pc));
  PetscCall(PCSetType(pc, known && symmetric ? PCCHOLESKY : PCLU));
  PetscCall(KSPSetErrorIfNotConverged(*ksp, PETSC_TRUE));
  PetscCall(KSPSetFromOptions(*ksp));
  PetscCall(KSPSetUp(*ksp));
  PetscFunctionReturn(PETSC_SUCCESS);
}
