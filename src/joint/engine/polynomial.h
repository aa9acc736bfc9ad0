/* polynomial.h - polynomials through values at Chebyshev points, for tables. Terms come lowest first, in 0 <= t <= 1. All of it is local. */
#pragma once
#include "base.h"

enum { POLYNOMIAL_MAX_TERMS = 12 };

PetscReal PolynomialPoint(PetscInt num_terms, PetscInt k);
void      PolynomialThrough(PetscInt num_terms, const PetscReal values[], PetscReal terms[]);
