/* permutation.h - permutations that look random and are not stored. Local. */
#pragma once
#include <stdint.h>
#include "base.h"

/* Where the permutation of 0, ..., count - 1 of this key has `place`. */
PetscInt PermutationAt(uint64_t key, PetscInt count, PetscInt place);
