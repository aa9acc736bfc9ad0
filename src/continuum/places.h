/* places.h - motions that are seen, and forces that act, at a few places on the whole; what modes that are left out give these. */
#pragma once
#include "product.h"
#include "saddle.h"

/* The whole, factored, and its places. */
typedef struct {
  const Continuum       *continuum;
  const ContinuumTies   *ties;
  const Product         *M;
  const Saddle          *saddle;
  const ContinuumPlaces *places;
} PlacesWhole;

/* The motion of each place in each column of X, columns of the whole: motion[num, columns], row after row, on all ranks. */
PetscErrorCode PlacesMotion(const PlacesWhole *whole, Mat X, PetscReal motion[]);

/* Columns `first` to before `end` of C G C^T, of all modes but `kept` (of the whole, unit modal mass; NULL for none), whose motion of the places
   is known. Where the whole is spread over ranks, each fills what it has of these rows in its slice; where it is on this rank alone, these
   columns, which are its own. */
PetscErrorCode PlacesColumns(const PlacesWhole *whole, Mat kept, const PetscReal motion[], PetscInt first, PetscInt end, Compliance *compliance);

/* Motions of the whole under static forces on the places, forces[count, num], a column each: K x = f. Without the rigid motions (unit modal mass,
   NULL for none), and what pushes them. */
PetscErrorCode PlacesDeflect(const PlacesWhole *whole, Mat rigid, PetscInt count, const PetscReal forces[], Mat *motions);
