/* point_stresses.c - stresses of a mesh at the points of integration of its solids, where they are found. */
#include "meshed_private.h"

enum { WIDTH = SPACE + ELEMENT_STRESSES };

PetscErrorCode MeshedPartMostPoints(const MeshedPart *meshed, PetscInt *most)
{
  PetscFunctionBegin;
  *most = 0;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) *most = PetscMax(*most, ElementNumPoints(meshed->made.batches[b].kind));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 1, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One element after another: `values` are those of its block. */
static PetscErrorCode AddBatch(const MeshedPart *meshed, const Batch *batch, PetscInt most, PetscReal values[])
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes, points = ElementNumPoints(batch->kind);
  PetscReal     *places, *motion, *at, *stress;
  Tie            tie;

  PetscFunctionBegin;
  PetscCall(
    PetscMalloc4(SPACE * width, &places, batch->kind->num_unknowns * width, &motion, SPACE * points, &at, ELEMENT_STRESSES * points, &stress));
  PetscCall(TieCreate(&tie));
  for (PetscInt e = 0; e < batch->count; e++) {
    PetscReal *const own = values + WIDTH * most * batch->elements[e];

    BatchPlaces(meshed, batch, e, 1, places);
    PetscCall(StressMotion(meshed, batch, e, &tie, motion));
    PetscCall(ElementPointStress(batch->kind, &batch->properties, 1, places, motion, at, stress));
    for (PetscInt q = 0; q < points; q++) {
      PetscCall(PetscArraycpy(own + WIDTH * q, at + SPACE * q, SPACE));
      PetscCall(PetscArraycpy(own + WIDTH * q + SPACE, stress + ELEMENT_STRESSES * q, ELEMENT_STRESSES));
    }
  }
  PetscCall(TieDestroy(&tie));
  PetscCall(PetscFree4(places, motion, at, stress));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartFindPointStresses(const MeshedPart *stressed, PetscInt points, PetscReal values[])
{
  PetscInt num_elements = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(stressed->mesh); b++) num_elements += MeshGetBlock(stressed->mesh, b)->count;
  for (PetscInt i = 0; i < WIDTH * points * num_elements; i++) values[i] = (PetscReal)NAN;
  for (PetscInt b = 0; b < stressed->made.num_batches; b++) {
    const Batch *const batch  = &stressed->made.batches[b];
    PetscInt           before = 0; /* elements of other blocks */

    if (!batch->kind->solid) continue;
    for (PetscInt i = 0; MeshGetBlock(stressed->mesh, i) != batch->block; i++) before += MeshGetBlock(stressed->mesh, i)->count;
    PetscCall(AddBatch(stressed, batch, points, values + WIDTH * points * before));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
