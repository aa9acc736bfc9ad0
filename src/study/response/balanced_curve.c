/* balanced_curve.c - a curve by harmonic balance: its points written as they are found, with peaks and folds between them. */
#include <math.h>
#include <petsctime.h>
#include "balanced.h"
#include "periodic_rows.h"

/* A curve on its way. */
typedef struct {
  const Balanced      *balanced;
  const BalancedCurve *curve;
  const Result        *result;
  PetscReal           *reference; /* first harmonics of the reference motion of the last two points */
  PetscReal            amplitudes[2], last_heading;
  PetscInt             count, num_special;
  Stability           *stability; /* NULL: not judged */
  StabilityResult      before, now;
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
  PetscCall(PeriodicRowsWrite(&rows, track->curve->finding, BALANCED_AMPLITUDE, track->count, track->result));
  PetscCall(PeriodicRowsDestroy(&rows));
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
    PetscCall(FindingWrite(track->curve->finding, fields[i], track->count, 1, &reals[i], track->result));
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(count_fields); i++)
    PetscCall(FindingWrite(track->curve->finding, count_fields[i], track->count, 1, &counts[i], track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode JudgeStability(Track *track, const Curve *curve)
{
  const Finding *const finding = track->curve->finding;
  PetscInt64           verdict = BALANCED_STABLE_POINT;

  PetscFunctionBegin;
  if (!track->stability) PetscFunctionReturn(PETSC_SUCCESS);
  track->before = track->now;
  PetscCall(StabilityOfPoint(track->stability, curve, &track->now));
  if (track->now.verdict != STABILITY_STABLE) verdict = track->now.verdict == STABILITY_UNSTABLE ? BALANCED_UNSTABLE_POINT : BALANCED_UNDECIDED_POINT;
  PetscCall(FindingWrite(finding, BALANCED_STABLE, track->count, 1, &verdict, track->result));
  PetscCall(FindingWrite(finding, BALANCED_MULTIPLIER, track->count, 1, &track->now.largest, track->result));
  PetscCall(FindingWrite(finding, BALANCED_MULTIPLIER_ERROR, track->count, 1, &track->now.error, track->result));
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
  const PetscInt  i                        = track->num_special;
  char            text[RESULT_TEXT_LENGTH] = "";
  PetscReal       amplitude;

  PetscFunctionBegin;
  if (i == MOST_SPECIAL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscStrncpy(text, kind, sizeof(text)));
  PetscCall(ReferenceAmplitude(curve, track, &amplitude));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_FREQUENCY, i, 1, &frequency, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_LEVEL, i, 1, &level, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_AMPLITUDE, i, 1, &amplitude, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_KIND, i, 1, text, track->result));
  track->num_special++;
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
    if (!StabilityPasses(&track->before, &track->now, kinds[i])) continue;
    PetscCall(StabilityLocate(track->stability, curve, &curve->last, present, kinds[i], &there, &found));
    if (found) PetscCall(WriteSpecial(track, curve, names[i]));
    PetscCall(CurvePointCopy(curve, present, &curve->point));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Folds and changes of stability lie between the last point and this one, peaks around the last. */
static PetscErrorCode Locate(Track *track, Curve *curve, PetscReal amplitude)
{
  const PetscReal heading = CurveHeading(curve);
  const PetscBool fold    = (PetscBool)(track->count > 0 && heading * track->last_heading < 0.0);
  const PetscBool peak    = (PetscBool)(track->count > 1 && track->amplitudes[1] > track->amplitudes[0] && track->amplitudes[1] >= amplitude);
  const PetscBool changes =
    (PetscBool)(track->stability && track->count > 0 &&
                (StabilityPasses(&track->before, &track->now, LEAVES_BACKWARD) || StabilityPasses(&track->before, &track->now, LEAVES_AS_PAIR)));
  PetscBool  found;
  CurvePoint present;

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
  track->amplitudes[0] = track->amplitudes[1];
  track->amplitudes[1] = amplitude;
  track->last_heading  = heading;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Accept(Curve *curve, void *context, PetscBool *go_on)
{
  Track *const track = context;
  PetscReal   *x, amplitude;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(track->balanced->common.watched.count * curve->basis->num_functions, &x));
  PetscCall(Look(curve, track->balanced->common.watched.count, track->balanced->common.watched.places, x));
  PetscCall(WriteMotions(track, curve, x));
  PetscCall(WriteNumbers(track, curve));
  PetscCall(PetscFree(x));
  PetscCall(JudgeStability(track, curve));
  PetscCall(ReferenceAmplitude(curve, track, &amplitude));
  PetscCall(ExpansionLook(&track->expansion, curve, track->result));
  PetscCall(Locate(track, curve, amplitude));
  track->count++;
  *go_on = (PetscBool)!InterruptAsked();
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
  if (track->count < track->balanced->keys.max_points)
    PetscCall(FindingWrite(track->curve->finding, BALANCED_FREQUENCY, track->count, 1, &nothing, track->result));
  if (track->num_special < MOST_SPECIAL)
    PetscCall(FindingWrite(track->curve->finding, BALANCED_SPECIAL_KIND, track->num_special, 1, none, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteEnd(const Track *track, const Curve *curve, PetscReal seconds)
{
  const PetscInt64 finished                 = curve->end != CURVE_BROKEN_OFF;
  char             text[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(CutEarlierAttempt(track));
  PetscCall(PetscStrncpy(text, curve_ends[curve->end], sizeof(text)));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_SECONDS, 0, 1, &seconds, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_REASON, 0, 1, text, track->result));
  PetscCall(FindingWrite(track->curve->finding, BALANCED_FINISHED, 0, 1, &finished, track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedFollow(const Balanced *balanced, const BalancedCurve *which, const Result *result)
{
  const HarmonicStructure *const structure = balanced->structure;
  const CurveOptions             options   = OptionsOf(&balanced->keys);
  Track                          track     = {.balanced = balanced, .curve = which, .result = result, .expansion = which->expansion};
  const PetscReal                unit      = balanced->by_level ? 1.0 : 2.0 * PETSC_PI;
  PetscLogDouble                 start, end;
  Curve                         *curve;

  PetscFunctionBegin;
  PetscCall(PetscTime(&start));
  if (balanced->judges) PetscCall(StabilityCreate(structure, (StabilityOptions){0}, &track.stability));
  if (balanced->by_level) PetscCall(CurveCreateByLevel(structure, options, 2.0 * PETSC_PI * balanced->keys.frequency, &curve));
  else PetscCall(CurveCreateByFrequency(structure, options, which->level, &curve));
  if (HarmonicEquationFloats(curve->equation)) curve->end = CURVE_FLOATS;
  else PetscCall(CurveFollow(curve, unit * which->from, unit * which->to, Accept, &track));
  PetscCall(PetscTime(&end));
  PetscCall(ExpansionEnd(&track.expansion, result));
  PetscCall(WriteEnd(&track, curve, end - start));
  PetscCall(CurveDestroy(&curve));
  if (track.stability) PetscCall(StabilityDestroy(&track.stability));
  PetscFunctionReturn(PETSC_SUCCESS);
}
