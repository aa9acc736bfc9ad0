/* polynomial.h - polynomials through values at Chebyshev points, for tables. Terms come lowest first, in 0 <= t <= 1. All of it is local. */
#pragma once
#include "base.h"

enum { POLYNOMIAL_MAX_TERMS = 12 };

PetscReal PolynomialPoint(PetscInt num_terms, PetscInt k);
void      PolynomialThrough(PetscInt num_terms, const PetscReal values[], PetscReal terms[]);

static inline PetscReal PolynomialValue(PetscInt num_terms, const PetscReal terms[], PetscReal t)
{
  PetscReal value = terms[num_terms - 1];

  for (PetscInt i = num_terms - 2; i >= 0; i--) value = value * t + terms[i];
  return value;
}
