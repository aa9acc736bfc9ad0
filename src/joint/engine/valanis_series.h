/*
  valanis_series.h - Taylor's series of Valanis' law with a quadratic g, which has no closed form. All of it is local.

  (1 - kappa q) q' = stiff (1 - q) - (falls[0] + falls[1] t)(1 - kappa q) for 0 <= t <= 1, the rest of a step. The left side is the rate of
  q - kappa q^2 / 2, of which a term follows from the terms of q before, and that of q from it by half a convolution.
*/
#pragma once
#include "relax.h"

enum { VALANIS_TERMS = 21 };

/* The terms of q, whose first is given, and their sum. Returns how many matter, or all there are. */
static inline PetscInt ValanisExpand(PetscReal kappa, PetscReal stiff, const PetscReal falls[2], PetscReal q[VALANIS_TERMS], PetscReal *sum)
{
  const PetscReal r = 1 / (1 - kappa * q[0]), least = 1e-16 * (1 + PetscAbsReal(q[0])), squares = kappa * r;
  const PetscReal by_last = 2 * (kappa * falls[0] - stiff) * r, by_other = 2 * kappa * falls[1] * r;

  q[1] = (stiff - falls[0]) * r + by_last / 2 * q[0];
  q[2] = (by_last * q[1] + by_other * q[0]) / 4 - falls[1] / 2 * r + squares / 2 * q[1] * q[1];
  *sum = q[0] + q[1] + q[2];
  for (PetscInt n = 2; n < VALANIS_TERMS - 1; n++) {
    PetscReal pairs = n % 2 ? q[(n + 1) / 2] * q[(n + 1) / 2] / 2 : 0;

    for (PetscInt k = n / 2; k > 0; k--) pairs += q[k] * q[n + 1 - k];
    q[n + 1] = (by_last * q[n] + by_other * q[n - 1]) * relax_halves[n + 1] + squares * pairs;
    *sum += q[n + 1];
    if (PetscAbsReal(q[n]) + PetscAbsReal(q[n + 1]) <= least) return n + 2;
  }
  return VALANIS_TERMS;
}

/* How far the series may be summed: until its last term is a rounding. */
static inline PetscReal ValanisReach(const PetscReal q[VALANIS_TERMS])
{
  const PetscReal last = PetscMax(PetscAbsReal(q[VALANIS_TERMS - 1]), PetscAbsReal(q[VALANIS_TERMS - 2]));

  return 0.9 * PetscPowReal(1e-16 / last, 1.0 / (VALANIS_TERMS - 1));
}

/* int r^2 dt with r = 1 / (1 - kappa q): what the derivative by the start decays with. */
static inline PetscReal ValanisIntegrateSquare(PetscReal kappa, PetscInt count, const PetscReal q[], PetscReal length)
{
  PetscReal r[VALANIS_TERMS] = {1 / (1 - kappa * q[0])}, sum = 0;

  for (PetscInt n = 1; n < count; n++) {
    for (PetscInt k = 1; k <= n; k++) r[n] += kappa * r[0] * q[k] * r[n - k];
  }
  for (PetscInt n = count - 1; n >= 0; n--) {
    PetscReal term = 0;

    for (PetscInt k = 0; k <= n; k++) term += r[k] * r[n - k];
    sum = sum * length + term * 2 * relax_halves[n + 1];
  }
  return length * sum;
}
