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
    s->damping[j] = s->coupled[j * n + j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At k = 0 a rigid mode, which has no mean, gets nothing. */
PetscErrorCode FullDampingFactor(const HarmonicStructure *s, PetscInt k, PetscReal W, PetscReal factors[], PetscBLASInt pivots[])
{
  const PetscInt n = s->n, size = 2 * s->n;
  PetscBLASInt   order, info;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(factors, size * size));
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal a = s->eigenvalue[j] - PetscSqr((PetscReal)k * W);

    factors[j * size + j] = factors[(n + j) * size + n + j] = k == 0 && s->eigenvalue[j] == 0.0 ? PETSC_MAX_REAL : a;
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal b = (PetscReal)k * W * s->coupled[j * n + i];

      factors[j * size + n + i]   = b;
      factors[(n + j) * size + i] = -b;
    }
  }
  PetscCall(PetscBLASIntCast(size, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, factors, &order, pivots, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FullDampingBack(const HarmonicStructure *s, const PetscReal factors[], const PetscBLASInt pivots[], PetscInt count, PetscReal x[])
{
  PetscBLASInt order, columns, info;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(2 * s->n, &order));
  PetscCall(PetscBLASIntCast(count, &columns));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &order, &columns, factors, &order, pivots, x, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void FullDampingTimesSlope(const HarmonicStructure *s, PetscInt k, PetscReal W, const PetscReal x[], PetscReal y[])
{
  const PetscInt  n = s->n;
  const PetscReal a = -2.0 * (PetscReal)(k * k) * W, kk = (PetscReal)k;

  for (PetscInt i = 0; i < n; i++) {
    y[i]     = -(a * x[i] - kk * RowsTimesOne(n, s->coupled + i * n, x + n));
    y[n + i] = -(a * x[n + i] + kk * RowsTimesOne(n, s->coupled + i * n, x));
  }
}

PetscErrorCode FullDampingSolve(const HarmonicStructure *s, PetscInt k, PetscReal frequency, PetscReal c[], PetscReal sine[])
{
  const PetscInt n = s->n;
  PetscReal     *x;
  PetscBLASInt  *pivots;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(2 * n, &x, 2 * n, &pivots));
  for (PetscInt j = 0; j < n; j++) {
    x[j]     = c[j];
    x[n + j] = -sine[j];
  }
  PetscCall(FullDampingFactor(s, k, frequency, s->work, pivots));
  PetscCall(FullDampingBack(s, s->work, pivots, 1, x));
  for (PetscInt j = 0; j < n; j++) {
    c[j]    = x[j];
    sine[j] = -x[n + j];
  }
  PetscCall(PetscFree2(x, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FullDampingResponse(const HarmonicStructure *s, PetscReal frequency, PetscReal c[], PetscReal sine[], PetscReal c_by_frequency[],
                                   PetscReal s_by_frequency[])
{
  const PetscInt n = s->n;
  PetscReal     *x, *y;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(2 * n, &x, 2 * n, &y));
  PetscCall(FullDampingSolve(s, 1, frequency, c, sine));
  for (PetscInt j = 0; j < n; j++) {
    x[j]     = c[j];
    x[n + j] = -sine[j];
  }
  FullDampingTimesSlope(s, 1, frequency, x, y);
  for (PetscInt j = 0; j < n; j++) {
    c_by_frequency[j] += y[j];
    s_by_frequency[j] -= y[n + j];
  }
  PetscCall(FullDampingSolve(s, 1, frequency, c_by_frequency, s_by_frequency));
  PetscCall(PetscFree2(x, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}
