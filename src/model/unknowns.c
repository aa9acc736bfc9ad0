/* unknowns.c - the unknowns of the mesh: blocks of three for each node that an element moves, less what the ground holds. */
#include "structure.h"
#include <petscsf.h>

enum { ALL_HELD = 7 };

/* Between the owners of nodes and those who have them as ghosts; a unit is the two slots of a node. */
typedef struct {
  PetscSF      sf;
  MPI_Datatype unit;
} Exchange;

static PetscErrorCode ExchangeCreate(const Mesh *mesh, Exchange *exchange)
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);
  PetscSF *const         sf    = &exchange->sf;
  PetscLayout            layout;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Type_contiguous(2, MPIU_INT, &exchange->unit));
  PetscCallMPI(MPI_Type_commit(&exchange->unit));
  PetscCall(PetscLayoutCreateFromSizes(MeshComm(mesh), nodes->count, nodes->total, 1, &layout));
  PetscCall(PetscSFCreate(MeshComm(mesh), sf));
  PetscCall(PetscSFSetGraphLayout(*sf, layout, nodes->num_ghosts, NULL, PETSC_COPY_VALUES, nodes->ghosts));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ExchangeDestroy(Exchange *exchange)
{
  PetscFunctionBegin;
  PetscCall(PetscSFDestroy(&exchange->sf));
  PetscCallMPI(MPI_Type_free(&exchange->unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* present[slot] is 1 where an element of any rank has a stiffness or a mass. */
static PetscErrorCode FindPresent(const Structure *structure, const Exchange *exchange, PetscInt present[])
{
  const PetscInt num_owned = MeshGetNodes(structure->mesh)->count;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < structure->num_batches; b++) {
    const Batch *const batch = &structure->batches[b];
    const PetscInt     width = mesh_shapes[batch->block->shape].num_nodes;

    for (PetscInt e = 0; e < batch->count; e++) {
      for (PetscInt k = 0; k < width; k++) {
        const PetscInt node = batch->block->local_nodes[batch->elements[e] * width + k];

        present[2 * node] = 1;
        if (batch->kind->num_unknowns > SPACE) present[2 * node + 1] = 1;
      }
    }
  }
  PetscCall(PetscSFReduceBegin(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  PetscCall(PetscSFReduceEnd(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static unsigned HeldInSlot(const Structure *structure, PetscInt slot)
{
  return SupportsHold(structure, MeshGetNodes(structure->mesh)->first + slot / 2) >> (slot % 2 ? SPACE : 0) & ALL_HELD;
}

/* Numbers the blocks that can move, over the ranks, and tells those who have them as ghosts. */
static PetscErrorCode NumberBlocks(Structure *structure, const Exchange *exchange)
{
  Unknowns *const unknowns  = &structure->unknowns;
  const PetscInt  num_owned = 2 * MeshGetNodes(structure->mesh)->count;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num_owned, &unknowns->slot));
  for (PetscInt s = 0; s < num_owned; s++)
    if (unknowns->block[s] && HeldInSlot(structure, s) != ALL_HELD) unknowns->slot[unknowns->num_blocks++] = s;
  PetscCallMPI(MPI_Scan(&unknowns->num_blocks, &unknowns->first_block, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  unknowns->first_block -= unknowns->num_blocks;
  PetscCallMPI(MPI_Allreduce(&unknowns->num_blocks, &unknowns->total_blocks, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  for (PetscInt s = 0; s < num_owned; s++) unknowns->block[s] = -1;
  for (PetscInt i = 0; i < unknowns->num_blocks; i++) unknowns->block[unknowns->slot[i]] = unknowns->first_block + i;
  PetscCall(PetscSFBcastBegin(exchange->sf, exchange->unit, unknowns->block, unknowns->block + num_owned, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(exchange->sf, exchange->unit, unknowns->block, unknowns->block + num_owned, MPI_REPLACE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers the unknowns that are left of the blocks. */
static PetscErrorCode NumberUnknowns(Structure *structure)
{
  Unknowns *const unknowns = &structure->unknowns;
  const PetscInt  room     = SPACE * unknowns->num_blocks;
  PetscInt        next     = 0, first, *rows;
  PetscBool       whole;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(room, &unknowns->number));
  PetscCall(PetscMalloc1(room, &rows));
  for (PetscInt i = 0; i < room; i++) {
    const PetscBool held = (PetscBool)(HeldInSlot(structure, unknowns->slot[i / SPACE]) >> i % SPACE & 1u);

    unknowns->number[i] = held ? -1 : next;
    if (!held) rows[next++] = SPACE * unknowns->first_block + i;
  }
  unknowns->num_local = next;
  PetscCallMPI(MPI_Scan(&next, &first, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  PetscCallMPI(MPI_Allreduce(&next, &unknowns->num_total, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  for (PetscInt i = 0; i < room; i++)
    if (unknowns->number[i] >= 0) unknowns->number[i] += first - next;
  whole = (PetscBool)(next == room);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPIU_BOOL, MPI_LAND, MeshComm(structure->mesh)));
  if (!whole) PetscCall(ISCreateGeneral(MeshComm(structure->mesh), next, rows, PETSC_COPY_VALUES, &unknowns->free));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsCreate(Structure *structure)
{
  const MeshNodes *const nodes = MeshGetNodes(structure->mesh);
  Exchange               exchange;

  PetscFunctionBegin;
  PetscCall(ExchangeCreate(structure->mesh, &exchange));
  PetscCall(PetscCalloc1(2 * (nodes->count + nodes->num_ghosts), &structure->unknowns.block));
  PetscCall(FindPresent(structure, &exchange, structure->unknowns.block));
  PetscCall(NumberBlocks(structure, &exchange));
  PetscCall(NumberUnknowns(structure));
  PetscCall(ExchangeDestroy(&exchange));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsSum(const Structure *structure, PetscInt counts[])
{
  const PetscInt num_owned = 2 * MeshGetNodes(structure->mesh)->count;
  Exchange       exchange;

  PetscFunctionBegin;
  PetscCall(ExchangeCreate(structure->mesh, &exchange));
  PetscCall(PetscSFReduceBegin(exchange.sf, exchange.unit, counts + num_owned, counts, MPI_SUM));
  PetscCall(PetscSFReduceEnd(exchange.sf, exchange.unit, counts + num_owned, counts, MPI_SUM));
  PetscCall(ExchangeDestroy(&exchange));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsDestroy(Unknowns *unknowns)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(unknowns->block));
  PetscCall(PetscFree(unknowns->slot));
  PetscCall(PetscFree(unknowns->number));
  PetscCall(ISDestroy(&unknowns->free));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt UnknownsFind(const Structure *structure, PetscInt node, PetscInt direction)
{
  const Unknowns *const unknowns = &structure->unknowns;
  const PetscInt        local    = node - MeshGetNodes(structure->mesh)->first;
  PetscInt              block;

  if (local < 0 || local >= MeshGetNodes(structure->mesh)->count) return -1;
  block = unknowns->block[2 * local + direction / SPACE];
  return block < 0 ? -1 : unknowns->number[SPACE * (block - unknowns->first_block) + direction % SPACE];
}

PetscErrorCode UnknownsOfNode(const Structure *structure, PetscInt node, unsigned *directions)
{
  PetscFunctionBegin;
  *directions = 0;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (UnknownsFind(structure, node, d) >= 0) *directions |= 1u << d;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, directions, 1, MPI_UNSIGNED, MPI_BOR, MeshComm(structure->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}
