/*
  stresses.c - what stresses a mesh bears: of each element, and at nodes.

  At a node of a material a the stress is the mean of what the elements of a around it say. It jumps where materials meet.
*/
#include "meshed_private.h"

enum { COUNT = ELEMENT_STRESSES, WIDTH = ELEMENT_STRESSES + 1 }; /* of the sums at a node: how many elements they are of */

typedef struct {
  PetscReal *places, *motion, *nodal, *mean;
  Tie        tie;
} Buffers;

static PetscErrorCode BuffersCreate(const ElementKind *kind, Buffers *buffers)
{
  const PetscInt width = mesh_shapes[kind->shape].num_nodes;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(BATCH * width * SPACE, &buffers->places, BATCH * width * kind->num_unknowns, &buffers->motion,
                         BATCH * width * ELEMENT_STRESSES, &buffers->nodal, BATCH * ELEMENT_STRESSES, &buffers->mean));
  PetscCall(TieCreate(&buffers->tie));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuffersDestroy(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(TieDestroy(&buffers->tie));
  PetscCall(PetscFree4(buffers->places, buffers->motion, buffers->nodal, buffers->mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void MeshedPartBears(const MeshedPart *meshed, PetscBool *solids, PetscBool *beams)
{
  *solids = *beams = PETSC_FALSE;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const ElementKind *const kind = meshed->made.batches[b].kind;

    if (kind->solid) *solids = PETSC_TRUE;
    else if (kind->stress) *beams = PETSC_TRUE;
  }
}

/* Adds what one element says to the sums at its nodes. */
static PetscErrorCode AddElement(const Batch *batch, PetscInt e, const PetscReal nodal[], Vec sums)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes;
  PetscReal      row[MESH_MAX_NODES * WIDTH];

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++) {
    PetscCall(PetscArraycpy(row + WIDTH * k, nodal + ELEMENT_STRESSES * k, ELEMENT_STRESSES));
    row[WIDTH * k + COUNT] = 1.0;
  }
  PetscCall(VecSetValuesBlocked(sums, width, batch->block->nodes + batch->elements[e] * width, row, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `elements`: those of its block. */
static PetscErrorCode AddBatch(const MeshedPart *meshed, const Batch *batch, PetscReal elements[], Vec sums)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes, rows = width * batch->kind->num_unknowns;
  Buffers        buffers;

  PetscFunctionBegin;
  PetscCall(BuffersCreate(batch->kind, &buffers));
  for (PetscInt first = 0; first < batch->count; first += BATCH) {
    const PetscInt count = PetscMin(BATCH, batch->count - first);

    BatchPlaces(meshed, batch, first, count, buffers.places);
    for (PetscInt e = 0; e < count; e++) PetscCall(StressMotion(meshed, batch, first + e, &buffers.tie, buffers.motion + e * rows));
    PetscCall(ElementStress(batch->kind, &batch->properties, count, buffers.places, buffers.motion, buffers.nodal, buffers.mean));
    for (PetscInt e = 0; e < count; e++) {
      PetscCall(PetscArraycpy(elements + ELEMENT_STRESSES * batch->elements[first + e], buffers.mean + ELEMENT_STRESSES * e, ELEMENT_STRESSES));
      if (batch->kind->solid) PetscCall(AddElement(batch, first + e, buffers.nodal + ELEMENT_STRESSES * width * e, sums));
    }
  }
  PetscCall(BuffersDestroy(&buffers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that is of one material. */
static PetscErrorCode AddBatches(const MeshedPart *meshed, const Material *material, PetscReal elements[], Vec sums)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch  = &meshed->made.batches[b];
    PetscInt           before = 0; /* elements of other blocks */

    if (batch->part->material != material || !batch->kind->stress) continue;
    for (PetscInt i = 0; MeshGetBlock(meshed->mesh, i) != batch->block; i++) before += MeshGetBlock(meshed->mesh, i)->count;
    PetscCall(AddBatch(meshed, batch, elements + ELEMENT_STRESSES * before, sums));
  }
  PetscCall(VecAssemblyBegin(sums));
  PetscCall(VecAssemblyEnd(sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where another material has more already, that stays. */
static PetscErrorCode TakeMeans(const MeshedPart *meshed, Vec sums, PetscReal nodes[])
{
  const PetscScalar *sum;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(sums, &sum));
  for (PetscInt i = 0; i < MeshGetNodes(meshed->mesh)->count; i++) {
    PetscReal mean[ELEMENT_STRESSES], *const own = nodes + ELEMENT_STRESSES * i;

    if (sum[WIDTH * i + COUNT] == 0.0) continue;
    for (PetscInt c = 0; c < ELEMENT_STRESSES; c++) mean[c] = sum[WIDTH * i + c] / sum[WIDTH * i + COUNT];
    if (!(ElementVonMises(own) >= ElementVonMises(mean))) PetscCall(PetscArraycpy(own, mean, ELEMENT_STRESSES));
  }
  PetscCall(VecRestoreArrayRead(sums, &sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartFindStresses(const MeshedPart *stressed, PetscReal nodes[], PetscReal elements[])
{
  const MeshNodes *const mesh_nodes   = MeshGetNodes(stressed->mesh);
  PetscInt               num_elements = 0;
  Vec                    sums;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(stressed->mesh); b++) num_elements += MeshGetBlock(stressed->mesh, b)->count;
  for (PetscInt i = 0; i < ELEMENT_STRESSES * num_elements; i++) elements[i] = (PetscReal)NAN;
  for (PetscInt i = 0; i < ELEMENT_STRESSES * mesh_nodes->count; i++) nodes[i] = (PetscReal)NAN;
  PetscCall(VecCreateMPI(MeshComm(stressed->mesh), WIDTH * mesh_nodes->count, WIDTH * mesh_nodes->total, &sums));
  PetscCall(VecSetBlockSize(sums, WIDTH));
  for (PetscInt m = 0; m < stressed->made.num_materials; m++) {
    PetscCall(VecZeroEntries(sums));
    PetscCall(AddBatches(stressed, &stressed->made.materials[m].material, elements, sums));
    PetscCall(TakeMeans(stressed, sums, nodes));
  }
  PetscCall(VecDestroy(&sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}
