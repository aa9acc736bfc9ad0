/* pressure.c - a pressure on faces, as forces on the unknowns of the mesh: -p int N n dA, n pointing away from the structure. */
#include "meshed_private.h"

/* The integrals of shape function times normal, turned to point away from `inside`. */
static PetscErrorCode OutwardVectors(MeshShape shape, const PetscReal x[], const PetscReal inside[SPACE], PetscReal vectors[])
{
  const PetscInt width   = mesh_shapes[shape].num_nodes;
  PetscReal      outward = 0.0;

  PetscFunctionBegin;
  PetscCall(ElementFaceVectors(shape, 1, x, vectors));
  for (PetscInt a = 0; a < width; a++)
    for (PetscInt b = 0; b < width; b++)
      for (PetscInt c = 0; c < SPACE; c++) outward += vectors[SPACE * a + c] * (x[SPACE * b + c] - inside[c]);
  for (PetscInt i = 0; i < SPACE * width && outward < 0.0; i++) vectors[i] = -vectors[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFace(const Mesh *mesh, const MeshBlock *block, PetscInt element, const PetscReal inside[SPACE], Vec on_nodes)
{
  const PetscInt width                     = mesh_shapes[block->shape].num_nodes;
  PetscReal      x[MESH_MAX_NODES * SPACE] = {0.0}, vectors[MESH_MAX_NODES * SPACE];

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++)
    PetscCall(PetscArraycpy(x + SPACE * k, MeshGetNodes(mesh)->coordinates + SPACE * block->local_nodes[element * width + k], SPACE));
  PetscCall(OutwardVectors(block->shape, x, inside, vectors));
  for (PetscInt i = 0; i < SPACE * width; i++) vectors[i] = -vectors[i];
  PetscCall(VecSetValuesBlocked(on_nodes, width, block->nodes + element * width, vectors, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The forces of 1 Pa on all nodes of the mesh. */
static PetscErrorCode ForcesOnNodes(const Mesh *mesh, const MeshGroup *group, const PetscReal inside[], Vec *on_nodes)
{
  PetscFunctionBegin;
  PetscCall(NodalForcesCreate(mesh, on_nodes));
  for (PetscInt i = 0; i < group->count; i++)
    PetscCall(AddFace(mesh, MeshGetBlock(mesh, group->elements[i].block), group->elements[i].index, inside + SPACE * i, *on_nodes));
  PetscCall(VecAssemblyBegin(*on_nodes));
  PetscCall(VecAssemblyEnd(*on_nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PressureForces(const MeshedPart *meshed, const InputNode *node, PetscInt group_index, PetscReal resultant[SPACE], Vec *forces)
{
  const MeshGroup *const group = MeshGetGroup(meshed->mesh, group_index);
  PetscReal             *inside, largest;
  PetscBool              fine;
  Vec                    on_nodes;

  PetscFunctionBegin;
  *forces = NULL;
  PetscCall(PetscMalloc1(SPACE * group->count, &inside));
  PetscCall(FacesFindInside(meshed, node, group_index, inside, &fine));
  if (fine) {
    PetscCall(ForcesOnNodes(meshed->mesh, group, inside, &on_nodes));
    PetscCall(VecStrideSumAll(on_nodes, resultant));
    PetscCall(NodalForcesToUnknowns(meshed, on_nodes, forces));
    PetscCall(VecDestroy(&on_nodes));
    PetscCall(VecNorm(*forces, NORM_INFINITY, &largest));
    if (largest == 0.0) PetscCall(InputComplain(node, "has no effect: supports hold all nodes of '%s'", group->name));
  }
  PetscCall(PetscFree(inside));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is wrong with the group was said when the case was read. */
PetscErrorCode PressureAddOnNodes(const MeshedPart *meshed, const MeshedPressure *pressure, Vec on_nodes)
{
  PetscInt   index;
  PetscReal *inside;
  PetscBool  fine;
  Vec        of_one;

  PetscFunctionBegin;
  PetscCall(MeshChooseGroup(meshed->mesh, pressure->node, 2, pressure->group, &index));
  PetscCall(PetscMalloc1(SPACE * MeshGetGroup(meshed->mesh, index)->count, &inside));
  PetscCall(FacesFindInside(meshed, pressure->node, index, inside, &fine));
  PetscCall(ForcesOnNodes(meshed->mesh, MeshGetGroup(meshed->mesh, index), inside, &of_one));
  PetscCall(VecAXPY(on_nodes, pressure->pressure, of_one));
  PetscCall(VecDestroy(&of_one));
  PetscCall(PetscFree(inside));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartPressure(const MeshedPart *meshed, const InputNode *node, const char *group, PetscBool parts_are_fine,
                                  PetscReal resultant[SPACE], Vec *forces)
{
  PetscInt index;

  PetscFunctionBegin;
  *forces = NULL;
  if (!meshed->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshChooseGroup(meshed->mesh, node, 2, group, &index));
  if (index >= 0 && parts_are_fine) PetscCall(PressureForces(meshed, node, index, resultant, forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}
