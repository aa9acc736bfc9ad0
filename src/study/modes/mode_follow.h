/*
  mode_follow.h - which mode of a case with other numbers is one of the case itself: that of the same shape.
*/
#pragma once
#include "study.h"

/* The modes of both, and how much each of the case itself is like those here. */
typedef struct {
  PetscInt   num_origin, num_here;
  PetscReal *likeness; /* [num_origin, num_here] */
  PetscBool *same_as;  /* [num_here]: of the frequency of the one before */
} ModeLikeness;

/* Where the unknowns mean the same by the MAC that is weighted by the mass here, else by that of the motions of the mesh; 0 without one. Collective. */
PetscErrorCode ModeLikenessFind(const ModeCache *cache, const Modes *here, const ModeCache *origin_cache, const Modes *origin,
                                PetscBool same_unknowns, ModeLikeness *likeness);
PetscErrorCode ModeLikenessDestroy(ModeLikeness *likeness);
/* The mode here that is this one of the case itself, both from 1; 0 after a reason where none is, or more than one may be. Local. */
PetscInt ModeLikenessFollow(const ModeLikeness *likeness, PetscInt number, size_t size, char reason[]);
