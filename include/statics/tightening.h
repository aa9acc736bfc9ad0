/*
  tightening.h - bolts that are pulled together one after another: K u + V delta + B^T f = p, T = V^T u + k delta.

  A bolt is locked, its shift delta fixed, or free, its tension T given: 0 before it is tightened. Locked bolts are a load -V delta. Free
  ones, S, make the structure softer: with C = V^T K0^-1 V and Y = K0^-1 V

      delta = M (T - V^T u_p + (B Y)^T g),   M = (k - C)^-1,   g = f - k d

      d + (H + (B Y) M (B Y)^T) g = B u_p - (B Y) M (T - V^T u_p)
*/
#pragma once
#include "statics.h"

typedef struct {
  Statics   *statics;
  PetscInt   num_bolts;
  PetscReal *column;    /* [num_bolts, num_places] what places move by under a unit force on the place of each bolt, all locked */
  PetscReal *delta;     /* [num_bolts] shift of each, positive: its shank is shorter [m] */
  PetscReal *tension;   /* [num_bolts] at the equilibrium that was found last [N] */
  Influence  influence; /* H while some are free */
  PetscReal *inverse;   /* [num_free, num_free] M */
  PetscInt   num_free;
  PetscInt  *free; /* [num_free] */
} Tightening;

/* `statics` must outlive it. Local, as all that follows. */
PetscErrorCode TighteningCreate(Statics *statics, Tightening **tightening);
PetscErrorCode TighteningDestroy(Tightening **tightening);

/* Frees these bolts, until others are: all others are locked. `loose`: the first of them that nothing pulls against, where the parts beside its
   cut hang together by nothing else; -1 when all is well. */
PetscErrorCode TighteningFree(Tightening *tightening, PetscInt count, const PetscInt bolts[], PetscInt *loose);
/* One step: to the equilibrium under a load (of places of bolts nothing) and these tensions [num_bolts] of the free bolts. */
PetscErrorCode TighteningStep(Tightening *tightening, const SystemForces *load, const PetscReal tension[], State *state, PetscBool *converged);
