/* balanced_outputs.c - what responses by harmonic balance leave in the result: /response/NAME, and a group for each of its curves. */
#include "balanced.h"

// clang-format off
static const OutputField study_facts[] = {
  {"chief", RESULT_TEXT, {0}, NULL, "reference motion of the printed table: the loaded one, or that which moves most under the loads"},
  {"method", RESULT_TEXT, {0}, NULL, "harmonic_balance"},
  {"accuracy", RESULT_REAL, {0}, NULL, "largest estimated error of a point, relative to the largest harmonic of a joint's motion; 0 where harmonics and samples are given"},
  {"load_amplitude", RESULT_REAL, {0}, NULL, "amplitude of the first load, at level 1, in its `load_unit`"},
  {"load_unit", RESULT_TEXT, {0}, NULL, "N or N m at a point, m/s^2 or rad/s^2 of a base, what is given of a support, N kg^-1/2 on a shape; 1 on a pattern, of which a pressure has Pa"},
  {"along", RESULT_TEXT, {0}, NULL, "phase_resonance or peak, where the curves go along a resonance"},
  {"peak_of", RESULT_TEXT, {0}, NULL, "motion whose peak is followed; empty: the coordinate of the mode"},
  {0}
};

static const OutputField curve_fields[] = {
  [BALANCED_FREQUENCY]       = {"frequency", RESULT_REAL, {"points"}, "Hz", "frequency of each point, in the order of the curve, which may turn back; NaN behind the last"},
  [BALANCED_LEVEL]           = {"level", RESULT_REAL, {"points"}, NULL, "factor of the loads at each point"},
  [BALANCED_AMPLITUDE]       = {"amplitude", RESULT_REAL, {"points", "motions"}, "m", "half of peak to peak"},
  [BALANCED_PHASE]           = {"phase", RESULT_REAL, {"points", "motions"}, "rad", "phase of the first harmonic: a sin(Omega t + phase) under a load sin(Omega t)"},
  [BALANCED_MEAN]            = {"mean", RESULT_REAL, {"points", "motions"}, "m", "mean over a period"},
  [BALANCED_HARMONICS]       = {"harmonics", RESULT_REAL, {"points", "motions", "harmonics"}, "m", "amplitudes of the harmonics, a sin(h Omega t + phase); 0 of those that the point does not have"},
  [BALANCED_HARMONIC_PHASES] = {"harmonic_phases", RESULT_REAL, {"points", "motions", "harmonics"}, "rad", "phases of the harmonics, likewise"},
  [BALANCED_COORDINATE]      = {"coordinate", RESULT_REAL, {"points"}, "m kg^1/2", "along a resonance: amplitude of the first harmonic of the coordinate of the mode; where supports move, beside what they alone would make of it at rest"},
  [BALANCED_DAMPING]         = {"damping", RESULT_REAL, {"points"}, NULL, "along a resonance: equivalent damping ratio of the mode, by the work of its load in a period"},
  [BALANCED_HEADING]         = {"heading", RESULT_REAL, {"points"}, NULL, "how the frequency, or the logarithm of the level, changes along the curve, in its measure: 0 at a fold, negative where it turned back"},
  [BALANCED_LEFT_OUT]        = {"left_out", RESULT_REAL, {"points"}, NULL, "estimated error: the largest harmonic that is left out, relative to the largest of a joint's motion"},
  [BALANCED_KEPT]            = {"kept", RESULT_REAL, {"points"}, NULL, "estimated error of the harmonics that are kept, likewise: the distance from the true curve; at the frequency of the point it is up to 1 / abs(heading) times as much"},
  [BALANCED_HIGHEST]         = {"highest_harmonic", RESULT_COUNT, {"points"}, NULL, "highest harmonic of the point"},
  [BALANCED_SAMPLES]         = {"samples", RESULT_COUNT, {"points"}, NULL, "samples of a period at which the joints were evaluated"},
  [BALANCED_PERIODS]         = {"periods", RESULT_COUNT, {"points"}, NULL, "periods until the loops of all joints closed; 1 where they need none"},
  [BALANCED_ITERATIONS]      = {"iterations", RESULT_COUNT, {"points"}, NULL, "iterations of Newton's method"},
  [BALANCED_STABLE]          = {"stable", RESULT_COUNT, {"points"}, NULL, "1: the motion is stable, 2: it is not, 3: undecided, as a multiplier is 1 within its error; 0: not judged"},
  [BALANCED_MULTIPLIER]      = {"multiplier", RESULT_REAL, {"points"}, NULL, "largest modulus of the Floquet multipliers; the motion is stable below 1"},
  [BALANCED_MULTIPLIER_ERROR] = {"multiplier_error", RESULT_REAL, {"points"}, NULL, "how far off the time steps of its computation may make it"},
  [BALANCED_SPECIAL_KIND]      = {"special/kind", RESULT_TEXT, {"specials"}, NULL, "points that were located between those of the curve: `peak` of the reference motion's first harmonic, `fold`, `period_doubling`, `neimark_sacker`; empty behind the last"},
  [BALANCED_SPECIAL_FREQUENCY] = {"special/frequency", RESULT_REAL, {"specials"}, "Hz", "frequency of each"},
  [BALANCED_SPECIAL_LEVEL]     = {"special/level", RESULT_REAL, {"specials"}, NULL, "factor of the loads at each"},
  [BALANCED_SPECIAL_AMPLITUDE] = {"special/amplitude", RESULT_REAL, {"specials"}, "m", "amplitude of the first harmonic of the reference motion at each"},
  [BALANCED_SPECIAL_MISSED]    = {"special/missed", RESULT_COUNT, {"1"}, NULL, "located points beyond `max_special`, which are not kept"},
  [BALANCED_MET_HARMONIC]      = {"resonance/harmonic", RESULT_COUNT, {"resonances"}, NULL, "k: internal resonances, where k times the frequency meets that of a mode that moves joints; 0 behind the last"},
  [BALANCED_MET_MODE]          = {"resonance/mode", RESULT_COUNT, {"resonances"}, NULL, "the mode, with joints stuck, from 1"},
  [BALANCED_MET_FREQUENCY]     = {"resonance/frequency", RESULT_REAL, {"resonances"}, "Hz", "frequency of the load there"},
  [BALANCED_MET_LEVEL]         = {"resonance/level", RESULT_REAL, {"resonances"}, NULL, "factor of the loads there"},
  [BALANCED_MET_APART]         = {"resonance/apart", RESULT_REAL, {"resonances"}, NULL, "relative distance of both frequencies there, 0 where they cross"},
  [BALANCED_MET_TURNS]         = {"resonance/turns", RESULT_COUNT, {"resonances"}, NULL, "1 where the curve turns back there"},
  [BALANCED_LEFT_OUT_HARMONIC]  = {"left_out_resonance/harmonic", RESULT_COUNT, {"resonances"}, NULL, "k: the same of harmonics that the curve does not have there, up to four times its highest one; 0 behind the last"},
  [BALANCED_LEFT_OUT_MODE]      = {"left_out_resonance/mode", RESULT_COUNT, {"resonances"}, NULL, "the mode, with joints stuck, from 1"},
  [BALANCED_LEFT_OUT_FREQUENCY] = {"left_out_resonance/frequency", RESULT_REAL, {"resonances"}, "Hz", "frequency of the load there"},
  [BALANCED_LEFT_OUT_LEVEL]     = {"left_out_resonance/level", RESULT_REAL, {"resonances"}, NULL, "factor of the loads there"},
  [BALANCED_SECONDS]         = {"seconds", RESULT_REAL, {"1"}, "s", "computing time of the curve"},
  [BALANCED_REASON]          = {"reason", RESULT_TEXT, {"1"}, NULL, "how the curve ended; empty until then"},
  [BALANCED_FINISHED]        = {"finished", RESULT_COUNT, {"1"}, NULL, "1 when the curve is complete, otherwise 0"},
  {0}
};

