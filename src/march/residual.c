/* residual.c - the static motion of modes that were left out, in a march. */
#include "march/residual.h"

/* Of motions under forces on all places those under forces of the rows and of the loads. */
static void TakeRow(const Residual *residual, const PetscReal all[], PetscReal row[])
{
  const PetscInt m = residual->m, num_nonlinear = residual->system->names.num_nonlinear;

  for (PetscInt i = 0; i < m; i++) row[i] = i < num_nonlinear ? all[i] : 0.0;
  for (PetscInt l = 0; l < residual->num_loads; l++)
    row[m + l] = residual->load_place[l] < 0 ? 0.0 : residual->load_factor[l] * all[residual->load_place[l]];
}

PetscErrorCode ResidualRow(const Residual *residual, PetscInt place, PetscReal row[])
{
  const Compliance *const compliance = residual->system->residual->compliance;
  PetscReal              *all;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(compliance->num, &all));
  PetscCall(ComplianceRow(compliance, place, compliance->num, all));
  TakeRow(residual, all, row);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResidualMean(const Residual *residual, const PetscReal shares[], PetscReal row[])
{
  const Compliance *const compliance = residual->system->residual->compliance;
  PetscReal              *all;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(compliance->num, &all));
  ComplianceMove(compliance, compliance->num, shares, 0, compliance->num, all);
  TakeRow(residual, all, row);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillLoads(Residual *residual)
{
  const PetscInt width = residual->m + residual->num_loads;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < residual->num_loads; l++) {
    PetscReal *const row = residual->loads + l * width;

    if (residual->load_place[l] < 0) continue;
    PetscCall(ResidualRow(residual, residual->load_place[l], row));
    for (PetscInt j = 0; j < width; j++) row[j] *= residual->load_factor[l];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode LinkJoints(const Linear *linear, Residual *residual)
{
  const PetscInt m = residual->m, num = residual->system->names.num_nonlinear;

  PetscFunctionBegin;
  if (linear->shares) {
    PetscCall(InfluenceOfResidual(residual->system, m, 0, NULL, NULL, 0.0, &residual->joints));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(m * m, &residual->matrix));
  for (PetscInt i = 0; i < num; i++) PetscCall(ComplianceRow(residual->system->residual->compliance, i, num, residual->matrix + i * m));
  residual->joints = InfluenceOfMatrix(m, residual->matrix);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResidualCreate(const Linear *linear, PetscInt num_loads, const Load loads[], Residual **residual)
{
  const System *const system = linear->system;
  const PetscInt      m = linear->m, width = m + num_loads;
  Residual           *made;

  PetscFunctionBegin;
  *residual = NULL;
  if (!system->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(residual));
  made  = *residual;
  *made = (Residual){.system = system, .m = m, .num_loads = num_loads};
  PetscCall(PetscCalloc1(num_loads * width, &made->loads));
  PetscCall(PetscCalloc2(num_loads, &made->load_factor, num_loads, &made->load_place));
  PetscCall(PetscCalloc3(width, &made->force, width, &made->old_force, width, &made->moved));
  for (PetscInt l = 0; l < num_loads; l++) {
    made->load_place[l]  = LoadSystemPlace(&loads[l], system);
    made->load_factor[l] = LoadFactor(&loads[l]);
  }
  PetscCall(LinkJoints(linear, made));
  PetscCall(FillLoads(made));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResidualDestroy(Residual **residual)
{
  Residual *const r = *residual;

  PetscFunctionBegin;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InfluenceDestroy(&r->joints));
  PetscCall(PetscFree(r->matrix));
  PetscCall(PetscFree(r->loads));
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
    for (PetscInt l = 0; l < residual->num_loads; l++) motion[i] += residual->loads[l * width + i] * signal[l];
}

PetscReal ResidualWork(Residual *residual, const PetscReal old_remainder[], const PetscReal old_signal[], const PetscReal remainder[],
                       const PetscReal signal[])
{
  const PetscInt m = residual->m, num_loads = residual->num_loads, width = m + num_loads;
  PetscReal      work = 0.0;

  ResidualForces(residual, old_remainder, old_signal, residual->old_force);
  ResidualForces(residual, remainder, signal, residual->force);
  for (PetscInt i = 0; i < width; i++) residual->moved[i] = residual->force[i] - residual->old_force[i];
  RowsTimes(num_loads, width, residual->loads, residual->moved, residual->force); /* its values are no longer needed */
  for (PetscInt l = 0; l < num_loads; l++) work += 0.5 * (old_signal[l] + signal[l]) * residual->force[l];
  return work;
}

/* 1/2 s R s with s = (-g, p): of the joints alone, and of the loads with both. */
PetscReal ResidualEnergy(Residual *residual, const State *state, const PetscReal signal[])
{
  const PetscInt   m = residual->m, num_loads = residual->num_loads, width = m + num_loads;
  const PetscReal *yield  = state->yield;
  PetscReal        energy = 0.0;

  if (!residual->joints.lasting) {
    InfluenceMove(&residual->joints, state->remainder, residual->moved);
    yield = residual->moved;
  }
  for (PetscInt i = 0; i < m; i++) energy += 0.5 * state->remainder[i] * yield[i];
  for (PetscInt i = 0; i < m; i++) residual->force[i] = -2.0 * state->remainder[i];
  for (PetscInt l = 0; l < num_loads; l++) residual->force[m + l] = signal[l];
  for (PetscInt l = 0; l < num_loads; l++) energy += 0.5 * signal[l] * RowsTimesOne(width, residual->loads + l * width, residual->force);
  return energy;
}
