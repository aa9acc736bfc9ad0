/* shared.c - a System whose static compliance is spread over ranks: one of them computes with it, and tells the others. */
#include "system.h"

PetscBool SystemIsShared(const System *system)
{
  return (PetscBool)(system->residual && ComplianceIsSpread(system->residual->compliance));
}

PetscErrorCode SystemLead(const System *system, PetscBool *leads)
{
  PetscFunctionBegin;
  *leads = PETSC_TRUE;
  if (SystemIsShared(system)) PetscCall(ComplianceLead(system->residual->compliance, leads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemDismiss(const System *system)
{
  PetscFunctionBegin;
  if (SystemIsShared(system)) PetscCall(ComplianceDismiss(system->residual->compliance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemShare(const System *system, size_t count, PetscReal numbers[])
{
  PetscFunctionBegin;
  if (SystemIsShared(system)) PetscCall(ComplianceShare(system->residual->compliance, count, numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemShareState(const System *system, PetscInt num_rows, State **state)
{
  PetscReal  size = *state ? (PetscReal)StateSize(*state) : 0.0;
  PetscReal *numbers;

  PetscFunctionBegin;
  if (!SystemIsShared(system)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemShare(system, 1, &size));
  PetscCall(PetscMalloc1((size_t)size, &numbers));
  if (*state) StatePack(*state, numbers);
  PetscCall(SystemShare(system, (size_t)size, numbers));
  if (!*state) {
    PetscCall(StateCreate(system, system->num_unknowns, num_rows, state));
    PetscCall(StateUnpack(*state, (PetscInt)size, numbers));
  }
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
