/* one_mode_outputs.c - what responses by one nonlinear mode leave in the result, and what people see of them. */
#include <string.h>
#include "one_mode.h"
#include "special_points.h"

// clang-format off
static const OutputField study_facts[] = {
  {"chief", RESULT_TEXT, {0}, NULL, "reference motion of the printed table: the loaded one, or that which moves most in the mode"},
  {"method", RESULT_TEXT, {0}, NULL, "one_mode"},
  {"of", RESULT_TEXT, {0}, NULL, "study of nonlinear modes that the mode is of"},
  {"mode", RESULT_COUNT, {0}, NULL, "number of the mode with joints stuck, from 1"},
  {"other_modes", RESULT_TEXT, {0}, NULL, "linear: other modes move as if all joints stuck; none: they do not"},
  {"load_amplitude", RESULT_REAL, {0}, NULL, "amplitude of the first load, at level 1, in its `load_unit`"},
  {"load_unit", RESULT_TEXT, {0}, NULL, "N or N m at a point, m/s^2 or rad/s^2 of a base, what is given of a support, N kg^-1/2 on a shape; 1 on a pattern, of which a pressure has Pa"},
  {0}
};

static const OutputField curve_fields[] = {
  [ONE_MODE_FREQUENCY]       = {"frequency", RESULT_REAL, {"points"}, "Hz", "frequency of each point, from below the resonance over its peak to above it; NaN behind the last"},
  [ONE_MODE_LEVEL]           = {"level", RESULT_REAL, {"points"}, NULL, "factor of the loads at each point"},
  [ONE_MODE_COORDINATE]      = {"coordinate", RESULT_REAL, {"points"}, "m kg^1/2", "amplitude of the coordinate of the mode"},
  [ONE_MODE_AMPLITUDE]       = {"amplitude", RESULT_REAL, {"points", "motions"}, "m", "half of peak to peak, of the harmonics that are stored"},
  [ONE_MODE_PHASE]           = {"phase", RESULT_REAL, {"points", "motions"}, "rad", "phase of the first harmonic: a sin(Omega t + phase) under a load sin(Omega t)"},
  [ONE_MODE_MEAN]            = {"mean", RESULT_REAL, {"points", "motions"}, "m", "mean over a period"},
  [ONE_MODE_HARMONICS]       = {"harmonics", RESULT_REAL, {"points", "motions", "harmonics"}, "m", "amplitudes of the harmonics, a sin(h Omega t + phase); 0 of those that the mode's study does not have"},
  [ONE_MODE_HARMONIC_PHASES] = {"harmonic_phases", RESULT_REAL, {"points", "motions", "harmonics"}, "rad", "phases of the harmonics, likewise"},
  [ONE_MODE_HEADING]         = {"heading", RESULT_REAL, {"points"}, NULL, "1 where the frequency rises along the curve, -1 where it turned back"},
  [ONE_MODE_SPECIAL_KIND]       = {"special/kind", RESULT_TEXT, {"specials"}, NULL, "points that were located between those of the curve: `peak` of the reference motion's first harmonic, `fold`; empty behind the last"},
  [ONE_MODE_SPECIAL_FREQUENCY]  = {"special/frequency", RESULT_REAL, {"specials"}, "Hz", "frequency of each"},
  [ONE_MODE_SPECIAL_LEVEL]      = {"special/level", RESULT_REAL, {"specials"}, NULL, "factor of the loads at each"},
  [ONE_MODE_SPECIAL_AMPLITUDE]  = {"special/amplitude", RESULT_REAL, {"specials"}, "m", "amplitude of the first harmonic of the reference motion at each"},
  [ONE_MODE_SPECIAL_COORDINATE] = {"special/coordinate", RESULT_REAL, {"specials"}, "m kg^1/2", "amplitude of the coordinate of the mode at each"},
  [ONE_MODE_SPECIAL_MISSED]     = {"special/missed", RESULT_COUNT, {"1"}, NULL, "located points beyond `max_special`, which are not kept"},
  [ONE_MODE_SECONDS]         = {"seconds", RESULT_REAL, {"1"}, "s", "computing time of the curve"},
  [ONE_MODE_REASON]          = {"reason", RESULT_TEXT, {"1"}, NULL, "how the curve ended; empty until then"},
  [ONE_MODE_FINISHED]        = {"finished", RESULT_COUNT, {"1"}, NULL, "1 when the curve is complete, otherwise 0"},
  {0}
};

static const OutputField curve_facts[] = {
  {"level", RESULT_REAL, {0}, NULL, "factor of the loads"},
  {0}
};
// clang-format on

const OutputTable one_mode_study_output = {"response/NAME", "responses by one nonlinear mode: motions and settings", watched_fields, study_facts};
const OutputTable one_mode_curve_output = {"response/NAME/CURVE", "a curve by one nonlinear mode, as `curve_1`", curve_fields, curve_facts};

