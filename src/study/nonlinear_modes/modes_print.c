/* modes_print.c - what people see of nonlinear modes: a few amplitudes of each, and how it ended. */
#include <math.h>
#include "modes_outputs.h"

enum { SHOWN = 5 };

/* A mode in numbers, for its lines. */
typedef struct {
  PetscInt64 count, finished;
  PetscReal  seconds, *amplitude, *omega, *zeta, *error; /* error: NULL by quasi_static */
  char       end[RESULT_TEXT_LENGTH];
} Summary;

static PetscErrorCode Read(const ModeCurve *curve, const Result *result, Summary *summary)
{
  const PetscInt64 most = FindingSize(curve->finding, "points");

  PetscFunctionBegin;
  *summary = (Summary){.count = 0};
  PetscCall(FindingRead(curve->finding, MODES_COUNT, 0, 1, &summary->count, result));
  PetscCall(FindingRead(curve->finding, MODES_FINISHED, 0, 1, &summary->finished, result));
  PetscCall(FindingRead(curve->finding, MODES_SECONDS, 0, 1, &summary->seconds, result));
  PetscCall(FindingReadText(curve->finding, "end", result, summary->end));
  PetscCall(FindingReadReals(curve->finding, "amplitude", most, result, &summary->amplitude));
  PetscCall(FindingReadReals(curve->finding, "omega", most, result, &summary->omega));
  PetscCall(FindingReadReals(curve->finding, "zeta", most, result, &summary->zeta));
  if (FindingField(curve->finding, "error") >= 0) PetscCall(FindingReadReals(curve->finding, "error", most, result, &summary->error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Forget(Summary *summary)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(summary->amplitude));
  PetscCall(PetscFree(summary->omega));
  PetscCall(PetscFree(summary->zeta));
  PetscCall(PetscFree(summary->error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points about evenly in the logarithm of the amplitude, the first and the last among them. */
static PetscInt64 Choose(const Summary *summary, PetscInt shown)
{
  const PetscReal first = PetscLogReal(summary->amplitude[0]), last = PetscLogReal(summary->amplitude[summary->count - 1]);
  const PetscReal wanted = first + (last - first) * (PetscReal)shown / (PetscReal)(SHOWN - 1);
  PetscInt64      best   = 0;

  for (PetscInt64 i = 0; i < summary->count; i++)
    if (PetscAbsReal(PetscLogReal(summary->amplitude[i]) - wanted) < PetscAbsReal(PetscLogReal(summary->amplitude[best]) - wanted)) best = i;
  return best;
}

static void PrintMode(const ModeCurve *curve, const Summary *summary)
{
  PetscInt64 last  = -1;
  PetscReal  worst = 0.0;

  for (PetscInt k = 0; k < SHOWN && summary->count > 0; k++) {
    const PetscInt64 i = Choose(summary, k);

    if (i == last) continue;
    if (last < 0) ReportSay("  %4" PetscInt_FMT, curve->mode + 1);
    else ReportSay("      ");
    ReportSay("  %12.5g %14.8g %12.6g\n", summary->amplitude[i], summary->omega[i] / (2.0 * PETSC_PI), summary->zeta[i]);
    last = i;
  }
  for (PetscInt64 i = 0; summary->error && i < summary->count; i++) worst = PetscMax(worst, summary->error[i]);
  ReportSay("        %" PetscInt64_FMT " points, %.3g s: %s", summary->count, summary->finished ? summary->seconds : 0.0,
            summary->end[0] ? summary->end : "interrupted");
  if (summary->error && summary->count > 0) ReportSay("; largest estimated error %.1e", (double)worst);
  ReportSay("\n");
}

/* Of harmonics that the curve has, and of those that it does not. */
static PetscErrorCode PrintResonances(const ModeCurve *curve, const Result *result)
{
  PetscFunctionBegin;
  if (FindingField(curve->finding, "error") < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InternalResonancesPrint(&modes_met, "        ", "its", "", PETSC_FALSE, curve->finding, result));
  PetscCall(InternalResonancesPrint(&modes_left_out, "        harmonics left out: ", "its", "", PETSC_FALSE, curve->finding, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An end that is not that of the range is told of as stopped. */
static PetscBool IsWhole(const ModeCurve *curve, const Summary *summary)
{
  return (PetscBool)(summary->count > 0 && summary->amplitude[summary->count - 1] > (1.0 - 1e-9) * curve->to);
}

PetscErrorCode NonlinearModesPrint(const char *name, const NonlinearModes *study, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  ReportSay("\nnonlinear_modes %s: %" PetscInt_FMT " mode%s by %s\n", name, study->num_curves, study->num_curves == 1 ? "" : "s",
            nonlinear_modes_methods[study->keys.method]);
  ReportSay("  %4s  %12s %14s %12s\n", "mode", "amplitude", "frequency [Hz]", "damping");
  for (PetscInt i = 0; i < study->num_curves; i++) {
    const ModeCurve *const curve = &study->curves[i];
    Summary                summary;

    PetscCall(Read(curve, result, &summary));
    PrintMode(curve, &summary);
    PetscCall(PrintResonances(curve, result));
    if (!summary.finished) outcome->num_unfinished++;
    else if (!IsWhole(curve, &summary)) outcome->num_stopped++;
    PetscCall(Forget(&summary));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
