/*
  relax.h - dF/dy = p(t) - relax F over 0 <= y <= length, with a polynomial p of t = 2 y / length - 1: the exact solution.

  F = F_0 exp(-z) + length sum p_k M_k with M_k = (1/2) int_-1^1 exp(-z (1 - t) / 2) t^k dt and z = relax length. Polynomials are
  around the middle of the step, where their terms cancel least. All of it is local.
*/
#pragma once
#include <math.h>
#include "joint.h"

enum { RELAX_DEGREE = 5, RELAX_TERMS = RELAX_DEGREE + 1, RELAX_MOMENTS = RELAX_TERMS + 1 };

typedef struct {
  PetscReal force, memory, mean; /* at the end; its derivative by the force at the start; int F dy / length */
  PetscReal moments[RELAX_MOMENTS];
} Relaxation;

/* 1 / (2 k): cheaper than dividing. */
static const PetscReal relax_halves[] = {0,        1.0 / 2,  1.0 / 4,  1.0 / 6,  1.0 / 8,  1.0 / 10, 1.0 / 12, 1.0 / 14, 1.0 / 16,
                                         1.0 / 18, 1.0 / 20, 1.0 / 22, 1.0 / 24, 1.0 / 26, 1.0 / 28, 1.0 / 30, 1.0 / 32, 1.0 / 34,
                                         1.0 / 36, 1.0 / 38, 1.0 / 40, 1.0 / 42, 1.0 / 44, 1.0 / 46, 1.0 / 48, 1.0 / 50, 1.0 / 52,
                                         1.0 / 54, 1.0 / 56, 1.0 / 58, 1.0 / 60, 1.0 / 62, 1.0 / 64};

/* M_k = (1 - (-1)^(k+1) exp(-z) - z M_(k+1)) / (2 (k+1)) from a far k on, of which it forgets (z/2)^n / n! in n terms. */
static inline void RelaxMomentsDown(PetscReal z, PetscReal lost, PetscInt terms, PetscReal moments[])
{
  PetscReal moment = 0;

  for (PetscInt k = RELAX_MOMENTS + terms; k >= RELAX_MOMENTS; k--) moment = ((k % 2 ? lost : 2 - lost) - z * moment) * relax_halves[k + 1];
  for (PetscInt k = RELAX_MOMENTS - 1; k >= 0; k--) moments[k] = moment = ((k % 2 ? lost : 2 - lost) - z * moment) * relax_halves[k + 1];
}

/* The moments, and 1 - exp(-z). Upwards the recurrence loses digits for small z, downwards it takes many terms for large z. */
static inline PetscReal RelaxMoments(PetscReal z, PetscReal moments[])
{
  const PetscReal lost = -expm1(-z);

  if (z > 6) {
    const PetscReal per_z = 1 / z;

    moments[0] = lost * per_z;
    for (PetscInt k = 1; k < RELAX_MOMENTS; k++) moments[k] = ((k % 2 ? 2 - lost : lost) - 2 * (PetscReal)k * moments[k - 1]) * per_z;
  } else if (z < 0.1) {
    RelaxMomentsDown(z, lost, 4, moments);
  } else if (z < 0.5) {
    RelaxMomentsDown(z, lost, 7, moments);
  } else if (z < 2) {
    RelaxMomentsDown(z, lost, 12, moments);
  } else {
    RelaxMomentsDown(z, lost, 22, moments);
  }
  return lost;
}

static inline Relaxation Relax(PetscReal force, PetscReal relax, PetscReal length, const PetscReal polynomial[RELAX_TERMS])
{
  Relaxation result;

  result.memory = 1 - RelaxMoments(relax * length, result.moments);
  result.force  = force * result.memory;
  result.mean   = force * result.moments[0];
  for (PetscInt k = 0; k < RELAX_TERMS; k++) {
    const PetscReal *M = result.moments;

    result.force += length * polynomial[k] * M[k];
    result.mean += length * polynomial[k] * (M[k + 1] + (k % 2 ? -M[0] : M[0])) * relax_halves[k + 1];
  }
  return result;
}
