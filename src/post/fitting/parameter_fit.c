/* parameter_fit.c - least squares for unknown numbers of a model, by central differences, from many starts. */
#include "bounded_squares.h"
#include "finalists.h"
#include "parameter_scale.h"

enum { NUM_FINALISTS = 4, NUM_REWEIGHTS = 12 };

/* A fit and its work arrays. */
typedef struct {
  ParameterFit *fit;
  PetscReal    *deviations, *above, *below; /* [count] */
  PetscReal    *slopes;                     /* [count, num_unknowns] */
  PetscReal    *low, *high;                 /* of the scaled unknowns */
} Search;

static PetscErrorCode Deviate(const Search *search, const PetscReal x[], PetscBool *exists, PetscReal deviations[])
{
  const ParameterFit *fit = search->fit;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < fit->num_unknowns; p++) fit->values[fit->unknowns[p].index] = ScaleValue(&fit->unknowns[p], x[p]);
  PetscCall(fit->deviate(fit->context, fit->values, exists, deviations));
  for (PetscInt i = 0; *exists && i < fit->count; i++) *exists = PetscNot(PetscIsInfOrNanReal(deviations[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Central differences; one-sided at a bound, or where there is no model on the other side. */
static PetscErrorCode DifferentiateBy(const Search *search, PetscInt p, PetscReal x[])
{
  const PetscInt  size = search->fit->num_unknowns, count = search->fit->count;
  const PetscReal middle = x[p], step = 1e-5;
  PetscReal       up = PetscMin(middle + step, search->high[p]), down = PetscMax(middle - step, search->low[p]);
  PetscBool       is_above, is_below;

  PetscFunctionBegin;
  x[p] = up;
  PetscCall(Deviate(search, x, &is_above, search->above));
  x[p] = down;
  PetscCall(Deviate(search, x, &is_below, search->below));
  x[p] = middle;
  if (!is_above) up = middle;
  if (!is_below) down = middle;
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal change = (is_above ? search->above[i] : search->deviations[i]) - (is_below ? search->below[i] : search->deviations[i]);

    search->slopes[i * size + p] = up > down ? change / (up - down) : 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Variance(const ParameterFit *fit, PetscInt i)
{
  return (fit->own ? fit->own[i] : 0) + fit->variance[i % fit->num_kinds];
}

static PetscErrorCode Evaluate(void *context, const PetscReal x[], PetscReal *value, PetscReal gradient[], PetscReal normal[])
{
  const Search  *search               = context;
  const PetscInt size                 = search->fit->num_unknowns;
  PetscReal      at[FIT_MAX_UNKNOWNS] = {0};
  PetscBool      exists;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(at, x, size));
  PetscCall(Deviate(search, at, &exists, search->deviations));
  if (gradient) PetscCall(PetscArrayzero(gradient, size));
  if (normal) PetscCall(PetscArrayzero(normal, size * size));
  *value = exists ? 0 : PETSC_INFINITY;
  for (PetscInt p = 0; exists && gradient && p < size; p++) PetscCall(DifferentiateBy(search, p, at));
  for (PetscInt i = 0; exists && i < search->fit->count; i++)
    *value += SquaresAdd(size, search->deviations[i], &search->slopes[i * size], Variance(search->fit, i), search->fit->huber, gradient, normal);
  if (normal) SquaresKeepRegular(size, normal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Minimise(Search *search, Candidate *candidate)
{
  const BoundedSquares problem = {.size     = search->fit->num_unknowns,
                                  .low      = search->low,
                                  .high     = search->high,
                                  .evaluate = Evaluate,
                                  .context  = search,
                                  .small    = SQUARES_EXACT,
                                  .damping  = SQUARES_DAMPING};

  PetscFunctionBegin;
  PetscCall(BoundedSquaresMinimise(&problem, candidate->x, &candidate->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The given start and the best of the others are moved to their minima. Of equally good results, which no measurement can tell apart, that of
   the given start is kept. */
static PetscErrorCode FindBest(Search *search, Candidate *best)
{
  const PetscReal equal     = 1e-12;
  Finalists       finalists = {.most = NUM_FINALISTS};

  PetscFunctionBegin;
  best->value = PETSC_INFINITY;
  for (PetscInt i = 0; i <= search->fit->num_starts && !InterruptAsked(); i++) {
    Candidate candidate;

    for (PetscInt p = 0; p < search->fit->num_unknowns; p++) candidate.x[p] = ScaleStart(&search->fit->unknowns[p], i, p);
    PetscCall(Evaluate(search, candidate.x, &candidate.value, NULL, NULL));
    if (i == 0) *best = candidate;
    else FinalistsEnter(&finalists, &candidate);
  }
  if (best->value < PETSC_INFINITY) PetscCall(Minimise(search, best));
  for (PetscInt i = 0; i < finalists.count && !InterruptAsked(); i++) {
    PetscCall(Minimise(search, &finalists.list[i]));
    if (finalists.list[i].value < best->value - equal) *best = finalists.list[i];
  }
  if (InterruptAsked()) best->value = PETSC_INFINITY; /* half a search finds another result */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The variance of a kind that the deviations imply. The degrees of freedom are shared among the kinds. */
static PetscReal FindVariance(const Search *search, PetscInt kind)
{
  const ParameterFit *fit     = search->fit;
  const PetscReal     freedom = (PetscReal)(fit->count - fit->num_unknowns) / (PetscReal)fit->num_kinds;
  PetscReal           sum     = 0;

  for (PetscInt i = kind; i < fit->count; i += fit->num_kinds)
    sum += SquaresExcess(search->deviations[i], fit->own ? fit->own[i] : 0, fit->variance[kind], fit->huber);
  return PetscMax(sum / freedom, fit->floor[kind]);
}

/* Each kind is weighted by how well the model can follow it. With one kind the weight does not move the minimum. */
static PetscErrorCode Reweight(Search *search, Candidate *best)
{
  ParameterFit *fit = search->fit;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_REWEIGHTS; i++) {
    PetscReal change = 0;

    PetscCall(Evaluate(search, best->x, &best->value, NULL, NULL));
    for (PetscInt k = 0; k < fit->num_kinds; k++) {
      const PetscReal variance = FindVariance(search, k);

      change           = PetscMax(change, PetscAbsReal(variance / fit->variance[k] - 1));
      fit->variance[k] = variance;
    }
    if (change < 0.02 || (fit->num_kinds == 1 && !fit->own)) break;
    PetscCall(Minimise(search, best));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Standard deviations of the unknowns that are `kept` when the others are held fixed. */
static PetscErrorCode DeviationsOf(PetscInt size, const PetscReal normal[], const PetscBool kept[], PetscReal deviation[])
{
  PetscInt   which[FIT_MAX_UNKNOWNS], count = 0;
  PetscReal  of_kept[FIT_MAX_UNKNOWNS];
  PetscReal *part;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size * size, &part));
  for (PetscInt p = 0; p < size; p++)
    if (kept[p]) which[count++] = p;
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < count; j++) part[i * count + j] = normal[which[i] * size + which[j]];
  if (count > 0) PetscCall(StandardDeviations(count, part, of_kept));
  for (PetscInt i = 0; i < count; i++) deviation[which[i]] = of_kept[i];
  PetscCall(PetscFree(part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the data exclude the value `away` of this unknown, the others held fixed. Linear theory holds near the minimum only: there, the noise
   of the largest forces can seem to reveal the slip force of a joint that never slipped. */
static PetscErrorCode Refuses(Search *search, const Candidate *best, PetscInt p, PetscReal away, PetscReal enough, PetscBool *refuses)
{
  Candidate there = *best;

  PetscFunctionBegin;
  *refuses = PETSC_TRUE;
  if (away < search->low[p] || away > search->high[p]) PetscFunctionReturn(PETSC_SUCCESS);
  there.x[p] = away;
  PetscCall(Evaluate(search, there.x, &there.value, NULL, NULL));
  *refuses = there.value >= best->value + enough ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An unknown is determined where its linear interval is narrow and the data exclude both values at the tolerance. */
static PetscErrorCode DetermineOne(Search *search, const Candidate *best, PetscInt p, PetscReal half, PetscReal enough, PetscBool *determined)
{
  const PetscReal x = best->x[p], tolerance = ScaleTolerance(&search->fit->unknowns[p], x);

  PetscFunctionBegin;
  *determined = half < tolerance ? PETSC_TRUE : PETSC_FALSE;
  for (int side = -1; side <= 1 && *determined; side += 2) PetscCall(Refuses(search, best, p, x + side * tolerance, enough, determined));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An unknown that is not determined may lie anywhere. Then linear theory fails, too, for an unknown that depends on it, whose standard deviation
   is many times what it would be if the other were known. */
static PetscErrorCode Determine(Search *search, const Candidate *best, const PetscReal normal[], PetscReal student, PetscReal deviation[],
                                PetscBool determined[])
{
  const PetscReal many = 3, enough = 0.5 * PetscSqr(student);
  const PetscInt  size                    = search->fit->num_unknowns;
  PetscReal       alone[FIT_MAX_UNKNOWNS] = {0};

  PetscFunctionBegin;
  for (PetscInt p = 0; p < size; p++) determined[p] = PETSC_TRUE;
  PetscCall(DeviationsOf(size, normal, determined, deviation));
  for (PetscInt p = 0; p < size; p++) PetscCall(DetermineOne(search, best, p, student * deviation[p], enough, &determined[p]));
  PetscCall(DeviationsOf(size, normal, determined, alone));
  for (PetscInt p = 0; p < size; p++)
    if (deviation[p] > many * alone[p]) determined[p] = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Report(Search *search, const Candidate *best, FitParameter parameters[])
{
  const ParameterFit *fit     = search->fit;
  const PetscReal    *x       = best->x;
  const PetscInt      size    = fit->num_unknowns;
  const PetscReal     student = StudentDeviation((PetscReal)(fit->count - size));
  PetscReal           gradient[FIT_MAX_UNKNOWNS], deviation[FIT_MAX_UNKNOWNS], *normal;
  Candidate           weighed = *best;
  PetscBool           exists, determined[FIT_MAX_UNKNOWNS] = {PETSC_FALSE};

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size * size, &normal));
  PetscCall(Evaluate(search, x, &weighed.value, gradient, normal));
  PetscCall(Determine(search, &weighed, normal, student, deviation, determined));
  for (PetscInt p = 0; p < size; p++) ScaleReport(&fit->unknowns[p], x[p], deviation[p], student * deviation[p], determined[p], &parameters[p]);
  PetscCall(Deviate(search, x, &exists, search->deviations)); /* sets the values of the model */
  PetscCall(PetscFree(normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParameterFitFind(ParameterFit *fit, PetscBool *found, FitParameter parameters[])
{
  const PetscInt size   = fit->num_unknowns;
  Search         search = {.fit = fit};
  Candidate      best;

  PetscFunctionBegin;
  PetscCheck(fit->count >= size + 3, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "%" PetscInt_FMT " deviations cannot find %" PetscInt_FMT " unknowns",
             fit->count, size);
  PetscCall(PetscMalloc3(fit->count, &search.deviations, fit->count, &search.above, fit->count, &search.below));
  PetscCall(PetscMalloc3(fit->count * size, &search.slopes, size, &search.low, size, &search.high));
  for (PetscInt p = 0; p < size; p++) ScaleBounds(&fit->unknowns[p], &search.low[p], &search.high[p]);
  PetscCall(FindBest(&search, &best));
  *found = best.value < PETSC_INFINITY ? PETSC_TRUE : PETSC_FALSE;
  if (*found) PetscCall(Reweight(&search, &best));
  if (*found) PetscCall(Report(&search, &best, parameters));
  PetscCall(PetscFree3(search.slopes, search.low, search.high));
  PetscCall(PetscFree3(search.deviations, search.above, search.below));
  PetscFunctionReturn(PETSC_SUCCESS);
}
