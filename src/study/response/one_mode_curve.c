/* one_mode_curve.c - a response curve by one nonlinear mode, from below its resonance over the peak to above it. */
#include <math.h>
#include <petsctime.h>
#include <string.h>
#include "one_mode.h"
#include "periodic_rows.h"

enum { FIRST_PARTS = 32, MOST_DEPTH = 24, SCAN = 8, MOST_NARROWING = 200 };

static const PetscReal LARGEST_TURN = 0.05, LARGEST_CHANGE = 0.05; /* between points: of the phase, of the logarithm of the amplitude */

/* A point of the curve, at t from -1, far below the resonance, over 0, the peak, to 1: the place on the backbone is then smooth in t. */
typedef struct {
  PetscReal t, frequency, phase, log_amplitude, height; /* the last: of the first harmonic of the reference motion, once it is written */
  PetscBool exists;
} Point;

typedef struct {
  const OneMode      *one;
  const OneModeCurve *curve;
  const Backbone     *backbone;
  const Result       *result;
  HarmonicBasis      *basis;
  PeriodicRows        rows;
  PetscReal          *numbers;     /* [size] of the backbone, work */
  PetscReal          *x, *q, *g;   /* [motions, functions], [2 n], [2 m] work */
  PetscReal           begin, peak; /* places on the backbone */
  PetscBool           beyond;      /* the peak lies beyond the end of the backbone */
  PetscInt            count, capacity, num_special, num_missed, num_apart;
  Point              *points;
} Track;

static Point PointAt(const Track *track, PetscReal t)
{
  const PetscReal side  = t < 0.0 ? -1.0 : t > 0.0 ? 1.0 : 0.0;
  Point           point = {.t = t};

  BackboneAt(track->backbone, track->peak - (track->peak - track->begin) * t * t, BACKBONE_SHAPE, track->numbers);
  point.exists        = OneModeFrequency(track->numbers, track->curve->level, track->beyond && side == 0.0 ? -1.0 : side, &point.frequency);
  point.phase         = OneModePhase(track->numbers, point.frequency);
  point.log_amplitude = track->numbers[BACKBONE_LOG_AMPLITUDE];
  return point;
}

static PetscBool Reaches(const Track *track, PetscReal place)
{
  BackboneAt(track->backbone, place, BACKBONE_SHAPE, track->numbers);
  return OneModeReaches(track->numbers, track->curve->level);
}

/* What the level is to the least that moves the mode so far, as a logarithm: how much farther a linear mode would go. */
static PetscReal Excess(const Track *track, PetscReal place)
{
  PetscReal low = 1e-300, high = 1e300;

  BackboneAt(track->backbone, place, BACKBONE_SHAPE, track->numbers);
  for (PetscInt i = 0; i < MOST_NARROWING && high / low > 1.0 + 1e-15; i++) {
    const PetscReal middle = PetscSqrtReal(low) * PetscSqrtReal(high);

    if (OneModeReaches(track->numbers, middle)) high = middle;
    else low = middle;
  }
  return PetscLogReal(track->curve->level / high);
}

static PetscReal NarrowPeak(const Track *track, PetscReal reached, PetscReal beyond)
{
  for (PetscInt i = 0; i < MOST_NARROWING && beyond - reached > 1e-14 * PetscAbsReal(beyond); i++) {
    const PetscReal middle = 0.5 * (reached + beyond);

    if (Reaches(track, middle)) reached = middle;
    else beyond = middle;
  }
  return reached;
}

/* The largest amplitude that is reached without a gap, from the smallest one on; where the level reaches larger ones again, those lie apart. */
static void FindPeak(Track *track)
{
  const Backbone *const b     = track->backbone;
  const PetscInt        count = SCAN * (b->count - 1);
  PetscReal             last  = 0.0;
  PetscBool             found = (PetscBool)!Reaches(track, 0.0), was = (PetscBool)!found;

  if (found) track->peak = Excess(track, 0.0);
  for (PetscInt i = 1; i <= count; i++) {
    const PetscInt  p     = (i - 1) / SCAN;
    const PetscReal part  = (PetscReal)(i - SCAN * p) / SCAN;
    const PetscReal place = b->place[p] + part * (b->place[p + 1] - b->place[p]);
    const PetscBool is    = Reaches(track, place);

    if (!found && !is) {
      track->peak = NarrowPeak(track, last, place);
      found       = PETSC_TRUE;
    } else if (found && is && !was) track->num_apart++;
    last = place;
    was  = is;
  }
  track->beyond = (PetscBool)!found;
  if (!found) track->peak = b->place[b->count - 1];
}

