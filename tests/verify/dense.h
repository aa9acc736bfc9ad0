/*
  dense.h - a textbook integrator on dense matrices, for comparison: nothing of it is shared with the code under test.

  Matrices are row-major; those handed to LAPACK, which wants columns, are symmetric or copied.
*/
#pragma once
#include "check.h"
#include <petscblaslapack.h>

enum { DENSE_MAX = 16 };

typedef struct {
  PetscInt  n;
  PetscReal M[DENSE_MAX * DENSE_MAX], C[DENSE_MAX * DENSE_MAX], K[DENSE_MAX * DENSE_MAX];
} Dense;

/* A += k (e_j - e_i) (e_j - e_i)^T; i = -1 is the ground. */
static inline void DenseConnect(PetscInt n, PetscReal A[], PetscInt i, PetscInt j, PetscReal k)
{
  A[j * n + j] += k;
  if (i < 0) return;
  A[i * n + i] += k;
  A[i * n + j] -= k;
  A[j * n + i] -= k;
}

/* y += factor A x */
static inline void DenseAddProduct(PetscInt n, PetscReal factor, const PetscReal A[], const PetscReal x[], PetscReal y[])
{
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) y[i] += factor * A[i * n + j] * x[j];
}

/* A x = b, b becomes x. */
static inline void DenseSolve(PetscInt n, const PetscReal A[], PetscReal b[])
{
  PetscReal    columns[DENSE_MAX * DENSE_MAX];
  PetscBLASInt size = (PetscBLASInt)n, one = 1, info, pivots[DENSE_MAX];

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) columns[j * n + i] = A[i * n + j];
  LAPACKgesv_(&size, &one, columns, &size, pivots, b, &size, &info);
  assert_int_equal(info, 0);
}

/* K phi = omega^2 M phi with phi^T M phi = 1, ascending; shape k is phi[k * n], ... */
static inline void DenseModes(PetscInt n, const PetscReal K[], const PetscReal M[], PetscReal omega[], PetscReal phi[])
{
  PetscReal    mass[DENSE_MAX * DENSE_MAX], work[8 * DENSE_MAX];
  PetscBLASInt size = (PetscBLASInt)n, kind = 1, room = 8 * DENSE_MAX, info;

  for (PetscInt i = 0; i < n * n; i++) {
    mass[i] = M[i];
    phi[i]  = K[i];
  }
  LAPACKsygv_(&kind, "V", "U", &size, phi, &size, mass, &size, omega, work, &room, &info);
  assert_int_equal(info, 0);
  for (PetscInt k = 0; k < n; k++) omega[k] = sqrt(fmax(omega[k], 0.0));
}

/* C += M Phi diag(2 zeta omega) Phi^T M [eq. 25 of lacayo2017], the last ratio for all higher modes. */
static inline void DenseAddModalDamping(Dense *dense, const PetscReal K[], PetscInt num_ratios, const PetscReal ratios[])
{
  const PetscInt n = dense->n;
  PetscReal      omega[DENSE_MAX], phi[DENSE_MAX * DENSE_MAX];

  DenseModes(n, K, dense->M, omega, phi);
  for (PetscInt k = 0; k < n; k++) {
    PetscReal momentum[DENSE_MAX] = {0.0};

    DenseAddProduct(n, 1.0, dense->M, phi + k * n, momentum);
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n; j++) dense->C[i * n + j] += 2.0 * ratios[PetscMin(k, num_ratios - 1)] * omega[k] * momentum[i] * momentum[j];
  }
}
