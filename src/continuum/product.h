/*
  product.h - a symmetric matrix times many columns, fast and to more digits than doubles have.

  Where a slender body bends its elements mostly turn as rigid ones, and K u is the small difference of large forces: of a sum in doubles
  little is right, and what, depends on the order of its terms, and so on the number of ranks. Here A and X are cut into heads of 20 bits
  and tails. Products of heads are summed without any error; what is left is 2^20 times smaller [Ozaki, Ogita, Oishi and Rump 2012].
  Zeros in the blocks of A are left out, and A is read once for eight columns: faster than PETSc's product of one column after the other.
*/
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct Product Product;

/* Copies A, of type AIJ or SBAIJ: its upper triangle. */
PetscErrorCode ProductCreate(Mat A, Product **product);
PetscErrorCode ProductDestroy(Product **product);

/* Its rows on this rank. Local. */
PetscInt ProductNumRows(const Product *product);

/* Y = A X, dense and distributed as A. */
PetscErrorCode ProductCompute(const Product *product, Mat X, Mat Y);
/* The same of columns of this rank's rows of A. */
PetscErrorCode ProductColumns(const Product *product, PetscInt count, const PetscScalar X[], PetscInt stride_x, PetscScalar Y[], PetscInt stride_y);

/* X^T A X, [columns, columns], on all ranks. */
PetscErrorCode ProductProject(const Product *product, Mat X, PetscReal projected[]);
