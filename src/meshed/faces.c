/* faces.c - where behind the faces of a group the structure lies: at the volumes that have all nodes of a face, on whichever rank. */
#include "meshed_private.h"

enum { WIDTH = 9, NO_NODE = -1 }; /* room for the nodes of a face */

/* The faces of all ranks. */
typedef struct {
  PetscInt   total, first; /* this rank's are first, first + 1, ... */
  PetscInt  *nodes;        /* [total, WIDTH], NO_NODE behind the last */
  PetscInt  *lowest;       /* lowest node of each face, ascending; */
  PetscInt  *face;         /* and which face that is */
  PetscInt  *volumes;      /* that have all nodes of each face */
  PetscReal *inside;       /* [total, SPACE], the centre of the volume; of several, the sum */
} Search;

static PetscErrorCode GatherNodes(const Mesh *mesh, const MeshGroup *group, Search *search)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < group->count; i++) {
    const MeshBlock *const block = MeshGetBlock(mesh, group->elements[i].block);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes;
    PetscInt *const        nodes = search->nodes + WIDTH * (search->first + i);

    PetscCall(PetscArraycpy(nodes, block->nodes + group->elements[i].index * width, width));
    for (PetscInt k = width; k < WIDTH; k++) nodes[k] = NO_NODE;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, search->nodes, (PetscMPIInt)(WIDTH * search->total), MPIU_INT, MPI_SUM, MeshComm(mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchCreate(const Mesh *mesh, const MeshGroup *group, Search *search)
{
  PetscFunctionBegin;
  *search = (Search){.total = group->total};
  PetscCallMPI(MPI_Scan(&group->count, &search->first, 1, MPIU_INT, MPI_SUM, MeshComm(mesh)));
  search->first -= group->count;
  PetscCall(PetscCalloc2(WIDTH * search->total, &search->nodes, SPACE * search->total, &search->inside));
  PetscCall(PetscCalloc3(search->total, &search->lowest, search->total, &search->face, search->total, &search->volumes));
  PetscCall(GatherNodes(mesh, group, search));
  for (PetscInt f = 0; f < search->total; f++) {
    search->face[f]   = f;
    search->lowest[f] = search->nodes[WIDTH * f];
    for (PetscInt k = 1; k < WIDTH && search->nodes[WIDTH * f + k] != NO_NODE; k++)
      search->lowest[f] = PetscMin(search->lowest[f], search->nodes[WIDTH * f + k]);
  }
  PetscCall(PetscSortIntWithArray(search->total, search->lowest, search->face));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchDestroy(Search *search)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(search->nodes, search->inside));
  PetscCall(PetscFree3(search->lowest, search->face, search->volumes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool HasAll(PetscInt width, const PetscInt volume[], const PetscInt face[])
{
  for (PetscInt k = 0; k < WIDTH && face[k] != NO_NODE; k++) {
    PetscInt i = 0;

    while (i < width && volume[i] != face[k]) i++;
    if (i == width) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static void AddCentre(const PetscReal x[], PetscInt width, const PetscInt local_nodes[], PetscReal inside[SPACE])
{
  for (PetscInt k = 0; k < width; k++)
    for (PetscInt c = 0; c < SPACE; c++) inside[c] += x[SPACE * local_nodes[k] + c] / (PetscReal)width;
}

/* The faces whose lowest node is node k of a volume, and all others too. */
static PetscErrorCode Meet(const PetscReal x[], const MeshBlock *block, PetscInt element, PetscInt k, Search *search)
{
  const PetscInt        width = mesh_shapes[block->shape].num_nodes;
  const PetscInt *const nodes = block->nodes + element * width;
  PetscInt              i;

  PetscFunctionBegin;
  PetscCall(PetscFindInt(nodes[k], search->total, search->lowest, &i));
  while (i > 0 && search->lowest[i - 1] == nodes[k]) i--;
  for (; i >= 0 && i < search->total && search->lowest[i] == nodes[k]; i++) {
    const PetscInt face = search->face[i];

    if (!HasAll(width, nodes, search->nodes + WIDTH * face)) continue;
    search->volumes[face]++;
    AddCentre(x, width, block->local_nodes + element * width, search->inside + SPACE * face);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MeetVolumes(const MeshedPart *meshed, Search *search)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];

    for (PetscInt e = 0; e < batch->count && mesh_shapes[batch->block->shape].dim == SPACE; e++)
      for (PetscInt k = 0; k < mesh_shapes[batch->block->shape].num_nodes; k++)
        PetscCall(Meet(MeshGetNodes(meshed->mesh)->coordinates, batch->block, batch->elements[e], k, search));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, search->volumes, (PetscMPIInt)search->total, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, search->inside, (PetscMPIInt)(SPACE * search->total), MPIU_REAL, MPIU_SUM, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { OUTER = 1, INNER = 2 }; /* volumes that have a face */

static const char *Fault(PetscInt wanted, PetscInt64 volumes)
{
  if (volumes == 0)
    return wanted == OUTER ? "is on no solid element of a part, so that its outside is not known" : "is on no solid element of a part";
  return wanted == OUTER ? "lies between two elements, so that it has no outside; bodies that touch have nodes of their own there"
                         : "has a solid element on one side only; a cut lies inside a shank";
}

/* Of the faces that have not as many volumes as wanted, that of the lowest number in the file. */
static PetscErrorCode Complain(const MeshedPart *meshed, const InputNode *node, const MeshGroup *group, const Search *search, PetscInt wanted,
                               PetscBool *fine)
{
  PetscInt64 least = INT64_MAX, volumes = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < group->count; i++) {
    const PetscInt64 tag = MeshGetBlock(meshed->mesh, group->elements[i].block)->tags[group->elements[i].index];

    if (search->volumes[search->first + i] == wanted || tag > least) continue;
    least   = tag;
    volumes = search->volumes[search->first + i];
  }
  PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &least, &volumes));
  *fine = (PetscBool)(least == INT64_MAX);
  if (!*fine) PetscCall(InputComplain(node, "face %" PetscInt64_FMT " of '%s' %s", least, group->name, Fault(wanted, volumes)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacesFindInside(const MeshedPart *meshed, const InputNode *node, PetscInt group_index, PetscReal inside[], PetscBool *fine)
{
  const MeshGroup *const group = MeshGetGroup(meshed->mesh, group_index);
  Search                 search;

  PetscFunctionBegin;
  PetscCall(SearchCreate(meshed->mesh, group, &search));
  PetscCall(MeetVolumes(meshed, &search));
  PetscCall(Complain(meshed, node, group, &search, OUTER, fine));
  PetscCall(PetscArraycpy(inside, search.inside + SPACE * search.first, SPACE * group->count));
  PetscCall(SearchDestroy(&search));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacesCheckInner(const MeshedPart *meshed, const InputNode *node, PetscInt group_index, PetscBool *fine)
{
  const MeshGroup *const group = MeshGetGroup(meshed->mesh, group_index);
  Search                 search;

  PetscFunctionBegin;
  PetscCall(SearchCreate(meshed->mesh, group, &search));
  PetscCall(MeetVolumes(meshed, &search));
  PetscCall(Complain(meshed, node, group, &search, INNER, fine));
  PetscCall(SearchDestroy(&search));
  PetscFunctionReturn(PETSC_SUCCESS);
}
