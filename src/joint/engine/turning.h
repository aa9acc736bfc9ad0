/*
  turning.h - the turning points of one scalar path.

  In a ring-down every reversal lies inside the one before it, so the points grow without limit, two a cycle.
  All of it is local.
*/
#pragma once
#include "joint.h"

PetscErrorCode TurningPointsCreate(TurningPoints *turning);
PetscErrorCode TurningPointsDestroy(TurningPoints *turning);
PetscErrorCode TurningPointsReserve(TurningPoints *turning, PetscInt capacity);
PetscErrorCode TurningPointsCopy(const TurningPoints *from, TurningPoints *to);
PetscErrorCode TurningPointsPush(TurningPoints *turning, PetscReal motion, PetscReal force);

/* Keeps the oldest `count` points; one more than there are takes the point given here. */
static inline PetscErrorCode TurningPointsSetCount(TurningPoints *turning, PetscInt count, PetscReal motion, PetscReal force)
{
  if (count > turning->count) return TurningPointsPush(turning, motion, force);
  turning->count = count;
  return PETSC_SUCCESS;
}
