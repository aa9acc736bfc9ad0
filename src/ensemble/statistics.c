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

/* Values, then the ends of their intervals below and above: three fields of a finding one after another. */
static PetscErrorCode WriteEstimates(Finding *finding, PetscInt field, PetscInt row, PetscInt num_rows, PetscInt num, const Estimate estimates[],
                                     const Result *result)
{
  PetscReal *numbers;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num, &numbers));
  for (PetscInt part = 0; part < 3; part++) {
    for (PetscInt i = 0; i < num; i++) numbers[i] = part == 0 ? estimates[i].value : part == 1 ? estimates[i].low : estimates[i].high;
    PetscCall(FindingWrite(finding, field + part, row, num_rows, numbers, result));
  }
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePercentiles(const Ensemble *e, const Table *table, PetscInt output, const Result *result)
{
  const PetscInt num = e->percentiles.count;
  Estimate      *found;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num, &found));
  PetscCall(PercentilesFind(table->rows, e->num_numbers, table->outputs + output, e->confidence, num, e->percentiles.values, found));
  PetscCall(WriteEstimates(e->statistics, STATISTICS_PERCENTILE, output, 1, num, found, result));
  PetscCall(PetscFree(found));
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

static PetscErrorCode WriteIndices(const Ensemble *e, const Table *table, PetscInt output, const Result *result)
{
  const PetscInt num = e->num_parameters;
  SobolIndices   indices;
  PetscReal     *second;

  PetscFunctionBegin;
  PetscCall(SobolIndicesFind(num, e->second_order, e->num_samples, e->num_numbers, table->outputs + output, e->confidence, NUM_BOOTSTRAPS, e->seed,
                             &indices));
  PetscCall(WriteEstimates(e->statistics, STATISTICS_FIRST, output, 1, num, indices.first, result));
  PetscCall(WriteEstimates(e->statistics, STATISTICS_TOTAL, output, 1, num, indices.total, result));
  if (e->second_order) {
    PetscCall(PetscMalloc1(num * num, &second));
    for (PetscInt i = 0; i < num * num; i++) second[i] = indices.second[i].value;
    PetscCall(FindingWrite(e->statistics, STATISTICS_SECOND, output, 1, second, result));
    PetscCall(PetscFree(second));
  }
  PetscCall(SobolIndicesDestroy(&indices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteBand(const Ensemble *e, const Output *output, const Estimate band[], const PetscInt count[], const Result *result)
{
  const PetscInt num = e->percentiles.count;

  PetscFunctionBegin;
  PetscCall(WriteEstimates(output->curve, CURVE_BAND, 0, num, num * output->count, band, result));
  for (PetscInt i = 0; i < output->count; i++) {
    const PetscInt64 reached = count[i];

    PetscCall(FindingWrite(output->curve, CURVE_COUNT, i, 1, &reached, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindBand(const Ensemble *e, const Output *output, const Result *result)
{
  PetscReal *curves;
  Estimate  *band;
  PetscInt  *count;

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
