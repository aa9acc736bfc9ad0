/* dense.h - small dense matrices that all ranks hold, and the columns of tall ones that are worked on together. */
#pragma once
#include <petscmat.h>
#include "base.h"

enum { COLUMNS_AT_ONCE = 32, SOLVED_AT_ONCE = 16 }; /* more cost memory and gain no speed */

/* Adds up what the ranks of `like` have. */
PetscErrorCode SumOverRanks(Mat like, PetscReal numbers[], size_t count);

/* The mean of a matrix and its transpose, of the first `count` rows and columns. Local. */
void Symmetrise(PetscInt size, PetscInt count, PetscReal matrix[]);

/* product[columns of A, of B] = A^T B of this rank's rows, in columns. Local. */
PetscErrorCode MultiplyTransposed(Mat A, Mat B, PetscReal product[]);

/* Turns a shape so that its largest component is positive, of equal ones the first. */
PetscErrorCode ChooseSign(Vec shape);

/* Eigenvalues, ascending, of a symmetric matrix, which becomes its eigenvectors, one after the other. Local. */
PetscErrorCode Diagonalise(PetscInt n, PetscReal A[], PetscReal eigenvalue[]);
