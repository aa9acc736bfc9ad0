/*
  newmark.h - steps by Newmark's rule: what the method keeps.
*/
#pragma once
#include "march/stepper.h"

typedef struct {
  LinearResponse response;
  LinearLevel    levels[STEPPER_MAX_DEPTH + 1]; /* time_step / 2^depth, made when first needed */
  PetscInt       num_levels;
} Newmark;

/* What its time step needs: made now, if it was not needed before. */
PetscErrorCode NewmarkLevel(Stepper *stepper, const LinearLevel **level);
