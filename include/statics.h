/*
  statics.h - the equilibrium of a structure with joints: K u + B^T f(B u, 0, history) = p, along a path of loads.

  With K0 = K + B^T k B (k: stiffness of the joints while stuck) and g = f - k d it reads K0 u = p - B^T g, and at the joints

      d + H g(d) = d_lin,    H = B K0^-1 B^T,    d_lin = B K0^-1 p

  which is the problem of a time step (balance.h) with another influence. K0 is factored once. Joints remember, so an equilibrium depends
  on the way to it: loads are approached in steps, and a step without equilibrium is divided, its loads changing in proportion.

  Nothing has a velocity: laws that depend on it are asked for their force at rest, and dampers carry nothing.
*/
#pragma once
#include <petscksp.h>
#include "balance.h"

enum { STATICS_MAX_DEPTH = 12 }; /* a step may be halved so often */

typedef struct {
  const System *system;
  PetscInt      n, m;      /* unknowns; nonlinear rows, padded */
  KSP           stiffness; /* solves with K0 */
  Balance      *balance;
  PetscReal    *joint_map;                /* [m, n] B */
  PetscReal    *response;                 /* [m, n] rows: K0^-1 b for each joint row b */
  PetscReal    *influence;                /* [m, m] H */
  PetscReal    *row_norm;                 /* [m] length of the rows of B */
  PetscReal    *old_u, *new_u, *linear_u; /* [n] K0^-1 p at the start of a step, at its end, and where it is tried */
  PetscReal    *motion, *rate;            /* [m] d_lin; zeros */
  PetscReal     largest_load;             /* of the components of all loads so far [N, N m] */
} Statics;

/* For a structure that does not float (ModeCacheGetRigid, with joints stuck). Local, like all that follows. */
PetscErrorCode StaticsCreate(const System *system, PetscReal tolerance, PetscInt max_iterations, Statics **statics);
PetscErrorCode StaticsDestroy(Statics **statics);

/* The unloaded structure with untouched joints, whose equilibrium is still to be found by a first step. */
PetscErrorCode StaticsStart(Statics *statics, State **state);
/* One step: to the equilibrium under a load on the unknowns [n]. `converged` is false when none was found even in the smallest parts; the
   state is then where the last part ended, and its `time` the share of the step that was done. */
PetscErrorCode StaticsStep(Statics *statics, const PetscReal load[], State *state, PetscBool *converged);
/* f of a nonlinear row. */
PetscReal StaticsJointForce(const Statics *statics, const State *state, PetscInt row);
