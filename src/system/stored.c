/* stored.c - the energy that the nonlinear joints hold by their laws, beyond that at rest. */
#include "system.h"

/* Of a block whose law tells: law(motion + offset) by area, less the work of what rest transmits. `work` has room for its components and its
   points. */
static PetscReal StoredInBlock(const SystemBlock *block, const PetscReal rows[], const JointHistory *history, PetscReal work[])
{
  const PetscInt   n = block->block.num_points, num = SystemBlockComponents(block);
  PetscReal *const stored = work + num;
  PetscReal        sum    = 0.0;

  SystemBlockMotion(block, rows, work);
  block->block.law->store(&block->block, history, &(JointMotion){work, NULL}, stored);
  for (PetscInt i = 0; i < n; i++) sum += (block->area ? block->area[i] : 1.0) * stored[i];
  for (PetscInt c = 0; block->rest && c < num; c++) sum -= block->rest[c] * (work[c] - (block->offset ? block->offset[c] : 0.0));
  return sum;
}

PetscInt SystemStoredWork(const System *system)
{
  PetscInt most = 0;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    most = PetscMax(most, SystemBlockComponents(&system->blocks[b]) + system->blocks[b].block.num_points);
  return most;
}

PetscReal SystemStored(const System *system, const PetscReal rows[], const JointHistory history[], PetscReal work[])
{
  PetscReal sum = 0.0;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    sum += system->blocks[b].block.law->store ? StoredInBlock(&system->blocks[b], rows, &history[b], work) : (PetscReal)NAN;
  return sum;
}

PetscErrorCode SystemStoredAtRest(const System *system, PetscReal *stored)
{
  PetscReal *work;
  State     *rest;

  PetscFunctionBegin;
  PetscCall(StateCreate(system, 0, system->names.num_rows, &rest));
  PetscCall(PetscMalloc1(SystemStoredWork(system), &work));
  *stored = SystemStored(system, rest->motion, rest->history, work);
  PetscCall(PetscFree(work));
  PetscCall(StateDestroy(&rest));
  PetscFunctionReturn(PETSC_SUCCESS);
}