static PetscErrorCode DeclareCurve(const char *name, const OneMode *one, Findings *findings, OneModeCurve *curve)
{
  static const PetscInt by_motion[] = {ONE_MODE_AMPLITUDE, ONE_MODE_MEAN, ONE_MODE_HARMONICS};

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &one_mode_curve_output, &curve->finding, "/response/%s/%s", name, curve->name));
  PetscCall(FindingSetSize(curve->finding, "points", one->keys.max_points));
  PetscCall(FindingSetSize(curve->finding, "motions", one->common.watched.count));
  PetscCall(FindingSetSize(curve->finding, "harmonics", one->keys.stored_harmonics));
  PetscCall(FindingSetSize(curve->finding, "specials", one->keys.max_special));
  PetscCall(WatchedSetUnits(&one->common.watched, PETSC_STATIC_ARRAY_LENGTH(by_motion), by_motion, curve->finding));
  PetscCall(FindingSayReal(curve->finding, "level", curve->level));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OneModeDeclare(const char *name, const Names *names, Findings *findings, OneMode *one)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &one_mode_study_output, &one->finding, "/response/%s", name));
  PetscCall(WatchedGive(&one->common.watched, one->finding));
  PetscCall(FindingSayText(one->finding, "method", "one_mode"));
  PetscCall(FindingSayText(one->finding, "of", one->source->name));
  PetscCall(FindingSayCount(one->finding, "mode", one->number));
  PetscCall(FindingSayText(one->finding, "other_modes", one->keys.others ? "linear" : "none"));
  PetscCall(FindingSayReal(one->finding, "load_amplitude", one->common.loads[0].amplitude));
  PetscCall(FindingSayText(one->finding, "load_unit", LoadUnit(&one->common.loads[0], names)));
  for (PetscInt c = 0; c < one->num_curves; c++) PetscCall(DeclareCurve(name, one, findings, &one->curves[c]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A curve in numbers, for its line. */
typedef struct {
  PetscInt  count, num_folds;
  PetscReal peak, frequency, coordinate;
  char      reason[RESULT_TEXT_LENGTH];
} Summary;

static PetscErrorCode ReadSpecials(const OneMode *one, const OneModeCurve *curve, const Result *result, Summary *summary)
{
  char      kind[RESULT_TEXT_LENGTH];
  PetscReal amplitude;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < one->keys.max_special; i++) {
    PetscCall(FindingRead(curve->finding, ONE_MODE_SPECIAL_KIND, i, 1, kind, result));
    if (!kind[0]) break;
    PetscCall(FindingRead(curve->finding, ONE_MODE_SPECIAL_AMPLITUDE, i, 1, &amplitude, result));
    summary->num_folds += kind[0] == 'f';
    if (kind[0] != 'p' || amplitude < summary->peak) continue;
    summary->peak = amplitude;
    PetscCall(FindingRead(curve->finding, ONE_MODE_SPECIAL_FREQUENCY, i, 1, &summary->frequency, result));
    PetscCall(FindingRead(curve->finding, ONE_MODE_SPECIAL_COORDINATE, i, 1, &summary->coordinate, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const OneMode *one, const OneModeCurve *curve, const Result *result, Summary *summary)
{
  PetscReal frequency;

  PetscFunctionBegin;
  *summary = (Summary){0};
  PetscCall(FindingRead(curve->finding, ONE_MODE_REASON, 0, 1, summary->reason, result));
  for (; summary->count < one->keys.max_points; summary->count++) {
    PetscCall(FindingRead(curve->finding, ONE_MODE_FREQUENCY, summary->count, 1, &frequency, result));
    if (PetscIsNanReal(frequency)) break;
  }
  PetscCall(ReadSpecials(one, curve, result, summary));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCurve(const OneModeCurve *curve, const Summary *summary, PetscBool complete)
{
  ReportSay("  %-10s %10g", curve->name, (double)curve->level);
  if (summary->peak > 0.0) ReportSay(" %12.6g %12.6g %12.5g", (double)summary->peak, (double)summary->frequency, (double)summary->coordinate);
  else ReportSay(" %12s %12s %12s", "-", "-", "-");
  ReportSay(" %7" PetscInt_FMT " %6" PetscInt_FMT "%s%s\n", summary->count, summary->num_folds, complete ? "" : "  ",
            complete ? "" : summary->reason);
}

PetscErrorCode OneModePrint(const char *name, const OneMode *one, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  ReportSay("\nresponse %s: %" PetscInt_FMT " curve%s by nonlinear mode %" PetscInt_FMT " of %s alone%s; peak is the first harmonic of %s\n", name,
            one->num_curves, one->num_curves == 1 ? "" : "s", one->number, one->source->name,
            one->keys.others ? ", other modes as if all joints stuck" : "", one->common.watched.motions[one->common.reference_motion].name);
  ReportSay("  %-10s %10s %12s %12s %12s %7s %6s\n", "curve", "level", "peak", "at [Hz]", "coordinate", "points", "folds");
  for (PetscInt c = 0; c < one->num_curves; c++) {
    Summary   summary;
    PetscBool complete;

    PetscCall(Read(one, &one->curves[c], result, &summary));
    complete = (PetscBool)!strcmp(summary.reason, "complete");
    PrintCurve(&one->curves[c], &summary, complete);
    PetscCall(SpecialSayMissed(one->curves[c].name, one->curves[c].finding, ONE_MODE_SPECIAL_MISSED, one->keys.max_special, result));
    outcome->num_stopped += !complete;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
