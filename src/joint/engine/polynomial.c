/* polynomial.c - polynomials through values at Chebyshev points. */
#include "polynomial.h"

PetscReal PolynomialPoint(PetscInt num_terms, PetscInt k)
{
  return 0.5 - 0.5 * PetscCosReal(PETSC_PI * ((PetscReal)k + 0.5) / (PetscReal)num_terms);
}

/* Newton's divided differences. */
void PolynomialThrough(PetscInt num_terms, const PetscReal values[], PetscReal terms[])
{
  PetscReal points[POLYNOMIAL_MAX_TERMS], differences[POLYNOMIAL_MAX_TERMS];

  for (PetscInt i = 0; i < num_terms; i++) {
    points[i]      = PolynomialPoint(num_terms, i);
    differences[i] = values[i];
    terms[i]       = 0;
  }
  for (PetscInt k = 1; k < num_terms; k++) {
    for (PetscInt i = num_terms - 1; i >= k; i--) differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - k]);
  }
  for (PetscInt k = num_terms - 1; k >= 0; k--) { /* times t - points[k], plus differences[k] */
    for (PetscInt i = num_terms - 1; i > 0; i--) terms[i] = terms[i - 1] - points[k] * terms[i];
    terms[0] = differences[k] - points[k] * terms[0];
  }
}
