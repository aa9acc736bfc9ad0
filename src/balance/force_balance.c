/* force_balance.c - Newton's method for the forces of many points, with a search along its steps. */
#include "force_balance.h"

PetscErrorCode ForceBalanceCreate(const JointForces *joints, ForceBalance **forces)
{
  const PetscInt m = joints->m;
  ForceBalance  *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(forces));
  made = *forces;
  PetscCall(ActiveRowsCreate(joints, &made->active));
  PetscCall(PetscCalloc4(m, &made->g, m, &made->imbalance, m, &made->force_step, m, &made->motion_step));
  PetscCall(PetscCalloc3(m, &made->preload, m, &made->pulled, m, &made->driven));
  PetscCall(PetscCalloc6(m, &made->old_g, m, &made->old_motion, m, &made->old_yield, m, &made->kept_g, m, &made->kept_motion, m, &made->kept_yield));
  PetscCall(PetscCalloc3(m, &made->driving, m, &made->yield, m, &made->yield_step));
  for (PetscInt b = 0; b < joints->system->num_blocks; b++) {
    const SystemBlock *const block = &joints->system->blocks[b];

    for (PetscInt c = 0; block->rest && c < block->block.num_points * block->block.law->dim; c++)
      for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++) made->preload[block->row[t]] += block->factor[t] * block->rest[c];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForceBalanceDestroy(ForceBalance **forces)
{
  ForceBalance *const f = *forces;

  PetscFunctionBegin;
  if (!f) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ActiveRowsDestroy(&f->active));
  PetscCall(PetscFree4(f->g, f->imbalance, f->force_step, f->motion_step));
  PetscCall(PetscFree3(f->preload, f->pulled, f->driven));
  PetscCall(PetscFree6(f->old_g, f->old_motion, f->old_yield, f->kept_g, f->kept_motion, f->kept_yield));
  PetscCall(PetscFree3(f->driving, f->yield, f->yield_step));
  PetscCall(PetscFree(*forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* imbalance = f - k d - g of the answer that the joints gave last */
static void FindImbalance(Balance *balance)
{
  ForceBalance *const      forces = balance->forces;
  const JointForces *const joints = &balance->joints;

  TangentPatternTimes(&joints->pattern, joints->stiffness, joints->motion, forces->pulled);
  for (PetscInt i = 0; i < balance->m; i++) forces->imbalance[i] = joints->force[i] - forces->pulled[i] - forces->g[i];
}

static void Answer(Balance *balance, const BalanceProblem *problem, const State *state)
{
  for (PetscInt i = 0; balance->joints.viscous && i < balance->m; i++)
    balance->joints.rate[i] = problem->rate[i] + problem->rate_factor * (balance->joints.motion[i] - problem->motion[i]);
  JointForcesEvaluate(&balance->joints, state, problem->rate_factor);
  FindImbalance(balance);
}

/* Goes this share of the step from where it starts. The work of the imbalance along it. */
static PetscReal Go(Balance *balance, const BalanceProblem *problem, const State *state, PetscReal share)
{
  ForceBalance *const forces = balance->forces;
  PetscReal           work   = 0.0;

  for (PetscInt i = 0; i < balance->m; i++) {
    forces->g[i]              = forces->old_g[i] + share * forces->force_step[i];
    forces->yield[i]          = forces->old_yield[i] + share * forces->yield_step[i];
    balance->joints.motion[i] = forces->old_motion[i] + share * forces->motion_step[i];
  }
  Answer(balance, problem, state);
  for (PetscInt i = 0; i < balance->m; i++) work += forces->imbalance[i] * forces->motion_step[i];
  return work;
}

/* Where the imbalance does no more work along the step, from a whole step that goes too far: by false position (Illinois), and in between
   by the geometric mean, as the share may be tiny where many points close on the way. */
static void Search(Balance *balance, const BalanceProblem *problem, const State *state, PetscReal start, PetscReal end)
{
  enum { MOST_TRIES = 40 };
  const PetscReal enough = 0.2 * PetscAbsReal(start);
  PetscReal       low = 0.0, high = 1.0, at_low = start, at_high = end, last = 0.0;

  for (PetscInt k = 0; k < MOST_TRIES; k++) {
    const PetscReal straight = (low * at_high - high * at_low) / (at_high - at_low), mean = PetscSqrtReal(PetscMax(low, 0.01 * high) * high);
    const PetscReal share = k % 3 == 2 ? mean : PetscMax(straight, 0.01 * high), work = Go(balance, problem, state, share);

    if (PetscAbsReal(work) <= enough) return;
    if (work > 0.0) {
      high    = share;
      at_high = work;
      if (last > 0.0) at_low *= 0.5;
    } else {
      low    = share;
      at_low = work;
      if (last < 0.0) at_high *= 0.5;
    }
    last = work;
  }
}

/* Of forces, and of moments over their levers. */
static PetscReal Largest(const JointForces *joints, const PetscReal first[], const PetscReal second[])
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < joints->m; i++) most = PetscMax(most, PetscAbsReal(first[i] + (second ? second[i] : 0.0)) / joints->lever[i]);
  return most;
}

