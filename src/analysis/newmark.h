/*
  newmark.h - one motion through time: the linear part, the balance of the joints, the loads, smaller steps where needed.
*/
#pragma once
#include "balance.h"
#include "linear.h"
#include "load.h"

enum { NEWMARK_MAX_DEPTH = 12 }; /* a step may be halved so often */

typedef struct {
  NewmarkRule rule;
  PetscReal   tolerance;
  PetscInt    max_iterations;
  PetscReal   time_step;
} NewmarkOptions;

/* What a motion starts from, on the unknowns; NULL for rest. */
typedef struct {
  const PetscReal *displacement, *velocity;
} InitialMotion;

typedef struct {
  Linear        *linear;
  Balance       *balance;
  NewmarkOptions options;
  PetscInt       num_loads;
  const Load    *loads;
  PetscReal     *distribution;           /* [num_loads, n] in the coordinates */
  PetscReal     *old_load, *new_load;    /* [n] */
  PetscBool      old_active, new_active; /* whether any of it is not zero */
  LinearResponse response;
  LinearLevel    levels[NEWMARK_MAX_DEPTH + 1]; /* time_step / 2^depth, made when first needed */
  PetscInt       num_levels;
  PetscBool      unbounded;                        /* the motion has grown beyond all numbers: no smaller step helps */
  PetscInt       num_dampers, *damper_row;         /* rows of B with linear dampers */
  PetscReal     *damper_map, *old_rate, *new_rate; /* [num_dampers, n], [num_dampers] */
} Newmark;

/* `loads` are borrowed. After LinearPrepare, and for the same modes of loads; local, like all that follows. */
PetscErrorCode NewmarkCreate(Subject *subject, NewmarkOptions options, PetscInt num_loads, const Load loads[], Newmark **newmark);
PetscErrorCode NewmarkDestroy(Newmark **newmark);

/* A State at time 0, in equilibrium with the loads. */
PetscErrorCode NewmarkStart(Newmark *newmark, InitialMotion initial, State **state);
/* Goes on from a State of the same newmark (a restart). */
PetscErrorCode NewmarkContinue(Newmark *newmark, State *state);
/* The same motion in steps of another size, its time counted from 0 again; the loads, which the caller may have changed, go on from
   their start. Forces that jump with that are those of the caller. */
PetscErrorCode NewmarkRetime(Newmark *newmark, PetscReal time_step, State *state);
/* One step; `converged` is false when it did not even with the smallest parts, or when the motion is `unbounded`: the state is
   then where the last part ended.
   Nothing is allocated, but for memory that grows with the turning points, and a smaller step size when first needed. Hot. */
PetscErrorCode NewmarkStep(Newmark *newmark, State *state, PetscBool *converged);

/* Energies of the present state [J]: kinetic, strain of all that is linear. */
PetscErrorCode NewmarkEnergy(const Newmark *newmark, const State *state, PetscReal *kinetic, PetscReal *strain);
/* What a row of B has dissipated so far, in its law and in its damper [J]. Local. */
PetscReal NewmarkDissipated(const Newmark *newmark, const State *state, PetscInt row);
/* f of a nonlinear row. Local. */
PetscReal NewmarkJointForce(const Newmark *newmark, const State *state, PetscInt row);
