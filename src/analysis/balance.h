/*
  balance.h - the nonlinear problem of a step, which lives at the joints alone: d + H (f(d) - k d) = d_lin.

  Newton with the exact tangent and a line search, on as many unknowns as there are nonlinear rows. An imbalance R [m] means
  that a joint's force belongs to a motion which is R away from the structure's. It is accepted when the force it makes, by the
  larger of the stuck and the present tangent, is below `tolerance` times the joint's force, or when R is round-off of the
  structure's own motion.
*/
#pragma once
#include "joint_forces.h"
#include "linear.h"

typedef struct {
  PetscInt      m; /* nonlinear rows, padded to whole vector lanes with rows that nothing moves */
  PetscInt      max_iterations;
  PetscReal     tolerance;
  JointForces   joints;                                                                    /* at the motion that is tried */
  PetscReal    *remainder, *residual, *correction, *start, *old_force, *stuck, *steepness; /* [m] */
  PetscReal    *jacobian;                                                                  /* [m, m] column-major */
  PetscBLASInt *pivots;
} Balance;

/* For the nonlinear rows of the system, padded to m. */
PetscErrorCode BalanceCreate(const System *system, PetscInt m, PetscReal tolerance, PetscInt max_iterations, Balance **balance);
PetscErrorCode BalanceDestroy(Balance **balance);

/* Finds the motion and rate of balance->joints, and the remainder, from the linear response; `rate_factor` = gamma/(beta h). The state is not changed
   but for its count of iterations. Hot. */
PetscErrorCode BalanceSolve(Balance *balance, const LinearLevel *level, PetscReal rate_factor, const LinearResponse *response,
                            const PetscReal row_norm[], State *state, PetscBool *converged);

/* What the joints take on the way from the state to what BalanceSolve found, the force being its mean [J]. Hot, local. */
PetscReal BalanceAbsorbed(const Balance *balance, const State *state);

/* Force and remainder of the joints at a motion and rate that are known: [m], from the memory of the state. Hot, local. */
void BalanceEvaluate(Balance *balance, const PetscReal motion[], const PetscReal rate[], const State *state);

/* Accepts what BalanceSolve found or BalanceEvaluate was given: motions and memory of the joints. Hot. */
PetscErrorCode BalanceCommit(Balance *balance, State *state);

/* Brings untouched joints to a first motion, along their virgin paths. */
PetscErrorCode BalanceStart(Balance *balance, const PetscReal motion[], const PetscReal rate[], State *state);

/* k d of a row: what its joints would carry if they stuck. Local. */
PetscReal BalanceStuckForce(const Balance *balance, const State *state, PetscInt row);
