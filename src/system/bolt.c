/* bolt.c - bolts by name: what their places have, and what they are to be tightened to. */
#include "draft.h"

PetscErrorCode SystemAddBolt(System *system, const char *name, PetscReal stiffness, PetscReal preload)
{
  const PetscInt before = system->names.num_bolts;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(before, &system->draft->bolts_capacity, sizeof(SystemBolt), &system->bolts));
  PetscCall(NamesAddBolt(&system->names, name));
  system->bolts[before] = (SystemBolt){.stiffness = stiffness, .preload = preload};
  PetscFunctionReturn(PETSC_SUCCESS);
}