/* Whether the loads work on the mode where it is smallest, beyond round-off; without that it has no beginning. */
static PetscBool IsExcited(const OneMode *one, const Backbone *backbone)
{
  const HarmonicStructure *const s       = one->structure;
  const PetscReal *const         numbers = backbone->numbers;
  const PetscReal                nothing = 1e-9;
  PetscReal                      square  = 0.0;

  for (PetscInt j = 0; j < s->n; j++) {
    PetscReal load[2];

    HarmonicSineAt(&s->load[j], numbers[BACKBONE_OMEGA], load, NULL);
    square += PetscSqr(load[0]) + PetscSqr(load[1]);
  }
  return (PetscBool)(hypot(numbers[BACKBONE_LOAD_RE], numbers[BACKBONE_LOAD_IM]) > nothing * PetscSqrtReal(square * numbers[BACKBONE_MASS]));
}

/* So far down that the curve reaches both ends of its range. */
static void FindBeginning(Track *track)
{
  const PetscReal ends[] = {2.0 * PETSC_PI * track->one->from, 2.0 * PETSC_PI * track->one->to};
  PetscReal       least  = PETSC_MAX_REAL;

  BackboneAt(track->backbone, 0.0, BACKBONE_SHAPE, track->numbers);
  for (PetscInt i = 0; i < 2; i++) {
    const PetscReal w = track->numbers[BACKBONE_OMEGA], load = hypot(track->numbers[BACKBONE_LOAD_RE], track->numbers[BACKBONE_LOAD_IM]);

    least = PetscMin(least, track->curve->level * load / (track->numbers[BACKBONE_MASS] * PetscAbsReal(w * w - ends[i] * ends[i]) + 1e-6 * w * w));
  }
  track->begin = PetscMin(PetscLogReal(least) - track->numbers[BACKBONE_LOG_AMPLITUDE], PetscMin(track->peak, 0.0)) - 1.0;
}

static PetscBool IsInRange(const Track *track, const Point *point)
{
  const PetscReal hertz = point->frequency / (2.0 * PETSC_PI), low = PetscMin(track->one->from, track->one->to);

  return (PetscBool)(point->exists && hertz >= low && hertz <= PetscMax(track->one->from, track->one->to));
}

static void Keep(Track *track, const Point *point)
{
  if (track->count < track->capacity && IsInRange(track, point)) track->points[track->count++] = *point;
}

/* Where the range ends between two points of which one is in it. */
static void KeepEnd(Track *track, Point in, Point out)
{
  for (PetscInt i = 0; i < 60; i++) {
    const Point middle = PointAt(track, 0.5 * (in.t + out.t));

    if (IsInRange(track, &middle)) in = middle;
    else out = middle;
  }
  Keep(track, &in);
}

