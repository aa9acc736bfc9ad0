/*
  whole.h - motions of a continuum together with what its boundary is tied to: columns of u and behind them, on the last rank, y.
*/
#pragma once
#include "boundary.h"

/* What the rows of R are tied to: R_i u = y[unknown[i]], or at rest for -1. */
typedef struct {
  PetscInt        p;
  Mat             K, M; /* [p, p], the same on all ranks */
  const PetscInt *unknown;
} Ties;

/* Y = A X, by A on u and by A_y on y; A_y NULL where there is no y. */
PetscErrorCode WholeMultiply(Mat A, Mat A_y, Mat X, Mat Y);

/* u[n, count] of the first columns, and y[count, p] on all ranks. */
PetscErrorCode WholeDivide(Mat X, PetscInt count, PetscInt p, Mat u, PetscReal y[]);
