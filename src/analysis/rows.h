/*
  rows.h - products with a few dense rows: the shape of everything that couples joints and coordinates.

  BLAS costs more to call than these take; four rows at a time share the loads and stores of the vector. Local.
*/
#pragma once
#include "base.h"

/* y = A x for a row-major A [rows, n]. */
void RowsTimes(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal y[]);
/* y = A^T f. */
void RowsCombine(PetscInt rows, PetscInt n, const PetscReal A[], const PetscReal f[], PetscReal y[]);
