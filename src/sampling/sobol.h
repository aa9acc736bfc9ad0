/* sobol.h - points of Sobol' sequences in base 2, plain or scrambled. All of it is local. */
#pragma once
#include <stdint.h>
#include "base.h"

enum { SOBOL_DIGITS = 32 };

extern const uint16_t sobol_directions[]; /* sobol_directions.c */

/* The direction numbers v_1, v_2, ... of the first coordinates, [count, SOBOL_DIGITS], the first digit highest. */
void SobolDirections(PetscInt count, uint32_t directions[]);
/* The digits of a coordinate of a point, in the order of Gray's code. */
uint32_t SobolDigits(const uint32_t directions[SOBOL_DIGITS], uint32_t index);
/* Scrambled by Owen's nested uniform permutations; the digits after these by chance. Within (0, 1). */
PetscReal SobolScrambled(uint64_t key, uint32_t digits);
/* The middle of the cell that the digits tell: 0 itself would be minus infinity of a normal distribution. */
PetscReal SobolPlain(uint32_t digits);
