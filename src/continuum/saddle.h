/*
  saddle.h - a structure whose boundary is moved, or held, by multipliers: one factorisation serves both.

      [ K    s R^T ] [ u ]   [ f   ]
      [ s R    0   ] [ l ] = [ s b ]     u: motion under forces f while the boundary moves by b;  -s l: forces on the boundary

  Rows of R have length one; s, the mean of the diagonal of K, makes both of one magnitude. K alone may be singular.
*/
#pragma once
#include "boundary.h"

typedef struct {
  PetscInt  m;
  PetscReal scale;
  Mat       matrix; /* NULL once factored */
  Mat       factor;
  Vec       forces, motion;                 /* work */
  PetscInt  num_local;                      /* unknowns of this rank, without multipliers */
  PetscInt  status, num_negative, num_null; /* INFOG(1), (12), (28) of MUMPS */
} Saddle;

/* With K - shift M in place of K; M may be NULL. Only ordered yet: what it would cost is known. */
PetscErrorCode SaddleCreate(Mat K, PetscReal shift, Mat M, const Boundary *boundary, Saddle *saddle);
/* Its cost, over all ranks, by MUMPS' analysis: entries of the factor, bytes. */
PetscErrorCode SaddleEstimate(const Saddle *saddle, PetscReal *entries, PetscReal *memory);
PetscErrorCode SaddleFactor(Saddle *saddle);
PetscErrorCode SaddleDestroy(Saddle *saddle);

/* The motion under forces while the boundary is at rest. */
PetscErrorCode SaddleSolve(Saddle *saddle, Vec forces, Vec motion);

/* Motions of the boundary by one, row after row of R from `first` on: as many as `motion` has columns. Their multipliers l go to
   multipliers[m, columns], column after column, on all ranks. */
PetscErrorCode SaddleMove(Saddle *saddle, PetscInt first, Mat motion, PetscReal multipliers[]);
