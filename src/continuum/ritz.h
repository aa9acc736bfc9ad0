/* ritz.h - what block Lanczos knows of its operator: T with blocks A_j on its diagonal and R_j below, and the eigenvalues of T. */
#pragma once
#include "base.h"

typedef struct {
  PetscInt   width, num_blocks;
  PetscReal *diagonal, *below; /* A_j, R_j: [num_blocks, width, width] in columns */
} Band;

/* One more A_j and R_j, to be filled. */
PetscErrorCode BandExtend(Band *band);
PetscErrorCode BandDestroy(Band *band);
PetscReal     *BandDiagonal(const Band *band, PetscInt j); /* Local, as the next. */
PetscReal     *BandBelow(const Band *band, PetscInt j);

/* Eigenvalues, descending, with their vectors [size, size]; `count` have converged, without a gap. */
typedef struct {
  PetscInt   size, count;
  PetscReal *theta, *vectors;
} Ritz;

/* `tolerance` of residuals, against theta. Local. */
PetscErrorCode RitzCreate(const Band *band, PetscReal tolerance, Ritz *ritz);
PetscErrorCode RitzDestroy(Ritz *ritz);
