/* update_tables.c - what an update leaves in the result: the numbers found, starts, the posterior, predictions. */
#include "update_private.h"
#include <math.h>

// clang-format off
#define NUMBERS {"numbers"}
#define DATA {"data"}
#define ONE {"1"}
static const OutputField overview_fields[] = {
  [UPDATE_NAMES]          = {"names", RESULT_TEXT, NUMBERS, NULL, "names of the numbers"},
  [UPDATE_PATHS]          = {"paths", RESULT_TEXT, NUMBERS, NULL, "where each stands in the case, its first place"},
  [UPDATE_UNITS]          = {"units", RESULT_TEXT, NUMBERS, NULL, "unit of each; empty of numbers, and of factors of what stands there"},
  [UPDATE_PRIORS]         = {"priors", RESULT_TEXT, NUMBERS, NULL, "what was known of each: uniform, normal, lognormal, triangular, log_uniform, or none"},
  [UPDATE_START]          = {"start", RESULT_REAL, NUMBERS, "SI", "where the first search began"},
  [UPDATE_VALUE]          = {"value", RESULT_REAL, NUMBERS, "SI", "best values, each in its unit: of the least sum of squares of targets and normal priors"},
  [UPDATE_LOW]            = {"low", RESULT_REAL, NUMBERS, "SI", "lower ends of the 95 % confidence intervals of least squares; the lower bound for numbers that are not determined"},
  [UPDATE_HIGH]           = {"high", RESULT_REAL, NUMBERS, "SI", "upper ends, likewise"},
  [UPDATE_STANDARD_ERROR] = {"standard_error", RESULT_REAL, NUMBERS, "SI", "standard errors of the values; infinite where no target tells"},
  [UPDATE_DETERMINED]     = {"determined", RESULT_COUNT, NUMBERS, NULL, "1 where the targets determine the value to a factor of two, or with a prior better by half than that; otherwise 0"},
  [UPDATE_AT_BOUND]       = {"at_bound", RESULT_COUNT, NUMBERS, NULL, "1 where the value is at a bound, otherwise 0"},
  [UPDATE_CORRELATION]    = {"correlation", RESULT_REAL, {"numbers", "numbers"}, NULL, "correlation of the errors of two numbers; NaN where some error is infinite"},
  [UPDATE_TARGETS]        = {"targets", RESULT_TEXT, {"targets"}, NULL, "names of the targets"},
  [UPDATE_TARGET_PATHS]   = {"target_paths", RESULT_TEXT, {"targets"}, NULL, "what each is of the findings of the studies"},
  [UPDATE_TARGET_UNITS]   = {"target_units", RESULT_TEXT, {"targets"}, NULL, "unit of each"},
  [UPDATE_EXACT]          = {"exact", RESULT_COUNT, {"targets"}, NULL, "1 where its sensitivities are exact, from the structure in the modes; 0 where they are differences of the whole case"},
  [UPDATE_FOLLOWED]       = {"followed", RESULT_COUNT, {"targets"}, NULL, "1 where the mode is that of the shape which its number has in the case as it stands, whatever its number is with other values; otherwise 0"},
  [UPDATE_MISFIT]         = {"misfit", RESULT_REAL, {"targets"}, "1", "root mean square of the deviations of each target over their uncertainty, with the best values"},
  [UPDATE_DATA_TARGET]    = {"data_target", RESULT_COUNT, DATA, NULL, "target of each datum, from 1: a number has one, a curve several"},
  [UPDATE_PLACE]          = {"place", RESULT_REAL, DATA, "SI", "where on its curve each datum is; NaN of numbers and shapes"},
  [UPDATE_MEASURED]       = {"measured", RESULT_REAL, DATA, "SI", "what was measured"},
  [UPDATE_UNCERTAINTY]    = {"uncertainty", RESULT_REAL, DATA, "SI", "standard deviation of that"},
  [UPDATE_BEFORE]         = {"before", RESULT_REAL, DATA, "SI", "output at the start; a shape by the factor that fits best"},
  [UPDATE_AFTER]          = {"after", RESULT_REAL, DATA, "SI", "output with the best values, likewise"},
  [UPDATE_SENSITIVITY]    = {"sensitivity", RESULT_REAL, {"data", "numbers"}, "SI over SI", "derivative of the output by the number, with the best values; of a shape of unit modal mass"},
  [UPDATE_CHI_SQUARE]     = {"chi_square", RESULT_REAL, ONE, "1", "sum of squares of the deviations of the targets over their uncertainty"},
  [UPDATE_LOG_LIKELIHOOD] = {"log_likelihood", RESULT_REAL, ONE, "1", "natural logarithm of the normal density of the data with the best values"},
  [UPDATE_BIC]            = {"bic", RESULT_REAL, ONE, "1", "Bayesian information criterion: numbers times log of data, less twice log_likelihood; of several models of the same data, the least is the best"},
  [UPDATE_WIDENING]       = {"widening", RESULT_REAL, ONE, "1", "factor of all errors of least squares, above 1 where targets are missed by more than their uncertainty"},
  [UPDATE_EVALUATIONS]    = {"evaluations", RESULT_COUNT, ONE, NULL, "how many times the case was computed"},
  [UPDATE_STRUCTURES]     = {"structures", RESULT_COUNT, ONE, NULL, "how many times the structure was built besides, and no study computed, for exact sensitivities"},
  [UPDATE_CONVERGED]      = {"converged", RESULT_COUNT, ONE, NULL, "1 where the search ended at a minimum, otherwise 0"},
  [UPDATE_REASON]         = {"reason", RESULT_TEXT, ONE, NULL, "how the search ended"},
  {0}
};

