/*
  curve_system.h - Newton's equation of a curve: harmonics, parameters, equations of a mode, and the plane that a step comes back in.

  Rows on which G does not depend are eliminated beforehand: their part of the matrix is the identity. A reads with the unknowns of active rows
  and the parameters. Few of them are solved for by factors, many by an iteration.
*/
#pragma once
#include "curve_iteration.h"

typedef struct CurveSystem {
  PetscInt        n, k;                           /* unknowns of the motions, parameters: n + k in all */
  PetscReal      *columns;                        /* [k, n] change of R by the parameters */
  PetscReal      *border;                         /* [k, n + k] rows behind those of the motions: equations of a mode, and the plane */
  PetscInt        size;                           /* active unknowns and parameters */
  PetscReal       scale;                          /* of the motions among them, for the iteration */
  PetscReal      *scales;                         /* [k] of the parameters */
  PetscReal      *active_columns, *active_border; /* [k, num_active], [k, size] in these */
  PetscBool       iterates;
  CurveIteration *iteration; /* once there was one */
  size_t          capacity;
  PetscReal      *matrix; /* [size, size] by rows, factored, of those that do not iterate */
  PetscBLASInt   *pivots;
  PetscReal      *right, *solution; /* [size] */
  PetscReal      *product;          /* [n] work */
} CurveSystem;

PetscErrorCode CurveSystemCreate(PetscInt n, PetscInt k, CurveSystem **system);
PetscErrorCode CurveSystemDestroy(CurveSystem **system);
/* At the present point, which has been evaluated; the plane is normal[n + k]. `regular` is false where it cannot be solved. */
PetscErrorCode CurveSystemFactor(Curve *curve, const PetscReal normal[], PetscBool *regular);
/* solution[n + k] of the right side [n + k]: R, equations of a mode, distance from the plane. An iteration goes on until this part of it is left, in
   the measure; all of the solution is not a number where it does not get there and factors would be too large. */
PetscErrorCode CurveSystemSolve(Curve *curve, PetscReal enough, const PetscReal right[], PetscReal solution[]);
