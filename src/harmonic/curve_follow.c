/* curve_follow.c - along a curve: its first point, its steps, its end. */
#include "curve_steps.h"

enum { MOST_ITERATIONS = 8, FIRST_ITERATIONS = 60, LEAST_PARTS = 20, CORNER_STEPS = 4 };

static const PetscReal LEAST_STEP = 1e-7, MOST_BEND = 0.7, GOOD_BEND = 0.35; /* in the measure; [rad] */

/* A direction in which the leading parameter alone changes. */
static void PointAlong(const Curve *curve, PetscReal direction[])
{
  const PetscInt width = curve->equation->n + curve->num_parameters;

  for (PetscInt i = 0; i < width; i++) direction[i] = 0.0;
  direction[width - 1] = 1.0;
}

/* The motion while all joints stick; a nonlinear mode without amplitude. */
static PetscErrorCode StartLinear(Curve *curve)
{
  const HarmonicStructure *const s = curve->structure;
  const PetscInt                 m = s->m, P = curve->basis->num_functions, first = HarmonicFunction(curve->basis, 1);
  PetscReal                     *lin;
  const PetscReal                size = curve->scales ? 1.0 : curve->setting.level;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(4 * m, &lin));
  if (curve->setting.mode < 0) PetscCall(HarmonicStructureResponse(s, curve->setting.frequency, lin, lin + m, lin + 2 * m, lin + 3 * m));
  else {
    for (PetscInt r = 0; r < m; r++) lin[r] = s->map[r * s->n + curve->setting.mode];
    curve->setting.frequency = PetscSqrtReal(s->eigenvalue[curve->setting.mode]);
    curve->setting.damping   = s->damping[curve->setting.mode] / (2.0 * curve->setting.frequency);
  }
  PetscCall(PetscArrayzero(curve->point.y, curve->equation->n));
  for (PetscInt r = 0; r < m; r++) {
    curve->point.y[r * P + first]     = size * lin[r];
    curve->point.y[r * P + first + 1] = size * lin[m + r];
  }
  CurveTakeSetting(curve);
  CurveTakeMeasure(curve);
  PetscCall(PetscFree(lin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where Newton's method does not reach the motion from the linear one, the load grows in parts, as fine as it takes. */
static PetscErrorCode GrowLoad(Curve *curve, const PetscReal normal[], PetscBool *found)
{
  const PetscReal level = curve->setting.level;
  PetscReal       part = 0.0, step = 0.125;
  CurvePoint      last;

  PetscFunctionBegin;
  PetscCall(CurvePointCreate(curve, &last));
  curve->setting.level = 1e-3 * level;
  PetscCall(StartLinear(curve));
  while (part < 1.0 && step > 1e-4) {
    PetscCall(CurvePointCopy(curve, &curve->point, &last));
    curve->setting.level = PetscMin(part + step, 1.0) * level;
    CurveTakeMeasure(curve);
    PetscCall(CurveCorrect(curve, normal, FIRST_ITERATIONS, PETSC_TRUE, found));
    if (*found) part = PetscMin(part + step, 1.0);
    else step *= 0.25;
    if (!*found) PetscCall(CurvePointCopy(curve, &last, &curve->point));
  }
  *found               = (PetscBool)(part >= 1.0);
  curve->setting.level = level;
  PetscCall(CurvePointDestroy(&last));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindFirst(Curve *curve, PetscReal sense, PetscBool *found)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *normal, heading;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &normal));
  PetscCall(StartLinear(curve));
  PointAlong(curve, normal);
  PetscCall(CurveCorrect(curve, normal, FIRST_ITERATIONS, PETSC_TRUE, found));
  if (!*found && curve->parameter[0] == HARMONIC_FREQUENCY && curve->num_equations == 0) PetscCall(GrowLoad(curve, normal, found));
  PetscCall(PetscFree(normal));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  CurveTakeMeasure(curve);
  PetscCall(CurveFindTangent(curve));
  heading = CurveHeading(curve) * sense;
  for (PetscInt i = 0; i < width && heading < 0.0; i++) curve->point.tangent[i] = -curve->point.tangent[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The angle between two tangents in the present measure, cos of it. */
static PetscReal Along(const Curve *curve, const PetscReal a[], const PetscReal b[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < curve->equation->n + curve->num_parameters; i++) sum += a[i] * b[i] / PetscSqr(curve->measure[i]);
  return sum / (CurveLength(curve, a) * CurveLength(curve, b));
}

/* One step from the last point: `done` is false where Newton's method does not find it. The measure is that of the last point. */
static PetscErrorCode TryStep(Curve *curve, PetscReal step, PetscBool *done)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *normal;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(width, &normal));
  CurveNormal(curve, curve->last.tangent, normal);
  for (PetscInt i = 0; i < width; i++) curve->point.y[i] = curve->last.y[i] + step * curve->last.tangent[i];
  PetscCall(CurveCorrect(curve, normal, MOST_ITERATIONS, PETSC_FALSE, done));
  PetscCall(PetscFree(normal));
  if (!*done) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveFindTangent(curve));
  curve->bend = PetscAcosReal(PetscMax(-1.0, PetscMin(1.0, Along(curve, curve->point.tangent, curve->last.tangent))));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As long as the last one allows: by Newton's iterations, and by how much the tangent turned. */
