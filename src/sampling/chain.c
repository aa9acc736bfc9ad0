/*
  chain.c - stretch moves of two halves of walkers.

  Walker k of one half moves along the line to walker j of the other, y = x_j + s (x_k - x_j), with s of density ~ 1 / sqrt(s) between 1/a and a,
  a = 2, and goes there with the probability min(1, s^(dim - 1) p(y) / p(x_k)) [Goodman, Weare 2010, eqs 7 to 10]. All chances are keyed by step and
  walker, so that the state has none.
*/
#include "chain_private.h"
#include "base/random.h"
#include "normal_fit.h"
#include <math.h>

static const PetscReal longest = 2.0; /* stretch, a */

enum { OF_PARTNER, OF_STRETCH, OF_ACCEPTANCE };

static PetscReal Chance(const Chain *chain, PetscInt walker, PetscInt what)
{
  const uint64_t step = RandomKey(RandomKey((uint64_t)chain->seed, (uint64_t)chain->num_steps), (uint64_t)walker);

  return RandomUniform(RandomKey(step, (uint64_t)what));
}

/* s = (1 + (a - 1) u)^2 / a. */
static PetscReal Stretch(const Chain *chain, PetscInt walker)
{
  return PetscSqr(1.0 + (longest - 1.0) * Chance(chain, walker, OF_STRETCH)) / longest;
}

static PetscInt FirstWalker(const Chain *chain)
{
  return chain->phase == CHAIN_SECOND_HALF ? chain->num_walkers / 2 : 0;
}

PetscErrorCode ChainCreate(PetscInt dim, PetscInt num_walkers, PetscInt seed, const PetscReal start[], Chain **chain)
{
  PetscFunctionBegin;
  PetscCheck(dim >= 1 && num_walkers % 2 == 0 && num_walkers >= 2 * dim, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%" PetscInt_FMT " walkers in %" PetscInt_FMT " dimensions", num_walkers, dim);
  PetscCall(PetscNew(chain));
  (*chain)->dim         = dim;
  (*chain)->num_walkers = num_walkers;
  (*chain)->seed        = seed;
  PetscCall(PetscMalloc3(num_walkers * dim, &(*chain)->place, num_walkers * dim, &(*chain)->proposal, num_walkers, &(*chain)->log_density));
  PetscCall(PetscArraycpy((*chain)->place, start, num_walkers * dim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ChainDestroy(Chain **chain)
{
  PetscFunctionBegin;
  if (!*chain) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3((*chain)->place, (*chain)->proposal, (*chain)->log_density));
  PetscCall(PetscFree2((*chain)->points, (*chain)->log_densities));
  PetscCall(PetscFree(*chain));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ChainDrawStart(PetscInt dim, PetscInt num_walkers, PetscInt seed, const PetscReal mean[], const PetscReal covariance[],
                              PetscReal start[])
{
  NormalFit normal;

  PetscFunctionBegin;
  PetscCall(NormalFitCreate(dim, mean, covariance, &normal));
  PetscCheck(normal.definite, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "the covariance to start from is not positive definite");
  for (PetscInt i = 0; i < num_walkers; i++)
    NormalFitDraw(&normal, RandomKey(RandomKey((uint64_t)seed, (uint64_t)num_walkers), (uint64_t)i), start + i * dim);
  PetscCall(NormalFitDestroy(&normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ChainAsk(Chain *chain, PetscInt *count, const PetscReal **points)
{
  const PetscInt half = chain->num_walkers / 2, first = FirstWalker(chain), other = half - first;

  PetscFunctionBegin;
  *count  = chain->phase == CHAIN_START ? chain->num_walkers : half;
  *points = chain->phase == CHAIN_START ? chain->place : chain->proposal;
  for (PetscInt k = 0; chain->phase != CHAIN_START && k < half; k++) {
    const PetscInt         partner = other + (PetscInt)(Chance(chain, first + k, OF_PARTNER) * (PetscReal)half);
    const PetscReal        stretch = Stretch(chain, first + k);
    const PetscReal *const x = chain->place + (first + k) * chain->dim, *const to = chain->place + partner * chain->dim;

    for (PetscInt i = 0; i < chain->dim; i++) chain->proposal[k * chain->dim + i] = to[i] + stretch * (x[i] - to[i]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for one more step, twice as much each time. */
static PetscErrorCode Grow(Chain *chain)
{
  const PetscInt width = chain->num_walkers * chain->dim, capacity = PetscMax(2 * chain->capacity, 64);
  PetscReal     *points, *log_densities;

  PetscFunctionBegin;
  if (chain->num_steps < chain->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(capacity * width, &points, capacity * chain->num_walkers, &log_densities));
  PetscCall(PetscArraycpy(points, chain->points, chain->num_steps * width));
  PetscCall(PetscArraycpy(log_densities, chain->log_densities, chain->num_steps * chain->num_walkers));
  PetscCall(PetscFree2(chain->points, chain->log_densities));
  chain->points        = points;
  chain->log_densities = log_densities;
  chain->capacity      = capacity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Record(Chain *chain)
{
  const PetscInt width = chain->num_walkers * chain->dim;

  PetscFunctionBegin;
  PetscCall(Grow(chain));
  PetscCall(PetscArraycpy(chain->points + chain->num_steps * width, chain->place, width));
  PetscCall(PetscArraycpy(chain->log_densities + chain->num_steps * chain->num_walkers, chain->log_density, chain->num_walkers));
  chain->num_steps++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sample that failed is where no walker goes. */
static PetscReal Usable(Chain *chain, PetscReal log_density)
{
  if (!isnan(log_density)) return log_density;
  chain->num_failed++;
  return -(PetscReal)INFINITY;
}

PetscErrorCode ChainTell(Chain *chain, const PetscReal log_density[])
{
  const PetscInt half = chain->num_walkers / 2, first = FirstWalker(chain);

  PetscFunctionBegin;
  for (PetscInt k = 0; chain->phase == CHAIN_START && k < chain->num_walkers; k++) chain->log_density[k] = Usable(chain, log_density[k]);
  for (PetscInt k = 0; chain->phase != CHAIN_START && k < half; k++) {
    const PetscInt  walker = first + k;
    const PetscReal here = Usable(chain, log_density[k]), factor = (PetscReal)(chain->dim - 1) * PetscLogReal(Stretch(chain, walker));

    if (!(PetscLogReal(Chance(chain, walker, OF_ACCEPTANCE)) < factor + here - chain->log_density[walker])) continue;
    PetscCall(PetscArraycpy(chain->place + walker * chain->dim, chain->proposal + k * chain->dim, chain->dim));
    chain->log_density[walker] = here;
  }
  if (chain->phase == CHAIN_SECOND_HALF) PetscCall(Record(chain));
  chain->phase = chain->phase == CHAIN_FIRST_HALF ? CHAIN_SECOND_HALF : CHAIN_FIRST_HALF;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ChainDim(const Chain *chain)
{
  return chain->dim;
}

PetscInt ChainNumWalkers(const Chain *chain)
{
  return chain->num_walkers;
}

PetscInt ChainNumSteps(const Chain *chain)
{
  return chain->num_steps;
}

PetscInt ChainNumFailed(const Chain *chain)
{
  return chain->num_failed;
}

const PetscReal *ChainPoints(const Chain *chain)
{
  return chain->points;
}

const PetscReal *ChainLogDensities(const Chain *chain)
{
  return chain->log_densities;
}
