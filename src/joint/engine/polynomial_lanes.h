/* polynomial_lanes.h - polynomials on all lanes at once, each with terms of its own. */
#pragma once
#include "joint/lanes.h"
#include "polynomial.h"

/* Where the terms of each lane are. Tables stay where the blocks have them: of one polynomial all terms are side by side there, of numbers of all
   lanes each would be in a line of the cache of its own. */
typedef struct {
  const PetscReal *of[WIDE_LANES];
} PolynomialLanes;

static inline PolynomialLanes PolynomialLanesAt(const JointLanes *lanes, WideMask place)
{
  PolynomialLanes terms;

#pragma GCC unroll 8
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) terms.of[lane] = lanes->numbers[lane] + place[lane];
  return terms;
}

static inline PolynomialLanes PolynomialLanesFrom(const PolynomialLanes *terms, PetscInt first)
{
  PolynomialLanes from;

#pragma GCC unroll 8
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) from.of[lane] = terms->of[lane] + first;
  return from;
}

/* PolynomialValue in each lane. Terms are read four at a time, so that some numbers behind those of a polynomial are read, too. */
static inline Wide PolynomialWideValue(PetscInt num_terms, const PolynomialLanes *terms, Wide t)
{
  const Wide square = t * t;
  Wide       term[POLYNOMIAL_MAX_TERMS], even, odd;

#pragma GCC unroll 3
  for (PetscInt i = 0; i < num_terms; i += 4) {
    const PolynomialLanes next = PolynomialLanesFrom(terms, i);

    WideGatherFour(next.of, term + i);
  }
  even = term[num_terms - 2];
  odd  = term[num_terms - 1];
#pragma GCC unroll 6
  for (PetscInt i = num_terms - 4; i >= 0; i -= 2) {
    even = even * square + term[i];
    odd  = odd * square + term[i + 1];
  }
  return even + WideRounded(odd * t);
}
