/* norms.h - how large a list of numbers is. */
#pragma once
#include "base.h"

PetscReal LargestOf(PetscInt count, const PetscReal values[]);    /* of either sign; 0 of none */
PetscReal VectorLength(PetscInt count, const PetscReal values[]); /* without overflow */
