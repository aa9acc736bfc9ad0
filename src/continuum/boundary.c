/* boundary.c - the motions that a reduction keeps, and whether they are fit: MUMPS would report neither fault checked here. */
#include "freedom.h"
#include "dense.h"
#include <petscblaslapack.h>

static const PetscReal independent = 1e-4; /* least sine of the angle between a row and those before it: beyond, Psi loses half its digits */

PetscErrorCode BoundaryCreate(const Continuum *continuum, Boundary *boundary)
{
  Vec          inverse;
  PetscScalar *value;
  PetscInt     first, end;

  PetscFunctionBegin;
  *boundary = (Boundary){.num_held = continuum->num_held};
  PetscCall(MatGetSize(continuum->R, &boundary->m, NULL));
  PetscCall(MatTranspose(continuum->R, MAT_INITIAL_MATRIX, &boundary->rows));
  PetscCall(PetscMalloc1(boundary->m, &boundary->length));
  PetscCall(MatGetColumnNorms(boundary->rows, NORM_2, boundary->length));
  PetscCall(MatCreateVecs(boundary->rows, &inverse, NULL));
  PetscCall(VecGetOwnershipRange(inverse, &first, &end));
  PetscCall(VecGetArrayWrite(inverse, &value));
  for (PetscInt j = first; j < end; j++) value[j - first] = boundary->length[j] > 0.0 ? 1.0 / boundary->length[j] : 0.0;
  PetscCall(VecRestoreArrayWrite(inverse, &value));
  PetscCall(MatDiagonalScale(boundary->rows, NULL, inverse));
  PetscCall(VecDestroy(&inverse));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundaryDestroy(Boundary *boundary)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&boundary->rows));
  PetscCall(PetscFree(boundary->length));
  PetscCall(PetscFree(boundary->rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundaryMotion(const Boundary *boundary, Mat X, PetscReal motion[])
{
  const PetscScalar *x, *weight;
  const PetscInt    *row;
  PetscInt           first, end, stride, num_columns, count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(X, NULL, &num_columns));
  PetscCall(PetscArrayzero(motion, (size_t)boundary->m * (size_t)num_columns));
  PetscCall(MatGetOwnershipRange(boundary->rows, &first, &end));
  PetscCall(MatDenseGetLDA(X, &stride));
  PetscCall(MatDenseGetArrayRead(X, &x));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatGetRow(boundary->rows, i, &count, &row, &weight));
    for (PetscInt e = 0; e < count; e++)
      for (PetscInt c = 0; c < num_columns; c++) motion[c * boundary->m + row[e]] += weight[e] * x[(size_t)c * (size_t)stride + (size_t)(i - first)];
    PetscCall(MatRestoreRow(boundary->rows, i, &count, &row, &weight));
  }
  PetscCall(MatDenseRestoreArrayRead(X, &x));
  PetscCall(SumOverRanks(boundary->rows, motion, (size_t)boundary->m * (size_t)num_columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundaryPush(const Boundary *boundary, const PetscReal l[], Mat forces)
{
  const PetscScalar *weight;
  PetscScalar       *force;
  const PetscInt    *row;
  PetscInt           first, end, stride, num_columns, count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(forces, NULL, &num_columns));
  PetscCall(MatGetOwnershipRange(boundary->rows, &first, &end));
  PetscCall(MatDenseGetLDA(forces, &stride));
  PetscCall(MatDenseGetArray(forces, &force));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatGetRow(boundary->rows, i, &count, &row, &weight));
    for (PetscInt e = 0; e < count; e++)
      for (PetscInt c = 0; c < num_columns; c++) force[(size_t)c * (size_t)stride + (size_t)(i - first)] += weight[e] * l[c * boundary->m + row[e]];
    PetscCall(MatRestoreRow(boundary->rows, i, &count, &row, &weight));
  }
  PetscCall(MatDenseRestoreArray(forces, &force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a row comes when rows are looked at: those that stay at rest before those that are kept. */
static PetscInt TurnOf(const Boundary *boundary, PetscInt row)
{
  return (row + boundary->num_held) % boundary->m;
}

static PetscInt RowOf(const Boundary *boundary, PetscInt turn)
{
  return (turn + boundary->m - boundary->num_held) % boundary->m;
}

/* Cosines between rows by their turns, [m, m]. */
static PetscErrorCode Cosines(const Boundary *boundary, PetscReal cosine[])
{
  const PetscInt     m = boundary->m, *row;
  const PetscScalar *weight;
  PetscInt           first, end, count;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(cosine, (size_t)m * (size_t)m));
  PetscCall(MatGetOwnershipRange(boundary->rows, &first, &end));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatGetRow(boundary->rows, i, &count, &row, &weight));
    for (PetscInt a = 0; a < count; a++)
      for (PetscInt b = 0; b < count; b++) cosine[TurnOf(boundary, row[a]) * m + TurnOf(boundary, row[b])] += weight[a] * weight[b];
    PetscCall(MatRestoreRow(boundary->rows, i, &count, &row, &weight));
  }
  PetscCall(SumOverRanks(boundary->rows, cosine, (size_t)m * (size_t)m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first with the largest share among `first`, ..., `end` - 1. */
static PetscInt LargestShare(const PetscReal share[], PetscInt first, PetscInt end)
{
  PetscInt largest = first;

  for (PetscInt j = first; j < end; j++)
    if (PetscAbsReal(share[j]) > PetscAbsReal(share[largest]) * (1.0 + 1e-6)) largest = j;
  return largest;
}

/* Of the turns before `turn`, the one with the largest share in the combination that gives it, those at rest first, if they have any;
   `factor` is theirs, by Cholesky. */
static PetscErrorCode FindPartner(const Boundary *boundary, const PetscReal factor[], const PetscReal cosine[], PetscInt turn, PetscInt *partner)
{
  const PetscInt     m = boundary->m, num_held = PetscMin(boundary->num_held, turn);
  const PetscBLASInt before = (PetscBLASInt)turn, one = 1, stride = (PetscBLASInt)m;
  PetscBLASInt       info;
  PetscInt           held;
  PetscReal         *share;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m, &share));
  PetscCall(PetscArraycpy(share, cosine + (size_t)turn * (size_t)m, m));
  LAPACKpotrs_("U", &before, &one, factor, &stride, share, &stride, &info);
  *partner = LargestShare(share, 0, turn);
  held     = LargestShare(share, 0, num_held);
  if (num_held && PetscAbsReal(share[held]) > independent * PetscAbsReal(share[*partner])) *partner = held;
  PetscCall(PetscFree(share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pivot of the Cholesky factor of the cosines is the sine of the angle between a row and all rows before it. */
static PetscErrorCode CheckRows(const Boundary *boundary, ContinuumFault *fault)
{
  const PetscInt m       = boundary->m;
  PetscBLASInt   size    = (PetscBLASInt)m, broken_off;
  PetscInt       partner = 0;
  PetscReal     *cosine, *factor;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < m; j++) {
    if (boundary->length[j] > 0.0) continue;
    fault->reason = CONTINUUM_EMPTY_ROW;
    fault->row    = j;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc2((size_t)m * (size_t)m, &cosine, (size_t)m * (size_t)m, &factor));
  PetscCall(Cosines(boundary, cosine));
  PetscCall(PetscArraycpy(factor, cosine, (size_t)m * (size_t)m));
  LAPACKpotrf_("U", &size, factor, &size, &broken_off);
  for (PetscInt j = 0; j < m; j++) {
    if (j + 1 != broken_off && factor[j * m + j] >= independent) continue;
    PetscCall(FindPartner(boundary, factor, cosine, j, &partner));
    fault->reason    = CONTINUUM_DEPENDENT_ROW;
    fault->row       = RowOf(boundary, j);
    fault->other_row = RowOf(boundary, partner);
    break;
  }
  PetscCall(PetscFree2(cosine, factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundaryCheckRows(const Boundary *boundary, ContinuumFault *fault)
{
  PetscFunctionBegin;
  if (boundary->m > 0) PetscCall(CheckRows(boundary, fault));
  PetscCallMPI(MPI_Bcast(fault, (PetscMPIInt)sizeof(*fault), MPI_BYTE, 0, PetscObjectComm((PetscObject)boundary->rows)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundaryCheck(Boundary *boundary, const Continuum *continuum, ContinuumFault *fault)
{
  PetscFunctionBegin;
  PetscCall(BoundaryCheckRows(boundary, fault));
  if (fault->reason == CONTINUUM_FINE && continuum->rigid) PetscCall(FreedomCheck(boundary, continuum, fault));
  PetscCallMPI(MPI_Bcast(fault, (PetscMPIInt)sizeof(*fault), MPI_BYTE, 0, PetscObjectComm((PetscObject)continuum->K)));
  PetscFunctionReturn(PETSC_SUCCESS);
}
