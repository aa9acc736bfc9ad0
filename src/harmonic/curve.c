/* curve.c - curves of periodic motions: made, corrected, followed. */
#include "curve_steps.h"
#include "resonance.h"
#include "rows.h"

const char *const curve_ends[] = {
  "goes on",
  "complete",
  "turned back and left its range where it began",
  "reached the largest number of points",
  "steps became too small",
  "no first point was found",
  "it was lost as harmonics or samples were added",
  "joints move with a rigid motion of the structure, whose mean nothing determines: hold it, or take the method newmark",
  "the peak met a minimum and ended",
  "interrupted",
  NULL};

enum { PEAK_SAMPLES = 256 }; /* at least: where joints flatten a peak, few samples make ripples on it */

static const PetscReal CLOSE_ENOUGH = 1e-8; /* of the unknowns in their measure, of Newton's last step */
static const PetscReal WELL_SOLVED  = 1e-6; /* what an iteration may leave over of a step or a tangent: steps then converge as well */

PetscErrorCode CurvePointCreate(const Curve *curve, CurvePoint *point)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(2 * width, &point->y));
  point->tangent = point->y + width;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurvePointCopy(const Curve *curve, const CurvePoint *from, CurvePoint *to)
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(to->y, from->y, 2 * (curve->equation->n + curve->num_parameters)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurvePointDestroy(CurvePoint *point)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(point->y));
  *point = (CurvePoint){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Half a dozen samples for the fastest wave of a finer basis at least. */
static PetscErrorCode CreateBases(Curve *curve, PetscInt harmonics, PetscInt samples)
{
  const PetscInt width = 2;

  PetscFunctionBegin;
  PetscCall(HarmonicBasisCreate(harmonics, curve->odd, samples, &curve->basis));
  PetscCall(HarmonicBasisCreate(width * harmonics, curve->odd, width * samples, &curve->finer_basis));
  PetscCall(HarmonicEquationCreate(curve->structure, curve->basis, &curve->equation));
  PetscCall(HarmonicEquationCreate(curve->structure, curve->finer_basis, &curve->finer));
  PetscCall(CurveSystemCreate(curve->equation->n, curve->num_parameters, &curve->system));
  if (curve->along_resonance) PetscCall(ResonanceConditionCreate(curve->structure, curve->basis, curve->resonance, &curve->condition));
  PetscCall(CurvePointCreate(curve, &curve->point));
  PetscCall(CurvePointCreate(curve, &curve->last));
  PetscCall(CurvePointCreate(curve, &curve->earlier));
  PetscCall(PetscCalloc1(curve->equation->n + curve->num_parameters, &curve->measure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroyBases(Curve *curve)
{
  PetscFunctionBegin;
  PetscCall(ResonanceConditionDestroy(&curve->condition));
  PetscCall(HarmonicEquationDestroy(&curve->equation));
  PetscCall(HarmonicEquationDestroy(&curve->finer));
  PetscCall(HarmonicBasisDestroy(&curve->basis));
  PetscCall(HarmonicBasisDestroy(&curve->finer_basis));
  PetscCall(CurveSystemDestroy(&curve->system));
  PetscCall(CurvePointDestroy(&curve->point));
  PetscCall(CurvePointDestroy(&curve->last));
  PetscCall(CurvePointDestroy(&curve->earlier));
  PetscCall(PetscFree(curve->measure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AreAllOdd(const System *system, PetscBool *odd)
{
  PetscFunctionBegin;
  *odd = PETSC_TRUE;
  for (PetscInt b = 0; b < system->num_blocks && *odd; b++) PetscCall(PeriodIsOdd(&system->blocks[b], odd));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As many as memory allows, and as samples show; the last one that an odd basis has. */
static void LimitHarmonics(Curve *curve)
{
  PetscInt *most = &curve->options.most_harmonics;

  *most = HarmonicStructureMostHarmonics(curve->structure, PetscMin(*most, PetscMax(curve->options.most_samples, 32) / 4));
  if (curve->odd && *most % 2 == 0) (*most)--;
}

static PetscErrorCode Create(const HarmonicStructure *structure, CurveOptions options, Curve **curve)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(curve));
  (*curve)->structure    = structure;
  (*curve)->options      = options;
  (*curve)->setting.mode = -1;
  PetscCall(AreAllOdd(structure->system, &(*curve)->odd));
  LimitHarmonics(*curve);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(Curve *curve)
{
  const PetscInt harmonics = curve->options.harmonics ? curve->options.harmonics : 3;
  const PetscInt chosen    = PetscMax(32 * ((harmonics + 3) / 4), curve->resonance.peak ? PEAK_SAMPLES : 0);
  const PetscInt samples   = curve->options.samples ? curve->options.samples : PetscMin(chosen, PetscMax(curve->options.most_samples, 32));

  PetscFunctionBegin;
  PetscCall(CreateBases(curve, harmonics, samples));
  curve->first_harmonics = curve->basis->highest;
  curve->first_samples   = samples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveCreateByFrequency(const HarmonicStructure *structure, CurveOptions options, PetscReal level, Curve **curve)
{
  PetscFunctionBegin;
  PetscCall(Create(structure, options, curve));
  (*curve)->num_parameters = 1;
  (*curve)->parameter[0]   = HARMONIC_FREQUENCY;
  (*curve)->setting.level  = level;
  PetscCall(Finish(*curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveCreateByLevel(const HarmonicStructure *structure, CurveOptions options, PetscReal frequency, Curve **curve)
{
  PetscFunctionBegin;
  PetscCall(Create(structure, options, curve));
  (*curve)->num_parameters    = 1;
  (*curve)->parameter[0]      = HARMONIC_LEVEL;
  (*curve)->scales            = PETSC_TRUE;
  (*curve)->setting.frequency = frequency;
  PetscCall(Finish(*curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveCreateAlongResonance(const HarmonicStructure *structure, CurveOptions options, HarmonicResonance resonance, Curve **curve)
{
  PetscFunctionBegin;
  PetscCall(Create(structure, options, curve));
  (*curve)->num_parameters    = 2;
  (*curve)->num_equations     = 1;
  (*curve)->parameter[0]      = HARMONIC_FREQUENCY;
  (*curve)->parameter[1]      = HARMONIC_LEVEL;
  (*curve)->scales            = PETSC_TRUE;
  (*curve)->resonance         = resonance;
  (*curve)->along_resonance   = PETSC_TRUE;
  (*curve)->setting.frequency = PetscSqrtReal(structure->eigenvalue[resonance.mode]);
  PetscCall(Finish(*curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveCreateOfMode(const HarmonicStructure *structure, CurveOptions options, PetscInt mode, Curve **curve)
{
  PetscFunctionBegin;
  PetscCall(Create(structure, options, curve));
  (*curve)->num_parameters = 3;
  (*curve)->num_equations  = 2;
  (*curve)->parameter[0]   = HARMONIC_FREQUENCY;
  (*curve)->parameter[1]   = HARMONIC_DAMPING;
  (*curve)->parameter[2]   = HARMONIC_AMPLITUDE;
  (*curve)->scales         = PETSC_TRUE;
  (*curve)->setting.mode   = mode;
  PetscCall(Finish(*curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveDestroy(Curve **curve)
{
  PetscFunctionBegin;
  if (!*curve) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DestroyBases(*curve));
  PetscCall(PetscFree(*curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal *ParameterOf(HarmonicSetting *setting, HarmonicParameter parameter)
{
  switch (parameter) {
  case HARMONIC_FREQUENCY:
    return &setting->frequency;
  case HARMONIC_LEVEL:
    return &setting->level;
  case HARMONIC_DAMPING:
    return &setting->damping;
  default:
    return &setting->amplitude;
  }
}

static PetscBool IsLogarithm(HarmonicParameter parameter)
{
  return (PetscBool)(parameter == HARMONIC_LEVEL || parameter == HARMONIC_AMPLITUDE);
}

HarmonicSetting CurveSettingOf(const Curve *curve, const PetscReal y[])
{
  HarmonicSetting setting = curve->setting;

  for (PetscInt p = 0; p < curve->num_parameters; p++) {
    const PetscReal value = y[curve->equation->n + p];

    *ParameterOf(&setting, curve->parameter[p]) = IsLogarithm(curve->parameter[p]) ? PetscExpReal(value) : value;
  }
  return setting;
}

void CurveTakeSetting(Curve *curve)
{
  for (PetscInt p = 0; p < curve->num_parameters; p++) {
    const PetscReal value = *ParameterOf(&curve->setting, curve->parameter[p]);

    curve->point.y[curve->equation->n + p] = IsLogarithm(curve->parameter[p]) ? PetscLogReal(value) : value;
  }
}

PetscReal CurveSize(const Curve *curve)
{
  return curve->scales ? PetscExpReal(curve->point.y[curve->equation->n + curve->num_parameters - 1]) : 1.0;
}

void CurveMotions(const Curve *curve, PetscReal x[])
{
  const PetscReal size = CurveSize(curve);

  for (PetscInt i = 0; i < curve->equation->n; i++) x[i] = size * curve->point.y[i];
}

PetscReal CurveHeading(const Curve *curve)
{
  return curve->point.tangent[curve->equation->n + curve->num_parameters - 1];
}

void CurveTakeMeasure(Curve *curve)
{
  const PetscInt  n    = curve->equation->n;
  const PetscReal size = PetscSqrtReal(RowsTimesOne(n, curve->point.y, curve->point.y));

  curve->largest = size > 0.0 ? HarmonicLargest(n, curve->point.y) : 1.0;
  for (PetscInt i = 0; i < n; i++) curve->measure[i] = size > 0.0 ? size : 1.0;
  for (PetscInt p = 0; p < curve->num_parameters; p++) {
    const PetscReal value = PetscAbsReal(curve->point.y[n + p]);

    curve->measure[n + p] = IsLogarithm(curve->parameter[p]) ? 1.0 : curve->parameter[p] == HARMONIC_DAMPING ? PetscMax(value, 1e-6) : value;
  }
}

PetscReal CurveLength(const Curve *curve, const PetscReal change[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < curve->equation->n + curve->num_parameters; i++) sum += PetscSqr(change[i] / curve->measure[i]);
  return PetscSqrtReal(sum);
}

/* The largest part of the unknowns that a change is: of motions, of the largest harmonic. */
static PetscReal LargestPart(const Curve *curve, const PetscReal change[])
{
  const PetscInt n    = curve->equation->n;
  PetscReal      most = 0.0;

  for (PetscInt i = 0; i < n + curve->num_parameters; i++) {
    const PetscReal part = PetscAbsReal(change[i] / (i < n ? curve->largest : curve->measure[i]));

    if (!(part <= most)) most = part;
  }
  return most;
}

PetscErrorCode CurveEvaluate(Curve *curve, PetscBool differentiate)
{
  PetscReal *x;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(curve->equation->n, &x));
  CurveMotions(curve, x);
  curve->setting = CurveSettingOf(curve, curve->point.y);
  PetscCall(HarmonicEquationEvaluate(curve->equation, x, curve->setting, differentiate));
  if (curve->along_resonance && differentiate)
    PetscCall(
      ResonanceConditionEvaluate(curve->condition, curve->equation, x, CurveSize(curve) * curve->measure[0], curve->measure[curve->equation->n]));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The change [z, parameters] that Newton's equation gives for -R. */
static PetscErrorCode NewtonStep(Curve *curve, PetscReal right[], PetscReal change[])
{
  const HarmonicEquation *const e    = curve->equation;
  const PetscReal               size = CurveSize(curve);

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < e->n; i++) right[i] = -e->residual[i];
  for (PetscInt q = 0; q < curve->num_equations; q++) right[e->n + q] = -e->mode_equation[q];
  right[e->n + curve->num_parameters - 1] = 0.0;
  PetscCall(CurveSystemSolve(curve, WELL_SOLVED, right, change));
  for (PetscInt i = 0; i < e->n; i++) change[i] /= size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frequencies stay positive: no step takes away more than half of one. */
static PetscReal Admissible(const Curve *curve, const PetscReal change[])
{
  PetscReal part = 1.0;

  for (PetscInt p = 0; p < curve->num_parameters; p++) {
    const PetscInt i = curve->equation->n + p;

    if (curve->parameter[p] == HARMONIC_FREQUENCY && part * change[i] < -0.5 * curve->point.y[i]) part = -0.5 * curve->point.y[i] / change[i];
    if (IsLogarithm(curve->parameter[p]) && PetscAbsReal(part * change[i]) > 2.0) part = 2.0 / PetscAbsReal(change[i]);
  }
  return part;
}

PetscReal CurveImbalance(const Curve *curve)
{
  PetscReal most = HarmonicLargest(curve->equation->n, curve->equation->residual) / (CurveSize(curve) * curve->largest);

  for (PetscInt q = 0; q < curve->num_equations; q++) most = PetscMax(most, PetscAbsReal(curve->equation->mode_equation[q]));
  return most;
}

/* Takes a part of a step, halved until the imbalance falls; far from a solution full steps may go round in circles. */
static PetscErrorCode Advance(Curve *curve, const PetscReal change[], PetscBool careful, PetscReal *start)
{
  const PetscInt  width  = curve->equation->n + curve->num_parameters;
  const PetscReal before = CurveImbalance(curve);
  PetscReal       part   = Admissible(curve, change);

  PetscFunctionBeginHot;
  PetscCall(PetscArraycpy(start, curve->point.y, width));
  for (PetscInt half = 0; half < 12; half++, part *= 0.5) {
    for (PetscInt i = 0; i < width; i++) curve->point.y[i] = start[i] + part * change[i];
    PetscCall(CurveEvaluate(curve, PETSC_TRUE));
    if (!careful || CurveImbalance(curve) < (1.0 - 0.1 * part) * before) break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveCorrect(Curve *curve, const PetscReal normal[], PetscInt most_iterations, PetscBool careful, PetscBool *found)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *right, *change, *start, part;
  PetscBool      regular = PETSC_TRUE;

  PetscFunctionBeginHot;
  *found = PETSC_FALSE;
  PetscCall(PetscMalloc3(width, &right, width, &change, width, &start));
  PetscCall(CurveEvaluate(curve, PETSC_TRUE));
  for (curve->iterations = 1; curve->iterations <= most_iterations; curve->iterations++) {
    PetscCall(CurveSystemFactor(curve, normal, &regular));
    if (!regular) break;
    PetscCall(NewtonStep(curve, right, change));
    part = LargestPart(curve, change);
    if (!(part <= PETSC_MAX_REAL)) break;
    if (part <= CLOSE_ENOUGH) {
      *found = PETSC_TRUE;
      break;
    }
    if (!careful && part > 1e3) break;
    PetscCall(Advance(curve, change, careful, start));
  }
  PetscCall(PetscFree3(right, change, start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tangent of the point whose equation is factored: zero change of R, one along the old tangent. */
PetscErrorCode CurveFindTangent(Curve *curve)
{
  const PetscInt  n = curve->equation->n, width = n + curve->num_parameters;
  const PetscReal size = CurveSize(curve);
  PetscReal      *right, length;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc1(width, &right));
  right[width - 1] = 1.0;
  PetscCall(CurveSystemSolve(curve, WELL_SOLVED, right, curve->point.tangent));
  for (PetscInt i = 0; i < n; i++) curve->point.tangent[i] /= size;
  length = CurveLength(curve, curve->point.tangent);
  for (PetscInt i = 0; i < width; i++) curve->point.tangent[i] /= length;
  PetscCall(PetscFree(right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the plane is not across the old tangent, the new one may have the other sense. */
PetscErrorCode CurveFindTangentAlong(Curve *curve)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *old, along = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &old));
  PetscCall(PetscArraycpy(old, curve->point.tangent, width));
  PetscCall(CurveFindTangent(curve));
  for (PetscInt i = 0; i < width; i++) along += old[i] * curve->point.tangent[i] / PetscSqr(curve->measure[i]);
  for (PetscInt i = 0; i < width && along < 0.0; i++) curve->point.tangent[i] = -curve->point.tangent[i];
  PetscCall(PetscFree(old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CurvePointAlong(const Curve *curve, PetscReal direction[])
{
  const PetscInt width = curve->equation->n + curve->num_parameters;

  for (PetscInt i = 0; i < width; i++) direction[i] = 0.0;
  direction[width - 1] = 1.0;
}

/* The plane across a direction, in the measure. */
void CurveNormal(const Curve *curve, const PetscReal direction[], PetscReal normal[])
{
  for (PetscInt i = 0; i < curve->equation->n + curve->num_parameters; i++) normal[i] = direction[i] / PetscSqr(curve->measure[i]);
}

static void CarryPoint(const Curve *old, const CurvePoint *from, const Curve *curve, CurvePoint *to)
{
  const PetscInt m = curve->equation->m, k = curve->num_parameters;

  HarmonicCarry(old->basis, from->y, m, curve->basis, to->y);
  HarmonicCarry(old->basis, from->tangent, m, curve->basis, to->tangent);
  for (PetscInt p = 0; p < k; p++) {
    to->y[curve->equation->n + p]       = from->y[old->equation->n + p];
    to->tangent[curve->equation->n + p] = from->tangent[old->equation->n + p];
  }
}

/* All that was known, on other harmonics and samples. */
PetscErrorCode CurveRefine(Curve *curve, PetscInt harmonics, PetscInt samples)
{
  Curve old = *curve;

  PetscFunctionBegin;
  PetscCall(CreateBases(curve, harmonics, samples));
  CarryPoint(&old, &old.point, curve, &curve->point);
  CarryPoint(&old, &old.last, curve, &curve->last);
  CarryPoint(&old, &old.earlier, curve, &curve->earlier);
  PetscCall(DestroyBases(&old));
  CurveTakeMeasure(curve);
  PetscFunctionReturn(PETSC_SUCCESS);
}
