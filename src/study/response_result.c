/* response_result.c - what the result, and the user, is told of responses: /response/NAME/CURVE. */
#include <math.h>
#include "response.h"

enum { ONE, PER_MOTION, PER_HARMONIC, PER_CURVE };

/* In the order of writing; rows of frequencies, but for PER_CURVE. */
static const struct {
  const char *name;
  ResultType  type;
  int         width;
} arrays[NUM_RESPONSE_ARRAYS] = {
  [RESPONSE_FREQUENCY]       = {"frequency", RESULT_REAL, ONE},
  [RESPONSE_AMPLITUDE]       = {"amplitude", RESULT_REAL, PER_MOTION},
  [RESPONSE_PHASE]           = {"phase", RESULT_REAL, PER_MOTION},
  [RESPONSE_MEAN]            = {"mean", RESULT_REAL, PER_MOTION},
  [RESPONSE_RMS]             = {"rms", RESULT_REAL, PER_MOTION},
  [RESPONSE_HARMONICS]       = {"harmonics", RESULT_REAL, PER_HARMONIC},
  [RESPONSE_HARMONIC_PHASES] = {"harmonic_phases", RESULT_REAL, PER_HARMONIC},
  [RESPONSE_STEADY]          = {"steady", RESULT_COUNT, ONE},
  [RESPONSE_CHANGE]          = {"change", RESULT_REAL, ONE},
  [RESPONSE_AWAY]            = {"away", RESULT_REAL, ONE},
  [RESPONSE_HALVED]          = {"halved", RESULT_COUNT, ONE},
  [RESPONSE_STEPS]           = {"steps", RESULT_COUNT, ONE},
  [RESPONSE_SECONDS]         = {"seconds", RESULT_REAL, ONE},
  [RESPONSE_CYCLES]          = {"cycles", RESULT_COUNT, ONE},
  [RESPONSE_REASON]          = {"reason", RESULT_TEXT, ONE},
  [RESPONSE_FINISHED]        = {"finished", RESULT_COUNT, PER_CURVE},
};

