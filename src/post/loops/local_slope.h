/* local_slope.h - the slope of a function given by samples. */
#pragma once
#include "post/loops.h"

/* The derivative at x = `at` of the polynomial fitted to the samples f(x) by least squares. The degree is lowered where the samples have too
   few distinct x; false where all have the same x. At most LOOP_MAX_WINDOW samples. Local. */
PetscBool LocalSlope(PetscInt count, const PetscReal x[], const PetscReal f[], PetscInt degree, PetscReal at, PetscReal *slope);