static const OutputField starts_fields[] = {
  [STARTS_START]      = {"start", RESULT_REAL, {"starts", "numbers"}, "SI", "where each search began; the first one where the case says"},
  [STARTS_VALUE]      = {"value", RESULT_REAL, {"starts", "numbers"}, "SI", "where it ended"},
  [STARTS_CHI_SQUARE] = {"chi_square", RESULT_REAL, {"starts"}, "1", "sum of squares there, with normal priors; infinite where the case has no answer at the start"},
  [STARTS_CONVERGED]  = {"converged", RESULT_COUNT, {"starts"}, NULL, "1 where it ended at a minimum, otherwise 0"},
  [STARTS_REASON]     = {"reason", RESULT_TEXT, {"starts"}, NULL, "how it ended"},
  {0}
};

static const OutputField marginal_fields[] = {
  [MARGINAL_MEDIAN]           = {"median", RESULT_REAL, NUMBERS, "SI", "medians; of `laplace` the best values"},
  [MARGINAL_DEVIATION]        = {"deviation", RESULT_REAL, NUMBERS, "SI", "standard deviations"},
  [MARGINAL_LOW]              = {"low", RESULT_REAL, NUMBERS, "SI", "lower ends of the credible intervals"},
  [MARGINAL_HIGH]             = {"high", RESULT_REAL, NUMBERS, "SI", "upper ends"},
  [MARGINAL_CORRELATION]      = {"correlation", RESULT_REAL, {"numbers", "numbers"}, NULL, "correlation of the numbers; of `laplace` that of the variables in which it is normal"},
  [MARGINAL_LOG_EVIDENCE]     = {"log_evidence", RESULT_REAL, ONE, "1", "natural logarithm of the probability of the data under this model, by which models of the same data are compared; NaN without proper priors"},
  [MARGINAL_REASON]           = {"reason", RESULT_TEXT, ONE, NULL, "whether it can be trusted, and why not"},
  [MARGINAL_MEAN]             = {"mean", RESULT_REAL, NUMBERS, "SI", "of a chain, as all that follow: means"},
  [MARGINAL_MEAN_ERROR]       = {"mean_error", RESULT_REAL, NUMBERS, "SI", "their standard errors, by the number of independent samples"},
  [MARGINAL_EVIDENCE_ERROR]   = {"log_evidence_error", RESULT_REAL, ONE, "1", "standard error of log_evidence"},
  [MARGINAL_EVIDENCE_TRUSTED] = {"log_evidence_trusted", RESULT_COUNT, ONE, NULL, "0 where that error is told too small"},
  [MARGINAL_ACCEPTANCE]       = {"acceptance", RESULT_REAL, ONE, "1", "share of moves that walkers made; 0.2 to 0.5 is usual"},
  [MARGINAL_TIME]             = {"autocorrelation_time", RESULT_REAL, ONE, "1", "steps between independent samples, of the slowest number"},
  [MARGINAL_EFFECTIVE]        = {"effective", RESULT_REAL, ONE, "1", "number of independent samples that all are worth"},
  [MARGINAL_R_HAT]            = {"r_hat", RESULT_REAL, ONE, "1", "split R-hat: 1 where halves of walkers agree"},
  [MARGINAL_DISCARDED]        = {"discarded", RESULT_COUNT, ONE, NULL, "steps at the beginning that do not count"},
  [MARGINAL_FAILED]           = {"failed", RESULT_COUNT, ONE, NULL, "points that walkers tried where the case has no answer"},
  [MARGINAL_ENOUGH]           = {"converged", RESULT_COUNT, ONE, NULL, "1 where there are more than 50 autocorrelation times and r_hat is below 1.05, otherwise 0"},
  {0}
};

