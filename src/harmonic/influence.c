/* influence.c - products with what forces at the joints move them by: through the modes, and through what was left out. */
#include "harmonic/influence.h"
#include "full_damping.h"
#include <petscblaslapack.h>

PetscErrorCode HarmonicInfluenceCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicInfluence **influence)
{
  const size_t       n = (size_t)structure->n, harmonics = (size_t)basis->num_harmonics, P = (size_t)basis->num_functions;
  HarmonicInfluence *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(influence));
  made            = *influence;
  made->structure = structure;
  made->basis     = basis;
  made->all       = HarmonicStructureRows(structure);
  PetscCall(PetscMalloc3(n * P, &made->force, n * P, &made->q, 4 * n, &made->column));
  PetscCall(PetscMalloc1(harmonics * NUM_MODE_WEIGHTS * n, &made->weight));
  if (structure->coupled) PetscCall(PetscMalloc2(harmonics * 4 * n * n, &made->factors, harmonics * 2 * n, &made->pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicInfluenceDestroy(HarmonicInfluence **influence)
{
  HarmonicInfluence *const old = *influence;

  PetscFunctionBegin;
  if (!old) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(old->force, old->q, old->column));
  PetscCall(PetscFree(old->weight));
  if (old->factors) PetscCall(PetscFree2(old->factors, old->pivots));
  PetscCall(PetscFree(*influence));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicInfluenceSet(HarmonicInfluence *influence, PetscReal frequency, HarmonicExcitation excitation)
{
  const HarmonicStructure *const s = influence->structure;

  PetscFunctionBeginHot;
  influence->frequency = frequency;
  for (PetscInt h = 0; h < influence->basis->num_harmonics; h++) {
    const PetscInt k = influence->basis->harmonic[h];

    HarmonicStructureWeigh(s, k, frequency, excitation, influence->weight + h * NUM_MODE_WEIGHTS * s->n);
    if (s->coupled)
      PetscCall(FullDampingFactor(s, k, frequency, influence->factors + (size_t)h * 4 * (size_t)(s->n * s->n), influence->pivots + h * 2 * s->n));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes that each go their own way. */
static void MoveModes(const HarmonicInfluence *influence, HarmonicInfluenceKind kind, PetscInt h)
{
  const PetscInt         n = influence->structure->n, P = influence->basis->num_functions, i = influence->basis->first[h];
  const PetscReal *const re = influence->weight + (h * NUM_MODE_WEIGHTS + 2 * (PetscInt)kind) * n, *const im = re + n;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal *const g = influence->force + j * P + i;
    PetscReal *const       q = influence->q + j * P + i;

    q[0] = re[j] * g[0];
    if (influence->basis->harmonic[h] == 0) continue;
    q[0] += im[j] * g[1];
    q[1] = re[j] * g[1] - im[j] * g[0];
  }
}

/* Z^-1 p, or -Z^-1 Z' Z^-1 p, with the harmonic as the complex number C - i S. */
static PetscErrorCode MoveCoupled(const HarmonicInfluence *influence, HarmonicInfluenceKind kind, PetscInt h)
{
  const HarmonicStructure *const s = influence->structure;
  const PetscInt                 n = s->n, P = influence->basis->num_functions, i = influence->basis->first[h], k = influence->basis->harmonic[h];
  const PetscReal *const         factors = influence->factors + (size_t)h * 4 * (size_t)(n * n);
  const PetscBLASInt *const      pivots  = influence->pivots + h * 2 * n;
  PetscReal                     *x = influence->column, *slope = x + 2 * n;

  PetscFunctionBeginHot;
  for (PetscInt j = 0; j < n; j++) {
    x[j]     = influence->force[j * P + i];
    x[n + j] = k ? -influence->force[j * P + i + 1] : 0.0;
  }
  PetscCall(FullDampingBack(s, factors, pivots, 1, x));
  if (kind == INFLUENCE_BY_FREQUENCY) {
    FullDampingTimesSlope(s, k, influence->frequency, x, slope);
    PetscCall(FullDampingBack(s, factors, pivots, 1, slope));
    x = slope;
  }
  for (PetscInt j = 0; j < n; j++) {
    influence->q[j * P + i] = x[j];
    if (k) influence->q[j * P + i + 1] = -x[n + j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Arrays of rows are, to BLAS, their transposes by columns. */
PetscErrorCode HarmonicInfluenceAdd(HarmonicInfluence *influence, HarmonicInfluenceKind kind, const HarmonicRows *rows, const PetscReal g[],
                                    PetscReal y[])
{
  const PetscReal one = 1.0, zero = 0.0;
  PetscBLASInt    m, n, P;

  PetscFunctionBeginHot;
  if (rows->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscBLASIntCast(rows->count, &m));
  PetscCall(PetscBLASIntCast(influence->structure->n, &n));
  PetscCall(PetscBLASIntCast(influence->basis->num_functions, &P));
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "T", &P, &n, &m, &one, g, &P, rows->map, &n, &zero, influence->force, &P));
  for (PetscInt h = 0; h < influence->basis->num_harmonics; h++)
    if (influence->factors) PetscCall(MoveCoupled(influence, kind, h));
    else MoveModes(influence, kind, h);
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &P, &m, &n, &one, influence->q, &P, rows->map, &n, &one, y, &P));
  if (rows->residual && kind == INFLUENCE_ITSELF)
    PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &P, &m, &m, &one, g, &P, rows->residual, &m, &one, y, &P));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of coupled modes: each row as a column of forces. */
static PetscErrorCode CoupledMatrix(const HarmonicInfluence *influence, PetscInt h, const HarmonicRows *rows, PetscReal re[], PetscReal im[])
{
  const PetscInt n = influence->structure->n, m = rows->count;
  PetscReal     *x;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc1(m * 2 * n, &x));
  for (PetscInt r = 0; r < m; r++) PetscCall(PetscArraycpy(x + r * 2 * n, rows->map + r * n, n));
  PetscCall(FullDampingBack(influence->structure, influence->factors + (size_t)h * 4 * (size_t)(n * n), influence->pivots + h * 2 * n, m, x));
  for (PetscInt r = 0; r < m; r++) {
    RowsTimes(m, n, rows->map, x + r * 2 * n, re + r * m);
    RowsTimes(m, n, rows->map, x + r * 2 * n + n, im + r * m);
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicInfluenceMatrix(HarmonicInfluence *influence, PetscInt h, const HarmonicRows *rows, PetscReal re[], PetscReal im[])
{
  const HarmonicStructure *const s      = influence->structure;
  const PetscReal *const         weight = influence->weight + h * NUM_MODE_WEIGHTS * s->n;

  PetscFunctionBeginHot;
  if (influence->factors) PetscCall(CoupledMatrix(influence, h, rows, re, im));
  else {
    HarmonicStructureSum(s, rows, weight, influence->column, re);
    HarmonicStructureSum(s, rows, weight + s->n, influence->column, im);
  }
  for (PetscInt i = 0; rows->residual && i < rows->count * rows->count; i++) re[i] += rows->residual[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}
