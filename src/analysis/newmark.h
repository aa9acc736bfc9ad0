/*
  newmark.h - steps by Newmark's rule: what the method keeps.
*/
#pragma once
#include "stepper.h"

enum { NEWMARK_MAX_DEPTH = 12 }; /* a step may be halved so often */

typedef struct {
  LinearResponse response;
  LinearLevel    levels[NEWMARK_MAX_DEPTH + 1]; /* time_step / 2^depth, made when first needed */
  PetscInt       num_levels;
} Newmark;