static const OutputField marginal_facts[] = {
  {"method", RESULT_TEXT, {0}, NULL, "laplace or chain"},
  {"confidence", RESULT_REAL, {0}, "1", "probability of the intervals"},
  {0}
};

static const OutputField chain_fields[] = {
  [CHAIN_PLACES]        = {"places", RESULT_REAL, {"steps", "walkers", "numbers"}, "1", "where walkers were after each step, in z; value = centre + spread z, or its logarithm"},
  [CHAIN_LOG_POSTERIOR] = {"log_posterior", RESULT_REAL, {"steps", "walkers"}, "1", "logarithm of likelihood times prior there, the density being that of z"},
  [CHAIN_CENTRE]        = {"centre", RESULT_REAL, NUMBERS, "SI", "centre of each number"},
  [CHAIN_SPREAD]        = {"spread", RESULT_REAL, NUMBERS, "SI", "spread of each number"},
  [CHAIN_SCALE]         = {"scale", RESULT_TEXT, NUMBERS, NULL, "what centre + spread z is of each number: value, logarithm, or quantile: value = F^-1(Phi(z))"},
  [CHAIN_STEPS_DONE]    = {"steps_done", RESULT_COUNT, ONE, NULL, "steps that are complete"},
  {0}
};

static const OutputField prediction_fields[] = {
  [PREDICTIONS_NAMES]     = {"names", RESULT_TEXT, {"outputs"}, NULL, "names of the predicted outputs that are numbers"},
  [PREDICTIONS_PATHS]     = {"paths", RESULT_TEXT, {"outputs"}, NULL, "what each is of the findings of the studies"},
  [PREDICTIONS_UNITS]     = {"units", RESULT_TEXT, {"outputs"}, NULL, "unit of each"},
  [PREDICTIONS_AT_BEST]   = {"at_best", RESULT_REAL, {"outputs"}, "SI", "with the best values"},
  [PREDICTIONS_MEAN]      = {"mean", RESULT_REAL, {"outputs"}, "SI", "mean over the draws of the posterior"},
  [PREDICTIONS_DEVIATION] = {"deviation", RESULT_REAL, {"outputs"}, "SI", "standard deviation"},
  [PREDICTIONS_LOW]       = {"low", RESULT_REAL, {"outputs"}, "SI", "lower ends of the credible intervals"},
  [PREDICTIONS_MEDIAN]    = {"median", RESULT_REAL, {"outputs"}, "SI", "medians"},
  [PREDICTIONS_HIGH]      = {"high", RESULT_REAL, {"outputs"}, "SI", "upper ends"},
  [PREDICTIONS_COUNT]     = {"count", RESULT_COUNT, {"outputs"}, NULL, "number of draws with a value"},
  [PREDICTIONS_DRAWS]     = {"draws", RESULT_REAL, {"draws", "numbers"}, "SI", "numbers drawn from the posterior; NaN where there are fewer"},
  {0}
};

static const OutputField curve_fields[] = {
  [PREDICTED_CURVE_PLACE]   = {"place", RESULT_REAL, {"places"}, "SI", "values of the dataset that the curve is a function of"},
  [PREDICTED_CURVE_AT_BEST] = {"at_best", RESULT_REAL, {"places"}, "SI", "the curve with the best values"},
  [PREDICTED_CURVE_LOW]     = {"low", RESULT_REAL, {"places"}, "SI", "lower ends of its credible intervals"},
  [PREDICTED_CURVE_MEDIAN]  = {"median", RESULT_REAL, {"places"}, "SI", "medians"},
  [PREDICTED_CURVE_HIGH]    = {"high", RESULT_REAL, {"places"}, "SI", "upper ends"},
  {0}
};

static const OutputField curve_facts[] = {
  {"path", RESULT_TEXT, {0}, NULL, "what the curve is of the findings of the studies"},
  {"over", RESULT_TEXT, {0}, NULL, "dataset that it is a function of"},
  {"unit_of_values", RESULT_TEXT, {0}, NULL, "unit of the values"},
  {0}
};
// clang-format on

