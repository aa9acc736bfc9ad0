/*
  curve_iteration.h - Newton's equation of a curve whose active unknowns are too many for factors: GMRES, from the solution for points with the mean
  of their tangents.

      [ J  C ] [ w ]     J = 1 + H A of the active unknowns, by products; C: changes by the parameters
      [ b  D ] [ p ]     b, D: rows behind those of the motions

  Unknowns are taken in their measure, so that what the iteration leaves over is the error of the solution in that.
*/
#pragma once
#include "harmonic/curve.h"
#include "mean_tangents.h"

typedef struct CurveIteration CurveIteration;

PetscErrorCode CurveIterationCreate(const HarmonicEquation *equation, PetscInt num_parameters, CurveIteration **iteration);
PetscErrorCode CurveIterationDestroy(CurveIteration **iteration);
/* C[k, num_active], and b, D: [k, num_active + k], in the measure already. `regular` is false where the beginning cannot be solved. */
PetscErrorCode CurveIterationPrepare(CurveIteration *iteration, const PetscReal columns[], const PetscReal border[], PetscBool *regular);
/* solution[num_active + k]; `solved` is false where it is not found to this part of the right side. */
PetscErrorCode CurveIterationSolve(CurveIteration *iteration, PetscReal enough, const PetscReal right[], PetscReal solution[], PetscBool *solved);
