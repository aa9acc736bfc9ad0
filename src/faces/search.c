/* search.c - facets near a facet: boxes sorted along one axis, then compared along all. */
#include "search.h"

static PetscInt LongestAxis(const Surface *surface)
{
  PetscReal lower[SPACE], upper[SPACE];
  PetscInt  axis = 0;

  for (PetscInt i = 0; i < SPACE; i++) {
    lower[i] = PETSC_MAX_REAL;
    upper[i] = PETSC_MIN_REAL;
    for (PetscInt f = 0; f < surface->num_facets; f++) {
      lower[i] = PetscMin(lower[i], surface->facets[f].lower[i]);
      upper[i] = PetscMax(upper[i], surface->facets[f].upper[i]);
    }
    if (upper[i] - lower[i] > upper[axis] - lower[axis]) axis = i;
  }
  return axis;
}

PetscErrorCode FacetSearchCreate(const Surface *surface, FacetSearch *search)
{
  PetscFunctionBegin;
  *search = (FacetSearch){.surface = surface, .axis = LongestAxis(surface)};
  PetscCall(PetscMalloc2(surface->num_facets, &search->lower, surface->num_facets, &search->facet));
  for (PetscInt f = 0; f < surface->num_facets; f++) {
    const Facet *const facet = &surface->facets[f];

    search->lower[f] = facet->lower[search->axis];
    search->facet[f] = f;
    search->widest   = PetscMax(search->widest, facet->upper[search->axis] - facet->lower[search->axis]);
  }
  PetscCall(PetscSortRealWithArrayInt(surface->num_facets, search->lower, search->facet));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacetSearchDestroy(FacetSearch *search)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(search->lower, search->facet));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first of those whose box begins at `start` or behind it. */
static PetscInt FirstFrom(const FacetSearch *search, PetscReal start)
{
  PetscInt low = 0, high = search->surface->num_facets;

  while (low < high) {
    const PetscInt middle = low + (high - low) / 2;

    if (search->lower[middle] < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

static PetscBool AreNear(const Facet *a, const Facet *b, PetscReal reach)
{
  for (PetscInt i = 0; i < SPACE; i++)
    if (a->lower[i] > b->upper[i] + reach || b->lower[i] > a->upper[i] + reach) return PETSC_FALSE;
  return PETSC_TRUE;
}

PetscInt FacetSearchNear(const FacetSearch *search, const Facet *facet, PetscReal reach, PetscInt near[])
{
  const PetscReal end = facet->upper[search->axis] + reach;
  PetscInt        num = 0;

  for (PetscInt i = FirstFrom(search, facet->lower[search->axis] - reach - search->widest);
       i < search->surface->num_facets && search->lower[i] <= end; i++)
    if (AreNear(facet, &search->surface->facets[search->facet[i]], reach)) near[num++] = search->facet[i];
  return num;
}
