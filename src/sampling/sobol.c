/* sobol.c - points of Sobol' sequences, and Owen's scrambling of them. */
#include "sobol.h"
#include "base/random.h"

/* m_j = 2 a_1 m_{j-1} ^ 4 a_2 m_{j-2} ^ ... ^ 2^s m_{j-s} ^ m_{j-s}, v_j = m_j / 2^j [Bratley, Fox 1988]. */
static const uint16_t *FillDirections(const uint16_t *start, uint32_t v[SOBOL_DIGITS])
{
  const uint32_t polynomial = *start;
  int            degree     = 0;

  while (polynomial >> (degree + 1)) degree++;
  for (int j = 0; j < degree; j++) v[j] = (uint32_t)start[1 + j] << (SOBOL_DIGITS - 1 - j);
  for (int j = degree; j < SOBOL_DIGITS; j++) {
    v[j] = v[j - degree] ^ (v[j - degree] >> degree);
    for (int i = 1; i < degree; i++) {
      if (polynomial >> (degree - i) & 1) v[j] ^= v[j - i];
    }
  }
  return start + 1 + degree;
}

void SobolDirections(PetscInt count, uint32_t directions[])
{
  const uint16_t *start = sobol_directions;

  for (int j = 0; count > 0 && j < SOBOL_DIGITS; j++) directions[j] = (uint32_t)1 << (SOBOL_DIGITS - 1 - j);
  for (PetscInt i = 1; i < count; i++) start = FillDirections(start, directions + i * SOBOL_DIGITS);
}

uint32_t SobolDigits(const uint32_t directions[SOBOL_DIGITS], uint32_t index)
{
  uint32_t gray = index ^ (index >> 1), digits = 0;

  for (int j = 0; gray; j++, gray >>= 1) {
    if (gray & 1) digits ^= directions[j];
  }
  return digits;
}

/* Each digit is turned over or not by chance, by all digits before it [Owen 1995]; their number, with a 1 in front, is the place of the chance. */
PetscReal SobolScrambled(uint64_t key, uint32_t digits)
{
  uint32_t scrambled = 0;
  uint64_t rest;

  for (int j = 0; j < SOBOL_DIGITS; j++) {
    const uint64_t before = ((uint64_t)1 << SOBOL_DIGITS | digits) >> (SOBOL_DIGITS - j);

    scrambled = scrambled << 1 | ((digits >> (SOBOL_DIGITS - 1 - j) ^ (uint32_t)(RandomKey(key, before) >> 63)) & 1);
  }
  rest = RandomKey(key, (uint64_t)1 << SOBOL_DIGITS | digits) >> 44;
  return ((PetscReal)scrambled + ((PetscReal)rest + 0.5) * 0x1p-20) * 0x1p-32; /* 53 digits: exact */
}

PetscReal SobolPlain(uint32_t digits)
{
  return ((PetscReal)digits + 0.5) * 0x1p-32;
}
