/* normal.h - the standard normal distribution, exact in its tails. All of it is local. */
#pragma once
#include "base.h"

/* The probability below z. That above is that below -z. */
PetscReal NormalCdf(PetscReal z);
/* The probability between two places, to a few roundings however far out or near each other they are. */
PetscReal NormalBetween(PetscReal from, PetscReal to);
PetscReal NormalLogDensity(PetscReal z);
/* The place with these probabilities below and above it, which sum to 1; the smaller one counts. */
PetscReal NormalQuantile(PetscReal below, PetscReal above);
