/* chain_private.h - what a chain knows. */
#pragma once
#include "sampling/chain.h"

/* What it asks for next. */
typedef enum { CHAIN_START, CHAIN_FIRST_HALF, CHAIN_SECOND_HALF } ChainPhase;

struct Chain {
  PetscInt   dim, num_walkers, seed, num_steps, num_failed, capacity;
  ChainPhase phase;
  PetscReal *place, *proposal, *log_density; /* [num_walkers, dim], half of it is used; [num_walkers] */
  PetscReal *points, *log_densities;         /* [capacity, num_walkers, dim], [capacity, num_walkers] */
};
