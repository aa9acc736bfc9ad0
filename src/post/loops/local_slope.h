/* local_slope.h - the slope of samples beside each other. */
#pragma once
#include "post/loops.h"

/* The derivative at x = `at` of the polynomial nearest to f(x) in the least squares, of a degree that is lower where samples stand on
   fewer places than it needs; false where all stand on one. At most LOOP_MAX_WINDOW samples. Local. */
PetscBool LocalSlope(PetscInt count, const PetscReal x[], const PetscReal f[], PetscInt degree, PetscReal at, PetscReal *slope);
