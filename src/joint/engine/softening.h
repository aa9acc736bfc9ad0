/*
  softening.h - the curve of Dahl's law, which softens with a power of what is left: dw/d rho = -w^alpha.

  Explicitly w = (w_0^e - e rho)^(1/e) with e = 1 - alpha, and w_0 exp(-rho) for alpha = 1; for alpha < 1 it
  reaches 0 and stays there, which is full slip.
*/
#pragma once
#include <math.h>
#include "exponential.h"
#include "joint.h"

/* ln(w / w_0) after w_0^e rho; minus infinity once nothing is left. */
static inline PetscReal SofteningLogarithm(PetscReal e, PetscReal rho)
{
  if (e == 0) return -rho;
  return e * rho < 1 ? LogarithmOnePlus(RowsRoundedOne(-e * rho)) / e : -PETSC_INFINITY;
}

/* w and w^alpha after rho from w_0, where w_0^e is `begin`. By its logarithm, which keeps w_0 as it is where nothing moves, and all digits of what
   has changed where little does; the power 1 / e would magnify the round-off of what is left. */
static inline PetscReal Soften(PetscReal e, PetscReal w_0, PetscReal begin, PetscReal rho, PetscReal *power)
{
  const PetscReal v = e == 0 ? begin : begin - RowsRoundedOne(e * rho); /* rho may be infinite */
  PetscReal       w;

  *power = 0;
  if (v <= 0) return 0;
  w      = RowsRoundedOne(w_0 * Exponential(SofteningLogarithm(e, rho / begin)));
  *power = w / v;
  return w;
}

/* Coefficients of the loss l(rho) = 2 int_0^rho (1 - w) - rho (1 - w) from w_0 = 1: where rho is small its terms cancel, so
   the series of w is used there. */
#define SOFTENING_NEAR 0.05
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
  PetscReal left, kept, lost;

  if (rho < SOFTENING_NEAR) {
    PetscReal sum = 0;

    for (PetscInt k = SOFTENING_TERMS - 1; k >= 0; k--) sum = series[k] + rho * sum;
    return rho * rho * rho * sum;
  }
  left = SofteningLogarithm(e, rho);
  kept = 1 + Exponential(left);
  lost = RowsRoundedOne(2 * ExponentialLessOne((1 + e) * left) / (1 + e));
  return rho * kept + lost; /* compilers fuse what is side by side */
}
