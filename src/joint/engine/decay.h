/* decay.h - exp(-y) less its first terms, to round-off where it is nearly all of them. */
#pragma once
#include <math.h>
#include "base.h"

/* exp(-y) - 1 + y, by its series where little is left of 1. */
static inline PetscReal DecayBend(PetscReal y)
{
  if (y > 0.1) return expm1(-y) + y;
  return y * y / 2 *
         (1 -
          y * (1.0 / 3) * (1 - y * (1.0 / 4) * (1 - y * (1.0 / 5) * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 7) * (1 - y * (1.0 / 8) * (1 - y / 9)))))));
}
