/*
  newmark.h - steps by Newmark's rule: what the method keeps.
*/
#pragma once
#include "march/stepper.h"

typedef struct {
  LinearResponse response;
  LinearLevel    levels[STEPPER_MAX_DEPTH + 1]; /* time_step / 2^depth, made when first needed */
  PetscInt       num_levels;
  PetscReal     *inertance; /* [num_nonlinear, n] M^-1 b of the rows of joints that stick without any give; NULL: none such */
  PetscReal     *uneven;    /* [m] work: by how much the force at the end of a step is more than its mean */
} Newmark;

/* What its time step needs: made now, if it was not needed before. */
PetscErrorCode NewmarkLevel(Stepper *stepper, const LinearLevel **level);
