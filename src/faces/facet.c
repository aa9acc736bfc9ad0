/* facet.c - how faces are cut into linear facets, and facets into plane triangles. */
#include "surface.h"

enum { MOST_FACETS = 5, NONE = -1 };

typedef struct {
  PetscInt num_facets;
  PetscInt nodes[MOST_FACETS][MOST_CORNERS]; /* of the face; NONE behind the third of a triangle */
} Cut;

/* Every node gets a positive area: the corners of quad8 have triangles of their own. */
static const Cut cuts[MESH_NUM_SHAPES] = {
  [MESH_TRI3]  = {1, {{0, 1, 2, NONE}}},
  [MESH_TRI6]  = {4, {{0, 3, 5, NONE}, {3, 1, 4, NONE}, {5, 4, 2, NONE}, {3, 4, 5, NONE}}},
  [MESH_QUAD4] = {1, {{0, 1, 2, 3}}},
  [MESH_QUAD8] = {5, {{0, 4, 7, NONE}, {4, 1, 5, NONE}, {5, 2, 6, NONE}, {6, 3, 7, NONE}, {4, 5, 6, 7}}},
  [MESH_QUAD9] = {4, {{0, 4, 8, 7}, {4, 1, 5, 8}, {8, 5, 2, 6}, {7, 8, 6, 3}}},
};

PetscInt FacetsPerFace(MeshShape shape)
{
  return cuts[shape].num_facets;
}

PetscInt FacetsOfFace(const Face *face, PetscBool inward, Facet facets[])
{
  const Cut *const cut = &cuts[face->shape];

  for (PetscInt f = 0; f < cut->num_facets; f++) {
    const PetscInt num = cut->nodes[f][3] == NONE ? 3 : 4;

    facets[f] = (Facet){.num_corners = num};
    for (PetscInt k = 0; k < num; k++) {
      facets[f].nodes[k]   = cut->nodes[f][inward ? num - 1 - k : k];
      facets[f].corners[k] = face->nodes[facets[f].nodes[k]];
    }
  }
  return cut->num_facets;
}

void FacetFindBox(const PetscReal places[], Facet *facet)
{
  for (PetscInt i = 0; i < SPACE; i++) {
    facet->lower[i] = facet->upper[i] = places[SPACE * facet->corners[0] + i];
    for (PetscInt k = 1; k < facet->num_corners; k++) {
      facet->lower[i] = PetscMin(facet->lower[i], places[SPACE * facet->corners[k] + i]);
      facet->upper[i] = PetscMax(facet->upper[i], places[SPACE * facet->corners[k] + i]);
    }
  }
}

static void Measure(Triangle *triangle)
{
  PetscReal a[SPACE], b[SPACE];

  Subtract(triangle->corner[1], triangle->corner[0], a);
  Subtract(triangle->corner[2], triangle->corner[0], b);
  Cross(a, b, triangle->normal);
  triangle->area = 0.5 * Normalise(triangle->normal);
}

static void SetCorner(const PetscReal places[], const Facet *facet, PetscInt corner, PetscReal place[SPACE], PetscReal hat[MOST_CORNERS])
{
  for (PetscInt k = 0; k < MOST_CORNERS; k++) hat[k] = k == corner ? 1.0 : 0.0;
  for (PetscInt i = 0; i < SPACE; i++) place[i] = places[SPACE * facet->corners[corner] + i];
}

static void SetCentre(const PetscReal places[], const Facet *facet, PetscReal place[SPACE], PetscReal hat[MOST_CORNERS])
{
  for (PetscInt k = 0; k < MOST_CORNERS; k++) hat[k] = 0.25;
  for (PetscInt i = 0; i < SPACE; i++) {
    place[i] = 0.0;
    for (PetscInt k = 0; k < MOST_CORNERS; k++) place[i] += 0.25 * places[SPACE * facet->corners[k] + i];
  }
}

PetscInt FacetTriangles(const PetscReal places[], const Facet *facet, Triangle triangles[MOST_TRIANGLES])
{
  const PetscInt num = facet->num_corners == 3 ? 1 : 4;

  for (PetscInt t = 0; t < num; t++) {
    Triangle *const triangle = &triangles[t];

    SetCorner(places, facet, t, triangle->corner[0], triangle->hat[0]);
    SetCorner(places, facet, (t + 1) % facet->num_corners, triangle->corner[1], triangle->hat[1]);
    if (num == 1) SetCorner(places, facet, 2, triangle->corner[2], triangle->hat[2]);
    else SetCentre(places, facet, triangle->corner[2], triangle->hat[2]);
    Measure(triangle);
  }
  return num;
}
