/* fit_modes_result.c - what the result says of numbers that were found, /fit_modes/NAME, and what people are told. */
#include <math.h>
#include "fit_modes.h"

enum {
  NAMES,
  PATHS,
  START,
  VALUE,
  LOW,
  HIGH,
  STANDARD_ERROR,
  DETERMINED,
  AT_BOUND,
  CORRELATION,
  MODE,
  TARGET,
  UNCERTAINTY,
  BEFORE,
  AFTER,
  SENSITIVITY,
  WIDENING,
  MODELS,
  CONVERGED,
  REASON
};

// clang-format off
static const OutputField fields[] = {
  [NAMES]          = {"names", RESULT_TEXT, {"numbers"}, NULL, "names of the identified numbers"},
  [PATHS]          = {"paths", RESULT_TEXT, {"numbers"}, NULL, "where each stands in the case, its first place"},
  [START]          = {"start", RESULT_REAL, {"numbers"}, "SI", "where the search began"},
  [VALUE]          = {"value", RESULT_REAL, {"numbers"}, "SI", "best values, each in the SI unit of its number"},
  [LOW]            = {"low", RESULT_REAL, {"numbers"}, "SI", "lower ends of the 95 % confidence intervals; the lower bound for numbers that are not determined"},
  [HIGH]           = {"high", RESULT_REAL, {"numbers"}, "SI", "upper ends of the 95 % confidence intervals, likewise"},
  [STANDARD_ERROR] = {"standard_error", RESULT_REAL, {"numbers"}, "SI", "standard errors of the values; infinite where no frequency tells"},
  [DETERMINED]     = {"determined", RESULT_COUNT, {"numbers"}, NULL, "1 where the frequencies determine the value, otherwise 0"},
  [AT_BOUND]       = {"at_bound", RESULT_COUNT, {"numbers"}, NULL, "1 where the value is at a bound, otherwise 0"},
  [CORRELATION]    = {"correlation", RESULT_REAL, {"numbers", "numbers"}, NULL, "correlation of the errors of two numbers; NaN where some error is infinite"},
  [MODE]           = {"mode", RESULT_COUNT, {"targets"}, NULL, "mode of each target, from 1"},
  [TARGET]         = {"target", RESULT_REAL, {"targets"}, "Hz", "frequency that it is to have"},
  [UNCERTAINTY]    = {"uncertainty", RESULT_REAL, {"targets"}, "Hz", "standard deviation of that"},
  [BEFORE]         = {"before", RESULT_REAL, {"targets"}, "Hz", "frequency at the start"},
  [AFTER]          = {"after", RESULT_REAL, {"targets"}, "Hz", "frequency with the best values"},
  [SENSITIVITY]    = {"sensitivity", RESULT_REAL, {"targets", "numbers"}, "Hz over SI", "derivative of the frequency by the number, with the best values"},
  [WIDENING]       = {"widening", RESULT_REAL, {"1"}, NULL, "factor of all errors, above 1 where frequencies are missed by more than their uncertainty"},
  [MODELS]         = {"models", RESULT_COUNT, {"1"}, NULL, "how many times the structure was built"},
  [CONVERGED]      = {"converged", RESULT_COUNT, {"1"}, NULL, "1 where the search ended at a minimum, otherwise 0"},
  [REASON]         = {"reason", RESULT_TEXT, {"1"}, NULL, "how the search ended"},
  {0}
};

static const OutputField facts[] = {
  {"joints", RESULT_TEXT, {0}, NULL, "state of the joints"},
  {0}
};
// clang-format on

static const OutputTable table = {"fit_modes/NAME", "numbers of the case, found from natural frequencies", fields, facts};

const OutputTable *const fit_modes_outputs[] = {&table, NULL};

