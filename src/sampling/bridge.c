/*
  bridge.c - the evidence by a bridge between the posterior and a normal distribution.

  With l = L prior / g, samples x of the posterior, of which n_1 are independent, and n_2 points y of g,

      Z = mean_y [l / (s_1 l + s_2 Z)] / mean_x [1 / (s_1 l + s_2 Z)],   s_i = n_i / (n_1 + n_2)          [Meng, Wong 1996, eq. 4.1]

  which has the least error of all bridges; no term is unbounded. The error is that of both means [Fruehwirth-Schnatter 2004, section 3.3], that over
  x by their own autocorrelation time. g is the normal distribution of the first half of the steps; the samples are those of the second half.
*/
#include "sampling/evidence.h"
#include "autocorrelation.h"
#include "base/random.h"
#include "chain_private.h"
#include "normal_fit.h"
#include <math.h>

enum { LEAST_STEPS = 16, MOST_ITERATIONS = 1000 };

typedef struct {
  PetscInt   num_samples, num_points;
  PetscReal *of_samples, *of_points; /* l, over exp(shift) */
  PetscReal *terms;                  /* [the larger number] */
  PetscReal  shift, s1, s2;
} Bridge;

static PetscInt Middle(const Chain *chain, PetscInt num_discarded)
{
  return num_discarded + (chain->num_steps - num_discarded) / 2;
}

PetscErrorCode ChainDrawBridge(const Chain *chain, PetscInt num_discarded, PetscInt seed, PetscInt num_points, PetscReal points[], PetscBool *fine)
{
  NormalFit fit;

  PetscFunctionBegin;
  *fine = (PetscBool)(chain->num_steps - num_discarded >= LEAST_STEPS);
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NormalFitOfChain(chain, num_discarded, Middle(chain, num_discarded), &fit));
  *fine = fit.definite;
  for (PetscInt i = 0; fit.definite && i < num_points; i++)
    NormalFitDraw(&fit, RandomKey(RandomKey((uint64_t)seed, (uint64_t)num_discarded), (uint64_t)i), points + i * chain->dim);
  PetscCall(NormalFitDestroy(&fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* log l of points; what failed counts as zero. */
static void FillRatios(const NormalFit *fit, PetscInt count, const PetscReal points[], const PetscReal log_densities[], PetscReal ratios[],
                       PetscReal *most)
{
  for (PetscInt i = 0; i < count; i++) {
    ratios[i] =
      isnan(log_densities[i]) ? -(PetscReal)INFINITY : log_densities[i] - fit->log_constant + 0.5 * NormalFitSquare(fit, points + i * fit->dim);
    *most = PetscMax(*most, ratios[i]);
  }
}

/* The terms of both means at an estimate of Z. */
static void FillTerms(const Bridge *bridge, PetscReal z, PetscBool of_points, PetscReal terms[])
{
  const PetscReal *const ratios = of_points ? bridge->of_points : bridge->of_samples;
  const PetscInt         count  = of_points ? bridge->num_points : bridge->num_samples;

  for (PetscInt i = 0; i < count; i++) terms[i] = (of_points ? ratios[i] : z) / (bridge->s1 * ratios[i] + bridge->s2 * z);
}

static PetscReal Mean(PetscInt count, const PetscReal values[])
{
  PetscReal mean = 0.0;

  for (PetscInt i = 0; i < count; i++) mean += values[i] / (PetscReal)count;
  return mean;
}

/* The fixed point, which is unique; each turn comes nearer to it. */
static PetscReal Solve(Bridge *bridge)
{
  PetscReal z = Mean(bridge->num_points, bridge->of_points);

  for (PetscInt i = 0; i < MOST_ITERATIONS && z > 0.0; i++) {
    const PetscReal before = z;
    PetscReal       above;

    FillTerms(bridge, before, PETSC_TRUE, bridge->terms);
    above = Mean(bridge->num_points, bridge->terms);
    FillTerms(bridge, before, PETSC_FALSE, bridge->terms);
    z = before * above / Mean(bridge->num_samples, bridge->terms);
    if (PetscAbsReal(z - before) < 1e-12 * z) break;
  }
  return z;
}

static PetscErrorCode Conclude(Bridge *bridge, PetscInt num_walkers, ChainEvidence *evidence)
{
  const PetscReal z = Solve(bridge);
  Summary         of_samples, of_points;

  PetscFunctionBegin;
  if (!(z > 0.0)) PetscFunctionReturn(PETSC_SUCCESS); /* no point has any posterior */
  FillTerms(bridge, z, PETSC_FALSE, bridge->terms);
  PetscCall(AutocorrelatedMean(bridge->num_samples / num_walkers, num_walkers, 1, bridge->terms, &of_samples));
  FillTerms(bridge, z, PETSC_TRUE, bridge->terms);
  PetscCall(SummaryFind(bridge->num_points, 1, bridge->terms, &of_points));
  evidence->log_evidence = PetscLogReal(z) + bridge->shift;
  evidence->error        = hypot(of_samples.mean_error / of_samples.mean, of_points.mean_error / of_points.mean);
  evidence->trusted      = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ChainBridgeEvidence(const Chain *chain, PetscInt num_discarded, PetscInt num_points, const PetscReal points[],
                                   const PetscReal log_densities[], ChainEvidence *evidence)
{
  const PetscInt         middle = Middle(chain, num_discarded), start = middle * chain->num_walkers, rest = chain->num_steps - middle;
  const PetscReal *const told   = chain->log_densities + start;
  Bridge                 bridge = {.num_samples = rest * chain->num_walkers, .num_points = num_points, .shift = -(PetscReal)INFINITY};
  PetscReal              independent, time;
  NormalFit              fit;

  PetscFunctionBegin;
  *evidence = (ChainEvidence){(PetscReal)NAN, (PetscReal)NAN, PETSC_FALSE};
  PetscCheck(chain->num_steps - num_discarded >= LEAST_STEPS && num_points > 1, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%" PetscInt_FMT " steps, %" PetscInt_FMT " points", chain->num_steps, num_points);
  PetscCall(
    PetscMalloc3(bridge.num_samples, &bridge.of_samples, num_points, &bridge.of_points, PetscMax(bridge.num_samples, num_points), &bridge.terms));
  PetscCall(NormalFitOfChain(chain, num_discarded, middle, &fit));
  if (fit.definite) {
    FillRatios(&fit, bridge.num_samples, chain->points + start * chain->dim, told, bridge.of_samples, &bridge.shift);
    FillRatios(&fit, num_points, points, log_densities, bridge.of_points, &bridge.shift);
    for (PetscInt i = 0; i < bridge.num_samples; i++) bridge.of_samples[i] = PetscExpReal(bridge.of_samples[i] - bridge.shift);
    for (PetscInt i = 0; i < num_points; i++) bridge.of_points[i] = PetscExpReal(bridge.of_points[i] - bridge.shift);
    PetscCall(AutocorrelationTime(rest, chain->num_walkers, 1, told, &time));
    independent = (PetscReal)bridge.num_samples / (isnan(time) ? 1.0 : time);
    bridge.s1   = independent / (independent + (PetscReal)num_points);
    bridge.s2   = 1.0 - bridge.s1;
    PetscCall(Conclude(&bridge, chain->num_walkers, evidence));
  }
  PetscCall(NormalFitDestroy(&fit));
  PetscCall(PetscFree3(bridge.of_samples, bridge.of_points, bridge.terms));
  PetscFunctionReturn(PETSC_SUCCESS);
}
