/* tables.c - what an ensemble leaves in the result: names, samples, statistics, curves. */
#include "tables.h"
#include <string.h>

// clang-format off
static const OutputField overview_fields[] = {
  {"parameters", RESULT_TEXT, {"parameters"}, NULL, "names of the parameters"},
  {"paths", RESULT_TEXT, {"parameters"}, NULL, "where each stands in the case, its first place"},
  {"units", RESULT_TEXT, {"parameters"}, NULL, "unit of each; empty of numbers, and of factors of what stands there"},
  {"distributions", RESULT_TEXT, {"parameters"}, NULL, "how each is distributed: uniform, normal, ..., values, grid"},
  {"outputs", RESULT_TEXT, {"outputs"}, NULL, "names of the outputs that are numbers"},
  {"output_paths", RESULT_TEXT, {"outputs"}, NULL, "what each is of the findings of the studies"},
  {"output_units", RESULT_TEXT, {"outputs"}, NULL, "unit of each"},
  {"nominal", RESULT_REAL, {"outputs"}, "SI", "outputs of the case with the numbers that it has"},
  {0}
};

static const OutputField overview_facts[] = {
  {"method", RESULT_TEXT, {0}, NULL, "how samples are chosen: random, latin_hypercube, sobol, sobol_indices"},
  {"seed", RESULT_COUNT, {0}, NULL, "seed of the samples"},
  {"confidence", RESULT_REAL, {0}, "1", "probability with which intervals contain the true value"},
  {"shared", RESULT_TEXT, {0}, NULL, "what the samples do not change, and is computed once"},
  {"ranks_of_a_sample", RESULT_COUNT, {0}, NULL, "number of MPI processes that compute a sample together"},
  {0}
};

static const OutputField samples_fields[] = {
  {"inputs", RESULT_REAL, {"samples", "parameters"}, "SI", "values of the parameters, each in its unit"},
  {"outputs", RESULT_REAL, {"samples", "outputs"}, "SI", "outputs that are numbers, each in its unit; NaN where there is none"},
  {"status", RESULT_COUNT, {"samples"}, NULL, "0 not yet computed, 1 done, 2 some study stopped or some output has no value, 3 the case is refused with these numbers, 4 a fault of the program or of a library"},
  {"warnings", RESULT_COUNT, {"samples"}, NULL, "number of warnings that the sample would have printed"},
  {"seconds", RESULT_REAL, {"samples"}, "s", "computing time"},
  {"reason", RESULT_TEXT, {"samples"}, NULL, "why the status is not 1, or else the first warning; may be empty"},
  {0}
};

#define OUTPUTS {"outputs"}
#define OF_PERCENTILES {"outputs", "percentiles"}
#define OF_PARAMETERS {"outputs", "parameters"}
static const OutputField statistics_fields[] = {
  {"done", RESULT_COUNT, OUTPUTS, NULL, "number of samples with a value"},
  {"failed", RESULT_COUNT, OUTPUTS, NULL, "number of samples without one, which are left out of all statistics"},
  {"mean", RESULT_REAL, OUTPUTS, "SI", "mean"},
  {"mean_error", RESULT_REAL, OUTPUTS, "SI", "standard error of the mean, of independent samples; with a Latin hypercube or a Sobol' sequence the mean is more accurate"},
  {"deviation", RESULT_REAL, OUTPUTS, "SI", "standard deviation"},
  {"least", RESULT_REAL, OUTPUTS, "SI", "least value"},
  {"most", RESULT_REAL, OUTPUTS, "SI", "largest value"},
  {"percent", RESULT_REAL, {"percentiles"}, "%", "which percentiles"},
  {"percentile", RESULT_REAL, OF_PERCENTILES, "SI", "percentiles, linear between sorted samples"},
  {"percentile_low", RESULT_REAL, OF_PERCENTILES, "SI", "lower end of an interval that contains it, whatever the distribution is"},
  {"percentile_high", RESULT_REAL, OF_PERCENTILES, "SI", "upper end, likewise"},
  {"pearson", RESULT_REAL, OF_PARAMETERS, "1", "correlation of the values"},
  {"spearman", RESULT_REAL, OF_PARAMETERS, "1", "correlation of the ranks"},
  {"first", RESULT_REAL, OF_PARAMETERS, "1", "Sobol' indices of first order: share of the variance that the parameter causes alone; with `method: sobol_indices`, as the following"},
  {"first_low", RESULT_REAL, OF_PARAMETERS, "1", "lower end of its interval, by bootstraps"},
  {"first_high", RESULT_REAL, OF_PARAMETERS, "1", "upper end"},
  {"total", RESULT_REAL, OF_PARAMETERS, "1", "total indices: share that it causes alone and together with others"},
  {"total_low", RESULT_REAL, OF_PARAMETERS, "1", "lower end of its interval"},
  {"total_high", RESULT_REAL, OF_PARAMETERS, "1", "upper end"},
  {"second", RESULT_REAL, {"outputs", "parameters", "parameters"}, "1", "share that two parameters cause together, beyond what each causes alone; with `second_order`"},
  {0}
};

