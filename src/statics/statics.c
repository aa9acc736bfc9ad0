/* statics.c - equilibrium under loads, step by step; steps are halved where the joints do not find their balance. */
#include "statics.h"

static PetscErrorCode MapJoints(Statics *statics)
{
  const PetscInt n = statics->n;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < statics->system->names.num_nonlinear; i++) {
    PetscReal *const row = statics->joint_map + i * n;

    PetscCall(SystemAddPlace(statics->system, i, 1.0, row));
    statics->row_norm[i] = PetscSqrtReal(RowsTimesOne(n, row, row));
    PetscCall(FlexibilityDeflect(statics->flexibility, i, statics->response + i * n));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nonlinear rows are the first places. */
static PetscErrorCode FormInfluence(Statics *statics)
{
  const PetscInt num_nonlinear = statics->system->names.num_nonlinear;
  PetscReal     *motion, *u;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(statics->m * statics->m, &statics->matrix));
  PetscCall(PetscMalloc2(statics->num_places, &motion, statics->n, &u));
  for (PetscInt i = 0; i < num_nonlinear; i++) {
    PetscCall(FlexibilityColumn(statics->flexibility, i, u, motion));
    PetscCall(PetscArraycpy(statics->matrix + i * statics->m, motion, num_nonlinear));
  }
  PetscCall(PetscFree2(motion, u));
  statics->influence = InfluenceOfMatrix(statics->m, statics->matrix);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What joints that stick without any give have on the diagonal of H is known apart from it. */
static PetscErrorCode TakeGive(Statics *statics)
{
  const PetscInt m = statics->m;

  PetscFunctionBegin;
  if (!SystemSticks(statics->system)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc2(m, &statics->give, m, &statics->weight));
  for (PetscInt i = 0; i < statics->system->names.num_nonlinear; i++) {
    if (!statics->system->names.rows[i].sticks) continue;
    statics->give[i]             = statics->matrix[i * (m + 1)];
    statics->matrix[i * (m + 1)] = 0.0;
  }
  statics->influence.give   = statics->give;
  statics->influence.weight = statics->weight;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindInfluence(Statics *statics)
{
  PetscBool by_forces;

  PetscFunctionBegin;
  PetscCall(BalanceIsByForces(statics->system, statics->m, &by_forces));
  if (by_forces && statics->system->residual)
    PetscCall(InfluenceOfResidual(statics->system, statics->m, statics->n, statics->joint_map, statics->response, 1.0, &statics->influence));
  else PetscCall(FormInfluence(statics));
  PetscCall(TakeGive(statics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool HasPoints(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].block.law->dim > 1) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Stiff points that are pressed and slide make Newton's method on their motions cycle, however few they are: they are balanced by their forces. */
static PetscErrorCode CreateBalance(Statics *statics, PetscReal tolerance, PetscInt max_iterations)
{
  PetscFunctionBegin;
  PetscCall(BalanceCreate(statics->system, statics->m, tolerance, max_iterations, PETSC_FALSE, &statics->balance));
  if (HasPoints(statics->system) && !statics->balance->forces) PetscCall(BalanceUseForces(statics->balance, PETSC_TRUE));
  BalanceSolveExactly(statics->balance);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsCreate(const System *system, const Floating *floating, PetscReal tolerance, PetscInt max_iterations, Statics **statics)
{
  const PetscInt n = system->num_unknowns, m = RowsPadded(system->names.num_nonlinear), num_places = SystemNumPlaces(system);
  Statics       *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(statics));
  s             = *statics;
  s->system     = system;
  s->n          = n;
  s->m          = m;
  s->num_places = num_places;
  PetscCall(FlexibilityCreate(system, floating, &s->flexibility));
  PetscCall(CreateBalance(s, tolerance, max_iterations));
  PetscCall(SystemForcesCreate(system, &s->old_load));
  PetscCall(SystemForcesCreate(system, &s->new_load));
  PetscCall(SystemForcesCreate(system, &s->load));
  PetscCall(PetscCalloc6(m * n, &s->joint_map, m * n, &s->response, m, &s->row_norm, m, &s->linear_motion, m, &s->rate, m, &s->reach));
  PetscCall(PetscCalloc4(n, &s->old_u, n, &s->new_u, n, &s->load_u, system->names.num_supports, &s->supports));
  PetscCall(PetscCalloc5(num_places, &s->old_motion, num_places, &s->new_motion, num_places, &s->load_motion, num_places, &s->forces, num_places,
                         &s->motion));
  PetscCall(MapJoints(s));
  PetscCall(FindInfluence(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsDestroy(Statics **statics)
{
  Statics *s = *statics;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FlexibilityDestroy(&s->flexibility));
  PetscCall(BalanceDestroy(&s->balance));
  PetscCall(SystemForcesDestroy(&s->old_load));
  PetscCall(SystemForcesDestroy(&s->new_load));
  PetscCall(SystemForcesDestroy(&s->load));
  PetscCall(InfluenceDestroy(&s->influence));
  PetscCall(PetscFree(s->matrix));
  PetscCall(PetscFree2(s->give, s->weight));
  PetscCall(PetscFree6(s->joint_map, s->response, s->row_norm, s->linear_motion, s->rate, s->reach));
  PetscCall(PetscFree4(s->old_u, s->new_u, s->load_u, s->supports));
  PetscCall(PetscFree5(s->old_motion, s->new_motion, s->load_motion, s->forces, s->motion));
  PetscCall(PetscFree(*statics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsStart(Statics *statics, State **state)
{
  PetscFunctionBegin;
  PetscCall(StateCreate(statics->system, statics->n, statics->m, state));
  if (statics->m) PetscCall(BalanceStart(statics->balance, (*state)->motion, statics->rate, *state));
  BalanceYield(statics->balance, &statics->influence, *state);
  PetscCall(SystemForcesMix(statics->system, 0.0, &statics->old_load, 0.0, &statics->old_load));
  PetscCall(PetscArrayzero(statics->old_u, statics->n));
  PetscCall(PetscArrayzero(statics->old_motion, statics->num_places));
  PetscCall(PetscArrayzero(statics->reach, statics->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Length(PetscInt n, const PetscReal x[])
{
  PetscReal squares = 0.0;

  for (PetscInt j = 0; j < n; j++) squares += x[j] * x[j];
  return PetscSqrtReal(squares);
}

/* Where joints slip without anything that holds them, the equation is singular, and round-off may solve it with any motion, however large.
   Such a motion would stretch stuck joints by forces beside which those that are there, and those of stuck joints, are round-off. */
static PetscBool IsLost(const Statics *statics)
{
  const PetscReal *motion = statics->balance->joints.motion, *force = statics->balance->joints.force, *steepness = statics->balance->steepness;
  PetscReal        stretched = 0.0, forces = 0.0;

  for (PetscInt i = 0; i < statics->m; i++) {
    stretched = PetscMax(stretched, PetscAbsReal(steepness[i] * motion[i]));
    forces    = PetscMax(forces, PetscMax(PetscAbsReal(force[i]), steepness[i] * statics->reach[i]));
  }
  return (PetscBool) !(1e-10 * stretched <= forces);
}

static PetscReal Between(PetscReal share, PetscReal old, PetscReal new)
{
  return old + share * (new - old);
}

/* u = u_lin - K0^-1 B^T g */
static void FindUnknowns(const Statics *statics, PetscReal share, State *state)
{
  RowsCombine(statics->m, statics->n, statics->response, state->remainder, state->u);
  for (PetscInt j = 0; j < statics->n; j++) state->u[j] = Between(share, statics->old_u[j], statics->new_u[j]) - state->u[j];
}

/* The joints remember. */
static PetscErrorCode Accept(Statics *statics, PetscReal share, State *state)
{
  PetscFunctionBegin;
  if (statics->m) PetscCall(BalanceCommit(statics->balance, state));
  FindUnknowns(statics, share, state);
  statics->closed_first = PETSC_FALSE;
  state->time           = share;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* To this share of the step. */
static PetscErrorCode Try(Statics *statics, PetscReal share, State *state, PetscBool *converged)
{
  const PetscInt       n       = statics->n;
  const BalanceProblem problem = {.influence    = &statics->influence,
                                  .motion       = statics->linear_motion,
                                  .rate         = statics->rate,
                                  .row_norm     = statics->row_norm,
                                  .size         = Length(n, state->u) + Length(n, statics->new_u),
                                  .closed_first = statics->closed_first};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < statics->system->names.num_nonlinear; i++) {
    statics->linear_motion[i] = Between(share, statics->old_motion[i], statics->new_motion[i]);
    statics->reach[i]         = PetscMax(statics->reach[i], PetscAbsReal(statics->linear_motion[i]));
  }
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
  if (depth == 0) StateScaleTrend(state, 0.0); /* what the last step tells has misled */
  state->halved++;
  PetscCall(Part(statics, depth + 1, start, middle, state, converged));
  if (*converged) PetscCall(Part(statics, depth + 1, middle, end, state, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The load that is aimed at. */
static PetscErrorCode Aim(Statics *statics)
{
  PetscFunctionBegin;
  PetscCall(FlexibilitySolve(statics->flexibility, &statics->new_load, statics->new_u));
  PetscCall(FlexibilityMotions(statics->flexibility, statics->new_load.places, statics->new_u, 0, statics->new_motion));
  SystemAddSupports(statics->system, statics->new_load.supports, 0, statics->new_motion);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsApproach(Statics *statics, State *state, PetscBool *converged)
{
  PetscFunctionBegin;
  state->time = 0.0;
  PetscCall(Part(statics, 0, 0.0, 1.0, state, converged));
  if (*converged) state->step++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was aimed at is where the next step begins. */
static PetscErrorCode Settle(Statics *statics, State *state)
{
  PetscFunctionBegin;
  PetscCall(SystemForcesMix(statics->system, 1.0, &statics->new_load, 0.0, &statics->old_load));
  PetscCall(PetscArraycpy(statics->old_u, statics->new_u, statics->n));
  PetscCall(PetscArraycpy(statics->old_motion, statics->new_motion, statics->num_places));
  FindUnknowns(statics, 1.0, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsArrive(Statics *statics, State *state)
{
  PetscFunctionBegin;
  PetscCall(Aim(statics));
  PetscCall(Settle(statics, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsSetLoad(Statics *statics, const SystemForces *load)
{
  PetscFunctionBegin;
  PetscCall(SystemForcesMix(statics->system, 1.0, load, 0.0, &statics->new_load));
  PetscCall(Aim(statics));
  PetscCall(SystemForcesMix(statics->system, 1.0, load, 0.0, &statics->load));
  PetscCall(PetscArraycpy(statics->load_u, statics->new_u, statics->n));
  PetscCall(PetscArraycpy(statics->load_motion, statics->new_motion, statics->num_places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticsStep(Statics *statics, PetscReal factor, State *state, PetscBool *converged)
{
  PetscFunctionBegin;
  PetscCall(SystemForcesMix(statics->system, factor, &statics->load, 0.0, &statics->new_load));
  for (PetscInt j = 0; j < statics->n; j++) statics->new_u[j] = factor * statics->load_u[j];
  for (PetscInt c = 0; c < statics->num_places; c++) statics->new_motion[c] = factor * statics->load_motion[c];
  PetscCall(StaticsApproach(statics, state, converged));
  if (*converged) PetscCall(Settle(statics, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the supports are: [num_supports]. */
static const PetscReal *Supports(const Statics *statics, const State *state)
{
  for (PetscInt s = 0; s < statics->system->names.num_supports; s++)
    statics->supports[s] = Between(state->time, statics->old_load.supports[s], statics->new_load.supports[s]);
  return statics->supports;
}

void StaticsReactions(const Statics *statics, const State *state, PetscReal reactions[])
{
  const System *const    system = statics->system;
  const PetscReal *const moved  = Supports(statics, state);

  for (PetscInt s = 0; s < system->names.num_supports; s++) {
    const SystemSupport *const support = &system->supports[s];

    reactions[s] = RowsTimesOne(statics->n, support->stiffness, state->u) + RowsTimesOne(system->names.num_supports, support->own_stiffness, moved);
    for (PetscInt i = 0; i < system->names.num_nonlinear; i++) reactions[s] += support->place[i] * state->remainder[i];
    for (PetscInt c = 0; c < statics->num_places; c++)
      reactions[s] -= support->place[c] * Between(state->time, statics->old_load.places[c], statics->new_load.places[c]);
  }
}

PetscErrorCode StaticsMotions(Statics *statics, const State *state, const PetscReal **motion)
{
  const PetscInt   num_nonlinear = statics->system->names.num_nonlinear;
  PetscReal *const forces        = statics->forces;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < statics->num_places; c++) forces[c] = Between(state->time, statics->old_load.places[c], statics->new_load.places[c]);
  for (PetscInt i = 0; i < num_nonlinear; i++) forces[i] -= state->remainder[i];
  PetscCall(FlexibilityMotions(statics->flexibility, forces, state->u, num_nonlinear, statics->motion));
  SystemAddSupports(statics->system, Supports(statics, state), num_nonlinear, statics->motion);
  PetscCall(PetscArraycpy(statics->motion, state->motion, num_nonlinear)); /* the first places */
  *motion = statics->motion;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal StaticsJointForce(const Statics *statics, const State *state, PetscInt row)
{
  return state->remainder[row] + BalanceStuckForce(statics->balance, state, row);
}
