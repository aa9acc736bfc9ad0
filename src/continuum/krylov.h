/*
  krylov.h - the modes x with the largest theta of

      S M x = theta x,     S the inverse of a stiffness, symmetric;  M a mass, symmetric, perhaps zero somewhere

  by block Lanczos with full orthogonalisation, without restarts [Golub and Underwood 1977; Grimes, Lewis and Simon 1994]. Blocks,
  because a factor is read once for all columns of a block, and because modes of equal frequency then come together.
*/
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct {
  void *context;
  PetscErrorCode (*solve)(void *context, Mat forces, Mat motions); /* motions = S forces */
  PetscErrorCode (*weigh)(void *context, Mat motions, Mat forces); /* forces = M motions */
} KrylovOperators;

typedef struct {
  PetscInt   count;    /* those asked for, and all that have the frequency of the last; fewer where there are no more, or after too many steps */
  PetscBool  complete; /* there are no more */
  PetscReal *theta;    /* descending, [count] */
  Mat        modes;    /* of unit modal mass, [n, count] dense; those of equal frequency as CanonicalTurn chooses them */
} KrylovModes;

/* `like` has the rows of a motion; S can give `dimension` independent ones. The modes are sought beside those of `known` (of unit modal
   mass, orthogonal; NULL for none). The same on any number of ranks. Options: -continuum_krylov_tolerance, -continuum_krylov_longest. */
PetscErrorCode KrylovFind(const KrylovOperators *operators, Vec like, Mat known, PetscInt dimension, PetscInt count, KrylovModes *modes);
PetscErrorCode KrylovModesDestroy(KrylovModes *modes);
