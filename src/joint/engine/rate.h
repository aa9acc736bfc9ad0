/*
  rate.h - laws of one component given by their rate: dF = g(x, F, sgn dx) dx.

  A law gives its step: the force after a straight motion from the committed point, with the derivatives of that
  step, and the energy it dissipates. These
  functions are inline so that the compiler puts the step into the loops. See NOTES.md.
*/
#pragma once
#include "functions.h"

/* The states of a point: the motion last committed, its force, and, for laws with JOINT_VISCOUS, its velocity. */
enum { RATE_MOTION, RATE_FORCE, RATE_NUM_STATES, RATE_VELOCITY = RATE_NUM_STATES, RATE_NUM_VISCOUS_STATES };

/* A step: from the committed point to a motion. The velocities are 0 for laws without JOINT_VISCOUS. */
typedef struct {
  PetscReal start, force, end;
  PetscReal start_velocity, end_velocity;
} RatePath;

/* The force at the end of a step, and its derivatives. */
typedef struct {
  PetscReal force;
  PetscReal slope, start_slope;     /* by the motion at the end, and at the start [N/m] */
  PetscReal memory;                 /* by the force at the start */
  PetscReal damping, start_damping; /* by the velocities [N s/m] */
} RatePoint;

typedef RatePoint (*RateStep)(const PetscReal constants[], const RatePath *path);
typedef PetscReal (*RateLoss)(const PetscReal constants[], const RatePath *path, PetscReal force); /* [J] dissipated */

/* Which way a step goes; where nothing moves, the way the force was built up. */
static inline PetscReal RateSense(const RatePath *path)
{
  const PetscReal length = path->end - path->start;

  return PetscCopysignReal(1, length == 0 ? path->force : length);
}

static inline RatePath RateRecall(const JointHistory *history, const JointMotion *motion, PetscInt i)
{
  const PetscReal *point   = history->states + i;
  const PetscInt   n       = history->num_points;
  const PetscBool  viscous = (PetscBool)(history->num_states > RATE_VELOCITY);

  return (RatePath){
    .start          = point[RATE_MOTION * n],
    .force          = point[RATE_FORCE * n],
    .end            = motion->displacement[i],
    .start_velocity = viscous ? point[RATE_VELOCITY * n] : 0,
    .end_velocity   = viscous ? motion->velocity[i] : 0,
  };
}

static inline void RateEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result, RateStep step,
                                RateLoss loss)
{
  for (PetscInt i = 0; i < block->num_points; i++) {
    const RatePath  path  = RateRecall(history, motion, i);
    const RatePoint point = step(block->constants, &path);

    result->force[i] = point.force;
    if (result->stiffness) result->stiffness[i] = point.slope;
    if (result->damping) result->damping[i] = point.damping;
    if (result->loss) result->loss[i] = loss(block->constants, &path, point.force);
  }
}

static inline PetscErrorCode RateCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                                        PetscReal dissipated[])
{
  const PetscInt n      = block->num_points;
  PetscReal     *states = history->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    dissipated[i] += result->loss[i];
    states[RATE_MOTION * n + i] = motion->displacement[i];
    states[RATE_FORCE * n + i]  = result->force[i];
    if (history->num_states > RATE_VELOCITY) states[RATE_VELOCITY * n + i] = motion->velocity[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode RateDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                               const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], RateStep step)
{
  const PetscInt n       = block->num_points;
  PetscReal     *dstates = dhistory->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    const RatePath  path  = RateRecall(history, motion, i);
    const RatePath  dpath = RateRecall(dhistory, dmotion, i);
    const RatePoint point = step(block->constants, &path);

    dforce[i] = point.slope * dpath.end + point.start_slope * dpath.start + point.memory * dpath.force + point.damping * dpath.end_velocity +
                point.start_damping * dpath.start_velocity;
    dstates[RATE_MOTION * n + i] = dpath.end;
    dstates[RATE_FORCE * n + i]  = dforce[i];
    if (dhistory->num_states > RATE_VELOCITY) dstates[RATE_VELOCITY * n + i] = dpath.end_velocity;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law of this engine: its functions around a step and what that dissipates, and the members of JointLaw that they are. Its `limit` is its
   own. */
#define RATE_FUNCTIONS(Step, Loss) \
  JOINT_EVALUATE(RateEvaluate, Step, Loss) \
  JOINT_DIFFERENTIATE(RateDifferentiate, Step)
#define RATE_LAW .dim = 1, .evaluate = Evaluate, .commit = RateCommit, .differentiate = Differentiate
