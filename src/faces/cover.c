/* cover.c - integrals over the overlaps of a facet of the slave with all facets of the master. */
#include "cover.h"

/* A facet of which no more than this part is covered is not covered: coordinates in files have no more digits. */
static const PetscReal no_cover = 1e-9;

/* A facet as triangles, on which the functions of its face are found when they are first wanted. */
typedef struct {
  const Surface *surface;
  const Facet   *facet;
  const Face    *face;
  PetscInt       num;
  Triangle       triangles[MOST_TRIANGLES];
  PetscBool      known[MOST_TRIANGLES];
  Functions      functions[MOST_TRIANGLES];
} Pieces;

static void PiecesOf(const Surface *surface, const Facet *facet, Pieces *pieces)
{
  pieces->surface = surface;
  pieces->facet   = facet;
  pieces->face    = &surface->faces[facet->face];
  pieces->num     = FacetTriangles(surface->places, facet, pieces->triangles);
  for (PetscInt t = 0; t < pieces->num; t++) pieces->known[t] = PETSC_FALSE;
}

static void HatsAt(const Triangle *triangle, const PetscReal at[3], PetscReal hats[MOST_CORNERS])
{
  for (PetscInt k = 0; k < MOST_CORNERS; k++) hats[k] = 0.0;
  for (PetscInt c = 0; c < 3; c++)
    for (PetscInt k = 0; k < MOST_CORNERS; k++) hats[k] += at[c] * triangle->hat[c][k];
}

/* The functions of its face; those of a face of first order are hats. */
static void PiecesAt(Pieces *pieces, PetscInt triangle, const PetscReal at[3], PetscReal values[MOST_NODES])
{
  if (!IsOfSecondOrder(pieces->face)) {
    HatsAt(&pieces->triangles[triangle], at, values);
    return;
  }
  if (!pieces->known[triangle]) FunctionsOfTriangle(pieces->surface, pieces->facet, &pieces->triangles[triangle], &pieces->functions[triangle]);
  pieces->known[triangle] = PETSC_TRUE;
  FunctionsAt(&pieces->functions[triangle], pieces->face->num_nodes, at, values);
}

/* What is known at one point of an overlap. */
typedef struct {
  PetscReal weight, hats[MOST_CORNERS], slave[MOST_NODES], master[MOST_NODES];
} Sample;

static void AddSample(const Sample *sample, const PetscReal normal[SPACE], PetscInt num_slave, PetscInt num_master, Cover *cover, Meeting *meeting)
{
  cover->area += sample->weight;
  for (PetscInt i = 0; i < MOST_CORNERS; i++) {
    const PetscReal share = sample->weight * sample->hats[i];

    cover->share[i] += share;
    meeting->share[i] += share;
    for (PetscInt c = 0; c < SPACE; c++) cover->normal[i][c] += share * normal[c];
    for (PetscInt j = 0; j < MOST_CORNERS; j++) cover->mass[i][j] += share * sample->hats[j];
    for (PetscInt j = 0; j < num_slave; j++) cover->own[i][j] += share * sample->slave[j];
    for (PetscInt j = 0; j < num_master; j++) meeting->mixed[i][j] += share * sample->master[j];
  }
}

static void AddOverlap(const Overlap *overlap, Pieces *slave, PetscInt s, Pieces *master, PetscInt m, Cover *cover, Meeting *meeting)
{
  Sample sample;

  for (PetscInt q = 0; q < overlap->num; q++) {
    sample.weight = overlap->weight[q];
    HatsAt(&slave->triangles[s], overlap->slave[q], sample.hats);
    PiecesAt(slave, s, overlap->slave[q], sample.slave);
    PiecesAt(master, m, overlap->master[q], sample.master);
    AddSample(&sample, slave->triangles[s].normal, slave->face->num_nodes, master->face->num_nodes, cover, meeting);
  }
}

/* Whether the two overlap. */
static PetscBool Meet(Pieces *slave, const Plane planes[], Pieces *master, PetscReal reach, Cover *cover, Meeting *meeting)
{
  const PetscBool fine = (PetscBool)(IsOfSecondOrder(slave->face) || IsOfSecondOrder(master->face));
  PetscBool       met  = PETSC_FALSE;
  Overlap         overlap;

  for (PetscInt s = 0; s < slave->num; s++) {
    for (PetscInt m = 0; m < master->num; m++) {
      OverlapFind(&planes[s], &master->triangles[m], reach, fine, &overlap);
      AddOverlap(&overlap, slave, s, master, m, cover, meeting);
      if (overlap.num) met = PETSC_TRUE;
    }
  }
  return met;
}

/* The planes of the pieces of a facet, and the area of them all. */
static PetscReal FindPlanes(const Pieces *pieces, Plane planes[])
{
  PetscReal area = 0.0;

  for (PetscInt s = 0; s < pieces->num; s++) {
    PlaneOf(&pieces->triangles[s], &planes[s]);
    area += pieces->triangles[s].area;
  }
  return area;
}

/* Of the overlaps of a facet of the master with the slave's that are further apart than `reach`, the least distance; or `least`. */
static PetscReal LeastBeyond(const Pieces *slave, const Plane planes[], const Pieces *master, PetscReal reach, PetscReal least)
{
  Overlap overlap;

  for (PetscInt s = 0; s < slave->num; s++) {
    for (PetscInt m = 0; m < master->num; m++) {
      OverlapFind(&planes[s], &master->triangles[m], least, PETSC_FALSE, &overlap);
      if (overlap.num && overlap.distance > reach) least = overlap.distance;
    }
  }
  return least;
}

PetscReal CoverBeyond(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscReal far, PetscInt near[])
{
  const PetscInt num_near = FacetSearchNear(search, facet, far, near);
  PetscReal      least    = far;
  Pieces         slaves, masters;
  Plane          planes[MOST_TRIANGLES];

  PiecesOf(slave, facet, &slaves);
  FindPlanes(&slaves, planes);
  for (PetscInt i = 0; i < num_near; i++) {
    PiecesOf(search->surface, &search->surface->facets[near[i]], &masters);
    least = LeastBeyond(&slaves, planes, &masters, reach, least);
  }
  return least < far ? least : 0.0;
}

void CoverFind(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscInt near[], Cover *cover)
{
  const PetscInt num_near = FacetSearchNear(search, facet, reach, near);
  Pieces         slaves, masters;
  Plane          planes[MOST_TRIANGLES];
  PetscReal      area;

  *cover = (Cover){.meetings = cover->meetings};
  PiecesOf(slave, facet, &slaves);
  area = FindPlanes(&slaves, planes);
  for (PetscInt i = 0; i < num_near; i++) {
    Meeting *const meeting = &cover->meetings[cover->num_meetings];

    *meeting = (Meeting){.facet = near[i]};
    PiecesOf(search->surface, &search->surface->facets[near[i]], &masters);
    if (Meet(&slaves, planes, &masters, reach, cover, meeting)) cover->num_meetings++;
  }
  if (cover->area <= no_cover * area) cover->num_meetings = 0;
  cover->left = 1.0 - cover->area / area;
}
