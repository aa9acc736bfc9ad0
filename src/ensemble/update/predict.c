/* predict.c - outputs that were not fitted, with bands: those of the case with the draws of the posterior. */
#include "update_private.h"
#include <math.h>

static PetscErrorCode WriteNumber(const Update *update, PetscInt row, PetscInt offset, const PetscReal best[], PetscInt num_draws,
                                  const PetscReal outputs[], const Result *result)
{
  const PetscReal outer = 50 * (1 - update->posterior.confidence), percents[] = {outer, 50, 100 - outer};
  Estimate        percentiles[3];
  Summary         summary;
  PetscInt64      count;

  PetscFunctionBegin;
  PetscCall(SummaryFind(num_draws, update->ensemble.num_values, outputs + offset, &summary));
  PetscCall(PercentilesFind(num_draws, update->ensemble.num_values, outputs + offset, update->posterior.confidence, 3, percents, percentiles));
  count = summary.count;
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_AT_BEST, row, 1, &best[offset], result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_MEAN, row, 1, &summary.mean, result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_DEVIATION, row, 1, &summary.deviation, result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_LOW, row, 1, &percentiles[0].value, result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_MEDIAN, row, 1, &percentiles[1].value, result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_HIGH, row, 1, &percentiles[2].value, result));
  PetscCall(FindingWrite(update->predictions, PREDICTIONS_COUNT, row, 1, &count, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCurve(const Update *update, const Output *output, PetscInt offset, const PetscReal best[], PetscInt num_draws,
                                 const PetscReal outputs[], const Result *result)
{
  const PetscReal outer = 50 * (1 - update->posterior.confidence), percents[] = {outer, 50, 100 - outer};
  PetscReal      *curves;
  Estimate       *band;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num_draws * output->count, &curves, 3 * output->count, &band));
  for (PetscInt i = 0; i < num_draws; i++)
    PetscCall(PetscArraycpy(curves + i * output->count, outputs + i * update->ensemble.num_values + offset, output->count));
  PetscCall(BandFind(num_draws, output->count, curves, update->posterior.confidence, 3, percents, band, NULL));
  PetscCall(FindingWrite(output->curve, PREDICTED_CURVE_AT_BEST, 0, output->count, best + offset, result));
  for (PetscInt k = 0; k < 3; k++)
    for (PetscInt i = 0; i < output->count; i++)
      PetscCall(FindingWrite(output->curve, PREDICTED_CURVE_LOW + k, i, 1, &band[k * output->count + i].value, result));
  PetscCall(PetscFree2(curves, band));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteAll(const Update *update, const PetscReal best[], PetscInt num_draws, const PetscReal draws[], const PetscReal outputs[],
                               const Result *result)
{
  PetscInt row = 0;

  PetscFunctionBegin;
  if (num_draws) PetscCall(FindingWrite(update->predictions, PREDICTIONS_DRAWS, 0, num_draws, draws, result));
  for (PetscInt i = update->first_predicted; i < update->ensemble.num_outputs; i++) {
    const Output *const output = &update->ensemble.outputs[i];

    if (output->is_curve) PetscCall(WriteCurve(update, output, update->offset[i], best, num_draws, outputs, result));
    else PetscCall(WriteNumber(update, row++, update->offset[i], best, num_draws, outputs, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether one of the predictions has no value with these outputs. */
static PetscBool IsMissing(const Update *update, const PetscReal outputs[])
{
  for (PetscInt i = update->first_predicted; i < update->ensemble.num_outputs; i++) {
    const PetscInt count   = OutputCount(&update->ensemble.outputs[i]);
    PetscInt       missing = 0;

    for (PetscInt k = 0; k < count; k++) missing += isnan(outputs[update->offset[i] + k]) ? 1 : 0;
    if (missing == count) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* Bands are those of the draws that have a value: how many have none is told, with the first reason. */
static void WarnOfMissing(const Update *update, PetscInt num_draws, const PetscReal outputs[], const char *reason)
{
  const PetscBool best  = IsMissing(update, outputs);
  PetscInt        count = 0;

  for (PetscInt i = 1; i <= num_draws; i++) count += IsMissing(update, outputs + i * update->ensemble.num_values);
  if (best || count)
    LogWarn("update: some prediction has no value with %s%" PetscInt_FMT " of %" PetscInt_FMT " draws: %s", best ? "the best values and " : "", count,
            num_draws, reason);
}

/* The best values, then the draws. */
PetscErrorCode PredictionsRun(Update *update, Evaluations *evaluations, const Updated *updated, const Result *result)
{
  const PetscInt num = updated->num_draws, size = update->num_unknowns, num_values = update->ensemble.num_values;
  PetscReal     *points, *outputs;
  PetscMPIInt    rank;
  char           reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (update->num_predicted == 0 || !updated->found.found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(EvaluationsWorld(evaluations), &rank));
  PetscCall(PetscMalloc2((1 + num) * size, &points, (1 + num) * num_values, &outputs));
  PetscCall(PetscArraycpy(points, updated->values, size));
  PetscCall(PetscArraycpy(points + size, updated->draws, num * size));
  EvaluationsPredict(evaluations, PETSC_TRUE);
  PetscCall(EvaluationsCompute(evaluations, EvaluationsWorld(evaluations), 1 + num, points, outputs, reason));
  if (rank == 0 && !EvaluationsStopped(evaluations)) WarnOfMissing(update, num, outputs, reason);
  if (rank == 0 && !EvaluationsStopped(evaluations)) PetscCall(WriteAll(update, outputs, num, updated->draws, outputs + num_values, result));
  PetscCall(PetscFree2(points, outputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}
