/*
  tabulated.h - a backbone known by its slope, in pieces of polynomials.

  Most curves of friction end level like a power of 1/2 of what is left before full slip, so the table is over y with
  u / u_L = y (2 - y): there they are smooth. In each of its equal pieces the slope is a polynomial, and force and loss are its exact
  integrals: the tangent is that of the force, and what is dissipated is right, to round-off. All of it is local.
*/
#pragma once
#include "masing.h"
#include "polynomial.h"
#include "rows.h"

enum {
  TABULATED_PIECES        = 64,
  TABULATED_SLOPE_TERMS   = 8,
  TABULATED_FORCE_TERMS   = TABULATED_SLOPE_TERMS + 2,
  TABULATED_LOSS_TERMS    = TABULATED_SLOPE_TERMS + 4,
  TABULATED_SLOPE         = 0, /* places in a piece */
  TABULATED_FORCE         = TABULATED_SLOPE + TABULATED_SLOPE_TERMS,
  TABULATED_LOSS          = TABULATED_FORCE + TABULATED_FORCE_TERMS,
  TABULATED_PIECE_SIZE    = TABULATED_LOSS + TABULATED_LOSS_TERMS,
  TABULATED_SLIP_MOTION   = 0,
  TABULATED_PER_MOTION    = 1,
  TABULATED_SLIP_FORCE    = 2,
  TABULATED_SLIP_LOSS     = 3,
  TABULATED_TABLE         = 4, /* pieces: terms of slope, force, loss */
  TABULATED_NUM_CONSTANTS = TABULATED_TABLE + TABULATED_PIECES * TABULATED_PIECE_SIZE
};

/* Slope over its value at rest, where 0 <= left <= 1 with left^2 = 1 - u / u_L; smooth in `left`, and 0 at 0. */
typedef PetscReal (*TabulatedSlope)(const void *context, PetscReal left);

void TabulatedPrepare(PetscReal stiffness, PetscReal slip_motion, TabulatedSlope slope, const void *context, PetscReal constants[]);

static inline MasingBackbone TabulatedBackbone(const PetscReal c[], PetscReal u)
{
  const PetscReal  w = RowsRoundedOne(u * c[TABULATED_PER_MOTION]);
  const PetscReal *piece;
  PetscReal        place, t;
  PetscInt         index;

  if (!(w < 1)) /* what is not a number must not become a place in the table */
    return (MasingBackbone){.force = c[TABULATED_SLIP_FORCE],
                            .loss  = c[TABULATED_SLIP_LOSS] + c[TABULATED_SLIP_FORCE] * (u - c[TABULATED_SLIP_MOTION])};
  place = TABULATED_PIECES * w / (1 + PetscSqrtReal(1 - w)); /* less than the number of pieces, for the root is at least 1e-8 */
  index = (PetscInt)place;
  t     = place - (PetscReal)index;
  piece = c + TABULATED_TABLE + index * TABULATED_PIECE_SIZE;
  return (MasingBackbone){
    .force = PolynomialValue(TABULATED_FORCE_TERMS, piece + TABULATED_FORCE, t),
    .slope = PolynomialValue(TABULATED_SLOPE_TERMS, piece + TABULATED_SLOPE, t),
    .loss  = PolynomialValue(TABULATED_LOSS_TERMS, piece + TABULATED_LOSS, t),
  };
}
