/*
  softening.h - the curve of Dahl's law, which softens with a power of what is left: dw/d rho = -w^alpha.

  Explicitly w = (w_0^e - e rho)^(1/e) with e = 1 - alpha, and w_0 exp(-rho) for alpha = 1; for alpha < 1 it
  reaches 0 and stays there, which is full slip.
*/
#pragma once
#include <math.h>
#include "joint.h"

/* ln(w / w_0) after w_0^e rho; minus infinity once nothing is left. */
static inline PetscReal SofteningLogarithm(PetscReal e, PetscReal rho)
{
  if (e == 0) return -rho;
  return e * rho < 1 ? log1p(-e * rho) / e : -PETSC_INFINITY;
}

/* w and w^alpha after rho from w_0. Near alpha = 1 the power 1/e would magnify the round-off of what is left, so the logarithm is taken. */
static inline PetscReal Soften(PetscReal e, PetscReal w_0, PetscReal rho, PetscReal *power)
{
  PetscReal w, begin, v;

  if (e == 0) {
    w      = w_0 * PetscExpReal(-rho);
    *power = w;
    return w;
  }
  begin = PetscPowReal(w_0, e);
  v     = begin - e * rho;
  if (v <= 0) {
    *power = 0;
    return 0;
  }
  w      = PetscAbsReal(e) < 0.1 ? w_0 * PetscExpReal(SofteningLogarithm(e, rho / begin)) : PetscPowReal(v, 1 / e);
  *power = w / v;
  return w;
}

/* Coefficients of the loss l(rho) = 2 int_0^rho (1 - w) - rho (1 - w) from w_0 = 1: where rho is small its terms cancel, so
   the series of w is used there. */
enum { SOFTENING_TERMS = 12, SOFTENING_NUM_CONSTANTS = SOFTENING_TERMS };

static inline void SofteningPrepare(PetscReal e, PetscReal series[])
{
  PetscReal coefficient = -1; /* of rho^k in w */

  for (PetscInt k = 2; k < 2 + SOFTENING_TERMS; k++) {
    coefficient *= -(1 - e * (PetscReal)(k - 1)) / (PetscReal)k;
    series[k - 2] = coefficient * (PetscReal)(k - 1) / (PetscReal)(k + 1);
  }
}

static inline PetscReal SofteningLoss(const PetscReal series[], PetscReal e, PetscReal rho)
{
  PetscReal left;

  if (rho < 0.05) {
    PetscReal sum = 0;

    for (PetscInt k = SOFTENING_TERMS - 1; k >= 0; k--) sum = series[k] + rho * sum;
    return rho * rho * rho * sum;
  }
  left = SofteningLogarithm(e, rho);
  return rho * (1 + PetscExpReal(left)) + 2 * expm1((1 + e) * left) / (1 + e);
}
