/* search.h - the facets of a surface whose boxes are near a box. */
#pragma once
#include "surface.h"

/* Facets sorted by the lower end of their boxes along the axis on which the surface is longest. */
typedef struct {
  const Surface *surface;
  PetscInt       axis;
  PetscReal      widest; /* box along the axis */
  PetscReal     *lower;  /* ascending, [num_facets] */
  PetscInt      *facet;  /* and which facet that is */
} FacetSearch;

PetscErrorCode FacetSearchCreate(const Surface *surface, FacetSearch *search);
PetscErrorCode FacetSearchDestroy(FacetSearch *search);

/* near[num_facets] has room for all. */
PetscInt FacetSearchNear(const FacetSearch *search, const Facet *facet, PetscReal reach, PetscInt near[]);
