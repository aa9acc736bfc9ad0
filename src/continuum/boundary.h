/* boundary.h - the motions that a reduction keeps: rows of R made ready, and whether they are fit. */
#pragma once
#include "continuum.h"

/* Rows of R are used with length one: averages over many unknowns or in odd units then weigh as much as single unknowns. */
typedef struct {
  PetscInt   m, num_held; /* rows of R; the last ones of them that stay at rest */
  Mat        rows;        /* the transpose of R with columns of length one: [n, m], distributed as K */
  PetscReal *length;      /* of the rows of R, [m] */
  PetscInt   num_rigid; /* motions of the rows that are kept while bodies move and nothing is strained: [num_rigid, m - num_held]; of BoundaryCheck */
  PetscReal *rigid;
} Boundary;

/* What is known of the cost before anything is ordered. */
PetscErrorCode ContinuumMeasure(const Continuum *continuum, ContinuumCost *cost);

PetscErrorCode BoundaryCreate(const Continuum *continuum, Boundary *boundary);
PetscErrorCode BoundaryDestroy(Boundary *boundary);

/* Are the rows independent? And do they hold every body? All ranks agree. */
PetscErrorCode BoundaryCheckRows(const Boundary *boundary, ContinuumFault *fault);
PetscErrorCode BoundaryCheck(Boundary *boundary, const Continuum *continuum, ContinuumFault *fault);

/* The motion of the boundary, in rows of length one, of each column of X: motion[m, columns], column after column. */
PetscErrorCode BoundaryMotion(const Boundary *boundary, Mat X, PetscReal motion[]);

/* Adds rows^T l of each column of l[m, columns] to that of the forces. */
PetscErrorCode BoundaryPush(const Boundary *boundary, const PetscReal l[], Mat forces);
