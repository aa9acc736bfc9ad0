/* piecewise.h - continuous functions that are linear between knots, fitted to samples. */
#pragma once
#include "base.h"

/* The least-squares fit to samples [Allen, Sumali, Epp 2008]. */
typedef struct {
  PetscInt         num_knots;
  const PetscReal *knots;    /* ascending */
  PetscReal       *values;   /* at the knots */
  PetscReal       *residual; /* sample less function */
} Piecewise;

/* Sample i is at the time start + i step; all lie between the first and the last knot. The caller owns the arrays. Local. */
PetscErrorCode PiecewiseFit(PetscInt count, PetscReal start, PetscReal step, const PetscReal samples[], Piecewise *fit);
