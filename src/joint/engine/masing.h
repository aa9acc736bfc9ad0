/*
  masing.h - the memory of laws that obey Masing's rules, around a backbone that the law gives.

  While there is no turning point the path is on the virgin curve: f = +-F(|x|). A reversal at (x_r, f_r)
  starts a branch, the backbone doubled: f = f_r +- 2 F(|x - x_r| / 2). A branch that reaches the turning
  point before its own has closed a loop: both points are forgotten and the path goes on along the older
  branch; the last point is forgotten at -x_r, where the path is back on the virgin curve. See NOTES.md.

  A law gives its backbone; these functions are inline so that the compiler puts the backbone into the
  loops. Evaluation only finds the branch: it costs the same however much is remembered, and each loop
  that a step closes was opened by an earlier one.
*/
#pragma once
#include <math.h>
#include "functions.h"
#include "turning.h"

/* The states of a point: the motion last committed, its force, and the energy lost on its branch so far. */
enum { MASING_MOTION, MASING_FORCE, MASING_LOSS, MASING_NUM_STATES };

/* Force F, slope F' and loss L(u) = 2 int_0^u F - u F(u), the energy dissipated between 0 and u >= 0 on the virgin curve. */
typedef struct {
  PetscReal force; /* [N] */
  PetscReal slope; /* [N/m] */
  PetscReal loss;  /* [J] */
} MasingBackbone;

typedef MasingBackbone (*MasingCurve)(const PetscReal constants[], PetscReal u);

/* The point last committed, with what it remembers. */
typedef struct {
  PetscReal            motion, force, loss;
  const TurningPoints *turning;
} MasingMemory;

/* The branch on which a motion lies. Its depth is the number of turning points under it, its beginning included;
   one more than are remembered says that the motion reverses at the committed point. */
typedef struct {
  PetscReal motion, force; /* where it began */
  PetscInt  depth;         /* 0 for the virgin curve */
} MasingBranch;

/* What holds at a motion on a branch; the loss is counted from the branch's beginning. */
typedef struct {
  PetscReal force, slope, loss, loss_slope;
} MasingPoint;

static inline MasingMemory MasingRecall(const JointHistory *history, PetscInt i)
{
  const PetscReal *point = history->states + i;
  const PetscInt   n     = history->num_points;

  return (MasingMemory){point[MASING_MOTION * n], point[MASING_FORCE * n], point[MASING_LOSS * n], &history->turning[i]};
}

static inline PetscReal MasingBeginning(const MasingMemory *memory, PetscInt depth)
{
  if (depth == 0) return 0;
  return depth > memory->turning->count ? memory->motion : memory->turning->motion[depth - 1];
}

/* Where a branch of depth >= 1 closes a loop, and the depth of the branch on which the path goes on there. */
static inline PetscReal MasingEnd(const MasingMemory *memory, PetscInt depth)
{
  return depth > 1 ? memory->turning->motion[depth - 2] : -MasingBeginning(memory, 1);
}

static inline PetscInt MasingOlder(PetscInt depth)
{
  return depth > 1 ? depth - 2 : 0;
}

/* +1 or -1 along the branch of the committed point; 0 for an untouched joint, which no motion reverses. */
static inline PetscReal MasingHeading(const MasingMemory *memory)
{
  const PetscReal beginning = MasingBeginning(memory, memory->turning->count);

  return (PetscReal)((memory->motion > beginning) - (memory->motion < beginning));
}

/* Depth of the branch on which a motion starts, before it closes any loop. */
static inline PetscInt MasingDeparture(const MasingMemory *memory, PetscReal motion)
{
  return memory->turning->count + (MasingHeading(memory) * (motion - memory->motion) < 0 ? 1 : 0);
}

/* Whether a motion lies between the committed point and the end of its branch, as nearly all do: neither does it reverse nor
   close a loop. */
static inline PetscBool MasingGoesOn(const MasingMemory *memory, PetscReal motion)
{
  const PetscInt depth = memory->turning->count;

  return (PetscBool)(depth > 0 && (motion - memory->motion) * (MasingEnd(memory, depth) - motion) > 0);
}

/* A loop counts as closed when its end is just reached: a steady cycle then remembers no more than its last reversal. */
static inline MasingBranch MasingLocate(const MasingMemory *memory, PetscReal motion)
{
  const TurningPoints *turning = memory->turning;
  PetscInt             depth   = turning->count;
  PetscReal            sense;

  if (MasingGoesOn(memory, motion)) return (MasingBranch){turning->motion[depth - 1], turning->force[depth - 1], depth};
  depth = MasingDeparture(memory, motion);
  sense = depth > turning->count ? -MasingHeading(memory) : MasingHeading(memory);
  while (depth > 0 && sense * (motion - MasingEnd(memory, depth)) >= 0) depth = MasingOlder(depth);
  if (depth == 0) return (MasingBranch){0};
  if (depth > turning->count) return (MasingBranch){memory->motion, memory->force, depth};
  return (MasingBranch){turning->motion[depth - 1], turning->force[depth - 1], depth};
}

static inline MasingPoint MasingFollow(const PetscReal constants[], const MasingBranch *branch, PetscReal motion, MasingCurve curve)
{
  const PetscReal      path     = motion - branch->motion;
  const PetscReal      scale    = branch->depth > 0 ? 2 : 1;
  const PetscReal      u        = PetscAbsReal(path) * (branch->depth > 0 ? 0.5 : 1);
  const MasingBackbone backbone = curve(constants, u);

  return (MasingPoint){
    .force      = branch->force + PetscCopysignReal(scale * backbone.force, path),
    .slope      = backbone.slope,
    .loss       = scale * backbone.loss,
    .loss_slope = PetscCopysignReal(backbone.force - u * backbone.slope, path),
  };
}

