/* state.c - what moves: motion of the unknowns and the memory of every joint. */
#include "system.h"

PetscErrorCode StateCreate(const System *system, PetscInt n, PetscInt num_rows, State **state)
{
  State *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(state));
  s             = *state;
  s->n          = n;
  s->num_rows   = num_rows;
  s->num_blocks = system->num_blocks;
  PetscCall(PetscCalloc3(n, &s->u, n, &s->v, n, &s->a));
  PetscCall(
    PetscCalloc5(s->num_rows, &s->motion, s->num_rows, &s->rate, s->num_rows, &s->remainder, s->num_rows, &s->dissipated, s->num_rows, &s->trend));
  PetscCall(PetscCalloc2(s->num_rows, &s->yield, s->num_rows, &s->yield_trend));
  for (PetscInt r = 0; r < system->names.num_rows; r++) s->num_dampers += system->rows[r].damping != 0.0;
  PetscCall(PetscCalloc1(s->num_dampers, &s->damper_loss));
  s->num_parts = system->names.num_parts;
  PetscCall(PetscCalloc1(s->num_parts, &s->parts_dissipated));
  PetscCall(PetscCalloc1(s->num_blocks, &s->history));
  for (PetscInt b = 0; b < s->num_blocks; b++) {
    PetscCall(JointHistoryCreate(&system->blocks[b].block, &s->history[b]));
    if (system->blocks[b].memory) PetscCall(JointHistoryCopy(system->blocks[b].memory, &s->history[b]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StateDestroy(State **state)
{
  State *s = *state;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < s->num_blocks; b++) PetscCall(JointHistoryDestroy(&s->history[b]));
  PetscCall(PetscFree(s->history));
  PetscCall(PetscFree(s->damper_loss));
  PetscCall(PetscFree(s->parts_dissipated));
  PetscCall(PetscFree5(s->motion, s->rate, s->remainder, s->dissipated, s->trend));
  PetscCall(PetscFree2(s->yield, s->yield_trend));
  PetscCall(PetscFree3(s->u, s->v, s->a));
  PetscCall(PetscFree(*state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void StateScaleTrend(State *state, PetscReal factor)
{
  for (PetscInt i = 0; i < state->num_rows; i++) {
    state->trend[i] *= factor;
    state->yield_trend[i] *= factor;
  }
}

enum { NUM_SCALARS = 9, NUM_OF_UNKNOWNS = 3, NUM_OF_ROWS = 7 };

/* Without the histories. */
static PetscInt FixedSize(const State *state)
{
  return NUM_SCALARS + NUM_OF_UNKNOWNS * state->n + NUM_OF_ROWS * state->num_rows + state->num_dampers + state->num_parts;
}

PetscInt StateSize(const State *state)
{
  PetscInt size = FixedSize(state);

  for (PetscInt b = 0; b < state->num_blocks; b++) size += 1 + JointHistorySize(&state->history[b]);
  return size;
}

void StatePack(const State *state, PetscReal numbers[])
{
  const PetscReal        scalars[NUM_SCALARS] = {(PetscReal)state->step,
                                                 state->time,
                                                 state->work,
                                                 state->damped,
                                                 state->absorbed,
                                                 (PetscReal)state->iterations,
                                                 (PetscReal)state->halved,
                                                 state->start_energy,
                                                 (PetscReal)state->num_held};
  const PetscReal *const unknowns[]           = {state->u, state->v, state->a};
  const PetscReal *const rows[] = {state->motion, state->rate, state->remainder, state->dissipated, state->trend, state->yield, state->yield_trend};
  PetscReal             *next   = numbers;

  for (PetscInt i = 0; i < NUM_SCALARS; i++) *next++ = scalars[i];
  for (PetscInt k = 0; k < NUM_OF_UNKNOWNS; k++)
    for (PetscInt i = 0; i < state->n; i++) *next++ = unknowns[k][i];
  for (PetscInt k = 0; k < NUM_OF_ROWS; k++)
    for (PetscInt i = 0; i < state->num_rows; i++) *next++ = rows[k][i];
  for (PetscInt i = 0; i < state->num_dampers; i++) *next++ = state->damper_loss[i];
  for (PetscInt i = 0; i < state->num_parts; i++) *next++ = state->parts_dissipated[i];
  for (PetscInt b = 0; b < state->num_blocks; b++) {
    const PetscInt size = JointHistorySize(&state->history[b]);

    *next++ = (PetscReal)size;
    JointHistoryPack(&state->history[b], next);
    next += size;
  }
}

PetscErrorCode StateUnpack(State *state, PetscInt count, const PetscReal numbers[])
{
  PetscReal *const unknowns[] = {state->u, state->v, state->a};
  PetscReal *const rows[]     = {state->motion, state->rate, state->remainder, state->dissipated, state->trend, state->yield, state->yield_trend};
  const PetscReal *next = numbers + NUM_SCALARS, *const end = numbers + count;

  PetscFunctionBegin;
  PetscCheck(count >= FixedSize(state), PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "too few numbers for this state");
  state->step         = (PetscInt)numbers[0];
  state->time         = numbers[1];
  state->work         = numbers[2];
  state->damped       = numbers[3];
  state->absorbed     = numbers[4];
  state->iterations   = (PetscInt64)numbers[5];
  state->halved       = (PetscInt64)numbers[6];
  state->start_energy = numbers[7];
  state->num_held     = (PetscInt64)numbers[8];
  for (PetscInt k = 0; k < NUM_OF_UNKNOWNS; k++)
    for (PetscInt i = 0; i < state->n; i++) unknowns[k][i] = *next++;
  for (PetscInt k = 0; k < NUM_OF_ROWS; k++)
    for (PetscInt i = 0; i < state->num_rows; i++) rows[k][i] = *next++;
  for (PetscInt i = 0; i < state->num_dampers; i++) state->damper_loss[i] = *next++;
  for (PetscInt i = 0; i < state->num_parts; i++) state->parts_dissipated[i] = *next++;
  for (PetscInt b = 0; b < state->num_blocks; b++) {
    PetscInt size;

    PetscCheck(next < end, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "too few numbers for the history of block %" PetscInt_FMT, b);
    size = (PetscInt)*next++;
    PetscCheck(size >= 0 && size <= end - next, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "too few numbers for the history of block %" PetscInt_FMT, b);
    PetscCall(JointHistoryUnpack(&state->history[b], size, next));
    next += size;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
