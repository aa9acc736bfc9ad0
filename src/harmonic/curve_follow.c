/* curve_follow.c - along a curve: its first point, its steps, its end. */
#include "curve_steps.h"

enum { MOST_ITERATIONS = 8, FIRST_ITERATIONS = 60, LEAST_PARTS = 20, CORNER_STEPS = 4, GROWTH_POINTS = 3000 };

static const PetscReal LEAST_STEP = 1e-7, MOST_BEND = 0.7, GOOD_BEND = 0.35; /* in the measure; [rad] */
static const PetscReal GROWTH_START = 1e-3, GROWTH_STEP = 0.3;               /* of the level; in the measure */
static const PetscReal WEAK = 0.05;                                          /* of the coupling of the mode that moves joints most */

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

static PetscErrorCode GoOn(Curve *curve, void *context, PetscBool *go_on)
{
  PetscFunctionBegin;
  *go_on = (PetscBool)!InterruptAsked();
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where Newton's method does not reach the motion from the linear one, the load grows along a curve of its own, round its folds. */
static PetscErrorCode GrowLoad(Curve *curve, const PetscReal normal[], PetscBool *found)
{
  const PetscReal level   = curve->setting.level;
  CurveOptions    options = {
       .harmonics = curve->basis->highest, .samples = curve->basis->num_samples, .largest_step = GROWTH_STEP, .most_points = GROWTH_POINTS};
  Curve *growth;

  PetscFunctionBegin;
  PetscCall(CurveCreateByLevel(curve->structure, options, curve->setting.frequency, &growth));
  PetscCall(CurveFollow(growth, GROWTH_START * level, level, GoOn, NULL));
  *found = (PetscBool)(growth->end == CURVE_ENDED);
  if (*found) {
    CurveMotions(growth, curve->point.y);
    CurveTakeMeasure(curve);
    PetscCall(CurveCorrect(curve, normal, FIRST_ITERATIONS, PETSC_TRUE, found));
  }
  PetscCall(CurveDestroy(&growth));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindFirst(Curve *curve, PetscReal sense, PetscBool *found)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *normal, heading;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &normal));
  PetscCall(StartLinear(curve));
  CurvePointAlong(curve, normal);
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
  const PetscReal by_iterations = PetscSqrtReal(6.0 / (PetscReal)curve->iterations), by_bend = GOOD_BEND / PetscMax(curve->bend, 1e-6);

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
  PetscReal      *normal;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < width; i++) curve->point.y[i] = curve->last.y[i] + part * (curve->point.y[i] - curve->last.y[i]);
  curve->point.y[width - 1] = end;
  PetscCall(PetscMalloc1(width, &normal));
  CurvePointAlong(curve, normal);
  PetscCall(CurveCorrect(curve, normal, 2 * MOST_ITERATIONS, PETSC_TRUE, found));
  PetscCall(PetscFree(normal));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveFindTangentAlong(curve));
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

/* How strongly the joints move in a mode, of that in which they move most. */
static PetscReal Coupling(const HarmonicStructure *s, PetscInt mode)
{
  PetscReal most = 0.0, own = 0.0;

  for (PetscInt r = 0; r < s->m; r++) {
    own = PetscMax(own, PetscAbsReal(s->map[r * s->n + mode]));
    for (PetscInt j = 0; j < s->n; j++) most = PetscMax(most, PetscAbsReal(s->map[r * s->n + j]));
  }
  return most > 0.0 ? own / most : 0.0;
}

/* The motions of the joints, by which a curve is measured, hardly see the resonance of a mode in which they hardly move: the largest change of the
   frequency that does not step over one that the loads excite. */
static PetscReal LargestChange(const Curve *curve)
{
  const HarmonicStructure *const s    = curve->structure;
  const PetscReal                W    = curve->last.y[curve->equation->n];
  PetscReal                      most = PETSC_MAX_REAL;

  if (curve->parameter[0] != HARMONIC_FREQUENCY || curve->num_equations) return most;
  for (PetscInt j = 0; j < s->n; j++) {
    const PetscReal omega = PetscSqrtReal(PetscMax(s->eigenvalue[j], 0.0)), width = PetscMax(0.5 * s->damping[j], 1e-6 * omega);

    if ((s->load_c[j] == 0.0 && s->load_s[j] == 0.0) || omega == 0.0 || Coupling(s, j) > WEAK) continue;
    most = PetscMin(most, PetscMax(0.3 * PetscAbsReal(W - omega), 0.4 * width));
  }
  return most;
}

/* A step that can be taken, smaller and smaller ones if need be. */
static PetscErrorCode StepSomehow(Curve *curve, PetscReal range, PetscBool *done)
{
  const PetscReal heading = PetscAbsReal(curve->last.tangent[curve->equation->n + curve->num_parameters - 1]);
  PetscBool       solved;

  PetscFunctionBeginHot;
  range = PetscMin(range / LEAST_PARTS, LargestChange(curve));
  if (heading * curve->step > range) curve->step = range / heading;
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
  curve->at_end = PETSC_TRUE;
  PetscCall(Accept(curve, accept, context));
  curve->at_end = PETSC_FALSE;
  while (curve->end == CURVE_GOES_ON) {
    PetscCall(StepSomehow(curve, PetscAbsReal(to - from), &done));
    if (!done) curve->end = CURVE_LEAST_STEP;
    else if (sense * (Leading(curve, &curve->point) - to) >= 0.0) {
      const PetscInt before = curve->num_points;

      PetscCall(StepToEnd(curve, to, &done));
      curve->at_end = PETSC_TRUE;
      if (done) PetscCall(Accept(curve, accept, context));
      curve->at_end = PETSC_FALSE;
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
    curve->end = InterruptAsked() ? CURVE_BROKEN_OFF : CURVE_NO_BEGINNING;
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
