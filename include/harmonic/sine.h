/*
  sine.h - a first harmonic whose size depends on the frequency by powers of i W.

      z(W) = sum_e z_e (i W)^e,   e = -2 .. 2

  A load that is the same at all frequencies has e = 0 alone. Where the acceleration of a support is given, its displacement has e = -2, and its
  mass matrix pushes the rest by e = 0 again. Harmonics are C cos theta + S sin theta, the complex number C - i S.
*/
#pragma once
#include "base.h"

enum { SINE_LEAST_POWER = -2, SINE_NUM_POWERS = 5 };

typedef struct {
  PetscReal c[SINE_NUM_POWERS], s[SINE_NUM_POWERS]; /* from the least power on */
} HarmonicSine;

/* Adds A sin(theta + phase) (i W)^power. All of it is local. */
void HarmonicSineAdd(HarmonicSine *sine, PetscInt power, PetscReal amplitude, PetscReal phase);
/* Adds factor (i W)^power times another one, whose powers this must not lead beyond. */
void      HarmonicSineAddTimes(HarmonicSine *sine, PetscInt power, PetscReal factor, const HarmonicSine *other);
PetscBool HarmonicSineIsZero(const HarmonicSine *sine);
/* Its C and S at a frequency, and their changes by it; NULL is not asked for. Hot. */
void HarmonicSineAt(const HarmonicSine *sine, PetscReal frequency, PetscReal value[2], PetscReal slope[2]);