static void ChooseStep(Curve *curve)
{
  const PetscReal by_iterations = PetscSqrtReal(4.0 / (PetscReal)curve->iterations), by_bend = GOOD_BEND / PetscMax(curve->bend, 1e-6);

  curve->step *= PetscMin(2.0, PetscMax(0.5, PetscMin(by_iterations, by_bend)));
  curve->step = PetscMin(curve->step, curve->options.largest_step);
}

/* The leading parameter as it is followed, and how far a step may change it. */
static PetscReal Leading(const Curve *curve, const CurvePoint *point)
{
  return point->y[curve->equation->n + curve->num_parameters - 1];
}

/* The last step ends at the end of the range. */
static PetscErrorCode StepToEnd(Curve *curve, PetscReal end, PetscBool *found)
{
  const PetscInt  width = curve->equation->n + curve->num_parameters;
  const PetscReal from = Leading(curve, &curve->last), to = Leading(curve, &curve->point), part = (end - from) / (to - from);
  PetscReal      *normal, heading;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < width; i++) curve->point.y[i] = curve->last.y[i] + part * (curve->point.y[i] - curve->last.y[i]);
  curve->point.y[width - 1] = end;
  PetscCall(PetscMalloc1(width, &normal));
  PointAlong(curve, normal);
  PetscCall(CurveCorrect(curve, normal, 2 * MOST_ITERATIONS, PETSC_TRUE, found));
  PetscCall(PetscFree(normal));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveFindTangent(curve));
  heading = CurveHeading(curve) * (to - from);
  for (PetscInt i = 0; i < width && heading < 0.0; i++) curve->point.tangent[i] = -curve->point.tangent[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The present point is one of the curve: judged, told of, kept. */
static PetscErrorCode Accept(Curve *curve, CurveAccept accept, void *context)
{
  PetscBool      go_on = PETSC_TRUE;
  CurveJudgement judgement;

  PetscFunctionBegin;
  PetscCall(CurveMakeAccurate(curve, &judgement));
  if (judgement == CURVE_LOST) curve->end = CURVE_INACCURATE;
  if (judgement == CURVE_AGAIN) curve->step *= 0.25;
  if (judgement == CURVE_AGAIN && curve->step < LEAST_STEP) curve->end = CURVE_LEAST_STEP;
  if (judgement == CURVE_LOST || judgement == CURVE_AGAIN) PetscFunctionReturn(PETSC_SUCCESS);
  if (judgement == CURVE_NOT_ACCURATE) curve->num_inaccurate++;
  curve->num_points++;
  PetscCall(accept(curve, context, &go_on));
  if (!go_on) curve->end = CURVE_BROKEN_OFF;
  CurveTakeMeasure(curve);
  PetscCall(CurvePointCopy(curve, &curve->last, &curve->earlier));
  PetscCall(CurvePointCopy(curve, &curve->point, &curve->last));
  for (PetscReal length = CurveLength(curve, curve->last.tangent), *t = curve->last.tangent;
       t < curve->last.tangent + curve->equation->n + curve->num_parameters; t++)
    *t /= length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the curve itself has a corner, as where a joint begins to slip: the tangent turns as much in ever smaller steps, of which some end
   before the corner. */
static PetscBool IsCorner(Curve *curve)
{
  curve->alike         = curve->bend > 0.9 * curve->rejected_bend && curve->bend < 1.1 * curve->rejected_bend ? curve->alike + 1 : 0;
  curve->rejected_bend = curve->bend;
  return (PetscBool)(curve->alike >= CORNER_STEPS);
}

/* A step that can be taken, smaller and smaller ones if need be. */
static PetscErrorCode StepSomehow(Curve *curve, PetscReal range, PetscBool *done)
{
  const PetscReal heading = PetscAbsReal(curve->last.tangent[curve->equation->n + curve->num_parameters - 1]);
  PetscBool       solved;

  PetscFunctionBeginHot;
  if (heading * curve->step > range / LEAST_PARTS) curve->step = range / LEAST_PARTS / heading;
  for (*done = PETSC_FALSE; curve->step >= LEAST_STEP;) {
    PetscCall(TryStep(curve, curve->step, &solved));
    *done = (PetscBool)(solved && (curve->bend <= MOST_BEND || IsCorner(curve)));
    if (*done) PetscFunctionReturn(PETSC_SUCCESS);
    curve->rejected++;
    curve->step *= 0.5;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Follow(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  const PetscReal sense = to > from ? 1.0 : -1.0;
  PetscBool       done;

  PetscFunctionBegin;
  PetscCall(Accept(curve, accept, context));
  while (curve->end == CURVE_GOES_ON) {
    PetscCall(StepSomehow(curve, PetscAbsReal(to - from), &done));
    if (!done) curve->end = CURVE_LEAST_STEP;
    else if (sense * (Leading(curve, &curve->point) - to) >= 0.0) {
      const PetscInt before = curve->num_points;

      PetscCall(StepToEnd(curve, to, &done));
      if (done) PetscCall(Accept(curve, accept, context));
      if (curve->end == CURVE_GOES_ON && (!done || curve->num_points > before)) curve->end = done ? CURVE_ENDED : CURVE_LEAST_STEP;
    } else if (sense * (Leading(curve, &curve->point) - from) < 0.0) curve->end = CURVE_TURNED_BACK;
    else {
      ChooseStep(curve);
      PetscCall(Accept(curve, accept, context));
      if (curve->end == CURVE_GOES_ON && curve->num_points >= curve->options.most_points) curve->end = CURVE_MOST_POINTS;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveFollow(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  const HarmonicParameter leading = curve->parameter[curve->num_parameters - 1];
  PetscBool               found;

  PetscFunctionBegin;
  curve->end  = CURVE_GOES_ON;
  curve->step = 0.1 * curve->options.largest_step;
  if (leading == HARMONIC_FREQUENCY) curve->setting.frequency = from;
  else if (leading == HARMONIC_LEVEL) curve->setting.level = from;
  else curve->setting.amplitude = from;
  PetscCall(FindFirst(curve, to > from ? 1.0 : -1.0, &found));
  if (!found) {
    curve->end = CURVE_NO_BEGINNING;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (leading == HARMONIC_FREQUENCY) PetscCall(Follow(curve, from, to, accept, context));
  else PetscCall(Follow(curve, PetscLogReal(from), PetscLogReal(to), accept, context));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveInterpolate(Curve *curve, const CurvePoint *from, const CurvePoint *to, PetscReal part, PetscBool *found)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *chord, *normal;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(width, &chord, width, &normal));
  for (PetscInt i = 0; i < width; i++) {
    chord[i]          = to->y[i] - from->y[i];
    curve->point.y[i] = from->y[i] + part * chord[i];
  }
  CurveNormal(curve, chord, normal);
  PetscCall(CurveCorrect(curve, normal, 2 * MOST_ITERATIONS, PETSC_TRUE, found));
  if (*found) PetscCall(CurveFindTangent(curve));
  PetscCall(PetscFree2(chord, normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}
