/* rate_reference.h - the classical Runge-Kutta method with many sub-steps: what rate laws are compared with. */
#pragma once
#include "joint_samples.h"

typedef PetscReal (*Rate)(const PetscReal p[], PetscReal sense, PetscReal x, PetscReal force);

/* F at the end of a straight motion over which the rate is smooth. */
static inline PetscReal integrate(Rate rate, const PetscReal p[], PetscReal start, PetscReal force, PetscReal end, PetscInt steps)
{
  const PetscReal h = (end - start) / (PetscReal)steps, sense = end > start ? 1 : -1;

  for (PetscInt i = 0; i < steps; i++) {
    const PetscReal x = start + (PetscReal)i * h, k1 = rate(p, sense, x, force), k2 = rate(p, sense, x + h / 2, force + h / 2 * k1),
                    k3 = rate(p, sense, x + h / 2, force + h / 2 * k2), k4 = rate(p, sense, x + h, force + h * k3);

    force += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return force;
}
