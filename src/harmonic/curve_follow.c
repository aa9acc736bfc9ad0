/* curve_follow.c - along a curve: its first point, its steps, its end. */
#include "curve_steps.h"
#include <math.h>
#include "resonance.h"

enum { MOST_ITERATIONS = 8, FIRST_ITERATIONS = 60, LEAST_PARTS = 20, CORNER_STEPS = 4, LEAST_BEFORE = 3, GROWTH_POINTS = 3000 };

static const PetscReal LEAST_STEP = 1e-7, MOST_BEND = 0.7, GOOD_BEND = 0.35;        /* in the measure; [rad] */
static const PetscReal GROWTH_START = 1e-3, GROWTH_LEAST = 1e-9, GROWTH_STEP = 0.3; /* of the level, both; in the measure */
static const PetscReal VISIBLE = 0.15, EDGE = 0.35;                                 /* length and angle of an edge in a picture of a nonlinear mode */
static const PetscReal WEAK = 0.05;                                                 /* of the coupling of the mode that moves joints most */

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

static PetscErrorCode FollowFrom(Curve *curve, PetscReal from, PetscReal to, PetscBool grow, CurveAccept accept, void *context);

static PetscErrorCode GoOn(Curve *curve, void *context, PetscBool *go_on)
{
  PetscFunctionBegin;
  *go_on = (PetscBool)!InterruptAsked();
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The load grows along a curve of its own from a small part of the level on, round its folds. */
static PetscErrorCode GrowFrom(Curve *curve, PetscReal part, PetscBool *found)
{
  const PetscReal level   = curve->setting.level;
  CurveOptions    options = {
       .harmonics = curve->basis->highest, .samples = curve->basis->num_samples, .largest_step = GROWTH_STEP, .most_points = GROWTH_POINTS};
  Curve *growth;

  PetscFunctionBegin;
  if (curve->along_resonance) PetscCall(CurveCreateAlongResonance(curve->structure, options, curve->resonance, &growth));
  else PetscCall(CurveCreateByLevel(curve->structure, options, curve->setting.frequency, &growth));
  PetscCall(FollowFrom(growth, part * level, level, PETSC_FALSE, GoOn, NULL));
  *found = (PetscBool)(growth->end == CURVE_ENDED);
  if (*found && curve->along_resonance) PetscCall(CurvePointCopy(curve, &growth->point, &curve->point));
  else if (*found) CurveMotions(growth, curve->point.y);
  PetscCall(CurveDestroy(&growth));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where Newton's method does not reach the motion from the linear one. Along a resonance even a small part of the level may be far from linear. */
static PetscErrorCode GrowLoad(Curve *curve, const PetscReal normal[], PetscBool *found)
{
  const PetscReal least = curve->along_resonance ? GROWTH_LEAST : GROWTH_START;

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  for (PetscReal part = GROWTH_START; !*found && part >= least && !InterruptAsked(); part *= GROWTH_START) PetscCall(GrowFrom(curve, part, found));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  CurveTakeMeasure(curve);
  PetscCall(CurveCorrect(curve, normal, FIRST_ITERATIONS, PETSC_TRUE, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the first point can be reached by a growing load. */
static PetscBool CanGrow(const Curve *curve)
{
  return (PetscBool)(curve->along_resonance || (curve->parameter[0] == HARMONIC_FREQUENCY && curve->num_equations == 0));
}

static PetscErrorCode FindFirst(Curve *curve, PetscReal sense, PetscBool grow, PetscBool *found)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *normal, heading;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &normal));
  PetscCall(StartLinear(curve));
  CurvePointAlong(curve, normal);
  PetscCall(CurveCorrect(curve, normal, FIRST_ITERATIONS, PETSC_TRUE, found));
  if (!*found && grow && CanGrow(curve)) PetscCall(GrowLoad(curve, normal, found));
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

/* Along the tangent, and by how this turned since the point before: both of unit length in the measure. The tangent of a peak's curve
   jumps too often for that. `work` is [n + num_parameters]. */
static void Predict(Curve *curve, PetscReal step, PetscReal work[])
{
  const PetscInt         width = curve->equation->n + curve->num_parameters;
  const PetscReal *const y = curve->last.y, *const t = curve->last.tangent, *const before = curve->earlier.tangent;
  PetscReal length, size, bend                                                            = 0.0;

  if (curve->num_points >= LEAST_BEFORE && !curve->resonance.peak) {
    for (PetscInt i = 0; i < width; i++) work[i] = y[i] - curve->earlier.y[i];
    length = CurveLength(curve, work);
    if (length > 0.0) bend = 0.5 * step * step / length;
  }
  size = bend > 0.0 ? CurveLength(curve, before) : 1.0;
  for (PetscInt i = 0; i < width; i++) curve->point.y[i] = y[i] + step * t[i] + (bend > 0.0 ? bend * (t[i] - before[i] / size) : 0.0);
}

/* One step from the last point: `done` is false where Newton's method does not find it. The measure is that of the last point. */
static PetscErrorCode TryStep(Curve *curve, PetscReal step, PetscBool *done)
{
  const PetscInt width = curve->equation->n + curve->num_parameters;
  PetscReal     *normal;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(width, &normal));
  Predict(curve, step, normal);
  CurveNormal(curve, curve->last.tangent, normal);
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
  PetscCall(CurveKeep(curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveKeep(Curve *curve)
{
  PetscFunctionBegin;
  CurveTakeMeasure(curve);
  PetscCall(CurvePointCopy(curve, &curve->last, &curve->earlier));
  PetscCall(CurvePointCopy(curve, &curve->point, &curve->last));
  for (PetscReal length = CurveLength(curve, curve->last.tangent), *t = curve->last.tangent;
       t < curve->last.tangent + curve->equation->n + curve->num_parameters; t++)
    *t /= length;
  PetscCall(CurveTakeAway(curve));
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

    if (HarmonicSineIsZero(&s->load[j]) || omega == 0.0 || Coupling(s, j) > WEAK) continue;
    most = PetscMin(most, PetscMax(0.3 * PetscAbsReal(W - omega), 0.4 * width));
  }
  return most;
}

/* Of a nonlinear mode the logarithms of amplitude and damping, the latter twice, as a picture of eight decades by three shows them: whether the step
   from the last point is so long, and turns so much, that a picture has an edge. Motions hardly see damping, which rises like a root where a joint
   begins to slip as a whole. */
static PetscBool IsAngular(const Curve *curve)
{
  const PetscInt         a = curve->equation->n + 2, z = curve->equation->n + 1;
  const PetscReal *const y = curve->point.y, *const t = curve->point.tangent, *const last_y = curve->last.y, *const last_t = curve->last.tangent;
  PetscReal now, before, turn;

  if (curve->setting.mode < 0 || y[z] * last_y[z] <= 0.0) return PETSC_FALSE;
  if (hypot(y[a] - last_y[a], 2.0 * log(y[z] / last_y[z])) < VISIBLE) return PETSC_FALSE;
  now    = atan2(2.0 * t[z] / y[z], t[a]);
  before = atan2(2.0 * last_t[z] / last_y[z], last_t[a]);
  turn   = PetscAbsReal(now - before);
  return (PetscBool)(PetscMin(turn, 2.0 * PETSC_PI - turn) > EDGE);
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
    *done = (PetscBool)(solved && !IsAngular(curve) && (curve->bend <= MOST_BEND || IsCorner(curve)));
    if (*done) PetscFunctionReturn(PETSC_SUCCESS);
    curve->rejected++;
    curve->step *= 0.5;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether what was tried last is a minimum: where a peak meets one both end, with a corner where a joint begins to slip as a whole just there. */
static PetscBool PeakEnded(const Curve *curve)
{
  return (PetscBool)(curve->along_resonance && curve->resonance.peak && curve->condition->curvature > 0.0);
}

/* From the last point on, which is one of the curve. */
static PetscErrorCode Follow(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  const PetscReal sense = to > from ? 1.0 : -1.0;
  PetscBool       done;

  PetscFunctionBegin;
  while (curve->end == CURVE_GOES_ON) {
    if (curve->num_points >= curve->options.most_points) {
      curve->end = CURVE_MOST_POINTS;
      break;
    }
    PetscCall(StepSomehow(curve, PetscAbsReal(to - from), &done));
    if (PeakEnded(curve)) curve->end = CURVE_PEAK_ENDED;
    else if (!done) curve->end = CURVE_LEAST_STEP;
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
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The range as it is followed. */
static PetscErrorCode FollowTo(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  PetscFunctionBegin;
  if (curve->parameter[curve->num_parameters - 1] == HARMONIC_FREQUENCY) PetscCall(Follow(curve, from, to, accept, context));
  else PetscCall(Follow(curve, PetscLogReal(from), PetscLogReal(to), accept, context));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `grow`: where Newton's method does not find the first point, by growing the load. */
static PetscErrorCode FollowFrom(Curve *curve, PetscReal from, PetscReal to, PetscBool grow, CurveAccept accept, void *context)
{
  const HarmonicParameter leading = curve->parameter[curve->num_parameters - 1];
  PetscBool               found;

  PetscFunctionBegin;
  curve->end  = CURVE_GOES_ON;
  curve->step = 0.1 * curve->options.largest_step;
  if (leading == HARMONIC_FREQUENCY) curve->setting.frequency = from;
  else if (leading == HARMONIC_LEVEL) curve->setting.level = from;
  else curve->setting.amplitude = from;
  PetscCall(FindFirst(curve, to > from ? 1.0 : -1.0, grow, &found));
  if (!found) {
    curve->end = InterruptAsked() ? CURVE_BROKEN_OFF : CURVE_NO_BEGINNING;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  curve->at_end = PETSC_TRUE;
  PetscCall(Accept(curve, accept, context));
  curve->at_end = PETSC_FALSE;
  PetscCall(FollowTo(curve, from, to, accept, context));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveFollow(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  PetscFunctionBegin;
  PetscCall(FollowFrom(curve, from, to, PETSC_TRUE, accept, context));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveContinue(Curve *curve, PetscReal from, PetscReal to, PetscInt count, const PetscReal numbers[], CurveAccept accept, void *context,
                             PetscBool *fits)
{
  PetscFunctionBegin;
  curve->end = CURVE_GOES_ON;
  PetscCall(CurveStateUnpack(curve, count, numbers, fits));
  if (*fits) PetscCall(FollowTo(curve, from, to, accept, context));
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
