/* full_damping.c - the dynamic stiffness of coupled modes, factored. */
#include "full_damping.h"
#include <petscblaslapack.h>

PetscErrorCode FullDampingCreate(HarmonicStructure *s)
{
  const PetscInt     n = s->n;
  Vec                shape, force;
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(n * n, &s->coupled));
  PetscCall(PetscMalloc1(4 * n * n, &s->work));
  for (PetscInt j = 0; j < n; j++) {
    PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, s->modes->num_unknowns, s->modes->shape + j * s->modes->num_unknowns, &shape));
    PetscCall(VecDuplicate(shape, &force));
    PetscCall(MatMult(s->system->C, shape, force));
    PetscCall(VecGetArrayRead(force, &value));
    RowsTimes(n, s->modes->num_unknowns, s->modes->shape, value, s->coupled + j * n);
    PetscCall(VecRestoreArrayRead(force, &value));
    PetscCall(VecDestroy(&force));
    PetscCall(VecDestroy(&shape));
    s->coupled[j * n + j] += s->damping[j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves for `count` complex columns, x[count, 2, n], in place. At k = 0 a rigid mode, which has no mean, gets nothing. */
static PetscErrorCode Solve(const HarmonicStructure *s, PetscInt k, PetscReal W, PetscInt count, PetscReal x[])
{
  const PetscInt n = s->n, size = 2 * s->n;
  PetscBLASInt   order, columns, info;
  PetscBLASInt  *pivots;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(s->work, size * size));
  PetscCall(PetscMalloc1(size, &pivots));
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal a = s->eigenvalue[j] - PetscSqr((PetscReal)k * W);

    s->work[j * size + j] = s->work[(n + j) * size + n + j] = k == 0 && s->eigenvalue[j] == 0.0 ? PETSC_MAX_REAL : a;
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal b = (PetscReal)k * W * s->coupled[j * n + i];

      s->work[j * size + n + i]   = b;
      s->work[(n + j) * size + i] = -b;
    }
  }
  PetscCall(PetscBLASIntCast(size, &order));
  PetscCall(PetscBLASIntCast(count, &columns));
  PetscCallBLAS("LAPACKgesv", LAPACKgesv_(&order, &columns, s->work, &order, pivots, x, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgesv: %d", (int)info);
  PetscCall(PetscFree(pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* -Z' x with Z' = -2 k^2 W + i k C', of one complex column. */
static void TimesSlope(const HarmonicStructure *s, PetscInt k, PetscReal W, const PetscReal x[], PetscReal y[])
{
  const PetscInt  n = s->n;
  const PetscReal a = -2.0 * (PetscReal)(k * k) * W, kk = (PetscReal)k;

  for (PetscInt i = 0; i < n; i++) {
    y[i]     = -(a * x[i] - kk * RowsTimesOne(n, s->coupled + i * n, x + n));
    y[n + i] = -(a * x[n + i] + kk * RowsTimesOne(n, s->coupled + i * n, x));
  }
}

PetscErrorCode FullDampingInfluence(const HarmonicStructure *s, PetscInt k, PetscReal frequency, HarmonicInfluence *influence)
{
  const PetscInt n = s->n, m = s->m;
  PetscReal     *x, *y;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc2(m * 2 * n, &x, 2 * n, &y));
  for (PetscInt r = 0; r < m; r++) PetscCall(PetscArraycpy(x + r * 2 * n, s->map + r * n, n));
  PetscCall(Solve(s, k, frequency, m, x));
  for (PetscInt r = 0; r < m; r++) {
    RowsTimes(m, n, s->map, x + r * 2 * n, influence->re + r * m);
    RowsTimes(m, n, s->map, x + r * 2 * n + n, influence->im + r * m);
    if (!influence->by_frequency_re) continue;
    TimesSlope(s, k, frequency, x + r * 2 * n, y);
    for (PetscInt q = 0; q < m; q++) { /* -x_q^T Z' x_r, Z' being symmetric */
      const PetscReal *re = x + q * 2 * n, *im = re + n;

      influence->by_frequency_re[r * m + q] = RowsTimesOne(n, re, y) - RowsTimesOne(n, im, y + n);
      influence->by_frequency_im[r * m + q] = RowsTimesOne(n, re, y + n) + RowsTimesOne(n, im, y);
    }
  }
  PetscCall(PetscFree2(x, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FullDampingSolve(const HarmonicStructure *s, PetscInt k, PetscReal frequency, PetscReal c[], PetscReal sine[])
{
  const PetscInt n = s->n;
  PetscReal     *x;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(2 * n, &x));
  for (PetscInt j = 0; j < n; j++) {
    x[j]     = c[j];
    x[n + j] = -sine[j];
  }
  PetscCall(Solve(s, k, frequency, 1, x));
  for (PetscInt j = 0; j < n; j++) {
    c[j]    = x[j];
    sine[j] = -x[n + j];
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FullDampingResponse(const HarmonicStructure *s, PetscReal frequency, PetscReal c[], PetscReal sine[], PetscReal c_by_frequency[],
                                   PetscReal s_by_frequency[])
{
  const PetscInt n = s->n;
  PetscReal     *x, *y;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(2 * n, &x, 2 * n, &y));
  PetscCall(PetscArraycpy(c, s->load_c, n));
  PetscCall(PetscArraycpy(sine, s->load_s, n));
  PetscCall(FullDampingSolve(s, 1, frequency, c, sine));
  for (PetscInt j = 0; j < n; j++) {
    x[j]     = c[j];
    x[n + j] = -sine[j];
  }
  TimesSlope(s, 1, frequency, x, y);
  PetscCall(Solve(s, 1, frequency, 1, y));
  for (PetscInt j = 0; j < n; j++) {
    c_by_frequency[j] = y[j];
    s_by_frequency[j] = -y[n + j];
  }
  PetscCall(PetscFree2(x, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}
