/* decay.h - exp(-y) less its first terms, and 1 - exp(-y), to round-off where they are nearly all of it. */
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "exponential.h"

#define DECAY_FAR 0.1

/* exp(-y) - 1 + y, by its series where little is left of 1. */
static inline PetscReal DecayBend(PetscReal y)
{
  if (y > DECAY_FAR) return ExponentialLessOne(-y) + y;
  return y * y / 2 *
         (1 -
          y * (1.0 / 3) * (1 - y * (1.0 / 4) * (1 - y * (1.0 / 5) * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 7) * (1 - y * (1.0 / 8) * (1 - y / 9)))))));
}

/* exp(-y) and 1 - exp(-y), y >= 0, both to a few units in the last place: 2^-k (1 + x) with |ln(1 + x)| <= ln(2) / 2, x by its series, of which the next
   term is below 4e-18. Inline and without branches, where exp would be called twice. */
static inline PetscReal DecayLoss(PetscReal y, PetscReal *kept)
{
  const PetscReal k = floor(PetscMin(y, 700.0) * 1.4426950408889634 + 0.5);
  const PetscReal t = (0.69314718036912381649 * k - PetscMin(y, 700.0)) + 1.9082149292705877e-10 * k, s = t * t, q = s * s;
  const PetscReal a = 1.0 / 2 + t * (1.0 / 6), b = 1.0 / 24 + t * (1.0 / 120), c = 1.0 / 720 + t * (1.0 / 5040), d = 1.0 / 40320 + t * (1.0 / 362880),
                  e = 1.0 / 3628800 + t * (1.0 / 39916800), f = 1.0 / 479001600 + t * (1.0 / 6227020800);
  const PetscReal x    = t + s * ((a + s * b) + q * ((c + s * d) + q * (e + s * f)));
  const uint64_t  bits = (uint64_t)(1023 - (int64_t)k) << 52;
  PetscReal       octave;

  memcpy(&octave, &bits, sizeof octave);
  *kept = octave + octave * x;
  return (1 - octave) - octave * x;
}