static const OutputField curve_fields[] = {
  {"place", RESULT_REAL, {"places"}, "SI", "values of the dataset that the curve is a function of"},
  {"values", RESULT_REAL, {"samples", "places"}, "SI", "the curve of each sample; NaN beyond its ends"},
  {"nominal", RESULT_REAL, {"places"}, "SI", "the curve of the case with the numbers that it has"},
  {"count", RESULT_COUNT, {"places"}, NULL, "number of samples whose curves reach each place"},
  {"band", RESULT_REAL, {"percentiles", "places"}, "SI", "percentiles of these"},
  {"band_low", RESULT_REAL, {"percentiles", "places"}, "SI", "lower ends of their intervals"},
  {"band_high", RESULT_REAL, {"percentiles", "places"}, "SI", "upper ends"},
  {0}
};

static const OutputField curve_facts[] = {
  {"path", RESULT_TEXT, {0}, NULL, "what the curve is of the findings of the studies"},
  {"over", RESULT_TEXT, {0}, NULL, "dataset that it is a function of"},
  {"unit_of_values", RESULT_TEXT, {0}, NULL, "unit of the values"},
  {"unit_of_place", RESULT_TEXT, {0}, NULL, "unit of the places"},
  {"logarithmic", RESULT_COUNT, {0}, NULL, "1 where it is interpolated in logarithms"},
  {0}
};
// clang-format on

const OutputTable vary_overview_output   = {"vary", "samples of a case: its numbers that vary, and what is kept of each", overview_fields,
                                            overview_facts};
const OutputTable vary_samples_output    = {"vary/samples", "the table of samples", samples_fields, NULL};
const OutputTable vary_statistics_output = {"vary/statistics", "what the samples say; NaN until all of them are computed", statistics_fields, NULL};
const OutputTable vary_curve_output      = {"vary/curves/CURVE", "a curve of each sample on one grid, and its bands", curve_fields, curve_facts};

const OutputTable *const ensemble_outputs[] = {&vary_overview_output, &vary_samples_output, &vary_statistics_output, &vary_curve_output, NULL};

