/* snapshots.c - the motions of all unknowns at chosen steps, in the result file. */
#include "record/snapshots.h"

// clang-format off
static const OutputField fields[] = {
  [SNAPSHOTS_TIME]         = {"time", RESULT_REAL, {"times"}, "s", "times of the chosen steps"},
  [SNAPSHOTS_DISPLACEMENT] = {"displacement", RESULT_REAL, {"times", "unknowns"}, "m", "motions of the unknowns, or coordinates of a modal model, from which the motion of the mesh is computed"},
  [SNAPSHOTS_VELOCITY]     = {"velocity", RESULT_REAL, {"times", "unknowns"}, "m/s", "likewise"},
  [SNAPSHOTS_FORCE]        = {"force", RESULT_REAL, {"times", "places"}, NULL, "of a mesh on its modes: forces on the places of the structure, as loads and joints have them, which modes that were left out follow at once"},
  {0}
};
// clang-format on

const OutputTable snapshots_table = {"transient/RUN/fields", "motions of all unknowns at chosen times", fields, NULL};

PetscErrorCode SnapshotsDeclare(PetscInt num_unknowns, Findings *findings, const char *group, Snapshots *snapshots)
{
  PetscFunctionBegin;
  if (snapshots->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingsAdd(findings, &snapshots_table, &snapshots->finding, "%s/fields", group));
  PetscCall(FindingSetSize(snapshots->finding, "times", snapshots->count));
  PetscCall(FindingSetSize(snapshots->finding, "unknowns", num_unknowns));
  if (!snapshots->velocity) PetscCall(FindingOmit(snapshots->finding, SNAPSHOTS_VELOCITY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SnapshotsPlace(Snapshots *snapshots, const System *system)
{
  PetscFunctionBegin;
  if (snapshots->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  snapshots->forces = (PetscBool)(system && SystemIsOnModes(system));
  if (snapshots->forces) PetscCall(FindingSetSize(snapshots->finding, "places", SystemNumPlaces(system)));
  else PetscCall(FindingOmit(snapshots->finding, SNAPSHOTS_FORCE));
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

static PetscErrorCode TakeForces(const Snapshots *snapshots, const Stepper *stepper, const State *state, const Result *result)
{
  PetscReal *forces;

  PetscFunctionBegin;
  if (!snapshots->forces) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(SystemNumPlaces(stepper->linear->system), &forces));
  StepperPlaceForces(stepper, state, forces);
  PetscCall(FindingWrite(snapshots->finding, SNAPSHOTS_FORCE, snapshots->next, 1, forces, result));
  PetscCall(PetscFree(forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Written at once: a motion of the mesh is a thousand times larger, so this costs nothing beside it. */
PetscErrorCode SnapshotsTake(Snapshots *snapshots, const Stepper *stepper, const State *state, const Result *result)
{
  const Linear *const linear = stepper->linear;
  const PetscInt      row    = snapshots->next;
  PetscReal          *unknowns;

  PetscFunctionBeginHot;
  if (row == snapshots->count || snapshots->steps[row] != state->step) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(linear->system->num_unknowns, &unknowns));
  PetscCall(linear->kind->expand(linear, state->u, unknowns));
  PetscCall(FindingWrite(snapshots->finding, SNAPSHOTS_DISPLACEMENT, row, 1, unknowns, result));
  if (snapshots->velocity) {
    PetscCall(linear->kind->expand(linear, state->v, unknowns));
    PetscCall(FindingWrite(snapshots->finding, SNAPSHOTS_VELOCITY, row, 1, unknowns, result));
  }
  PetscCall(TakeForces(snapshots, stepper, state, result));
  PetscCall(FindingWrite(snapshots->finding, SNAPSHOTS_TIME, row, 1, &state->time, result));
  PetscCall(PetscFree(unknowns));
  snapshots->next++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
