/* balance_lanes.c - the joints of structures side by side: which can be, how they get into lanes and out again. */
#include "balance/lanes.h"

PetscBool BalanceLanesSuit(const Balance *balance)
{
  const System *const system = balance->joints.system;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].area || system->blocks[b].offset || system->blocks[b].rest) return PETSC_FALSE;
  return (PetscBool)(balance->m > 0 && balance->jacobian && !balance->forces && balance->joints.diagonal && !balance->joints.viscous);
}

static PetscBool BlocksAlike(const SystemBlock *one, const SystemBlock *other)
{
  if (!JointLanesAlike(&one->block, &other->block)) return PETSC_FALSE;
  for (PetscInt i = 0; i < one->block.num_points; i++)
    if (one->row[i] != other->row[i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

PetscBool BalanceBlocksAlike(const System *one, const System *other)
{
  if (one->num_blocks != other->num_blocks) return PETSC_FALSE;
  for (PetscInt i = 0; i < one->num_blocks; i++)
    if (!BlocksAlike(&one->blocks[i], &other->blocks[i])) return PETSC_FALSE;
  return PETSC_TRUE;
}

PetscBool BalanceLanesAlike(const Balance *one, const Balance *other)
{
  return (PetscBool)(one->m == other->m && BalanceBlocksAlike(one->joints.system, other->joints.system));
}

/* Of blocks that do not work in place. */
static PetscInt CountGathered(const Balance *balance)
{
  PetscInt count = 0;

  for (PetscInt b = 0; b < balance->joints.system->num_blocks; b++)
    if (balance->joints.first_row[b] < 0) count += balance->joints.system->blocks[b].block.num_points;
  return count;
}

static PetscErrorCode CreateBlock(const BalanceLanes *lanes, const SystemBlock *like, PetscInt first_row, Wide **next, BalanceLaneBlock *block)
{
  const PetscInt n = like->block.num_points;

  PetscFunctionBegin;
  PetscCall(JointLanesCreate(&like->block, &block->laws));
  block->motion     = first_row < 0 ? WideTake(next, n) : lanes->motion + first_row;
  block->force      = first_row < 0 ? WideTake(next, n) : lanes->force + first_row;
  block->tangent    = first_row < 0 ? WideTake(next, n) : lanes->tangent + first_row;
  block->loss       = first_row < 0 ? WideTake(next, n) : lanes->loss + first_row;
  block->dissipated = first_row < 0 ? WideTake(next, n) : lanes->dissipated + first_row;
  if (first_row >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n, &block->row));
  PetscCall(PetscArraycpy(block->row, like->row, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceLanesCreate(const Balance *like, PetscBool shared, BalanceLanes *lanes)
{
  const System *const system = like->joints.system;
  const PetscInt      m = like->m, num_gathered = CountGathered(like);
  Wide              **parts[] = {&lanes->row_norm, &lanes->rounded,    &lanes->stiffness, &lanes->old_motion, &lanes->old_remainder,
                                 &lanes->trend,    &lanes->dissipated, &lanes->linear,    &lanes->motion,     &lanes->force,
                                 &lanes->tangent,  &lanes->loss,       &lanes->remainder, &lanes->residual,   &lanes->correction,
                                 &lanes->start,    &lanes->old_force,  &lanes->stuck,     &lanes->change,     &lanes->product};
  const PetscInt      num     = sizeof(parts) / sizeof(parts[0]);
  Wide               *next    = NULL;

  PetscFunctionBegin;
  *lanes = (BalanceLanes){.m = m, .num_blocks = system->num_blocks, .shared = shared, .in_place = like->joints.in_place};
  PetscCall(WideAllocate((size_t)m * (size_t)(m + num) + 5 * (size_t)num_gathered, &lanes->room, &next));
  lanes->influence = (PetscReal *)WideTake(&next, m * m);
  for (PetscInt p = 0; p < num; p++) *parts[p] = WideTake(&next, m);
  PetscCall(WideAllocateStructs(lanes->num_blocks, &lanes->block_room, &lanes->blocks));
  for (PetscInt b = 0; b < lanes->num_blocks; b++)
    PetscCall(CreateBlock(lanes, &system->blocks[b], like->joints.first_row[b], &next, &lanes->blocks[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceLaneBlocksDestroy(PetscInt num_blocks, BalanceLaneBlock blocks[])
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < num_blocks; b++) {
    PetscCall(JointLanesDestroy(&blocks[b].laws));
    PetscCall(PetscFree(blocks[b].row));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceLanesDestroy(BalanceLanes *lanes)
{
  PetscFunctionBegin;
  PetscCall(BalanceLaneBlocksDestroy(lanes->num_blocks, lanes->blocks));
  PetscCall(PetscFree(lanes->block_room));
  PetscCall(PetscFree(lanes->room));
  *lanes = (BalanceLanes){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void CountIterations(BalanceLanes *lanes)
{
  lanes->least_iterations = PETSC_MAX_INT;
  lanes->most_iterations  = 0;
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    if (!lanes->balance[lane]) continue;
    lanes->least_iterations = PetscMin(lanes->least_iterations, lanes->balance[lane]->max_iterations);
    lanes->most_iterations  = PetscMax(lanes->most_iterations, lanes->balance[lane]->max_iterations);
  }
}

void BalanceLanesSet(BalanceLanes *lanes, PetscInt lane, Balance *balance, const Influence *influence, const PetscReal row_norm[], const State *state)
{
  const PetscInt         m      = lanes->m;
  const PetscReal *const matrix = influence->compliance.slice;

  lanes->balance[lane]    = balance;
  lanes->matrix[lane]     = matrix;
  lanes->tolerance[lane]  = balance->tolerance;
  lanes->most[lane]       = (PetscReal)balance->max_iterations;
  lanes->iterations[lane] = 0.0;
  for (PetscInt i = 0; i < m * m; i++) WidePut(lanes->influence, i, lanes->shared, lane, matrix[i]);
  for (PetscInt i = 0; i < m; i++) {
    lanes->row_norm[i][lane]      = row_norm[i];
    lanes->rounded[i][lane]       = balance->rounded[i];
    lanes->stiffness[i][lane]     = balance->joints.stiffness[i];
    lanes->old_motion[i][lane]    = state->motion[i];
    lanes->old_remainder[i][lane] = state->remainder[i];
    lanes->trend[i][lane]         = state->trend[i];
    lanes->dissipated[i][lane]    = state->dissipated[i];
    lanes->motion[i][lane] = lanes->force[i][lane] = lanes->tangent[i][lane] = lanes->loss[i][lane] = 0.0;
  }
  for (PetscInt b = 0; b < lanes->num_blocks; b++)
    JointLanesSet(&lanes->blocks[b].laws, lane, &balance->joints.system->blocks[b].block, &state->history[b]);
  CountIterations(lanes);
}

void BalanceLanesKeepMotions(const BalanceLanes *lanes, PetscInt lane, State *state)
{
  for (PetscInt i = 0; i < lanes->m; i++) {
    state->motion[i]     = lanes->old_motion[i][lane];
    state->dissipated[i] = lanes->dissipated[i][lane];
  }
}

void BalanceLanesKeep(const BalanceLanes *lanes, PetscInt lane, State *state)
{
  BalanceLanesKeepMotions(lanes, lane, state);
  for (PetscInt i = 0; i < lanes->m; i++) {
    state->remainder[i] = lanes->old_remainder[i][lane];
    state->trend[i]     = lanes->trend[i][lane];
  }
  for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesKeep(&lanes->blocks[b].laws, lane);
}

void BalanceLanesFree(BalanceLanes *lanes, PetscInt lane)
{
  lanes->balance[lane] = NULL;
  for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesSet(&lanes->blocks[b].laws, lane, NULL, NULL);
  CountIterations(lanes);
}
