/* cover.h - what the master covers of one facet of the slave, and the weights that follow from it. */
#pragma once
#include "overlap.h"
#include "search.h"

typedef PetscReal Hats[MOST_CORNERS][MOST_CORNERS];

/* N: hats of the slave's facet, N_B of a facet of the master; integrals over the overlaps only. */
typedef struct {
  PetscInt facet; /* of the master */
  Hats     mixed; /* int N N_B^T */
} Meeting;

typedef struct {
  PetscReal area;
  PetscReal share[MOST_CORNERS];         /* int N */
  PetscReal normal[MOST_CORNERS][SPACE]; /* int N n */
  Hats      mass;                        /* int N N^T */
  PetscInt  num_meetings;
  Meeting  *meetings;
} Cover;

/* cover->meetings has room for all facets of the master. `near` is work of the same size. */
void CoverFind(const Surface *slave, const Facet *facet, const FacetSearch *search, PetscReal reach, PetscInt near[], Cover *cover);

/* dual.c: A of W = A N, from share and mass of the first `num` corners. */
PetscErrorCode DualWeights(PetscInt num, const PetscReal share[], const Hats mass, Hats dual);
