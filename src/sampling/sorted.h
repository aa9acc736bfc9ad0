/* sorted.h - places in sorted samples. Local. */
#pragma once
#include "base.h"

/* Between the samples linearly, at (count - 1) share counted from 0; nan of none. */
static inline PetscReal SortedAt(PetscInt count, const PetscReal sorted[], PetscReal share)
{
  const PetscReal place = (PetscReal)(count - 1) * share;
  const PetscInt  below = PetscMin((PetscInt)place, count - 2);

  if (count == 0) return (PetscReal)NAN;
  if (count == 1) return sorted[0];
  return sorted[below] + (place - (PetscReal)below) * (sorted[below + 1] - sorted[below]);
}
