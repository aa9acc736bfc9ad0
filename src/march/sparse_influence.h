/*
  sparse_influence.h - how forces of many joints move these on sparse matrices: by factors of S, and of S with the tangents of the joints.

      H = c B S^-1 B^T      (1 + H D)^-1 = 1 - c B (S + c B^T D B)^-1 B^T D   [Sherman, Morrison 1950; Woodbury 1950]

  c = theta beta h^2. S + c B^T D B is factored anew for each D; only rows whose D is not nothing are added to it.
*/
#pragma once
#include "march/linear.h"

typedef struct SparseInfluence SparseInfluence;

/* `joints` and `solver`, which solves with S, must outlive it. */
PetscErrorCode SparseInfluenceCreate(const LinearRows *joints, Mat S, KSP solver, PetscReal c, SparseInfluence **sparse, Influence *influence);
PetscErrorCode SparseInfluenceDestroy(SparseInfluence **sparse);
/* response = S^-1 B^T force: [n]. What was asked for last is known. Hot. */
PetscErrorCode SparseInfluenceRespond(SparseInfluence *sparse, const PetscReal force[], PetscReal response[]);
/* How many numbers the factors of a matrix with the pattern of this one have, which is symmetric. */
PetscErrorCode SparseInfluenceCountFactors(Mat matrix, PetscReal *count);
