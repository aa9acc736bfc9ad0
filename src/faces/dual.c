/* dual.c - the weights of a facet that is covered in part or in full. */
#include "cover.h"
#include <petscblaslapack.h>

/* Eigenvalues of D^-1 M are 1 and, on facets covered in full, 1/4 (triangles) or 1/3 and 1/6 (quadrilaterals, 0.16 the most distorted). */
static const PetscReal least = 0.04;

/* M v = lambda D v with v^T D v = 1 gives D M^-1 = D sum v v^T / lambda. Where little is covered some lambda vanish, and the weights would
   grow beyond all bounds; they are taken as `least`. Lambda = 1 belongs to v of equal components, so the weights still sum to 1. */
PetscErrorCode DualWeights(PetscInt num, const PetscReal share[], const Hats mass, Hats dual)
{
  const PetscBLASInt n = (PetscBLASInt)num, kind = 1, room = 64;
  PetscReal          vectors[MOST_CORNERS * MOST_CORNERS], shares[MOST_CORNERS * MOST_CORNERS] = {0.0}, lambda[MOST_CORNERS], work[64];
  PetscBLASInt       info;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num; i++) {
    for (PetscInt j = 0; j < num; j++) vectors[num * i + j] = mass[i][j];
    shares[num * i + i] = share[i];
  }
  LAPACKsygv_(&kind, "V", "U", &n, vectors, &n, shares, &n, lambda, work, &room, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dsygv gave %d", (int)info);
  for (PetscInt i = 0; i < num; i++) {
    for (PetscInt j = 0; j < num; j++) {
      dual[i][j] = 0.0;
      for (PetscInt k = 0; k < num; k++) dual[i][j] += share[i] * vectors[num * k + i] * vectors[num * k + j] / PetscMax(lambda[k], least);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
