/* unknowns.c - the unknowns of the mesh: blocks of three for each node that an element moves, less what the ground holds or a spider moves. */
#include "meshed_private.h"
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
enum { ABSENT, MASS, ELASTIC };

/* A point mass turns by itself only if it has moments of inertia, or is not where its node is. */
static PetscBool Turns(const Part *part)
{
  const PointMass *const mass = &part->point_mass;
  PetscReal              most = 0.0;

  for (PetscInt i = 0; i < 2 * SPACE; i++) most = PetscMax(most, PetscAbsReal(mass->inertia[i]));
  for (PetscInt c = 0; c < SPACE; c++) most = PetscMax(most, PetscAbsReal(mass->offset[c]));
  return (PetscBool)(most > 0.0);
}

static void MarkSlots(const Batch *batch, PetscInt present[])
{
  const PetscInt  width = mesh_shapes[batch->block->shape].num_nodes, strength = batch->kind->shape == MESH_POINT1 ? MASS : ELASTIC;
  const PetscBool turns = (PetscBool)(batch->kind->num_unknowns > SPACE && (strength == ELASTIC || Turns(batch->part)));

  for (PetscInt i = 0; i < batch->count * width; i++) {
    const PetscInt node = batch->block->local_nodes[batch->elements[i / width] * width + i % width];

    present[2 * node] = PetscMax(present[2 * node], strength);
    if (turns) present[2 * node + 1] = PetscMax(present[2 * node + 1], strength);
  }
}

/* present[slot] of the nodes this rank owns: what the elements of any rank ask for. Where solids are and nothing resists rotation,
   a point mass has none. */
