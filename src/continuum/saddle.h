/*
  saddle.h - a structure whose boundary is moved, held, or tied to other unknowns by multipliers: one factorisation serves all.

      [ K     0      s R^T ] [ u ]   [ f   ]     u: motion of the continuum under forces f
      [ 0     K_y   -s Z^T ] [ y ] = [ f_y ]     y: of what the boundary is tied to, R u - Z y = b
      [ s R  -s Z    0     ] [ l ]   [ s b ]     -s l: forces on the boundary

  Rows of R have length one; s, the mean of the diagonal of K, makes all of one magnitude. K alone may be singular. Where the boundary is
  not tied, p = 0: it moves by b. A motion of the whole is u, and behind it, on the last rank, y.
*/
#pragma once
#include "whole.h"

typedef struct {
  PetscInt  m, p;
  PetscReal shift, scale;
  Mat       matrix; /* NULL once factored */
  Mat       factor;
  Vec       motion;                         /* of the whole: a pattern for others */
  PetscInt  num_local, num_motion;          /* rows of this rank: of the matrix, of a motion of the whole */
  PetscInt  status, num_negative, num_null; /* INFOG(1), (12), (28) of MUMPS */
} Saddle;

/* With K - shift M in place of K (and K_y); M may be NULL without a shift, ties NULL for none. Only ordered yet: what it would cost is
   known. */
PetscErrorCode SaddleCreate(Mat K, PetscReal shift, Mat M, const Boundary *boundary, const ContinuumTies *ties, Saddle *saddle);
/* Adds what MUMPS' analysis foresees of so many factorisations and solutions, and of the search for modes, to the cost. */
PetscErrorCode SaddleEstimate(const Saddle *saddle, PetscInt num_factors, PetscInt num_solves, ContinuumCost *cost);

enum { SOLVES_TO_BEGIN = 15, SOLVES_A_MODE = 3 }; /* of a search for modes */
PetscErrorCode SaddleFactor(Saddle *saddle);
/* Whether MUMPS could factor it, and whether K (less shift M) is positive definite wherever the ties allow motion: then, and only then, there
   are as many negative pivots as multipliers. */
void           SaddleJudge(const Saddle *saddle, ContinuumFault *fault);
PetscErrorCode SaddleDestroy(Saddle *saddle);

/* Motions of the whole under forces while b = 0: columns of dense matrices, best so many at once where there are thousands. */
enum { SADDLE_BLOCK = 128 };
PetscErrorCode SaddleSolve(const Saddle *saddle, Mat forces, Mat motions);

/* The same while the boundary is moved by b[m, columns], column after column; and the multipliers l, likewise, on all ranks. Forces or b may
   be NULL for none, multipliers when they are not wanted; motions may take the place of the forces. */
PetscErrorCode SaddleMove(const Saddle *saddle, Mat forces, const PetscReal b[], Mat motions, PetscReal multipliers[]);
