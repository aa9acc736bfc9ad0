/* posterior.h - the density of the numbers, in z, for its normal approximation and for chains. */
#pragma once
#include "update_private.h"

/* Of the density of z, up to a constant where it is not proper; minus infinity beyond the bounds. Local, as all of these. */
PetscReal PosteriorLogPrior(const Update *update, const PetscReal z[]);
/* Whether all numbers have priors or two bounds, so that there is an evidence. */
PetscBool PosteriorIsProper(const Update *update);
void      PosteriorPlaces(const Update *update, const PetscReal values[], PetscReal z[]);
void      PosteriorValues(const Update *update, const PetscReal z[], PetscReal values[]);

/* walk.c: a chain about z, into the result; its samples are the draws. Where the user asks to stop, there are none, and a resumed run goes on.
   Collective. */
PetscErrorCode WalkRun(Update *update, Evaluations *evaluations, const PetscReal z[], const Result *result, PetscBool resumed, Updated *updated,
                       Outcome *outcome);
