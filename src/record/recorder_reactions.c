/*
  recorder_reactions.c - the channels of what the ground gives at the supports of a mesh.

      R = K_h u + C_h u' + M_h u'' + r (-g, s) - p_h s      K_h, C_h, M_h on the coordinates, g the remainders of the joints, s the signals

  r is what stiffness gives of the modes that were left out, which follow loads and joints at once; p_h what loads are on the held nodes themselves.
*/
#include "march/held_damping.h"
#include "recorder.h"

enum { SPACE = 3, OF_SUPPORT = 6 };

// clang-format off
static const OutputField fields[] = {
  {"force", RESULT_REAL, {"samples", "3"}, "N", "force of the ground on the structure, x, y, z"},
  {"moment", RESULT_REAL, {"samples", "3"}, "N m", "its moment about the origin of the model"},
  {0}
};
// clang-format on

const OutputTable recorder_reaction_table = {
  "transient/RUN/supports/SUPPORT",
  "what the ground gives to a mesh at a support, named by its group or point, where `reactions: yes` asks for it: stiffness, inertia and damping of "
  "what it holds, less the loads there; what joints do to the held nodes themselves is not in it; about a preload without that",
  fields, NULL};

PetscErrorCode RecorderAddReactions(Recorder *recorder, Findings *findings, PetscInt num_supports, const char *const names[],
                                    const PetscReal direct[], PetscInt num_loads)
{
  const PetscInt count = OF_SUPPORT * num_supports;

  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(recorder->num_channels + 2 * num_supports) * sizeof(*recorder->channels), &recorder->channels));
  for (PetscInt s = 0; s < num_supports; s++) {
    Finding *finding;

    PetscCall(FindingsAdd(findings, &recorder_reaction_table, &finding, "%s/supports/%s", FindingPath(recorder->run), names[s]));
    PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
    for (PetscInt field = 0; field < 2; field++)
      RecorderAddChannel(recorder, finding, field, SPACE, recorder->frame_width + OF_SUPPORT * s + SPACE * field);
  }
  recorder->num_reactions    = count;
  recorder->reactions_offset = recorder->frame_width;
  recorder->frame_width += count;
  PetscCall(PetscMalloc1(count * num_loads, &recorder->reaction_loads));
  PetscCall(PetscArraycpy(recorder->reaction_loads, direct, count * num_loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CopyVector(Vec vector, PetscInt count, PetscReal values[])
{
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(vector, &value));
  PetscCall(PetscArraycpy(values, value, count));
  PetscCall(VecRestoreArrayRead(vector, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of displacement, velocity and acceleration, on the coordinates. */
static PetscErrorCode MapOne(Recorder *recorder, ModeCache *cache, Linear *linear, PetscInt r)
{
  const System *const system = cache->system;
  const PetscInt      n      = system->num_unknowns;
  PetscReal          *on_unknowns[NUM_COURSES];

  PetscFunctionBegin;
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscCalloc1(n, &on_unknowns[k]));
  PetscCall(CopyVector(system->reactions[r].stiffness, n, on_unknowns[COURSE_DISPLACEMENT]));
  PetscCall(CopyVector(system->reactions[r].mass, n, on_unknowns[COURSE_ACCELERATION]));
  PetscCall(HeldDampingAdd(system, cache->modes[JOINT_STUCK], on_unknowns[COURSE_DISPLACEMENT], on_unknowns[COURSE_ACCELERATION],
                           on_unknowns[COURSE_VELOCITY]));
  for (PetscInt k = 0; k < NUM_COURSES; k++)
    PetscCall(linear->kind->project_force(linear, on_unknowns[k], recorder->reaction_map[k] + r * linear->n));
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscFree(on_unknowns[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderMapReactions(Recorder *recorder, ModeCache *cache, const Stepper *stepper)
{
  const PetscInt count = recorder->num_reactions;
  PetscInt      *places;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscCalloc1(count * stepper->linear->n, &recorder->reaction_map[k]));
  PetscCall(PetscMalloc1(count, &places));
  for (PetscInt r = 0; r < count; r++) {
    places[r] = SystemPlaceOfReaction(cache->system, r);
    PetscCall(MapOne(recorder, cache, stepper->linear, r));
  }
  PetscCall(StepperResidualRows(stepper, count, places, &recorder->reaction_residual));
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void RecorderFrameReactions(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const PetscInt n = stepper->linear->n;

  for (PetscInt r = 0; r < recorder->num_reactions; r++)
    frame[r] = RowsTimesOne(n, recorder->reaction_map[COURSE_DISPLACEMENT] + r * n, state->u) +
               RowsTimesOne(n, recorder->reaction_map[COURSE_VELOCITY] + r * n, state->v) +
               RowsTimesOne(n, recorder->reaction_map[COURSE_ACCELERATION] + r * n, state->a) +
               RowsTimesOne(stepper->num_loads, recorder->reaction_loads + r * stepper->num_loads, stepper->old_signal);
  StepperAddResidual(stepper, state, recorder->num_reactions, recorder->reaction_residual, frame);
}

PetscErrorCode RecorderUnmapReactions(Recorder *recorder)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscFree(recorder->reaction_map[k]));
  PetscCall(PetscFree(recorder->reaction_residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}
