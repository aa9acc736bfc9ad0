/* piecewise.h - continuous functions that are linear between knots, fitted to samples. */
#pragma once
#include "base.h"

/* The one nearest to some samples in the least squares [Allen, Sumali, Epp 2008]. */
typedef struct {
  PetscInt         num_knots;
  const PetscReal *knots;    /* ascending */
  PetscReal       *values;   /* at the knots */
  PetscReal       *residual; /* sample less function */
} Piecewise;

/* Of samples at time start + i step, all between the first and the last knot. The caller owns the arrays. Local. */
PetscErrorCode PiecewiseFit(PetscInt count, PetscReal start, PetscReal step, const PetscReal samples[], Piecewise *fit);
