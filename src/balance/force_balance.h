/*
  force_balance.h - the balance of many points, as contacts of meshed faces are: Newton on the forces between them.

  With g what the joints transmit beyond k d, d = d_lin - H g holds all the time, and f(d) - k d - g must vanish. What is small is then a
  force, and a body that flies off is none. See NOTES.md.
*/
#pragma once
#include "active_rows.h"

typedef struct ForceBalance {
  ActiveRows active;
  PetscReal *g, *imbalance;                     /* [m] what the points transmit beyond k d, and f - k d - g [N] */
  PetscReal *force_step, *motion_step;          /* [m] Newton's step of g and d */
  PetscReal *driving;                           /* [m] the imbalance that a step is to take away */
  PetscReal *yield, *yield_step;                /* [m] R g, and what the step changes of it */
  PetscReal *old_g, *old_motion, *old_yield;    /* [m] where the step starts */
  PetscReal *kept_g, *kept_motion, *kept_yield; /* [m] the solution with held friction */
  PetscReal *preload, *pulled, *driven;         /* [m] rests of the points, k d, and k d_lin [N] */
} ForceBalance;

PetscErrorCode ForceBalanceCreate(const JointForces *joints, ForceBalance **forces);
PetscErrorCode ForceBalanceDestroy(ForceBalance **forces);
/* The state takes what R makes of its forces from what was solved last. Hot, local. */
void ForceBalanceCommit(const ForceBalance *forces, State *state);
/* As BalanceSolve. Hot. */
PetscErrorCode ForceBalanceSolve(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged);
