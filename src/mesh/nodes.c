/* nodes.c - nodes looked up by number, tag and place, wherever they are. */
#include "mesh_private.h"
#include <petscsf.h>

PetscErrorCode MeshFetch(const Mesh *mesh, PetscInt count, const PetscInt nodes[], MPI_Datatype unit, const void *owned, void *wanted)
{
  PetscLayout layout;
  PetscSF     sf;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++)
    PetscCheck(nodes[i] >= 0 && nodes[i] < mesh->nodes.total, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
               "node %" PetscInt_FMT " of a mesh of %" PetscInt_FMT, nodes[i], mesh->nodes.total);
  PetscCall(PetscLayoutCreateFromSizes(mesh->comm, mesh->nodes.count, mesh->nodes.total, 1, &layout));
  PetscCall(PetscSFCreate(mesh->comm, &sf));
  PetscCall(PetscSFSetGraphLayout(sf, layout, count, NULL, PETSC_COPY_VALUES, nodes));
  PetscCall(PetscSFBcastBegin(sf, unit, owned, wanted, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(sf, unit, owned, wanted, MPI_REPLACE));
  PetscCall(PetscSFDestroy(&sf));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshNodeCoordinates(const Mesh *mesh, PetscInt count, const PetscInt nodes[], PetscReal coordinates[])
{
  MPI_Datatype place;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Type_contiguous(3, MPIU_REAL, &place));
  PetscCallMPI(MPI_Type_commit(&place));
  PetscCall(MeshFetch(mesh, count, nodes, place, mesh->coordinates, coordinates));
  PetscCallMPI(MPI_Type_free(&place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshNodeTags(const Mesh *mesh, PetscInt count, const PetscInt nodes[], PetscInt64 tags[])
{
  PetscFunctionBegin;
  PetscCall(MeshFetch(mesh, count, nodes, MPIU_INT64, mesh->node_tags, tags));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshNodeByTag(const Mesh *mesh, PetscInt64 tag, PetscInt *node)
{
  PetscInt found = -1;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < mesh->nodes.count && found < 0; i++) {
    if (mesh->nodes.tags[i] == tag) found = mesh->nodes.first + i;
  }
  PetscCallMPI(MPI_Allreduce(&found, node, 1, MPIU_INT, MPI_MAX, mesh->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Local nodes that may be the nearest: those owned, or those of this rank's elements of the group (some more than once). */
static PetscErrorCode ListCandidates(const Mesh *mesh, PetscInt group, PetscInt *count, PetscInt **locals)
{
  const MeshGroup *const of   = group == MESH_NO_GROUP ? NULL : &mesh->groups[group];
  PetscInt               room = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; of && i < of->count; i++) room += mesh_shapes[mesh->blocks[of->elements[i].block].shape].num_nodes;
  PetscCall(PetscMalloc1(of ? room : mesh->nodes.count, locals));
  *count = 0;
  for (PetscInt i = 0; of && i < of->count; i++) {
    const MeshBlock *const block = &mesh->blocks[of->elements[i].block];
    const PetscInt         width = mesh_shapes[block->shape].num_nodes;

    for (PetscInt k = 0; k < width; k++) (*locals)[(*count)++] = block->local_nodes[of->elements[i].index * width + k];
  }
  for (PetscInt i = 0; !of && i < mesh->nodes.count; i++) (*locals)[(*count)++] = i;
  PetscCall(PetscSortRemoveDupsInt(count, *locals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal DistanceTo(const Mesh *mesh, PetscInt local, const PetscReal place[3])
{
  const PetscReal *const x = &mesh->coordinates[3 * local];

  return PetscSqrtReal(PetscSqr(x[0] - place[0]) + PetscSqr(x[1] - place[1]) + PetscSqr(x[2] - place[2]));
}

/* Global numbers, ascending and the same on all ranks, of what each rank lists; `own` is freed. */
static PetscErrorCode Unite(const Mesh *mesh, PetscInt own_count, PetscInt *own, PetscInt *count, PetscInt **nodes)
{
  PetscMPIInt size, sent, total = 0, *counts, *starts;

  PetscFunctionBegin;
  PetscCall(PetscSortRemoveDupsInt(&own_count, own));
  sent = (PetscMPIInt)own_count;
  PetscCallMPI(MPI_Comm_size(mesh->comm, &size));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  PetscCallMPI(MPI_Allgather(&sent, 1, MPI_INT, counts, 1, MPI_INT, mesh->comm));
  for (PetscMPIInt r = 0; r < size; r++) {
    starts[r] = total;
    total += counts[r];
  }
  PetscCall(PetscMalloc1(total, nodes));
  PetscCallMPI(MPI_Allgatherv(own, sent, MPIU_INT, *nodes, counts, starts, MPIU_INT, mesh->comm));
  *count = total;
  PetscCall(PetscSortRemoveDupsInt(count, *nodes));
  PetscCall(PetscFree2(counts, starts));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void MakeGlobal(const Mesh *mesh, PetscInt count, PetscInt locals[])
{
  const MeshNodes *const nodes = &mesh->nodes;

  for (PetscInt i = 0; i < count; i++) locals[i] = locals[i] < nodes->count ? nodes->first + locals[i] : nodes->ghosts[locals[i] - nodes->count];
}

PetscErrorCode MeshGroupNodes(const Mesh *mesh, PetscInt group, PetscInt *count, PetscInt **nodes)
{
  PetscInt num_own, *own;

  PetscFunctionBegin;
  PetscCheck(group >= 0 && group < MeshNumAllGroups(mesh), mesh->comm, PETSC_ERR_ARG_OUTOFRANGE, "group %" PetscInt_FMT " of %" PetscInt_FMT, group,
             mesh->num_groups);
  PetscCall(ListCandidates(mesh, group, &num_own, &own));
  MakeGlobal(mesh, num_own, own);
  PetscCall(Unite(mesh, num_own, own, count, nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshNearestNode(const Mesh *mesh, PetscInt group, const PetscReal place[3], MeshNearest *nearest)
{
  const PetscReal equal =
    1e-8 * PetscMax(PetscMax(mesh->upper[0] - mesh->lower[0], mesh->upper[1] - mesh->lower[1]), mesh->upper[2] - mesh->lower[2]);
  PetscReal least = PETSC_MAX_REAL;
  PetscInt  count, *locals, num_near = 0, *near;

  PetscFunctionBegin;
  PetscCall(ListCandidates(mesh, group, &count, &locals));
  for (PetscInt i = 0; i < count; i++) least = PetscMin(least, DistanceTo(mesh, locals[i], place));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, mesh->comm));
  for (PetscInt i = 0; i < count; i++) {
    if (DistanceTo(mesh, locals[i], place) <= least + equal) locals[num_near++] = locals[i];
  }
  MakeGlobal(mesh, num_near, locals);
  PetscCall(Unite(mesh, num_near, locals, &nearest->num_equal, &near));
  nearest->node     = nearest->num_equal ? near[0] : -1;
  nearest->distance = least;
  PetscCall(PetscFree(near));
  PetscFunctionReturn(PETSC_SUCCESS);
}
