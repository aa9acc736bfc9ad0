/*
  tabulated.h - a backbone known by its slope, in pieces of polynomials.

  Most curves of friction end level like a power of 1/2 of what is left before full slip, so the table is over y with
  u / u_L = y (2 - y): there they are smooth. In each of its equal pieces the slope is a polynomial, and force and loss are its exact
  integrals: the tangent is that of the force, and what is dissipated is right, to round-off. All of it is local.
*/
#pragma once
#include "masing.h"

enum {
  TABULATED_PIECES        = 64,
  TABULATED_SLOPE_TERMS   = 8,
  TABULATED_FORCE_TERMS   = TABULATED_SLOPE_TERMS + 2,
  TABULATED_LOSS_TERMS    = TABULATED_SLOPE_TERMS + 4,
  TABULATED_PIECE_SIZE    = TABULATED_SLOPE_TERMS + TABULATED_FORCE_TERMS + TABULATED_LOSS_TERMS,
  TABULATED_SLIP_MOTION   = 0,
  TABULATED_PER_MOTION    = 1,
  TABULATED_SLIP_FORCE    = 2,
  TABULATED_SLIP_LOSS     = 3,
  TABULATED_TABLE         = 4, /* pieces: terms of slope, force, loss */
  TABULATED_NUM_CONSTANTS = TABULATED_TABLE + TABULATED_PIECES * TABULATED_PIECE_SIZE
};

/* Slope over its value at rest, where 0 <= left <= 1 with left^2 = 1 - u / u_L; smooth in `left`, and 0 at 0. */
typedef PetscReal (*TabulatedSlope)(const void *context, PetscReal left);

PetscInt TabulatedCountConstants(const PetscReal parameters[]);
void     TabulatedPrepare(PetscReal stiffness, PetscReal slip_motion, TabulatedSlope slope, const void *context, PetscReal constants[]);

/* What a law of such constants needs. */
void           TabulatedLimit(const JointBlock *block, JointState state, PetscReal stiffness[]);
void           TabulatedEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result);
PetscErrorCode TabulatedCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                               PetscReal dissipated[]);
PetscErrorCode TabulatedDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                      JointHistory *dhistory, PetscReal dforce[]);
