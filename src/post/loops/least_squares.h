/*
  least_squares.h - linear least squares: the vector z that minimises |A z - b|, and how well the columns of A determine it.

  Columns are scaled to unit length and factored once, A = Q R; everything else is computed from R, which is small. The normal equations
  would square the condition number. All of it is local.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscBLASInt m, n;
  PetscReal   *A, *b;    /* [m, n] by columns, [m]; filled by the caller, overwritten by LeastSquaresFactor, where b becomes Q^T b */
  PetscReal   *length;   /* [n] of each column; 1 for a column of zeros */
  PetscReal   *R;        /* [n, n] for columns of unit length */
  PetscReal   *U, *V;    /* [n, n] R = U diag(singular) V^T */
  PetscReal   *singular; /* [n] descending */
  PetscReal   *z;        /* [n] solution for columns of unit length */
  PetscBLASInt rank;
} LeastSquares;

PetscErrorCode LeastSquaresCreate(PetscInt m, PetscInt n, LeastSquares *squares);
PetscErrorCode LeastSquaresDestroy(LeastSquares *squares);

PetscErrorCode LeastSquaresFactor(LeastSquares *squares);
/* The solution by singular vectors, without those whose singular value is zero; or from R, which needs full rank or a factor. Minimises
   |A z - b|^2 + |factor z|^2 (Tikhonov); factor 0: no regularisation. */
PetscErrorCode LeastSquaresBySVD(LeastSquares *squares, PetscReal factor);
PetscErrorCode LeastSquaresByQR(LeastSquares *squares, PetscReal factor);

/* Condition number of the matrix with columns of these lengths, NULL for unit length; infinite where columns depend on each other. */
PetscErrorCode LeastSquaresCondition(const LeastSquares *squares, const PetscReal lengths[], PetscReal *condition);
/* Length of the component of a column of unit length that is orthogonal to all others; 0 where it depends on them. */
PetscReal LeastSquaresOwn(const LeastSquares *squares, PetscInt column);
/* The row of the matrix that gives z from A^T b. */
void LeastSquaresInverse(const LeastSquares *squares, PetscReal factor, PetscInt column, PetscReal row[]);
/* Standard deviation of an unknown when the elements of b have the standard deviation 1. */
PetscReal LeastSquaresDeviation(const LeastSquares *squares, PetscReal factor, PetscInt column);
