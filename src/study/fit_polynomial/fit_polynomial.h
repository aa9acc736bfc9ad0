/* fit_polynomial.h - the study that fits the generalized Valanis law to a loop by linear least squares: what the case says, and where
   the findings go. */
#pragma once
#include "study/loop_data.h"
#include "study.h"

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
  Finding          *finding;
} FitPolynomial;

/* What it finds: declared when all of the study has been read; written on rank 0. */
extern const OutputTable *const fit_polynomial_outputs[]; /* ends with NULL */
PetscErrorCode                  FitPolynomialDeclare(const char *name, Findings *findings, FitPolynomial *study);
PetscErrorCode FitPolynomialWrite(const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit, const Result *result);

/* E1, the terms, E2. Local. */
void FitPolynomialName(const FitPolynomial *study, PetscInt unknown, char name[POLYNOMIAL_NAME_LENGTH]);
/* For people. Local. */
PetscErrorCode FitPolynomialPrint(const char *name, const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit);
