/*
  curve_system.h - Newton's equation of a curve: harmonics, parameters, equations of a mode, and the plane that a step comes back in.

  Rows on which G does not depend are eliminated beforehand: their part of the matrix is the identity. A reads with the unknowns of active rows
  and the parameters.
*/
#pragma once
#include "harmonic/curve.h"
#include <petscblaslapack.h>

typedef struct CurveSystem {
  PetscInt      n, k;           /* unknowns of the motions, parameters: n + k in all */
  PetscInt      size, capacity; /* of the matrix that is factored, and room for its numbers */
  PetscReal    *columns;        /* [k, n] change of R by the parameters */
  PetscReal    *border;         /* [k, n + k] rows behind those of the motions: equations of a mode, and the plane */
  PetscReal    *matrix;         /* [size, size] by columns, factored */
  PetscBLASInt *pivots;
  PetscReal    *right;   /* [size] */
  PetscReal    *product; /* [n] work */
} CurveSystem;

PetscErrorCode CurveSystemCreate(PetscInt n, PetscInt k, CurveSystem **system);
PetscErrorCode CurveSystemDestroy(CurveSystem **system);
/* At the present point, which has been evaluated; the plane is normal[n + k]. `regular` is false where it cannot be solved. */
PetscErrorCode CurveSystemFactor(Curve *curve, const PetscReal normal[], PetscBool *regular);
/* solution[n + k] of the right side [n + k]: R, equations of a mode, distance from the plane. */
PetscErrorCode CurveSystemSolve(Curve *curve, const PetscReal right[], PetscReal solution[]);
