/* surface.h - the faces of a group, the same on all ranks: cut into linear facets, and these into plane triangles. */
#pragma once
#include "base.h"
#include "mesh.h"

enum { SPACE = 3, MOST_CORNERS = 4, MOST_NODES = 9 };

/* A face of the mesh. Of first order: its only facet, with the same nodes in the same order. */
typedef struct {
  MeshShape shape;
  PetscInt  num_nodes;
  PetscInt  nodes[MOST_NODES];  /* positions in Surface.nodes */
  PetscReal bubble[MOST_NODES]; /* of second order: what its functions have besides quadratic ones (functions.c) */
} Face;

/* A triangle, or a quadrilateral: four triangles about the mean of its corners, where the hat of each corner is 1/4. */
typedef struct {
  PetscInt  num_corners;
  PetscInt  corners[MOST_CORNERS]; /* positions in Surface.nodes, counterclockwise as seen from outside the body */
  PetscInt  face;                  /* the one it is cut from */
  PetscInt  nodes[MOST_CORNERS];   /* which nodes of that face its corners are */
  PetscReal lower[SPACE], upper[SPACE];
} Facet;

typedef struct {
  PetscInt   num_nodes, num_faces, num_facets;
  PetscInt  *nodes;  /* numbers over all ranks, ascending, [num_nodes] */
  PetscReal *places; /* [m], [num_nodes, SPACE] */
  Face      *faces;  /* in the order of the mesh */
  Facet     *facets; /* in the order of their faces */
  PetscReal  area, edge;
} Surface;

enum { MOST_TRIANGLES = 4 };

typedef struct {
  PetscReal corner[3][SPACE];
  PetscReal hat[3][MOST_CORNERS]; /* at each corner, of the corners of the facet; in between they are linear */
  PetscReal normal[SPACE];        /* of length 1, outward; zero when it has no area */
  PetscReal area;
} Triangle;

/* inside: as in FacePairing. Collective. */
PetscErrorCode SurfaceGather(const Mesh *mesh, PetscInt group, const PetscReal inside[], Surface *surface);
PetscErrorCode SurfaceDestroy(Surface *surface);

/* facet.c: those of a face, whose corners are turned round when `inward`. The number of them. */
PetscInt FacetsOfFace(const Face *face, PetscBool inward, Facet facets[]);
PetscInt FacetsPerFace(MeshShape shape);
void     FacetFindBox(const PetscReal places[], Facet *facet);
PetscInt FacetTriangles(const PetscReal places[], const Facet *facet, Triangle triangles[MOST_TRIANGLES]);

static inline PetscReal Dot(const PetscReal a[SPACE], const PetscReal b[SPACE])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void Cross(const PetscReal a[SPACE], const PetscReal b[SPACE], PetscReal c[SPACE])
{
  for (PetscInt i = 0; i < SPACE; i++) c[i] = a[(i + 1) % SPACE] * b[(i + 2) % SPACE] - a[(i + 2) % SPACE] * b[(i + 1) % SPACE];
}

static inline void Subtract(const PetscReal a[SPACE], const PetscReal b[SPACE], PetscReal c[SPACE])
{
  for (PetscInt i = 0; i < SPACE; i++) c[i] = a[i] - b[i];
}

/* Makes it of length one, unless it is zero; the length it had. */
static inline PetscReal Normalise(PetscReal a[SPACE])
{
  const PetscReal length = PetscSqrtReal(Dot(a, a));

  for (PetscInt i = 0; i < SPACE && length > 0.0; i++) a[i] /= length;
  return length;
}

/* Rows x, y, z: y is what the axis has across x. */
static inline void SetFrame(const PetscReal normal[SPACE], PetscInt axis, PetscReal frame[])
{
  PetscReal *const x = frame, *const y = frame + SPACE, *const z = frame + 2 * SPACE;

  for (PetscInt c = 0; c < SPACE; c++) x[c] = normal[c];
  Normalise(x);
  if (PetscAbsReal(x[axis]) > 0.9) axis = (axis + 1) % SPACE;
  for (PetscInt c = 0; c < SPACE; c++) y[c] = (c == axis ? 1.0 : 0.0) - x[axis] * x[c];
  Normalise(y);
  Cross(x, y, z);
}
