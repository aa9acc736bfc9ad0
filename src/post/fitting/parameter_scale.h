/* parameter_scale.h - unknowns of a fit as the solver sees them, of order one: logarithms of what is positive, else shares of a scale. */
#pragma once
#include "parameter_fit.h"

PetscReal ScaleValue(const FitUnknown *unknown, PetscReal x);
void      ScaleBounds(const FitUnknown *unknown, PetscReal *low, PetscReal *high);

/* Start 0 is the one that was given, others are spread: within a decade to both sides of it, or over the bounds that end nearer. Local. */
PetscReal ScaleStart(const FitUnknown *unknown, PetscInt index, PetscInt dimension);

/* Of the diagonal of the inverse of a normal matrix, which is overwritten: the square roots; infinite along directions without curvature. */
PetscErrorCode StandardDeviations(PetscInt size, PetscReal normal[], PetscReal deviation[]);

/* Half of the widest interval that an unknown which is determined may have: a factor of two; of what has bounds on both sides, a quarter of
   their width; of other numbers, half of themselves, or what is small. Local. */
PetscReal ScaleTolerance(const FitUnknown *unknown, PetscReal x);

/* Not determined: it may be all that it may be. Local. */
void ScaleLeaveOpen(const FitUnknown *unknown, FitParameter *parameter);

/* What is known of an unknown at x. Local. */
void ScaleReport(const FitUnknown *unknown, PetscReal x, PetscReal deviation, PetscReal half, PetscBool determined, FitParameter *parameter);
