/* residual.c - the static motion of modes that were left out, in a march. */
#include "march/residual.h"

void ResidualRow(const Residual *residual, PetscInt place, PetscReal row[])
{
  const PetscInt m = residual->m, num_nonlinear = residual->system->names.num_nonlinear;

  for (PetscInt i = 0; i < m; i++) row[i] = i < num_nonlinear ? SystemCompliance(residual->system, place, i) : 0.0;
  for (PetscInt l = 0; l < residual->num_loads; l++)
    row[m + l] = residual->load_place[l] < 0 ? 0.0 : residual->load_factor[l] * SystemCompliance(residual->system, place, residual->load_place[l]);
}

/* Rows of the joints, then of the loads: symmetric. */
static void FillSources(Residual *residual)
{
  const PetscInt m = residual->m, width = m + residual->num_loads;

  for (PetscInt i = 0; i < residual->system->names.num_nonlinear; i++) {
    ResidualRow(residual, i, residual->sources + i * width);
    for (PetscInt j = 0; j < m; j++) residual->joints[i * m + j] = residual->sources[i * width + j];
  }
  for (PetscInt l = 0; l < residual->num_loads; l++) {
    PetscReal *const row = residual->sources + (m + l) * width;

    if (residual->load_place[l] < 0) continue;
    ResidualRow(residual, residual->load_place[l], row);
    for (PetscInt j = 0; j < width; j++) row[j] *= residual->load_factor[l];
  }
}

PetscErrorCode ResidualCreate(const System *system, PetscInt m, PetscInt num_loads, const Load loads[], Residual **residual)
{
  const PetscInt width = m + num_loads;
  Residual      *made;

  PetscFunctionBegin;
  *residual = NULL;
  if (!system->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(residual));
  made  = *residual;
  *made = (Residual){.system = system, .m = m, .num_loads = num_loads};
  PetscCall(PetscCalloc2(m * m, &made->joints, width * width, &made->sources));
  PetscCall(PetscCalloc2(num_loads, &made->load_factor, num_loads, &made->load_place));
  PetscCall(PetscCalloc3(width, &made->force, width, &made->old_force, width, &made->moved));
  for (PetscInt l = 0; l < num_loads; l++) {
    made->load_place[l]  = LoadSystemPlace(&loads[l], system);
    made->load_factor[l] = LoadFactor(&loads[l]);
  }
  FillSources(made);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResidualDestroy(Residual **residual)
{
  Residual *const r = *residual;

  PetscFunctionBegin;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2(r->joints, r->sources));
  PetscCall(PetscFree2(r->load_factor, r->load_place));
  PetscCall(PetscFree3(r->force, r->old_force, r->moved));
  PetscCall(PetscFree(*residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ResidualForces(const Residual *residual, const PetscReal remainder[], const PetscReal signal[], PetscReal force[])
{
  for (PetscInt i = 0; i < residual->m; i++) force[i] = -remainder[i];
  for (PetscInt l = 0; l < residual->num_loads; l++) force[residual->m + l] = signal[l];
}

void ResidualAddLoads(const Residual *residual, const PetscReal signal[], PetscReal motion[])
{
  const PetscInt m = residual->m, width = m + residual->num_loads;

  for (PetscInt i = 0; i < m; i++)
    for (PetscInt l = 0; l < residual->num_loads; l++) motion[i] += residual->sources[i * width + m + l] * signal[l];
}

PetscReal ResidualWork(Residual *residual, const PetscReal old_remainder[], const PetscReal old_signal[], const PetscReal remainder[],
                       const PetscReal signal[])
{
  const PetscInt m = residual->m, num_loads = residual->num_loads, width = m + num_loads;
  PetscReal      work = 0.0;

  ResidualForces(residual, old_remainder, old_signal, residual->old_force);
  ResidualForces(residual, remainder, signal, residual->force);
  for (PetscInt i = 0; i < width; i++) residual->moved[i] = residual->force[i] - residual->old_force[i];
  RowsTimes(num_loads, width, residual->sources + m * width, residual->moved, residual->force); /* its values are no longer needed */
  for (PetscInt l = 0; l < num_loads; l++) work += 0.5 * (old_signal[l] + signal[l]) * residual->force[l];
  return work;
}

PetscReal ResidualEnergy(Residual *residual, const PetscReal remainder[], const PetscReal signal[])
{
  const PetscInt width  = residual->m + residual->num_loads;
  PetscReal      energy = 0.0;

  ResidualForces(residual, remainder, signal, residual->force);
  RowsTimes(width, width, residual->sources, residual->force, residual->moved);
  for (PetscInt i = 0; i < width; i++) energy += 0.5 * residual->force[i] * residual->moved[i];
  return energy;
}
