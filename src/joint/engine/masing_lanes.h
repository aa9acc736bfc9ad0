/*
  masing_lanes.h - laws of masing.h on all lanes at once.

  Nearly all motions go on along the branch of the committed point; its beginning and end are kept beside that point. What reverses, closes a
  loop or is still on the virgin curve is found lane by lane, as masing.h finds it.

  A law gives its backbone once more, on Wide numbers: the same operations in the same order as its other one.
*/
#pragma once
#include "joint/lanes.h"
#include "masing.h"

/* The memory of a point. Without a turning point the end is no number: no motion goes on then. */
enum {
  MASING_WIDE_MOTION,
  MASING_WIDE_FORCE,
  MASING_WIDE_LOSS,
  MASING_WIDE_BEGINNING,
  MASING_WIDE_BEGINNING_FORCE,
  MASING_WIDE_END,
  MASING_NUM_WIDE
};

typedef struct {
  Wide force, slope, loss; /* as of MasingBackbone */
} MasingWideBackbone;

/* What idle lanes give means nothing. */
typedef MasingWideBackbone (*MasingWideCurve)(const JointLanes *lanes, Wide u);

static inline const PetscReal *MasingConstants(const JointBlock *block)
{
  return block->constants;
}

static inline MasingMemory MasingRecallLane(const JointLanes *lanes, PetscInt i, PetscInt lane)
{
  const Wide *const memory = lanes->memory + i * MASING_NUM_WIDE;

  return (MasingMemory){memory[MASING_WIDE_MOTION][lane], memory[MASING_WIDE_FORCE][lane], memory[MASING_WIDE_LOSS][lane],
                        &lanes->history[lane]->turning[i]};
}

/* The branch of the committed point. */
static inline void MasingFindBranch(JointLanes *lanes, PetscInt i, PetscInt lane)
{
  const MasingMemory memory = MasingRecallLane(lanes, i, lane);
  const PetscInt     depth  = memory.turning->count;
  Wide *const        wide   = lanes->memory + i * MASING_NUM_WIDE;

  wide[MASING_WIDE_BEGINNING][lane]       = depth > 0 ? memory.turning->motion[depth - 1] : 0;
  wide[MASING_WIDE_BEGINNING_FORCE][lane] = depth > 0 ? memory.turning->force[depth - 1] : 0;
  wide[MASING_WIDE_END][lane]             = depth > 0 ? MasingEnd(&memory, depth) : (PetscReal)NAN;
}

static inline void MasingRecallLanes(JointLanes *lanes, PetscInt lane)
{
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    const MasingMemory memory = MasingRecall(lanes->history[lane], i);
    Wide *const        wide   = lanes->memory + i * MASING_NUM_WIDE;

    wide[MASING_WIDE_MOTION][lane] = memory.motion;
    wide[MASING_WIDE_FORCE][lane]  = memory.force;
    wide[MASING_WIDE_LOSS][lane]   = memory.loss;
    MasingFindBranch(lanes, i, lane);
  }
}

static inline void MasingKeepLanes(const JointLanes *lanes, PetscInt lane)
{
  const PetscInt   n      = lanes->num_points;
  PetscReal *const states = lanes->history[lane]->states;

  for (PetscInt i = 0; i < n; i++) {
    const MasingMemory memory = MasingRecallLane(lanes, i, lane);

    states[MASING_MOTION * n + i] = memory.motion;
    states[MASING_FORCE * n + i]  = memory.force;
    states[MASING_LOSS * n + i]   = memory.loss;
  }
}

/* Of the committed point of each lane, MasingGoesOn. */
static inline WideMask MasingWideGoesOn(const Wide memory[], Wide motion)
{
  return (motion - memory[MASING_WIDE_MOTION]) * (memory[MASING_WIDE_END] - motion) > 0.0;
}

typedef struct {
  Wide motion, force, scale; /* where it began; 2 of a branch, 1 of the virgin curve */
} MasingWideBranch;

/* Of lanes that do not go on. */
static inline void MasingLocateLanes(const JointLanes *lanes, PetscInt i, unsigned turned, Wide motion, MasingWideBranch *branch)
{
  for (; turned; turned &= turned - 1) {
    const PetscInt     lane   = __builtin_ctz(turned);
    const MasingMemory memory = MasingRecallLane(lanes, i, lane);
    const MasingBranch found  = MasingLocate(&memory, motion[lane]);

    branch->motion[lane] = found.motion;
    branch->force[lane]  = found.force;
    branch->scale[lane]  = found.depth > 0 ? 2 : 1;
  }
}

