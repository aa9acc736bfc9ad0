/* block.c - points that share one law and one set of parameters. */
#include "joint.h"

PetscErrorCode JointBlockCreate(const JointLaw *law, const PetscReal parameters[], PetscInt num_points, JointBlock *block)
{
  PetscFunctionBegin;
  *block = (JointBlock){.law = law, .num_points = num_points};
  for (PetscInt i = 0; law->parameters[i].name; i++) block->parameters[i] = parameters[i];
  if (law->prepare) {
    PetscCall(PetscMalloc1(law->count_constants ? law->count_constants(parameters) : law->num_constants, &block->constants));
    law->prepare(parameters, block->constants);
  }
  if (law->num_local) PetscCall(PetscMalloc1(num_points * law->num_local, &block->local));
  for (PetscInt i = 0; law->num_local && i < num_points; i++) JointBlockSetPoint(block, i, parameters);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void JointBlockSetPoint(JointBlock *block, PetscInt point, const PetscReal parameters[])
{
  if (block->law->num_local) block->law->prepare_local(parameters, block->constants, block->local + point * block->law->num_local);
}

JointBlock JointBlockPoint(const JointBlock *block, PetscInt point)
{
  JointBlock view = *block;

  view.num_points = 1;
  if (view.local) view.local += point * block->law->num_local;
  return view;
}

PetscErrorCode JointBlockDestroy(JointBlock *block)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(block->constants));
  PetscCall(PetscFree(block->local));
  *block = (JointBlock){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
