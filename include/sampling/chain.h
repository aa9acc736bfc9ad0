/*
  chain.h - samples of a probability density that is known up to a factor, by an ensemble of walkers.

  The moves are stretches, which do not depend on how the parameters are scaled or mixed linearly [Goodman, Weare 2010]. The walkers are two halves;
  one is moved by the places of the other, so that all points of a half can be evaluated at the same time [Foreman-Mackey et al. 2013].

  A Chain calls nobody. It asks for the logarithm of the density at a batch of points and is told; who answers may spread them over ranks:

      while (ChainNumSteps(chain) < wanted) {
        ChainAsk(chain, &count, &points);
        ... log_density[i] at points + i * dim ...
        ChainTell(chain, log_density);
      }

  The first batch are all walkers where they start. Minus infinity, or nan for a sample that failed, is a place where no walker goes. What it does
  next follows from the seed and from what it was told. All of it is local, and the same on all ranks that tell it the same.
*/
#pragma once
#include "base.h"

typedef struct Chain Chain;

/* `num_walkers` is even and at least 2 dim; they start at start [num_walkers, dim], which must span all dimensions: they never leave the plane in which
   they all are. */
PetscErrorCode ChainCreate(PetscInt dim, PetscInt num_walkers, PetscInt seed, const PetscReal start[], Chain **chain);
PetscErrorCode ChainDestroy(Chain **chain);
/* Places drawn from a normal distribution, to start from. */
PetscErrorCode ChainDrawStart(PetscInt dim, PetscInt num_walkers, PetscInt seed, const PetscReal mean[], const PetscReal covariance[],
                              PetscReal start[]);

PetscErrorCode ChainAsk(Chain *chain, PetscInt *count, const PetscReal **points);
PetscErrorCode ChainTell(Chain *chain, const PetscReal log_density[]);

PetscInt ChainDim(const Chain *chain);
PetscInt ChainNumWalkers(const Chain *chain);
PetscInt ChainNumSteps(const Chain *chain);  /* that are complete: of all walkers */
PetscInt ChainNumFailed(const Chain *chain); /* points of which nan was told */
/* All steps, points [num_steps, num_walkers, dim] and log densities [num_steps, num_walkers]; until the next ChainTell. */
const PetscReal *ChainPoints(const Chain *chain);
const PetscReal *ChainLogDensities(const Chain *chain);
/* The best point that a walker has been at, and its log density. */
PetscReal ChainBest(const Chain *chain, PetscReal point[]);

/* All that a chain knows, in numbers that the caller frees; and a chain that goes on from there, bit by bit the same. `fine` is false, and there
   is none, of numbers that are not those of a chain. */
PetscErrorCode ChainPack(const Chain *chain, PetscInt *count, PetscReal **numbers);
PetscErrorCode ChainRestore(PetscInt count, const PetscReal numbers[], PetscBool *fine, Chain **chain);

/* Whether enough has been sampled, of the steps after those that are discarded. Nan of fewer than eight steps. */
typedef struct {
  PetscReal acceptance; /* share of moves; 0.2 to 0.5 is usual, near 0 the samples are bad */
  PetscReal time;       /* steps between independent samples, of the slowest parameter: integrated autocorrelation time */
  PetscReal effective;  /* number of independent samples that these are worth, of that parameter */
  PetscReal r_hat;      /* spread of all against that within halves of walkers, 1 when they agree; of the worst parameter */
  PetscBool enough;     /* there are more than 50 times as many steps as `time`, which is otherwise not reliable, and r_hat is below 1.05 */
} ChainVerdict;
PetscErrorCode ChainJudge(const Chain *chain, PetscInt num_discarded, ChainVerdict *verdict);

/* One parameter by itself. */
typedef struct {
  PetscReal mean, deviation, median;
  PetscReal mean_error;                /* by the number of independent samples */
  PetscReal low, high;                 /* credible interval of equal tails */
  PetscReal densest_low, densest_high; /* the shortest one: of highest posterior density where it is one interval */
} Marginal;
PetscErrorCode ChainMarginal(const Chain *chain, PetscInt num_discarded, PetscInt parameter, PetscReal probability, Marginal *marginal);
