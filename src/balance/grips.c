/* grips.c - joints that stick without any give, in a balance of motions. */
#include "balance/grips.h"
#include <float.h>

/* Tangents are so much less, relative to them, that Newton's equation has a solution where more joints stick than motions are free, which leaves
   their forces a choice: those that are nearest to the last ones. */
static const PetscReal SPARE = 1e-9;

static PetscReal RestOf(const SystemBlock *block, PetscInt point)
{
  return block->rest ? block->rest[point] : 0.0;
}

/* What the law is asked for a row, all of its force counted, also what it transmits at rest. */
typedef struct {
  PetscReal given, give, before, by_motion; /* by_motion: what w changes `given` by */
  PetscBool in_time;
} Asked;

static Asked Ask(const JointForces *joints, const SystemBlock *block, const State *state, PetscInt point, PetscReal rate_factor)
{
  const PetscInt  row    = block->row[point];
  const PetscReal weight = joints->grip->weight[row], give = joints->grip->give[row];
  Asked           asked = {.give = give, .by_motion = 1.0, .in_time = (PetscBool)(weight > 0.0)};

  if (asked.in_time) {
    asked.give      = rate_factor * give / weight;
    asked.by_motion = rate_factor;
    asked.before    = state->rate[row];
    asked.given     = joints->rate[row] + asked.give * (1.0 - weight) * state->remainder[row];
  } else asked.given = joints->motion[row] - state->motion[row];
  asked.given += asked.give * RestOf(block, point);
  return asked;
}

/* No give: any velocity slides. */
static void Start(JointForces *joints, const SystemBlock *block, PetscInt i, const State *state)
{
  const PetscReal  least = DBL_MIN;
  const PetscInt   row   = block->row[i];
  const JointBlock point = JointBlockPoint(&block->block, i);
  const JointGrip  grip  = {&joints->rate[row], &least, NULL};

  joints->force[row]   = state->remainder[row];
  joints->tangent[row] = 0.0;
  if (joints->rate[row] == 0.0) return;
  point.law->grip(&point, &grip, &(JointForce){.force = &joints->force[row]});
  joints->force[row] -= RestOf(block, i);
}

static void EvaluatePoint(JointForces *joints, const SystemBlock *block, PetscInt i, const State *state, PetscReal rate_factor)
{
  const PetscInt   row    = block->row[i];
  const JointBlock point  = JointBlockPoint(&block->block, i);
  const Asked      asked  = Ask(joints, block, state, i, rate_factor);
  const JointGrip  grip   = {&asked.given, &asked.give, asked.in_time ? &asked.before : NULL};
  const PetscReal  weight = asked.in_time ? joints->grip->weight[row] : 1.0;
  PetscReal        force, slope;

  point.law->grip(&point, &grip, &(JointForce){.force = &force, .stiffness = &slope});
  force -= RestOf(block, i);
  joints->force[row]   = (force - (1.0 - weight) * (asked.in_time ? state->remainder[row] : 0.0)) / weight;
  joints->tangent[row] = (1.0 - SPARE) * slope * asked.by_motion / weight;
}

void GripEvaluate(JointForces *joints, const SystemBlock *block, const State *state, PetscReal rate_factor)
{
  for (PetscInt i = 0; i < block->block.num_points; i++)
    if (joints->grip) EvaluatePoint(joints, block, i, state, rate_factor);
    else Start(joints, block, i, state);
}

/* Whether what is given has not moved the joint: the law's slope says that it sticks. */
static PetscBool Holds(const JointForces *joints, PetscInt row)
{
  return (PetscBool)(joints->tangent[row] * joints->grip->give[row] > 1.0 - 2.0 * SPARE);
}

void GripRelease(JointForces *joints, const State *state, PetscReal rate_factor)
{
  for (PetscInt i = 0; i < joints->m; i++) {
    const PetscReal yielded = joints->grip->give[i] * joints->force[i];
    const PetscBool in_time = (PetscBool)(joints->grip->weight[i] > 0.0);

    if (joints->grip->give[i] == 0.0) continue;
    joints->motion[i] = !in_time && Holds(joints, i) ? state->motion[i] : joints->motion[i] - yielded;
    joints->rate[i]   = in_time && Holds(joints, i) ? 0.0 : joints->rate[i] - rate_factor * yielded;
  }
}

PetscErrorCode GripCommit(JointForces *joints, const SystemBlock *block, const State *state, JointHistory *history, PetscReal dissipated[])
{
  PetscFunctionBeginHot;
  SystemBlockMotion(block, joints->motion, joints->block_motion);
  for (PetscInt i = 0; i < block->block.num_points; i++) {
    const PetscInt row = block->row[i];

    joints->block_force[i]      = (joints->grip ? GripMean(joints->grip, state, row, joints->force[row]) : joints->force[row]) + RestOf(block, i);
    joints->block_dissipated[i] = 0.0;
  }
  PetscCall(block->block.law->commit(&block->block, history, &(JointMotion){joints->block_motion, joints->block_rate},
                                     &(JointForce){.force = joints->block_force}, joints->block_dissipated));
  for (PetscInt i = 0; i < block->block.num_points; i++) dissipated[block->row[i]] += joints->block_dissipated[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}
