/* sine.c - a first harmonic as a sum of powers of i W. */
#include "harmonic/sine.h"

void HarmonicSineAdd(HarmonicSine *sine, PetscInt power, PetscReal amplitude, PetscReal phase)
{
  sine->c[power - SINE_LEAST_POWER] += PetscSinReal(phase) * amplitude;
  sine->s[power - SINE_LEAST_POWER] += PetscCosReal(phase) * amplitude;
}

void HarmonicSineAddTimes(HarmonicSine *sine, PetscInt power, PetscReal factor, const HarmonicSine *other)
{
  for (PetscInt e = PetscMax(-power, 0); e < SINE_NUM_POWERS && e + power < SINE_NUM_POWERS; e++) {
    sine->c[e + power] += factor * other->c[e];
    sine->s[e + power] += factor * other->s[e];
  }
}

PetscBool HarmonicSineIsZero(const HarmonicSine *sine)
{
  for (PetscInt e = 0; e < SINE_NUM_POWERS; e++)
    if (sine->c[e] != 0.0 || sine->s[e] != 0.0) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* i^e (C - i S): odd powers exchange C and S. */
void HarmonicSineAt(const HarmonicSine *sine, PetscReal W, PetscReal value[2], PetscReal slope[2])
{
  static const PetscReal sign[SINE_NUM_POWERS] = {-1.0, -1.0, 1.0, 1.0, -1.0};
  const PetscReal        power[]               = {1.0 / (W * W), 1.0 / W, 1.0, W, W * W};

  value[0] = value[1] = 0.0;
  if (slope) slope[0] = slope[1] = 0.0;
  for (PetscInt e = 0; e < SINE_NUM_POWERS; e++) {
    const PetscReal c = sign[e] * (e % 2 ? sine->s[e] : sine->c[e]), s = sign[e] * (e % 2 ? -sine->c[e] : sine->s[e]);
    const PetscReal rate = (PetscReal)(e + SINE_LEAST_POWER) / W;

    value[0] += power[e] * c;
    value[1] += power[e] * s;
    if (!slope) continue;
    slope[0] += rate * power[e] * c;
    slope[1] += rate * power[e] * s;
  }
}
