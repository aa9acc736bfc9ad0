/* mac.c - how much modes resemble each other: the modal assurance criterion, weighted by mass. */
#include "modes.h"

/* Adds A^T M B of the columns of two dense matrices, of the rows that this rank has: sum[columns of A, columns of B]. */
static PetscErrorCode AddProducts(Mat A, Mat M, Mat B, PetscReal sum[])
{
  Mat              weighed, own, own_weighed, product;
  const PetscReal *value;
  PetscInt         rows, columns;

  PetscFunctionBegin;
  PetscCall(MatMatMult(M, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &weighed));
  PetscCall(MatDenseGetLocalMatrix(A, &own));
  PetscCall(MatDenseGetLocalMatrix(weighed, &own_weighed));
  PetscCall(MatTransposeMatMult(own, own_weighed, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
  PetscCall(MatGetSize(product, &rows, &columns));
  PetscCall(MatDenseGetArrayRead(product, &value));
  for (PetscInt i = 0; i < rows; i++)
    for (PetscInt j = 0; j < columns; j++) sum[(size_t)i * (size_t)columns + (size_t)j] += value[(size_t)j * (size_t)rows + (size_t)i];
  PetscCall(MatDenseRestoreArrayRead(product, &value));
  PetscCall(MatDestroy(&product));
  PetscCall(MatDestroy(&weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddOfUnknowns(const System *system, const Modes *first, const Modes *second, PetscReal sum[])
{
  const PetscInt n = system->num_unknowns;
  Mat            A, B;

  PetscFunctionBegin;
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, n, first->count, first->shape, &A));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, n, second->count, second->shape, &B));
  PetscCall(AddProducts(A, system->M, B, sum));
  PetscCall(MatDestroy(&A));
  PetscCall(MatDestroy(&B));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a mesh that is not reduced, whose columns may be more than those that are asked for. */
static PetscErrorCode AddOfFields(const System *system, const Modes *first, const Modes *second, PetscReal sum[])
{
  const PetscInt size = first->count * second->count;
  PetscReal     *share;
  Mat            A, B;

  PetscFunctionBegin;
  if (!first->field || !second->field) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(size, &share));
  PetscCall(MatDenseGetSubMatrix(second->field, PETSC_DECIDE, PETSC_DECIDE, 0, second->count, &B));
  PetscCall(MatDenseGetSubMatrix(first->field, PETSC_DECIDE, PETSC_DECIDE, 0, first->count, &A));
  PetscCall(AddProducts(A, system->continuum->M, B, share));
  PetscCall(MatDenseRestoreSubMatrix(first->field, &A));
  PetscCall(MatDenseRestoreSubMatrix(second->field, &B));
  PetscCallMPI(MPIU_Allreduce(MPI_IN_PLACE, share, (PetscMPIInt)size, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD));
  for (PetscInt i = 0; i < size; i++) sum[i] += share[i];
  PetscCall(PetscFree(share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesMac(const System *system, const Modes *first, const Modes *second, PetscReal mac[])
{
  const PetscInt size = first->count * second->count;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(mac, size));
  PetscCall(AddOfUnknowns(system, first, second, mac));
  PetscCall(AddOfFields(system, first, second, mac));
  for (PetscInt i = 0; i < size; i++) mac[i] = PetscSqr(mac[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}
