/* cover.h - what the master covers of one facet of the slave, and the weights that follow from it. */
#pragma once
#include "functions.h"
#include "overlap.h"
#include "search.h"

typedef PetscReal Hats[MOST_CORNERS][MOST_CORNERS], Products[MOST_CORNERS][MOST_NODES];

/* H: hats of the slave's facet, N_A and N_B: functions of the faces of both; integrals over the overlaps only. */
typedef struct {
  PetscInt  facet;               /* of the master */
  Products  mixed;               /* int H N_B^T */
  PetscReal share[MOST_CORNERS]; /* int H */
} Meeting;

typedef struct {
  PetscReal area;                        /* of the overlaps */
  PetscReal left;                        /* part of the facet that none of them covers */
  PetscReal share[MOST_CORNERS];         /* int H */
  PetscReal normal[MOST_CORNERS][SPACE]; /* int H n */
  Hats      mass;                        /* int H H^T */
  Products  own;                         /* int H N_A^T */
  PetscInt  num_meetings;
  Meeting  *meetings;
} Cover;

/* cover->meetings has room for all facets of the master. `near` is work of the same size. */
void CoverFind(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscInt near[], Cover *cover);

/* The least distance at which the master covers what it does not within `reach`, looked for within `far`; 0 where there is nothing, as beyond
   the edge of a body. `near` as above. */
PetscReal CoverBeyond(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscReal far, PetscInt near[]);

/* dual.c: A of W = A H, from share and mass of the first `num` corners. */
PetscErrorCode DualWeights(PetscInt num, const PetscReal share[], const Hats mass, Hats dual);
