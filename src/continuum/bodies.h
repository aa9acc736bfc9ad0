/* bodies.h - the rigid motions of the bodies of a structure: what they strain, and what of them the boundary sees. */
#pragma once
#include "boundary.h"

enum { SIX = 6, BLOCK = SIX * SIX };

/* The rigid motions of all bodies, made orthonormal in each. */
typedef struct {
  const Continuum *continuum;
  PetscInt         num_local, num_motions; /* unknowns of this rank; six motions for each body */
  PetscReal       *motion;                 /* of each of this rank's unknowns in the motions of its body, [num_local, 6] */
  PetscReal       *change;                 /* [num_bodies, 6, 6], of Orthonormalise */
  PetscReal       *strained;               /* motion^T K motion, [num_motions, num_motions] */
  PetscReal       *seen;                   /* rows motion, [num_motions, m] */
} Bodies;

PetscErrorCode BodiesCreate(const Boundary *boundary, const Continuum *continuum, Bodies *bodies);
PetscErrorCode BodiesDestroy(Bodies *bodies);

/* What a stiffness like that of the diagonal of K would strain, for each body: the scale of `strained`. */
PetscErrorCode BodiesStiffness(const Bodies *bodies, PetscReal stiffness[]);
