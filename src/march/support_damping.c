/* support_damping.c - damping between moving supports and the rest, of matrices and of modes. */
#include "march/support_damping.h"
#include "march/linear.h"
#include "rows.h"

PetscReal ModeFollowsSupport(const Modes *modes, PetscInt k, const SystemSupport *support)
{
  const PetscReal *const shape = modes->shape + (size_t)k * (size_t)modes->num_unknowns;

  return modes->eigenvalue[k] > 0.0 && k >= modes->num_rigid ? -RowsTimesOne(modes->num_unknowns, shape, support->stiffness) / modes->eigenvalue[k]
                                                             : 0.0;
}

/* C_s += -C Psi, C_ss += Psi^T C Psi of the ratios of modes, C = M Phi diag(2 zeta omega) Phi^T M. */
static PetscErrorCode AddModalDamping(const System *system, const Modes *modes, PetscReal damping[], PetscReal own[])
{
  const PetscInt n = system->num_unknowns, count = system->names.num_supports;
  SystemDamping  ratios = system->damping;
  PetscReal     *follows;
  Vec            shape, momentum;

  PetscFunctionBegin;
  ratios.mass_factor = ratios.stiffness_factor = 0.0;
  PetscCall(PetscMalloc1(count, &follows));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &shape));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &momentum));
  for (PetscInt k = 0; k < modes->count; k++) {
    const PetscReal    c = ModalDamping(&ratios, k, modes->omega[k]);
    const PetscScalar *value;

    PetscCall(VecPlaceArray(shape, modes->shape + (size_t)k * (size_t)n));
    PetscCall(MatMult(system->M, shape, momentum));
    PetscCall(VecResetArray(shape));
    PetscCall(VecGetArrayRead(momentum, &value));
    for (PetscInt s = 0; s < count; s++) follows[s] = ModeFollowsSupport(modes, k, &system->supports[s]);
    for (PetscInt s = 0; s < count; s++) {
      for (PetscInt j = 0; j < n; j++) damping[s * n + j] -= c * follows[s] * value[j];
      for (PetscInt t = 0; t < count; t++) own[s * count + t] += c * follows[s] * follows[t];
    }
    PetscCall(VecRestoreArrayRead(momentum, &value));
  }
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&momentum));
  PetscCall(PetscFree(follows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SupportDampingFind(const System *system, const Modes *modes, PetscReal damping[], PetscReal own[])
{
  const PetscInt  n = system->num_unknowns, count = system->names.num_supports;
  const PetscReal by_mass = system->damping.mass_factor, by_stiffness = system->damping.stiffness_factor;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < count; s++) {
    const SystemSupport *const support = &system->supports[s];

    for (PetscInt j = 0; j < n; j++) damping[s * n + j] = support->damping[j] + by_mass * support->mass[j] + by_stiffness * support->stiffness[j];
    for (PetscInt t = 0; t < count; t++)
      own[s * count + t] = support->own_damping[t] + by_mass * support->own_mass[t] + by_stiffness * support->own_stiffness[t];
  }
  if (system->damping.num_ratios && modes) PetscCall(AddModalDamping(system, modes, damping, own));
  PetscFunctionReturn(PETSC_SUCCESS);
}
