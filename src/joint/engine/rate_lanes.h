/*
  rate_lanes.h - laws of rate.h on all lanes at once, of those that show the force that they remember.

  A law gives its step and its loss once more, on Wide numbers: the same operations in the same order as its others.
*/
#pragma once
#include "joint/lanes.h"
#include "rate.h"

/* `known` is what the law likes to keep of a point from one evaluation to the next, so many numbers as it asked for: all 0 at first. It is for
   speed alone: what is computed is the same without it. */
typedef struct {
  Wide  start, force, end; /* as of RatePath */
  Wide *known;
} RateWidePath;

typedef struct {
  Wide force, slope; /* as of RatePoint */
} RateWidePoint;

typedef RateWidePoint (*RateWideStep)(const JointLanes *lanes, const RateWidePath *path);
typedef Wide (*RateWideLoss)(const JointLanes *lanes, const RateWidePath *path, Wide force);

static inline const PetscReal *RateConstants(const JointBlock *block)
{
  return block->constants;
}

/* RateSense in each lane. */
static inline Wide RateWideSense(const RateWidePath *path)
{
  const Wide length = path->end - path->start;

  return WideCopySign(WideOf(1), WideSelect(length == 0.0, path->force, length));
}

static inline Wide *RateWideMemory(const JointLanes *lanes, PetscInt i)
{
  return lanes->memory + i * lanes->kind->num_memory;
}

static inline void RateRecallLanes(JointLanes *lanes, PetscInt lane)
{
  for (PetscInt i = 0; i < lanes->num_points; i++)
    for (PetscInt s = 0; s < lanes->kind->num_memory; s++)
      RateWideMemory(lanes, i)[s][lane] = s < RATE_NUM_STATES ? lanes->history[lane]->states[s * lanes->num_points + i] : 0;
}

static inline void RateKeepLanes(const JointLanes *lanes, PetscInt lane)
{
  for (PetscInt i = 0; i < lanes->num_points; i++)
    for (PetscInt s = 0; s < RATE_NUM_STATES; s++) lanes->history[lane]->states[s * lanes->num_points + i] = RateWideMemory(lanes, i)[s][lane];
}

static inline RateWidePath RateWidePathOf(const JointLanes *lanes, PetscInt i, Wide motion)
{
  Wide *const memory = RateWideMemory(lanes, i);

  return (RateWidePath){.start = memory[RATE_MOTION], .force = memory[RATE_FORCE], .end = motion, .known = memory + RATE_NUM_STATES};
}

static inline void RateEvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[], RateWideStep step)
{
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    const RateWidePath  path  = RateWidePathOf(lanes, i, motion[i]);
    const RateWidePoint point = step(lanes, &path);

    force[i]     = point.force;
    stiffness[i] = point.slope;
    loss[i]      = point.force;
  }
}

static inline PetscErrorCode RateCommitLanes(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide loss[], Wide dissipated[],
                                             RateWideLoss lost)
{
  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    const RateWidePath path   = RateWidePathOf(lanes, i, motion[i]);
    Wide *const        memory = RateWideMemory(lanes, i);

    dissipated[i]       = WideSelect(moved, dissipated[i] + WideRounded(lost(lanes, &path, loss[i])), dissipated[i]);
    memory[RATE_MOTION] = WideSelect(moved, motion[i], memory[RATE_MOTION]);
    memory[RATE_FORCE]  = WideSelect(moved, loss[i], memory[RATE_FORCE]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a law of rate.h adds to run in lanes: this line before its JointLaw, `.lanes = &lane_law` among its members. `Suits` may be NULL. */
#define RATE_LANES(WideStep, WideLoss, Suits, count, num_known) \
  JOINT_FLAT static void EvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[]) \
  { \
    RateEvaluateLanes(lanes, motion, force, stiffness, loss, WideStep); \
  } \
  JOINT_FLAT static PetscErrorCode CommitLanes(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[], \
                                               Wide dissipated[]) \
  { \
    return RateCommitLanes(lanes, moved, motion, loss, dissipated, WideLoss); \
  } \
  static const JointLaneLaw lane_law = { \
    .num_constants = (count), \
    .num_memory    = RATE_NUM_STATES + (num_known), \
    .suits         = Suits, \
    .constants     = RateConstants, \
    .recall        = RateRecallLanes, \
    .keep          = RateKeepLanes, \
    .evaluate      = EvaluateLanes, \
    .commit        = CommitLanes, \
  };
