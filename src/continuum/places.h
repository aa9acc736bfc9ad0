/* places.h - motions that are seen, and forces that act, at a few places on the whole; what modes that are left out give these. */
#pragma once
#include "product.h"
#include "saddle.h"

/* The motion of each place in each column of X, columns of the whole: motion[num, columns], row after row, on all ranks. */
PetscErrorCode PlacesMotion(const ContinuumPlaces *places, const Saddle *saddle, Mat like, Mat X, PetscReal motion[]);

/* C G C^T of all modes but `kept` (of the whole, unit modal mass; NULL for none), whose motion of the places is known: fills the slices. */
PetscErrorCode PlacesCompliance(const ContinuumPlaces *places, const Saddle *saddle, const Continuum *continuum, const Product *M,
                                const ContinuumTies *ties, Mat kept, const PetscReal motion[], Compliance *compliance);

/* Motions of the whole under static forces on the places, forces[count, num], a column each: K x = f. Without the rigid motions (unit modal mass,
   NULL for none), and what pushes them. */
PetscErrorCode PlacesDeflect(const ContinuumPlaces *places, const Saddle *saddle, const Continuum *continuum, const Product *M,
                             const ContinuumTies *ties, Mat rigid, PetscInt count, const PetscReal forces[], Mat *motions);
