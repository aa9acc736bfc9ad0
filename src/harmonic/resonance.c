/* resonance.c - the condition of a curve along a resonance: quadrature of phase, or the largest amplitude. */
#include "resonance.h"
#include <math.h>
#include <petscblaslapack.h>
#include "rows.h"

enum { MOST_ITERATIONS = 8, MOST_FACTORED = 4000 /* active unknowns */ };

static const PetscReal BESIDE       = 3e-4; /* e, in the measure of the curve */
static const PetscReal CLOSE_ENOUGH = 1e-7; /* of that measure, of Newton's last step beside the point, which enters ln|y|^2 by its gradient */

/* Numbers that a peak takes. */
static PetscErrorCode Allocate(PetscInt n, ResonanceCondition *c)
{
  PetscReal **const slices[] = {&c->tangent, &c->normal, &c->adjoint, &c->x, &c->right, &c->work};
  const PetscInt    num      = PETSC_STATIC_ARRAY_LENGTH(slices);

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num * (n + 1), &c->numbers));
  PetscCall(PetscMalloc1(n + 1, &c->pivots));
  for (PetscInt i = 0; i < num; i++) *slices[i] = c->numbers + i * (n + 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResonanceConditionCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicResonance resonance,
                                        ResonanceCondition **condition)
{
  const PetscInt      n = structure->m * basis->num_functions;
  ResonanceCondition *c;

  PetscFunctionBegin;
  PetscCall(PetscNew(condition));
  c            = *condition;
  c->resonance = resonance;
  c->drive     = HarmonicStructureDrive(structure, resonance.mode);
  PetscCall(HarmonicPlaceCreateCoordinate(structure, resonance.mode, &c->coordinate));
  PetscCall(ObservedCreate(n, &c->observed));
  PetscCall(Allocate(n, c));
  if (resonance.peak) PetscCall(HarmonicEquationCreate(structure, basis, &c->beside));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResonanceConditionDestroy(ResonanceCondition **condition)
{
  ResonanceCondition *const c = *condition;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HarmonicEquationDestroy(&c->beside));
  PetscCall(HarmonicPlaceDestroy(&c->coordinate));
  PetscCall(ObservedDestroy(&c->observed));
  PetscCall(PetscFree(c->numbers));
  PetscCall(PetscFree(c->matrix));
  PetscCall(PetscFree(c->pivots));
  PetscCall(PetscFree(*condition));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Dot(const PetscReal a[2], const PetscReal b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* |den|^2 / (omega^2 level |p|^2), and its change by W, that of p included. */
static PetscReal PhaseFactor(const HarmonicStructure *s, PetscInt mode, HarmonicSetting t, const PetscReal p[2], const PetscReal p_by_frequency[2],
                             PetscReal *by_frequency)
{
  const PetscReal W = t.frequency, c = s->coupled ? s->coupled[mode * s->n + mode] : s->damping[mode], a = s->eigenvalue[mode] - W * W;
  const PetscReal per = 1.0 / (s->eigenvalue[mode] * t.level * Dot(p, p)), factor = per * (a * a + PetscSqr(W * c));

  *by_frequency = per * (-4.0 * W * a + 2.0 * W * c * c) - 2.0 * factor * Dot(p, p_by_frequency) / Dot(p, p);
  return factor;
}

/* Re(y conj p) with what it is of. */
static PetscErrorCode EvaluatePhase(ResonanceCondition *c, HarmonicEquation *e, PetscBool differentiate)
{
  const Observed *const o = &c->observed;
  PetscReal             slope, p[2], dp[2], factor;

  PetscFunctionBeginHot;
  HarmonicSineAt(&c->drive, e->setting.frequency, p, dp);
  factor = PhaseFactor(e->structure, c->resonance.mode, e->setting, p, dp, &slope);
  PetscCall(ObservedEvaluate(e, &c->coordinate, differentiate, &c->observed));
  e->mode_equation[0] = factor * Dot(o->value, p);
  if (!differentiate) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < e->n; i++) e->mode_rows[i] = factor * (o->rows[i] * p[0] + o->rows[e->n + i] * p[1]);
  for (PetscInt i = 0; i < NUM_HARMONIC_PARAMETERS; i++) e->mode_by[0][i] = 0.0;
  e->mode_by[0][HARMONIC_FREQUENCY] = factor * (Dot(o->by_frequency, p) + Dot(o->value, dp)) + slope * Dot(o->value, p);
  e->mode_by[0][HARMONIC_LEVEL]     = factor * Dot(o->by_level, p) - e->mode_equation[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsActive(const HarmonicEquation *e, PetscInt i)
{
  return (PetscBool)(e->column[i / e->basis->num_functions] >= 0);
}

/* Factors of [J R_W; n^T] between active unknowns and W, by rows; those of others are the identity's. Too many are refused as if singular. */
static PetscErrorCode Factor(ResonanceCondition *c, const HarmonicEquation *e, PetscBool *regular)
{
  const PetscInt         num  = e->num_active;
  const size_t           size = (size_t)num + 1;
  const PetscReal *const by_W = e->by_parameter + HARMONIC_FREQUENCY * e->n;
  PetscBLASInt           order, info = 0;

  PetscFunctionBeginHot;
  *regular = PETSC_FALSE;
  if (num > MOST_FACTORED) PetscFunctionReturn(PETSC_SUCCESS);
  if (size * size > c->capacity) {
    c->capacity = size * size;
    PetscCall(PetscFree(c->matrix));
    PetscCall(PetscMalloc1(c->capacity, &c->matrix));
  }
  PetscCall(HarmonicEquationActiveMatrix(e, size, c->matrix));
  for (PetscInt a = 0; a < num; a++) {
    c->matrix[(size_t)a * size + (size_t)num] = by_W[e->active[a]];
    c->matrix[(size_t)num * size + (size_t)a] = c->normal[e->active[a]];
  }
  c->matrix[size * size - 1] = c->normal[e->n];
  PetscCall(PetscBLASIntCast(num + 1, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, c->matrix, &order, c->pivots, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SolveActive(const ResonanceCondition *c, const HarmonicEquation *e, const char *transposed, PetscReal x[])
{
  PetscBLASInt order, one = 1, info = 0;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(e->num_active + 1, &order));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_(transposed, &order, &one, c->matrix, &order, c->pivots, x, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* [J R_W; n^T] solution = right, [n + 1] both. To LAPACK a matrix by rows is its transpose. */
static PetscErrorCode Solve(ResonanceCondition *c, const HarmonicEquation *e, const PetscReal right[], PetscReal solution[])
{
  const PetscInt         num  = e->num_active;
  const PetscReal *const by_W = e->by_parameter + HARMONIC_FREQUENCY * e->n;

  PetscFunctionBeginHot;
  for (PetscInt a = 0; a < num; a++) c->work[a] = right[e->active[a]];
  c->work[num] = right[e->n];
  PetscCall(SolveActive(c, e, "T", c->work));
  for (PetscInt i = 0; i < e->n; i++) solution[i] = 0.0;
  for (PetscInt a = 0; a < num; a++) solution[e->active[a]] = c->work[a];
  solution[e->n] = c->work[num];
  if (num == e->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HarmonicEquationTimes(e, solution, c->work));
  for (PetscInt i = 0; i < e->n; i++)
    if (!IsActive(e, i)) solution[i] = right[i] - c->work[i] - by_W[i] * solution[e->n];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* [J R_W; n^T]^T solution = right, likewise. */
static PetscErrorCode SolveTransposed(ResonanceCondition *c, const HarmonicEquation *e, const PetscReal right[], PetscReal solution[])
{
  const PetscInt         num  = e->num_active;
  const PetscReal *const by_W = e->by_parameter + HARMONIC_FREQUENCY * e->n;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < e->n; i++) solution[i] = IsActive(e, i) ? 0.0 : right[i];
  solution[e->n] = right[e->n];
  if (num < e->n) {
    solution[e->n] -= RowsTimesOne(e->n, solution, by_W);
    PetscCall(HarmonicEquationTimesTransposed(e, solution, c->work));
  } else PetscCall(PetscArrayzero(c->work, e->n));
  for (PetscInt a = 0; a < num; a++) solution[e->active[a]] = right[e->active[a]] - c->work[e->active[a]];
  for (PetscInt a = 0; a < num; a++) c->work[a] = solution[e->active[a]];
  c->work[num] = solution[e->n];
  PetscCall(SolveActive(c, e, "N", c->work));
  for (PetscInt a = 0; a < num; a++) solution[e->active[a]] = c->work[a];
  solution[e->n] = c->work[num];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tangent of the response curve at the point, of unit length in the measure, and the plane of constant W. */
static PetscErrorCode FindTangent(ResonanceCondition *c, const HarmonicEquation *e, PetscReal motion, PetscReal frequency, PetscBool *regular)
{
  const PetscInt n = e->n;
  PetscReal      square;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(c->normal, n + 1));
  c->normal[n] = 1.0 / PetscSqr(frequency);
  PetscCall(Factor(c, e, regular));
  if (!*regular) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArrayzero(c->right, n));
  c->right[n] = 1.0;
  PetscCall(Solve(c, e, c->right, c->tangent));
  square = PetscSqr(c->tangent[n] / frequency);
  for (PetscInt i = 0; i < n; i++) square += PetscSqr(c->tangent[i] / motion);
  for (PetscInt i = 0; i <= n; i++) c->tangent[i] /= PetscSqrtReal(square);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Across the tangent in what active rows and W see: where the response curve has a fold, there may be nothing at W +- e. */
static void TakePlaneAcross(ResonanceCondition *c, const HarmonicEquation *e, PetscReal motion, PetscReal frequency)
{
  for (PetscInt i = 0; i < e->n; i++) c->normal[i] = IsActive(e, i) ? c->tangent[i] / PetscSqr(motion) : 0.0;
  c->normal[e->n] = c->tangent[e->n] / PetscSqr(frequency);
}

/* Newton's method in the plane at `away`; what is factored at last belongs to what is found. */
static PetscErrorCode GoBeside(ResonanceCondition *c, const HarmonicEquation *e, const PetscReal x[], PetscReal away, PetscReal motion,
                               PetscReal frequency, PetscBool *found)
{
  HarmonicEquation *const f       = c->beside;
  HarmonicSetting         setting = e->setting;
  PetscReal *const        change  = c->adjoint;
  PetscBool               regular;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < e->n; i++) c->x[i] = x[i] + away * c->tangent[i];
  setting.frequency += away * c->tangent[e->n];
  *found = PETSC_FALSE;
  for (PetscInt iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    PetscReal part;

    PetscCall(HarmonicEquationEvaluate(f, c->x, setting, PETSC_TRUE));
    PetscCall(Factor(c, f, &regular));
    if (!regular) break;
    for (PetscInt i = 0; i < e->n; i++) c->right[i] = -f->residual[i];
    c->right[e->n] = 0.0;
    PetscCall(Solve(c, f, c->right, change));
    part   = PetscMax(HarmonicLargest(e->n, change) / motion, PetscAbsReal(change[e->n]) / frequency);
    *found = (PetscBool)(part <= CLOSE_ENOUGH);
    if (*found || !(part < 1.0)) break;
    for (PetscInt i = 0; i < e->n; i++) c->x[i] += change[i];
    setting.frequency += change[e->n];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds `part` ln|y|^2 beside the point, and its gradient, to the condition. */
static PetscErrorCode AddBeside(ResonanceCondition *c, HarmonicEquation *e, PetscReal part)
{
  const HarmonicEquation *const f = c->beside;
  const Observed *const         o = &c->observed;
  PetscReal                     per, square, by_level;

  PetscFunctionBeginHot;
  PetscCall(ObservedEvaluate(f, c->resonance.place ? c->resonance.place : &c->coordinate, PETSC_TRUE, &c->observed));
  square = PetscSqr(o->value[0]) + PetscSqr(o->value[1]);
  per    = 2.0 / square;
  for (PetscInt i = 0; i < e->n; i++) c->right[i] = per * (o->value[0] * o->rows[i] + o->value[1] * o->rows[e->n + i]);
  c->right[e->n] = per * (o->value[0] * o->by_frequency[0] + o->value[1] * o->by_frequency[1]);
  PetscCall(SolveTransposed(c, f, c->right, c->adjoint));
  by_level =
    per * (o->value[0] * o->by_level[0] + o->value[1] * o->by_level[1]) - RowsTimesOne(e->n, c->adjoint, f->by_parameter + HARMONIC_LEVEL * e->n);
  e->mode_equation[0] += part * (PetscLogReal(square) - RowsTimesOne(e->n, c->adjoint, f->residual));
  c->curvature += part * c->adjoint[e->n];
  for (PetscInt i = 0; i < e->n; i++) e->mode_rows[i] += part * c->adjoint[e->n] * c->normal[i];
  e->mode_by[0][HARMONIC_FREQUENCY] += part * c->adjoint[e->n] * c->normal[e->n];
  e->mode_by[0][HARMONIC_LEVEL] += part * by_level;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On both sides; `found` is false where Newton's method does not find them. */
static PetscErrorCode AddSides(ResonanceCondition *c, HarmonicEquation *e, const PetscReal x[], PetscReal motion, PetscReal frequency,
                               PetscBool *found)
{
  PetscFunctionBeginHot;
  e->mode_equation[0] = c->curvature = 0.0;
  PetscCall(PetscArrayzero(e->mode_rows, e->n));
  for (PetscInt p = 0; p < NUM_HARMONIC_PARAMETERS; p++) e->mode_by[0][p] = 0.0;
  *found = PETSC_TRUE;
  for (PetscReal sign = -1.0; *found && sign < 2.0; sign += 2.0) {
    PetscCall(GoBeside(c, e, x, sign * BESIDE, motion, frequency, found));
    if (*found) PetscCall(AddBeside(c, e, sign / (2.0 * BESIDE)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode EvaluatePeak(ResonanceCondition *c, HarmonicEquation *e, const PetscReal x[], PetscReal motion, PetscReal frequency)
{
  PetscBool regular, found = PETSC_FALSE;

  PetscFunctionBeginHot;
  PetscCall(FindTangent(c, e, motion, frequency, &regular));
  if (regular) PetscCall(AddSides(c, e, x, motion, frequency, &found));
  if (regular && !found) {
    TakePlaneAcross(c, e, motion, frequency);
    PetscCall(AddSides(c, e, x, motion, frequency, &found));
  }
  if (!found) e->mode_equation[0] = (PetscReal)NAN;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResonanceConditionEvaluate(ResonanceCondition *c, HarmonicEquation *e, const PetscReal x[], PetscReal motion, PetscReal frequency)
{
  PetscFunctionBeginHot;
  if (c->resonance.peak) PetscCall(EvaluatePeak(c, e, x, motion, frequency));
  else PetscCall(EvaluatePhase(c, e, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResonanceConditionCheck(ResonanceCondition *c, HarmonicEquation *e)
{
  PetscFunctionBeginHot;
  if (c->resonance.peak) e->mode_equation[0] = 0.0;
  else PetscCall(EvaluatePhase(c, e, PETSC_FALSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
