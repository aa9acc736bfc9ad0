/* chain_verdict.c - whether a chain is long enough, and what it says of each parameter. */
#include "autocorrelation.h"
#include "chain_private.h"
#include "sorted.h"
#include <math.h>

/* The autocorrelation time is that of the chain only from here on [Foreman-Mackey et al. 2013]; with so many times, means of halves of walkers
   make r_hat 1.02 by themselves. */
static const PetscReal least_times = 50.0, most_r_hat = 1.05;

enum { LEAST_STEPS = 8 };

PetscReal ChainBest(const Chain *chain, PetscReal point[])
{
  PetscInt best = 0;

  if (chain->num_steps == 0) return -(PetscReal)INFINITY;
  for (PetscInt i = 1; i < chain->num_steps * chain->num_walkers; i++) {
    if (chain->log_densities[i] > chain->log_densities[best]) best = i;
  }
  for (PetscInt i = 0; i < chain->dim; i++) point[i] = chain->points[best * chain->dim + i];
  return chain->log_densities[best];
}

/* A walker has moved where its log density or a coordinate has. */
static PetscReal Acceptance(const Chain *chain, PetscInt first)
{
  const PetscInt num = chain->num_walkers, width = num * chain->dim;
  PetscInt       moved = 0;

  for (PetscInt i = (first + 1) * num; i < chain->num_steps * num; i++) {
    const PetscReal *const now   = chain->points + i * chain->dim;
    PetscBool              moves = (PetscBool)(chain->log_densities[i] != chain->log_densities[i - num]);

    for (PetscInt j = 0; !moves && j < chain->dim; j++) moves = (PetscBool)(now[j] != now[j - width]);
    moved += moves;
  }
  return (PetscReal)moved / ((PetscReal)num * (PetscReal)(chain->num_steps - first - 1));
}

/* sqrt((n - 1) / n + B / (n W)), W the mean variance within, B / n that of the means, over the halves of all walkers [Gelman et al. 2013, 11.4]. */
static PetscErrorCode FindRHat(const Chain *chain, PetscInt parameter, PetscInt first, PetscReal *r_hat)
{
  const PetscInt count = (chain->num_steps - first) / 2, num = 2 * chain->num_walkers, stride = chain->num_walkers * chain->dim;
  PetscReal      within = 0.0, *mean;
  Summary        half, all;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num, &mean));
  for (PetscInt i = 0; i < num; i++) {
    const PetscInt start = i % 2 ? chain->num_steps - count : first;

    PetscCall(SummaryFind(count, stride, chain->points + start * stride + i / 2 * chain->dim + parameter, &half));
    within += PetscSqr(half.deviation) / (PetscReal)num;
    mean[i] = half.mean;
  }
  PetscCall(SummaryFind(num, 1, mean, &all));
  *r_hat = PetscSqrtReal(1.0 - 1.0 / (PetscReal)count + PetscSqr(all.deviation) / within);
  PetscCall(PetscFree(mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The larger one, or nan where there is one. */
static PetscReal Worse(PetscReal a, PetscReal b)
{
  return isnan(a) || a > b ? a : b;
}

PetscErrorCode ChainJudge(const Chain *chain, PetscInt num_discarded, ChainVerdict *verdict)
{
  const PetscInt kept = chain->num_steps - num_discarded, start = num_discarded * chain->num_walkers * chain->dim;

  PetscFunctionBegin;
  *verdict = (ChainVerdict){(PetscReal)NAN, (PetscReal)NAN, (PetscReal)NAN, (PetscReal)NAN, PETSC_FALSE};
  if (kept < LEAST_STEPS) PetscFunctionReturn(PETSC_SUCCESS);
  verdict->acceptance = Acceptance(chain, num_discarded);
  verdict->time = verdict->r_hat = 0.0;
  for (PetscInt i = 0; i < chain->dim; i++) {
    PetscReal r_hat = 0.0, time;

    PetscCall(FindRHat(chain, i, num_discarded, &r_hat));
    PetscCall(AutocorrelationTime(kept, chain->num_walkers, chain->dim, chain->points + start + i, &time));
    verdict->time  = Worse(time, verdict->time);
    verdict->r_hat = Worse(r_hat, verdict->r_hat);
  }
  verdict->effective = (PetscReal)kept * (PetscReal)chain->num_walkers / verdict->time;
  verdict->enough    = (PetscBool)((PetscReal)kept > least_times * verdict->time && verdict->r_hat < most_r_hat);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The shortest interval of sorted samples that has this share of them [Chen, Shao 1999]. */
static void FindDensest(PetscInt count, const PetscReal sorted[], PetscReal probability, PetscReal *low, PetscReal *high)
{
  const PetscInt within = PetscMin((PetscInt)PetscCeilReal(probability * (PetscReal)count), count - 1);

  *low  = sorted[0];
  *high = sorted[count - 1];
  for (PetscInt i = 0; i + within < count; i++) {
    if (sorted[i + within] - sorted[i] >= *high - *low) continue;
    *low  = sorted[i];
    *high = sorted[i + within];
  }
}

PetscErrorCode ChainMarginal(const Chain *chain, PetscInt num_discarded, PetscInt parameter, PetscReal probability, Marginal *marginal)
{
  const PetscInt         kept = chain->num_steps - num_discarded, count = kept * chain->num_walkers;
  const PetscReal *const value = chain->points + num_discarded * chain->num_walkers * chain->dim + parameter;
  PetscReal             *sorted;
  Summary                summary;

  PetscFunctionBegin;
  PetscCheck(count > 1, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "no step is left of %" PetscInt_FMT, chain->num_steps);
  PetscCall(AutocorrelatedMean(kept, chain->num_walkers, chain->dim, value, &summary));
  PetscCall(PetscMalloc1(count, &sorted));
  for (PetscInt i = 0; i < count; i++) sorted[i] = value[i * chain->dim];
  PetscCall(PetscSortReal(count, sorted));
  *marginal = (Marginal){.mean       = summary.mean,
                         .deviation  = summary.deviation,
                         .mean_error = summary.mean_error,
                         .median     = SortedAt(count, sorted, 0.5),
                         .low        = SortedAt(count, sorted, 0.5 * (1.0 - probability)),
                         .high       = SortedAt(count, sorted, 0.5 * (1.0 + probability))};
  FindDensest(count, sorted, probability, &marginal->densest_low, &marginal->densest_high);
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}
