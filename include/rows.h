/*
  rows.h - products with a few dense rows: the shape of everything that couples joints and coordinates.

  BLAS costs more to call than these take. Four rows at a time share the loads and stores of the vector; the vector lanes are
  written out, and all of it is inline, because compilers make long prologues of such short loops. Local.
*/
#pragma once
#include <stdint.h>
#include "base.h"

/* As wide as the registers of the machine that is compiled for. */
#if defined(__AVX__)
enum { ROWS_LANES = 4 };
#else
enum { ROWS_LANES = 2 };
#endif
enum { ROWS_GROUP = 4 };

/* What runs in lanes is padded with zeros to whole ones, the same on every machine, so that a state can move. */
enum { ROWS_PADDING = 4 };

static inline PetscInt RowsPadded(PetscInt n)
{
  return (n + ROWS_PADDING - 1) / ROWS_PADDING * ROWS_PADDING;
}

/* A padded length, in a form that lets compilers leave out the loops over what remains. */
static inline PetscInt RowsWhole(PetscInt n)
{
  return n & ~(ROWS_PADDING - 1);
}

typedef PetscReal RowsLanes __attribute__((vector_size(ROWS_LANES * sizeof(PetscReal)), aligned(sizeof(PetscReal)), may_alias));
typedef int64_t   RowsMask __attribute__((vector_size(ROWS_LANES * sizeof(int64_t)), aligned(sizeof(int64_t)), may_alias)); /* 0 or -1 */

static inline RowsLanes RowsLoad(const PetscReal *x)
{
  return *(const RowsLanes *)x;
}

static inline void RowsStore(PetscReal *x, RowsLanes lanes)
{
  *(RowsLanes *)x = lanes;
}

/* Numbers in a register are what they are: nothing that made them becomes part of what is made of them. */
#if defined(__AVX512VL__)
  #define ROWS_SETTLE(lanes) __asm__("" : "+v"(lanes))
#elif defined(__x86_64__)
  #define ROWS_SETTLE(lanes) __asm__("" : "+x"(lanes))
#elif defined(__aarch64__)
  #define ROWS_SETTLE(lanes) __asm__("" : "+w"(lanes))
#else
  #define ROWS_SETTLE(lanes)
#endif

/* A product to which another is added. Compilers fuse products and sums, one of two at will; what must be the same to the last bit wherever it
   is computed leaves them no choice. */
static inline RowsLanes RowsRounded(RowsLanes x)
{
  ROWS_SETTLE(x);
  return x;
}

static inline PetscReal RowsRoundedOne(PetscReal x)
{
  ROWS_SETTLE(x);
  return x;
}

static inline PetscReal RowsSum(RowsLanes lanes)
{
#if defined(__AVX__)
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
#else
  return lanes[0] + lanes[1];
#endif
}

static inline RowsLanes RowsSelect(RowsMask mask, RowsLanes yes, RowsLanes no)
{
  return (RowsLanes)((mask & (RowsMask)yes) | (~mask & (RowsMask)no));
}

static inline RowsLanes RowsAbs(RowsLanes x)
{
  return (RowsLanes)((RowsMask)x & INT64_MAX);
}

/* The larger; not-a-number comes through, also that which is in `most` already. */
static inline RowsLanes RowsMax(RowsLanes most, RowsLanes x)
{
  return RowsSelect(~(x <= most) & (most <= PETSC_MAX_REAL), x, most);
}

static inline PetscReal RowsLargest(RowsLanes x)
{
  PetscReal most = x[0];

  for (PetscInt i = 1; i < ROWS_LANES; i++) most = !(x[i] <= most) && most <= PETSC_MAX_REAL ? x[i] : most;
  return most;
}

static inline PetscBool RowsAll(RowsMask mask)
{
  int64_t all = mask[0];

  for (PetscInt i = 1; i < ROWS_LANES; i++) all &= mask[i];
  return (PetscBool)(all != 0);
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

/* y = the sum of a group of rows, or y + that sum. */
static inline void RowsCombineGroup(PetscInt n, const PetscReal *A, const PetscReal f[], PetscBool add, PetscReal *y)
{
  const PetscReal *const r0 = A, *const r1 = A + n, *const r2 = A + 2 * n, *const r3 = A + 3 * n;
  const PetscReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  const RowsLanes zero = {0.0};
  PetscInt        j    = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES) {
    const RowsLanes before = add ? RowsLoad(y + j) : zero;

    RowsStore(y + j,
              before + (f0 * RowsLoad(r0 + j) + RowsRounded(f1 * RowsLoad(r1 + j))) + (f2 * RowsLoad(r2 + j) + RowsRounded(f3 * RowsLoad(r3 + j))));
  }
  for (; j < n; j++) y[j] = (add ? y[j] : 0.0) + (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
}

/* y = A^T f for whole groups of rows. */
static inline void RowsCombine(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[])
{
  if (rows >= ROWS_GROUP) RowsCombineGroup(n, A, f, PETSC_FALSE, y);
  else
    for (PetscInt j = 0; j < n; j++) y[j] = 0.0;
  for (PetscInt i = ROWS_GROUP; i < rows; i += ROWS_GROUP) RowsCombineGroup(n, A + i * n, f + i, PETSC_TRUE, y);
}

/* The same for few padded columns: each of their lanes is finished before the next. */
static inline void RowsCombineByLanes(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[])
{
  for (PetscInt j = 0; j < RowsWhole(n); j += ROWS_LANES) {
    const PetscReal *row  = A + j;
    RowsLanes        even = {0.0}, odd = {0.0};

    for (PetscInt i = 0; i < RowsWhole(rows); i += 2, row += 2 * n) {
      even += f[i] * RowsLoad(row);
      odd += f[i + 1] * RowsLoad(row + n);
    }
    RowsStore(y + j, even + odd);
  }
}
