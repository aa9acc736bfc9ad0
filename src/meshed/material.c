/* material.c - the materials a case names. */
#include "meshed_private.h"

PetscErrorCode MaterialsRead(const InputNode *node, MeshedPart *meshed)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of materials, NAME: {young, poisson, density}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->made.num_materials = InputCount(node);
  PetscCall(PetscCalloc1(meshed->made.num_materials, &meshed->made.materials));
  for (PetscInt i = 0; i < meshed->made.num_materials; i++) {
    meshed->made.materials[i].name = InputKey(node, i);
    PetscCall(InputCheckName(InputItem(node, i), InputKey(node, i)));
    PetscCall(MaterialRead(InputItem(node, i), &meshed->made.materials[i].material));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
