/* chain_pack.c - a chain in numbers, and from them. */
#include "chain_private.h"

/* The first numbers; then places, log densities, points and log densities of all steps. */
enum { DIM, NUM_WALKERS, SEED, NUM_STEPS, NUM_FAILED, PHASE, HEAD };

static PetscInt Length(PetscInt num_walkers, PetscInt dim, PetscInt num_steps)
{
  return HEAD + (num_steps + 1) * num_walkers * (dim + 1);
}

PetscErrorCode ChainPack(const Chain *chain, PetscInt *count, PetscReal **numbers)
{
  const PetscInt  width      = chain->num_walkers * chain->dim;
  const PetscReal head[HEAD] = {[DIM]         = (PetscReal)chain->dim,
                                [NUM_WALKERS] = (PetscReal)chain->num_walkers,
                                [SEED]        = (PetscReal)chain->seed,
                                [NUM_STEPS]   = (PetscReal)chain->num_steps,
                                [NUM_FAILED]  = (PetscReal)chain->num_failed,
                                [PHASE]       = (PetscReal)chain->phase};
  PetscReal      *next;

  PetscFunctionBegin;
  *count = Length(chain->num_walkers, chain->dim, chain->num_steps);
  PetscCall(PetscMalloc1(*count, numbers));
  next = *numbers;
  PetscCall(PetscArraycpy(next, head, HEAD));
  PetscCall(PetscArraycpy(next += HEAD, chain->place, width));
  PetscCall(PetscArraycpy(next += width, chain->log_density, chain->num_walkers));
  PetscCall(PetscArraycpy(next += chain->num_walkers, chain->points, chain->num_steps * width));
  PetscCall(PetscArraycpy(next + chain->num_steps * width, chain->log_densities, chain->num_steps * chain->num_walkers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the first numbers are whole, and those of so many numbers. */
static PetscBool IsHead(PetscInt count, const PetscReal head[])
{
  PetscReal length;

  if (count < HEAD) return PETSC_FALSE;
  for (int i = 0; i < HEAD; i++) {
    if (!(head[i] >= 0.0 && head[i] <= (PetscReal)PETSC_MAX_INT) || head[i] != PetscFloorReal(head[i])) return PETSC_FALSE;
  }
  length = (PetscReal)HEAD + (head[NUM_STEPS] + 1.0) * head[NUM_WALKERS] * (head[DIM] + 1.0); /* in numbers that do not overflow */
  return (PetscBool)(length == (PetscReal)count && head[DIM] >= 1.0 && head[NUM_WALKERS] >= 2.0 * head[DIM] && (PetscInt)head[NUM_WALKERS] % 2 == 0 &&
                     head[PHASE] <= CHAIN_SECOND_HALF);
}

PetscErrorCode ChainRestore(PetscInt count, const PetscReal numbers[], PetscBool *fine, Chain **chain)
{
  const PetscReal *next = numbers + HEAD;
  PetscInt         width, num_walkers;

  PetscFunctionBegin;
  *chain = NULL;
  *fine  = IsHead(count, numbers);
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  num_walkers = (PetscInt)numbers[NUM_WALKERS];
  width       = num_walkers * (PetscInt)numbers[DIM];
  PetscCall(ChainCreate((PetscInt)numbers[DIM], num_walkers, (PetscInt)numbers[SEED], next, chain));
  (*chain)->num_steps = (*chain)->capacity = (PetscInt)numbers[NUM_STEPS];
  (*chain)->num_failed                     = (PetscInt)numbers[NUM_FAILED];
  (*chain)->phase                          = (ChainPhase)numbers[PHASE];
  PetscCall(PetscArraycpy((*chain)->log_density, next += width, num_walkers));
  next += num_walkers;
  PetscCall(PetscMalloc2((*chain)->capacity * width, &(*chain)->points, (*chain)->capacity * num_walkers, &(*chain)->log_densities));
  PetscCall(PetscArraycpy((*chain)->points, next, (*chain)->num_steps * width));
  PetscCall(PetscArraycpy((*chain)->log_densities, next + (*chain)->num_steps * width, (*chain)->num_steps * num_walkers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
