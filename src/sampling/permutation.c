/*
  permutation.c - permutations by a Feistel network.

  A network of rounds (l, r) -> (r, l ^ f(r)) is a permutation of 2^(2 h) numbers whatever f is [Luby, Rackoff 1988]; from a number at or above
  `count` it is followed on, along its cycle, until it comes below [Black, Rogaway 2002]. With at most four times as many numbers as places that
  takes four turns on average; short ones have more numbers, as networks of a few bits look less random.
*/
#include "permutation.h"
#include "base/random.h"

enum { NUM_ROUNDS = 8, LEAST_HALF = 4 };

static uint64_t Encrypt(uint64_t key, int half, uint64_t number)
{
  const uint64_t mask = ((uint64_t)1 << half) - 1;
  uint64_t       left = number >> half, right = number & mask;

  for (uint64_t round = 0; round < NUM_ROUNDS; round++) {
    const uint64_t next = left ^ (RandomKey(key + round, right) & mask);

    left  = right;
    right = next;
  }
  return left << half | right;
}

PetscInt PermutationAt(uint64_t key, PetscInt count, PetscInt place)
{
  uint64_t number = (uint64_t)place;
  int      half   = LEAST_HALF;

  while ((uint64_t)1 << (2 * half) < (uint64_t)count) half++;
  do number = Encrypt(key, half, number);
  while (number >= (uint64_t)count);
  return (PetscInt)number;
}
