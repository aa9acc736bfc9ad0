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

/* How much an element asks for a slot; of the elements of a node the strongest is heard. */
enum { ABSENT, BODY, ELASTIC };

/* A body turns by itself only if it has moments of inertia, or is not where its node is. */
static PetscBool Turns(const Part *part)
{
  const PointMass *const body = &part->point_mass;
  PetscReal              most = 0.0;

  for (PetscInt i = 0; i < 2 * SPACE; i++) most = PetscMax(most, PetscAbsReal(body->inertia[i]));
  for (PetscInt c = 0; c < SPACE; c++) most = PetscMax(most, PetscAbsReal(body->offset[c]));
  return (PetscBool)(most > 0.0);
}

static void MarkSlots(const Batch *batch, PetscInt present[])
{
  const PetscInt  width = mesh_shapes[batch->block->shape].num_nodes, strength = batch->kind->shape == MESH_POINT1 ? BODY : ELASTIC;
  const PetscBool turns = (PetscBool)(batch->kind->num_unknowns > SPACE && (strength == ELASTIC || Turns(batch->part)));

  for (PetscInt i = 0; i < batch->count * width; i++) {
    const PetscInt node = batch->block->local_nodes[batch->elements[i / width] * width + i % width];

    present[2 * node] = PetscMax(present[2 * node], strength);
    if (turns) present[2 * node + 1] = PetscMax(present[2 * node + 1], strength);
  }
}

/* present[slot] of the nodes this rank owns: what the elements of any rank ask for. Where solids are and nothing resists rotation,
   a body has none. */
static PetscErrorCode FindPresent(const Structure *structure, const Exchange *exchange, PetscInt present[])
{
  const PetscInt num_owned = MeshGetNodes(structure->mesh)->count;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < structure->num_batches; b++) MarkSlots(&structure->batches[b], present);
  PetscCall(PetscSFReduceBegin(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  PetscCall(PetscSFReduceEnd(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  for (PetscInt n = 0; n < num_owned; n++)
    if (present[2 * n] == ELASTIC && present[2 * n + 1] == BODY) present[2 * n + 1] = ABSENT;
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

/* Complains of bodies that turn on nodes that do not. */
static PetscErrorCode CheckBodies(const Structure *structure)
{
  const PetscInt *const block = structure->unknowns.block;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < structure->num_batches; b++) {
    const Batch *const batch = &structure->batches[b];
    PetscInt64         least = INT64_MAX, ignored = 0;

    if (batch->kind->shape != MESH_POINT1 || !Turns(batch->part)) continue;
    for (PetscInt e = 0; e < batch->count; e++) {
      const PetscInt element = batch->elements[e], slot = 2 * batch->block->local_nodes[element];
      const unsigned held = SupportsHold(structure, batch->block->nodes[element]) >> SPACE & ALL_HELD;

      if (block[slot] >= 0 && block[slot + 1] < 0 && held != ALL_HELD) least = PetscMin(least, batch->block->tags[element]);
    }
    PetscCall(LeastOfRanks(MeshComm(structure->mesh), &least, &ignored));
    if (least < INT64_MAX)
      PetscCall(InputComplain(batch->part->node,
                              "element %" PetscInt64_FMT " of %s is on a node of solids, which does not turn: give its mass only, or tie one of "
                              "`masses` to the average of a surface with a rigid joint",
                              least, MeshFile(structure->mesh)));
  }
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
  PetscCall(CheckBodies(structure));
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