static const OutputTable overview_table = {"update", "numbers of the case, found from measurements", overview_fields, NULL};
static const OutputTable starts_table   = {"update/starts", "the searches from all starts", starts_fields, NULL};
static const OutputTable marginal_table = {"update/posterior", "what is known of the numbers in the end", marginal_fields, marginal_facts};
static const OutputTable chain_table = {"update/chain", "samples of the posterior; a run that was broken off goes on from them", chain_fields, NULL};
static const OutputTable prediction_table = {"update/predictions", "outputs that were not fitted, with bands", prediction_fields, NULL};
static const OutputTable curve_table      = {"update/predictions/CURVE", "a predicted curve, with its band", curve_fields, curve_facts};

const OutputTable *const update_outputs[] = {&overview_table, &starts_table, &marginal_table, &chain_table, &prediction_table, &curve_table, NULL};

static PetscErrorCode GiveNumbers(const Update *update)
{
  const char *names[FIT_MAX_UNKNOWNS], *paths[FIT_MAX_UNKNOWNS], *units[FIT_MAX_UNKNOWNS], *priors[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const Parameter *const parameter = &update->ensemble.parameters[p];

    names[p]  = parameter->name;
    paths[p]  = InputPath(parameter->places[0]);
    units[p]  = parameter->unit;
    priors[p] = update->unknowns[p].has_prior ? distribution_names[update->unknowns[p].prior.kind] : "none";
  }
  PetscCall(FindingGiveTexts(update->overview, UPDATE_NAMES, update->num_unknowns, names));
  PetscCall(FindingGiveTexts(update->overview, UPDATE_PATHS, update->num_unknowns, paths));
  PetscCall(FindingGiveTexts(update->overview, UPDATE_UNITS, update->num_unknowns, units));
  PetscCall(FindingGiveTexts(update->overview, UPDATE_PRIORS, update->num_unknowns, priors));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Names, paths and units of `count` outputs, to three fields one after another. */
static PetscErrorCode GiveOutputs(PetscInt count, const Output *const outputs[], PetscInt field, Finding *finding)
{
  const char **texts;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count + 1, &texts));
  for (PetscInt i = 0; i < count; i++) texts[i] = outputs[i]->name;
  PetscCall(FindingGiveTexts(finding, field, count, texts));
  for (PetscInt i = 0; i < count; i++) texts[i] = outputs[i]->path;
  PetscCall(FindingGiveTexts(finding, field + 1, count, texts));
  for (PetscInt i = 0; i < count; i++) texts[i] = outputs[i]->unit ? outputs[i]->unit : "";
  PetscCall(FindingGiveTexts(finding, field + 2, count, texts));
  PetscCall(PetscFree(texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveTargets(const Update *update)
{
  const Output **outputs;
  PetscInt64    *followed;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(update->num_targets, &outputs, update->num_targets, &followed));
  for (PetscInt t = 0; t < update->num_targets; t++) outputs[t] = TargetOutput(update, t);
  for (PetscInt t = 0; t < update->num_targets; t++) followed[t] = outputs[t]->follow == FOLLOW_SHAPE;
  PetscCall(GiveOutputs(update->num_targets, outputs, UPDATE_TARGETS, update->overview));
  PetscCall(FindingGive(update->overview, UPDATE_FOLLOWED, followed));
  PetscCall(PetscFree2(outputs, followed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveData(const Update *update)
{
  PetscInt64 *targets;
  PetscReal  *place, *measured, *uncertainty;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(update->num_data, &targets, update->num_data, &place, update->num_data, &measured, update->num_data, &uncertainty));
  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const target = &update->targets[t];

    for (PetscInt i = 0, k = target->first; i < target->count; i++, k++) {
      targets[k]     = t + 1;
      place[k]       = TargetOutput(update, t)->over ? TargetOutput(update, t)->place[i] : (PetscReal)NAN;
      measured[k]    = target->value[i];
      uncertainty[k] = target->uncertainty[i];
    }
  }
  PetscCall(FindingGive(update->overview, UPDATE_DATA_TARGET, targets));
  PetscCall(FindingGive(update->overview, UPDATE_PLACE, place));
  PetscCall(FindingGive(update->overview, UPDATE_MEASURED, measured));
  PetscCall(FindingGive(update->overview, UPDATE_UNCERTAINTY, uncertainty));
  PetscCall(PetscFree4(targets, place, measured, uncertainty));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddMarginals(Update *update, Findings *findings)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &marginal_table, &update->marginals, "/update/posterior"));
  PetscCall(FindingSetSize(update->marginals, "numbers", update->num_unknowns));
  PetscCall(FindingSayText(update->marginals, "method", update->posterior.method == POSTERIOR_CHAIN ? "chain" : "laplace"));
  PetscCall(FindingSayReal(update->marginals, "confidence", update->posterior.confidence));
  if (update->posterior.method != POSTERIOR_CHAIN)
    for (PetscInt f = MARGINAL_MEAN; f <= MARGINAL_ENOUGH; f++) PetscCall(FindingOmit(update->marginals, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddChain(Update *update, Findings *findings)
{
  static const char *const scale_words[] = {[SCALE_LINEAR] = "value", [SCALE_LOGARITHMIC] = "logarithm", [SCALE_QUANTILE] = "quantile"};
  const char              *scales[FIT_MAX_UNKNOWNS];
  PetscReal                centre[FIT_MAX_UNKNOWNS], spread[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &chain_table, &update->chain, "/update/chain"));
  PetscCall(FindingSetSize(update->chain, "numbers", update->num_unknowns));
  PetscCall(FindingSetSize(update->chain, "steps", update->posterior.steps));
  PetscCall(FindingSetSize(update->chain, "walkers", update->posterior.walkers));
  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    scales[p] = scale_words[update->unknowns[p].scale];
    centre[p] = update->unknowns[p].centre;
    spread[p] = update->unknowns[p].spread;
  }
  PetscCall(FindingGiveTexts(update->chain, CHAIN_SCALE, update->num_unknowns, scales));
  PetscCall(FindingGive(update->chain, CHAIN_CENTRE, centre));
  PetscCall(FindingGive(update->chain, CHAIN_SPREAD, spread));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddCurve(Output *output, Findings *findings)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &curve_table, &output->curve, "/update/predictions/%s", output->name));
  PetscCall(FindingSetSize(output->curve, "places", output->count));
  PetscCall(FindingGive(output->curve, PREDICTED_CURVE_PLACE, output->place));
  PetscCall(FindingSayText(output->curve, "path", output->path));
  PetscCall(FindingSayText(output->curve, "over", output->over));
  PetscCall(FindingSayText(output->curve, "unit_of_values", output->unit ? output->unit : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPredictions(Update *update, Findings *findings)
{
  const Output **outputs;
  PetscInt       count = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(update->num_predicted, &outputs));
  for (PetscInt i = update->first_predicted; i < update->ensemble.num_outputs; i++)
    if (!update->ensemble.outputs[i].is_curve) outputs[count++] = &update->ensemble.outputs[i];
  PetscCall(FindingsAdd(findings, &prediction_table, &update->predictions, "/update/predictions"));
  PetscCall(FindingSetSize(update->predictions, "outputs", count));
  PetscCall(FindingSetSize(update->predictions, "numbers", update->num_unknowns));
  PetscCall(FindingSetSize(update->predictions, "draws", update->posterior.draws));
  PetscCall(GiveOutputs(count, outputs, PREDICTIONS_NAMES, update->predictions));
  PetscCall(PetscFree(outputs));
  for (PetscInt i = update->first_predicted; i < update->ensemble.num_outputs; i++)
    if (update->ensemble.outputs[i].is_curve) PetscCall(AddCurve(&update->ensemble.outputs[i], findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UpdateTablesAdd(Update *update)
{
  Findings *const findings = update->ensemble.findings;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &overview_table, &update->overview, "/update"));
  PetscCall(FindingSetSize(update->overview, "numbers", update->num_unknowns));
  PetscCall(FindingSetSize(update->overview, "targets", update->num_targets));
  PetscCall(FindingSetSize(update->overview, "data", update->num_data));
  PetscCall(GiveNumbers(update));
  PetscCall(GiveTargets(update));
  PetscCall(GiveData(update));
  PetscCall(FindingsAdd(findings, &starts_table, &update->starts, "/update/starts"));
  PetscCall(FindingSetSize(update->starts, "starts", update->num_starts));
  PetscCall(FindingSetSize(update->starts, "numbers", update->num_unknowns));
  PetscCall(AddMarginals(update, findings));
  if (update->posterior.method == POSTERIOR_CHAIN) PetscCall(AddChain(update, findings));
  if (update->num_predicted) PetscCall(AddPredictions(update, findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}
