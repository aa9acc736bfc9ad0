/* update_write.c - what an update found, into the result and for people. */
#include "update_private.h"
#include <math.h>
#include <string.h>

static PetscErrorCode WriteNumbers(const Update *update, const Updated *updated, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const FitParameter *const number     = &updated->found.parameters[p];
    const PetscInt64          determined = number->determined, at_bound = number->at_bound;

    PetscCall(FindingWrite(update->overview, UPDATE_VALUE, p, 1, &number->value, result));
    PetscCall(FindingWrite(update->overview, UPDATE_LOW, p, 1, &number->low, result));
    PetscCall(FindingWrite(update->overview, UPDATE_HIGH, p, 1, &number->high, result));
    PetscCall(FindingWrite(update->overview, UPDATE_STANDARD_ERROR, p, 1, &number->standard_error, result));
    PetscCall(FindingWrite(update->overview, UPDATE_DETERMINED, p, 1, &determined, result));
    PetscCall(FindingWrite(update->overview, UPDATE_AT_BOUND, p, 1, &at_bound, result));
  }
  PetscCall(FindingWrite(update->overview, UPDATE_CORRELATION, 0, update->num_unknowns, updated->found.correlation, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal MisfitOf(const Update *update, PetscInt t, const Evaluated *best)
{
  const Target *const    target = &update->targets[t];
  const PetscReal *const values = TargetOutputs(update, t, best->outputs);
  PetscReal              sum    = 0;

  for (PetscInt i = 0; i < target->count; i++) sum += PetscSqr((TargetModel(target, values, i) - target->value[i]) / target->uncertainty[i]);
  return PetscSqrtReal(sum / target->count);
}

static PetscErrorCode WriteTargets(const Update *update, const Evaluated *start, const Evaluated *best, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const target = &update->targets[t];
    const PetscInt      offset = update->offset[target->output];
    const PetscReal     misfit = MisfitOf(update, t, best);
    const PetscInt64    exact  = best->exact[t];

    PetscCall(FindingWrite(update->overview, UPDATE_EXACT, t, 1, &exact, result));
    PetscCall(FindingWrite(update->overview, UPDATE_MISFIT, t, 1, &misfit, result));
    for (PetscInt i = 0; i < target->count; i++) {
      const PetscReal before = TargetModel(target, start->outputs + offset, i), after = TargetModel(target, best->outputs + offset, i);

      PetscCall(FindingWrite(update->overview, UPDATE_BEFORE, target->first + i, 1, &before, result));
      PetscCall(FindingWrite(update->overview, UPDATE_AFTER, target->first + i, 1, &after, result));
    }
    PetscCall(FindingWrite(update->overview, UPDATE_SENSITIVITY, target->first, target->count, best->slopes + offset * update->num_unknowns, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UpdateWrite(const Update *update, const Evaluated *start, const Evaluated *best, const Updated *updated, const Result *result)
{
  const PetscInt64 converged = updated->found.converged, evaluations = update->num_evaluated, structures = update->num_built;
  const PetscReal  bic                        = -2 * LogEvidenceByBic(updated->log_likelihood, update->num_unknowns, update->num_data);
  char             reason[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(reason, updated->reason, sizeof(reason)));
  PetscCall(FindingWrite(update->overview, UPDATE_REASON, 0, 1, reason, result));
  PetscCall(FindingWrite(update->overview, UPDATE_EVALUATIONS, 0, 1, &evaluations, result));
  PetscCall(FindingWrite(update->overview, UPDATE_STRUCTURES, 0, 1, &structures, result));
  PetscCall(FindingWrite(update->overview, UPDATE_CONVERGED, 0, 1, &converged, result));
  for (PetscInt p = 0; p < update->num_unknowns; p++)
    PetscCall(FindingWrite(update->overview, UPDATE_START, p, 1, &update->unknowns[p].fit.start, result));
  if (!updated->found.found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteNumbers(update, updated, result));
  PetscCall(WriteTargets(update, start, best, result));
  PetscCall(FindingWrite(update->overview, UPDATE_CHI_SQUARE, 0, 1, &updated->chi_square, result));
  PetscCall(FindingWrite(update->overview, UPDATE_LOG_LIKELIHOOD, 0, 1, &updated->log_likelihood, result));
  PetscCall(FindingWrite(update->overview, UPDATE_BIC, 0, 1, &bic, result));
  PetscCall(FindingWrite(update->overview, UPDATE_WIDENING, 0, 1, &updated->found.widening, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintNumbers(const Update *update, const Updated *updated)
{
  ReportSay("  %-20s %14s %14s %14s %14s\n", "number", "start", "value", "from", "to");
  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const FitParameter *const number = &updated->found.parameters[p];

    ReportSay("  %-20s %14.8g %14.8g %14.8g %14.8g%s%s\n", update->ensemble.parameters[p].name, update->unknowns[p].fit.start, number->value,
              number->low, number->high,
              number->determined              ? ""
              : update->unknowns[p].has_prior ? "  known by its prior more than by the targets"
                                              : "  not determined by the targets",
              number->at_bound ? "  at its bound" : "");
  }
}

static void PrintTargets(const Update *update, const Evaluated *start, const Evaluated *best)
{
  ReportSay("  %-20s %14s %14s %14s %14s %9s\n", "target", "measured", "uncertainty", "before", "after", "off by");
  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const target = &update->targets[t];
    const PetscInt      offset = update->offset[target->output];

    if (target->count == 1)
      ReportSay("  %-20s %14.8g %14.3g %14.8g %14.8g", TargetOutput(update, t)->name, target->value[0], target->uncertainty[0],
                start->outputs[offset], best->outputs[offset]);
    else
      ReportSay("  %-20s %6" PetscInt_FMT " %-52s", TargetOutput(update, t)->name, target->count,
                target->is_shape ? "motions of a shape" : "points of a curve");
    ReportSay(" %9.3g\n", MisfitOf(update, t, best));
  }
}

/* How the slopes were found, with the best values. */
static const char *WordsOfSlopes(const Update *update, const Evaluated *best)
{
  PetscInt count = 0;

  for (PetscInt t = 0; t < update->num_targets; t++) count += best->exact[t];
  return count == update->num_targets ? "exact sensitivities" : count ? "sensitivities exact or by differences" : "sensitivities by differences";
}

/* What followed modes are, where the user has not asked for it. */
static void PrintFollowed(const Update *update)
{
  PetscInt count = 0;

  for (PetscInt t = 0; t < update->num_targets; t++) count += TargetOutput(update, t)->follow == FOLLOW_SHAPE;
  if (count)
    ReportSay("  modes of %" PetscInt_FMT " target%s are followed by their shape from the case as it stands, whatever their number becomes\n", count,
              count == 1 ? "" : "s");
}

PetscErrorCode UpdatePrint(const Update *update, const Evaluated *start, const Evaluated *best, const Updated *updated)
{
  PetscFunctionBegin;
  ReportSay("\nupdate: %" PetscInt_FMT " start%s, %" PetscInt64_FMT " evaluations", update->num_starts, update->num_starts == 1 ? "" : "s",
            update->num_evaluated);
  if (update->num_built) ReportSay(" and %" PetscInt64_FMT " structures", update->num_built);
  if (updated->found.found) ReportSay(", %s, intervals of 95 %% confidence", WordsOfSlopes(update, best));
  ReportSay("; %s\n", updated->reason);
  if (!updated->found.found) PetscFunctionReturn(PETSC_SUCCESS);
  PrintNumbers(update, updated);
  PrintTargets(update, start, best);
  PrintFollowed(update);
  if (update->num_data < update->num_unknowns)
    ReportSay("  %" PetscInt_FMT " data cannot tell %" PetscInt_FMT " numbers: further targets, priors, or fewer numbers\n", update->num_data,
              update->num_unknowns);
  if (updated->found.widening > 1)
    ReportSay("  the targets are missed by %.2g times their uncertainty, and these intervals are as much wider; those of the posterior are not\n",
              updated->found.widening);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintChain(const Update *update, const Result *result)
{
  static const char *const keys[] = {"acceptance", "autocorrelation_time", "effective", "r_hat"};
  PetscReal               *values[PETSC_STATIC_ARRAY_LENGTH(keys)];

  PetscFunctionBegin;
  for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(keys); k++) PetscCall(FindingReadReals(update->marginals, keys[k], 1, result, &values[k]));
  ReportSay("  %" PetscInt_FMT " walkers, %" PetscInt_FMT
            " steps: %.2g of the moves made, autocorrelation over %.3g steps, %.3g independent samples, "
            "split R-hat %.4g\n",
            update->posterior.walkers, update->posterior.steps, values[0][0], values[1][0], values[2][0], values[3][0]);
  for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(keys); k++) PetscCall(PetscFree(values[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What else there is, in one line each, from the result. */
PetscErrorCode UpdatePrintPosterior(const Update *update, const Result *result)
{
  char       reason[RESULT_TEXT_LENGTH];
  PetscReal *low, *median, *high, *evidence;

  PetscFunctionBegin;
  PetscCall(FindingReadText(update->marginals, "reason", result, reason));
  ReportSay("  posterior by %s, intervals of %g %%: %s\n", FindingText(update->marginals, "method"), 100 * update->posterior.confidence, reason);
  PetscCall(FindingReadReals(update->marginals, "low", update->num_unknowns, result, &low));
  PetscCall(FindingReadReals(update->marginals, "median", update->num_unknowns, result, &median));
  PetscCall(FindingReadReals(update->marginals, "high", update->num_unknowns, result, &high));
  PetscCall(FindingReadReals(update->marginals, "log_evidence", 1, result, &evidence));
  for (PetscInt p = 0; p < update->num_unknowns && !isnan(median[p]); p++)
    ReportSay("  %-20s %14s %14.8g %14.8g %14.8g\n", update->ensemble.parameters[p].name, "", median[p], low[p], high[p]);
  if (update->posterior.method == POSTERIOR_CHAIN) PetscCall(PrintChain(update, result));
  if (!isnan(evidence[0])) ReportSay("  log evidence %.6g\n", evidence[0]);
  PetscCall(PetscFree(low));
  PetscCall(PetscFree(median));
  PetscCall(PetscFree(high));
  PetscCall(PetscFree(evidence));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What there is not is a dash. */
static void SayNumber(PetscReal value)
{
  if (isnan(value)) ReportSay(" %14s", "-");
  else ReportSay(" %14.8g", value);
}

PetscErrorCode UpdatePrintPredictions(const Update *update, const Result *result)
{
  PetscReal *at_best, *low, *high;
  PetscInt   row = 0;

  PetscFunctionBegin;
  if (!update->num_predicted) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingReadReals(update->predictions, "at_best", FindingSize(update->predictions, "outputs"), result, &at_best));
  PetscCall(FindingReadReals(update->predictions, "low", FindingSize(update->predictions, "outputs"), result, &low));
  PetscCall(FindingReadReals(update->predictions, "high", FindingSize(update->predictions, "outputs"), result, &high));
  ReportSay("  %-20s %14s %14s %14s %14s\n", "prediction", "", "value", "from", "to");
  for (PetscInt i = update->first_predicted; i < update->ensemble.num_outputs; i++) {
    const Output *const output = &update->ensemble.outputs[i];

    if (output->is_curve) ReportSay("  %-20s a curve, in /update/predictions/%s\n", output->name, output->name);
    else {
      ReportSay("  %-20s %14s", output->name, "");
      SayNumber(at_best[row]);
      SayNumber(low[row]);
      SayNumber(high[row++]);
      ReportSay("\n");
    }
  }
  PetscCall(PetscFree(at_best));
  PetscCall(PetscFree(low));
  PetscCall(PetscFree(high));
  PetscFunctionReturn(PETSC_SUCCESS);
}
