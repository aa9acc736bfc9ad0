/* stability.c - the multipliers of a periodic motion, and the verdict. */
#include "stability_parts.h"
#include <petscblaslapack.h>

const char *const stability_verdicts[] = {"stable", "unstable", "undecided", NULL};
const char *const stability_kinds[]    = {"does not leave", "a multiplier beyond +1", "a multiplier beyond -1: period doubling",
                                          "a pair of multipliers beyond the unit circle", NULL};

static const PetscReal ROUND_OFF = 1e-9; /* of a modulus, after thousands of steps */

/* What was found with one number of steps. */
typedef struct {
  PetscReal largest, backward, pair;
  PetscBool exact, closes; /* the former: errors fall with the square of the steps */
} Attempt;

PetscErrorCode StabilityCreate(const HarmonicStructure *structure, StabilityOptions options, Stability **stability)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(stability));
  if (options.least_steps == 0) options.least_steps = 64;
  if (options.most_steps == 0) options.most_steps = 1024;
  if (options.accuracy == 0.0) options.accuracy = 1e-3;
  (*stability)->structure = structure;
  (*stability)->options   = options;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityDestroy(Stability **stability)
{
  PetscFunctionBegin;
  if (!*stability) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*stability)->re));
  PetscCall(PetscFree(*stability));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reserve(Stability *s, PetscInt count)
{
  PetscFunctionBegin;
  s->count = count;
  if (count <= s->capacity && s->re) PetscFunctionReturn(PETSC_SUCCESS);
  s->capacity = PetscMax(count, 1);
  PetscCall(PetscFree(s->re));
  PetscCall(PetscMalloc1(2 * s->capacity, &s->re));
  s->im = s->re + s->capacity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Modulus(const Stability *s, PetscInt i)
{
  return PetscSqrtReal(PetscSqr(s->re[i]) + PetscSqr(s->im[i]));
}

/* The largest first; of a pair that with im > 0. */
static PetscErrorCode SortMultipliers(Stability *s)
{
  PetscReal *key, *re, *im;
  PetscInt  *order;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(s->count, &key, s->count, &re, s->count, &im, s->count, &order));
  for (PetscInt i = 0; i < s->count; i++) {
    key[i]   = -Modulus(s, i);
    re[i]    = s->re[i];
    im[i]    = s->im[i];
    order[i] = i;
  }
  PetscCall(PetscSortRealWithArrayInt(s->count, key, order));
  for (PetscInt i = 0; i < s->count; i++) {
    s->re[i] = re[order[i]];
    s->im[i] = im[order[i]];
  }
  for (PetscInt i = 0; i + 1 < s->count; i++)
    if (s->im[i] < 0.0 && s->re[i] == s->re[i + 1] && s->im[i] == -s->im[i + 1]) {
      s->im[i]     = -s->im[i];
      s->im[i + 1] = -s->im[i + 1];
    }
  PetscCall(PetscFree4(key, re, im, order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Eigenvalues of a matrix [count, count], which is lost. */
static PetscErrorCode FindMultipliers(Stability *s, PetscReal matrix[])
{
  PetscBLASInt order, one = 1, size, info;
  PetscScalar *work, none;

  PetscFunctionBegin;
  if (s->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscBLASIntCast(s->count, &order));
  PetscCall(PetscBLASIntCast(8 * s->count, &size));
  PetscCall(PetscMalloc1(size, &work));
  PetscCallBLAS("LAPACKgeev", LAPACKgeev_("N", "N", &order, matrix, &order, s->re, s->im, &none, &one, &none, &one, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgeev: %d", (int)info);
  PetscCall(PetscFree(work));
  PetscCall(SortMultipliers(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Attempt Judge(const Stability *s, PetscBool exact, PetscBool closes)
{
  Attempt attempt = {.exact = exact, .closes = closes};

  if (s->count) attempt.largest = Modulus(s, 0);
  for (PetscInt i = 0; i < s->count; i++) {
    if (s->im[i] == 0.0) attempt.backward = PetscMin(attempt.backward, s->re[i]);
    else attempt.pair = PetscMax(attempt.pair, Modulus(s, i));
  }
  return attempt;
}

/* The modulus of a mode that is moved by no joint that does anything but stick: exp(Re lambda T) with lambda^2 + c lambda + omega^2 = 0. */
static PetscReal ModulusApart(PetscReal damping, PetscReal eigenvalue, PetscReal period)
{
  const PetscReal inside = 0.25 * damping * damping - eigenvalue;

  return PetscExpReal(period * (inside > 0.0 ? PetscSqrtReal(inside) - 0.5 * damping : -0.5 * damping));
}

/* Of such modes those count that joints or loads move at all, and which are not rigid. */
static PetscErrorCode FindApart(Stability *s, const StabilityColumns *columns, PetscReal period)
{
  const HarmonicStructure *const structure = s->structure;
  PetscBool                     *counts;

  PetscFunctionBegin;
  s->apart = 0.0;
  if (structure->coupled) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(structure->n, &counts));
  StabilityReach(structure, counts);
  for (PetscInt j = 0; j < columns->num_modes; j++) counts[columns->mode[j]] = PETSC_FALSE;
  for (PetscInt j = 0; j < structure->n; j++)
    if (counts[j]) s->apart = PetscMax(s->apart, ModulusApart(structure->damping[j], structure->eigenvalue[j], period));
  PetscCall(PetscFree(counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One number of steps. */
static PetscErrorCode Try(Stability *s, const HarmonicBasis *basis, PetscReal frequency, PetscInt parts, StabilityGrid *grid, PetscInt num_points,
                          StabilityPoint points[], Attempt *attempt)
{
  PetscBool        exact = PETSC_TRUE, closes = PETSC_TRUE;
  StabilityColumns columns;
  PetscReal       *matrix;

  PetscFunctionBegin;
  PetscCall(StabilityGridDivide(grid, basis, parts));
  for (PetscInt p = 0; p < num_points; p++) {
    PetscCall(StabilityPointLinearise(&points[p], grid, basis, frequency, &closes));
    if (points[p].active && points[p].marched) exact = PETSC_FALSE;
  }
  PetscCall(StabilityColumnsCreate(s->structure, grid, num_points, points, &columns));
  PetscCall(FindApart(s, &columns, 2.0 * PETSC_PI / frequency));
  PetscCall(Reserve(s, columns.num_columns));
  PetscCall(PetscMalloc1(s->count * s->count, &matrix));
  if (s->count) PetscCall(StabilityColumnsMarch(&columns, frequency, matrix));
  PetscCall(FindMultipliers(s, matrix));
  *attempt = Judge(s, exact, closes);
  PetscCall(PetscFree(matrix));
  PetscCall(StabilityColumnsDestroy(&columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Extrapolate(PetscReal coarse, PetscReal fine)
{
  return fine + (fine - coarse) / 3.0;
}

/* What two numbers of steps tell. A pair or a negative multiplier may be there in one of them only: then there is nothing to extrapolate. */
static void Conclude(const Stability *s, const Attempt *coarse, const Attempt *fine, StabilityResult *result)
{
  const PetscBool both_backward = (PetscBool)(coarse->backward < 0.0 && fine->backward < 0.0);
  const PetscBool both_pairs    = (PetscBool)(coarse->pair > 0.0 && fine->pair > 0.0);
  const PetscReal change        = PetscAbsReal(fine->largest - coarse->largest);

  result->largest  = fine->exact ? Extrapolate(coarse->largest, fine->largest) : fine->largest;
  result->backward = fine->exact && both_backward ? Extrapolate(coarse->backward, fine->backward) : fine->backward;
  result->pair     = fine->exact && both_pairs ? Extrapolate(coarse->pair, fine->pair) : fine->pair;
  result->error    = PetscMax((fine->exact ? 1.0 : 2.0) * change, ROUND_OFF);
  result->re = result->im = 0.0;
  if (s->count) {
    result->re = s->re[0];
    result->im = s->im[0];
  }
  result->num_outside = result->num_backward = 0;
  for (PetscInt i = 0; i < s->count; i++) {
    if (Modulus(s, i) <= 1.0) continue;
    result->num_outside++;
    if (s->im[i] == 0.0 && s->re[i] < 0.0) result->num_backward++;
  }
  if (s->apart > result->largest) {
    result->largest = s->apart;
    result->re      = s->apart;
    result->im      = 0.0;
  }
}

/* By the modulus and its error alone. */
static void Decide(const Attempt *fine, StabilityResult *result)
{
  result->reason = NULL;
  result->kind   = LEAVES_NOT;
  if (!fine->closes) {
    result->verdict = STABILITY_UNDECIDED;
    result->reason  = "the loop of a joint does not close";
  } else if (result->largest + result->error < 1.0) result->verdict = STABILITY_STABLE;
  else if (result->largest - result->error > 1.0) {
    result->verdict = STABILITY_UNSTABLE;
    result->kind    = result->im != 0.0 ? LEAVES_AS_PAIR : result->re > 0.0 ? LEAVES_FORWARD : LEAVES_BACKWARD;
  } else {
    result->verdict = STABILITY_UNDECIDED;
    result->reason  = "the largest multiplier is as near to the unit circle as its error";
  }
}

/* Halves steps until the verdict is clear and the modulus accurate. Of marched joints, whose errors do not fall evenly, two halvings agree. */
static PetscErrorCode Refine(Stability *s, const HarmonicBasis *basis, PetscReal frequency, StabilityGrid *grid, PetscInt num_points,
                             StabilityPoint points[], StabilityResult *result)
{
  Attempt   coarse, fine;
  PetscReal before = PETSC_MAX_REAL;

  PetscFunctionBegin;
  PetscCall(Try(s, basis, frequency, 1, grid, num_points, points, &coarse));
  for (PetscInt parts = 2;; parts *= 2) {
    PetscReal change;

    PetscCall(Try(s, basis, frequency, parts, grid, num_points, points, &fine));
    Conclude(s, &coarse, &fine, result);
    change = result->error;
    if (!fine.exact && parts > 2) result->error = PetscMax(change, 0.5 * before);
    result->steps = grid->num_steps;
    Decide(&fine, result);
    if (!fine.closes || 2 * grid->num_steps > s->options.most_steps) break;
    if (result->verdict != STABILITY_UNDECIDED && result->error <= s->options.accuracy && (fine.exact || parts > 2)) break;
    before = change;
    coarse = fine;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt CountPoints(const System *system)
{
  PetscInt count = 0;

  for (PetscInt b = 0; b < system->num_blocks; b++) count += system->blocks[b].block.num_points;
  return count;
}

PetscErrorCode StabilityEvaluate(Stability *s, const HarmonicEquation *equation, const PetscReal x[], HarmonicSetting setting,
                                 StabilityResult *result)
{
  const System *const system     = s->structure->system;
  const PetscInt      num_points = CountPoints(system), least = PetscMax(s->options.least_steps, 2 * equation->basis->highest);
  StabilityGrid       grid = {0};
  StabilityPoint     *points;
  PetscInt            p = 0;

  PetscFunctionBegin;
  PetscCheck(setting.mode < 0, PETSC_COMM_SELF, PETSC_ERR_SUP, "stability is that of motions under loads");
  *result = (StabilityResult){0};
  PetscCall(PetscMalloc1(num_points, &points));
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt i = 0; i < system->blocks[b].block.num_points; i++, p++)
      PetscCall(StabilityPointCreate(equation, b, i, setting.frequency, x, &grid, &points[p]));
  PetscCall(StabilityGridSetUp(&grid, least));
  PetscCall(Refine(s, equation->basis, setting.frequency, &grid, num_points, points, result));
  for (p = 0; p < num_points; p++) PetscCall(StabilityPointDestroy(&points[p]));
  PetscCall(PetscFree(points));
  PetscCall(StabilityGridDestroy(&grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityOfPoint(Stability *s, const Curve *curve, StabilityResult *result)
{
  PetscReal *x;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(curve->equation->n, &x));
  CurveMotions(curve, x);
  PetscCall(StabilityEvaluate(s, curve->equation, x, curve->setting, result));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}
