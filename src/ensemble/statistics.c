/* statistics.c - what the table of samples says: of each number, of each curve. */
#include "tables.h"
#include "sampling/statistics.h"
#include <math.h>

enum { NUM_BOOTSTRAPS = 1000 };

/* All rows, on rank 0. */
typedef struct {
  PetscInt   rows;
  PetscReal *inputs, *outputs;
} Table;

static PetscErrorCode WriteSummary(const Ensemble *e, const Table *table, PetscInt output, Summary *summary, const Result *result)
{
  PetscInt64 done, failed;

  PetscFunctionBegin;
  PetscCall(SummaryFind(table->rows, e->num_numbers, table->outputs + output, summary));
  done   = summary->count;
  failed = summary->num_failed;
  PetscCall(FindingWrite(e->statistics, STATISTICS_DONE, output, 1, &done, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_FAILED, output, 1, &failed, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_MEAN, output, 1, &summary->mean, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_MEAN_ERROR, output, 1, &summary->mean_error, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_DEVIATION, output, 1, &summary->deviation, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_LEAST, output, 1, &summary->least, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_MOST, output, 1, &summary->most, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePercentiles(const Ensemble *e, const Table *table, PetscInt output, const Result *result)
{
  const PetscInt num = e->percentiles.count;
  Percentile    *found;
  PetscReal     *value, *low, *high;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(num, &found, num, &value, num, &low, num, &high));
  for (PetscInt i = 0; i < num; i++) found[i] = (Percentile){.percent = e->percentiles.values[i]};
  PetscCall(PercentilesFind(table->rows, e->num_numbers, table->outputs + output, e->confidence, num, found));
  for (PetscInt i = 0; i < num; i++) {
    value[i] = found[i].value;
    low[i]   = found[i].low;
    high[i]  = found[i].high;
  }
  PetscCall(FindingWrite(e->statistics, STATISTICS_PERCENTILE, output, 1, value, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_PERCENTILE_LOW, output, 1, low, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_PERCENTILE_HIGH, output, 1, high, result));
  PetscCall(PetscFree4(found, value, low, high));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCorrelations(const Ensemble *e, const Table *table, const Result *result)
{
  const PetscInt count = e->num_numbers * e->num_parameters;
  Correlation   *found;
  PetscReal     *pearson, *spearman;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count, &found, count, &pearson, count, &spearman));
  PetscCall(CorrelationsFind(table->rows, e->num_parameters, table->inputs, e->num_numbers, table->outputs, found));
  for (PetscInt i = 0; i < count; i++) {
    pearson[i]  = found[i].pearson;
    spearman[i] = found[i].spearman;
  }
  PetscCall(FindingWrite(e->statistics, STATISTICS_PEARSON, 0, e->num_numbers, pearson, result));
  PetscCall(FindingWrite(e->statistics, STATISTICS_SPEARMAN, 0, e->num_numbers, spearman, result));
  PetscCall(PetscFree3(found, pearson, spearman));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteEstimates(const Ensemble *e, PetscInt output, StatisticsField first, const Estimate estimates[], const Result *result)
{
  const PetscInt num = e->num_parameters;
  PetscReal     *value, *low, *high;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(num, &value, num, &low, num, &high));
  for (PetscInt p = 0; p < num; p++) {
    value[p] = estimates[p].value;
    low[p]   = estimates[p].low;
    high[p]  = estimates[p].high;
  }
  PetscCall(FindingWrite(e->statistics, first, output, 1, value, result));
  PetscCall(FindingWrite(e->statistics, first + 1, output, 1, low, result));
  PetscCall(FindingWrite(e->statistics, first + 2, output, 1, high, result));
  PetscCall(PetscFree3(value, low, high));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteIndices(const Ensemble *e, const Table *table, PetscInt output, const Result *result)
{
  const PetscInt num = e->num_parameters;
  SobolIndices   indices;
  PetscReal     *second;

  PetscFunctionBegin;
  PetscCall(SobolIndicesFind(num, e->second_order, e->num_samples, e->num_numbers, table->outputs + output, e->confidence, NUM_BOOTSTRAPS, e->seed,
                             &indices));
  PetscCall(WriteEstimates(e, output, STATISTICS_FIRST, indices.first, result));
  PetscCall(WriteEstimates(e, output, STATISTICS_TOTAL, indices.total, result));
  if (e->second_order) {
    PetscCall(PetscMalloc1(num * num, &second));
    for (PetscInt i = 0; i < num * num; i++) second[i] = indices.second[i].value;
    PetscCall(FindingWrite(e->statistics, STATISTICS_SECOND, output, 1, second, result));
    PetscCall(PetscFree(second));
  }
  PetscCall(SobolIndicesDestroy(&indices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteBand(const Ensemble *e, const Output *output, const Percentile band[], const PetscInt count[], const Result *result)
{
  const PetscInt num = e->percentiles.count * output->count;
  PetscReal     *value, *low, *high;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(num, &value, num, &low, num, &high));
  for (PetscInt i = 0; i < num; i++) {
    value[i] = band[i].value;
    low[i]   = band[i].low;
    high[i]  = band[i].high;
  }
  PetscCall(FindingWrite(output->curve, CURVE_BAND, 0, e->percentiles.count, value, result));
  PetscCall(FindingWrite(output->curve, CURVE_BAND_LOW, 0, e->percentiles.count, low, result));
  PetscCall(FindingWrite(output->curve, CURVE_BAND_HIGH, 0, e->percentiles.count, high, result));
  for (PetscInt i = 0; i < output->count; i++) {
    const PetscInt64 reached = count[i];

    PetscCall(FindingWrite(output->curve, CURVE_COUNT, i, 1, &reached, result));
  }
  PetscCall(PetscFree3(value, low, high));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindBand(const Ensemble *e, const Output *output, const Result *result)
{
  PetscReal  *curves;
  Percentile *band;
  PetscInt   *count;

  PetscFunctionBegin;
  PetscCall(FindingReadReals(output->curve, "values", e->num_rows, result, &curves));
  PetscCall(PetscMalloc2(e->percentiles.count * output->count, &band, output->count, &count));
  PetscCall(BandFind(e->num_rows, output->count, curves, e->confidence, e->percentiles.count, e->percentiles.values, band, count));
  PetscCall(WriteBand(e, output, band, count, result));
  PetscCall(PetscFree2(band, count));
  PetscCall(PetscFree(curves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteNumbers(const Ensemble *e, Summary summaries[], const Result *result)
{
  Table table = {.rows = e->num_rows};

  PetscFunctionBegin;
  PetscCall(FindingReadReals(e->samples, "inputs", table.rows, result, &table.inputs));
  PetscCall(FindingReadReals(e->samples, "outputs", table.rows, result, &table.outputs));
  for (PetscInt i = 0; i < e->num_numbers; i++) {
    PetscCall(WriteSummary(e, &table, i, &summaries[i], result));
    PetscCall(WritePercentiles(e, &table, i, result));
    if (e->method == PLAN_SOBOL_INDICES) PetscCall(WriteIndices(e, &table, i, result));
  }
  PetscCall(WriteCorrelations(e, &table, result));
  PetscCall(PetscFree(table.inputs));
  PetscCall(PetscFree(table.outputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StatisticsWrite(const Ensemble *e, const Result *result)
{
  Summary *summaries;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(e->num_numbers + 1, &summaries));
  if (e->num_numbers) PetscCall(WriteNumbers(e, summaries, result));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++)
    if (output->is_curve) PetscCall(FindBand(e, output, result));
  PetscCall(StatisticsPrint(e, summaries, result));
  PetscCall(PetscFree(summaries));
  PetscFunctionReturn(PETSC_SUCCESS);
}
