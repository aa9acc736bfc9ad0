/*
  observed.h - the first harmonic of a motion of the structure, and how it changes with the unknowns of an equation.

      y = level y_lin(W) - h(W)^T G_1,    h = B Phi a + R_y,    a = Z_1^-1 phi_y        phi_y: the motion over the modes, R_y over remainders

  y_lin = a^T Phi^T P(W) and what the loads give the motion besides.

  A harmonic is C cos theta + S sin theta, the complex number C - i S.
*/
#pragma once
#include "harmonic/equation.h"

typedef struct {
  PetscReal  value[2];                     /* C, S */
  PetscReal *rows;                         /* [2, n] by x */
  PetscReal  by_frequency[2], by_level[2]; /* at constant x; by the logarithm of the level */
} Observed;

PetscErrorCode ObservedCreate(PetscInt n, Observed *observed);
PetscErrorCode ObservedDestroy(Observed *observed);

/* At what the equation was evaluated for last; with derivatives only where it has them. Hot. */
PetscErrorCode ObservedEvaluate(const HarmonicEquation *equation, const HarmonicPlace *place, PetscBool differentiate, Observed *observed);
