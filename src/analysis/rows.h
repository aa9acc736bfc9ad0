/*
  rows.h - products with a few dense rows: the shape of everything that couples joints and coordinates.

  BLAS costs more to call than these take. Four rows at a time share the loads and stores of the vector; the vector lanes are
  written out, and all of it is inline, because compilers make long prologues of such short loops. Local.
*/
#pragma once
#include "base.h"

/* As wide as the registers of the machine that is compiled for. */
#if defined(__AVX__)
enum { ROWS_LANES = 4 };
#else
enum { ROWS_LANES = 2 };
#endif
enum { ROWS_GROUP = 4 };

typedef PetscReal RowsLanes __attribute__((vector_size(ROWS_LANES * sizeof(PetscReal)), aligned(sizeof(PetscReal)), may_alias));

static inline RowsLanes RowsLoad(const PetscReal *x)
{
  return *(const RowsLanes *)x;
}

static inline void RowsStore(PetscReal *x, RowsLanes lanes)
{
  *(RowsLanes *)x = lanes;
}

static inline PetscReal RowsSum(RowsLanes lanes)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < ROWS_LANES; i++) sum += lanes[i];
  return sum;
}

static inline PetscReal RowsTimesOne(PetscInt n, const PetscReal *row, const PetscReal *x)
{
  RowsLanes sums = {0.0};
  PetscReal sum;
  PetscInt  j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES) sums += RowsLoad(row + j) * RowsLoad(x + j);
  for (sum = RowsSum(sums); j < n; j++) sum += row[j] * x[j];
  return sum;
}

static inline void RowsTimesGroup(PetscInt n, const PetscReal *A, const PetscReal *x, PetscReal *y)
{
  const PetscReal *const r0 = A, *const r1 = A + n, *const r2 = A + 2 * n, *const r3 = A + 3 * n;
  RowsLanes s0 = {0.0}, s1 = {0.0}, s2 = {0.0}, s3 = {0.0};
  PetscInt  j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES) {
    const RowsLanes x_lanes = RowsLoad(x + j);

    s0 += RowsLoad(r0 + j) * x_lanes;
    s1 += RowsLoad(r1 + j) * x_lanes;
    s2 += RowsLoad(r2 + j) * x_lanes;
    s3 += RowsLoad(r3 + j) * x_lanes;
  }
  y[0] = RowsSum(s0);
  y[1] = RowsSum(s1);
  y[2] = RowsSum(s2);
  y[3] = RowsSum(s3);
  for (; j < n; j++) {
    y[0] += r0[j] * x[j];
    y[1] += r1[j] * x[j];
    y[2] += r2[j] * x[j];
    y[3] += r3[j] * x[j];
  }
}

/* y = A x for a row-major A [rows, n]. */
static inline void RowsTimes(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal y[])
{
  PetscInt i = 0;

  for (; i + ROWS_GROUP <= rows; i += ROWS_GROUP) RowsTimesGroup(n, A + i * n, x, y + i);
  for (; i < rows; i++) y[i] = RowsTimesOne(n, A + i * n, x);
}

static inline void RowsCombineOne(PetscInt n, const PetscReal *row, PetscReal f, PetscReal *y)
{
  PetscInt j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES) RowsStore(y + j, RowsLoad(y + j) + f * RowsLoad(row + j));
  for (; j < n; j++) y[j] += f * row[j];
}

static inline void RowsCombineGroup(PetscInt n, const PetscReal *A, const PetscReal f[], PetscReal *y)
{
  const PetscReal *const r0 = A, *const r1 = A + n, *const r2 = A + 2 * n, *const r3 = A + 3 * n;
  const PetscReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  PetscInt        j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES)
    RowsStore(y + j, RowsLoad(y + j) + (f0 * RowsLoad(r0 + j) + f1 * RowsLoad(r1 + j)) + (f2 * RowsLoad(r2 + j) + f3 * RowsLoad(r3 + j)));
  for (; j < n; j++) y[j] += (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
}

/* y = A^T f. */
static inline void RowsCombine(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[])
{
  PetscInt i = 0;

  for (PetscInt j = 0; j < n; j++) y[j] = 0.0;
  for (; i + ROWS_GROUP <= rows; i += ROWS_GROUP) RowsCombineGroup(n, A + i * n, f + i, y);
  for (; i < rows; i++) RowsCombineOne(n, A + i * n, f[i], y);
}
