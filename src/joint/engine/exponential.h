/*
  exponential.h - exp and ln without branches, so that they can be computed in vector lanes with the same bits: exponential_lanes.h.

  exp(x) = 2^k exp(t) with |t| <= ln(2) / 2. ln(x) = k ln(2) + ln(m) with m between the roots of 1/2 and of 2, by fdlibm's polynomial
  (e_log.c). Both err by less than 1 unit in the last place, and of 0, infinity and what is no number give what libm gives. Products that
  are added to others are rounded first, so that compilers have no choice. All of it is local.
*/
#pragma once
#include <float.h>
#include <math.h>
#include <string.h>
#include "rows.h"

/* ln(2) in two parts: the first has so many zeros at its end that products with whole numbers are exact. */
#define EXPONENTIAL_LN2_HIGH 6.93147180369123816490e-01
#define EXPONENTIAL_LN2_LOW 1.90821492927058770002e-10
#define EXPONENTIAL_PER_LN2 1.44269504088896338700
#define EXPONENTIAL_WHOLE 0x1.8p52   /* a number to which this is added is rounded to a whole one, which is in its last bits then */
#define EXPONENTIAL_LEAST (-746.0)   /* 0 from here on, */
#define EXPONENTIAL_MOST 710.0       /* and infinity */
#define EXPONENTIAL_ALL_LOST (-40.0) /* exp(x) - 1 is -1 from here on */

/* What is added to the bits of x, and what of the exponent then is no part of k. */
#define LOGARITHM_OFFSET 0x00095f619980c433
#define LOGARITHM_WHOLE 0x4330000000000000
#define LOGARITHM_EXPONENT (0x1p52 + 1023)
#define LOGARITHM_TINY 0x1p54 /* times this, subnormal numbers are none */
#define LOGARITHM_OF_TINY (-37.429947750237046899)

static const PetscReal logarithm_terms[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
                                            1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01};

static inline uint64_t RealBits(PetscReal x)
{
  uint64_t bits;

  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline PetscReal RealOfBits(uint64_t bits)
{
  PetscReal x;

  memcpy(&x, &bits, sizeof x);
  return x;
}

/* x = k ln(2) + t + tail; the last bits of `shifted` are k. */
typedef struct {
  PetscReal shifted, t, tail;
} ExponentialParts;

static inline ExponentialParts ExponentialSplit(PetscReal x)
{
  const PetscReal shifted = x * EXPONENTIAL_PER_LN2 + EXPONENTIAL_WHOLE, k = shifted - EXPONENTIAL_WHOLE;
  const PetscReal near = x - k * EXPONENTIAL_LN2_HIGH, low = RowsRoundedOne(k * EXPONENTIAL_LN2_LOW), t = near - low;

  return (ExponentialParts){shifted, t, (near - t) - low};
}

/* exp(t + tail) - 1: of the series the next term is below 5e-18 of the first. */
static inline PetscReal ExponentialSeries(PetscReal t, PetscReal tail)
{
  const PetscReal s = t * t, q = s * s;
  const PetscReal a = 1.0 / 2 + t * (1.0 / 6), b = 1.0 / 24 + t * (1.0 / 120), c = 1.0 / 720 + t * (1.0 / 5040), d = 1.0 / 40320 + t * (1.0 / 362880),
                  e = 1.0 / 3628800 + t * (1.0 / 39916800), f = 1.0 / 479001600 + t * (1.0 / 6227020800);

  return t + (tail + s * ((a + s * b) + q * ((c + s * d) + q * (e + s * f))));
}

/* exp(x). 2^k is multiplied in two halves, neither of which overflows. */
static inline PetscReal Exponential(PetscReal x)
{
  const PetscReal        above = x < EXPONENTIAL_LEAST ? EXPONENTIAL_LEAST : x;
  const ExponentialParts parts = ExponentialSplit(above > EXPONENTIAL_MOST ? EXPONENTIAL_MOST : above);
  const uint64_t         k = (RealBits(parts.shifted) + 2048) & 0xfff, half = k >> 1;
  const PetscReal        sum = 1 + ExponentialSeries(parts.t, parts.tail);

  return RowsRoundedOne(sum * RealOfBits((half - 1) << 52) * RealOfBits((k - half - 1) << 52));
}

/* exp(x) - 1 for x <= 0. */
static inline PetscReal ExponentialLessOne(PetscReal x)
{
  const ExponentialParts parts  = ExponentialSplit(x < EXPONENTIAL_ALL_LOST ? EXPONENTIAL_ALL_LOST : x);
  const PetscReal        octave = RealOfBits((RealBits(parts.shifted) + 1023) << 52);

  return (octave - 1) + octave * ExponentialSeries(parts.t, parts.tail);
}

/* ln(u) + more, of a normal number. */
static inline PetscReal LogarithmOf(PetscReal u, PetscReal more)
{
  const PetscReal *const l    = logarithm_terms;
  const uint64_t         bits = RealBits(u), exponent = (bits + LOGARITHM_OFFSET) >> 52;
  const PetscReal        k = RealOfBits(LOGARITHM_WHOLE | exponent) - LOGARITHM_EXPONENT, f = RealOfBits(bits - ((exponent - 1023) << 52)) - 1;
  const PetscReal        s = f / (2 + f), z = s * s, w = z * z, half = RowsRoundedOne(0.5 * f * f);
  const PetscReal        q = w * w, even = (l[0] + w * l[2]) + q * (l[4] + w * l[6]), odd = (l[1] + w * l[3]) + q * l[5];
  const PetscReal        rest = RowsRoundedOne(z * (even + z * odd));
  const PetscReal        low  = RowsRoundedOne(k * EXPONENTIAL_LN2_LOW) + more;

  return k * EXPONENTIAL_LN2_HIGH - ((half - (s * (half + rest) + low)) - f);
}

/* The logarithm of u, of which only what it is for a number above 0 is known. */
static inline PetscReal LogarithmAnywhere(PetscReal u, PetscReal above)
{
  if (u > 0 && u <= DBL_MAX) return above;
  return u == 0 ? -HUGE_VAL : u < 0 ? (PetscReal)NAN : u;
}

/* ln(x). */
static inline PetscReal Logarithm(PetscReal x)
{
  const int tiny = x < DBL_MIN;

  return LogarithmAnywhere(x, LogarithmOf(tiny ? x * LOGARITHM_TINY : x, tiny ? LOGARITHM_OF_TINY : 0));
}

/* ln(1 + x). */
static inline PetscReal LogarithmOnePlus(PetscReal x)
{
  const PetscReal u = 1 + x;

  return LogarithmAnywhere(u, LogarithmOf(u, (x - (u - 1)) / u));
}
