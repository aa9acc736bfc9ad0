/* balanced_result.c - curves by harmonic balance as lines for people, and the motion that these tell of. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "balanced.h"
#include "special_points.h"

/* While joints stick, at a frequency: the first harmonics of all motions that are watched. */
static PetscErrorCode StuckAmplitudes(const Balanced *balanced, const HarmonicStructure *structure, PetscReal frequency, PetscReal amplitude[])
{
  const HarmonicExcitation loads_alone = {0.0, -1};
  PetscReal               *q, *g, c, sine;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(2 * structure->n, &q, 2 * structure->m, &g));
  PetscCall(HarmonicStructureCoordinates(structure, 1, frequency, loads_alone, 1.0, g, g + structure->m, q, q + structure->n));
  for (PetscInt i = 0; i < balanced->common.watched.count; i++) {
    HarmonicPlaceMotion(structure, &balanced->common.watched.places[i], 1, frequency, 1.0, q, q + structure->n, g, g + structure->m, &c, &sine);
    amplitude[i] = PetscMax(amplitude[i], hypot(c, sine));
  }
  PetscCall(PetscFree2(q, g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At the ends of the frequencies, and near the resonances between them; along resonances near these. */
static PetscErrorCode AddStuckAmplitudes(const Balanced *balanced, const HarmonicStructure *structure, PetscReal amplitude[])
{
  const PetscReal two_pi = 2.0 * PETSC_PI;
  const PetscBool fixed  = (PetscBool)(balanced->course == BALANCED_OVER_LEVEL);
  const PetscReal from   = two_pi * (fixed ? balanced->keys.frequency : balanced->curves[0].from);
  const PetscReal to     = two_pi * (fixed ? balanced->keys.frequency : balanced->curves[0].to);

  PetscFunctionBegin;
  if (balanced->course == BALANCED_ALONG_RESONANCE) {
    for (PetscInt c = 0; c < balanced->num_curves; c++)
      PetscCall(StuckAmplitudes(balanced, structure, 1.001 * PetscSqrtReal(structure->eigenvalue[balanced->curves[c].mode]), amplitude));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(StuckAmplitudes(balanced, structure, from, amplitude));
  PetscCall(StuckAmplitudes(balanced, structure, to, amplitude));
  for (PetscInt j = 0; j < structure->n; j++) {
    const PetscReal omega = PetscSqrtReal(PetscMax(structure->eigenvalue[j], 0.0));

    if ((omega - from) * (omega - to) < 0.0) PetscCall(StuckAmplitudes(balanced, structure, 1.001 * omega, amplitude));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Translations before angles, of equal motions (1 %) the first, as round-off must not decide. */
PetscErrorCode BalancedChooseReference(const HarmonicStructure *structure, Balanced *balanced)
{
  const PetscReal equal  = 0.99;
  Response *const common = &balanced->common;
  PetscReal      *amplitude;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(common->watched.count, &amplitude));
  PetscCall(AddStuckAmplitudes(balanced, structure, amplitude));
  common->reference_motion = 0;
  for (PetscInt i = 1; i < common->watched.count; i++) {
    const PetscInt best = common->reference_motion;

    if (common->watched.motions[i].turns > common->watched.motions[best].turns) continue;
    if (common->watched.motions[i].turns < common->watched.motions[best].turns || equal * amplitude[i] > amplitude[best])
      common->reference_motion = i;
  }
  PetscCall(PetscFree(amplitude));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A curve in numbers, for its line. */
typedef struct {
  PetscInt   count, num_folds, num_inaccurate, num_unstable, num_undecided;
  PetscReal  peak, frequency, level, seconds, error;
  PetscInt64 finished, most_harmonics, most_samples;
  char       reason[RESULT_TEXT_LENGTH];
} Summary;

static PetscErrorCode AddPoints(const Balanced *balanced, const BalancedCurve *curve, const Result *result, Summary *summary)
{
  const PetscInt num = balanced->common.watched.count, stored = balanced->keys.stored_harmonics;
  PetscReal     *harmonics, frequency, level, left_out, kept;
  PetscInt64     highest, samples, stable;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num * stored, &harmonics));
  for (PetscInt row = 0; row < balanced->keys.max_points; row++) {
    PetscCall(FindingRead(curve->finding, BALANCED_FREQUENCY, row, 1, &frequency, result));
    if (isnan(frequency)) break;
    PetscCall(FindingRead(curve->finding, BALANCED_LEVEL, row, 1, &level, result));
    PetscCall(FindingRead(curve->finding, BALANCED_HARMONICS, row, 1, harmonics, result));
    PetscCall(FindingRead(curve->finding, BALANCED_LEFT_OUT, row, 1, &left_out, result));
    PetscCall(FindingRead(curve->finding, BALANCED_KEPT, row, 1, &kept, result));
    PetscCall(FindingRead(curve->finding, BALANCED_HIGHEST, row, 1, &highest, result));
    PetscCall(FindingRead(curve->finding, BALANCED_SAMPLES, row, 1, &samples, result));
    PetscCall(FindingRead(curve->finding, BALANCED_STABLE, row, 1, &stable, result));
    summary->count++;
    summary->num_unstable += stable == BALANCED_UNSTABLE_POINT;
    summary->num_undecided += stable == BALANCED_UNDECIDED_POINT;
    summary->error = PetscMax(summary->error, PetscMax(left_out, kept));
    summary->num_inaccurate += balanced->keys.accuracy > 0.0 && CURVE_SAFETY * PetscMax(left_out, kept) > balanced->keys.accuracy;
    summary->most_harmonics = PetscMax(summary->most_harmonics, highest);
    summary->most_samples   = PetscMax(summary->most_samples, samples);
    if (harmonics[balanced->common.reference_motion * stored] <= summary->peak) continue;
    summary->peak      = harmonics[balanced->common.reference_motion * stored];
    summary->frequency = frequency;
    summary->level     = level;
  }
  PetscCall(PetscFree(harmonics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Peaks that were located are higher than the points beside them. */
static PetscErrorCode AddSpecial(const Balanced *balanced, const BalancedCurve *curve, const Result *result, Summary *summary)
{
  char      kind[RESULT_TEXT_LENGTH];
  PetscReal amplitude;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < balanced->keys.max_special; i++) {
    PetscCall(FindingRead(curve->finding, BALANCED_SPECIAL_KIND, i, 1, kind, result));
    if (!kind[0]) break;
    PetscCall(FindingRead(curve->finding, BALANCED_SPECIAL_AMPLITUDE, i, 1, &amplitude, result));
    summary->num_folds += kind[0] == 'f';
    if (kind[0] != 'p' || amplitude < summary->peak) continue;
    summary->peak = amplitude;
    PetscCall(FindingRead(curve->finding, BALANCED_SPECIAL_FREQUENCY, i, 1, &summary->frequency, result));
    PetscCall(FindingRead(curve->finding, BALANCED_SPECIAL_LEVEL, i, 1, &summary->level, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCurve(const Balanced *balanced, const BalancedCurve *curve, const Summary *summary)
{
  const PetscBool complete = (PetscBool)(summary->finished && !strcmp(summary->reason, curve_ends[CURVE_ENDED]));
  char            peak[64] = "           -            -";

  if (summary->count) snprintf(peak, sizeof(peak), "%12.6g %12.6g", (double)summary->peak, (double)summary->frequency);
  ReportSay("  %-10s %10g %s %7" PetscInt_FMT " %6" PetscInt_FMT " %5" PetscInt64_FMT " %7" PetscInt64_FMT " %9.2g %9.3g%s%s\n", curve->name,
            (double)(balanced->course == BALANCED_OVER_FREQUENCY ? curve->level : summary->level), peak, summary->count, summary->num_folds,
            summary->most_harmonics, summary->most_samples, (double)summary->error, (double)summary->seconds, complete ? "" : "  ",
            complete             ? ""
            : summary->reason[0] ? summary->reason
                                 : "interrupted");
}

static void PrintStability(const Summary *summary)
{
  if (summary->num_unstable)
    ReportSay("  %-10s %10" PetscInt_FMT " points are not stable: no motion stays there, and a test would not find them\n", "",
              summary->num_unstable);
  if (summary->num_undecided)
    ReportSay("  %-10s %10" PetscInt_FMT " points are undecided: a multiplier is 1 within its error\n", "", summary->num_undecided);
}

/* Over a range of frequencies harmonics meet modes everywhere: what matters there is where the curve turns. */
static PetscErrorCode PrintResonances(const BalancedCurve *curve, const Result *result)
{
  const PetscBool along = (PetscBool)(curve->mode >= 0);

  PetscFunctionBegin;
  PetscCall(InternalResonancesPrint(&balanced_met, "             ", "the", " Hz", (PetscBool)!along, curve->finding, result));
  if (along)
    PetscCall(InternalResonancesPrint(&balanced_left_out, "             harmonics left out: ", "the", " Hz", PETSC_FALSE, curve->finding, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void WarnOfErrors(const char *name, const Balanced *balanced, const BalancedCurve *curve, const Summary *summary)
{
  if (summary->num_inaccurate)
    LogWarn("response %s, %s: %" PetscInt_FMT " of %" PetscInt_FMT " points may be less exact than `accuracy` %g: harmonics up to %" PetscInt64_FMT
            " and %" PetscInt64_FMT
            " samples leave an estimated error of up to %.2g of the largest harmonic of a joint's motion, and half of `accuracy` is trusted; raise "
            "`most_harmonics` or `most_samples`",
            name, curve->name, summary->num_inaccurate, summary->count, (double)balanced->keys.accuracy, summary->most_harmonics,
            summary->most_samples, (double)summary->error);
}

PetscErrorCode BalancedPrint(const char *name, const Balanced *balanced, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  ReportSay("\nresponse %s: %" PetscInt_FMT " curve%s by harmonic balance; peak is the first harmonic of %s\n", name, balanced->num_curves,
            balanced->num_curves == 1 ? "" : "s", balanced->common.watched.motions[balanced->common.reference_motion].name);
  ReportSay("  %-10s %10s %12s %12s %7s %6s %5s %7s %9s %9s\n", "curve", "level", "peak", "at [Hz]", "points", "folds", "most", "samples", "error",
            "seconds");
  for (PetscInt c = 0; c < balanced->num_curves; c++) {
    const BalancedCurve *const curve   = &balanced->curves[c];
    Summary                    summary = {.peak = -1.0};

    PetscCall(AddPoints(balanced, curve, result, &summary));
    PetscCall(AddSpecial(balanced, curve, result, &summary));
    PetscCall(FindingRead(curve->finding, BALANCED_SECONDS, 0, 1, &summary.seconds, result));
    PetscCall(FindingRead(curve->finding, BALANCED_REASON, 0, 1, summary.reason, result));
    PetscCall(FindingRead(curve->finding, BALANCED_FINISHED, 0, 1, &summary.finished, result));
    PrintCurve(balanced, curve, &summary);
    if (curve->mode >= 0) PetscCall(BalancedPrintAlong(balanced, curve, result));
    PetscCall(SpecialSayMissed(curve->name, curve->finding, BALANCED_SPECIAL_MISSED, balanced->keys.max_special, result));
    PrintStability(&summary);
    PetscCall(PrintResonances(curve, result));
    WarnOfErrors(name, balanced, curve, &summary);
    if (!summary.finished) outcome->num_unfinished++;
    else if (strcmp(summary.reason, curve_ends[CURVE_ENDED])) outcome->num_stopped++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
