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

/* Whether the two overlap. */
static PetscBool Meet(PetscInt num_slaves, const Triangle slaves[], PetscInt num_masters, const Triangle masters[], PetscReal reach, Cover *cover,
                      Meeting *meeting)
{
  PetscBool met = PETSC_FALSE;
  Overlap   overlap;

  for (PetscInt s = 0; s < num_slaves; s++) {
    for (PetscInt m = 0; m < num_masters; m++) {
      OverlapFind(&slaves[s], &masters[m], reach, &overlap);
      AddOverlap(&overlap, slaves[s].normal, cover, meeting);
      if (overlap.num) met = PETSC_TRUE;
    }
  }
  return met;
}

void CoverFind(const Surface *slave, const Facet *facet, const FacetSearch *masters, PetscReal reach, PetscInt near[], Cover *cover)
{
  const Surface *const master = masters->surface;
  Triangle             slave_triangles[MOST_TRIANGLES], master_triangles[MOST_TRIANGLES];
  const PetscInt       num_slaves = FacetTriangles(slave->places, facet, slave_triangles), num_near = FacetSearchNear(masters, facet, reach, near);
  PetscReal            area = 0.0;

  *cover = (Cover){.meetings = cover->meetings};
  for (PetscInt i = 0; i < num_near; i++) {
    const PetscInt num_masters = FacetTriangles(master->places, &master->facets[near[i]], master_triangles);
    Meeting *const meeting     = &cover->meetings[cover->num_meetings];

    *meeting = (Meeting){.facet = near[i]};
    if (Meet(num_slaves, slave_triangles, num_masters, master_triangles, reach, cover, meeting)) cover->num_meetings++;
  }
  for (PetscInt s = 0; s < num_slaves; s++) area += slave_triangles[s].area;
  if (cover->area <= no_cover * area) cover->num_meetings = 0;
}
