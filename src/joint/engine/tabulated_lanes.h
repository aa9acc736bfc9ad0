/* tabulated_lanes.h - the backbones of tabulated.h on all lanes at once: the same operations in the same order. */
#pragma once
#include "masing_lanes.h"
#include "polynomial_lanes.h"
#include "tabulated.h"

static inline MasingWideBackbone TabulatedWideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const     c     = lanes->constants;
  const Wide            w     = WideRounded(u * c[TABULATED_PER_MOTION]);
  const WideMask        slips = ~(w < 1.0);
  const Wide            place = WideSelect(slips, WideOf(0), (PetscReal)TABULATED_PIECES * w / (1.0 + WideSqrt(1.0 - w)));
  const WideMask        index = __builtin_convertvector(place, WideMask), piece = TABULATED_TABLE + index * TABULATED_PIECE_SIZE;
  const Wide            t     = place - __builtin_convertvector(index, Wide);
  const PolynomialLanes force = PolynomialLanesAt(lanes, piece + TABULATED_FORCE), slope = PolynomialLanesAt(lanes, piece + TABULATED_SLOPE),
                        loss = PolynomialLanesAt(lanes, piece + TABULATED_LOSS);
  const Wide slipping        = c[TABULATED_SLIP_LOSS] + c[TABULATED_SLIP_FORCE] * (u - c[TABULATED_SLIP_MOTION]);

  return (MasingWideBackbone){
    .force = WideSelect(slips, c[TABULATED_SLIP_FORCE], PolynomialWideValue(TABULATED_FORCE_TERMS, &force, t)),
    .slope = WideSelect(slips, WideOf(0), PolynomialWideValue(TABULATED_SLOPE_TERMS, &slope, t)),
    .loss  = WideSelect(slips, slipping, PolynomialWideValue(TABULATED_LOSS_TERMS, &loss, t)),
  };
}
