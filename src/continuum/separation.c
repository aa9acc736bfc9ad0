/* separation.c - fixed-interface modes that round-off has mixed are taken apart. */
#include "separation.h"
#include "dense.h"
#include <petscblaslapack.h>

enum { ROWS_AT_ONCE = 512 };

static const PetscReal small = 1e-6; /* share up to which the first order is all that doubles hold; larger ones belong to copies */

/* W, [modes, modes]; and K is without what it takes apart. */
static void FindShares(const Reduction *reduction, PetscReal W[])
{
  const PetscInt m = reduction->num_boundary, size = reduction->size, count = reduction->num_modes;

  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < i; j++) {
      PetscReal *const K = &reduction->K[(m + j) * size + m + i], M = reduction->M[(m + j) * size + m + i];
      const PetscReal  K_i = reduction->K[(m + i) * (size + 1)], K_j = reduction->K[(m + j) * (size + 1)];
      const PetscReal  share = (K_j * M - *K) / (K_i - K_j);

      if (!(PetscAbsReal(share) <= small)) continue;
      W[j * count + i] = share;
      W[i * count + j] = -M - share;
      *K = reduction->K[(m + i) * size + m + j] = 0.0;
    }
}

/* Phi (1 + W), some rows after others. */
static PetscErrorCode ChangeBasis(const Reduction *reduction, const PetscReal W[])
{
  const PetscBLASInt count = (PetscBLASInt)reduction->num_modes;
  const PetscReal    one   = 1.0;
  PetscScalar       *value, *copy;
  PetscInt           num_local, stride;
  PetscBLASInt       lead;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(reduction->basis, &num_local, NULL));
  PetscCall(MatDenseGetLDA(reduction->basis, &stride));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride), &lead));
  PetscCall(PetscMalloc1(ROWS_AT_ONCE * (size_t)count, &copy));
  PetscCall(MatDenseGetArray(reduction->basis, &value));
  for (PetscInt first = 0; first < num_local; first += ROWS_AT_ONCE) {
    const PetscBLASInt rows  = (PetscBLASInt)PetscMin(ROWS_AT_ONCE, num_local - first);
    PetscScalar *const modes = value + (size_t)reduction->num_boundary * (size_t)stride + (size_t)first;

    for (PetscInt k = 0; k < count; k++) PetscCall(PetscArraycpy(copy + (size_t)k * (size_t)rows, modes + (size_t)k * (size_t)stride, rows));
    BLASgemm_("N", "N", &rows, &count, &count, &one, copy, &rows, W, &count, &one, modes, &lead);
  }
  PetscCall(MatDenseRestoreArray(reduction->basis, &value));
  PetscCall(PetscFree(copy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* (1 + W)^T M (1 + W) */
static PetscErrorCode ChangeMass(const Reduction *reduction, const PetscReal W[])
{
  const PetscBLASInt size = (PetscBLASInt)reduction->size, count = (PetscBLASInt)reduction->num_modes;
  const PetscReal    one   = 1.0;
  PetscReal *const columns = reduction->M + (size_t)reduction->num_boundary * (size_t)size, *const rows = reduction->M + reduction->num_boundary;
  PetscReal *copy;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)size * (size_t)size, &copy));
  PetscCall(PetscArraycpy(copy, reduction->M, (size_t)size * (size_t)size));
  BLASgemm_("N", "N", &size, &count, &count, &one, copy + (columns - reduction->M), &size, W, &count, &one, columns, &size);
  PetscCall(PetscArraycpy(copy, reduction->M, (size_t)size * (size_t)size));
  BLASgemm_("T", "N", &count, &size, &count, &one, W, &count, copy + reduction->num_boundary, &size, &one, rows, &size);
  Symmetrise(size, size, reduction->M);
  PetscCall(PetscFree(copy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SeparateModes(Reduction *reduction)
{
  const size_t count = (size_t)reduction->num_modes;
  PetscReal   *W;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(count * count, &W));
  FindShares(reduction, W);
  PetscCall(ChangeBasis(reduction, W));
  PetscCall(ChangeMass(reduction, W));
  PetscCall(PetscFree(W));
  PetscFunctionReturn(PETSC_SUCCESS);
}
