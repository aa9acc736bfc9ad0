/* reaction.c - what the ground gives at supports that are no unknowns of the System: rows on these. */
#include "draft.h"

PetscErrorCode SystemAddReactions(System *system, PetscInt count)
{
  PetscFunctionBegin;
  system->num_reactions = count;
  PetscCall(PetscCalloc1(count, &system->reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Set(PetscInt count, const PetscReal values[], Vec *vector)
{
  PetscScalar *entry;

  PetscFunctionBegin;
  if (!values) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecDestroy(vector));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, vector));
  PetscCall(VecGetArrayWrite(*vector, &entry));
  PetscCall(PetscArraycpy(entry, values, count));
  PetscCall(VecRestoreArrayWrite(*vector, &entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetReaction(System *system, PetscInt r, const PetscReal stiffness[], const PetscReal mass[])
{
  PetscFunctionBegin;
  PetscCall(Set(system->num_unknowns, stiffness, &system->reactions[r].stiffness));
  PetscCall(Set(system->num_unknowns, mass, &system->reactions[r].mass));
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
