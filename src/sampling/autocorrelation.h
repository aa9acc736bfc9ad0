/* autocorrelation.h - how long walkers remember. Local. */
#pragma once
#include "sampling/statistics.h"

/* Integrated autocorrelation time of a series [num_steps, num_walkers], numbers `stride` apart; at least 1, or nan of a constant. */
PetscErrorCode AutocorrelationTime(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], PetscReal *time);
/* The summary of such a series, the error of its mean being by that time. */
PetscErrorCode AutocorrelatedMean(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], Summary *summary);
