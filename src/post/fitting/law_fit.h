/* law_fit.h - what fits of laws to loops and fits to decays share. */
#pragma once
#include "parameter_fit.h"

/* Nothing has been found; the values are those that are known. Local. */
PetscErrorCode LawFitBegin(const LawToFit *law, PetscBool *found, LawFit *fit, char reason[], size_t size);

/* The values, unknowns and starts of a problem; deviations and their variances are the caller's. Local. */
ParameterFit LawFitProblem(const LawToFit *law, LawFit *fit);

/* One point of the law with these values; `exists` is false, and there is no block, where the law refuses them. Local. */
PetscErrorCode LawFitBlock(const LawToFit *law, const PetscReal values[], PetscBool *exists, JointBlock *block);
