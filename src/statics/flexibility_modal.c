/* flexibility_modal.c - a System on its lowest modes, with the compliance of all others: K0 is Omega^2, without the round-off of K. */
#include "statics/flexibility.h"

static PetscErrorCode Solve(const Flexibility *flexibility, PetscReal force[], PetscReal u[])
{
  const SystemResidual *const residual = flexibility->system->residual;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < flexibility->n; k++) u[k] = k < residual->num_rigid ? 0.0 : force[k] / residual->eigenvalue[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

const FlexibilityKind flexibility_modal = {.solve = Solve};
