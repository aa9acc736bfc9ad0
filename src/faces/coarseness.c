/* coarseness.c - how coarse a surface is where it meets another: what pressures between them cannot follow. */
#include "coarseness.h"

/* A normal that is further than this off that of a node is beyond an edge, which is no arc. */
static const PetscReal least_edge = PETSC_PI / 6.0;

static PetscBool IsMet(const Facet *facet, const PetscBool met[])
{
  for (PetscInt k = 0; k < facet->num_corners; k++)
    if (!met[facet->corners[k]]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* The sum of its triangles, of length 1. */
static void NormalOf(const Surface *surface, const Facet *facet, PetscReal normal[SPACE])
{
  Triangle       triangles[MOST_TRIANGLES];
  const PetscInt num = FacetTriangles(surface->places, facet, triangles);

  for (PetscInt c = 0; c < SPACE; c++) {
    normal[c] = 0.0;
    for (PetscInt t = 0; t < num; t++) normal[c] += triangles[t].area * triangles[t].normal[c];
  }
  Normalise(normal);
}

static PetscReal Extent(const Surface *surface, const Facet *facet, const PetscReal along[SPACE])
{
  PetscReal least = PETSC_INFINITY, most = -PETSC_INFINITY;

  for (PetscInt k = 0; k < facet->num_corners; k++) {
    const PetscReal at = Dot(along, surface->places + SPACE * facet->corners[k]);

    least = PetscMin(least, at);
    most  = PetscMax(most, at);
  }
  return most - least;
}

static PetscReal AngleBetween(const PetscReal a[SPACE], const PetscReal b[SPACE])
{
  PetscReal across[SPACE];

  Cross(a, b, across);
  return atan2(PetscSqrtReal(Dot(across, across)), Dot(a, b));
}

/* Between the two sides of a facet that meet there. */
static PetscReal AngleAt(const Surface *surface, const Facet *facet, PetscInt corner)
{
  const PetscInt         num = facet->num_corners;
  const PetscReal *const at  = surface->places + SPACE * facet->corners[corner];
  PetscReal              next[SPACE], last[SPACE];

  Subtract(surface->places + SPACE * facet->corners[(corner + 1) % num], at, next);
  Subtract(surface->places + SPACE * facet->corners[(corner + num - 1) % num], at, last);
  return AngleBetween(next, last);
}

/* Adds up normals at the nodes, by the angles that facets have there, so that two triangles count as the quadrilateral that they make; and extents
   of facets along y and z. The number of facets that are met. */
static PetscInt AddFacets(const Surface *surface, const PetscBool met[], PetscInt axis, PetscReal normals[], PetscReal sum[2])
{
  PetscInt count = 0;

  for (PetscInt f = 0; f < surface->num_facets; f++) {
    const Facet *const facet = &surface->facets[f];
    PetscReal          normal[SPACE], frame[SPACE * SPACE];

    if (!IsMet(facet, met)) continue;
    NormalOf(surface, facet, normal);
    SetFrame(normal, axis, frame);
    for (PetscInt t = 0; t < 2; t++) sum[t] += Extent(surface, facet, frame + SPACE * (t + 1));
    for (PetscInt k = 0; k < facet->num_corners; k++)
      for (PetscInt c = 0; c < SPACE; c++) normals[SPACE * facet->corners[k] + c] += AngleAt(surface, facet, k) * normal[c];
    count++;
  }
  return count;
}

/* Twice the angle between a facet and its corner is what it turns by, and an arc over a chord of length l rises by l turn / 8. */
static void FindTurn(const Surface *surface, const PetscBool met[], const PetscReal normals[], FaceCoarseness *coarseness)
{
  for (PetscInt f = 0; f < surface->num_facets; f++) {
    const Facet *const facet = &surface->facets[f];
    PetscReal          normal[SPACE];

    if (!IsMet(facet, met)) continue;
    NormalOf(surface, facet, normal);
    for (PetscInt k = 0; k < facet->num_corners; k++) {
      const PetscReal *const at    = normals + SPACE * facet->corners[k];
      const PetscReal        angle = AngleBetween(at, normal);
      PetscReal              axis[SPACE], down[SPACE];

      if (angle >= least_edge || 2.0 * angle <= coarseness->turn) continue;
      Cross(at, normal, axis);
      Cross(normal, axis, down);
      Normalise(down);
      coarseness->turn = 2.0 * angle;
      coarseness->rise = Extent(surface, facet, down) * coarseness->turn / 8.0;
    }
  }
}

/* met: nodes that have a part in the area where the surfaces meet, [num_nodes]; extent: of that area. */
static PetscErrorCode FindOf(const Surface *surface, const PetscBool met[], const PetscReal extent[2], PetscInt axis, FaceCoarseness *coarseness)
{
  PetscReal *normals, sum[2] = {0.0, 0.0};
  PetscInt   count;

  PetscFunctionBegin;
  *coarseness = (FaceCoarseness){.across = PETSC_INFINITY};
  PetscCall(PetscCalloc1(SPACE * surface->num_nodes, &normals));
  count = AddFacets(surface, met, axis, normals, sum);
  for (PetscInt t = 0; t < 2 && count; t++) coarseness->across = PetscMin(coarseness->across, extent[t] * (PetscReal)count / sum[t]);
  FindTurn(surface, met, normals, coarseness);
  PetscCall(PetscFree(normals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the points, along y of the first and across it: of a shaft its length, and the arc on which it is met. */
static void FindExtent(const FacePoints *points, PetscReal extent[2])
{
  PetscReal least[SPACE], most[SPACE];

  for (PetscInt c = 0; c < SPACE; c++) {
    least[c] = PETSC_INFINITY;
    most[c]  = -PETSC_INFINITY;
    for (PetscInt i = 0; i < points->num_points; i++) {
      const PetscReal at = Dot(points->frame + SPACE * c, points->place + SPACE * i);

      least[c] = PetscMin(least[c], at);
      most[c]  = PetscMax(most[c], at);
    }
  }
  extent[0] = most[1] - least[1];
  extent[1] = PetscMax(most[0] - least[0], most[2] - least[2]);
  if (extent[0] > 0.0) extent[1] = PetscMax(extent[1], points->met / extent[0]);
}

/* The nodes of the master's facets that points meet. */
static PetscErrorCode MarkNear(const Means *means, PetscInt num_rows, PetscBool met[])
{
  PetscInt        count;
  const PetscInt *column;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_rows; i++) {
    PetscCall(MatGetRow(means->near, i, &count, &column, NULL));
    for (PetscInt k = 0; k < count; k++) met[column[k]] = PETSC_TRUE;
    PetscCall(MatRestoreRow(means->near, i, &count, &column, NULL));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CoarsenessFind(const Surface *slave, const Surface *master, const Means *means, PetscInt axis, FacePoints *points)
{
  PetscReal  extent[2];
  PetscBool *own, *other;

  PetscFunctionBegin;
  FindExtent(points, extent);
  PetscCall(PetscCalloc2(slave->num_nodes, &own, master->num_nodes, &other));
  for (PetscInt i = 0; i < slave->num_nodes; i++) own[i] = (PetscBool)(means->area[i] > 0.0);
  PetscCall(MarkNear(means, slave->num_nodes, other));
  PetscCall(FindOf(slave, own, extent, axis, &points->coarseness[points->side]));
  PetscCall(FindOf(master, other, extent, axis, &points->coarseness[1 - points->side]));
  PetscCall(PetscFree2(own, other));
  PetscFunctionReturn(PETSC_SUCCESS);
}