/* What an imbalance is measured by: the largest force that any point transmits or has transmitted. Motions do not count: neither of a body
   that flew off, nor of an opening times a stiffness that was contained. Only where nothing touches, what all would carry if they stuck. */
static PetscReal ForceScale(const Balance *balance)
{
  const ForceBalance *const forces = balance->forces;
  const JointForces *const  joints = &balance->joints;
  const PetscReal           scale  = PetscMax(Largest(joints, joints->force, forces->preload), Largest(joints, balance->old_force, forces->preload));

  return scale > 0.0 ? scale : Largest(joints, forces->driven, NULL);
}

/* The largest imbalance beyond the round-off of its terms and of the structure's motion; not-a-number is infinite. */
static PetscReal LargestImbalance(const Balance *balance, const BalanceProblem *problem)
{
  const ForceBalance *const forces   = balance->forces;
  const PetscReal           roundoff = 4.0 * PETSC_MACHINE_EPSILON;
  const PetscReal           terms    = roundoff * (Largest(&balance->joints, forces->pulled, NULL) + Largest(&balance->joints, forces->g, NULL));
  PetscReal                 most     = 0.0;

  for (PetscInt i = 0; i < balance->m; i++) {
    const PetscReal moved  = roundoff * problem->size * problem->row_norm[i] * forces->active.size[i];
    const PetscReal beyond = (PetscAbsReal(forces->imbalance[i]) - moved) / balance->joints.lever[i] - terms;

    most = beyond <= most ? most : beyond < PETSC_MAX_REAL ? beyond : PETSC_MAX_REAL;
  }
  return most;
}

/* What is so small beside what is accepted that it may stay is no part of a step: elastic rows are in balance but for round-off, and a step
   then has forces in the active rows alone. False when there is none outside. */
static PetscBool FindDriving(Balance *balance)
{
  ForceBalance *const forces  = balance->forces;
  const PetscReal     little  = 1e-2 * balance->tolerance * ForceScale(balance);
  PetscBool           outside = PETSC_FALSE;

  for (PetscInt i = 0; i < balance->m; i++) {
    forces->driving[i] = PetscAbsReal(forces->imbalance[i]) > little * balance->joints.lever[i] ? forces->imbalance[i] : 0.0;
    outside            = (PetscBool)(outside || (forces->driving[i] != 0.0 && forces->active.place[i] < 0));
  }
  return outside;
}

/* -H driving, in active rows at least. */
static void FindRightSide(Balance *balance, const BalanceProblem *problem, PetscReal right[])
{
  ForceBalance *const forces  = balance->forces;
  const PetscBool     outside = FindDriving(balance);

  if (outside) {
    InfluenceMove(problem->influence, forces->driving, right);
    for (PetscInt i = 0; i < balance->m; i++) right[i] = -right[i];
    InfluenceTakeShares(problem->influence, forces->driving, right);
    for (PetscInt i = 0; i < balance->m; i++) right[i] = forces->active.place[i] < 0 ? 0.0 : right[i];
  } else {
    ActiveRowsMove(&forces->active, forces->driving, right);
    for (PetscInt i = 0; i < balance->m; i++) right[i] = -right[i];
  }
}

/* Of the equation of a step: Newton itself errs more than the least, and what is left at the end is to be accepted. */
static PetscReal Accuracy(const Balance *balance, const BalanceProblem *problem)
{
  const PetscReal least = 1e-4 * balance->left, most = 0.1 * balance->left, imbalance = LargestImbalance(balance, problem);

  return imbalance > 0.0 ? PetscMin(most, PetscMax(least, balance->left * balance->tolerance * ForceScale(balance) / imbalance)) : most;
}

