/*
  statics.h - the equilibrium of a structure with joints: K u + B^T f(B u, 0, history) = p, along a path of loads.

  With K0 = K + B^T k B (k: stiffness of the joints while stuck) and g = f - k d it reads K0 u = p - B^T g, and at the joints

      d + H g(d) = d_lin,    H = B K0^-1 B^T,    d_lin = B K0^-1 p

  which is the problem of a time step (balance.h) with another influence. How K0^-1 is known is the Flexibility's part. Joints remember, so
  an equilibrium depends on the way to it: loads are approached in steps, and a step without equilibrium is divided, its loads changing in
  proportion.

  Nothing has a velocity: laws that depend on it are asked for their force at rest, and dampers carry nothing.
*/
#pragma once
#include "balance.h"
#include "statics/flexibility.h"

enum { STATICS_MAX_DEPTH = 12 }; /* a step may be halved so often */

typedef struct {
  const System *system;
  PetscInt      n, m, num_places; /* unknowns; nonlinear rows, padded; places of the system */
  Flexibility  *flexibility;
  Balance      *balance;
  PetscReal    *joint_map;               /* [m, n] the rows b of B */
  PetscReal    *response;                /* [m, n] K0^-1 b of each */
  PetscReal    *matrix;                  /* [m, m] H; NULL where it is not formed, see Influence */
  Influence     influence;               /* H */
  PetscReal    *give, *weight;           /* [m] what H has of joints that stick without any give, see Influence; else NULL */
  PetscReal    *row_norm;                /* [m] length of the rows of B */
  SystemForces  load;                    /* of which steps take multiples */
  PetscReal    *load_u, *load_motion;    /* of that, as below */
  SystemForces  old_load, new_load;      /* at the start of a step and at its end */
  PetscReal    *old_u, *new_u;           /* [n] K0^-1 p of these */
  PetscReal    *old_motion, *new_motion; /* [num_places] what they move places by while all joints stick */
  PetscReal    *linear_motion, *rate;    /* [m] d_lin where the step is tried; zeros */
  PetscReal    *reach;                   /* [m] the largest |d_lin| so far */
  PetscReal    *supports;                /* [num_supports] where they are at the equilibrium */
  PetscBool     closed_first;            /* the next step begins with all faces closed */
  PetscReal    *forces, *motion;         /* [num_places] on places at the equilibrium, and what these move by */
} Statics;

/* `floating` are the rigid motions of the system, which strain none of its joints; it must outlive what is created. Local, like all that
   follows. */
PetscErrorCode StaticsCreate(const System *system, const Floating *floating, PetscReal tolerance, PetscInt max_iterations, Statics **statics);
PetscErrorCode StaticsDestroy(Statics **statics);

/* The unloaded structure with untouched joints, whose equilibrium is still to be found by a first step. */
PetscErrorCode StaticsStart(Statics *statics, State **state);
/* The load of which steps take multiples, in balance where the structure floats. */
PetscErrorCode StaticsSetLoad(Statics *statics, const SystemForces *load);
/* One step: to the equilibrium under a multiple of the load. `converged` is false when none was found even in the
   smallest parts; the state is then where the last part ended, and its `time` the share of the step that was done. */
PetscErrorCode StaticsStep(Statics *statics, PetscReal factor, State *state, PetscBool *converged);
/* The parts of a step, for steps of other kinds. From old_motion to new_motion of the places, by `influence`; and when that has been found, to
   what the new load gives the unknowns, which is the old one from then on. */
PetscErrorCode StaticsApproach(Statics *statics, State *state, PetscBool *converged);
PetscErrorCode StaticsArrive(Statics *statics, State *state);
/* What all places move by at the equilibrium that was found last: [num_places], of the statics. */
PetscErrorCode StaticsMotions(Statics *statics, const State *state, const PetscReal **motion);
/* What holds each moving support where it is: [num_supports]. */
void StaticsReactions(const Statics *statics, const State *state, PetscReal reactions[]);
/* f of a nonlinear row. */
PetscReal StaticsJointForce(const Statics *statics, const State *state, PetscInt row);