PetscErrorCode FitModesDeclare(const char *name, Findings *findings, FitModes *fit)
{
  const char *names[FIT_MAX_UNKNOWNS], *paths[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &table, &fit->finding, "/fit_modes/%s", name));
  PetscCall(FindingSetSize(fit->finding, "numbers", fit->num_numbers));
  PetscCall(FindingSetSize(fit->finding, "targets", fit->num_targets));
  for (PetscInt p = 0; p < fit->num_numbers; p++) {
    names[p] = fit->numbers[p].name;
    paths[p] = fit->numbers[p].paths[0];
  }
  PetscCall(FindingGiveTexts(fit->finding, NAMES, fit->num_numbers, names));
  PetscCall(FindingGiveTexts(fit->finding, PATHS, fit->num_numbers, paths));
  PetscCall(FindingSayText(fit->finding, "joints", joint_state_names[fit->keys.joints]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteNumbers(const FitModes *fit, const TargetFound *found, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < fit->num_numbers; p++) {
    const FitParameter *number     = &found->parameters[p];
    const PetscInt64    determined = number->determined, at_bound = number->at_bound;

    PetscCall(FindingWrite(fit->finding, VALUE, p, 1, &number->value, result));
    PetscCall(FindingWrite(fit->finding, LOW, p, 1, &number->low, result));
    PetscCall(FindingWrite(fit->finding, HIGH, p, 1, &number->high, result));
    PetscCall(FindingWrite(fit->finding, STANDARD_ERROR, p, 1, &number->standard_error, result));
    PetscCall(FindingWrite(fit->finding, DETERMINED, p, 1, &determined, result));
    PetscCall(FindingWrite(fit->finding, AT_BOUND, p, 1, &at_bound, result));
  }
  PetscCall(FindingWrite(fit->finding, CORRELATION, 0, fit->num_numbers, found->correlation, result));
  PetscCall(FindingWrite(fit->finding, WIDENING, 0, 1, &found->widening, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitModesWrite(const FitModes *fit, const FitModesFound *found, const Result *result)
{
  const PetscInt64 models = found->models, converged = found->fit.converged;
  char             reason[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(reason, found->reason, sizeof(reason)));
  PetscCall(FindingWrite(fit->finding, REASON, 0, 1, reason, result));
  PetscCall(FindingWrite(fit->finding, MODELS, 0, 1, &models, result));
  PetscCall(FindingWrite(fit->finding, CONVERGED, 0, 1, &converged, result));
  for (PetscInt p = 0; p < fit->num_numbers; p++) PetscCall(FindingWrite(fit->finding, START, p, 1, &fit->unknowns[p].start, result));
  for (PetscInt i = 0; i < fit->num_targets; i++) {
    const PetscInt64 mode = fit->targets[i].mode;

    PetscCall(FindingWrite(fit->finding, MODE, i, 1, &mode, result));
    PetscCall(FindingWrite(fit->finding, TARGET, i, 1, &fit->targets[i].frequency, result));
    PetscCall(FindingWrite(fit->finding, UNCERTAINTY, i, 1, &fit->targets[i].uncertainty, result));
  }
  if (!found->fit.found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingWrite(fit->finding, BEFORE, 0, fit->num_targets, found->before.frequency, result));
  PetscCall(FindingWrite(fit->finding, AFTER, 0, fit->num_targets, found->after.frequency, result));
  PetscCall(FindingWrite(fit->finding, SENSITIVITY, 0, fit->num_targets, found->after.slopes, result));
  PetscCall(WriteNumbers(fit, &found->fit, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether no target changes with the number. */
static PetscBool IsSilent(const FitModes *fit, const FitModesFound *found, PetscInt p)
{
  for (PetscInt i = 0; i < fit->num_targets; i++)
    if (found->after.slopes[i * fit->num_numbers + p] != 0) return PETSC_FALSE;
  return PETSC_TRUE;
}

static void PrintNumbers(const FitModes *fit, const FitModesFound *found)
{
  ReportSay("  %-20s %14s %14s %14s %14s\n", "number", "start", "value", "from", "to");
  for (PetscInt p = 0; p < fit->num_numbers; p++) {
    const FitParameter *q = &found->fit.parameters[p];

    ReportSay("  %-20s %14.8g %14.8g %14.8g %14.8g%s%s\n", fit->numbers[p].name, fit->unknowns[p].start, q->value, q->low, q->high,
              IsSilent(fit, found, p) ? "  has no effect on these frequencies"
              : q->determined         ? ""
                                      : "  not determined by these frequencies",
              q->at_bound ? "  at its bound" : "");
  }
}

/* The relative change of each frequency with each number. */
static void PrintFrequencies(const FitModes *fit, const FitModesFound *found)
{
  ReportSay("  %4s %12s %12s %12s %10s   change in %% by 1 %% of\n  %56s", "mode", "target Hz", "before Hz", "after Hz", "off %", "");
  for (PetscInt p = 0; p < fit->num_numbers; p++) ReportSay(" %12s", fit->numbers[p].name);
  ReportSay("\n");
  for (PetscInt i = 0; i < fit->num_targets; i++) {
    const FitModesTarget *target = &fit->targets[i];
    const PetscReal       after  = found->after.frequency[i];

    ReportSay("  %4" PetscInt_FMT " %12.8g %12.8g %12.8g %10.2g ", target->mode, target->frequency, found->before.frequency[i], after,
              100 * (after / target->frequency - 1));
    for (PetscInt p = 0; p < fit->num_numbers; p++)
      ReportSay(" %12.4g", found->after.slopes[i * fit->num_numbers + p] * found->fit.parameters[p].value / after);
    ReportSay("\n");
  }
}

PetscErrorCode FitModesPrint(const char *name, const FitModes *fit, const FitModesFound *found)
{
  PetscFunctionBegin;
  ReportSay("\nfit_modes %s: joints %s, with intervals of 95 %% confidence; %s\n", name, joint_state_names[fit->keys.joints], found->reason);
  if (!found->fit.found) PetscFunctionReturn(PETSC_SUCCESS);
  PrintNumbers(fit, found);
  PrintFrequencies(fit, found);
  if (fit->num_targets < fit->num_numbers)
    ReportSay("  %" PetscInt_FMT " frequencies cannot tell %" PetscInt_FMT " numbers: further targets, or fewer numbers\n", fit->num_targets,
              fit->num_numbers);
  if (found->fit.widening > 1)
    ReportSay("  the frequencies are missed by %.2g times their uncertainty, and the intervals are as much wider\n", found->fit.widening);
  PetscFunctionReturn(PETSC_SUCCESS);
}
