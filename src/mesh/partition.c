/* partition.c - a mesh spread from rank 0 over all ranks: contiguous slices of nodes, and of the elements of each shape. */
#include "mesh_private.h"
#include <string.h>

PetscInt MeshFirstNode(PetscInt count, int size, int rank)
{
  return (PetscInt)((PetscInt64)count * rank / size);
}

/* Where the slice of each rank begins in a list of `count` things with ascending lowest nodes, and at last `count`. */
static void FindStarts(PetscInt num_nodes, PetscInt count, const PetscInt lowest[], int size, PetscMPIInt starts[])
{
  PetscInt i = 0;

  for (int rank = 0; rank < size; rank++) {
    while (i < count && lowest[i] < MeshFirstNode(num_nodes, size, rank)) i++;
    starts[rank] = (PetscMPIInt)i;
  }
  starts[size] = (PetscMPIInt)count;
}

/* Each rank's slice of a list of items of `width` numbers; `starts` has one entry more than there are ranks, and is known to all. */
static PetscErrorCode Scatter(MPI_Comm comm, const PetscMPIInt starts[], MPI_Datatype number, PetscInt width, const void *all, void *slice)
{
  PetscMPIInt  rank, size, *counts;
  MPI_Datatype item;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc1(size, &counts));
  for (PetscMPIInt r = 0; r < size; r++) counts[r] = starts[r + 1] - starts[r];
  PetscCallMPI(MPI_Type_contiguous((PetscMPIInt)width, number, &item));
  PetscCallMPI(MPI_Type_commit(&item));
  PetscCallMPI(MPI_Scatterv(all, counts, starts, item, slice, counts[rank], item, 0, comm));
  PetscCallMPI(MPI_Type_free(&item));
  PetscCall(PetscFree(counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpreadNodes(const WholeFacts *facts, const Whole *whole, Mesh *mesh)
{
  MeshNodes *const nodes = &mesh->nodes;
  PetscMPIInt      rank, size, *starts;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  PetscCallMPI(MPI_Comm_size(mesh->comm, &size));
  PetscCall(PetscMalloc1(size + 1, &starts));
  for (PetscMPIInt r = 0; r <= size; r++) starts[r] = (PetscMPIInt)MeshFirstNode(facts->num_nodes, size, r);
  nodes->total = facts->num_nodes;
  nodes->first = starts[rank];
  nodes->count = starts[rank + 1] - starts[rank];
  PetscCall(PetscMalloc1(nodes->count, &mesh->node_tags));
  PetscCall(PetscMalloc1(3 * nodes->count, &mesh->coordinates));
  PetscCall(Scatter(mesh->comm, starts, MPIU_INT64, 1, whole->node_tags, mesh->node_tags));
  PetscCall(Scatter(mesh->comm, starts, MPIU_REAL, 3, whole->coordinates, mesh->coordinates));
  nodes->tags        = mesh->node_tags;
  nodes->coordinates = mesh->coordinates;
  PetscCall(PetscFree(starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpreadBlock(const WholeFacts *facts, const Whole *whole, MeshShape shape, Mesh *mesh)
{
  const PetscInt     width  = mesh_shapes[shape].num_nodes;
  BlockMemory *const memory = &mesh->block_memory[mesh->num_blocks];
  MeshBlock *const   block  = &mesh->blocks[mesh->num_blocks++];
  PetscMPIInt        rank, size, *starts;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  PetscCallMPI(MPI_Comm_size(mesh->comm, &size));
  PetscCall(PetscMalloc1(size + 1, &starts));
  if (rank == 0) FindStarts(facts->num_nodes, facts->counts[shape], whole->lowest[shape], size, starts);
  PetscCallMPI(MPI_Bcast(starts, size + 1, MPI_INT, 0, mesh->comm));
  *block = (MeshBlock){.shape = shape, .total = facts->counts[shape], .first = starts[rank], .count = starts[rank + 1] - starts[rank]};
  PetscCall(PetscMalloc1(block->count * width, &memory->nodes));
  PetscCall(PetscMalloc1(block->count * width, &memory->local_nodes));
  PetscCall(PetscMalloc1(block->count, &memory->tags));
  PetscCall(PetscMalloc1(block->count, &memory->entities));
  PetscCall(Scatter(mesh->comm, starts, MPIU_INT, width, whole->nodes[shape], memory->nodes));
  PetscCall(Scatter(mesh->comm, starts, MPIU_INT64, 1, whole->tags[shape], memory->tags));
  PetscCall(Scatter(mesh->comm, starts, MPIU_INT, 1, whole->entities[shape], memory->entities));
  block->nodes       = memory->nodes;
  block->local_nodes = memory->local_nodes;
  block->tags        = memory->tags;
  block->entities    = memory->entities;
  PetscCall(PetscFree(starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The other nodes of this rank's elements. */
static PetscErrorCode ListGhosts(Mesh *mesh)
{
  const PetscInt first = mesh->nodes.first, end = first + mesh->nodes.count;
  PetscInt       count = 0;

  PetscFunctionBegin;
  for (PetscInt fill = 0; fill < 2; fill++) {
    if (fill) PetscCall(PetscMalloc1(count, &mesh->ghosts));
    count = 0;
    for (PetscInt b = 0; b < mesh->num_blocks; b++) {
      const MeshBlock *const block = &mesh->blocks[b];

      for (PetscInt i = 0; i < block->count * mesh_shapes[block->shape].num_nodes; i++) {
        if (block->nodes[i] >= first && block->nodes[i] < end) continue;
        if (fill) mesh->ghosts[count] = block->nodes[i];
        count++;
      }
    }
  }
  PetscCall(PetscSortRemoveDupsInt(&count, mesh->ghosts));
  mesh->nodes.num_ghosts = count;
  mesh->nodes.ghosts     = mesh->ghosts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NumberLocally(Mesh *mesh)
{
  const MeshNodes *const nodes = &mesh->nodes;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < mesh->num_blocks; b++) {
    const MeshBlock *const block = &mesh->blocks[b];

    for (PetscInt i = 0; i < block->count * mesh_shapes[block->shape].num_nodes; i++) {
      PetscInt local = block->nodes[i] - nodes->first;

      if (local < 0 || local >= nodes->count) {
        PetscCall(PetscFindInt(block->nodes[i], nodes->num_ghosts, nodes->ghosts, &local));
        local += nodes->count;
      }
      mesh->block_memory[b].local_nodes[i] = local;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddGhosts(Mesh *mesh)
{
  MeshNodes *const nodes = &mesh->nodes;
  PetscReal       *local;

  PetscFunctionBegin;
  PetscCall(ListGhosts(mesh));
  PetscCall(NumberLocally(mesh));
  PetscCall(PetscMalloc1(3 * (nodes->count + nodes->num_ghosts), &local));
  if (nodes->count) memcpy(local, mesh->coordinates, 3 * (size_t)nodes->count * sizeof *local);
  PetscCall(MeshNodeCoordinates(mesh, nodes->num_ghosts, nodes->ghosts, nodes->num_ghosts ? &local[3 * nodes->count] : NULL));
  PetscCall(PetscFree(mesh->coordinates));
  mesh->coordinates  = local;
  nodes->coordinates = local;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpreadGroups(const WholeFacts *facts, const Whole *whole, Mesh *mesh)
{
  WholeGroup *groups;
  char       *name;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  mesh->num_groups = facts->num_groups;
  PetscCall(PetscMalloc1(facts->num_groups, &groups));
  PetscCall(PetscCalloc1(facts->num_groups, &mesh->groups));
  PetscCall(PetscMalloc1((size_t)facts->names_length, &mesh->names));
  if (rank == 0 && facts->num_groups) {
    memcpy(groups, whole->groups, (size_t)facts->num_groups * sizeof *groups);
    memcpy(mesh->names, whole->names, (size_t)facts->names_length);
  }
  PetscCallMPI(MPI_Bcast(groups, (PetscMPIInt)(3 * facts->num_groups), MPIU_INT, 0, mesh->comm));
  PetscCallMPI(MPI_Bcast(mesh->names, (PetscMPIInt)facts->names_length, MPI_CHAR, 0, mesh->comm));
  name = mesh->names;
  for (PetscInt g = 0; g < facts->num_groups; g++) {
    mesh->groups[g] = (MeshGroup){.name = name, .dim = groups[g].dim, .number = groups[g].number, .total = groups[g].total};
    name += strlen(name) + 1;
  }
  PetscCall(PetscFree(groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* This rank's part of the members of groups, in the order of their elements. */
static PetscErrorCode SpreadMembers(const WholeFacts *facts, const Whole *whole, Mesh *mesh, PetscInt *count, WholeMember **members)
{
  PetscInt   *lowest = NULL;
  PetscMPIInt rank, size, *starts;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  PetscCallMPI(MPI_Comm_size(mesh->comm, &size));
  PetscCall(PetscMalloc1(size + 1, &starts));
  if (rank == 0) {
    PetscCall(PetscMalloc1(facts->num_members, &lowest));
    for (PetscInt i = 0; i < facts->num_members; i++) lowest[i] = whole->lowest[whole->members[i].shape][whole->members[i].index];
    FindStarts(facts->num_nodes, facts->num_members, lowest, size, starts);
    PetscCall(PetscFree(lowest));
  }
  PetscCallMPI(MPI_Bcast(starts, size + 1, MPI_INT, 0, mesh->comm));
  *count = starts[rank + 1] - starts[rank];
  PetscCall(PetscMalloc1(*count, members));
  PetscCall(Scatter(mesh->comm, starts, MPIU_INT, 3, whole->members, *members));
  PetscCall(PetscFree(starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The members of each group, together. */
static PetscErrorCode FillGroups(Mesh *mesh, PetscInt count, const WholeMember members[])
{
  PetscInt  block_of[MESH_NUM_SHAPES];
  PetscInt *fill, start = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < mesh->num_blocks; b++) block_of[mesh->blocks[b].shape] = b;
  PetscCall(PetscMalloc1(count, &mesh->members));
  PetscCall(PetscMalloc1(mesh->num_groups, &fill));
  for (PetscInt i = 0; i < count; i++) mesh->groups[members[i].group].count++;
  for (PetscInt g = 0; g < mesh->num_groups; g++) {
    fill[g] = start;
    if (mesh->groups[g].count) mesh->groups[g].elements = &mesh->members[start];
    start += mesh->groups[g].count;
  }
  for (PetscInt i = 0; i < count; i++) {
    const PetscInt b = block_of[members[i].shape];

    mesh->members[fill[members[i].group]++] = (MeshElement){.block = b, .index = members[i].index - mesh->blocks[b].first};
  }
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpreadImplied(const WholeFacts *facts, const Whole *whole, Mesh *mesh)
{
  PetscInt64 *keys;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  PetscCall(PetscMalloc1(facts->num_implied, &keys));
  if (rank == 0) PetscCall(PetscArraycpy(keys, whole->implied, facts->num_implied));
  PetscCallMPI(MPI_Bcast(keys, (PetscMPIInt)facts->num_implied, MPIU_INT64, 0, mesh->comm));
  PetscCall(MeshImplyGroups(mesh, facts->num_implied, keys));
  PetscCall(PetscFree(keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpreadFacts(const Whole *whole, Mesh *mesh, WholeFacts *facts)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(mesh->comm, &rank));
  *facts = whole->facts;
  PetscCallMPI(MPI_Bcast(facts, (PetscMPIInt)sizeof *facts, MPI_BYTE, 0, mesh->comm));
  mesh->num_parts    = facts->num_parts;
  mesh->coincidences = facts->coincidences;
  memcpy(mesh->lower, facts->lower, sizeof mesh->lower);
  memcpy(mesh->upper, facts->upper, sizeof mesh->upper);
  PetscCall(PetscMalloc1(facts->num_parts + 1, &mesh->part_starts));
  if (rank == 0) memcpy(mesh->part_starts, whole->part_starts, (size_t)(facts->num_parts + 1) * sizeof *mesh->part_starts);
  PetscCallMPI(MPI_Bcast(mesh->part_starts, (PetscMPIInt)(facts->num_parts + 1), MPIU_INT, 0, mesh->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshSpread(MPI_Comm comm, const char *name, const Whole *whole, Mesh **mesh)
{
  WholeFacts   facts;
  WholeMember *members = NULL;
  PetscInt     count   = 0;
  Mesh        *created;

  PetscFunctionBegin;
  PetscCall(PetscNew(&created));
  *mesh         = created;
  created->comm = comm;
  PetscCall(PetscStrallocpy(name, &created->file));
  PetscCall(SpreadFacts(whole, created, &facts));
  PetscCall(SpreadNodes(&facts, whole, created));
  for (MeshShape shape = 0; shape < MESH_NUM_SHAPES; shape++) {
    if (facts.counts[shape]) PetscCall(SpreadBlock(&facts, whole, shape, created));
  }
  PetscCall(AddGhosts(created));
  PetscCall(SpreadGroups(&facts, whole, created));
  PetscCall(SpreadMembers(&facts, whole, created, &count, &members));
  PetscCall(FillGroups(created, count, members));
  PetscCall(SpreadImplied(&facts, whole, created));
  PetscCall(PetscFree(members));
  PetscFunctionReturn(PETSC_SUCCESS);
}
