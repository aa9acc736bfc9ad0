/*
  walk.c - the posterior by a chain of walkers.

  The result is the state of the chain: a resumed run makes the same proposals, and a walker that is found at its proposal in the next step has
  accepted it, with the density that stands there. Rejected ones are told minus infinity, which rejects them again.
*/
#include "posterior.h"
#include <math.h>
#include <petsctime.h>

typedef struct {
  Update        *update;
  Evaluations   *evaluations;
  const Result  *result;
  Updated       *updated;
  Chain         *chain;
  PetscMPIInt    rank;
  PetscReal     *values, *outputs, *log_density, *deviations; /* of a batch, and of one point */
  PetscInt      *inside;
  PetscLogDouble synced;
} Walk;

/* Walkers start spread as the normal approximation, or, where there is none, over a tenth of what z can be. */
static PetscErrorCode CreateChain(Walk *walk, const PetscReal z[])
{
  const Update *const update = walk->update;
  const PetscInt      size = update->num_unknowns, walkers = update->posterior.walkers;
  PetscReal          *start, *covariance;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(walkers * size, &start));
  PetscCall(PetscCalloc1(size * size, &covariance));
  for (PetscInt p = 0; p < size; p++) {
    const Unknown *const u = &update->unknowns[p];

    covariance[p * (size + 1)] = PetscSqr(0.1 * (u->normal || PetscIsInfReal(u->high - u->low) ? 1 : u->high - u->low));
  }
  if (walk->updated->laplace.definite) PetscCall(PetscArraycpy(covariance, walk->updated->laplace.covariance, size * size));
  PetscCall(ChainDrawStart(size, walkers, update->posterior.seed, z, covariance, start));
  for (PetscInt i = 0; i < walkers * size; i++) { /* beyond a bound: mirrored by it, or at worst as far inside as it takes */
    const Unknown *const u = &update->unknowns[i % size];

    if (start[i] < u->low) start[i] = 2 * u->low - start[i];
    if (start[i] > u->high) start[i] = 2 * u->high - start[i];
    if (start[i] < u->low) start[i] = u->low + (u->high - u->low) * (1.0 + (PetscReal)(i / size)) / (2.0 + (PetscReal)walkers);
  }
  PetscCall(ChainCreate(size, walkers, update->posterior.seed, start, &walk->chain));
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(covariance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The log posterior at a batch of points: those within the bounds are computed; nan where the case has no answer. */
static PetscErrorCode FindDensities(Walk *walk, PetscInt count, const PetscReal points[])
{
  const Update *const update = walk->update;
  const PetscInt      size = update->num_unknowns, num = update->ensemble.num_values;
  PetscInt            inside = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    walk->log_density[i] = PosteriorLogPrior(update, points + i * size);
    if (PetscIsInfReal(walk->log_density[i])) continue;
    PosteriorValues(update, points + i * size, walk->values + inside * size);
    walk->inside[inside++] = i;
  }
  PetscCall(EvaluationsCompute(walk->evaluations, EvaluationsWorld(walk->evaluations), inside, walk->values, walk->outputs, NULL));
  for (PetscInt k = 0; k < inside; k++) {
    PetscReal      *density = &walk->log_density[walk->inside[k]], sum = 0;
    const PetscBool exists = TargetsDeviate(update, walk->outputs + k * num, walk->deviations, 0, NULL);

    for (PetscInt i = 0; exists && i < update->num_data; i++) sum += PetscSqr(walk->deviations[i]);
    *density = exists ? *density + TargetsLogLikelihood(update, sum) : (PetscReal)NAN;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteStep(Walk *walk)
{
  const PetscInt   step = ChainNumSteps(walk->chain) - 1, walkers = ChainNumWalkers(walk->chain), size = ChainDim(walk->chain);
  const PetscInt64 done = step + 1;
  PetscLogDouble   now;

  PetscFunctionBegin;
  PetscCall(FindingWrite(walk->update->chain, CHAIN_PLACES, step, 1, ChainPoints(walk->chain) + step * walkers * size, walk->result));
  PetscCall(FindingWrite(walk->update->chain, CHAIN_LOG_POSTERIOR, step, 1, ChainLogDensities(walk->chain) + step * walkers, walk->result));
  PetscCall(FindingWrite(walk->update->chain, CHAIN_STEPS_DONE, 0, 1, &done, walk->result));
  PetscCall(PetscTime(&now));
  if (now - walk->synced > 2.0) {
    PetscCall(ResultSync(walk->result));
    walk->synced = now;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Until all steps are done or the user asks to stop. */
static PetscErrorCode Go(Walk *walk)
{
  const PetscInt steps = walk->update->posterior.steps;
  Progress       progress;

  PetscFunctionBegin;
  PetscCall(PetscTime(&walk->synced));
  if (walk->rank == 0) ProgressBegin(&progress, "steps", (PetscReal)steps);
  while (ChainNumSteps(walk->chain) < steps) {
    const PetscInt   before = ChainNumSteps(walk->chain);
    const PetscReal *points;
    PetscInt         count;

    PetscCall(ChainAsk(walk->chain, &count, &points));
    PetscCall(FindDensities(walk, count, points));
    if (EvaluationsStopped(walk->evaluations)) break;
    PetscCall(ChainTell(walk->chain, walk->log_density));
    if (walk->rank == 0 && ChainNumSteps(walk->chain) > before) PetscCall(WriteStep(walk));
    if (walk->rank == 0) ProgressUpdate(&progress, (PetscReal)before);
  }
  if (walk->rank == 0) ProgressEnd(&progress);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One batch of a step that an earlier run has done: walkers from `first` on. */
static PetscErrorCode TellAgain(Walk *walk, PetscInt first, const PetscReal places[], const PetscReal log_posterior[])
{
  const PetscInt   size = ChainDim(walk->chain);
  const PetscReal *points;
  PetscInt         count;

  PetscFunctionBegin;
  PetscCall(ChainAsk(walk->chain, &count, &points));
  for (PetscInt k = 0; k < count; k++) {
    PetscBool same;

    PetscCall(PetscArraycmp(points + k * size, places + (first + k) * size, size, &same));
    walk->log_density[k] = same ? log_posterior[first + k] : -(PetscReal)INFINITY;
  }
  PetscCall(ChainTell(walk->chain, walk->log_density));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The densities where walkers started are not in the result: they are computed again. */
static PetscErrorCode GoAgain(Walk *walk)
{
  const PetscInt   walkers = ChainNumWalkers(walk->chain), steps = walk->update->posterior.steps, size = ChainDim(walk->chain);
  PetscInt64      *done;
  PetscReal       *places, *log_posterior;
  const PetscReal *points;
  PetscInt         count;

  PetscFunctionBegin;
  PetscCall(FindingReadCounts(walk->update->chain, "steps_done", 1, walk->result, &done));
  PetscCall(FindingReadReals(walk->update->chain, "places", steps, walk->result, &places));
  PetscCall(FindingReadReals(walk->update->chain, "log_posterior", steps, walk->result, &log_posterior));
  PetscCallMPI(MPI_Barrier(EvaluationsWorld(walk->evaluations)));
  if (*done > 0) {
    PetscCall(ChainAsk(walk->chain, &count, &points));
    PetscCall(FindDensities(walk, count, points));
    PetscCall(ChainTell(walk->chain, walk->log_density));
  }
  for (PetscInt i = 0; i < *done; i++)
    for (PetscInt half = 0; half < 2; half++)
      PetscCall(TellAgain(walk, half * walkers / 2, places + i * walkers * size, log_posterior + i * walkers));
  if (*done > 0) LogSay("  %" PetscInt64_FMT " steps of the chain are in the result already", *done);
  PetscCall(PetscFree(done));
  PetscCall(PetscFree(places));
  PetscCall(PetscFree(log_posterior));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The evidence by a bridge, whose points are computed too; without, from the steps alone. */
static PetscErrorCode FindEvidence(Walk *walk, ChainEvidence *evidence)
{
  const PetscInt discard = walk->update->posterior.discard, num = walk->update->posterior.bridge, seed = walk->update->posterior.seed;
  PetscReal     *points;
  PetscBool      fine;

  PetscFunctionBegin;
  *evidence = (ChainEvidence){.log_evidence = (PetscReal)NAN, .error = (PetscReal)NAN};
  if (!PosteriorIsProper(walk->update)) PetscFunctionReturn(PETSC_SUCCESS);
  if (num == 0) {
    PetscCall(ChainFindEvidence(walk->chain, discard, evidence));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(num * ChainDim(walk->chain), &points));
  PetscCall(ChainDrawBridge(walk->chain, discard, seed, num, points, &fine));
  if (fine) PetscCall(FindDensities(walk, num, points));
  if (fine && !EvaluationsStopped(walk->evaluations)) PetscCall(ChainBridgeEvidence(walk->chain, discard, num, points, walk->log_density, evidence));
  PetscCall(PetscFree(points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Values of all samples behind those that are discarded; the draws are evenly spaced ones of them. */
static PetscErrorCode TakeSamples(Walk *walk, PetscInt *count, PetscReal **samples)
{
  const Update *const update = walk->update;
  const PetscInt      size = update->num_unknowns, walkers = update->posterior.walkers, first = update->posterior.discard * walkers;
  PetscInt            num;

  PetscFunctionBegin;
  *count = PetscMax(ChainNumSteps(walk->chain) * walkers - first, 0);
  num    = PetscMin(update->posterior.draws, *count);
  PetscCall(PetscMalloc1(*count * size, samples));
  PetscCall(PetscMalloc1(num * size, &walk->updated->draws));
  for (PetscInt i = 0; i < *count; i++) PosteriorValues(update, ChainPoints(walk->chain) + (first + i) * size, *samples + i * size);
  for (PetscInt i = 0; i < num; i++) {
    const PetscInt k = (PetscInt)(((PetscInt64)*count * (2 * i + 1)) / (2 * num));

    PetscCall(PetscArraycpy(walk->updated->draws + i * size, *samples + k * size, size));
  }
  walk->updated->num_draws = num;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMarginals(const Walk *walk, const ChainVerdict *verdict, PetscInt count, const PetscReal samples[])
{
  const Update *const update = walk->update;
  const PetscInt      size   = update->num_unknowns;
  const PetscReal     outer = 50 * (1 - update->posterior.confidence), percents[] = {outer, 50, 100 - outer};
  Correlation        *table;
  PetscReal          *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(size * size, &table, size, &row));
  PetscCall(CorrelationsFind(count, size, samples, size, samples, table));
  for (PetscInt p = 0; p < size; p++) {
    Estimate  percentiles[3];
    PetscReal error;
    Summary   summary;

    PetscCall(SummaryFind(count, size, samples + p, &summary));
    PetscCall(PercentilesFind(count, size, samples + p, update->posterior.confidence, 3, percents, percentiles));
    error = summary.deviation / PetscSqrtReal(verdict->effective);
    for (PetscInt q = 0; q < size; q++) row[q] = table[p * size + q].pearson;
    PetscCall(FindingWrite(update->marginals, MARGINAL_MEDIAN, p, 1, &percentiles[1].value, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_DEVIATION, p, 1, &summary.deviation, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_LOW, p, 1, &percentiles[0].value, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_HIGH, p, 1, &percentiles[2].value, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_MEAN, p, 1, &summary.mean, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_MEAN_ERROR, p, 1, &error, walk->result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_CORRELATION, p, 1, row, walk->result));
  }
  PetscCall(PetscFree2(table, row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteVerdict(const Walk *walk, const ChainVerdict *verdict, const ChainEvidence *evidence)
{
  const Update *const update = walk->update;
  const PetscInt64 enough = verdict->enough, trusted = evidence->trusted, discard = update->posterior.discard, failed = ChainNumFailed(walk->chain);
  char             reason[RESULT_TEXT_LENGTH] = "converged";

  PetscFunctionBegin;
  if (!verdict->enough)
    PetscCall(PetscSNPrintf(reason, sizeof(reason),
                            "not converged: it takes more than 50 autocorrelation times, of %.3g steps here, and r_hat < 1.05", verdict->time));
  PetscCall(FindingWrite(update->marginals, MARGINAL_REASON, 0, 1, reason, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_LOG_EVIDENCE, 0, 1, &evidence->log_evidence, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_EVIDENCE_ERROR, 0, 1, &evidence->error, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_EVIDENCE_TRUSTED, 0, 1, &trusted, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_ACCEPTANCE, 0, 1, &verdict->acceptance, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_TIME, 0, 1, &verdict->time, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_EFFECTIVE, 0, 1, &verdict->effective, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_R_HAT, 0, 1, &verdict->r_hat, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_DISCARDED, 0, 1, &discard, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_FAILED, 0, 1, &failed, walk->result));
  PetscCall(FindingWrite(update->marginals, MARGINAL_ENOUGH, 0, 1, &enough, walk->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Conclude(Walk *walk, Outcome *outcome)
{
  const PetscInt discard = walk->update->posterior.discard;
  PetscReal     *samples;
  PetscInt       count;
  ChainVerdict   verdict;
  ChainEvidence  evidence;

  PetscFunctionBegin;
  PetscCall(ChainJudge(walk->chain, discard, &verdict));
  PetscCall(FindEvidence(walk, &evidence));
  if (EvaluationsStopped(walk->evaluations)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TakeSamples(walk, &count, &samples));
  if (walk->rank == 0) PetscCall(WriteMarginals(walk, &verdict, count, samples));
  if (walk->rank == 0) PetscCall(WriteVerdict(walk, &verdict, &evidence));
  PetscCall(PetscFree(samples));
  outcome->num_stopped += !verdict.enough;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WalkRun(Update *update, Evaluations *evaluations, const PetscReal z[], const Result *result, PetscBool resumed, Updated *updated,
                       Outcome *outcome)
{
  const PetscInt batch = PetscMax(update->posterior.walkers, update->posterior.bridge);
  Walk           walk  = {.update = update, .evaluations = evaluations, .result = result, .updated = updated};

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(EvaluationsWorld(evaluations), &walk.rank));
  PetscCall(PetscMalloc5(batch * update->num_unknowns, &walk.values, batch * update->ensemble.num_values, &walk.outputs, batch, &walk.log_density,
                         update->num_data, &walk.deviations, batch, &walk.inside));
  PetscCall(CreateChain(&walk, z));
  if (resumed) PetscCall(GoAgain(&walk));
  PetscCall(Go(&walk));
  if (!EvaluationsStopped(evaluations)) PetscCall(Conclude(&walk, outcome));
  PetscCall(ChainDestroy(&walk.chain));
  PetscCall(PetscFree5(walk.values, walk.outputs, walk.log_density, walk.deviations, walk.inside));
  PetscFunctionReturn(PETSC_SUCCESS);
}