static PetscErrorCode GiveParameters(const Ensemble *e, Finding *finding)
{
  const char **texts;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(e->num_parameters, &texts));
  for (PetscInt p = 0; p < e->num_parameters; p++) texts[p] = e->parameters[p].name;
  PetscCall(FindingGiveTexts(finding, VARY_PARAMETERS, e->num_parameters, texts));
  for (PetscInt p = 0; p < e->num_parameters; p++) texts[p] = InputPath(e->parameters[p].places[0]);
  PetscCall(FindingGiveTexts(finding, VARY_PATHS, e->num_parameters, texts));
  for (PetscInt p = 0; p < e->num_parameters; p++) texts[p] = e->parameters[p].unit;
  PetscCall(FindingGiveTexts(finding, VARY_UNITS, e->num_parameters, texts));
  for (PetscInt p = 0; p < e->num_parameters; p++) texts[p] = distribution_names[e->distributions[p].kind];
  PetscCall(FindingGiveTexts(finding, VARY_DISTRIBUTIONS, e->num_parameters, texts));
  PetscCall(PetscFree(texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveOutputs(const Ensemble *e, Finding *finding)
{
  const char **names, **paths, **units;
  PetscInt     count = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(e->num_numbers + 1, &names, e->num_numbers + 1, &paths, e->num_numbers + 1, &units));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    if (output->is_curve) continue;
    names[count]   = output->name;
    paths[count]   = output->path;
    units[count++] = output->unit ? output->unit : "";
  }
  PetscCall(FindingGiveTexts(finding, VARY_OUTPUTS, count, names));
  PetscCall(FindingGiveTexts(finding, VARY_OUTPUT_PATHS, count, paths));
  PetscCall(FindingGiveTexts(finding, VARY_OUTPUT_UNITS, count, units));
  PetscCall(PetscFree3(names, paths, units));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddOverview(Ensemble *e)
{
  static const char *const shared[] = {"the structure and its modes", "masses and the reduced mesh", "nothing"};

  PetscFunctionBegin;
  PetscCall(FindingsAdd(e->findings, &vary_overview_output, &e->overview, "/vary"));
  PetscCall(FindingSetSize(e->overview, "parameters", e->num_parameters));
  PetscCall(FindingSetSize(e->overview, "outputs", e->num_numbers));
  PetscCall(GiveParameters(e, e->overview));
  PetscCall(GiveOutputs(e, e->overview));
  PetscCall(FindingSayText(e->overview, "method", plan_methods[e->method]));
  PetscCall(FindingSayCount(e->overview, "seed", e->seed));
  PetscCall(FindingSayReal(e->overview, "confidence", e->confidence));
  PetscCall(FindingSayText(e->overview, "shared", shared[e->change]));
  PetscCall(FindingSayCount(e->overview, "ranks_of_a_sample", e->ranks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddSamples(Ensemble *e)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(e->findings, &vary_samples_output, &e->samples, "/vary/samples"));
  PetscCall(FindingSetSize(e->samples, "samples", e->num_rows));
  PetscCall(FindingSetSize(e->samples, "parameters", e->num_parameters));
  PetscCall(FindingSetSize(e->samples, "outputs", e->num_numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddStatistics(Ensemble *e)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(e->findings, &vary_statistics_output, &e->statistics, "/vary/statistics"));
  PetscCall(FindingSetSize(e->statistics, "outputs", e->num_numbers));
  PetscCall(FindingSetSize(e->statistics, "parameters", e->num_parameters));
  PetscCall(FindingSetSize(e->statistics, "percentiles", e->percentiles.count));
  if (e->method != PLAN_SOBOL_INDICES)
    for (PetscInt f = STATISTICS_FIRST; f <= STATISTICS_TOTAL_HIGH; f++) PetscCall(FindingOmit(e->statistics, f));
  if (!e->second_order) PetscCall(FindingOmit(e->statistics, STATISTICS_SECOND));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddCurveTable(Ensemble *e, Output *output)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(e->findings, &vary_curve_output, &output->curve, "/vary/curves/%s", output->name));
  PetscCall(FindingSetSize(output->curve, "places", output->count));
  PetscCall(FindingSetSize(output->curve, "samples", e->num_rows));
  PetscCall(FindingSetSize(output->curve, "percentiles", e->percentiles.count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddCurve(Ensemble *e, Output *output)
{
  const Finding *const of   = CaseFind(e->the_case, output->over_finding);
  const char *const    unit = FindingUnit(of, FindingField(of, output->over));

  PetscFunctionBegin;
  PetscCall(AddCurveTable(e, output));
  PetscCall(FindingGive(output->curve, CURVE_PLACE, output->place));
  PetscCall(FindingSayText(output->curve, "path", output->path));
  PetscCall(FindingSayText(output->curve, "over", output->over));
  PetscCall(FindingSayText(output->curve, "unit_of_values", output->unit ? output->unit : ""));
  PetscCall(FindingSayText(output->curve, "unit_of_place", unit ? unit : ""));
  PetscCall(FindingSayCount(output->curve, "logarithmic", output->logarithmic));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TablesAdd(Ensemble *e)
{
  PetscFunctionBegin;
  PetscCall(AddOverview(e));
  PetscCall(AddSamples(e));
  PetscCall(AddStatistics(e));
  PetscCall(FindingGive(e->statistics, STATISTICS_PERCENT, e->percentiles.values));
  for (PetscInt i = 0; i < e->num_outputs; i++)
    if (e->outputs[i].is_curve) PetscCall(AddCurve(e, &e->outputs[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the overview only what the statistics are printed with. */
PetscErrorCode TablesAddStored(Ensemble *e)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(e->findings, &vary_overview_output, &e->overview, "/vary"));
  PetscCall(FindingSetSize(e->overview, "outputs", e->num_numbers));
  for (PetscInt f = 0; overview_fields[f].key; f++)
    if (f != VARY_NOMINAL) PetscCall(FindingOmit(e->overview, f));
  PetscCall(AddSamples(e));
  PetscCall(AddStatistics(e));
  for (PetscInt i = 0; i < e->num_outputs; i++)
    if (e->outputs[i].is_curve) PetscCall(AddCurveTable(e, &e->outputs[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TablesWriteNominal(const Ensemble *e, const PetscReal outputs[], const Result *result)
{
  PetscInt curve = e->num_numbers;

  PetscFunctionBegin;
  if (e->num_numbers) PetscCall(FindingWrite(e->overview, VARY_NOMINAL, 0, e->num_numbers, outputs, result));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    if (!output->is_curve) continue;
    PetscCall(FindingWrite(output->curve, CURVE_NOMINAL, 0, output->count, outputs + curve, result));
    curve += output->count;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The status comes last: where it is known, all of the row is. */
PetscErrorCode TablesWriteSample(const Ensemble *e, PetscInt row, const PetscReal inputs[], const Sample *sample, const Result *result)
{
  PetscInt curve = e->num_numbers;

  PetscFunctionBegin;
  PetscCall(FindingWrite(e->samples, SAMPLES_INPUTS, row, 1, inputs, result));
  if (e->num_numbers) PetscCall(FindingWrite(e->samples, SAMPLES_OUTPUTS, row, 1, sample->outputs, result));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    if (!output->is_curve) continue;
    PetscCall(FindingWrite(output->curve, CURVE_VALUES, row, 1, sample->outputs + curve, result));
    curve += output->count;
  }
  PetscCall(FindingWrite(e->samples, SAMPLES_WARNINGS, row, 1, &sample->warnings, result));
  PetscCall(FindingWrite(e->samples, SAMPLES_SECONDS, row, 1, &sample->seconds, result));
  PetscCall(FindingWrite(e->samples, SAMPLES_REASON, row, 1, sample->reason, result));
  PetscCall(FindingWrite(e->samples, SAMPLES_STATUS, row, 1, &sample->status, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TablesReadSample(const Ensemble *e, PetscInt row, PetscReal inputs[], Sample *sample, const Result *result)
{
  PetscInt curve = e->num_numbers;

  PetscFunctionBegin;
  PetscCall(FindingRead(e->samples, SAMPLES_STATUS, row, 1, &sample->status, result));
  PetscCall(FindingRead(e->samples, SAMPLES_INPUTS, row, 1, inputs, result));
  if (e->num_numbers) PetscCall(FindingRead(e->samples, SAMPLES_OUTPUTS, row, 1, sample->outputs, result));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    if (!output->is_curve) continue;
    PetscCall(FindingRead(output->curve, CURVE_VALUES, row, 1, sample->outputs + curve, result));
    curve += output->count;
  }
  PetscCall(FindingRead(e->samples, SAMPLES_WARNINGS, row, 1, &sample->warnings, result));
  PetscCall(FindingRead(e->samples, SAMPLES_SECONDS, row, 1, &sample->seconds, result));
  PetscCall(FindingRead(e->samples, SAMPLES_REASON, row, 1, sample->reason, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
