/* lanes.c - blocks of one law side by side: all lanes at once where the law knows how, each for itself where not. */
#include "joint/lanes.h"

enum { MOTION, FORCE, STIFFNESS, LOSS, DISSIPATED, NUM_WORK };

static const JointLaneLaw *KindOf(const JointBlock *block)
{
  const JointLaneLaw *const kind = block->law->lanes;

  return kind && (!kind->suits || kind->suits(block)) ? kind : NULL;
}

PetscBool JointLanesAlike(const JointBlock *one, const JointBlock *other)
{
  return (PetscBool)(one->law == other->law && one->num_points == other->num_points && KindOf(one) == KindOf(other));
}

PetscErrorCode JointLanesCreate(const JointBlock *like, JointLanes *lanes)
{
  PetscFunctionBegin;
  PetscCheck(like->law->dim == 1 && !(like->law->traits & JOINT_VISCOUS), PETSC_COMM_SELF, PETSC_ERR_SUP, "the law %s does not run in lanes",
             like->law->name);
  *lanes = (JointLanes){.law = like->law, .kind = KindOf(like), .num_points = like->num_points};
  PetscCall(PetscCalloc1(NUM_WORK * like->num_points, &lanes->work));
  if (!lanes->kind) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WideAllocate((size_t)(lanes->kind->num_constants + like->num_points * lanes->kind->num_memory), &lanes->room, &lanes->constants));
  lanes->memory = lanes->constants + lanes->kind->num_constants;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLanesDestroy(JointLanes *lanes)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(lanes->room));
  PetscCall(PetscFree(lanes->work));
  *lanes = (JointLanes){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whose numbers a lane computes with: those of the first block that has the same parameters, so that fewer tables are in the cache; of an idle
   lane any, NULL when all are idle. */
static const JointBlock *LenderTo(const JointLanes *lanes, PetscInt lane)
{
  const JointBlock *const own = lanes->block[lane];

  for (PetscInt other = 0; other < WIDE_LANES; other++) {
    const JointBlock *const block = lanes->block[other];

    if (block && (!own || !memcmp(block->parameters, own->parameters, sizeof own->parameters))) return block;
  }
  return NULL;
}

static void LendNumbers(JointLanes *lanes)
{
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    const JointBlock *const block = LenderTo(lanes, lane);

    lanes->numbers[lane] = block ? lanes->kind->constants(block) : NULL;
  }
}

PetscErrorCode JointLanesCreateUntouched(const JointBlock *block, JointLanes *lanes)
{
  const JointLaneLaw *const kind = KindOf(block);

  PetscFunctionBegin;
  *lanes = (JointLanes){0};
  if (!kind || !kind->untouched) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(JointLanesCreate(block, lanes));
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) JointLanesSet(lanes, lane, block, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void JointLanesSet(JointLanes *lanes, PetscInt lane, const JointBlock *block, JointHistory *history)
{
  const JointLaneLaw *const kind = lanes->kind;

  lanes->block[lane]   = block;
  lanes->history[lane] = history;
  lanes->busy[lane]    = block ? -1 : 0;
  if (kind) LendNumbers(lanes);
  if (!block || !kind) return;
  for (PetscInt c = 0; c < kind->num_constants; c++) lanes->constants[c][lane] = kind->constants(block)[c];
  if (kind->recall && history) kind->recall(lanes, lane);
}

void JointLanesKeep(const JointLanes *lanes, PetscInt lane)
{
  if (lanes->kind && lanes->kind->keep) lanes->kind->keep(lanes, lane);
}

static void EvaluateOne(const JointLanes *lanes, PetscInt lane, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[])
{
  const PetscInt    n      = lanes->num_points;
  PetscReal *const  work   = lanes->work;
  const JointMotion at     = {work + MOTION * n, NULL};
  JointForce        result = {work + FORCE * n, work + STIFFNESS * n, NULL, work + LOSS * n};

  for (PetscInt i = 0; i < n; i++) work[MOTION * n + i] = motion[i][lane];
  lanes->law->evaluate(lanes->block[lane], lanes->history[lane], &at, &result);
  for (PetscInt i = 0; i < n; i++) {
    force[i][lane]     = result.force[i];
    stiffness[i][lane] = result.stiffness[i];
    loss[i][lane]      = result.loss[i];
  }
}

void JointLanesEvaluate(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[])
{
  if (lanes->kind) lanes->kind->evaluate(lanes, motion, force, stiffness, loss);
  else
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++)
      if (lanes->block[lane]) EvaluateOne(lanes, lane, motion, force, stiffness, loss);
}

static PetscErrorCode CommitOne(JointLanes *lanes, PetscInt lane, const Wide motion[], const Wide force[], const Wide loss[], Wide dissipated[])
{
  const PetscInt    n      = lanes->num_points;
  PetscReal *const  work   = lanes->work;
  const JointMotion at     = {work + MOTION * n, NULL};
  const JointForce  result = {.force = work + FORCE * n, .loss = work + LOSS * n};

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    work[MOTION * n + i]     = motion[i][lane];
    work[FORCE * n + i]      = force[i][lane];
    work[LOSS * n + i]       = loss[i][lane];
    work[DISSIPATED * n + i] = dissipated[i][lane];
  }
  PetscCall(lanes->law->commit(lanes->block[lane], lanes->history[lane], &at, &result, work + DISSIPATED * n));
  for (PetscInt i = 0; i < n; i++) dissipated[i][lane] = work[DISSIPATED * n + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLanesCommit(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[], Wide dissipated[])
{
  PetscFunctionBeginHot;
  if (!lanes->law->commit) PetscFunctionReturn(PETSC_SUCCESS);
  if (lanes->kind) PetscCall(lanes->kind->commit(lanes, moved, motion, force, loss, dissipated));
  for (PetscInt lane = 0; !lanes->kind && lane < WIDE_LANES; lane++)
    if (moved[lane]) PetscCall(CommitOne(lanes, lane, motion, force, loss, dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}
