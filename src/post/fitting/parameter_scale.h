/* parameter_scale.h - scaled unknowns of order one, as the solver sees them: logarithms of positive numbers, other numbers over their scale. */
#pragma once
#include "parameter_fit.h"

PetscReal ScaleValue(const FitUnknown *unknown, PetscReal x);
PetscReal ScaleSlope(const FitUnknown *unknown, PetscReal x); /* d value / dx */
PetscReal ScaleOf(const FitUnknown *unknown, PetscReal value);
void      ScaleBounds(const FitUnknown *unknown, PetscReal *low, PetscReal *high);

/* Start 0 is the given one. Others are spread around it: within a decade to both sides, or within the bounds where these are closer. Local. */
PetscReal ScaleStart(const FitUnknown *unknown, PetscInt index, PetscInt dimension);

/* Square roots of the diagonal of the inverse of a normal matrix, which is overwritten; infinite where the matrix is singular. */
PetscErrorCode StandardDeviations(PetscInt size, PetscReal normal[], PetscReal deviation[]);

/* Half the widest interval of a determined unknown: a factor of two for positive numbers; a quarter of the width where there are bounds on both
   sides; else half of the number itself, or what is negligible. Local. */
PetscReal ScaleTolerance(const FitUnknown *unknown, PetscReal x);

/* Marks an unknown as not determined: its interval is that of its bounds. Local. */
void ScaleLeaveOpen(const FitUnknown *unknown, FitParameter *parameter);

/* The result for an unknown at x: value, interval, standard error. Local. */
void ScaleReport(const FitUnknown *unknown, PetscReal x, PetscReal deviation, PetscReal half, PetscBool determined, FitParameter *parameter);
