/* support_damping.c - damping between moving supports and the rest, of matrices and of modes. */
#include "march/support_damping.h"

/* C_ss += Psi^T C Psi of the ratios of modes. */
static void AddOwnRatios(const System *system, const Modes *modes, PetscReal own[])
{
  const PetscInt count = system->names.num_supports;

  for (PetscInt k = 0; k < modes->count; k++) {
    const PetscReal c = RatioDamping(system, modes, k);

    for (PetscInt s = 0; s < count && c != 0.0; s++) {
      const PetscReal follows = ModeFollows(modes, k, system->supports[s].stiffness);

      for (PetscInt t = 0; t < count; t++) own[s * count + t] += c * follows * ModeFollows(modes, k, system->supports[t].stiffness);
    }
  }
}

PetscErrorCode SupportDampingFind(const System *system, const Modes *modes, PetscReal damping[], PetscReal own[])
{
  const PetscInt  n = system->num_unknowns, count = system->names.num_supports;
  const PetscReal by_mass = system->damping.mass_factor, by_stiffness = system->damping.stiffness_factor;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < count; s++) {
    const SystemSupport *const support = &system->supports[s];

    PetscCall(PetscArraycpy(damping + s * n, support->damping, n));
    PetscCall(HeldDampingAdd(system, modes, support->stiffness, support->mass, damping + s * n));
    for (PetscInt t = 0; t < count; t++)
      own[s * count + t] = support->own_damping[t] + by_mass * support->own_mass[t] + by_stiffness * support->own_stiffness[t];
  }
  if (system->damping.num_ratios && modes) AddOwnRatios(system, modes, own);
  PetscFunctionReturn(PETSC_SUCCESS);
}
