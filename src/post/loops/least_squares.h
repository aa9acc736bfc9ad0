/*
  least_squares.h - the vector z that makes |A z - b| least, and how well the columns of A determine it.

  Columns are scaled to unit length and made orthogonal once, A = Q R; what is asked of A is then asked of R, which is small. The normal
  equations would square the condition number. All of it is local.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscBLASInt m, n;
  PetscReal   *A, *b;    /* [m, n] in columns, [m]; filled by the caller, lost in LeastSquaresFactor, where b becomes Q^T b */
  PetscReal   *length;   /* [n] of each column; 1 for a column of nothing */
  PetscReal   *R;        /* [n, n] of columns of unit length */
  PetscReal   *U, *V;    /* [n, n] R = U diag(singular) V^T */
  PetscReal   *singular; /* [n] descending */
  PetscReal   *z;        /* [n] of columns of unit length */
  PetscBLASInt rank;
} LeastSquares;

PetscErrorCode LeastSquaresCreate(PetscInt m, PetscInt n, LeastSquares *squares);
PetscErrorCode LeastSquaresDestroy(LeastSquares *squares);

PetscErrorCode LeastSquaresFactor(LeastSquares *squares);
/* By singular vectors, those of nothing left out; or from R, which must have full rank or a factor. Tikhonov's `factor` z is made small
   beside A z - b; 0 for none. */
PetscErrorCode LeastSquaresBySVD(LeastSquares *squares, PetscReal factor);
PetscErrorCode LeastSquaresByQR(LeastSquares *squares, PetscReal factor);

/* Of the matrix with columns of unit length, and of that with columns of these lengths; infinite when they depend on each other. */
PetscErrorCode LeastSquaresCondition(const LeastSquares *squares, const PetscReal lengths[], PetscReal *condition);
/* The length of what of a column, of unit length, the others do not have: 0 when it depends on them. */
PetscReal LeastSquaresOwn(const LeastSquares *squares, PetscInt column);
/* The row of the matrix that makes z of A^T b. */
void LeastSquaresInverse(const LeastSquares *squares, PetscReal factor, PetscInt column, PetscReal row[]);
/* Standard deviation of an unknown when those of b are 1. */
PetscReal LeastSquaresDeviation(const LeastSquares *squares, PetscReal factor, PetscInt column);
