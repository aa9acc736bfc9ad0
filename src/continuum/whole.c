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

/* One of the two parts of a column. */
static PetscErrorCode MultiplyPart(Mat A, Vec x, Vec y, const PetscScalar from[], PetscScalar to[])
{
  PetscFunctionBegin;
  PetscCall(VecPlaceArray(x, from));
  PetscCall(VecPlaceArray(y, to));
  PetscCall(MatMult(A, x, y));
  PetscCall(VecResetArray(y));
  PetscCall(VecResetArray(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MultiplyColumnsBy(Mat A, PetscInt count, PetscInt shift, const PetscScalar from[], PetscInt stride_from, PetscScalar to[],
                                        PetscInt stride_to)
{
  Vec x, y;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(A, &x, &y));
  for (PetscInt c = 0; c < count; c++)
    PetscCall(MultiplyPart(A, x, y, from + (size_t)c * (size_t)stride_from + shift, to + (size_t)c * (size_t)stride_to + shift));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WholeMultiply(Mat A, Mat A_y, Mat X, Mat Y)
{
  const PetscScalar *from;
  PetscScalar       *to;
  PetscInt           num_rows, num_structure, count, stride_from, stride_to;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(A, &num_structure, NULL));
  PetscCall(MatGetLocalSize(X, &num_rows, NULL));
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatDenseGetLDA(X, &stride_from));
  PetscCall(MatDenseGetLDA(Y, &stride_to));
  PetscCall(MatDenseGetArrayRead(X, &from));
  PetscCall(MatDenseGetArrayWrite(Y, &to));
  PetscCall(MultiplyColumnsBy(A, count, 0, from, stride_from, to, stride_to));
  if (num_rows > num_structure) PetscCall(MultiplyColumnsBy(A_y, count, num_structure, from, stride_from, to, stride_to));
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
