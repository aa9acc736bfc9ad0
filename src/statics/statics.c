/* statics.c - equilibrium under loads, step by step; steps are halved where the joints do not find their balance. */
#include "statics.h"

/* solution = K0^-1 right */
static PetscErrorCode Solve(const Statics *statics, const PetscReal right[], PetscReal solution[])
{
  Vec x, y;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, statics->n, right, &x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, statics->n, solution, &y));
  PetscCall(KSPSolve(statics->stiffness, x, y));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MapJoints(Statics *statics)
{
  const PetscInt     n = statics->n, m = statics->m;
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < statics->system->names.num_nonlinear; i++) {
    PetscReal *const row = statics->joint_map + i * n;

    PetscCall(MatGetRow(statics->system->B, i, &count, &column, &value));
    for (PetscInt j = 0; j < count; j++) {
      row[column[j]] = value[j];
      statics->row_norm[i] += PetscSqr(value[j]);
    }
    PetscCall(MatRestoreRow(statics->system->B, i, &count, &column, &value));
    statics->row_norm[i] = PetscSqrtReal(statics->row_norm[i]);
    PetscCall(Solve(statics, row, statics->response + i * n));
  }
  for (PetscInt i = 0; i < m; i++) RowsTimes(m, n, statics->joint_map, statics->response + i * n, statics->influence + i * m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsCreate(const System *system, PetscReal tolerance, PetscInt max_iterations, Statics **statics)
{
  const PetscInt n = system->num_unknowns, m = RowsPadded(system->names.num_nonlinear);
  Statics       *s;
  Mat            K0;

  PetscFunctionBegin;
  PetscCall(PetscNew(statics));
  s         = *statics;
  s->system = system;
  s->n      = n;
  s->m      = m;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &K0));
  PetscCall(MatrixFactor(K0, "static_", &s->stiffness));
  PetscCall(MatDestroy(&K0));
  PetscCall(BalanceCreate(system, m, tolerance, max_iterations, &s->balance));
  PetscCall(PetscCalloc4(m * n, &s->joint_map, m * n, &s->response, m * m, &s->influence, m, &s->row_norm));
  PetscCall(PetscCalloc5(n, &s->old_u, n, &s->new_u, n, &s->linear_u, m, &s->motion, m, &s->rate));
  PetscCall(MapJoints(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsDestroy(Statics **statics)
{
  Statics *s = *statics;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(KSPDestroy(&s->stiffness));
  PetscCall(BalanceDestroy(&s->balance));
  PetscCall(PetscFree4(s->joint_map, s->response, s->influence, s->row_norm));
  PetscCall(PetscFree5(s->old_u, s->new_u, s->linear_u, s->motion, s->rate));
  PetscCall(PetscFree(*statics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsStart(Statics *statics, State **state)
{
  PetscFunctionBegin;
  PetscCall(StateCreate(statics->system, statics->n, statics->m, state));
  if (statics->m) PetscCall(BalanceStart(statics->balance, (*state)->motion, statics->rate, *state));
  PetscCall(PetscArrayzero(statics->old_u, statics->n));
  statics->largest_load = 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Length(PetscInt n, const PetscReal x[])
{
  PetscReal squares = 0.0;

  for (PetscInt j = 0; j < n; j++) squares += x[j] * x[j];
  return PetscSqrtReal(squares);
}

/* Where joints slip without anything that holds them, the equation is singular, and round-off may solve it with any motion, however large.
   Such a motion would stretch stuck joints by forces beside which loads and forces are round-off. */
static PetscBool IsLost(const Statics *statics)
{
  const PetscReal *motion = statics->balance->joints.motion, *force = statics->balance->joints.force, *steepness = statics->balance->steepness;
  PetscReal        stretched = 0.0, forces = statics->largest_load;

  for (PetscInt i = 0; i < statics->m; i++) {
    stretched = PetscMax(stretched, PetscAbsReal(steepness[i] * motion[i]));
    forces    = PetscMax(forces, PetscAbsReal(force[i]));
  }
  return (PetscBool) !(1e-10 * stretched <= forces);
}

/* u = u_lin - K0^-1 B^T g, and the joints remember. */
static PetscErrorCode Accept(Statics *statics, PetscReal share, State *state)
{
  PetscFunctionBegin;
  RowsCombine(statics->m, statics->n, statics->response, statics->balance->remainder, state->u);
  for (PetscInt j = 0; j < statics->n; j++) state->u[j] = statics->linear_u[j] - state->u[j];
  if (statics->m) PetscCall(BalanceCommit(statics->balance, state));
  state->time = share;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* To this share of the step. */
static PetscErrorCode Try(Statics *statics, PetscReal share, State *state, PetscBool *converged)
{
  const PetscInt       n       = statics->n;
  const BalanceProblem problem = {.influence = statics->influence,
                                  .motion    = statics->motion,
                                  .rate      = statics->rate,
                                  .row_norm  = statics->row_norm,
                                  .size      = Length(n, state->u) + Length(n, statics->new_u)};

  PetscFunctionBegin;
  for (PetscInt j = 0; j < n; j++) statics->linear_u[j] = statics->old_u[j] + share * (statics->new_u[j] - statics->old_u[j]);
  RowsTimes(statics->m, n, statics->joint_map, statics->linear_u, statics->motion);
  PetscCall(BalanceSolve(statics->balance, &problem, state, converged));
  if (*converged && IsLost(statics)) *converged = PETSC_FALSE;
  if (*converged) PetscCall(Accept(statics, share, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part of the step, in two halves if it does not converge as a whole. */
static PetscErrorCode Part(Statics *statics, PetscInt depth, PetscReal start, PetscReal end, State *state, PetscBool *converged)
{
  const PetscReal middle = 0.5 * (start + end);

  PetscFunctionBegin;
  PetscCall(Try(statics, end, state, converged));
  if (*converged || depth == STATICS_MAX_DEPTH) PetscFunctionReturn(PETSC_SUCCESS);
  if (depth == 0) PetscCall(PetscArrayzero(state->trend, statics->m)); /* what the last step tells has misled */
  state->halved++;
  PetscCall(Part(statics, depth + 1, start, middle, state, converged));
  if (*converged) PetscCall(Part(statics, depth + 1, middle, end, state, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsStep(Statics *statics, const PetscReal load[], State *state, PetscBool *converged)
{
  PetscFunctionBegin;
  PetscCall(Solve(statics, load, statics->new_u));
  for (PetscInt j = 0; j < statics->n; j++) statics->largest_load = PetscMax(statics->largest_load, PetscAbsReal(load[j]));
  state->time = 0.0;
  PetscCall(Part(statics, 0, 0.0, 1.0, state, converged));
  if (!*converged) PetscFunctionReturn(PETSC_SUCCESS);
  state->step++;
  PetscCall(PetscArraycpy(statics->old_u, statics->new_u, statics->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal StaticsJointForce(const Statics *statics, const State *state, PetscInt row)
{
  return state->remainder[row] + BalanceStuckForce(statics->balance, state, row);
}