/* Keeps what is between two points, and the second one. */
static PetscErrorCode Fill(Track *track, const Point *from, const Point *to, PetscInt depth)
{
  const PetscBool starts = IsInRange(track, from), ends = IsInRange(track, to);
  const PetscReal turn = PetscAbsReal(to->phase - from->phase), change = PetscAbsReal(to->log_amplitude - from->log_amplitude);
  const PetscBool far = (PetscBool)(turn > LARGEST_TURN || change > LARGEST_CHANGE);

  PetscFunctionBegin;
  if (depth < MOST_DEPTH && far && (starts || ends || depth < 6)) {
    const Point middle = PointAt(track, 0.5 * (from->t + to->t));

    PetscCall(Fill(track, from, &middle, depth + 1));
    PetscCall(Fill(track, &middle, to, depth + 1));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (starts && !ends) KeepEnd(track, *from, *to);
  if (ends && !starts) KeepEnd(track, *to, *from);
  Keep(track, to);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillAll(Track *track)
{
  Point last = PointAt(track, -1.0);

  PetscFunctionBegin;
  Keep(track, &last);
  for (PetscInt i = 1; i <= FIRST_PARTS; i++) {
    const Point next = PointAt(track, -1.0 + 2.0 * (PetscReal)i / FIRST_PARTS);

    PetscCall(Fill(track, &last, &next, 0));
    last = next;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* X += factor (cos k alpha + i sin k alpha) shape, as C - i S. */
static void AddTurned(const PetscReal shape[2], PetscReal angle, PetscReal factor, PetscReal numbers[2])
{
  numbers[0] += factor * (shape[0] * PetscCosReal(angle) - shape[1] * PetscSinReal(angle));
  numbers[1] -= factor * (shape[0] * PetscSinReal(angle) + shape[1] * PetscCosReal(angle));
}

/* Some of the watched motions at a point: those of the mode, which turn with its phase, and of the other modes while joints stick. */
static PetscErrorCode FindMotions(const Track *track, const Point *point, PetscInt first, PetscInt count)
{
  const OneMode *const           one    = track->one;
  const HarmonicStructure *const s      = one->structure;
  const PetscInt                 stored = one->keys.stored_harmonics, P = track->basis->num_functions;
  const PetscReal                a = PetscExpReal(point->log_amplitude), level = track->curve->level;

  PetscFunctionBegin;
  BackboneAt(track->backbone, track->peak - (track->peak - track->begin) * point->t * point->t, track->backbone->size, track->numbers);
  PetscCall(PetscArrayzero(track->x + first * P, count * P));
  PetscCall(HarmonicStructureCoordinates(s, 1, point->frequency, (HarmonicExcitation){0.0, one->number - 1}, level, track->g, track->g + s->m,
                                         track->q, track->q + s->n));
  for (PetscInt i = first; i < first + count; i++) {
    const PetscReal *const shape = track->numbers + BACKBONE_SHAPE + 2 * (stored + 1) * i;
    PetscReal *const       x     = track->x + i * P;
    PetscReal              c, sine;

    x[0] = a * shape[0];
    for (PetscInt k = 1; k <= stored; k++) AddTurned(shape + 2 * k, (PetscReal)k * point->phase, a, x + HarmonicFunction(track->basis, k));
    if (!one->keys.others) continue;
    HarmonicPlaceMotion(s, &one->common.watched.places[i], 1, point->frequency, level, track->q, track->q + s->n, track->g, track->g + s->m, &c,
                        &sine);
    x[1] += c;
    x[2] += sine;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef PetscErrorCode (*Height)(const Track *track, PetscReal t, PetscReal *value);

static PetscReal HeightFound(const Track *track)
{
  const PetscReal *const x = track->x + track->one->common.reference_motion * track->basis->num_functions;

  return hypot(x[1], x[2]);
}

static PetscErrorCode ReferenceAmplitude(const Track *track, PetscReal t, PetscReal *value)
{
  const Point point = PointAt(track, t);

  PetscFunctionBegin;
  PetscCall(FindMotions(track, &point, track->one->common.reference_motion, 1));
  *value = HeightFound(track);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode HighFrequency(const Track *track, PetscReal t, PetscReal *value)
{
  *value = PointAt(track, t).frequency;
  return PETSC_SUCCESS;
}

static PetscErrorCode LowFrequency(const Track *track, PetscReal t, PetscReal *value)
{
  *value = -PointAt(track, t).frequency;
  return PETSC_SUCCESS;
}

/* The largest value between two points, by the golden section. */
static PetscErrorCode FindLargest(const Track *track, Height height, PetscReal a, PetscReal b, PetscReal *t)
{
  const PetscReal golden = 0.5 * (PetscSqrtReal(5.0) - 1.0);
  PetscReal       left = b - golden * (b - a), right = a + golden * (b - a), at_left, at_right;

  PetscFunctionBegin;
  PetscCall(height(track, left, &at_left));
  PetscCall(height(track, right, &at_right));
  for (PetscInt i = 0; i < 60; i++) {
    if (at_left > at_right) {
      b        = right;
      right    = left;
      at_right = at_left;
      left     = b - golden * (b - a);
      PetscCall(height(track, left, &at_left));
    } else {
      a       = left;
      left    = right;
      at_left = at_right;
      right   = a + golden * (b - a);
      PetscCall(height(track, right, &at_right));
    }
  }
  *t = 0.5 * (a + b);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSpecial(Track *track, Height height, PetscInt around, const char *kind)
{
  const PetscInt  i                        = track->num_special;
  const PetscReal level                    = track->curve->level;
  char            text[RESULT_TEXT_LENGTH] = "";
  PetscReal       t                        = 0.0, frequency, amplitude, coordinate;
  Point           point;

  PetscFunctionBegin;
  if (i == track->one->keys.max_special) track->num_missed++;
  if (i == track->one->keys.max_special) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindLargest(track, height, track->points[around - 1].t, track->points[around + 1].t, &t));
  PetscCall(ReferenceAmplitude(track, t, &amplitude));
  point      = PointAt(track, t);
  frequency  = point.frequency / (2.0 * PETSC_PI);
  coordinate = PetscExpReal(point.log_amplitude);
  PetscCall(PetscStrncpy(text, kind, sizeof(text)));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_FREQUENCY, i, 1, &frequency, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_LEVEL, i, 1, &level, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_AMPLITUDE, i, 1, &amplitude, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_COORDINATE, i, 1, &coordinate, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_KIND, i, 1, text, track->result));
  track->num_special++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePoint(Track *track, PetscInt i)
{
  const Finding *const finding = track->curve->finding;
  const Point *const p = track->points, *const next = &p[PetscMin(i + 1, track->count - 1)], *const before = &p[PetscMax(i - 1, 0)];
  const PetscReal numbers[] = {p[i].frequency / (2.0 * PETSC_PI), track->curve->level, PetscExpReal(p[i].log_amplitude)};
  const PetscReal heading   = next->frequency > before->frequency ? 1.0 : -1.0;

  PetscFunctionBegin;
  PetscCall(FindMotions(track, &p[i], 0, track->one->common.watched.count));
  track->points[i].height = HeightFound(track);
  PetscCall(PeriodicRowsTake(track->basis, track->x, &track->rows));
  PetscCall(FindingWrite(finding, ONE_MODE_FREQUENCY, i, 1, &numbers[0], track->result));
  PetscCall(FindingWrite(finding, ONE_MODE_LEVEL, i, 1, &numbers[1], track->result));
  PetscCall(FindingWrite(finding, ONE_MODE_COORDINATE, i, 1, &numbers[2], track->result));
  PetscCall(PeriodicRowsWrite(&track->rows, finding, ONE_MODE_AMPLITUDE, i, track->result));
  PetscCall(FindingWrite(finding, ONE_MODE_HEADING, i, 1, &heading, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Peaks of the reference motion and folds, between points. */
static PetscErrorCode WriteSpecials(Track *track)
{
  const Point *const p = track->points;

  PetscFunctionBegin;
  for (PetscInt i = 1; i + 1 < track->count; i++) {
    const PetscReal before = p[i].frequency - p[i - 1].frequency, after = p[i + 1].frequency - p[i].frequency;

    if (p[i].height > p[i - 1].height && p[i].height >= p[i + 1].height) PetscCall(WriteSpecial(track, ReferenceAmplitude, i, "peak"));
    if (before * after < 0.0) PetscCall(WriteSpecial(track, before > 0.0 ? HighFrequency : LowFrequency, i, "fold"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *HowItEnded(const Track *track)
{
  if (track->count == track->capacity) return "it would have more points than `max_points`";
  if (track->beyond) return "the peak lies beyond the largest amplitude of the mode: raise its `to`";
  if (track->count == 0) return "the mode does not move so far within these frequencies";
  return "complete";
}

static PetscErrorCode WriteEnd(const Track *track, const char *reason, PetscReal seconds)
{
  const PetscInt64 finished = 1, missed = track->num_missed;
  const PetscReal  nothing                  = (PetscReal)NAN;
  char             text[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  if (track->count < track->one->keys.max_points)
    PetscCall(FindingWrite(track->curve->finding, ONE_MODE_FREQUENCY, track->count, 1, &nothing, track->result));
  PetscCall(PetscStrncpy(text, reason, sizeof(text)));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SPECIAL_MISSED, 0, 1, &missed, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_SECONDS, 0, 1, &seconds, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_REASON, 0, 1, text, track->result));
  PetscCall(FindingWrite(track->curve->finding, ONE_MODE_FINISHED, 0, 1, &finished, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TrackCreate(Track *track)
{
  const OneMode *const one    = track->one;
  const PetscInt       stored = one->keys.stored_harmonics;

  PetscFunctionBegin;
  track->capacity = one->keys.max_points;
  PetscCall(HarmonicBasisCreate(stored, PETSC_FALSE, 16 * (stored + 1), &track->basis));
  PetscCall(PeriodicRowsCreate(one->common.watched.count, stored, &track->rows));
  PetscCall(PetscCalloc5(track->backbone->size, &track->numbers, one->common.watched.count * track->basis->num_functions, &track->x,
                         2 * one->structure->n, &track->q, 2 * one->structure->m, &track->g, track->capacity, &track->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TrackDestroy(Track *track)
{
  PetscFunctionBegin;
  PetscCall(HarmonicBasisDestroy(&track->basis));
  PetscCall(PeriodicRowsDestroy(&track->rows));
  PetscCall(PetscFree5(track->numbers, track->x, track->q, track->g, track->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OneModeFollow(const OneMode *one, const Backbone *backbone, const OneModeCurve *curve, const Result *result)
{
  Track          track = {.one = one, .curve = curve, .backbone = backbone, .result = result};
  PetscLogDouble start, end;

  PetscFunctionBegin;
  PetscCall(PetscTime(&start));
  if (backbone->count == 0) {
    PetscCall(WriteEnd(&track, "the mode has not been followed", 0.0));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!IsExcited(one, backbone)) {
    PetscCall(WriteEnd(&track, "the loads do not excite the mode", 0.0));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(TrackCreate(&track));
  FindPeak(&track);
  FindBeginning(&track);
  PetscCall(FillAll(&track));
  for (PetscInt i = 0; i < track.count; i++) PetscCall(WritePoint(&track, i));
  PetscCall(WriteSpecials(&track));
  PetscCall(PetscTime(&end));
  PetscCall(WriteEnd(&track, HowItEnded(&track), end - start));
  if (track.num_apart)
    LogWarn(
      "response, %s: at level %g the mode moves as far as at larger amplitudes, too, apart from this curve: closed branches, which are not written",
      curve->name, (double)curve->level);
  PetscCall(TrackDestroy(&track));
  PetscFunctionReturn(PETSC_SUCCESS);
}
