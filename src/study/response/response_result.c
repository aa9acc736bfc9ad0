/* response_result.c - the rows of a curve, written and read back; the lines that people see. */
#include <math.h>
#include "response.h"
#include "study/large_motion.h"

/* What the last cycle was; phases are those of sines, against that of the frequency: a load of phase 0. */
static PetscErrorCode WriteMotionsOf(const Response *response, const ResponseCurve *curve, PetscInt row, const Steady *steady, const Result *result)
{
  const PetscInt num_motions = response->watched.count, num_harmonics = response->keys.harmonics;
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
  PetscCall(FindingWrite(curve->finding, RESPONSE_AMPLITUDE, row, 1, amplitude, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_PHASE, row, 1, phase, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_MEAN, row, 1, mean, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_RMS, row, 1, rms, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_HARMONICS, row, 1, harmonics, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_HARMONIC_PHASES, row, 1, phases, result));
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
    PetscCall(FindingWrite(curve->finding, RESPONSE_CHANGE, row, 1, &point->change, result));
    PetscCall(FindingWrite(curve->finding, RESPONSE_AWAY, row, 1, &point->away, result));
  }
  PetscCall(FindingWrite(curve->finding, RESPONSE_FREQUENCY, row, 1, &point->frequency, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_STEADY, row, 1, &is_steady, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_HALVED, row, 1, &point->halved, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_HELD, row, 1, &point->num_held, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_STEPS, row, 1, &point->steps, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_SECONDS, row, 1, &point->seconds, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_CYCLES, row, 1, &cycles, result));
  PetscCall(FindingWrite(curve->finding, RESPONSE_REASON, row, 1, point->reason, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseHasPoint(const ResponseCurve *curve, PetscInt row, const Result *result, PetscBool *has)
{
  char reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(FindingRead(curve->finding, RESPONSE_REASON, row, 1, reason, result));
  *has = (PetscBool)(reason[0] != 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A curve in numbers, for its line. */
typedef struct {
  PetscInt   count, unsteady, stopped;
  PetscInt64 finished, steps, halved, num_held;
  PetscReal  peak, frequency, seconds; /* the largest half peak to peak, and where */
  PetscReal  harmonic;                 /* amplitude of the first harmonic there */
  PetscReal  largest[2];               /* amplitudes of points: [m], [rad] */
} Summary;

/* Of the reference motion. */
static PetscErrorCode ReadFirstHarmonic(const Response *response, const ResponseCurve *curve, PetscInt row, const Result *result, PetscReal *harmonic)
{
  PetscReal *harmonics;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(response->watched.count * response->keys.harmonics, &harmonics));
  PetscCall(FindingRead(curve->finding, RESPONSE_HARMONICS, row, 1, harmonics, result));
  *harmonic = harmonics[response->reference_motion * response->keys.harmonics];
  PetscCall(PetscFree(harmonics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRow(const Response *response, const ResponseCurve *curve, PetscInt row, const Result *result, PetscReal amplitudes[],
                             Summary *summary)
{
  PetscInt64 steady, steps, halved, num_held;
  PetscReal  frequency, seconds, amplitude;

  PetscFunctionBegin;
  PetscCall(FindingRead(curve->finding, RESPONSE_STEADY, row, 1, &steady, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_STEPS, row, 1, &steps, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_HALVED, row, 1, &halved, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_HELD, row, 1, &num_held, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_FREQUENCY, row, 1, &frequency, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_SECONDS, row, 1, &seconds, result));
  PetscCall(FindingRead(curve->finding, RESPONSE_AMPLITUDE, row, 1, amplitudes, result));
  amplitude = amplitudes[response->reference_motion];
  summary->count++;
  summary->steps += steps;
  summary->halved += halved;
  summary->num_held += num_held;
  summary->seconds += seconds;
  summary->stopped += isnan(amplitude) != 0;
  summary->unsteady += !steady && !isnan(amplitude);
  for (PetscInt i = 0; i < response->watched.count; i++) {
    PetscReal *most = &summary->largest[response->watched.motions[i].turns];

    if (!response->watched.motions[i].of_joint && amplitudes[i] > *most) *most = amplitudes[i];
  }
  if (amplitude > summary->peak) {
    summary->peak      = amplitude;
    summary->frequency = frequency;
    PetscCall(ReadFirstHarmonic(response, curve, row, result, &summary->harmonic));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Summarise(const Response *response, const ResponseCurve *curve, const Result *result, Summary *summary)
{
  PetscReal *amplitudes;
  PetscBool  has = PETSC_FALSE;

  PetscFunctionBegin;
  *summary = (Summary){.peak = -1.0};
  PetscCall(PetscMalloc1(response->watched.count, &amplitudes));
  for (PetscInt row = 0; row < response->num_base + response->keys.refine; row++) {
    PetscCall(ResponseHasPoint(curve, row, result, &has));
    if (has) PetscCall(AddRow(response, curve, row, result, amplitudes, summary));
  }
  PetscCall(FindingRead(curve->finding, RESPONSE_FINISHED, 0, 1, &summary->finished, result));
  PetscCall(PetscFree(amplitudes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCurve(const ResponseCurve *curve, const Summary *summary)
{
  char peak[64] = "           -            -            -";

  if (summary->peak >= 0.0)
    snprintf(peak, sizeof(peak), "%12.6g %12.6g %12.6g", (double)summary->peak, (double)summary->harmonic, (double)summary->frequency);
  ReportSay("  %-10s %10g %-9s %s %11" PetscInt_FMT " %10" PetscInt_FMT " %10.3g%s\n", curve->name, (double)curve->level,
            response_directions[curve->direction], peak, summary->count, summary->unsteady,
            summary->seconds > 0.0 ? (double)summary->steps / (double)summary->seconds : 0.0,
            summary->stopped    ? "  stopped: the joints found no balance, or the motion grew beyond all numbers"
            : summary->finished ? ""
                                : "  interrupted");
  if (summary->halved) ReportSay("  %-10s %10" PetscInt64_FMT " steps had to be divided for the joints to find their balance\n", "", summary->halved);
  StudySayHeld(summary->num_held);
}

PetscErrorCode ResponsePrint(const char *name, const Response *response, const ModeCache *cache, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  ReportSay("\nresponse %s: %" PetscInt_FMT " curve%s; the highest point of each, of %s\n", name, response->num_curves,
            response->num_curves == 1 ? "" : "s", response->watched.motions[response->reference_motion].name);
  ReportSay("  %-10s %10s %-9s %12s %12s %12s %11s %10s %10s\n", "curve", "level", "direction", "half p-p", "1st harmonic", "at [Hz]", "frequencies",
            "not steady", "steps/s");
  for (PetscInt c = 0; c < response->num_curves; c++) {
    char    who[RESULT_TEXT_LENGTH];
    Summary summary;

    PetscCall(Summarise(response, &response->curves[c], result, &summary));
    PrintCurve(&response->curves[c], &summary);
    PetscCall(PetscSNPrintf(who, sizeof(who), "response %s, %s", name, response->curves[c].name));
    StudyWarnOfLargeMotion(who, cache, summary.largest[0], summary.largest[1]);
    if (summary.finished && !summary.stopped) PetscCall(ResponseWarnOfPeaks(name, response, &response->curves[c], result));
    if (!summary.finished) outcome->num_unfinished++;
    else if (summary.stopped) outcome->num_stopped++;
  }
  ReportSay("  half p-p: half from the lowest to the highest value in a cycle, `amplitude` in the result; 1st harmonic: amplitude of the sine of the "
            "load's frequency, `harmonics`\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}
