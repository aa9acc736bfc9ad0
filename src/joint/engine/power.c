/* power.c - the tables of power.h. */
#include "power.h"
#include <math.h>

void PowerPrepare(PetscReal exponent, PetscReal constants[])
{
  PetscReal coefficient = 1;

  for (PetscInt i = 0; i < POWER_DEGREE; i++) {
    coefficient *= (exponent - (PetscReal)i) / (PetscReal)(i + 1);
    constants[POWER_SERIES + i] = coefficient;
  }
  for (PetscInt i = 0; i < POWER_PARTS; i++) {
    const PetscReal middle = 1 + ((PetscReal)i + 0.5) / POWER_PARTS;

    constants[POWER_INVERSE + i] = 1 / middle;
    constants[POWER_PART + i]    = PetscPowReal(1 / constants[POWER_INVERSE + i], exponent);
  }
  for (PetscInt i = 0; i < POWER_OCTAVES; i++) constants[POWER_OCTAVE + i] = PetscPowReal(ldexp(1, -(int)i), exponent);
  constants[POWER_EXPONENT] = exponent;
}
