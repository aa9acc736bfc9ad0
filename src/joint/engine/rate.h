/*
  rate.h - laws of one component given by their rate: dF = g(x, F, sgn dx) dx.

  A law gives its step: the force after a straight motion from the committed point, with the derivatives of that step, and the energy it
  dissipates. What a joint shows may be more than the force that it remembers: a part that depends on the velocity of the moment. These
  functions are inline so that the compiler puts the step into the loops. See NOTES.md.
*/
#pragma once
#include "functions.h"
#include "rows.h"

/* The states of a point: the motion last committed, the force it remembers of it, and, for laws with JOINT_VISCOUS, its velocity. */
enum { RATE_MOTION, RATE_FORCE, RATE_NUM_STATES, RATE_VELOCITY = RATE_NUM_STATES, RATE_NUM_VISCOUS_STATES };

/* A step: from the committed point to a motion. The velocities are 0 for laws without JOINT_VISCOUS. */
typedef struct {
  PetscReal start, force, end;
  PetscReal start_velocity, end_velocity;
} RatePath;

/* The force at the end of a step, as it is remembered, and its derivatives. */
typedef struct {
  PetscReal force;
  PetscReal slope, start_slope;     /* by the motion at the end, and at the start [N/m] */
  PetscReal memory;                 /* by the force at the start */
  PetscReal damping, start_damping; /* by the velocities [N s/m] */
} RatePoint;

typedef RatePoint (*RateStep)(const PetscReal constants[], const RatePath *path);
typedef PetscReal (*RateLoss)(const PetscReal constants[], const RatePath *path, PetscReal force); /* [J] dissipated */

/* The force that a joint shows, and its derivatives by the force that it remembers and by its velocity. */
typedef struct {
  PetscReal force, by_memory, by_velocity;
} RateForce;

typedef RateForce (*RateShown)(const PetscReal constants[], PetscReal memory, PetscReal velocity);

/* Most laws show what they remember. */
static inline RateForce RateRemembered(const PetscReal constants[], PetscReal memory, PetscReal velocity)
{
  return (RateForce){.force = memory, .by_memory = 1};
}

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

/* The `loss`, which only `commit` reads, is the force to remember. */
static inline void RateEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result, RateStep step,
                                RateShown shown)
{
  for (PetscInt i = 0; i < block->num_points; i++) {
    const RatePath  path  = RateRecall(history, motion, i);
    const RatePoint point = step(block->constants, &path);
    const RateForce force = shown(block->constants, point.force, path.end_velocity);

    result->force[i] = force.force;
    if (result->stiffness) result->stiffness[i] = force.by_memory * point.slope;
    if (result->damping) result->damping[i] = force.by_memory * point.damping + force.by_velocity;
    if (result->loss) result->loss[i] = point.force;
  }
}

static inline PetscErrorCode RateCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                                        PetscReal dissipated[], RateLoss loss)
{
  const PetscInt n      = block->num_points;
  PetscReal     *states = history->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    const RatePath path = RateRecall(history, motion, i);

    dissipated[i] += RowsRoundedOne(loss(block->constants, &path, result->loss[i]));
    states[RATE_MOTION * n + i] = motion->displacement[i];
    states[RATE_FORCE * n + i]  = result->loss[i];
    if (history->num_states > RATE_VELOCITY) states[RATE_VELOCITY * n + i] = motion->velocity[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode RateDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                               const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], RateStep step, RateShown shown)
{
  const PetscInt n       = block->num_points;
  PetscReal     *dstates = dhistory->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    const RatePath  path    = RateRecall(history, motion, i);
    const RatePath  dpath   = RateRecall(dhistory, dmotion, i);
    const RatePoint point   = step(block->constants, &path);
    const RateForce force   = shown(block->constants, point.force, path.end_velocity);
    const PetscReal dmemory = point.slope * dpath.end + point.start_slope * dpath.start + point.memory * dpath.force +
                              point.damping * dpath.end_velocity + point.start_damping * dpath.start_velocity;

    dforce[i]                    = force.by_memory * dmemory + force.by_velocity * dpath.end_velocity;
    dstates[RATE_MOTION * n + i] = dpath.end;
    dstates[RATE_FORCE * n + i]  = dmemory;
    if (dhistory->num_states > RATE_VELOCITY) dstates[RATE_VELOCITY * n + i] = dpath.end_velocity;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law of this engine: its functions around a step and what that dissipates, and, where it shows more than it remembers, the force that it
   shows; and the members of JointLaw that they are. Its `limit` is its own. */
#define RATE_FUNCTIONS(Step, Loss) RATE_FUNCTIONS_SHOWING(RateRemembered, Step, Loss)
#define RATE_FUNCTIONS_SHOWING(Shown, Step, Loss) \
  JOINT_EVALUATE(RateEvaluate, Step, Shown) \
  JOINT_COMMIT(RateCommit, Loss) \
  JOINT_DIFFERENTIATE(RateDifferentiate, Step, Shown)
#define RATE_LAW .dim = 1, .evaluate = Evaluate, .commit = Commit, .differentiate = Differentiate
