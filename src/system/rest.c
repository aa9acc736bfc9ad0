/*
  rest.c - a System about a state of equilibrium: what moves from now on moves from there.

      M u'' + C u' + K u + B^T (f(d0 + B u) - f(d0)) = p

  d0 are the motions of the joints in that state, p what is added to its loads. The joints remember how they got there.
*/
#include "system.h"

PetscInt SystemBlockComponents(const SystemBlock *block)
{
  return block->block.num_points * block->block.law->dim;
}

/* The first `count` components. */
static void FindMotion(const SystemBlock *block, PetscInt count, const PetscReal rows[], PetscReal motion[])
{
  for (PetscInt c = 0; c < count; c++) {
    motion[c] = 0.0;
    for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++) motion[c] += block->factor[t] * rows[block->row[t]];
    if (block->offset) motion[c] += block->offset[c];
  }
}

void SystemBlockMotion(const SystemBlock *block, const PetscReal rows[], PetscReal motion[])
{
  FindMotion(block, SystemBlockComponents(block), rows, motion);
}

/* Parts are counted through, block after block; the first components of their laws are normal to them. */
void SystemPartGaps(const System *system, const PetscReal rows[], PetscReal gap[])
{
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];

    if (!block->block.law->inspect) continue;
    FindMotion(block, block->block.num_points, rows, gap);
    gap += block->block.num_points;
  }
}

/* What the law transmits at a motion, by area where it is one of that. */
static void FindForce(const SystemBlock *block, const JointHistory *history, const PetscReal motion[], const PetscReal still[], PetscReal force[])
{
  const PetscInt n = block->block.num_points;

  block->block.law->evaluate(&block->block, history, &(JointMotion){motion, still}, &(JointForce){.force = force});
  for (PetscInt c = 0; block->area && c < SystemBlockComponents(block); c++) force[c] *= block->area[c % n];
}

static PetscErrorCode Remember(const JointHistory *history, SystemBlock *block)
{
  PetscFunctionBegin;
  if (!block->memory) {
    PetscCall(PetscNew(&block->memory));
    PetscCall(JointHistoryCreate(&block->block, block->memory));
  }
  PetscCall(JointHistoryCopy(history, block->memory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Force and tangent of a law that has come to a motion from rest, and rests there. */
static PetscErrorCode RestThere(const SystemBlock *block, const JointMotion *there, PetscReal force[], PetscReal stiffness[])
{
  JointForce   result = {.force = force, .stiffness = stiffness};
  PetscReal   *dissipated;
  JointHistory history;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(block->block.num_points, &result.loss, block->block.num_points, &dissipated));
  PetscCall(JointHistoryCreate(&block->block, &history));
  block->block.law->evaluate(&block->block, &history, there, &result);
  PetscCall(block->block.law->commit(&block->block, &history, there, &result, dissipated));
  block->block.law->evaluate(&block->block, &history, there, &result);
  PetscCall(JointHistoryDestroy(&history));
  PetscCall(PetscFree2(result.loss, dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces that press each other stick, whatever they did before: their tangents are those of faces that have come to this depth without a
   shift. Open ones have none. */
static PetscErrorCode ReferToFaces(SystemBlock *block, const PetscReal motion[], const PetscReal still[])
{
  const PetscInt dim = block->block.law->dim, n = block->block.num_points;
  PetscReal     *pressed, *force;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(dim * n, &pressed, dim * n, &force));
  PetscCall(PetscArraycpy(pressed, motion, n));
  if (!block->reference) PetscCall(PetscMalloc1(dim * dim * n, &block->reference));
  PetscCall(RestThere(block, &(JointMotion){pressed, still}, force, block->reference));
  for (PetscInt t = 0; t < dim * dim; t++)
    for (PetscInt i = 0; i < n; i++) block->reference[t * n + i] *= force[i] == 0.0 ? 0.0 : (block->area ? block->area[i] : 1.0);
  PetscCall(PetscFree2(pressed, force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RestBlock(const SystemBlock *from, const JointHistory *history, const PetscReal rows[], SystemBlock *block)
{
  const PetscInt count = SystemBlockComponents(block);
  PetscReal     *motion, *still;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(count, &motion, count, &still));
  SystemBlockMotion(from, rows, motion);
  if (!block->offset) PetscCall(PetscMalloc1(count, &block->offset));
  if (!block->rest) PetscCall(PetscMalloc1(count, &block->rest));
  PetscCall(PetscArraycpy(block->offset, motion, count));
  FindForce(block, history, motion, still, block->rest);
  PetscCall(Remember(history, block));
  if (block->block.law->inspect) PetscCall(ReferToFaces(block, motion, still));
  PetscCall(PetscFree2(motion, still));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemRestAt(System *system, const System *same, const State *state)
{
  PetscFunctionBegin;
  PetscCheck(system->num_blocks == same->num_blocks, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "not the same joints");
  for (PetscInt b = 0; b < system->num_blocks; b++) PetscCall(RestBlock(&same->blocks[b], &state->history[b], state->motion, &system->blocks[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
