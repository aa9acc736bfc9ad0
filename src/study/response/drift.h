/*
  drift.h - rigid motions that nothing resists, neither a joint nor a damper: a structure that floats.

  A periodic load sets them going, and they go on with the speed that its first moment gave them, for ever. Nothing else in the structure
  feels that speed, so it may be taken from them: what is left is periodic.
*/
#pragma once
#include "march/linear.h"

typedef struct {
  PetscInt   count, n;
  PetscReal *motion;   /* [count, n] in the coordinates, orthonormal in M */
  PetscReal *momentum; /* [count, n] of each: its product with u or v tells how far, how fast it moves */
  PetscReal *start;    /* [count] where each was when it was marked */
} Drift;

/* After ModeCacheGetRigid, with joints stuck. Local. A motion that damping takes in a million periods of this frequency [Hz], or later, is not resisted. */
PetscErrorCode DriftCreate(ModeCache *cache, Linear *linear, PetscReal frequency, Drift *drift);
PetscErrorCode DriftDestroy(Drift *drift);

/* Takes from the state, at the end of a cycle, the mean speed since it was marked at its start. Local. */
void DriftMark(Drift *drift, const State *state);
void DriftTake(const Drift *drift, PetscReal duration, State *state);
