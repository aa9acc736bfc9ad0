/* alone.h - the whole structure on each rank by itself, with a factor of its own: columns for many places are then solved for without a word. */
#pragma once
#include "places.h"

typedef struct {
  Continuum       continuum; /* K, M and R only */
  Boundary        boundary;
  ContinuumPlaces places;
  Saddle          saddle;
  Product        *M;
  Mat             kept;
} Alone;

/* Whether it is worth while, once the factor that is spread is known. */
PetscErrorCode AloneChoose(const PlacesWhole *spread, ContinuumAlone *alone);
/* What all ranks have together goes to each of them, which factors it; `kept`, modes of the whole, may be NULL. *alone is NULL, on all of them, where
   one could not. Collective. */
PetscErrorCode AloneCreate(const PlacesWhole *spread, Mat kept, Alone **alone);
PetscErrorCode AloneDestroy(Alone **alone);

/* C G C^T of all modes but those kept, whose motion of the places is known: the columns are dealt out, each rank finds those of its own places. Where
   every rank wants all of them they are exchanged. Collective. */
PetscErrorCode AloneCompliance(const Alone *alone, const PlacesWhole *spread, const PetscReal motion[], Compliance *compliance);