static const OutputField curve_facts[] = {
  {"level", RESULT_REAL, {0}, NULL, "factor of the loads, where the curve goes over the frequency"},
  {"direction", RESULT_TEXT, {0}, NULL, "up or down: how its range is gone through"},
  {"mode", RESULT_COUNT, {0}, NULL, "mode with joints stuck, from 1, along whose resonance the curve goes"},
  {0}
};
// clang-format on

const OutputTable balanced_study_output = {"response/NAME", "responses by harmonic balance: motions and settings", watched_fields, study_facts};
const OutputTable balanced_curve_output = {"response/NAME/CURVE", "a curve by harmonic balance, as `curve_1`: periodic motions, stable or not",
                                           curve_fields, curve_facts};

const InternalResonanceFields balanced_met = {
  BALANCED_MET_HARMONIC, BALANCED_MET_MODE, {BALANCED_MET_FREQUENCY, BALANCED_MET_LEVEL}, BALANCED_MET_APART, BALANCED_MET_TURNS};
const InternalResonanceFields balanced_left_out = {
  BALANCED_LEFT_OUT_HARMONIC, BALANCED_LEFT_OUT_MODE, {BALANCED_LEFT_OUT_FREQUENCY, BALANCED_LEFT_OUT_LEVEL}, -1, -1};

