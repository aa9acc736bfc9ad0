/*
  random.h - numbers that look random, and are the same on any rank and any machine.

  The mixer is that of splitmix64 [Steele, Lea, Flood 2014], which spreads every bit of its argument over all of its value. A sequence mixes
  Weyl's sequence; a keyed number is a function of its place alone, so that nothing has to be stored and any rank can make any of them
  [Salmon, Moraes, Dror, Shaw 2011]. All of it is local.
*/
#pragma once
#include <stdint.h>
#include "base.h"

#define RANDOM_WEYL 0x9e3779b97f4a7c15u /* 2^64 over the golden ratio, odd */

static inline uint64_t RandomMix(uint64_t bits)
{
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/* A key of all that was chosen with `key`, and of this number. */
static inline uint64_t RandomKey(uint64_t key, uint64_t number)
{
  return RandomMix(key ^ RandomMix(number + RANDOM_WEYL)) + RANDOM_WEYL;
}

/* Within (0, 1): the middles of 2^52 equal cells, which are exact. (Of 2^53, the last would be rounded to 1.) */
static inline PetscReal RandomUniform(uint64_t bits)
{
  return ((PetscReal)(bits >> 12) + 0.5) * 0x1p-52;
}

/* The next bits of a sequence. */
static inline uint64_t RandomNext(uint64_t *state)
{
  return RandomMix(*state += RANDOM_WEYL);
}
