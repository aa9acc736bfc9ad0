/* polynomial_fit.c - the generalized Valanis law fitted to the slopes of a loop by the linear least squares of section 2.3 of
   jalali2022. */
#include "least_squares.h"
#include "norms.h"
#include "post/loops.h"
#include <math.h>

const char *const polynomial_solver_names[] = {"svd", "qr", NULL};

/* Units in which x and v are at most 1, so that their powers neither vanish nor overflow. */
typedef struct {
  PetscReal x, v;
} Units;

static PetscReal Unit(PetscInt count, const PetscReal values[])
{
  const PetscReal largest = LargestOf(count, values);

  return largest > 0.0 ? largest : 1.0;
}

static PetscReal Raise(PetscReal x, PetscReal v, PolynomialTerm term)
{
  return PetscPowRealInt(x, (int)term.x) * PetscPowRealInt(v, (int)term.v);
}

/* The column of each unknown in eq. 15. For a symmetric joint, points of decreasing x are used with the signs of x, v and force changed;
   slopes keep their signs. */
static void Fill(const LoopPoints *points, const PolynomialOptions *options, Units units, LeastSquares *squares)
{
  const size_t m = (size_t)squares->m, last = (size_t)squares->n - 1;

  for (size_t i = 0; i < m; i++) {
    const PetscReal sense = points->sense[i], turned = options->branch == LOOP_BOTH ? sense : 1.0,
                    of_rate = options->branch == LOOP_BOTH ? 1.0 : sense;
    const PetscReal x = turned * points->displacement[i] / units.x, v = turned * points->velocity[i] / units.v;

    squares->b[i] = points->slope[i];
    squares->A[i] = 1.0;
    for (PetscInt t = 0; t < options->num_terms; t++) squares->A[(size_t)(t + 1) * m + i] = of_rate * Raise(x, v, options->terms[t]);
    squares->A[last * m + i] = -of_rate * turned * points->force[i];
  }
}

/* The unit of the column of an unknown. */
static PetscReal UnitOf(const PolynomialOptions *options, Units units, PetscInt unknown)
{
  const PetscInt term = unknown - 1;

  return term < 0 || term >= options->num_terms ? 1.0 : Raise(units.x, units.v, options->terms[term]);
}

/* The slope of the model at each point; `misfit` is that of eq. 16. */
static void Evaluate(const LoopPoints *points, const PolynomialOptions *options, Units units, LeastSquares *squares, PolynomialFit *fit)
{
  const size_t m   = (size_t)squares->m;
  PetscReal    sum = 0.0;

  Fill(points, options, units, squares);
  for (size_t i = 0; i < m; i++) {
    PetscReal slope = 0.0;

    for (size_t j = 0; j < (size_t)squares->n; j++) slope += squares->A[j * m + i] / squares->length[j] * squares->z[j];
    fit->fitted[i] = slope;
    sum += (slope - points->slope[i]) * (slope - points->slope[i]);
  }
  fit->misfit = PetscSqrtReal(sum) / VectorLength(points->count, points->slope);
}

/* A coefficient is not identified where its column depends on the others, where its contribution is smaller than the accuracy of the slopes,
   or where noise alone might have caused it. */
static PolynomialVerdict Judge(PetscReal own, PetscReal share, PetscReal resolution, PetscReal value, PetscReal error)
{
  if (own == 0.0) return POLYNOMIAL_DEPENDENT;
  if (!(share >= resolution)) return POLYNOMIAL_BELOW_RESOLUTION;
  return error <= 0.5 * PetscAbsReal(value) ? POLYNOMIAL_IDENTIFIED : POLYNOMIAL_UNCERTAIN;
}

/* The standard deviation of an unknown when errors of slopes are correlated over a span of points: the contributions of all points, with
   their correlations over twice the span weighted as by Bartlett [Newey, West 1987]. */
static PetscReal Spread(const LeastSquares *squares, const PetscReal inverse[], PetscInt span, const PetscReal rest[], PetscReal part[])
{
  const PetscInt m = squares->m, most = PetscMin(2 * span, m - 1);
  PetscReal      sum = 0.0;

  for (PetscInt i = 0; i < m; i++) {
    part[i] = 0.0;
    for (PetscInt j = 0; j < squares->n; j++) part[i] += inverse[j] * squares->A[(size_t)j * (size_t)m + (size_t)i] / squares->length[j];
    part[i] *= rest[i];
  }
  for (PetscInt apart = 0; apart <= most; apart++) {
    const PetscReal weight = (apart ? 2.0 : 1.0) * (1.0 - (PetscReal)apart / (most + 1));

    for (PetscInt i = apart; i < m; i++) sum += weight * part[i] * part[i - apart];
  }
  return PetscSqrtReal(PetscMax(sum, 0.0) * m / (m - squares->n));
}

