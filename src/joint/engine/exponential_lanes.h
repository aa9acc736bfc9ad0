/* exponential_lanes.h - the functions of exponential.h on all lanes at once: the same operations in the same order. */
#pragma once
#include "exponential.h"
#include "rows/wide.h"

typedef struct {
  Wide shifted, t, tail; /* as of ExponentialParts */
} ExponentialWideParts;

static inline ExponentialWideParts ExponentialWideSplit(Wide x)
{
  const Wide shifted = x * EXPONENTIAL_PER_LN2 + EXPONENTIAL_WHOLE, k = shifted - EXPONENTIAL_WHOLE;
  const Wide near = x - k * EXPONENTIAL_LN2_HIGH, low = WideRounded(k * EXPONENTIAL_LN2_LOW), t = near - low;

  return (ExponentialWideParts){shifted, t, (near - t) - low};
}

static inline Wide ExponentialWideSeries(Wide t, Wide tail)
{
  const Wide s = t * t, q = s * s;
  const Wide a = 1.0 / 2 + t * (1.0 / 6), b = 1.0 / 24 + t * (1.0 / 120), c = 1.0 / 720 + t * (1.0 / 5040), d = 1.0 / 40320 + t * (1.0 / 362880),
             e = 1.0 / 3628800 + t * (1.0 / 39916800), f = 1.0 / 479001600 + t * (1.0 / 6227020800);

  return t + (tail + s * ((a + s * b) + q * ((c + s * d) + q * (e + s * f))));
}

/* Exponential in each lane. */
static inline Wide ExponentialWide(Wide x)
{
  const Wide                 above = WideSelect(x < EXPONENTIAL_LEAST, WideOf(EXPONENTIAL_LEAST), x);
  const ExponentialWideParts parts = ExponentialWideSplit(WideSelect(above > EXPONENTIAL_MOST, WideOf(EXPONENTIAL_MOST), above));
  const WideWord             k = ((WideWord)parts.shifted + 2048) & 0xfff, half = k >> 1;
  const Wide                 sum = 1.0 + ExponentialWideSeries(parts.t, parts.tail);

  return WideRounded(sum * (Wide)((half - 1) << 52) * (Wide)((k - half - 1) << 52));
}

/* ExponentialLessOne in each lane. */
static inline Wide ExponentialWideLessOne(Wide x)
{
  const ExponentialWideParts parts  = ExponentialWideSplit(WideSelect(x < EXPONENTIAL_ALL_LOST, WideOf(EXPONENTIAL_ALL_LOST), x));
  const Wide                 octave = (Wide)(((WideWord)parts.shifted + 1023) << 52);

  return (octave - 1.0) + octave * ExponentialWideSeries(parts.t, parts.tail);
}

static inline Wide LogarithmWideOf(Wide u, Wide more)
{
  const PetscReal *const l    = logarithm_terms;
  const WideWord         bits = (WideWord)u, exponent = (bits + LOGARITHM_OFFSET) >> 52;
  const Wide             k = (Wide)(LOGARITHM_WHOLE | exponent) - LOGARITHM_EXPONENT, f = (Wide)(bits - ((exponent - 1023) << 52)) - 1.0;
  const Wide             s = f / (2.0 + f), z = s * s, w = z * z, half = WideRounded(0.5 * f * f);
  const Wide             q = w * w, even = (l[0] + w * l[2]) + q * (l[4] + w * l[6]), odd = (l[1] + w * l[3]) + q * l[5];
  const Wide             rest = WideRounded(z * (even + z * odd));
  const Wide             low  = WideRounded(k * EXPONENTIAL_LN2_LOW) + more;

  return k * EXPONENTIAL_LN2_HIGH - ((half - (s * (half + rest) + low)) - f);
}

static inline Wide LogarithmWideAnywhere(Wide u, Wide above)
{
  const WideMask usual = (u > 0.0) & (u <= DBL_MAX);
  const Wide     other = WideSelect(u == 0.0, WideOf(-HUGE_VAL), WideSelect(u < 0.0, WideOf((PetscReal)NAN), u));

  return WideSelect(usual, above, other);
}

/* Logarithm in each lane. */
static inline Wide LogarithmWide(Wide x)
{
  const WideMask tiny = x < DBL_MIN;
  const Wide     u = WideSelect(tiny, x * LOGARITHM_TINY, x), more = WideSelect(tiny, WideOf(LOGARITHM_OF_TINY), WideOf(0.0));

  return LogarithmWideAnywhere(x, LogarithmWideOf(u, more));
}

/* LogarithmOnePlus in each lane. */
static inline Wide LogarithmWideOnePlus(Wide x)
{
  const Wide u = 1.0 + x;

  return LogarithmWideAnywhere(u, LogarithmWideOf(u, (x - (u - 1.0)) / u));
}