/* (1 + H D) dd = -H imbalance, dg = imbalance + D dd, dd = -H dg: what the step changes of d is exactly what its forces do. */
static PetscErrorCode FindStep(Balance *balance, const BalanceProblem *problem, PetscBool *found)
{
  ForceBalance *const forces = balance->forces;
  ActiveRows *const   active = &forces->active;
  const PetscInt      m      = balance->m;

  PetscFunctionBegin;
  PetscCall(ActiveRowsFind(active, &balance->joints));
  FindRightSide(balance, problem, forces->force_step);
  PetscCall(PetscArrayzero(forces->motion_step, m));
  PetscCall(ActiveRowsSolve(active, Accuracy(balance, problem), forces->force_step, forces->motion_step, found));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  TangentPatternTimes(active->pattern, active->difference, forces->motion_step, forces->force_step);
  for (PetscInt i = 0; i < m; i++) forces->force_step[i] += forces->driving[i];
  InfluenceMove(problem->influence, forces->force_step, forces->yield_step);
  for (PetscInt i = 0; i < m; i++) forces->motion_step[i] = -forces->yield_step[i];
  InfluenceTakeShares(problem->influence, forces->force_step, forces->motion_step);
  PetscCall(PetscArraycpy(forces->old_g, forces->g, m));
  PetscCall(PetscArraycpy(forces->old_yield, forces->yield, m));
  PetscCall(PetscArraycpy(forces->old_motion, balance->joints.motion, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The whole step, unless it leads too far: its work was negative, and must not become half as much of the other sign. */
static void Step(Balance *balance, const BalanceProblem *problem, const State *state)
{
  const ForceBalance *const forces = balance->forces;
  PetscReal                 start  = 0.0, end;

  for (PetscInt i = 0; i < balance->m; i++) start += forces->imbalance[i] * forces->motion_step[i];
  end = Go(balance, problem, state, 1.0);
  if (start < 0.0 && !(end <= -0.5 * start)) Search(balance, problem, state, start, end);
}

/* From where the joints are. It gives up where it cycles: when nothing has become better for long. With held friction it cannot cycle. */
static PetscErrorCode Newton(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged)
{
  const PetscInt most = balance->max_iterations * (balance->joints.held ? 4 : 1), patience = balance->joints.held ? most : 8;
  PetscReal      best  = PETSC_MAX_REAL;
  PetscInt       worse = 0;

  PetscFunctionBegin;
  for (PetscInt iteration = 0; iteration < most && worse < patience; iteration++) {
    const PetscReal imbalance = LargestImbalance(balance, problem);
    PetscBool       found;

    state->iterations++;
    *converged = (PetscBool)(imbalance <= balance->tolerance * ForceScale(balance));
    if (*converged) PetscFunctionReturn(PETSC_SUCCESS);
    worse = imbalance < best ? 0 : worse + 1;
    best  = PetscMin(best, imbalance);
    PetscCall(FindStep(balance, problem, &found));
    if (!found) PetscFunctionReturn(PETSC_SUCCESS);
    Step(balance, problem, state);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* g is that of the state and this share of its last change, and d is what follows. The largest imbalance there. */
static PetscReal Guess(Balance *balance, const BalanceProblem *problem, const State *state, PetscReal share)
{
  ForceBalance *const forces = balance->forces;
  const PetscInt      m      = balance->m;

  for (PetscInt i = 0; i < m; i++) forces->g[i] = state->remainder[i] + share * state->trend[i];
  if (!problem->influence->lasting) InfluenceMove(problem->influence, forces->g, forces->yield);
  for (PetscInt i = 0; i < m && problem->influence->lasting; i++) forces->yield[i] = state->yield[i] + share * state->yield_trend[i];
  for (PetscInt i = 0; i < m; i++) balance->joints.motion[i] = problem->motion[i] - forces->yield[i];
  InfluenceTakeShares(problem->influence, forces->g, balance->joints.motion);
  Answer(balance, problem, state);
  return LargestImbalance(balance, problem);
}

/* Faces that are all closed and stuck, whatever they were: Newton finds who parts sooner than who meets. */
static PetscErrorCode Close(Balance *balance, const BalanceProblem *problem, State *state)
{
  PetscBool found;

  PetscFunctionBegin;
  JointForcesClose(&balance->joints, state, problem->rate_factor);
  FindImbalance(balance);
  state->iterations++;
  PetscCall(FindStep(balance, problem, &found));
  if (found) (void)Go(balance, problem, state, 1.0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces change as much as in the step before or not at all, as where all turn back: what is nearer to a balance. */
static PetscErrorCode Begin(Balance *balance, const BalanceProblem *problem, State *state)
{
  const PetscBool     anew   = (PetscBool)(state->step % BALANCE_MEMORY == 0);
  ForceBalance *const forces = balance->forces;
  PetscReal           known;

  PetscFunctionBegin;
  TangentPatternTimes(&balance->joints.pattern, balance->joints.stiffness, state->motion, forces->pulled);
  for (PetscInt i = 0; i < balance->m; i++) balance->old_force[i] = state->remainder[i] + forces->pulled[i];
  ActiveRowsBegin(&forces->active, problem->influence, balance->most_factored, anew);
  if (anew && problem->influence->lasting) InfluenceMove(problem->influence, state->remainder, state->yield); /* sums of steps drift */
  TangentPatternTimes(&balance->joints.pattern, balance->joints.stiffness, problem->motion, forces->driven);
  known = Guess(balance, problem, state, 0.0);
  if (problem->closed_first) PetscCall(Close(balance, problem, state));
  else if (Largest(&balance->joints, state->trend, NULL) > 0.0 && !(Guess(balance, problem, state, 1.0) < known)) Guess(balance, problem, state, 0.0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From now on friction is that of the present normal forces. */
static PetscErrorCode Hold(Balance *balance, const BalanceProblem *problem, const State *state)
{
  PetscFunctionBegin;
  PetscCall(JointForcesHold(&balance->joints, balance->joints.motion));
  Answer(balance, problem, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Release(Balance *balance, const BalanceProblem *problem, const State *state)
{
  PetscFunctionBegin;
  PetscCall(JointForcesHold(&balance->joints, NULL));
  Answer(balance, problem, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Keep(Balance *balance)
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(balance->forces->kept_g, balance->forces->g, balance->m));
  PetscCall(PetscArraycpy(balance->forces->kept_yield, balance->forces->yield, balance->m));
  PetscCall(PetscArraycpy(balance->forces->kept_motion, balance->joints.motion, balance->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Return(Balance *balance, const BalanceProblem *problem, const State *state)
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(balance->forces->g, balance->forces->kept_g, balance->m));
  PetscCall(PetscArraycpy(balance->forces->yield, balance->forces->kept_yield, balance->m));
  PetscCall(PetscArraycpy(balance->joints.motion, balance->forces->kept_motion, balance->m));
  Answer(balance, problem, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where faces are stiff, what they lose by sliding may be what held them, and Newton goes round. With the friction held the problem has one
   solution, which Newton finds; the friction of that is the next to be held, and Newton is tried from there. */
static PetscErrorCode SolveByHolding(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged)
{
  enum { MOST_ROUNDS = 20 };

  PetscFunctionBegin;
  state->num_held++;
  for (PetscInt round = 0; round < MOST_ROUNDS && !*converged; round++) {
    PetscCall(Hold(balance, problem, state));
    PetscCall(Newton(balance, problem, state, converged));
    PetscCall(Keep(balance));
    PetscCall(Release(balance, problem, state));
    if (!*converged) break;
    PetscCall(Newton(balance, problem, state, converged));
    if (!*converged) PetscCall(Return(balance, problem, state));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ForceBalanceCommit(const ForceBalance *forces, State *state)
{
  for (PetscInt i = 0; i < forces->active.m; i++) {
    state->yield_trend[i] = forces->yield[i] - state->yield[i];
    state->yield[i]       = forces->yield[i];
  }
}

PetscErrorCode ForceBalanceSolve(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged)
{
  PetscFunctionBegin;
  *converged = PETSC_FALSE;
  PetscCall(Begin(balance, problem, state));
  PetscCall(Newton(balance, problem, state, converged));
  if (!*converged) PetscCall(SolveByHolding(balance, problem, state, converged));
  PetscCall(PetscArraycpy(balance->remainder, balance->forces->g, balance->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}
