/* rows.c - products with a few dense rows. */
#include "rows.h"

enum { GROUP = 4 };

static inline void TimesOne(PetscInt n, const PetscReal *restrict row, const PetscReal *restrict x, PetscReal *y)
{
  PetscReal sum = 0.0;

#pragma omp simd reduction(+ : sum)
  for (PetscInt j = 0; j < n; j++) sum += row[j] * x[j];
  *y = sum;
}

static inline void TimesGroup(PetscInt n, const PetscReal *restrict A, const PetscReal *restrict x, PetscReal *restrict y)
{
  const PetscReal *restrict r0 = A, *restrict r1 = A + n, *restrict r2 = A + 2 * n, *restrict r3 = A + 3 * n;
  PetscReal s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;

#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (PetscInt j = 0; j < n; j++) {
    s0 += r0[j] * x[j];
    s1 += r1[j] * x[j];
    s2 += r2[j] * x[j];
    s3 += r3[j] * x[j];
  }
  y[0] = s0;
  y[1] = s1;
  y[2] = s2;
  y[3] = s3;
}

void RowsTimes(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal y[])
{
  PetscInt i = 0;

  for (; i + GROUP <= rows; i += GROUP) TimesGroup(n, A + i * n, x, y + i);
  for (; i < rows; i++) TimesOne(n, A + i * n, x, y + i);
}

static inline void CombineOne(PetscInt n, const PetscReal *restrict row, PetscReal f, PetscBool first, PetscReal *restrict y)
{
  if (first) {
#pragma omp simd
    for (PetscInt j = 0; j < n; j++) y[j] = f * row[j];
  } else {
#pragma omp simd
    for (PetscInt j = 0; j < n; j++) y[j] += f * row[j];
  }
}

static inline void CombineGroup(PetscInt n, const PetscReal *restrict A, const PetscReal f[], PetscBool first, PetscReal *restrict y)
{
  const PetscReal *restrict r0 = A, *restrict r1 = A + n, *restrict r2 = A + 2 * n, *restrict r3 = A + 3 * n;
  const PetscReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];

  if (first) {
#pragma omp simd
    for (PetscInt j = 0; j < n; j++) y[j] = (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
  } else {
#pragma omp simd
    for (PetscInt j = 0; j < n; j++) y[j] += (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
  }
}

void RowsCombine(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[])
{
  PetscInt i = 0;

  if (rows == 0)
    for (PetscInt j = 0; j < n; j++) y[j] = 0.0;
  for (; i + GROUP <= rows; i += GROUP) CombineGroup(n, A + i * n, f + i, (PetscBool)(i == 0), y);
  for (; i < rows; i++) CombineOne(n, A + i * n, f[i], (PetscBool)(i == 0), y);
}