static inline void MasingEvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[],
                                       MasingWideCurve curve)
{
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    const Wide *const  memory = lanes->memory + i * MASING_NUM_WIDE;
    const unsigned     turned = WideBits(~MasingWideGoesOn(memory, motion[i]) & lanes->busy);
    MasingWideBranch   branch = {memory[MASING_WIDE_BEGINNING], memory[MASING_WIDE_BEGINNING_FORCE], WideOf(2)};
    MasingWideBackbone backbone;
    Wide               path;

    if (PetscUnlikely(turned)) MasingLocateLanes(lanes, i, turned, motion[i], &branch);
    path         = motion[i] - branch.motion;
    backbone     = curve(lanes, WideAbs(path) * WideSelect(branch.scale == 2.0, WideOf(0.5), WideOf(1)));
    force[i]     = branch.force + WideCopySign(branch.scale * backbone.force, path);
    stiffness[i] = backbone.slope;
    loss[i]      = branch.scale * backbone.loss;
  }
}

/* Lanes that do not go on accept a motion, all but the states. */
static inline PetscErrorCode MasingTurnLanes(JointLanes *lanes, PetscInt i, unsigned turned, Wide motion, Wide loss, Wide *dissipated,
                                             MasingCurve curve)
{
  PetscFunctionBeginHot;
  for (; turned; turned &= turned - 1) {
    const PetscInt     lane   = __builtin_ctz(turned);
    const MasingMemory memory = MasingRecallLane(lanes, i, lane);
    const MasingBranch branch = MasingLocate(&memory, motion[lane]);

    (*dissipated)[lane] += MasingDissipate(lanes->block[lane]->constants, &memory, &branch, motion[lane], loss[lane], curve);
    PetscCall(TurningPointsSetCount(&lanes->history[lane]->turning[i], branch.depth, memory.motion, memory.force));
    MasingFindBranch(lanes, i, lane);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode MasingCommitLanes(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[],
                                               Wide dissipated[], MasingCurve curve)
{
  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    Wide *const    memory  = lanes->memory + i * MASING_NUM_WIDE;
    const WideMask goes_on = MasingWideGoesOn(memory, motion[i]) & moved;
    const unsigned turned  = WideBits(~goes_on & moved);

    dissipated[i] = WideSelect(goes_on, dissipated[i] + (loss[i] - memory[MASING_WIDE_LOSS]), dissipated[i]);
    if (PetscUnlikely(turned)) PetscCall(MasingTurnLanes(lanes, i, turned, motion[i], loss[i], &dissipated[i], curve));
    memory[MASING_WIDE_MOTION] = WideSelect(moved, motion[i], memory[MASING_WIDE_MOTION]);
    memory[MASING_WIDE_FORCE]  = WideSelect(moved, force[i], memory[MASING_WIDE_FORCE]);
    memory[MASING_WIDE_LOSS]   = WideSelect(moved, loss[i], memory[MASING_WIDE_LOSS]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The virgin curve of one joint at many motions. */
static inline void MasingUntouchedLanes(const JointLanes *lanes, PetscInt count, const PetscReal motion[], PetscReal force[], PetscReal stiffness[],
                                        MasingWideCurve curve)
{
  for (PetscInt n = 0; n < count; n += WIDE_LANES) {
    const Wide               path     = WideLoad(motion + n);
    const MasingWideBackbone backbone = curve(lanes, WideAbs(path));

    WideStore(force + n, WideCopySign(backbone.force, path));
    WideStore(stiffness + n, backbone.slope);
  }
}

/* What a law of masing.h adds to run in lanes: this line before its JointLaw, `.lanes = &lane_law` among its members. `Suits` may be NULL. */
#define MASING_LANES(Backbone, WideBackbone, Suits, count) \
  JOINT_FLAT static void EvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[]) \
  { \
    MasingEvaluateLanes(lanes, motion, force, stiffness, loss, WideBackbone); \
  } \
  static PetscErrorCode CommitLanes(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[], \
                                    Wide dissipated[]) \
  { \
    return MasingCommitLanes(lanes, moved, motion, force, loss, dissipated, Backbone); \
  } \
  JOINT_FLAT static void UntouchedLanes(const JointLanes *lanes, PetscInt num, const PetscReal motion[], PetscReal force[], PetscReal stiffness[]) \
  { \
    MasingUntouchedLanes(lanes, num, motion, force, stiffness, WideBackbone); \
  } \
  static const JointLaneLaw lane_law = { \
    .num_constants = (count), \
    .num_memory    = MASING_NUM_WIDE, \
    .suits         = Suits, \
    .constants     = MasingConstants, \
    .recall        = MasingRecallLanes, \
    .keep          = MasingKeepLanes, \
    .evaluate      = EvaluateLanes, \
    .commit        = CommitLanes, \
    .untouched     = UntouchedLanes, \
  };
