/* autocorrelation.h - how long walkers remember. Local. */
#pragma once
#include "base.h"

/* Integrated autocorrelation time of a series [num_steps, num_walkers], numbers `stride` apart; at least 1, or nan of a constant. */
PetscReal AutocorrelationTime(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[]);
/* The mean of such a series, one number after another, and its standard error. */
void AutocorrelatedMean(PetscInt num_steps, PetscInt num_walkers, const PetscReal series[], PetscReal *mean, PetscReal *error);
