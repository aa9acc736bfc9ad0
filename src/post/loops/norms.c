/* norms.c - how large a list of numbers is. */
#include "norms.h"

PetscReal LargestOf(PetscInt count, const PetscReal values[])
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < count; i++) largest = PetscMax(largest, PetscAbsReal(values[i]));
  return largest;
}

PetscReal VectorLength(PetscInt count, const PetscReal values[])
{
  const PetscReal largest = LargestOf(count, values);
  PetscReal       sum     = 0.0;

  for (PetscInt i = 0; i < count && largest > 0.0; i++) sum += PetscSqr(values[i] / largest);
  return largest * PetscSqrtReal(sum);
}
