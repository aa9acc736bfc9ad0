/* block.c - points that share one law and one set of parameters. */
#include "joint.h"

PetscErrorCode JointBlockCreate(const JointLaw *law, const PetscReal parameters[], PetscInt num_points, JointBlock *block)
{
  PetscFunctionBegin;
  *block = (JointBlock){.law = law, .num_points = num_points};
  for (PetscInt i = 0; law->parameters[i].name; i++) block->parameters[i] = parameters[i];
  if (!law->prepare) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(law->count_constants(parameters), &block->constants));
  law->prepare(parameters, block->constants);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointBlockDestroy(JointBlock *block)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(block->constants));
  *block = (JointBlock){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
