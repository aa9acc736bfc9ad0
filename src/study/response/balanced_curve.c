/* balanced_curve.c - a curve by harmonic balance: its points written as they are found, with peaks and folds between them. */
#include <math.h>
#include "balanced.h"
#include "periodic_rows.h"
#include "study/curve_keeper.h"

/* What is known of a curve so far: it is kept when it is broken off. */
typedef struct {
  PetscReal          amplitudes[2], last_heading; /* first harmonics of the reference motion of the last two points */
  PetscReal          stable_heading;              /* of the first point that was stable; 0: none was */
  PetscInt           count, num_special;
  PetscInt64         num_missed; /* special ones, beyond the room for them */
  StabilityResult    before, now;
  InternalResonances resonances;
  ExpansionPassed    expansion;
} Passed;

/* A curve on its way. */
typedef struct {
  const Balanced      *balanced;
  const BalancedCurve *curve;
  const Result        *result;
  Passed               passed;
  PetscBool           *coupled;   /* [n] modes that move nonlinear joints */
  Stability           *stability; /* NULL: not judged */
  CurveKeeper          keeper;
  Expansion            expansion;
} Track;

/* Harmonics of `count` motions at the present point of a curve, x[count, num_functions] of its basis. */
static PetscErrorCode Look(const Curve *curve, PetscInt count, const HarmonicPlace places[], PetscReal x[])
{
  PeriodicMotion motion;

  PetscFunctionBegin;
  PetscCall(PeriodicMotionOfCurve(curve, &motion));
  PetscCall(PeriodicMotionOfPlaces(&motion, count, places, x));
  PetscCall(PeriodicMotionDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMotions(const Track *track, const Curve *curve, const PetscReal x[])
{
  PeriodicRows rows;

  PetscFunctionBegin;
  PetscCall(PeriodicRowsCreate(track->balanced->common.watched.count, track->balanced->keys.stored_harmonics, &rows));
  PetscCall(PeriodicRowsTake(curve->basis, x, &rows));
  PetscCall(PeriodicRowsWrite(&rows, track->curve->finding, BALANCED_AMPLITUDE, track->passed.count, track->result));
  PetscCall(PeriodicRowsDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coordinate of the mode, and the damping ratio that the work of its load amounts to: level Im(p conj q) / (2 W^2 |q|^2). */
static PetscErrorCode WriteCoordinate(const Track *track, const Curve *curve)
{
  const HarmonicSetting *const at = &curve->setting;
  const PetscInt               j = track->curve->mode, first = HarmonicFunction(curve->basis, 1);
  HarmonicPlace                coordinate;
  HarmonicSine                 drive;
  PetscReal                   *x, p[2], size, damping;

  PetscFunctionBegin;
  if (j < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(curve->basis->num_functions, &x));
  PetscCall(HarmonicPlaceCreateCoordinate(curve->structure, j, &coordinate));
  PetscCall(Look(curve, 1, &coordinate, x));
  drive = HarmonicStructureDrive(curve->structure, j);
  HarmonicSineAt(&drive, at->frequency, p, NULL);
  size    = hypot(x[first], x[first + 1]);
  damping = at->level * (p[0] * x[first + 1] - p[1] * x[first]) / (2.0 * PetscSqr(at->frequency * size));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_COORDINATE, track->passed.count, 1, &size, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_DAMPING, track->passed.count, 1, &damping, track->result));
  PetscCall(HarmonicPlaceDestroy(&coordinate));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteNumbers(const Track *track, const Curve *curve)
{
  const PetscReal  reals[]        = {curve->setting.frequency / (2.0 * PETSC_PI), curve->setting.level, CurveHeading(curve), curve->error.left_out,
                                     curve->error.kept};
  const PetscInt   fields[]       = {BALANCED_FREQUENCY, BALANCED_LEVEL, BALANCED_HEADING, BALANCED_LEFT_OUT, BALANCED_KEPT};
  const PetscInt64 counts[]       = {curve->basis->highest, curve->basis->num_samples, curve->equation->verdict.periods, curve->iterations};
  const PetscInt   count_fields[] = {BALANCED_HIGHEST, BALANCED_SAMPLES, BALANCED_PERIODS, BALANCED_ITERATIONS};

  PetscFunctionBegin;
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(fields); i++)
    PetscCall(FindingWrite(track->curve->finding, fields[i], track->passed.count, 1, &reals[i], track->result));
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(count_fields); i++)
    PetscCall(FindingWrite(track->curve->finding, count_fields[i], track->passed.count, 1, &counts[i], track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At each fold one real multiplier passes 1: on a curve that was stable there is an odd number beyond it where the curve goes the other way. Where
   the largest multiplier says otherwise the motion is not exact enough for it, and nothing is certain. */
static void DoubtByFolds(Passed *passed, PetscReal heading)
{
  StabilityResult *const now = &passed->now;

  if (now->verdict != STABILITY_STABLE || heading == 0.0) return;
  if (passed->stable_heading == 0.0) passed->stable_heading = heading;
  if (passed->stable_heading * heading > 0.0) return;
  now->verdict = STABILITY_UNDECIDED;
  now->error   = PetscMax(now->error, 1.0 - now->largest);
}

static PetscErrorCode JudgeStability(Track *track, const Curve *curve)
{
  const Finding *const finding = track->curve->finding;
  PetscInt64           verdict = BALANCED_STABLE_POINT;

  PetscFunctionBegin;
  if (!track->stability) PetscFunctionReturn(PETSC_SUCCESS);
  track->passed.before = track->passed.now;
  PetscCall(StabilityOfPoint(track->stability, curve, &track->passed.now));
  DoubtByFolds(&track->passed, CurveHeading(curve));
  if (track->passed.now.verdict != STABILITY_STABLE)
    verdict = track->passed.now.verdict == STABILITY_UNSTABLE ? BALANCED_UNSTABLE_POINT : BALANCED_UNDECIDED_POINT;
  PetscCall(FindingWrite(finding, BALANCED_STABLE, track->passed.count, 1, &verdict, track->result));
  PetscCall(FindingWrite(finding, BALANCED_MULTIPLIER, track->passed.count, 1, &track->passed.now.largest, track->result));
  PetscCall(FindingWrite(finding, BALANCED_MULTIPLIER_ERROR, track->passed.count, 1, &track->passed.now.error, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* First harmonic of the reference motion at the present point. */
static PetscErrorCode ReferenceAmplitude(Curve *curve, void *context, PetscReal *amplitude)
{
  const Track *const track = context;
  const PetscInt     j     = HarmonicFunction(curve->basis, 1);
  PetscReal         *x;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(curve->basis->num_functions, &x));
  PetscCall(Look(curve, 1, &track->balanced->common.watched.places[track->balanced->common.reference_motion], x));
  *amplitude = hypot(x[j], x[j + 1]);
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Heading(Curve *curve, void *context, PetscReal *heading)
{
  PetscFunctionBegin;
  *heading = CurveHeading(curve);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The present point, which has been located. */
static PetscErrorCode WriteSpecial(Track *track, Curve *curve, const char *kind)
{
  const PetscReal frequency = curve->setting.frequency / (2.0 * PETSC_PI), level = curve->setting.level;
  const PetscInt  i                        = track->passed.num_special;
  char            text[RESULT_TEXT_LENGTH] = "";
  PetscReal       amplitude;

  PetscFunctionBegin;
  if (i == track->balanced->keys.max_special) track->passed.num_missed++;
  if (i == track->balanced->keys.max_special) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscStrncpy(text, kind, sizeof(text)));
  PetscCall(ReferenceAmplitude(curve, track, &amplitude));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_FREQUENCY, i, 1, &frequency, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_LEVEL, i, 1, &level, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_AMPLITUDE, i, 1, &amplitude, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_KIND, i, 1, text, track->result));
  track->passed.num_special++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where motions begin to repeat themselves after two periods only, or with a second frequency, between the last point and the present one. */
static PetscErrorCode LocateChanges(Track *track, Curve *curve, const CurvePoint *present)
{
  static const StabilityKind kinds[] = {LEAVES_BACKWARD, LEAVES_AS_PAIR};
  static const char *const   names[] = {"period_doubling", "neimark_sacker"};
  StabilityResult            there;
  PetscBool                  found;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < 2; i++) {
    if (!StabilityPasses(&track->passed.before, &track->passed.now, kinds[i])) continue;
    PetscCall(StabilityLocate(track->stability, curve, &curve->last, present, kinds[i], &there, &found));
    if (found) PetscCall(WriteSpecial(track, curve, names[i]));
    PetscCall(CurvePointCopy(curve, present, &curve->point));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Folds and changes of stability lie between the last point and this one, peaks around the last. A curve along a resonance has none. */
static PetscErrorCode Locate(Track *track, Curve *curve, PetscReal amplitude)
{
  const PetscReal heading = CurveHeading(curve);
  const PetscBool fold    = (PetscBool)(track->passed.count > 0 && heading * track->passed.last_heading < 0.0);
  const PetscBool peak = (PetscBool)(track->curve->mode < 0 && track->passed.count > 1 && track->passed.amplitudes[1] > track->passed.amplitudes[0] &&
                                     track->passed.amplitudes[1] >= amplitude);
  const PetscBool changes = (PetscBool)(track->stability && track->passed.count > 0 &&
                                        (StabilityPasses(&track->passed.before, &track->passed.now, LEAVES_BACKWARD) ||
                                         StabilityPasses(&track->passed.before, &track->passed.now, LEAVES_AS_PAIR)));
  PetscBool       found;
  CurvePoint      present;

  PetscFunctionBegin;
  if (fold || peak || changes) {
    PetscCall(CurvePointCreate(curve, &present));
    PetscCall(CurvePointCopy(curve, &curve->point, &present));
    if (peak) {
      PetscCall(CurveFindPeak(curve, ReferenceAmplitude, track, &found));
      if (found) PetscCall(WriteSpecial(track, curve, "peak"));
      if (found) PetscCall(ExpansionTakePeak(&track->expansion, curve, track->result));
      PetscCall(CurvePointCopy(curve, &present, &curve->point));
    }
    if (fold) {
      PetscCall(CurveFindRoot(curve, &curve->last, &present, Heading, NULL, &found));
      if (found) PetscCall(WriteSpecial(track, curve, "fold"));
      PetscCall(CurvePointCopy(curve, &present, &curve->point));
    }
    if (changes) PetscCall(LocateChanges(track, curve, &present));
    PetscCall(CurvePointCopy(curve, &present, &curve->point));
    PetscCall(CurvePointDestroy(&present));
  }
  track->passed.amplitudes[0] = track->passed.amplitudes[1];
  track->passed.amplitudes[1] = amplitude;
  track->passed.last_heading  = heading;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Accept(Curve *curve, void *context, PetscBool *go_on)
{
  Track *const track = context;
  PetscReal   *x, amplitude;

  const PetscReal at[2] = {curve->setting.frequency / (2.0 * PETSC_PI), curve->setting.level};

  PetscFunctionBegin;
  InternalResonancesLook(curve, track->coupled, 2, at, &track->passed.resonances);
  PetscCall(PetscMalloc1(track->balanced->common.watched.count * curve->basis->num_functions, &x));
  PetscCall(Look(curve, track->balanced->common.watched.count, track->balanced->common.watched.places, x));
  PetscCall(WriteMotions(track, curve, x));
  PetscCall(WriteCoordinate(track, curve));
  PetscCall(BalancedWriteSupports(track->curve, track->balanced->keys.stored_harmonics, track->passed.count, curve, track->result));
  PetscCall(WriteNumbers(track, curve));
  PetscCall(PetscFree(x));
  PetscCall(JudgeStability(track, curve));
  PetscCall(ReferenceAmplitude(curve, track, &amplitude));
  PetscCall(ExpansionLook(&track->expansion, curve, track->result));
  PetscCall(Locate(track, curve, amplitude));
  track->passed.count++;
  track->passed.now.reason = track->passed.before.reason = NULL;
  PetscCall(CurveKeeperLook(&track->keeper, curve, go_on));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CurveOptions OptionsOf(const BalancedKeys *keys)
{
  return (CurveOptions){.accuracy       = keys->accuracy,
                        .harmonics      = keys->harmonics,
                        .samples        = keys->samples,
                        .most_harmonics = keys->most_harmonics,
                        .most_samples   = keys->most_samples,
                        .largest_step   = keys->largest_step,
                        .most_points    = keys->max_points};
}

/* An attempt that was interrupted may have come further: its rows end here. */
static PetscErrorCode CutEarlierAttempt(const Track *track)
{
  const PetscReal nothing                  = (PetscReal)NAN;
  const char      none[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  if (track->passed.count < track->balanced->keys.max_points)
    PetscCall(FindingWrite(track->curve->finding, BALANCED_FREQUENCY, track->passed.count, 1, &nothing, track->result));
  if (track->passed.num_special < track->balanced->keys.max_special)
    PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_KIND, track->passed.num_special, 1, none, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteEnd(const Track *track, const Curve *curve)
{
  const PetscInt64 finished                 = curve->end != CURVE_BROKEN_OFF;
  char             text[RESULT_TEXT_LENGTH] = "";
  PetscReal        seconds;

  PetscFunctionBegin;
  PetscCall(CutEarlierAttempt(track));
  PetscCall(InternalResonancesWrite(&track->passed.resonances.met, &balanced_met, track->curve->finding, track->result));
  PetscCall(InternalResonancesWrite(&track->passed.resonances.left_out, &balanced_left_out, track->curve->finding, track->result));
  PetscCall(CurveKeeperSeconds(&track->keeper, &seconds));
  PetscCall(PetscStrncpy(text, curve_ends[curve->end], sizeof(text)));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_MISSED, 0, 1, &track->passed.num_missed, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SECONDS, 0, 1, &seconds, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_REASON, 0, 1, text, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_FINISHED, 0, 1, &finished, track->result));
  if (finished) PetscCall(CurveKeeperEnd(&track->keeper));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateCurve(const Balanced *balanced, const BalancedCurve *which, Curve **curve)
{
  const CurveOptions      options   = OptionsOf(&balanced->keys);
  const PetscInt          motion    = balanced->peak_motion;
  const HarmonicResonance resonance = {which->mode, (PetscBool)(balanced->keys.along == ALONG_PEAK),
                                       motion < 0 ? NULL : &balanced->common.watched.places[motion]};

  PetscFunctionBegin;
  switch (balanced->course) {
  case BALANCED_OVER_FREQUENCY:
    PetscCall(CurveCreateByFrequency(balanced->structure, options, which->level, curve));
    break;
  case BALANCED_OVER_LEVEL:
    PetscCall(CurveCreateByLevel(balanced->structure, options, 2.0 * PETSC_PI * balanced->keys.frequency, curve));
    break;
  default:
    PetscCall(CurveCreateAlongResonance(balanced->structure, options, resonance, curve));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedFollow(const Balanced *balanced, const BalancedCurve *which, const Result *result)
{
  const PetscReal unit  = balanced->course == BALANCED_OVER_FREQUENCY ? 2.0 * PETSC_PI : 1.0;
  Track           track = {.balanced = balanced, .curve = which, .result = result, .expansion = which->expansion};
  Curve          *curve;

  PetscFunctionBegin;
  track.expansion.passed = &track.passed.expansion;
  PetscCall(
    CurveKeeperBegin(result, which->finding, unit > 1.0 ? BALANCED_FREQUENCY : BALANCED_LEVEL, &track.passed, sizeof(track.passed), &track.keeper));
  PetscCall(PetscMalloc1(balanced->structure->n, &track.coupled));
  InternalResonancesCoupled(balanced->structure, -1, track.coupled);
  if (balanced->judges) PetscCall(StabilityCreate(balanced->structure, (StabilityOptions){0}, &track.stability));
  PetscCall(CreateCurve(balanced, which, &curve));
  if (HarmonicEquationFloats(curve->equation)) curve->end = CURVE_FLOATS;
  else PetscCall(CurveKeeperFollow(&track.keeper, curve, unit * which->from, unit * which->to, Accept, &track));
  PetscCall(ExpansionEnd(&track.expansion, result));
  PetscCall(WriteEnd(&track, curve));
  PetscCall(CurveDestroy(&curve));
  PetscCall(PetscFree(track.coupled));
  if (track.stability) PetscCall(StabilityDestroy(&track.stability));
  PetscFunctionReturn(PETSC_SUCCESS);
}
