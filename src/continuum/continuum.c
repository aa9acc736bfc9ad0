/* continuum.c - the part of a structure that is spread over ranks. */
#include "boundary.h"

PetscErrorCode ContinuumDestroy(Continuum **continuum)
{
  Continuum *const c = *continuum;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&c->K));
  PetscCall(MatDestroy(&c->M));
  PetscCall(MatDestroy(&c->stress));
  PetscCall(MatDestroy(&c->touching));
  PetscCall(MatDestroy(&c->R));
  PetscCall(MatDestroy(&c->rigid));
  PetscCall(PetscFree(c->body));
  PetscCall(PetscFree(c->unknown));
  PetscCall(MatDestroy(&c->followers));
  for (PetscInt d = 0; d < 3; d++) PetscCall(VecDestroy(&c->inertia[d]));
  PetscCall(PetscFree(*continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumMeasure(const Continuum *continuum, ContinuumCost *cost)
{
  MatInfo stiffness, mass;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(cost, sizeof(*cost)));
  PetscCall(MatGetSize(continuum->K, &cost->num_unknowns, NULL));
  PetscCall(MatGetInfo(continuum->K, MAT_GLOBAL_SUM, &stiffness));
  PetscCall(MatGetInfo(continuum->M, MAT_GLOBAL_SUM, &mass));
  cost->matrices_memory = sizeof(PetscScalar) * (stiffness.nz_used + mass.nz_used);
  PetscFunctionReturn(PETSC_SUCCESS);
}
