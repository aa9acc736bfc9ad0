/* fit_polynomial.h - the study that fits the generalized Valanis law to a loop by linear least squares: what the case says, and where
   the findings go. */
#pragma once
#include "loop_data.h"
#include "study.h"

enum { NUM_POLYNOMIAL_ARRAYS = 13 };

typedef struct {
  const char      *name;
  const InputNode *data;
  InputTexts       terms;
  PetscInt         branch, order, solver, window, degree;
  PetscReal        regularise, trim, noise, resolution;
} FitPolynomialKeys;

typedef struct {
  FitPolynomialKeys keys;
  LoopData          data;
  PetscInt          num_terms;
  PolynomialTerm   *terms;
  ResultArray       arrays[NUM_POLYNOMIAL_ARRAYS];
} FitPolynomial;

/* The layout; on rank 0, the numbers. */
PetscErrorCode FitPolynomialReserve(const char *name, FitPolynomial *study, Result *result);
PetscErrorCode FitPolynomialWrite(const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit, const Result *result);

/* E1, the terms, E2. Local. */
void FitPolynomialName(const FitPolynomial *study, PetscInt unknown, char name[POLYNOMIAL_NAME_LENGTH]);
/* For people. Local. */
PetscErrorCode FitPolynomialPrint(const char *name, const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit);
