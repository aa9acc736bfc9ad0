/*
  whole.h - motions of a continuum together with what its boundary is tied to: columns of u and behind them, on the last rank, y.
*/
#pragma once
#include "boundary.h"
#include "product.h"

PetscErrorCode WholeCreateVec(Mat K, PetscInt p, Vec *motion);

/* Y = A X, by A on u and by A_y on y; A_y NULL where there is no y. */
PetscErrorCode WholeMultiply(const Product *A, Mat A_y, Mat X, Mat Y);

/* u[n, count] of the first columns, and y[count, p] on all ranks. */
PetscErrorCode WholeDivide(Mat X, PetscInt count, PetscInt p, Mat u, PetscReal y[]);
