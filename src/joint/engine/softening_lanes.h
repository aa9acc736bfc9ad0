/* softening_lanes.h - the curve of softening.h on all lanes at once: the same operations in the same order. */
#pragma once
#include "exponential_lanes.h"
#include "softening.h"

/* SofteningLogarithm in each lane. */
static inline Wide SofteningWideLogarithm(Wide e, Wide rho)
{
  const Wide level = WideSelect(e == 0.0, WideOf(1), e);
  const Wide most  = WideSelect(e * rho < 1.0, LogarithmWideOnePlus(WideRounded(-e * rho)) / level, WideOf(-PETSC_INFINITY));

  return WideSelect(e == 0.0, -rho, most);
}

/* Soften in each lane. */
static inline Wide SoftenWide(Wide e, Wide w_0, Wide begin, Wide rho, Wide *power)
{
  const Wide     v    = WideSelect(e == 0.0, begin, begin - WideRounded(e * rho));
  const WideMask none = v <= 0.0;
  const Wide     w    = WideRounded(w_0 * ExponentialWide(SofteningWideLogarithm(e, rho / begin)));

  *power = WideSelect(none, WideOf(0), w / v);
  return WideSelect(none, WideOf(0), w);
}

/* SofteningLoss in each lane. */
static inline Wide SofteningWideLoss(const Wide series[], Wide e, Wide rho)
{
  const Wide left = SofteningWideLogarithm(e, rho);
  const Wide far  = rho * (1.0 + ExponentialWide(left)) + WideRounded(2.0 * ExponentialWideLessOne((1.0 + e) * left) / (1.0 + e));
  Wide       sum  = {0.0};

  for (PetscInt k = SOFTENING_TERMS - 1; k >= 0; k--) sum = series[k] + rho * sum;
  return WideSelect(rho < SOFTENING_NEAR, rho * rho * rho * sum, far);
}
