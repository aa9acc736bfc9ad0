/* continuum.c - the part of a structure that is spread over ranks. */
#include "continuum.h"

PetscErrorCode ContinuumDestroy(Continuum **continuum)
{
  Continuum *const c = *continuum;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&c->K));
  PetscCall(MatDestroy(&c->M));
  PetscCall(MatDestroy(&c->R));
  PetscCall(MatDestroy(&c->rigid));
  PetscCall(PetscFree(c->part));
  PetscCall(PetscFree(c->unknown));
  PetscCall(MatDestroy(&c->followers));
  for (PetscInt d = 0; d < 3; d++) PetscCall(VecDestroy(&c->inertia[d]));
  PetscCall(PetscFree(*continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}
