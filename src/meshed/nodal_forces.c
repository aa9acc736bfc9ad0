/* nodal_forces.c - forces on all nodes of the mesh, and what they are on its unknowns. */
#include "meshed_private.h"

PetscErrorCode NodalForcesCreate(const Mesh *mesh, Vec *on_nodes)
{
  PetscFunctionBegin;
  PetscCall(VecCreate(MeshComm(mesh), on_nodes));
  PetscCall(VecSetSizes(*on_nodes, SPACE * MeshGetNodes(mesh)->count, SPACE * MeshGetNodes(mesh)->total));
  PetscCall(VecSetBlockSize(*on_nodes, SPACE));
  PetscCall(VecSetType(*on_nodes, VECSTANDARD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NodalForcesToUnknowns(const MeshedPart *meshed, Vec on_nodes, Vec *forces)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscScalar     *force;
  Term                   terms[SPACE];

  PetscFunctionBegin;
  PetscCall(VecCreateMPI(MeshComm(meshed->mesh), meshed->unknowns.num_local, meshed->unknowns.num_total, forces));
  PetscCall(VecGetArrayRead(on_nodes, &force));
  for (PetscInt i = 0; i < SPACE * nodes->count; i++) {
    const PetscInt count = force[i] == 0.0 ? 0 : UnknownsOf(meshed, nodes->first + i / SPACE, i % SPACE, terms);

    for (PetscInt t = 0; t < count; t++) PetscCall(VecSetValue(*forces, terms[t].index, terms[t].factor * force[i], ADD_VALUES));
  }
  PetscCall(VecRestoreArrayRead(on_nodes, &force));
  PetscCall(VecAssemblyBegin(*forces));
  PetscCall(VecAssemblyEnd(*forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}
