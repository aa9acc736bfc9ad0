/*
  period_odd.c - whether a law answers the opposite motion by the opposite force.

  Laws with Masing's rules do. Of others two joints that nothing has touched go through a few steps of opposite motions and velocities, of all
  sizes: each force must be the other one with the other sign, to the last bit. Elastic laws are asked for all motions there are; of others, whose
  long steps may consist of thousands of short ones, up to a thousand times the motion at which they are no longer linear.
*/
#include "period_kinds.h"

static const PetscReal SMALLEST = 1e-15, LARGEST = 1e6, RATIO = 1.7; /* [m] */
static const PetscReal LINEAR = 1e-2, FAR = 1e3;                     /* of the force; of the motion up to which it is linear */

/* Steps of a component, in parts of the size: there and back, beyond it and through nought. */
static const PetscReal path[]  = {1.0, 0.37, -0.83, -1.61, 0.29, 1.13};
static const PetscReal rates[] = {1.0, 31.0, 977.0}; /* [1/s] */

typedef struct {
  JointBlock   block;
  JointHistory history[2];
  PetscReal    force[2][JOINT_MAX_DIM];
  PetscReal    first; /* size of the force after the first step */
} Mirror;

static PetscErrorCode MirrorStep(Mirror *mirror, const PetscReal motion[], const PetscReal velocity[])
{
  const JointLaw *const law = mirror->block.law;

  PetscFunctionBegin;
  for (PetscInt side = 0; side < 2; side++) {
    PetscReal         d[JOINT_MAX_DIM], v[JOINT_MAX_DIM], loss = 0.0, dissipated = 0.0;
    const JointMotion at     = {d, v};
    JointForce        result = {mirror->force[side], NULL, NULL, &loss};

    for (PetscInt c = 0; c < law->dim; c++) {
      d[c] = side ? -motion[c] : motion[c];
      v[c] = side ? -velocity[c] : velocity[c];
    }
    law->evaluate(&mirror->block, &mirror->history[side], &at, &result);
    if (law->commit) PetscCall(law->commit(&mirror->block, &mirror->history[side], &at, &result, &dissipated));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether forces that move something are opposite; a state that is not opposite as well, or not alike, can no longer be either. */
static PetscBool IsMirrored(const SystemBlock *block, const Mirror *mirror, PetscBool opposite[], PetscBool alike[])
{
  const PetscReal *const one = mirror->history[0].states, *const other = mirror->history[1].states;

  for (PetscInt s = 0; s < mirror->history[0].num_states; s++) {
    opposite[s] = (PetscBool)(opposite[s] && one[s] == -other[s]);
    alike[s]    = (PetscBool)(alike[s] && one[s] == other[s]);
  }
  for (PetscInt c = 0; c < block->block.law->dim; c++)
    if (PeriodMoves(block, c) && !(mirror->force[0][c] == -mirror->force[1][c])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Of the force after the first step. */
static PetscReal Size(const SystemBlock *block, const Mirror *mirror)
{
  PetscReal most = 0.0;

  for (PetscInt c = 0; c < block->block.law->dim; c++)
    if (PeriodMoves(block, c)) most = PetscMax(most, PetscAbsReal(mirror->force[0][c]));
  return most;
}

/* Motions of one size from rest. */
static PetscErrorCode TrySize(const SystemBlock *block, PetscReal size, Mirror *mirror, PetscBool opposite[], PetscBool alike[], PetscBool *odd)
{
  const PetscInt dim = block->block.law->dim, steps = (PetscInt)PETSC_STATIC_ARRAY_LENGTH(path);

  PetscFunctionBegin;
  for (PetscInt side = 0; side < 2; side++) PetscCall(PetscArrayzero(mirror->history[side].states, mirror->history[side].num_states));
  for (PetscInt i = 0; i < steps && *odd; i++) {
    PetscReal motion[JOINT_MAX_DIM] = {0.0}, velocity[JOINT_MAX_DIM] = {0.0};

    for (PetscInt c = 0; c < dim; c++) {
      if (!PeriodMoves(block, c)) continue;
      motion[c]   = size * path[(i + c) % steps];
      velocity[c] = size * rates[i % (PetscInt)PETSC_STATIC_ARRAY_LENGTH(rates)] * path[(i + 2 * c + 1) % steps];
    }
    PetscCall(MirrorStep(mirror, motion, velocity));
    *odd = IsMirrored(block, mirror, opposite, alike);
    if (i == 0) mirror->first = Size(block, mirror);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Try(const SystemBlock *block, PetscReal sense[], PetscBool *odd)
{
  const PetscInt  states  = block->block.law->num_states;
  const PetscBool elastic = (PetscBool)((block->block.law->traits & JOINT_ELASTIC) != 0);
  Mirror          mirror  = {.block = JointBlockPoint(&block->block, 0)};
  PetscBool      *opposite, *alike;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(states, &opposite, states, &alike));
  for (PetscInt s = 0; s < states; s++) opposite[s] = alike[s] = PETSC_TRUE;
  for (PetscInt side = 0; side < 2; side++) PetscCall(JointHistoryCreate(&mirror.block, &mirror.history[side]));
  *odd = PETSC_TRUE;
  for (PetscReal size = SMALLEST, stiffness = 0.0, largest = LARGEST; size < largest && *odd; size *= RATIO) {
    PetscCall(TrySize(block, size, &mirror, opposite, alike, odd));
    if (size == SMALLEST) stiffness = mirror.first / size;
    if (elastic || largest < LARGEST) continue;
    if (PetscAbsReal(mirror.first - stiffness * size) > LINEAR * mirror.first) largest = FAR * size;
  }
  for (PetscInt s = 0; s < states; s++) sense[s] = opposite[s] ? -1.0 : alike[s] ? 1.0 : 0.0;
  for (PetscInt side = 0; side < 2; side++) PetscCall(JointHistoryDestroy(&mirror.history[side]));
  PetscCall(PetscFree2(opposite, alike));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether opposite motions may be answered by opposite forces: what is remembered or transmitted at rest has no opposite. */
static PetscBool MayBeOdd(const SystemBlock *block)
{
  return (PetscBool) !(block->offset || block->rest || block->memory);
}

PetscErrorCode PeriodSensesCreate(const SystemBlock *block, PetscReal **sense)
{
  const JointLaw *const law = block->block.law;
  PetscBool             odd;

  PetscFunctionBegin;
  *sense = NULL;
  if (!MayBeOdd(block) || block->block.num_points == 0 || PeriodKindOf(law) != &period_marched) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(law->num_states, sense));
  PetscCall(Try(block, *sense, &odd));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodIsOdd(const SystemBlock *block, PetscBool *odd)
{
  PetscReal *sense;

  PetscFunctionBegin;
  *odd = MayBeOdd(block);
  if (!*odd || block->block.num_points == 0 || block->block.law->traits & JOINT_MASING) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(block->block.law->num_states, &sense));
  PetscCall(Try(block, sense, odd));
  PetscCall(PetscFree(sense));
  PetscFunctionReturn(PETSC_SUCCESS);
}
