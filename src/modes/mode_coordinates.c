/* mode_coordinates.c - motions of the unknowns as coordinates on modes, and back. */
#include "modes.h"
#include "rows.h"

PetscErrorCode ModesProject(const System *system, const Modes *modes, const PetscReal unknowns[], PetscReal coordinates[])
{
  Vec          motion, momentum;
  PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(system->M, &motion, &momentum));
  PetscCall(VecGetArray(motion, &value));
  PetscCall(PetscArraycpy(value, unknowns, modes->num_unknowns));
  PetscCall(VecRestoreArray(motion, &value));
  PetscCall(MatMult(system->M, motion, momentum));
  PetscCall(VecGetArray(momentum, &value));
  RowsTimes(modes->count, modes->num_unknowns, modes->shape, value, coordinates);
  PetscCall(VecRestoreArray(momentum, &value));
  PetscCall(VecDestroy(&motion));
  PetscCall(VecDestroy(&momentum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesExpand(const Modes *modes, const PetscReal coordinates[], PetscReal unknowns[])
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(unknowns, modes->num_unknowns));
  for (PetscInt k = 0; k < modes->count; k++)
    for (PetscInt i = 0; i < modes->num_unknowns; i++) unknowns[i] += coordinates[k] * modes->shape[k * modes->num_unknowns + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}