static inline void MasingEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result,
                                  MasingCurve curve)
{
  const PetscReal *restrict constants    = block->constants;
  const PetscReal *restrict displacement = motion->displacement;
  PetscReal *restrict force              = result->force;
  PetscReal *restrict stiffness          = result->stiffness;
  PetscReal *restrict loss               = result->loss;

  for (PetscInt i = 0; i < block->num_points; i++) {
    const MasingMemory memory = MasingRecall(history, i);
    const MasingBranch branch = MasingLocate(&memory, displacement[i]);
    const MasingPoint  point  = MasingFollow(constants, &branch, displacement[i], curve);

    force[i] = point.force;
    if (stiffness) stiffness[i] = point.slope;
    if (loss) loss[i] = point.loss;
  }
}

/* Loss counted from the beginning of the branch of this depth. */
static inline PetscReal MasingLossAt(const PetscReal constants[], const MasingMemory *memory, PetscInt depth, PetscReal motion, MasingCurve curve)
{
  const MasingBranch branch = {.motion = MasingBeginning(memory, depth), .depth = depth};

  return MasingFollow(constants, &branch, motion, curve).loss;
}

/* Energy dissipated on the way from the committed point to a motion: the rest of each branch on which a loop is closed,
   then the part of the last branch. */
static inline PetscReal MasingDissipate(const PetscReal constants[], const MasingMemory *memory, const MasingBranch *branch, PetscReal motion,
                                        PetscReal loss, MasingCurve curve)
{
  PetscInt  depth      = MasingDeparture(memory, motion);
  PetscReal start      = depth > memory->turning->count ? 0 : memory->loss;
  PetscReal dissipated = 0;

  while (depth > branch->depth) {
    const PetscReal end = MasingEnd(memory, depth);

    dissipated += MasingLossAt(constants, memory, depth, end, curve) - start;
    depth = MasingOlder(depth);
    start = MasingLossAt(constants, memory, depth, end, curve);
  }
  return dissipated + (loss - start);
}

static inline PetscErrorCode MasingCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                                          PetscReal dissipated[], MasingCurve curve)
{
  const PetscInt n      = block->num_points;
  PetscReal     *states = history->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal    displacement = motion->displacement[i];
    const MasingMemory memory       = MasingRecall(history, i);

    if (MasingGoesOn(&memory, displacement)) {
      dissipated[i] += result->loss[i] - memory.loss;
    } else {
      const MasingBranch branch = MasingLocate(&memory, displacement);

      dissipated[i] += MasingDissipate(block->constants, &memory, &branch, displacement, result->loss[i], curve);
      PetscCall(TurningPointsSetCount(&history->turning[i], branch.depth, memory.motion, memory.force));
    }
    states[MASING_MOTION * n + i] = displacement;
    states[MASING_FORCE * n + i]  = result->force[i];
    states[MASING_LOSS * n + i]   = result->loss[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The change of a branch's beginning, which is a committed point of the past. */
static inline MasingBranch MasingBranchChange(const JointHistory *dhistory, PetscInt i, const MasingBranch *branch)
{
  const MasingMemory change = MasingRecall(dhistory, i);

  if (branch->depth == 0) return (MasingBranch){0};
  if (branch->depth > change.turning->count) return (MasingBranch){.motion = change.motion, .force = change.force};
  return (MasingBranch){.motion = change.turning->motion[branch->depth - 1], .force = change.turning->force[branch->depth - 1]};
}

static inline PetscErrorCode MasingDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                                 const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], MasingCurve curve)
{
  const PetscInt n       = block->num_points;
  PetscReal     *dstates = dhistory->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal    displacement = motion->displacement[i];
    const MasingMemory memory       = MasingRecall(history, i);
    const MasingBranch branch       = MasingLocate(&memory, displacement);
    const MasingPoint  point        = MasingFollow(block->constants, &branch, displacement, curve);
    const MasingBranch dbranch      = MasingBranchChange(dhistory, i, &branch);
    const PetscReal    dpath        = dmotion->displacement[i] - dbranch.motion;

    PetscCall(TurningPointsSetCount(&dhistory->turning[i], branch.depth, dstates[MASING_MOTION * n + i], dstates[MASING_FORCE * n + i]));
    dforce[i]                      = dbranch.force + point.slope * dpath;
    dstates[MASING_MOTION * n + i] = dmotion->displacement[i];
    dstates[MASING_FORCE * n + i]  = dforce[i];
    dstates[MASING_LOSS * n + i]   = point.loss_slope * dpath;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In full slip the joint is far along the backbone. */
static inline void MasingLimit(const JointBlock *block, JointState state, PetscReal stiffness[], MasingCurve curve)
{
  stiffness[0] = curve(block->constants, state == JOINT_SLIPPING ? (PetscReal)INFINITY : 0).slope;
}

/* A law of this engine: its functions around a backbone, and the members of JointLaw that they are. It has the trait JOINT_MASING. */
#define MASING_FUNCTIONS(Backbone) \
  JOINT_LIMIT(MasingLimit, Backbone) \
  JOINT_EVALUATE(MasingEvaluate, Backbone) \
  JOINT_COMMIT(MasingCommit, Backbone) \
  JOINT_DIFFERENTIATE(MasingDifferentiate, Backbone)
#define MASING_LAW .dim = 1, .num_states = MASING_NUM_STATES, .limit = Limit, .evaluate = Evaluate, .commit = Commit, .differentiate = Differentiate
