/* material.c - the materials a case names. */
#include "structure.h"

PetscErrorCode MaterialsRead(const InputNode *node, Structure *structure)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of materials, NAME: {young, poisson, density}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  structure->num_materials = InputCount(node);
  PetscCall(PetscCalloc1(structure->num_materials, &structure->materials));
  for (PetscInt i = 0; i < structure->num_materials; i++) {
    structure->materials[i].name = InputKey(node, i);
    PetscCall(InputCheckName(InputItem(node, i), InputKey(node, i)));
    PetscCall(MaterialRead(InputItem(node, i), &structure->materials[i].material));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
