/* reaction.c - what the ground gives at supports that are no unknowns of the System: rows on these. */
#include "draft.h"

PetscErrorCode SystemAddReactions(System *system, PetscInt count)
{
  PetscFunctionBegin;
  system->num_reactions = count;
  PetscCall(PetscCalloc1(count, &system->reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetReaction(System *system, PetscInt r, const PetscReal stiffness[], const PetscReal mass[])
{
  PetscFunctionBegin;
  if (stiffness) PetscCall(VectorReplace(&system->reactions[r].stiffness, system->num_unknowns, stiffness));
  if (mass) PetscCall(VectorReplace(&system->reactions[r].mass, system->num_unknowns, mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemReactionsDestroy(System *system)
{
  PetscFunctionBegin;
  for (PetscInt r = 0; r < system->num_reactions; r++) {
    PetscCall(VecDestroy(&system->reactions[r].stiffness));
    PetscCall(VecDestroy(&system->reactions[r].mass));
  }
  PetscCall(PetscFree(system->reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
