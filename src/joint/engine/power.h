/*
  power.h - x^a for one fixed a and many x between 0 and 1, five times as fast as pow.

  x = 2^e m with 1 <= m < 2, and m = (1 + t) c with c the middle of one of 32 equal parts of [1, 2): then
  x^a = 2^(e a) c^a (1 + t)^a. The first two are tables, the last is its binomial series, |t| <= 1/64. Relative
  error below 1e-15. All of it is local.
*/
#pragma once
#include <stdint.h>
#include <string.h>
#include "joint.h"

enum {
  POWER_DEGREE   = 7,
  POWER_PARTS    = 32,
  POWER_OCTAVES  = 64,
  POWER_SERIES   = 0, /* binomial coefficients of t, t^2, ... */
  POWER_INVERSE  = POWER_SERIES + POWER_DEGREE,
  POWER_PART     = POWER_INVERSE + POWER_PARTS,
  POWER_OCTAVE   = POWER_PART + POWER_PARTS, /* entry i is 2^(-i a) */
  POWER_EXPONENT = POWER_OCTAVE + POWER_OCTAVES,
  POWER_NUM_CONSTANTS,
  POWER_MOST = 4 /* the greatest exponent for which the series is long enough */
};

void PowerPrepare(PetscReal exponent, PetscReal constants[]); /* 0 < exponent <= POWER_MOST */

static inline PetscReal PowerEvaluate(const PetscReal c[], PetscReal x)
{
  uint64_t  bits, octave, part;
  PetscReal mantissa, t, square;

  memcpy(&bits, &x, sizeof bits);
  octave = 1023 - (bits >> 52); /* huge for x >= 2 */
  if (octave >= POWER_OCTAVES) return PetscPowReal(x, c[POWER_EXPONENT]);
  part = bits >> 47 & (POWER_PARTS - 1);
  bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
  memcpy(&mantissa, &bits, sizeof mantissa);

  t      = mantissa * c[POWER_INVERSE + part] - 1;
  square = t * t;
  c += POWER_SERIES;
  return c[POWER_OCTAVE + octave] * c[POWER_PART + part] *
         (1 + t * ((c[0] + c[1] * t) + square * ((c[2] + c[3] * t) + square * ((c[4] + c[5] * t) + square * c[6]))));
}
