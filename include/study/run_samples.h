/*
  run_samples.h - which samples of a transient's run are in the result, for studies that read its histories.
*/
#pragma once
#include "study.h"

/* Times of the first and of the last, and from one to the next [s]. Local. */
PetscReal RunSamplesStart(const Finding *run);
PetscReal RunSamplesEnd(const Finding *run);
PetscReal RunSamplesStep(const Finding *run);
/* Those that have been computed: of a run that was broken off, what its steps so far have left. */
PetscErrorCode RunSamplesCount(const Finding *run, const Result *result, PetscInt *count);
