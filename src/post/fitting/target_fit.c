/* target_fit.c - numbers of a model that meet a few targets, by the model's own derivatives. */
#include <math.h>
#include <petscmat.h>
#include "bounded_squares.h"
#include "parameter_scale.h"

typedef struct {
  const TargetFit *fit;
  PetscReal       *deviations, *slopes; /* [count], [count, num_unknowns] */
} Search;

static void FindValues(const TargetFit *fit, const PetscReal x[], PetscReal values[])
{
  for (PetscInt p = 0; p < fit->num_unknowns; p++) values[p] = ScaleValue(&fit->unknowns[p], x[p]);
}

/* With derivatives by the scaled unknowns. */
static PetscErrorCode Evaluate(void *context, const PetscReal x[], PetscReal *value, PetscReal gradient[], PetscReal normal[])
{
  const Search    *search = context;
  const TargetFit *fit    = search->fit;
  const PetscInt   size   = fit->num_unknowns;
  PetscReal        values[FIT_MAX_UNKNOWNS];
  PetscBool        exists;

  PetscFunctionBegin;
  FindValues(fit, x, values);
  PetscCall(fit->deviate(fit->context, values, &exists, search->deviations, gradient ? search->slopes : NULL));
  if (gradient) PetscCall(PetscArrayzero(gradient, size));
  if (normal) PetscCall(PetscArrayzero(normal, size * size));
  *value = exists ? 0 : PETSC_INFINITY;
  for (PetscInt i = 0; exists && i < fit->count; i++) {
    for (PetscInt p = 0; gradient && p < size; p++) search->slopes[i * size + p] *= ScaleSlope(&fit->unknowns[p], x[p]);
    *value += SquaresAdd(size, search->deviations[i], &search->slopes[i * size], PetscSqr(fit->uncertainty[i]), PETSC_INFINITY, gradient, normal);
  }
  if (normal) SquaresKeepRegular(size, normal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether no target changes with the number. */
static PetscBool IsSilent(const Search *search, PetscInt p)
{
  for (PetscInt i = 0; i < search->fit->count; i++)
    if (search->slopes[i * search->fit->num_unknowns + p] != 0) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Where targets are missed by more than is said of them, all is less well known than that; `value` is half the sum of squares. */
static PetscReal FindWidening(const Search *search, PetscReal value)
{
  PetscInt freedom = search->fit->count;

  for (PetscInt p = 0; p < search->fit->num_unknowns; p++) freedom -= !IsSilent(search, p);
  return freedom > 0 ? PetscSqrtReal(PetscMax(1, 2 * value / (PetscReal)freedom)) : 1;
}

/* Of the inverse of the normal matrix, by the solution for one column after the other. A number that the targets do not tell correlates with
   others as they please. */
static PetscErrorCode Correlate(PetscInt size, const PetscReal normal[], const PetscReal deviation[], PetscReal correlation[])
{
  Mat matrix, inverse, one;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < size * size; p++) correlation[p] = (PetscReal)NAN;
  for (PetscInt p = 0; p < size; p++)
    if (PetscIsInfOrNanReal(deviation[p])) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, NULL, &matrix));
  for (PetscInt p = 0; p < size; p++)
    for (PetscInt q = 0; q < size; q++) PetscCall(MatSetValue(matrix, p, q, normal[p * size + q] * deviation[p] * deviation[q], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, NULL, &one));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, correlation, &inverse));
  PetscCall(MatZeroEntries(one));
  PetscCall(MatShift(one, 1));
  PetscCall(MatCholeskyFactor(matrix, NULL, NULL));
  PetscCall(MatMatSolve(matrix, one, inverse));
  PetscCall(MatDestroy(&inverse));
  PetscCall(MatDestroy(&one));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The interval of 95 % of normal deviations, as the uncertainties of the targets are known. */
static PetscErrorCode Report(const BoundedSquares *problem, Search *search, const PetscReal x[], TargetFound *found)
{
  const PetscReal  normal_95 = 1.959963984540054;
  BoundedSquares   noisy     = *problem;
  const TargetFit *fit       = search->fit;
  const PetscInt   size      = fit->num_unknowns;
  PetscReal        value, gradient[FIT_MAX_UNKNOWNS], deviation[FIT_MAX_UNKNOWNS], *normal, *copy;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(size * size, &normal, size * size, &copy));
  PetscCall(Evaluate(search, x, &value, gradient, normal));
  noisy.small      = PetscMax(1e-4, 10 * fit->small); /* models have round-off, which may be large beside what is known of the targets */
  found->converged = BoundedSquaresIsMinimum(&noisy, x, gradient, normal);
  found->widening  = FindWidening(search, value);
  PetscCall(PetscArraycpy(copy, normal, size * size));
  PetscCall(StandardDeviations(size, copy, deviation));
  for (PetscInt p = 0; p < size; p++) {
    const PetscReal half   = normal_95 * found->widening * deviation[p];
    const PetscBool silent = IsSilent(search, p);

    if (silent) deviation[p] = (PetscReal)INFINITY;
    ScaleReport(&fit->unknowns[p], x[p], found->widening * deviation[p], half,
                (PetscBool)(!silent && half <= ScaleTolerance(&fit->unknowns[p], x[p])), &found->parameters[p]);
  }
  PetscCall(Correlate(size, normal, deviation, found->correlation));
  PetscCall(PetscFree2(normal, copy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TargetFitFind(const TargetFit *fit, TargetFound *found)
{
  Search               search = {.fit = fit};
  PetscReal            low[FIT_MAX_UNKNOWNS], high[FIT_MAX_UNKNOWNS], x[FIT_MAX_UNKNOWNS], value;
  const BoundedSquares problem = {.size     = fit->num_unknowns,
                                  .low      = low,
                                  .high     = high,
                                  .evaluate = Evaluate,
                                  .context  = &search,
                                  .small    = fit->small > 0 ? fit->small : SQUARES_EXACT,
                                  .round    = PETSC_TRUE};

  PetscFunctionBegin;
  *found = (TargetFound){0};
  PetscCall(PetscMalloc2(fit->count, &search.deviations, fit->count * fit->num_unknowns, &search.slopes));
  for (PetscInt p = 0; p < fit->num_unknowns; p++) {
    ScaleBounds(&fit->unknowns[p], &low[p], &high[p]);
    x[p] = ScaleOf(&fit->unknowns[p], fit->unknowns[p].start);
  }
  PetscCall(Evaluate(&search, x, &value, NULL, NULL));
  found->found = (PetscBool)(value < PETSC_INFINITY);
  if (found->found) PetscCall(BoundedSquaresMinimise(&problem, x, &value));
  if (found->found) PetscCall(Report(&problem, &search, x, found));
  PetscCall(PetscFree2(search.deviations, search.slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
