/*
  wide.h - the same number of several motions side by side, one in each vector lane.

  What is computed of a Wide is in each lane what would be computed of one number: the same operations in the same order. So a motion that
  runs beside others has the bits of one that runs alone, provided that both are written alike, see RowsRounded. Local.
*/
#pragma once
#include <stdint.h>
#include "rows.h"
#if defined(__AVX__)
  #include <immintrin.h>
#endif

/* As many as one register of the machine that is compiled for holds. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
enum { WIDE_LANES = 8 };
#elif defined(__AVX__)
enum { WIDE_LANES = 4 };
#else
enum { WIDE_LANES = 2 };
#endif
enum { WIDE_BYTES = WIDE_LANES * sizeof(PetscReal) };

typedef PetscReal Wide __attribute__((vector_size(WIDE_BYTES)));
typedef int64_t   WideMask __attribute__((vector_size(WIDE_BYTES))); /* 0 or -1; also bits of numbers */
typedef uint64_t  WideWord __attribute__((vector_size(WIDE_BYTES))); /* bits of numbers, where sums of them may overflow */

/* Numbers wherever they stand. */
typedef PetscReal WideAnywhere __attribute__((vector_size(WIDE_BYTES), aligned(sizeof(PetscReal)), may_alias));

static inline Wide WideLoad(const PetscReal *x)
{
  return *(const WideAnywhere *)x;
}

static inline void WideStore(PetscReal *x, Wide numbers)
{
  *(WideAnywhere *)x = numbers;
}

static inline Wide WideOf(PetscReal x)
{
  return x - (Wide){0.0};
}

/* Number k of a table that all lanes share, or of one with a number for each lane. */
static inline Wide WideAt(const PetscReal numbers[], PetscInt k, PetscBool shared)
{
  return shared ? WideOf(numbers[k]) : ((const Wide *)numbers)[k];
}

static inline void WidePut(PetscReal numbers[], PetscInt k, PetscBool shared, PetscInt lane, PetscReal value)
{
  numbers[shared ? k : k * WIDE_LANES + lane] = value;
}

static inline Wide WideSelect(WideMask mask, Wide yes, Wide no)
{
  return (Wide)((mask & (WideMask)yes) | (~mask & (WideMask)no));
}

static inline Wide WideAbs(Wide x)
{
  return (Wide)((WideMask)x & INT64_MAX);
}

static inline Wide WideCopySign(Wide size, Wide sign)
{
  return (Wide)(((WideMask)size & INT64_MAX) | ((WideMask)sign & INT64_MIN));
}

static inline Wide WideSqrt(Wide x)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (Wide)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX__)
  return (Wide)_mm256_sqrt_pd((__m256d)x);
#else
  for (int i = 0; i < WIDE_LANES; i++) x[i] = PetscSqrtReal(x[i]);
  return x;
#endif
}

/* PetscMax(x, y), and RowsMax in each lane. */
static inline Wide WideMax(Wide x, Wide y)
{
  return WideSelect(x < y, y, x);
}

static inline Wide WideLarger(Wide most, Wide x)
{
  return WideSelect(~(x <= most) & (most <= PETSC_MAX_REAL), x, most);
}

static inline Wide WideRounded(Wide x)
{
  ROWS_SETTLE(x);
  return x;
}

/* The lanes of a mask as bits. */
static inline unsigned WideBits(WideMask mask)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX__)
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
  unsigned bits = 0;

  for (int i = 0; i < WIDE_LANES; i++) bits |= mask[i] ? 1u << i : 0u;
  return bits;
#endif
}

static inline WideMask WideMaskOf(unsigned bits)
{
  WideMask mask;

  for (int i = 0; i < WIDE_LANES; i++) mask[i] = bits >> i & 1 ? -1 : 0;
  return mask;
}

/* table[index[lane]][lane]: of a table for each lane. */
static inline Wide WideLook(const Wide table[], WideMask index)
{
  const PetscReal *const numbers = (const PetscReal *)table;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const WideMask lane = {0, 1, 2, 3, 4, 5, 6, 7};

  return (Wide)_mm512_i64gather_pd((__m512i)(index * WIDE_LANES + lane), numbers, sizeof(PetscReal));
#elif defined(__AVX2__)
  const WideMask lane = {0, 1, 2, 3};

  return (Wide)_mm256_i64gather_pd(numbers, (__m256i)(index * WIDE_LANES + lane), sizeof(PetscReal));
#else
  Wide found = {0.0};

  for (int i = 0; i < WIDE_LANES; i++) found[i] = numbers[index[i] * WIDE_LANES + i];
  return found;
#endif
}

/* Four numbers in a row of an array for each lane: to[j][lane] = numbers[lane][j]. Four at a time cost half as much as one after the other. */
static inline void WideGatherFour(const PetscReal *const numbers[WIDE_LANES], Wide to[4])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const __m512i first = {0, 1, 8, 9, 4, 5, 12, 13}, second = {2, 3, 10, 11, 6, 7, 14, 15};
  __m512d       row[4];

  for (int i = 0; i < 4; i++) row[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(numbers[i])), _mm256_loadu_pd(numbers[i + 4]), 1);
  for (int i = 0; i < 2; i++) {
    const __m512d a = i ? _mm512_unpackhi_pd(row[0], row[1]) : _mm512_unpacklo_pd(row[0], row[1]);
    const __m512d b = i ? _mm512_unpackhi_pd(row[2], row[3]) : _mm512_unpacklo_pd(row[2], row[3]);

    to[i]     = (Wide)_mm512_permutex2var_pd(a, first, b);
    to[i + 2] = (Wide)_mm512_permutex2var_pd(a, second, b);
  }
#elif defined(__AVX__)
  __m256d row[4];

  for (int i = 0; i < 4; i++) row[i] = _mm256_loadu_pd(numbers[i]);
  for (int i = 0; i < 2; i++) {
    const __m256d a = i ? _mm256_unpackhi_pd(row[0], row[1]) : _mm256_unpacklo_pd(row[0], row[1]);
    const __m256d b = i ? _mm256_unpackhi_pd(row[2], row[3]) : _mm256_unpacklo_pd(row[2], row[3]);

    to[i]     = (Wide)_mm256_permute2f128_pd(a, b, 0x20);
    to[i + 2] = (Wide)_mm256_permute2f128_pd(a, b, 0x31);
  }
#else
  for (int j = 0; j < 4; j++) {
    Wide row = {0.0};

    for (int lane = 0; lane < WIDE_LANES; lane++) row[lane] = numbers[lane][j];
    to[j] = row;
  }
#endif
}

/* Zeros, where vectors want them; also for so many structs whose members are Wide. `room` is what is to be freed. */
static inline PetscErrorCode WideAllocate(size_t count, PetscReal **room, Wide **numbers)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((count + 1) * WIDE_LANES, room));
  *numbers = (Wide *)(((uintptr_t)*room + WIDE_BYTES - 1) / WIDE_BYTES * WIDE_BYTES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next of the numbers in a room. */
static inline Wide *WideTake(Wide **next, PetscInt count)
{
  Wide *const taken = *next;

  *next += count;
  return taken;
}

#define WideAllocateStructs(count, room, structs) WideAllocate((size_t)(count) * (sizeof(**(structs)) / WIDE_BYTES), room, (Wide **)(void *)(structs))

/* RowsSum of as many sums in each lane. */
static inline Wide WideRowsSum(const Wide sums[ROWS_LANES])
{
#if defined(__AVX__)
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
#else
  return sums[0] + sums[1];
#endif
}