/* What has a number for each motion. */
static const PetscInt by_motion[] = {BALANCED_AMPLITUDE, BALANCED_MEAN, BALANCED_HARMONICS};

static PetscErrorCode DeclareCurve(const char *name, const Names *names, const Balanced *balanced, Findings *findings, BalancedCurve *curve)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &balanced_curve_output, &curve->finding, "/response/%s/%s", name, curve->name));
  PetscCall(FindingSetSize(curve->finding, "points", balanced->keys.max_points));
  PetscCall(FindingSetSize(curve->finding, "motions", balanced->common.watched.count));
  PetscCall(FindingSetSize(curve->finding, "harmonics", balanced->keys.stored_harmonics));
  PetscCall(FindingSetSize(curve->finding, "specials", balanced->keys.max_special));
  PetscCall(FindingSetSize(curve->finding, "resonances", MOST_INTERNAL_RESONANCES));
  PetscCall(WatchedSetUnits(&balanced->common.watched, PETSC_STATIC_ARRAY_LENGTH(by_motion), by_motion, curve->finding));
  if (balanced->course == BALANCED_OVER_FREQUENCY) PetscCall(FindingSayReal(curve->finding, "level", curve->level));
  if (curve->mode >= 0) PetscCall(FindingSayCount(curve->finding, "mode", curve->mode + 1));
  for (PetscInt f = BALANCED_COORDINATE; f <= BALANCED_DAMPING && curve->mode < 0; f++) PetscCall(FindingOmit(curve->finding, f));
  PetscCall(FindingSayText(curve->finding, "direction", response_directions[curve->to > curve->from ? RESPONSE_UP : RESPONSE_DOWN]));
  PetscCall(ExpansionDeclare(&balanced->expansion, names, &balanced->common.watched,
                             balanced->keys.harmonics ? balanced->keys.harmonics : balanced->keys.most_harmonics, findings,
                             FindingPath(curve->finding), &curve->expansion));
  PetscCall(BalancedDeclareSupports(names, &balanced->keys, findings, curve));
  if (balanced->course == BALANCED_OVER_FREQUENCY) curve->expansion.per_value = 2.0 * PETSC_PI;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedDeclare(const char *name, const Names *names, Findings *findings, Balanced *balanced)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &balanced_study_output, &balanced->finding, "/response/%s", name));
  PetscCall(WatchedGive(&balanced->common.watched, balanced->finding));
  PetscCall(FindingSayText(balanced->finding, "method", "harmonic_balance"));
  PetscCall(FindingSayReal(balanced->finding, "accuracy", balanced->keys.accuracy));
  PetscCall(FindingSayReal(balanced->finding, "load_amplitude", balanced->common.loads[0].amplitude));
  PetscCall(FindingSayText(balanced->finding, "load_unit", LoadUnit(&balanced->common.loads[0], names)));
  if (balanced->course == BALANCED_ALONG_RESONANCE) PetscCall(FindingSayText(balanced->finding, "along", balanced_along[balanced->keys.along]));
  if (balanced->keys.along == ALONG_PEAK)
    PetscCall(
      FindingSayText(balanced->finding, "peak_of", balanced->peak_motion < 0 ? "" : balanced->common.watched.motions[balanced->peak_motion].name));
  for (PetscInt c = 0; c < balanced->num_curves; c++) PetscCall(DeclareCurve(name, names, balanced, findings, &balanced->curves[c]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
