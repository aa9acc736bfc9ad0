/* snapshots.c - the motions of all unknowns at chosen steps, in the result file. */
#include "record/snapshots.h"

static PetscErrorCode Reserve(Result *result, const char *group, const char *name, PetscInt count, PetscInt width, ResultArray *array)
{
  const PetscInt64 dims[2] = {count, width};
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/fields/%s", group, name));
  PetscCall(ResultReserve(result, path, RESULT_REAL, width ? 2 : 1, dims, array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SnapshotsReserve(const System *system, Result *result, const char *group, Snapshots *snapshots)
{
  PetscFunctionBegin;
  if (snapshots->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Reserve(result, group, "time", snapshots->count, 0, &snapshots->time));
  PetscCall(Reserve(result, group, "displacement", snapshots->count, system->num_unknowns, &snapshots->displacement));
  if (snapshots->velocity) PetscCall(Reserve(result, group, "velocity", snapshots->count, system->num_unknowns, &snapshots->rate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SnapshotsDestroy(Snapshots *snapshots)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(snapshots->steps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SnapshotsBegin(Snapshots *snapshots, PetscInt64 step)
{
  snapshots->next = 0;
  while (snapshots->next < snapshots->count && snapshots->steps[snapshots->next] <= step) snapshots->next++;
}

/* Written at once: a motion of the mesh is a thousand times larger, so this costs nothing beside it. */
PetscErrorCode SnapshotsTake(Snapshots *snapshots, const Linear *linear, const State *state, const Result *result)
{
  const PetscInt row = snapshots->next;
  PetscReal     *unknowns;

  PetscFunctionBeginHot;
  if (row == snapshots->count || snapshots->steps[row] != state->step) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(linear->system->num_unknowns, &unknowns));
  PetscCall(linear->kind->expand(linear, state->u, unknowns));
  PetscCall(ResultWriteRows(result, &snapshots->displacement, row, 1, unknowns));
  if (snapshots->velocity) {
    PetscCall(linear->kind->expand(linear, state->v, unknowns));
    PetscCall(ResultWriteRows(result, &snapshots->rate, row, 1, unknowns));
  }
  PetscCall(ResultWriteRows(result, &snapshots->time, row, 1, &state->time));
  PetscCall(PetscFree(unknowns));
  snapshots->next++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
