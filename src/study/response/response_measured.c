/* response_measured.c - the computed curves beside measured frequency responses: what is kept, and how far they are apart. */
#include <math.h>
#include "response.h"

enum { FREQUENCY, AMPLITUDE, PHASE, CURVE, POINTS, DIFFERENCE, CRITERION, PEAK_FREQUENCY, PEAK_AMPLITUDE };

// clang-format off
static const OutputField fields[] = {
  [FREQUENCY]      = {"frequency", RESULT_REAL, {"samples"}, "Hz", "frequencies of the measurement"},
  [AMPLITUDE]      = {"amplitude", RESULT_REAL, {"samples"}, NULL, "amplitude of the measured quantity over the load, in SI units"},
  [PHASE]          = {"phase", RESULT_REAL, {"samples"}, "rad", "phase of the quantity against the load; NaN where it was not measured"},
  [CURVE]          = {"curve", RESULT_TEXT, {"curves"}, NULL, "computed curves that are compared, by the first harmonic of each steady frequency within the measured ones"},
  [POINTS]         = {"points", RESULT_COUNT, {"curves"}, NULL, "number of frequencies compared"},
  [DIFFERENCE]     = {"difference", RESULT_REAL, {"curves"}, NULL, "root of the sum of |computed - measured|^2 over that of |measured|^2; of amplitudes alone where no phase was measured"},
  [CRITERION]      = {"frac", RESULT_REAL, {"curves"}, NULL, "frequency response assurance criterion: 1 where the curves are proportional to each other"},
  [PEAK_FREQUENCY] = {"peak_frequency_ratio", RESULT_REAL, {"curves"}, NULL, "frequency of the largest amplitude, computed over measured, among the frequencies compared"},
  [PEAK_AMPLITUDE] = {"peak_amplitude_ratio", RESULT_REAL, {"curves"}, NULL, "largest amplitude, computed over measured, likewise"},
  {0}
};

static const OutputField facts[] = {
  {"motion", RESULT_TEXT, {0}, NULL, "motion that was measured; empty for the reference motion, `chief`"},
  {"quantity", RESULT_TEXT, {0}, NULL, "displacement, velocity or acceleration"},
  {0}
};
// clang-format on

const OutputTable response_measured_table = {"response/NAME/measured/MEASURED", "a measured frequency response beside the curves", fields, facts};

