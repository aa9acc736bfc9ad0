/* cover.c - integrals over the overlaps of a facet of the slave with all facets of the master. */
#include "cover.h"

/* A facet of which no more than this part is covered is not covered: coordinates in files have no more digits. */
static const PetscReal no_cover = 1e-9;

static void AddOverlap(const Overlap *overlap, const PetscReal normal[SPACE], Cover *cover, Meeting *meeting)
{
  for (PetscInt q = 0; q < overlap->num; q++) {
    cover->area += overlap->weight[q];
    for (PetscInt i = 0; i < MOST_CORNERS; i++) {
      const PetscReal share = overlap->weight[q] * overlap->slave[q][i];

      cover->share[i] += share;
      for (PetscInt c = 0; c < SPACE; c++) cover->normal[i][c] += share * normal[c];
      for (PetscInt j = 0; j < MOST_CORNERS; j++) {
        cover->mass[i][j] += share * overlap->slave[q][j];
        meeting->mixed[i][j] += share * overlap->master[q][j];
      }
    }
  }
}

/* A facet as triangles. */
typedef struct {
  PetscInt num;
  Triangle triangles[MOST_TRIANGLES];
} Triangles;

/* Whether the two overlap. */
static PetscBool Meet(PetscInt num_planes, const Plane planes[], const Triangles *masters, PetscReal reach, Cover *cover, Meeting *meeting)
{
  PetscBool met = PETSC_FALSE;
  Overlap   overlap;

  for (PetscInt s = 0; s < num_planes; s++) {
    for (PetscInt m = 0; m < masters->num; m++) {
      OverlapFind(&planes[s], &masters->triangles[m], reach, &overlap);
      AddOverlap(&overlap, planes[s].triangle->normal, cover, meeting);
      if (overlap.num) met = PETSC_TRUE;
    }
  }
  return met;
}

void CoverFind(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscInt near[], Cover *cover)
{
  const Surface *const master   = search->surface;
  const PetscInt       num_near = FacetSearchNear(search, facet, reach, near);
  Triangles            slaves, masters;
  Plane                planes[MOST_TRIANGLES];
  PetscReal            area = 0.0;

  *cover     = (Cover){.meetings = cover->meetings};
  slaves.num = FacetTriangles(slave->places, facet, slaves.triangles);
  for (PetscInt s = 0; s < slaves.num; s++) {
    PlaneOf(&slaves.triangles[s], &planes[s]);
    area += slaves.triangles[s].area;
  }
  for (PetscInt i = 0; i < num_near; i++) {
    Meeting *const meeting = &cover->meetings[cover->num_meetings];

    *meeting    = (Meeting){.facet = near[i]};
    masters.num = FacetTriangles(master->places, &master->facets[near[i]], masters.triangles);
    if (Meet(slaves.num, planes, &masters, reach, cover, meeting)) cover->num_meetings++;
  }
  if (cover->area <= no_cover * area) cover->num_meetings = 0;
}
