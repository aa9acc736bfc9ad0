/* rows.c - products with a few dense rows, in vector lanes written out: compilers make long prologues of such short loops. */
#include "rows.h"

enum { GROUP = 4, LANES = 4 };

typedef PetscReal Lanes __attribute__((vector_size(LANES * sizeof(PetscReal)), aligned(sizeof(PetscReal)), may_alias));

static inline Lanes Load(const PetscReal *x)
{
  return *(const Lanes *)x;
}

static inline void Store(PetscReal *x, Lanes lanes)
{
  *(Lanes *)x = lanes;
}

static inline PetscReal Sum(Lanes lanes)
{
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static inline PetscReal TimesOne(PetscInt n, const PetscReal *row, const PetscReal *x)
{
  Lanes     sums = {0.0};
  PetscReal sum;
  PetscInt  j = 0;

  for (; j + LANES <= n; j += LANES) sums += Load(row + j) * Load(x + j);
  for (sum = Sum(sums); j < n; j++) sum += row[j] * x[j];
  return sum;
}

static inline void TimesGroup(PetscInt n, const PetscReal *A, const PetscReal *x, PetscReal *y)
{
  const PetscReal *const r0 = A, *const r1 = A + n, *const r2 = A + 2 * n, *const r3 = A + 3 * n;
  Lanes    s0 = {0.0}, s1 = {0.0}, s2 = {0.0}, s3 = {0.0};
  PetscInt j = 0;

  for (; j + LANES <= n; j += LANES) {
    const Lanes x_lanes = Load(x + j);

    s0 += Load(r0 + j) * x_lanes;
    s1 += Load(r1 + j) * x_lanes;
    s2 += Load(r2 + j) * x_lanes;
    s3 += Load(r3 + j) * x_lanes;
  }
  y[0] = Sum(s0);
  y[1] = Sum(s1);
  y[2] = Sum(s2);
  y[3] = Sum(s3);
  for (; j < n; j++) {
    y[0] += r0[j] * x[j];
    y[1] += r1[j] * x[j];
    y[2] += r2[j] * x[j];
    y[3] += r3[j] * x[j];
  }
}

void RowsTimes(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal y[])
{
  PetscInt i = 0;

  for (; i + GROUP <= rows; i += GROUP) TimesGroup(n, A + i * n, x, y + i);
  for (; i < rows; i++) y[i] = TimesOne(n, A + i * n, x);
}

static inline void CombineOne(PetscInt n, const PetscReal *row, PetscReal f, PetscReal *y)
{
  PetscInt j = 0;

  for (; j + LANES <= n; j += LANES) Store(y + j, Load(y + j) + f * Load(row + j));
  for (; j < n; j++) y[j] += f * row[j];
}

static inline void CombineGroup(PetscInt n, const PetscReal *A, const PetscReal f[], PetscReal *y)
{
  const PetscReal *const r0 = A, *const r1 = A + n, *const r2 = A + 2 * n, *const r3 = A + 3 * n;
  const PetscReal f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  PetscInt        j = 0;

  for (; j + LANES <= n; j += LANES) Store(y + j, Load(y + j) + (f0 * Load(r0 + j) + f1 * Load(r1 + j)) + (f2 * Load(r2 + j) + f3 * Load(r3 + j)));
  for (; j < n; j++) y[j] += (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
}

void RowsCombine(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[])
{
  PetscInt i = 0;

  for (PetscInt j = 0; j < n; j++) y[j] = 0.0;
  for (; i + GROUP <= rows; i += GROUP) CombineGroup(n, A + i * n, f + i, y);
  for (; i < rows; i++) CombineOne(n, A + i * n, f[i], y);
}
