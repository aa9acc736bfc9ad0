/* power_lanes.h - the powers of power.h on all lanes at once. */
#pragma once
#include "power.h"
#include "rows/wide.h"

/* What is outside of the table of octaves: nearly nothing. */
static __attribute__((noinline)) Wide PowerOutside(const Wide c[], Wide x, unsigned outside, Wide power)
{
  for (; outside; outside &= outside - 1) {
    const PetscInt lane = __builtin_ctz(outside);

    power[lane] = PetscPowReal(x[lane], c[POWER_EXPONENT][lane]);
  }
  return power;
}

/* PowerEvaluate in each lane; what idle lanes give means nothing. */
static inline Wide PowerWide(const Wide c[], Wide x, WideMask busy)
{
  const WideMask bits = (WideMask)x, octave = 1023 - (bits >> 52 & 0xfff), outside = ((octave < 0) | (octave >= POWER_OCTAVES)) & busy;
  const WideMask part     = bits >> 47 & (POWER_PARTS - 1);
  const Wide     mantissa = (Wide)((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  const Wide     t = mantissa * WideLook(c + POWER_INVERSE, part) - 1.0, square = t * t;
  const Wide     scale  = WideLook(c + POWER_OCTAVE, octave & (POWER_OCTAVES - 1)) * WideLook(c + POWER_PART, part);
  const unsigned beyond = WideBits(outside);
  const Wide    *s      = c + POWER_SERIES;
  const Wide     power  = scale * (1.0 + t * ((s[0] + s[1] * t) + square * ((s[2] + s[3] * t) + square * ((s[4] + s[5] * t) + square * s[6]))));

  return PetscUnlikely(beyond) ? PowerOutside(c, x, beyond, power) : power;
}
