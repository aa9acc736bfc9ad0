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

PetscErrorCode MaterialFind(const InputNode *node, const char *name, const MeshedPart *meshed, const Material **material)
{
  const char **names;
  PetscInt     index;

  PetscFunctionBegin;
  *material = NULL;
  if (meshed->made.num_materials == 0) {
    PetscCall(InputComplain(node, "unknown material '%s': the case names none under materials", name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(meshed->made.num_materials + 1, &names));
  for (PetscInt i = 0; i < meshed->made.num_materials; i++) names[i] = meshed->made.materials[i].name;
  PetscCall(InputChoose(node, name, "material", names, &index));
  if (index >= 0) *material = &meshed->made.materials[index].material;
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}