/* m/s^2/N; over the unit of another load than a force at a point its own. */
static PetscErrorCode SetUnit(const Response *response, const MeasuredResponse *measured, const WatchedMotion *motion)
{
  static const char *const rates[] = {"", "/s", "/s^2"};
  char                     unit[64];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(unit, sizeof(unit), "%s%s%s", motion && motion->turns ? "rad" : "m", rates[measured->quantity],
                          response->loads[0].place == LOAD_ON_POINT ? "/N" : " over the load"));
  PetscCall(FindingSetUnit(measured->finding, AMPLITUDE, unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is known before anything is computed. */
static PetscErrorCode Give(const Response *response, const MeasuredResponse *measured)
{
  const char **curves;
  PetscReal   *amplitude, *phase;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(measured->count, &amplitude, measured->count, &phase, response->num_curves, &curves));
  for (PetscInt i = 0; i < measured->count; i++) {
    amplitude[i] = hypot(measured->real[i], measured->imaginary[i]);
    phase[i]     = measured->has_phase ? atan2(measured->imaginary[i], measured->real[i]) : (PetscReal)NAN;
  }
  for (PetscInt c = 0; c < response->num_curves; c++) curves[c] = response->curves[c].name;
  PetscCall(FindingGive(measured->finding, FREQUENCY, measured->frequency));
  PetscCall(FindingGive(measured->finding, AMPLITUDE, amplitude));
  PetscCall(FindingGive(measured->finding, PHASE, phase));
  PetscCall(FindingGiveTexts(measured->finding, CURVE, response->num_curves, curves));
  PetscCall(PetscFree3(amplitude, phase, curves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseDeclareMeasured(const char *name, Findings *findings, Response *response)
{
  PetscFunctionBegin;
  for (PetscInt m = 0; m < response->num_measured; m++) {
    MeasuredResponse    *measured = &response->measured[m];
    const WatchedMotion *motion   = measured->motion >= 0 ? &response->watched.motions[measured->motion] : NULL;

    PetscCall(FindingsAdd(findings, &response_measured_table, &measured->finding, "/response/%s/measured/%s", name, measured->name));
    PetscCall(FindingSetSize(measured->finding, "samples", measured->count));
    PetscCall(FindingSetSize(measured->finding, "curves", response->num_curves));
    PetscCall(SetUnit(response, measured, motion));
    PetscCall(FindingSayText(measured->finding, "motion", motion ? motion->name : ""));
    PetscCall(FindingSayText(measured->finding, "quantity", quantity_names[measured->quantity]));
    PetscCall(Give(response, measured));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sums over the frequencies that a curve and a measurement share; c: computed, m: measured. */
typedef struct {
  PetscInt64 points;
  PetscReal  difference, cc, mm, cross[2]; /* |c - m|^2, |c|^2, |m|^2, c* m */
  PetscReal  peak[2], frequency[2];        /* computed, measured */
} Sums;

static void Add(Sums *sums, PetscReal frequency, const PetscReal c[2], const PetscReal m[2])
{
  const PetscReal amplitude[2] = {hypot(c[0], c[1]), hypot(m[0], m[1])};

  sums->points++;
  sums->difference += PetscSqr(c[0] - m[0]) + PetscSqr(c[1] - m[1]);
  sums->cc += PetscSqr(amplitude[0]);
  sums->mm += PetscSqr(amplitude[1]);
  sums->cross[0] += c[0] * m[0] + c[1] * m[1];
  sums->cross[1] += c[0] * m[1] - c[1] * m[0];
  for (PetscInt k = 0; k < 2; k++) {
    if (amplitude[k] <= sums->peak[k]) continue;
    sums->peak[k]      = amplitude[k];
    sums->frequency[k] = frequency;
  }
}

/* The first harmonic of a row over the load, in the quantity that was measured; without phases its amplitude. */
static PetscErrorCode ComputedAt(const Response *response, const ResponseCurve *curve, const MeasuredResponse *measured, PetscInt row,
                                 const Result *result, PetscReal frequency, PetscReal value[2])
{
  const PetscInt  num_harmonics = response->keys.harmonics, motion = measured->motion >= 0 ? measured->motion : response->reference_motion;
  const Load     *load = &response->loads[0];
  const PetscReal rate = PetscPowRealInt(2.0 * PETSC_PI * frequency, (PetscInt)measured->quantity) / (curve->level * load->amplitude);
  PetscReal      *amplitude, *phase, turn;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(response->watched.count * num_harmonics, &amplitude, response->watched.count * num_harmonics, &phase));
  PetscCall(FindingRead(curve->finding, RESPONSE_HARMONICS, row, 1, amplitude, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_HARMONIC_PHASES, row, 1, phase, result));
  turn     = phase[motion * num_harmonics] - load->signal.phase + 0.5 * PETSC_PI * (PetscReal)measured->quantity;
  value[0] = rate * amplitude[motion * num_harmonics];
  value[1] = measured->has_phase ? value[0] * PetscSinReal(turn) : 0.0;
  value[0] = measured->has_phase ? value[0] * PetscCosReal(turn) : PetscAbsReal(value[0]);
  PetscCall(PetscFree2(amplitude, phase));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SumUp(const Response *response, const ResponseCurve *curve, const MeasuredResponse *measured, const Result *result, Sums *sums)
{
  PetscFunctionBegin;
  *sums = (Sums){.points = 0};
  for (PetscInt row = 0; row < response->num_base + response->keys.refine; row++) {
    PetscReal  frequency, computed[2] = {0.0, 0.0}, there[2] = {0.0, 0.0};
    PetscInt64 steady;
    PetscBool  has = PETSC_FALSE;

    PetscCall(ResponseHasPoint(curve, row, result, &has));
    if (!has) continue;
    PetscCall(FindingRead(curve->finding, RESPONSE_STEADY, row, 1, &steady, result));
    PetscCall(FindingRead(curve->finding, RESPONSE_FREQUENCY, row, 1, &frequency, result));
    if (!steady || !MeasuredResponseAt(measured, frequency, there)) continue;
    PetscCall(ComputedAt(response, curve, measured, row, result, frequency, computed));
    if (!measured->has_phase) there[0] = hypot(there[0], there[1]), there[1] = 0.0;
    Add(sums, frequency, computed, there);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The row of a curve, and its line. Nothing shared: NaN, which is what the file has. */
static PetscErrorCode Tell(const MeasuredResponse *measured, const ResponseCurve *curve, const Sums *sums, const Result *result)
{
  const PetscReal cross     = PetscSqr(sums->cross[0]) + PetscSqr(sums->cross[1]);
  const PetscReal numbers[] = {PetscSqrtReal(sums->difference / sums->mm), cross / (sums->cc * sums->mm), sums->frequency[0] / sums->frequency[1],
                               sums->peak[0] / sums->peak[1]};
  const PetscBool known     = (PetscBool)(sums->mm > 0.0 && sums->cc > 0.0);

  PetscFunctionBegin;
  PetscCall(FindingWrite(measured->finding, POINTS, curve->number, 1, &sums->points, result));
  for (PetscInt k = 0; k < 4 && known; k++) PetscCall(FindingWrite(measured->finding, DIFFERENCE + k, curve->number, 1, &numbers[k], result));
  if (known)
    ReportSay("  %-20s %-10s %11" PetscInt64_FMT " %12.4g %12.6g %14.6g %14.6g\n", measured->name, curve->name, sums->points, numbers[0], numbers[1],
              numbers[2], numbers[3]);
  else ReportSay("  %-20s %-10s %11" PetscInt64_FMT "  no steady frequency that was measured, too\n", measured->name, curve->name, sums->points);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseCompareMeasured(const Response *response, const Result *result)
{
  PetscFunctionBegin;
  if (response->num_measured == 0) PetscFunctionReturn(PETSC_SUCCESS);
  ReportSay("  computed over measured   %-10s %s %12s %12s %14s %14s\n", "curve", "frequencies", "difference", "FRAC", "peak frequency",
            "peak amplitude");
  for (PetscInt m = 0; m < response->num_measured; m++)
    for (PetscInt c = 0; c < response->num_curves; c++) {
      Sums sums;

      PetscCall(SumUp(response, &response->curves[c], &response->measured[m], result, &sums));
      PetscCall(Tell(&response->measured[m], &response->curves[c], &sums, result));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}
