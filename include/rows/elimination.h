/*
  elimination.h - linear equations of a few unknowns, others in each vector lane: Gaussian elimination with row exchanges.

  In each lane the operations, and their order, are those of one equation alone. Local.
*/
#pragma once
#include "rows/wide.h"

static inline void WideExchange(WideMask exchanged, Wide *a, Wide *b)
{
  const Wide kept = *a;

  *a = WideSelect(exchanged, *b, *a);
  *b = WideSelect(exchanged, kept, *b);
}

/* Brings the largest number of column k, from the diagonal on, to the diagonal: lane by lane, as each has it in a row of its own. */
static inline void WidePivot(PetscInt n, PetscInt k, PetscInt num_right, Wide A[], Wide b[])
{
  Wide most = WideAbs(A[k + k * n]), pivot = WideOf((PetscReal)k);

  for (PetscInt i = k + 1; i < n; i++) {
    const Wide     size   = WideAbs(A[i + k * n]);
    const WideMask larger = size > most;

    most  = WideSelect(larger, size, most);
    pivot = WideSelect(larger, WideOf((PetscReal)i), pivot);
  }
  for (PetscInt i = k + 1; i < n; i++) {
    const WideMask exchanged = pivot == (PetscReal)i;

    if (PetscLikely(!WideBits(exchanged))) continue;
    for (PetscInt j = k; j < n; j++) WideExchange(exchanged, &A[k + j * n], &A[i + j * n]);
    for (PetscInt r = 0; r < num_right; r++) WideExchange(exchanged, &b[k + r * n], &b[i + r * n]);
  }
}

/* A x = b for each of the right sides, in place; A [n, n] by columns, b [num_right, n]. Lanes whose equations have a solution; what others get
   means nothing. Hot. */
static inline WideMask WideEliminate(PetscInt n, PetscInt num_right, Wide A[], Wide b[])
{
  WideMask regular = ~(WideMask){0};

  for (PetscInt k = 0; k < n; k++) {
    WidePivot(n, k, num_right, A, b);
    regular &= A[k + k * n] != 0.0;
    for (PetscInt i = k + 1; i < n; i++) {
      const Wide factor = A[i + k * n] / A[k + k * n];

      for (PetscInt j = k + 1; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
      for (PetscInt r = 0; r < num_right; r++) b[i + r * n] -= factor * b[k + r * n];
    }
  }
  for (PetscInt r = 0; r < num_right; r++, b += n)
    for (PetscInt k = n - 1; k >= 0; k--) {
      for (PetscInt j = k + 1; j < n; j++) b[k] -= A[k + j * n] * b[j];
      b[k] /= A[k + k * n];
    }
  return regular;
}
