/* whole.c - motions of a continuum together with what its boundary is tied to. */
#include "whole.h"
#include "dense.h"

PetscErrorCode WholeCreateVec(Mat K, PetscInt p, Vec *motion)
{
  MPI_Comm    comm = PetscObjectComm((PetscObject)K);
  PetscInt    n, num_structure;
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(MatGetLocalSize(K, &num_structure, NULL));
  PetscCall(VecCreateMPI(comm, num_structure + (rank == size - 1 ? p : 0), n + p, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y of each column, behind u, by A_y. */
static PetscErrorCode MultiplyTied(Mat A_y, PetscInt count, const PetscScalar from[], PetscInt stride_from, PetscScalar to[], PetscInt stride_to)
{
  Vec x, y;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(A_y, &x, &y));
  for (PetscInt c = 0; c < count; c++) {
    PetscCall(VecPlaceArray(x, from + (size_t)c * (size_t)stride_from));
    PetscCall(VecPlaceArray(y, to + (size_t)c * (size_t)stride_to));
    PetscCall(MatMult(A_y, x, y));
    PetscCall(VecResetArray(y));
    PetscCall(VecResetArray(x));
  }
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WholeMultiply(const Product *A, Mat A_y, Mat X, Mat Y)
{
  const PetscScalar *from;
  PetscScalar       *to;
  const PetscInt     num_structure = ProductNumRows(A);
  PetscInt           num_rows, count, stride_from, stride_to;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(X, &num_rows, NULL));
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatDenseGetLDA(X, &stride_from));
  PetscCall(MatDenseGetLDA(Y, &stride_to));
  PetscCall(MatDenseGetArrayRead(X, &from));
  PetscCall(MatDenseGetArrayWrite(Y, &to));
  PetscCall(ProductColumns(A, count, from, stride_from, to, stride_to));
  if (num_rows > num_structure) PetscCall(MultiplyTied(A_y, count, from + num_structure, stride_from, to + num_structure, stride_to));
  PetscCall(MatDenseRestoreArrayWrite(Y, &to));
  PetscCall(MatDenseRestoreArrayRead(X, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WholeDivide(Mat X, PetscInt count, PetscInt p, Mat u, PetscReal y[])
{
  const PetscScalar *value;
  PetscScalar       *to;
  PetscInt           num_rows, num_structure, stride, stride_to;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(X, &num_rows, NULL));
  PetscCall(MatGetLocalSize(u, &num_structure, NULL));
  PetscCall(MatDenseGetLDA(X, &stride));
  PetscCall(MatDenseGetLDA(u, &stride_to));
  PetscCall(PetscArrayzero(y, (size_t)count * (size_t)p));
  PetscCall(MatDenseGetArrayRead(X, &value));
  PetscCall(MatDenseGetArrayWrite(u, &to));
  for (PetscInt c = 0; c < count; c++) {
    PetscCall(PetscArraycpy(to + (size_t)c * (size_t)stride_to, value + (size_t)c * (size_t)stride, num_structure));
    PetscCall(PetscArraycpy(y + (size_t)c * (size_t)p, value + (size_t)c * (size_t)stride + num_structure, num_rows - num_structure));
  }
  PetscCall(MatDenseRestoreArrayWrite(u, &to));
  PetscCall(MatDenseRestoreArrayRead(X, &value));
  PetscCall(SumOverRanks(X, y, (size_t)count * (size_t)p));
  PetscFunctionReturn(PETSC_SUCCESS);
}
