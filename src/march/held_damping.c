/* held_damping.c - what damping of the whole structure does between the coordinates and what is held. */
#include "march/held_damping.h"

PetscReal ModeFollows(const Modes *modes, PetscInt k, const PetscReal stiffness[])
{
  const PetscReal *const shape = modes->shape + (size_t)k * (size_t)modes->num_unknowns;

  return modes->eigenvalue[k] > 0.0 && k >= modes->num_rigid ? -RowsTimesOne(modes->num_unknowns, shape, stiffness) / modes->eigenvalue[k] : 0.0;
}

PetscReal RatioDamping(const System *system, const Modes *modes, PetscInt k)
{
  SystemDamping ratios = system->damping;

  ratios.mass_factor = ratios.stiffness_factor = 0.0;
  return ModalDamping(&ratios, k, modes->omega[k]);
}

/* C_s -= M sum_k c_k phi_k (phi_k^T M Psi) */
static PetscErrorCode AddRatios(const System *system, const Modes *modes, const PetscReal stiffness[], PetscReal damping[])
{
  const PetscInt     n = system->num_unknowns;
  PetscReal         *damped;
  const PetscScalar *value;
  Vec                shape, momentum;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(n, &damped));
  for (PetscInt k = 0; k < modes->count; k++) {
    const PetscReal factor = RatioDamping(system, modes, k) * ModeFollows(modes, k, stiffness);

    for (PetscInt j = 0; j < n && factor != 0.0; j++) damped[j] += factor * modes->shape[(size_t)k * (size_t)n + (size_t)j];
  }
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, damped, &shape));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &momentum));
  PetscCall(MatMult(system->M, shape, momentum));
  PetscCall(VecGetArrayRead(momentum, &value));
  for (PetscInt j = 0; j < n; j++) damping[j] -= value[j];
  PetscCall(VecRestoreArrayRead(momentum, &value));
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&momentum));
  PetscCall(PetscFree(damped));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HeldDampingAdd(const System *system, const Modes *modes, const PetscReal stiffness[], const PetscReal mass[], PetscReal damping[])
{
  const SystemDamping *const of = &system->damping;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < system->num_unknowns; j++) damping[j] += of->mass_factor * mass[j] + of->stiffness_factor * stiffness[j];
  if (of->num_ratios && modes) PetscCall(AddRatios(system, modes, stiffness, damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}
