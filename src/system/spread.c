/* spread.c - points whose law is one of a unit of area: how much area they have, how far apart they are, what K0 contains of them. */
#include "draft.h"

PetscErrorCode SystemBlockDestroy(SystemBlock *block)
{
  PetscFunctionBegin;
  PetscCall(JointBlockDestroy(&block->block));
  PetscCall(PetscFree(block->first));
  PetscCall(PetscFree2(block->row, block->factor));
  PetscCall(PetscFree(block->area));
  PetscCall(PetscFree(block->offset));
  PetscCall(PetscFree(block->rest));
  if (block->memory) PetscCall(JointHistoryDestroy(block->memory));
  PetscCall(PetscFree(block->memory));
  PetscCall(PetscFree(block->closed));
  PetscCall(PetscFree(block->reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The law's limits are those at rest, where rough faces may be open: these are the tangents at a depth of a metre, where any roughness is
   pressed flat. */
static PetscErrorCode CloseFaces(SystemBlock *block)
{
  const JointBlock *const joint = &block->block;
  const PetscInt          dim = joint->law->dim, n = joint->num_points;
  const PetscReal         depth = 1.0;
  PetscReal              *motion, *force;
  JointHistory            untouched;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(dim * dim * n, &block->closed));
  PetscCall(PetscCalloc2(dim * n, &motion, dim * n, &force));
  PetscCall(JointHistoryCreate(joint, &untouched));
  for (PetscInt i = 0; i < n; i++) motion[i] = -depth;
  joint->law->evaluate(joint, &untouched, &(JointMotion){motion, force}, &(JointForce){.force = force, .stiffness = block->closed});
  for (PetscInt t = 0; block->area && t < dim * dim; t++)
    for (PetscInt i = 0; i < n; i++) block->closed[t * n + i] *= block->area[i];
  PetscCall(JointHistoryDestroy(&untouched));
  PetscCall(PetscFree2(motion, force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces that are apart at rest come from there, not from where they would touch: laws follow the path of a step. */
static PetscErrorCode RememberGaps(SystemBlock *block)
{
  const JointBlock *const joint = &block->block;
  const PetscInt          n = joint->num_points, dim = joint->law->dim;
  PetscReal              *apart, *still, *force, *loss, most = 0.0;
  JointMotion             there;
  JointForce              none;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < n; i++) most = PetscMax(most, block->offset[i]);
  if (most == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc4(dim * n, &apart, dim * n, &still, dim * n, &force, 2 * n, &loss));
  for (PetscInt i = 0; i < n; i++) apart[i] = PetscMax(0.0, block->offset[i]);
  PetscCall(PetscNew(&block->memory));
  PetscCall(JointHistoryCreate(joint, block->memory));
  there = (JointMotion){apart, still};
  none  = (JointForce){.force = force, .loss = loss};
  joint->law->evaluate(joint, block->memory, &there, &none);
  PetscCall(joint->law->commit(joint, block->memory, &there, &none, loss + n));
  PetscCall(PetscFree4(apart, still, force, loss));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSpreadBlocks(System *system, const LawPlace places[])
{
  const SystemDraft *const draft = system->draft;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < draft->num_laws; l++) {
    const DraftLaw *const law   = &draft->laws[l];
    SystemBlock *const    block = places[l].block >= 0 ? &system->blocks[places[l].block] : NULL;
    const PetscInt        n     = block ? block->block.num_points : 0;

    if (!block || law->area == 0.0) continue;
    if (!block->area) PetscCall(PetscMalloc1(n, &block->area));
    block->area[places[l].point] = law->area;
    if (!law->law->inspect) continue;
    if (!block->offset) PetscCall(PetscCalloc1(n * law->law->dim, &block->offset));
    block->offset[places[l].point] = law->gap;
  }
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    SystemBlock *const block = &system->blocks[b];

    if (block->block.law->inspect) PetscCall(CloseFaces(block));
    if (block->block.law->inspect && block->offset) PetscCall(RememberGaps(block));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetReference(System *system, PetscInt block, PetscInt point, const PetscReal tangents[])
{
  SystemBlock *const changed = &system->blocks[block];
  const PetscInt     n = changed->block.num_points, size = changed->block.law->dim * changed->block.law->dim;
  PetscReal         *reference, stuck[JOINT_MAX_DIM * JOINT_MAX_DIM];

  PetscFunctionBegin;
  if (!changed->reference) {
    PetscCall(PetscMalloc1(size * n, &reference));
    for (PetscInt i = 0; i < n; i++) {
      SystemBlockStiffness(changed, JOINT_STUCK, i, stuck);
      for (PetscInt t = 0; t < size; t++) reference[t * n + i] = stuck[t];
    }
    changed->reference = reference;
  }
  for (PetscInt t = 0; t < size; t++) changed->reference[t * n + point] = tangents[t];
  PetscFunctionReturn(PETSC_SUCCESS);
}
