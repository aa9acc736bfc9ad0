/* stored.c - the energy that the nonlinear joints hold by their laws, beyond that at rest. */
#include "system.h"

/* Adds those of a block whose law tells: law(motion + offset) by area, less the work of what rest transmits. `work` has room for its components
   and twice for its points. */
static void AddBlock(const SystemBlock *block, const PetscReal rows[], const JointHistory *history, PetscReal work[], SystemEnergy *sum)
{
  const PetscInt   n = block->block.num_points, num = SystemBlockComponents(block);
  PetscReal *const stored = work + num, *const exchanged = stored + n;

  SystemBlockMotion(block, rows, work);
  block->block.law->store(&block->block, history, &(JointMotion){work, NULL}, stored, exchanged);
  for (PetscInt i = 0; i < n; i++) {
    sum->stored += (block->area ? block->area[i] : 1.0) * stored[i];
    sum->exchanged += (block->area ? block->area[i] : 1.0) * exchanged[i];
  }
  for (PetscInt c = 0; block->rest && c < num; c++) sum->stored -= block->rest[c] * (work[c] - (block->offset ? block->offset[c] : 0.0));
}

PetscInt SystemStoredWork(const System *system)
{
  PetscInt most = 0;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    most = PetscMax(most, SystemBlockComponents(&system->blocks[b]) + 2 * system->blocks[b].block.num_points);
  return most;
}

SystemEnergy SystemStored(const System *system, const PetscReal rows[], const JointHistory history[], PetscReal work[])
{
  SystemEnergy sum = {0.0, 0.0};

  for (PetscInt b = 0; b < system->num_blocks; b++) {
    if (system->blocks[b].block.law->store) AddBlock(&system->blocks[b], rows, &history[b], work, &sum);
    else sum.stored = sum.exchanged = (PetscReal)NAN;
  }
  return sum;
}

PetscErrorCode SystemStoredAtRest(const System *system, SystemEnergy *at_rest)
{
  PetscReal *work;
  State     *rest;

  PetscFunctionBegin;
  PetscCall(StateCreate(system, 0, system->names.num_rows, &rest));
  PetscCall(PetscMalloc1(SystemStoredWork(system), &work));
  *at_rest = SystemStored(system, rest->motion, rest->history, work);
  PetscCall(PetscFree(work));
  PetscCall(StateDestroy(&rest));
  PetscFunctionReturn(PETSC_SUCCESS);
}
