/* whole.c - modes of a mesh that is not reduced, with what its points are tied to. */
#include "structure.h"

PetscErrorCode ModelModes(const Model *model, const System *system, JointState state, PetscInt count, PetscBool prove, ContinuumModes **modes)
{
  const Continuum *const continuum = system->continuum;
  ContinuumTies          ties      = {.num = system->num_unknowns, .M = system->M, .unknown = continuum->unknown};

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &ties.K));
  PetscCall(ContinuumModesFind(continuum, &ties, count, prove, modes));
  PetscCall(ContinuumComplain(model, continuum, &(*modes)->fault));
  PetscCall(MatDestroy(&ties.K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What modes would take, and whether that is too long; complains of what shows before it. */
PetscErrorCode StructureEstimate(const Model *model, const System *system, PetscReal patience)
{
  Structure *const structure = model->structure;
  ContinuumTies    ties      = {.num = system->num_unknowns, .M = system->M};
  ContinuumFault   fault;

  PetscFunctionBegin;
  if (!system->continuum || patience == PETSC_INFINITY) PetscFunctionReturn(PETSC_SUCCESS);
  ties.unknown = system->continuum->unknown;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &ties.K));
  PetscCall(ContinuumModesEstimate(system->continuum, &ties, &fault, &structure->cost));
  PetscCall(ContinuumComplain(model, system->continuum, &fault));
  PetscCall(MatDestroy(&ties.K));
  structure->is_sketch = (PetscBool)(structure->cost.seconds > patience);
  PetscFunctionReturn(PETSC_SUCCESS);
}
