/* surface.c - the faces of a group from all ranks, in the order of the mesh. */
#include "surface.h"
#include "functions.h"

/* A face as it goes from rank to rank. */
typedef struct {
  MeshShape shape;
  PetscInt  nodes[MOST_NODES]; /* numbers over all ranks */
  PetscReal places[MOST_NODES * SPACE], inside[SPACE];
} Parcel;

static PetscErrorCode CollectFaces(const Mesh *mesh, const MeshGroup *group, const PetscReal inside[], Parcel faces[])
{
  PetscFunctionBegin;
  for (PetscInt f = 0; f < group->count; f++) {
    const MeshBlock *const block = MeshGetBlock(mesh, group->elements[f].block);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes, start = group->elements[f].index * width;

    faces[f].shape = block->shape;
    PetscCall(PetscArraycpy(faces[f].nodes, block->nodes + start, width));
    PetscCall(PetscArraycpy(faces[f].inside, inside + SPACE * f, SPACE));
    for (PetscInt k = 0; k < width; k++)
      PetscCall(PetscArraycpy(faces[f].places + SPACE * k, MeshGetNodes(mesh)->coordinates + SPACE * block->local_nodes[start + k], SPACE));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements of a group are spread in order: those of all ranks, one rank after the other, are in the order of the mesh. */
static PetscErrorCode GatherFaces(const Mesh *mesh, const MeshGroup *group, const PetscReal inside[], Parcel *faces)
{
  const PetscMPIInt count = (PetscMPIInt)group->count;
  PetscMPIInt       size, *counts, *starts;
  MPI_Datatype      type;
  Parcel           *own;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(MeshComm(mesh), &size));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  PetscCall(PetscCalloc1(group->count, &own));
  PetscCall(CollectFaces(mesh, group, inside, own));
  PetscCallMPI(MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MeshComm(mesh)));
  PetscCallMPI(MPI_Type_contiguous((PetscMPIInt)sizeof(Parcel), MPI_BYTE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  starts[0] = 0;
  for (PetscMPIInt r = 1; r < size; r++) starts[r] = starts[r - 1] + counts[r - 1];
  PetscCallMPI(MPI_Allgatherv(own, count, type, faces, counts, starts, type, MeshComm(mesh)));
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree(own));
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes ascending, each once, with their places. */
static PetscErrorCode ListNodes(PetscInt num_faces, const Parcel faces[], Surface *surface)
{
  PetscInt count = 0, position;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(MOST_NODES * num_faces, &surface->nodes));
  for (PetscInt f = 0; f < num_faces; f++)
    for (PetscInt k = 0; k < mesh_shapes[faces[f].shape].num_nodes; k++) surface->nodes[count++] = faces[f].nodes[k];
  PetscCall(PetscSortRemoveDupsInt(&count, surface->nodes));
  surface->num_nodes = count;
  PetscCall(PetscMalloc1(SPACE * count, &surface->places));
  for (PetscInt f = 0; f < num_faces; f++) {
    for (PetscInt k = 0; k < mesh_shapes[faces[f].shape].num_nodes; k++) {
      PetscCall(PetscFindInt(faces[f].nodes[k], count, surface->nodes, &position));
      PetscCall(PetscArraycpy(surface->places + SPACE * position, faces[f].places + SPACE * k, SPACE));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the order of its nodes turns the normal of a face to the inside: by its corners, which come first. */
static PetscBool IsInward(const Parcel *face)
{
  const PetscInt         num     = face->shape == MESH_TRI3 || face->shape == MESH_TRI6 ? 3 : 4;
  PetscReal              outward = 0.0, normal[SPACE] = {0.0, 0.0, 0.0};
  const PetscReal *const x = face->places;

  for (PetscInt k = 1; k + 1 < num; k++) {
    PetscReal a[SPACE], b[SPACE], c[SPACE];

    Subtract(x + SPACE * k, x, a);
    Subtract(x + SPACE * (k + 1), x, b);
    Cross(a, b, c);
    for (PetscInt i = 0; i < SPACE; i++) normal[i] += c[i];
  }
  for (PetscInt k = 0; k < num; k++)
    for (PetscInt i = 0; i < SPACE; i++) outward += normal[i] * (x[SPACE * k + i] - face->inside[i]);
  return (PetscBool)(outward < 0.0);
}

/* Corners are to be counterclockwise as seen from outside: a face of first order is turned round itself, the facets of others are. */
static PetscErrorCode CutFace(PetscInt index, const Parcel *parcel, Surface *surface)
{
  Face *const     face   = &surface->faces[index];
  Facet *const    facets = surface->facets + surface->num_facets;
  const PetscInt  width  = mesh_shapes[parcel->shape].num_nodes;
  const PetscBool inward = IsInward(parcel), first_order = (PetscBool)(width <= MOST_CORNERS);
  PetscInt        num;

  PetscFunctionBegin;
  *face = (Face){.shape = parcel->shape, .num_nodes = width};
  for (PetscInt k = 0; k < width; k++)
    PetscCall(PetscFindInt(parcel->nodes[inward && first_order ? width - 1 - k : k], surface->num_nodes, surface->nodes, &face->nodes[k]));
  num = FacetsOfFace(face, (PetscBool)(inward && !first_order), facets);
  for (PetscInt i = 0; i < num; i++) facets[i].face = index;
  surface->num_facets += num;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CutFaces(PetscInt num_faces, const Parcel parcels[], Surface *surface)
{
  PetscInt room = 0;

  PetscFunctionBegin;
  for (PetscInt f = 0; f < num_faces; f++) room += FacetsPerFace(parcels[f].shape);
  PetscCall(PetscMalloc1(num_faces, &surface->faces));
  PetscCall(PetscMalloc1(room, &surface->facets));
  surface->num_faces = num_faces;
  for (PetscInt f = 0; f < num_faces; f++) PetscCall(CutFace(f, &parcels[f], surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void MeasureFacets(Surface *surface)
{
  PetscInt num_edges = 0;

  for (PetscInt f = 0; f < surface->num_facets; f++) {
    Facet *const   facet = &surface->facets[f];
    Triangle       triangles[MOST_TRIANGLES];
    const PetscInt num = FacetTriangles(surface->places, facet, triangles);

    FacetFindBox(surface->places, facet);
    for (PetscInt t = 0; t < num; t++) surface->area += triangles[t].area;
    for (PetscInt k = 0; k < facet->num_corners; k++) {
      PetscReal edge[SPACE];

      Subtract(surface->places + SPACE * facet->corners[(k + 1) % facet->num_corners], surface->places + SPACE * facet->corners[k], edge);
      surface->edge += Normalise(edge);
    }
    num_edges += facet->num_corners;
  }
  if (num_edges) surface->edge /= (PetscReal)num_edges;
}

PetscErrorCode SurfaceGather(const Mesh *mesh, PetscInt group_index, const PetscReal inside[], Surface *surface)
{
  const MeshGroup *const group = MeshGetGroup(mesh, group_index);
  Parcel                *faces;

  PetscFunctionBegin;
  PetscCheck(group->dim == 2, MeshComm(mesh), PETSC_ERR_ARG_WRONG, "%s is not a group of surfaces", group->name);
  *surface = (Surface){0};
  PetscCall(PetscMalloc1(group->total, &faces));
  PetscCall(GatherFaces(mesh, group, inside, faces));
  PetscCall(ListNodes(group->total, faces, surface));
  PetscCall(CutFaces(group->total, faces, surface));
  MeasureFacets(surface);
  PetscCall(BubblesFind(surface));
  PetscCall(PetscFree(faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceDestroy(Surface *surface)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(surface->nodes));
  PetscCall(PetscFree(surface->places));
  PetscCall(PetscFree(surface->faces));
  PetscCall(PetscFree(surface->facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}
