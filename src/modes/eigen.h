/*
  eigen.h - eigenvalues and vectors of K x = lambda M x with K symmetric and M positive definite, accurate for the low ones
  too when the system is badly graded: a light mass behind stiff springs may lift the largest lambda far above the others.
*/
#pragma once
#include <petscmat.h>
#include "base.h"

/* The columns of X are the vectors of the `count` lowest, perhaps of more, nearly in ascending order: X^T M X = 1 and X^T K X
   is diagonal. The caller destroys it. Local. */
PetscErrorCode EigenLowest(Mat K, Mat M, PetscInt count, Mat *X);
/* Whether it finds all of so many unknowns, whatever `count`. Local. */
PetscBool EigenFindsAll(PetscInt num_unknowns);
