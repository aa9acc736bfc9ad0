/*
  mode_pairs.h - which slipping mode is the stuck one: that of the same shape, as numbers change where frequencies cross.
*/
#pragma once
#include "modes.h"

typedef struct {
  PetscInt   num_stuck, num_slipping;
  PetscReal *mac;      /* (phi_i^T M psi_j)^2: [num_stuck, num_slipping] */
  PetscInt  *pair;     /* of each stuck mode the slipping one, from 0; -1 where none resembles it */
  PetscReal *likeness; /* its MAC; modes of equal frequency, which may be mixed in any way, are taken together */
  PetscReal *change;   /* of the frequency, relative; NAN where there is no pair or no frequency */
} ModePairs;

/* Collective. */
PetscErrorCode ModePairsFind(const System *system, const Modes *stuck, const Modes *slipping, ModePairs *pairs);
PetscErrorCode ModePairsDestroy(ModePairs *pairs);