static PetscErrorCode FindPresent(const MeshedPart *meshed, const Exchange *exchange, PetscInt present[])
{
  const PetscInt num_owned = MeshGetNodes(meshed->mesh)->count;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) MarkSlots(&meshed->made.batches[b], present);
  PetscCall(PetscSFReduceBegin(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  PetscCall(PetscSFReduceEnd(exchange->sf, exchange->unit, present + 2 * num_owned, present, MPI_MAX));
  for (PetscInt n = 0; n < num_owned; n++)
    if (present[2 * n] == ELASTIC && present[2 * n + 1] == MASS) present[2 * n + 1] = ABSENT;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt NumLocalNodes(const Mesh *mesh)
{
  return MeshGetNodes(mesh)->count + MeshGetNodes(mesh)->num_ghosts;
}

const Spider *UnknownsSpider(const MeshedPart *meshed, PetscInt slot)
{
  const PetscInt num_nodes = NumLocalNodes(meshed->mesh);

  return slot / 2 < num_nodes ? NULL : &meshed->attached.spiders[slot / 2 - num_nodes];
}

PetscBool UnknownsOwn(const MeshedPart *meshed, const Spider *spider)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscInt         local = spider->site->nodes[0] - nodes->first;

  return (PetscBool)(local >= 0 && local < nodes->count);
}

/* Which spider moves each local node. */
static PetscErrorCode MarkSpiders(MeshedPart *meshed)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscInt         count = NumLocalNodes(meshed->mesh);

  PetscFunctionBegin;
  if (!meshed->attached.num_spiders) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(count, &meshed->unknowns.spider));
  for (PetscInt i = 0; i < count; i++) {
    const PetscInt node = i < nodes->count ? nodes->first + i : nodes->ghosts[i - nodes->count];

    meshed->unknowns.spider[i] = -1;
    for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
      const Site *const site = meshed->attached.spiders[s].site;
      PetscInt          place;

      PetscCall(PetscFindInt(node, site->num_nodes, site->nodes, &place));
      if (place >= 0) meshed->unknowns.spider[i] = s;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const NodeTurn *UnknownsTurn(const MeshedPart *meshed, PetscInt slot)
{
  const Unknowns *const unknowns = &meshed->unknowns;

  if (!unknowns->turn || UnknownsSpider(meshed, slot) || unknowns->turn[slot] < 0) return NULL;
  return &unknowns->turns[unknowns->turn[slot]];
}

/* The slots of local nodes whose unknowns are along axes of their own. */
static PetscErrorCode TurnSlots(MeshedPart *meshed)
{
  const MeshNodes *const nodes    = MeshGetNodes(meshed->mesh);
  const PetscInt         count    = 2 * NumLocalNodes(meshed->mesh);
  Unknowns *const        unknowns = &meshed->unknowns;
  PetscInt               next     = 0;

  PetscFunctionBegin;
  if (!SupportsAreTurned(meshed)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(count, &unknowns->turn));
  for (PetscInt fill = 0; fill < 2; fill++) {
    if (fill) PetscCall(PetscMalloc1(next, &unknowns->turns));
    next = 0;
    for (PetscInt s = 0; s < count; s++) {
      const PetscInt node = s / 2 < nodes->count ? nodes->first + s / 2 : nodes->ghosts[s / 2 - nodes->count];
      NodeTurn       turn;

      unknowns->turn[s] = -1;
      if (!SupportsTurn(meshed, node, (PetscBool)(s % 2), &turn)) continue;
      if (fill) unknowns->turns[next] = turn;
      unknowns->turn[s] = next++;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static unsigned HeldInSlot(const MeshedPart *meshed, PetscInt slot)
{
  const NodeTurn *const turn = UnknownsTurn(meshed, slot);

  if (UnknownsSpider(meshed, slot)) return 0;
  if (turn) return turn->held;
  return SupportsHold(meshed, MeshGetNodes(meshed->mesh)->first + slot / 2) >> (slot % 2 ? SPACE : 0) & ALL_HELD;
}

/* The slots of a node that can move; of a node that a spider moves none, of its first node those of the hub. */
static void ListSlots(const MeshedPart *meshed, PetscInt node, const PetscInt present[], Unknowns *unknowns)
{
  const PetscInt index = unknowns->spider ? unknowns->spider[node] : -1;
  PetscInt       slot  = 2 * node;

  if (index >= 0) {
    if (meshed->attached.spiders[index].site->nodes[0] != MeshGetNodes(meshed->mesh)->first + node) return;
    slot = 2 * (NumLocalNodes(meshed->mesh) + index);
  }
  for (PetscInt s = slot; s < slot + 2; s++)
    if (index >= 0 || (present[s] && HeldInSlot(meshed, s) != ALL_HELD)) unknowns->slot[unknowns->num_blocks++] = s;
}

/* Numbers the blocks that can move, over the ranks, and tells those who have them as ghosts, and all of hubs. */
static PetscErrorCode NumberBlocks(MeshedPart *meshed, const Exchange *exchange)
{
  Unknowns *const unknowns  = &meshed->unknowns;
  const PetscInt  num_owned = MeshGetNodes(meshed->mesh)->count, num_nodes = NumLocalNodes(meshed->mesh);
  PetscInt *const ghosts = unknowns->block + 2 * num_owned, *const hubs = unknowns->block + 2 * num_nodes;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(2 * num_owned, &unknowns->slot));
  for (PetscInt i = 0; i < num_owned; i++) ListSlots(meshed, i, unknowns->block, unknowns);
  PetscCallMPI(MPI_Scan(&unknowns->num_blocks, &unknowns->first_block, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  unknowns->first_block -= unknowns->num_blocks;
  PetscCallMPI(MPI_Allreduce(&unknowns->num_blocks, &unknowns->total_blocks, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  for (PetscInt s = 0; s < 2 * (num_nodes + meshed->attached.num_spiders); s++) unknowns->block[s] = -1;
  for (PetscInt i = 0; i < unknowns->num_blocks; i++) unknowns->block[unknowns->slot[i]] = unknowns->first_block + i;
  PetscCall(PetscSFBcastBegin(exchange->sf, exchange->unit, unknowns->block, ghosts, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(exchange->sf, exchange->unit, unknowns->block, ghosts, MPI_REPLACE));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, hubs, 2 * (PetscMPIInt)meshed->attached.num_spiders, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers the unknowns that are left of the blocks. */
static PetscErrorCode NumberUnknowns(MeshedPart *meshed)
{
  Unknowns *const unknowns = &meshed->unknowns;
  const PetscInt  room     = SPACE * unknowns->num_blocks;
  PetscInt        next     = 0, first, *rows;
  PetscBool       whole;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(room, &unknowns->number));
  PetscCall(PetscMalloc1(room, &rows));
  for (PetscInt i = 0; i < room; i++) {
    const PetscBool held = (PetscBool)(HeldInSlot(meshed, unknowns->slot[i / SPACE]) >> i % SPACE & 1u);

    unknowns->number[i] = held ? -1 : next;
    if (!held) rows[next++] = SPACE * unknowns->first_block + i;
  }
  unknowns->num_local = next;
  PetscCallMPI(MPI_Scan(&next, &first, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  PetscCallMPI(MPI_Allreduce(&next, &unknowns->num_total, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  for (PetscInt i = 0; i < room; i++)
    if (unknowns->number[i] >= 0) unknowns->number[i] += first - next;
  whole = (PetscBool)(next == room);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPIU_BOOL, MPI_LAND, MeshComm(meshed->mesh)));
  if (!whole) PetscCall(ISCreateGeneral(MeshComm(meshed->mesh), next, rows, PETSC_COPY_VALUES, &unknowns->free));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains of point masses that turn on nodes that do not. */
static PetscErrorCode CheckPointMasses(const MeshedPart *meshed)
{
  const PetscInt *const block = meshed->unknowns.block;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];
    PetscInt64         least = INT64_MAX, ignored = 0;

    if (batch->kind->shape != MESH_POINT1 || !Turns(batch->part)) continue;
    for (PetscInt e = 0; e < batch->count; e++) {
      const PetscInt element = batch->elements[e], slot = 2 * batch->block->local_nodes[element];
      const unsigned held = SupportsHold(meshed, batch->block->nodes[element]) >> SPACE & ALL_HELD;

      if (block[slot] >= 0 && block[slot + 1] < 0 && held != ALL_HELD) least = PetscMin(least, batch->block->tags[element]);
    }
    PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &least, &ignored));
    if (least < INT64_MAX)
      PetscCall(InputComplain(batch->part->node,
                              "element %" PetscInt64_FMT " of %s is on a node of solids, which does not turn: give its mass only, or tie one of "
                              "`masses` to the average of a surface with a rigid joint",
                              least, MeshFile(meshed->mesh)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt NumberOf(const Unknowns *unknowns, PetscInt slot, PetscInt direction)
{
  const PetscInt block = unknowns->block[slot];

  return block < 0 ? -1 : unknowns->number[SPACE * (block - unknowns->first_block) + direction];
}

/* Tells all ranks the unknowns of hubs. */
static PetscErrorCode ShareHubs(MeshedPart *meshed)
{
  PetscFunctionBegin;
  for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
    Spider *const  spider = &meshed->attached.spiders[s];
    const PetscInt slot   = 2 * (NumLocalNodes(meshed->mesh) + s);

    for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
      spider->unknown[d] = UnknownsOwn(meshed, spider) ? NumberOf(&meshed->unknowns, slot + d / SPACE, d % SPACE) : -1;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, spider->unknown, NUM_DIRECTIONS, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsCreate(MeshedPart *meshed)
{
  Unknowns *const unknowns = &meshed->unknowns;
  Exchange        exchange;

  PetscFunctionBegin;
  PetscCall(ExchangeCreate(meshed->mesh, &exchange));
  PetscCall(PetscCalloc1(2 * (NumLocalNodes(meshed->mesh) + meshed->attached.num_spiders), &unknowns->block));
  PetscCall(FindPresent(meshed, &exchange, unknowns->block));
  PetscCall(SpidersCheck(meshed, unknowns->block));
  PetscCall(MarkSpiders(meshed));
  PetscCall(TurnSlots(meshed));
  PetscCall(NumberBlocks(meshed, &exchange));
  PetscCall(CheckPointMasses(meshed));
  PetscCall(NumberUnknowns(meshed));
  PetscCall(ShareHubs(meshed));
  PetscCall(ExchangeDestroy(&exchange));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsSum(const MeshedPart *meshed, PetscInt counts[])
{
  PetscInt *const ghosts = counts + 2 * MeshGetNodes(meshed->mesh)->count, *const hubs = counts + 2 * NumLocalNodes(meshed->mesh);
  Exchange exchange;

  PetscFunctionBegin;
  PetscCall(ExchangeCreate(meshed->mesh, &exchange));
  PetscCall(PetscSFReduceBegin(exchange.sf, exchange.unit, ghosts, counts, MPI_SUM));
  PetscCall(PetscSFReduceEnd(exchange.sf, exchange.unit, ghosts, counts, MPI_SUM));
  PetscCall(ExchangeDestroy(&exchange));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, hubs, 2 * (PetscMPIInt)meshed->attached.num_spiders, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsDestroy(Unknowns *unknowns)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(unknowns->spider));
  PetscCall(PetscFree(unknowns->turn));
  PetscCall(PetscFree(unknowns->turns));
  PetscCall(PetscFree(unknowns->block));
  PetscCall(PetscFree(unknowns->slot));
  PetscCall(PetscFree(unknowns->number));
  PetscCall(ISDestroy(&unknowns->free));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* u = sum v_k a_k */
static PetscInt TermsOfTurn(const Unknowns *unknowns, PetscInt slot, PetscInt direction, const NodeTurn *turn, Term terms[SPACE])
{
  PetscInt count = 0;

  for (PetscInt k = 0; k < SPACE; k++) {
    const PetscInt number = NumberOf(unknowns, slot, k);

    if (number >= 0 && PetscAbsReal(turn->axis[k][direction]) > TURN_ROUND_OFF) terms[count++] = (Term){number, turn->axis[k][direction]};
  }
  return count;
}

PetscInt UnknownsOf(const MeshedPart *meshed, PetscInt node, PetscInt direction, Term terms[SPACE])
{
  const Unknowns *const  unknowns = &meshed->unknowns;
  const MeshNodes *const nodes    = MeshGetNodes(meshed->mesh);
  const PetscInt         local = node - nodes->first, slot = 2 * local + direction / SPACE;
  const NodeTurn        *turn;
  PetscInt               count;

  if (local < 0 || local >= nodes->count) return 0;
  if (unknowns->spider && unknowns->spider[local] >= 0) {
    const Spider *const spider = &meshed->attached.spiders[unknowns->spider[local]];

    count = SpiderTerms(spider, nodes->coordinates + SPACE * local, direction, terms);
    for (PetscInt i = 0; i < count; i++) terms[i].index = spider->unknown[terms[i].index];
    return count;
  }
  turn = UnknownsTurn(meshed, slot);
  if (turn) return TermsOfTurn(unknowns, slot, direction % SPACE, turn, terms);
  terms[0] = (Term){NumberOf(unknowns, slot, direction % SPACE), 1.0};
  return terms[0].index < 0 ? 0 : 1;
}

PetscErrorCode UnknownsOfNode(const MeshedPart *meshed, PetscInt node, unsigned *directions)
{
  Term terms[SPACE];

  PetscFunctionBegin;
  *directions = 0;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (UnknownsOf(meshed, node, d, terms)) *directions |= 1u << d;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, directions, 1, MPI_UNSIGNED, MPI_BOR, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}
