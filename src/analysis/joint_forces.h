/*
  joint_forces.h - what the joints answer to a motion: force and tangent of every nonlinear row, from the blocks of laws that act on it.

  A block of scalar laws that alone acts on consecutive rows works on them in place; others are gathered and added up.
*/
#pragma once
#include "system.h"

typedef struct {
  const System *system;
  PetscInt      m;               /* nonlinear rows, padded to whole vector lanes with rows that nothing moves */
  PetscBool     diagonal;        /* every law acts on one row */
  PetscBool     viscous;         /* some law wants velocities */
  PetscReal    *stiffness;       /* [m, m] stuck; [m] when diagonal */
  PetscReal    *motion, *rate;   /* [m], set by the caller */
  PetscReal    *force, *tangent; /* [m]; tangent like stiffness, both with padding of zeros */

  PetscBool  in_place;                                                                /* all blocks work on the rows */
  PetscInt  *first_row;                                                               /* of each block that does; else -1 */
  PetscReal *loss;                                                                    /* [m], of blocks in place */
  PetscReal *block_motion, *block_rate, *block_force, *block_loss, *block_dissipated; /* of the largest block */
  PetscReal *block_stiffness, *block_damping;
} JointForces;

/* For the nonlinear rows of the system, padded to m. */
PetscErrorCode JointForcesCreate(const System *system, PetscInt m, JointForces *joints);
PetscErrorCode JointForcesDestroy(JointForces *joints);

/* Force and tangent at motion and rate, from the histories of the state; a damping counts `rate_factor` times. Hot, local. */
void JointForcesEvaluate(JointForces *joints, const State *state, PetscReal rate_factor);

/* Advances the histories of the state to the motion that was evaluated last, with what it dissipated. Hot. */
PetscErrorCode JointForcesCommit(JointForces *joints, State *state);

/* What the parts of all contacts do (a FaceState) at the motion of the state, and what presses them [N]. Hot, local. */
void JointForcesInspect(JointForces *joints, const State *state, PetscReal face_state[], PetscReal pressing[]);
