/* polynomial.h - polynomials through values at Chebyshev points, for tables. Terms come lowest first, in 0 <= t <= 1. All of it is local. */
#pragma once
#include "rows.h"

enum { POLYNOMIAL_MAX_TERMS = 12 };

PetscReal PolynomialPoint(PetscInt num_terms, PetscInt k);
void      PolynomialThrough(PetscInt num_terms, const PetscReal values[], PetscReal terms[]);

/* An even number of terms: those of even and of odd powers each by Horner's rule, side by side. */
static inline PetscReal PolynomialValue(PetscInt num_terms, const PetscReal terms[], PetscReal t)
{
  const PetscReal square = t * t;
  PetscReal       even = terms[num_terms - 2], odd = terms[num_terms - 1];

  for (PetscInt i = num_terms - 4; i >= 0; i -= 2) {
    even = even * square + terms[i];
    odd  = odd * square + terms[i + 1];
  }
  return even + RowsRoundedOne(odd * t);
}