/* Standard errors of all unknowns, for columns of unit length. */
static PetscErrorCode FindErrors(const LoopPoints *points, PetscReal regularise, const LeastSquares *squares, const PolynomialFit *fit,
                                 PetscReal errors[])
{
  const PetscInt  m     = squares->m;
  const PetscReal noise = fit->misfit * VectorLength(m, points->slope) / PetscSqrtReal((PetscReal)(m - squares->n));
  PetscReal      *inverse, *rest, *part;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(squares->n, &inverse, m, &rest, m, &part));
  for (PetscInt i = 0; i < m; i++) rest[i] = fit->fitted[i] - points->slope[i];
  for (PetscInt j = 0; j < fit->count; j++) {
    LeastSquaresInverse(squares, regularise, j, inverse);
    if (LeastSquaresOwn(squares, j) == 0.0) errors[j] = (PetscReal)INFINITY;
    else if (points->span) errors[j] = Spread(squares, inverse, points->span, rest, part);
    else errors[j] = noise * LeastSquaresDeviation(squares, regularise, j);
  }
  PetscCall(PetscFree3(inverse, rest, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Regularisation changes coefficients whatever the loop holds: shares and verdicts therefore follow from the `plain` solution. */
static PetscErrorCode Conclude(const LoopPoints *points, const PolynomialOptions *options, Units units, const LeastSquares *squares,
                               const PetscReal plain[], PolynomialFit *fit)
{
  const PetscReal length = VectorLength(points->count, points->slope);
  PetscReal      *error;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(fit->count, &error));
  PetscCall(FindErrors(points, options->regularise, squares, fit, fit->standard_error));
  PetscCall(FindErrors(points, 0.0, squares, fit, error));
  for (PetscInt j = 0; j < fit->count; j++) {
    const PetscReal unit = squares->length[j] * UnitOf(options, units, j), own = LeastSquaresOwn(squares, j);

    fit->value[j] = squares->z[j] / unit;
    fit->standard_error[j] /= unit;
    fit->share[j]   = PetscAbsReal(plain[j]) * own / length;
    fit->verdict[j] = Judge(own, fit->share[j], options->resolution, plain[j], error[j]);
  }
  PetscCall(PetscFree(error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindConditions(const PolynomialOptions *options, Units units, const LeastSquares *squares, PetscReal condition[2])
{
  PetscReal *lengths;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(squares->n, &lengths));
  for (PetscInt j = 0; j < squares->n; j++) lengths[j] = squares->length[j] * UnitOf(options, units, j);
  PetscCall(LeastSquaresCondition(squares, lengths, &condition[0]));
  PetscCall(LeastSquaresCondition(squares, NULL, &condition[1]));
  PetscCall(PetscFree(lengths));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool AllFinite(PetscInt count, const PetscReal values[])
{
  for (PetscInt i = 0; i < count; i++)
    if (PetscIsInfOrNanReal(values[i])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Why these points are not sufficient for a model. */
static PetscErrorCode Refuse(const LoopPoints *points, PolynomialFit *fit)
{
  const PetscInt  n   = points->count;
  char *const     why = fit->remark;
  const PetscBool valid =
    (PetscBool)(AllFinite(n, points->displacement) && AllFinite(n, points->velocity) && AllFinite(n, points->force) && AllFinite(n, points->slope));

  PetscFunctionBegin;
  if (n == 0)
    PetscCall(PetscStrncpy(why, "the loop has no such branch, or every branch is too short for the window and the trim", sizeof(fit->remark)));
  else if (n <= fit->count)
    PetscCall(PetscSNPrintf(why, sizeof(fit->remark),
                            "%" PetscInt_FMT " points of the branch, away from its ends, are too few for %" PetscInt_FMT " unknowns", n, fit->count));
  else if (!valid) PetscCall(PetscStrncpy(why, "a point of the loop is not a finite number", sizeof(fit->remark)));
  else if (VectorLength(n, points->slope) == 0.0) PetscCall(PetscStrncpy(why, "the force does not change along the branch", sizeof(fit->remark)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The solution asked for, and the plain one, without regularisation. */
static PetscErrorCode Solve(const PolynomialOptions *options, LeastSquares *squares, PetscReal plain[], PolynomialFit *fit)
{
  PetscFunctionBegin;
  PetscCall(LeastSquaresBySVD(squares, 0.0));
  PetscCall(PetscArraycpy(plain, squares->z, squares->n));
  if (options->solver == POLYNOMIAL_SVD) PetscCall(LeastSquaresBySVD(squares, options->regularise));
  else if (squares->rank == squares->n || options->regularise > 0.0) PetscCall(LeastSquaresByQR(squares, options->regularise));
  else PetscCall(PetscStrncpy(fit->remark, "terms depend on each other along this branch: leave some out, or use solver: svd", sizeof(fit->remark)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PolynomialFitPoints(const LoopPoints *points, const PolynomialOptions *options, PolynomialFit *fit)
{
  const PetscInt n     = options->num_terms + 2;
  const Units    units = {Unit(points->count, points->displacement), Unit(points->count, points->velocity)};
  LeastSquares   squares;
  PetscReal     *plain;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(fit, sizeof(*fit)));
  fit->count = n;
  PetscCall(PetscCalloc5(n, &fit->value, n, &fit->standard_error, n, &fit->share, n, &fit->verdict, points->count, &fit->fitted));
  PetscCall(Refuse(points, fit));
  if (fit->remark[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n, &plain));
  PetscCall(LeastSquaresCreate(points->count, n, &squares));
  Fill(points, options, units, &squares);
  PetscCall(LeastSquaresFactor(&squares));
  PetscCall(Solve(options, &squares, plain, fit));
  if (!fit->remark[0]) {
    Evaluate(points, options, units, &squares, fit);
    PetscCall(Conclude(points, options, units, &squares, plain, fit));
    PetscCall(FindConditions(options, units, &squares, fit->condition));
    if (!AllFinite(n, fit->value))
      PetscCall(PetscStrncpy(fit->remark, "a coefficient is too large for a floating-point number: use other units, or leave terms out",
                             sizeof(fit->remark)));
  }
  PetscCall(LeastSquaresDestroy(&squares));
  PetscCall(PetscFree(plain));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PolynomialFitDestroy(PolynomialFit *fit)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(fit->value, fit->standard_error, fit->share, fit->verdict, fit->fitted));
  PetscFunctionReturn(PETSC_SUCCESS);
}