static PetscErrorCode WriteMotions(const char *group, const Response *response, Result *result)
{
  const char **names, **units;
  char         path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(response->num_motions, &names, response->num_motions, &units));
  for (PetscInt i = 0; i < response->num_motions; i++) {
    names[i] = response->motions[i].name;
    units[i] = response->motions[i].turns ? "rad" : "m";
  }
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/motions", group));
  PetscCall(ResultWriteTexts(result, path, response->num_motions, names));
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/units", group));
  PetscCall(ResultWriteTexts(result, path, response->num_motions, units));
  PetscCall(PetscFree2(names, units));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveCurve(const char *group, const Response *response, ResponseCurve *curve, Result *result)
{
  const PetscInt64 dims[3] = {response->num_base + response->keys.refine, response->num_motions, response->keys.harmonics}, one = 1;
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (PetscInt a = 0; a < NUM_RESPONSE_ARRAYS; a++) {
    const int width = arrays[a].width;

    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s/%s", group, curve->name, arrays[a].name));
    if (width == PER_CURVE) PetscCall(ResultReserve(result, path, arrays[a].type, 1, &one, &curve->arrays[a]));
    else PetscCall(ResultReserve(result, path, arrays[a].type, 1 + width, dims, &curve->arrays[a]));
  }
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, curve->name));
  PetscCall(ResultAttributeReal(result, path, "level", curve->level));
  PetscCall(ResultAttributeText(result, path, "direction", response_directions[curve->direction]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseReserve(const char *name, const System *system, Result *result, Response *response)
{
  char group[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/response/%s", name));
  PetscCall(WriteMotions(group, response, result));
  PetscCall(ResultAttributeText(result, group, "chief", response->motions[response->chief].name));
  PetscCall(ResultAttributeText(result, group, "method", step_method_names[response->keys.method]));
  PetscCall(ResultAttributeReal(result, group, "tolerance", response->keys.tolerance));
  PetscCall(ResultAttributeCount(result, group, "window", response->keys.window));
  PetscCall(ResultAttributeCount(result, group, "min_cycles", response->keys.min_cycles));
  PetscCall(ResultAttributeCount(result, group, "max_cycles", response->keys.max_cycles));
  PetscCall(ResultAttributeCount(result, group, "steps_per_period", response->keys.steps));
  if (response->keys.method == METHOD_NEWMARK) PetscCall(ResultAttributeReal(result, group, "balance", response->keys.balance));
  PetscCall(ResultAttributeReal(result, group, "load_amplitude", response->loads[0].amplitude));
  for (PetscInt c = 0; c < response->num_curves; c++) PetscCall(ReserveCurve(group, response, &response->curves[c], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the last cycle was; phases are those of sines, against that of the frequency: a load of phase 0. */
static PetscErrorCode WriteMotionsOf(const Response *response, const ResponseCurve *curve, PetscInt row, const Steady *steady, const Result *result)
{
  const PetscInt num_motions = response->num_motions, num_harmonics = response->keys.harmonics;
  PetscReal     *amplitude, *phase, *mean, *rms, *harmonics, *phases;

  PetscFunctionBegin;
  PetscCall(PetscMalloc6(num_motions, &amplitude, num_motions, &phase, num_motions, &mean, num_motions, &rms, num_motions * num_harmonics, &harmonics,
                         num_motions * num_harmonics, &phases));
  for (PetscInt i = 0; i < num_motions; i++) {
    amplitude[i] = SteadyAmplitude(steady, i);
    mean[i]      = SteadyFigure(steady, i, STEADY_MEAN);
    rms[i]       = SteadyFigure(steady, i, STEADY_RMS);
    for (PetscInt h = 0; h < num_harmonics; h++) SteadyHarmonic(steady, i, h + 1, &harmonics[i * num_harmonics + h], &phases[i * num_harmonics + h]);
    phase[i] = phases[i * num_harmonics];
  }
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_AMPLITUDE], row, 1, amplitude));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_PHASE], row, 1, phase));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_MEAN], row, 1, mean));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_RMS], row, 1, rms));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_HARMONICS], row, 1, harmonics));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_HARMONIC_PHASES], row, 1, phases));
  PetscCall(PetscFree6(amplitude, phase, mean, rms, harmonics, phases));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseWritePoint(const Response *response, const ResponseCurve *curve, PetscInt row, const ResponsePoint *point,
                                  const Steady *steady, const Result *result)
{
  const PetscInt64 cycles = point->cycles, is_steady = point->steady;

  PetscFunctionBegin;
  if (!point->stopped) {
    PetscCall(WriteMotionsOf(response, curve, row, steady, result));
    PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_CHANGE], row, 1, &point->change));
    PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_AWAY], row, 1, &point->away));
  }
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_FREQUENCY], row, 1, &point->frequency));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_STEADY], row, 1, &is_steady));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_HALVED], row, 1, &point->halved));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_STEPS], row, 1, &point->steps));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_SECONDS], row, 1, &point->seconds));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_CYCLES], row, 1, &cycles));
  PetscCall(ResultWriteRows(result, &curve->arrays[RESPONSE_REASON], row, 1, point->reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseHasPoint(const ResponseCurve *curve, PetscInt row, const Result *result, PetscBool *has)
{
  char reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_REASON], row, 1, reason));
  *has = (PetscBool)(reason[0] != 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A curve in numbers, for its line. */
typedef struct {
  PetscInt   count, unsteady, stopped;
  PetscInt64 finished, steps, halved;
  PetscReal  peak, frequency, seconds;
} Summary;

static PetscErrorCode AddRow(const Response *response, const ResponseCurve *curve, PetscInt row, const Result *result, PetscReal amplitudes[],
                             Summary *summary)
{
  PetscInt64 steady, steps, halved;
  PetscReal  frequency, seconds, amplitude;

  PetscFunctionBegin;
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_STEADY], row, 1, &steady));
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_STEPS], row, 1, &steps));
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_HALVED], row, 1, &halved));
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_FREQUENCY], row, 1, &frequency));
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_SECONDS], row, 1, &seconds));
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_AMPLITUDE], row, 1, amplitudes));
  amplitude = amplitudes[response->chief];
  summary->count++;
  summary->steps += steps;
  summary->halved += halved;
  summary->seconds += seconds;
  summary->stopped += isnan(amplitude) != 0;
  summary->unsteady += !steady && !isnan(amplitude);
  if (amplitude > summary->peak) {
    summary->peak      = amplitude;
    summary->frequency = frequency;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Summarise(const Response *response, const ResponseCurve *curve, const Result *result, Summary *summary)
{
  PetscReal *amplitudes;
  PetscBool  has = PETSC_FALSE;

  PetscFunctionBegin;
  *summary = (Summary){.peak = -1.0};
  PetscCall(PetscMalloc1(response->num_motions, &amplitudes));
  for (PetscInt row = 0; row < response->num_base + response->keys.refine; row++) {
    PetscCall(ResponseHasPoint(curve, row, result, &has));
    if (has) PetscCall(AddRow(response, curve, row, result, amplitudes, summary));
  }
  PetscCall(ResultReadRows(result, &curve->arrays[RESPONSE_FINISHED], 0, 1, &summary->finished));
  PetscCall(PetscFree(amplitudes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCurve(const ResponseCurve *curve, const Summary *summary)
{
  char peak[64] = "           -            -";

  if (summary->peak >= 0.0) snprintf(peak, sizeof(peak), "%12.6g %12.6g", (double)summary->peak, (double)summary->frequency);
  ReportSay("  %-10s %10g %-9s %s %11" PetscInt_FMT " %10" PetscInt_FMT " %10.3g%s\n", curve->name, (double)curve->level,
            response_directions[curve->direction], peak, summary->count, summary->unsteady,
            summary->seconds > 0.0 ? (double)summary->steps / (double)summary->seconds : 0.0,
            summary->stopped    ? "  stopped: the joints found no balance, or the motion grew beyond all numbers"
            : summary->finished ? ""
                                : "  interrupted");
  if (summary->halved) ReportSay("  %-10s %10" PetscInt64_FMT " steps had to be divided for the joints to find their balance\n", "", summary->halved);
}

PetscErrorCode ResponsePrint(const char *name, const Response *response, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  ReportSay("\nresponse %s: %" PetscInt_FMT " curve%s; amplitude is that of %s\n", name, response->num_curves, response->num_curves == 1 ? "" : "s",
            response->motions[response->chief].name);
  ReportSay("  %-10s %10s %-9s %12s %12s %11s %10s %10s\n", "curve", "level", "direction", "peak", "at [Hz]", "frequencies", "not steady", "steps/s");
  for (PetscInt c = 0; c < response->num_curves; c++) {
    Summary summary;

    PetscCall(Summarise(response, &response->curves[c], result, &summary));
    PrintCurve(&response->curves[c], &summary);
    if (!summary.finished) outcome->num_unfinished++;
    else if (summary.stopped) outcome->num_stopped++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
