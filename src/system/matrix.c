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

/* PETSc takes a pivot for nothing when it is 2e-14, whatever the unit: beside small entries only what is that small in comparison. */
static PetscErrorCode JudgePivots(Mat matrix, PC pc)
{
  const PetscReal round_off = 100.0 * PETSC_MACHINE_EPSILON;
  PetscReal       largest;

  PetscFunctionBegin;
  PetscCall(MatNorm(matrix, NORM_INFINITY, &largest));
  PetscCall(PCFactorSetZeroPivot(pc, round_off * PetscMin(1.0, largest)));
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
  PetscCall(JudgePivots(matrix, pc));
  PetscCall(KSPSetErrorIfNotConverged(*ksp, PETSC_TRUE));
  PetscCall(KSPSetFromOptions(*ksp));
  PetscCall(KSPSetUp(*ksp));
  PetscFunctionReturn(PETSC_SUCCESS);
}
