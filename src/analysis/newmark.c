/* newmark.c - steps through time, halved where the joints do not find their balance. */
#include "newmark.h"
#include <math.h>

static PetscErrorCode DistributeLoads(Newmark *newmark, Subject *subject)
{
  const PetscInt n = newmark->linear->n;
  PetscReal     *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(subject->system->num_unknowns, &on_unknowns));
  PetscCall(PetscCalloc1(newmark->num_loads * n, &newmark->distribution));
  for (PetscInt l = 0; l < newmark->num_loads; l++) {
    PetscCall(LoadDistribution(&newmark->loads[l], subject, on_unknowns));
    PetscCall(newmark->linear->kind->project_force(newmark->linear, on_unknowns, newmark->distribution + l * n));
  }
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MapDampers(Newmark *newmark)
{
  const System  *system = newmark->linear->system;
  const PetscInt n      = newmark->linear->n;
  PetscInt       count  = 0;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < system->num_rows; r++) count += system->rows[r].damping != 0.0;
  PetscCall(PetscMalloc4(count, &newmark->damper_row, count * n, &newmark->damper_map, count, &newmark->old_rate, count, &newmark->new_rate));
  for (PetscInt r = 0; r < system->num_rows; r++) {
    if (system->rows[r].damping == 0.0) continue;
    newmark->damper_row[newmark->num_dampers] = r;
    PetscCall(LinearRow(newmark->linear, system->B, r, newmark->damper_map + newmark->num_dampers++ * n));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkCreate(Subject *subject, NewmarkOptions options, PetscInt num_loads, const Load loads[], Newmark **newmark)
{
  Newmark *made;
  PetscInt n, m;

  PetscFunctionBegin;
  PetscCall(PetscNew(newmark));
  made            = *newmark;
  made->options   = options;
  made->num_loads = num_loads;
  made->loads     = loads;
  PetscCall(LinearCreate(subject, options.rule, &made->linear));
  PetscCall(BalanceCreate(subject->system, made->linear->m, options.tolerance, options.max_iterations, &made->balance));
  n = made->linear->n;
  m = made->linear->m;
  PetscCall(PetscCalloc1(n, &made->old_load)); /* the two change places, so each is an allocation of its own */
  PetscCall(PetscCalloc1(n, &made->new_load));
  PetscCall(PetscCalloc5(n, &made->response.u, n, &made->response.v, n, &made->response.a, m, &made->response.motion, m, &made->response.rate));
  PetscCall(DistributeLoads(made, subject));
  PetscCall(MapDampers(made));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DropLevels(Newmark *newmark)
{
  PetscFunctionBegin;
  for (PetscInt l = 0; l < newmark->num_levels; l++) PetscCall(LinearLevelDestroy(newmark->linear, &newmark->levels[l]));
  newmark->num_levels = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkDestroy(Newmark **newmark)
{
  Newmark *n = *newmark;

  PetscFunctionBegin;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DropLevels(n));
  PetscCall(LinearDestroy(&n->linear));
  PetscCall(BalanceDestroy(&n->balance));
  PetscCall(PetscFree(n->distribution));
  PetscCall(PetscFree4(n->damper_row, n->damper_map, n->old_rate, n->new_rate));
  PetscCall(PetscFree(n->old_load));
  PetscCall(PetscFree(n->new_load));
  PetscCall(PetscFree5(n->response.u, n->response.v, n->response.a, n->response.motion, n->response.rate));
  PetscCall(PetscFree(*newmark));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The loads at a time; false when there are none. */
static PetscBool SumLoads(const Newmark *newmark, PetscReal time, PetscReal load[])
{
  const PetscInt n      = newmark->linear->n;
  PetscBool      active = PETSC_FALSE;

  for (PetscInt l = 0; l < newmark->num_loads; l++) {
    const PetscReal        value        = SignalValue(&newmark->loads[l].signal, time);
    const PetscReal *const distribution = newmark->distribution + l * n;

    if (value == 0.0) continue;
    for (PetscInt j = 0; j < n; j++) load[j] = (active ? load[j] : 0.0) + value * distribution[j];
    active = PETSC_TRUE;
  }
  return active;
}

PetscErrorCode NewmarkContinue(Newmark *newmark, State *state)
{
  PetscFunctionBegin;
  newmark->old_active = SumLoads(newmark, state->time, newmark->old_load);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkStart(Newmark *newmark, InitialMotion initial, State **state)
{
  Linear        *linear = newmark->linear;
  const PetscInt m      = linear->m;
  PetscReal     *motion, *rate, kinetic, strain;

  PetscFunctionBegin;
  PetscCall(StateCreate(linear->system, linear->n, m, state));
  if (initial.displacement) PetscCall(linear->kind->project_motion(linear, initial.displacement, (*state)->u));
  if (initial.velocity) PetscCall(linear->kind->project_motion(linear, initial.velocity, (*state)->v));
  PetscCall(PetscMalloc2(m, &motion, m, &rate));
  RowsTimes(m, linear->n, linear->joint_map, (*state)->u, motion);
  RowsTimes(m, linear->n, linear->joint_map, (*state)->v, rate);
  PetscCall(BalanceStart(newmark->balance, motion, rate, *state));
  PetscCall(PetscFree2(motion, rate));
  PetscCall(NewmarkContinue(newmark, *state));
  PetscCall(linear->kind->accelerate(linear, newmark->old_active ? newmark->old_load : NULL, *state));
  PetscCall(NewmarkEnergy(newmark, *state, &kinetic, &strain));
  (*state)->start_energy = kinetic + strain;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkRetime(Newmark *newmark, PetscReal time_step, State *state)
{
  PetscFunctionBegin;
  PetscCall(DropLevels(newmark));
  for (PetscInt i = 0; i < newmark->linear->m; i++) state->trend[i] *= time_step / newmark->options.time_step;
  newmark->options.time_step = time_step;
  state->step                = 0;
  state->time                = 0.0;
  PetscCall(NewmarkContinue(newmark, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NeedLevel(Newmark *newmark, PetscInt depth)
{
  PetscFunctionBegin;
  while (newmark->num_levels <= depth) {
    const PetscReal h = ldexp(newmark->options.time_step, -(int)newmark->num_levels);

    PetscCall(LinearLevelCreate(newmark->linear, h, &newmark->levels[newmark->num_levels]));
    newmark->num_levels++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What each damper takes in a part of a step, as the energy balance counts it: at the mean velocity. */
static void CountDampers(Newmark *newmark, PetscReal h, State *state)
{
  RowsTimes(newmark->num_dampers, newmark->linear->n, newmark->damper_map, state->v, newmark->new_rate);
  for (PetscInt i = 0; i < newmark->num_dampers; i++) {
    const PetscReal mean = 0.5 * (newmark->old_rate[i] + newmark->new_rate[i]);

    state->damper_loss[i] += h * newmark->linear->system->rows[newmark->damper_row[i]].damping * mean * mean;
  }
}

/* One part of a step, at whose end it is `time`. */
static PetscErrorCode TryPart(Newmark *newmark, PetscInt depth, PetscReal time, State *state, PetscBool *converged)
{
  Linear *const          linear = newmark->linear;
  const NewmarkRule      rule   = newmark->options.rule;
  const PetscReal *const old    = newmark->old_active ? newmark->old_load : NULL;
  const LinearLevel     *level  = &newmark->levels[depth];
  const PetscReal       *load;
  PetscReal             *kept;

  PetscFunctionBeginHot;
  newmark->new_active = SumLoads(newmark, time, newmark->new_load);
  load                = newmark->new_active ? newmark->new_load : NULL;
  PetscCall(linear->kind->predict(linear, level, state, old, load, &newmark->response));
  newmark->unbounded = (PetscBool) !(newmark->response.size <= PETSC_MAX_REAL);
  *converged         = (PetscBool)!newmark->unbounded;
  if (newmark->unbounded) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(BalanceSolve(newmark->balance, level, rule.gamma / (rule.beta * level->h), &newmark->response, linear->row_norm, state, converged));
  if (!*converged) PetscFunctionReturn(PETSC_SUCCESS);
  if (newmark->num_dampers) RowsTimes(newmark->num_dampers, linear->n, newmark->damper_map, state->v, newmark->old_rate);
  PetscCall(linear->kind->finish(linear, level, &newmark->response, newmark->balance->remainder, old, load, state));
  if (newmark->num_dampers) CountDampers(newmark, level->h, state);
  PetscCall(BalanceCommit(newmark->balance, state));
  state->time         = time;
  kept                = newmark->old_load;
  newmark->old_load   = newmark->new_load;
  newmark->new_load   = kept;
  newmark->old_active = newmark->new_active;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part of a step, in two halves if it does not converge as a whole. */
static PetscErrorCode Part(Newmark *newmark, PetscInt depth, PetscReal start, PetscReal end, State *state, PetscBool *converged)
{
  const PetscReal middle = 0.5 * (start + end);

  PetscFunctionBeginHot;
  PetscCall(NeedLevel(newmark, depth));
  PetscCall(TryPart(newmark, depth, end, state, converged));
  if (*converged || newmark->unbounded || depth == NEWMARK_MAX_DEPTH) PetscFunctionReturn(PETSC_SUCCESS);
  state->halved++;
  PetscCall(Part(newmark, depth + 1, start, middle, state, converged));
  if (*converged) PetscCall(Part(newmark, depth + 1, middle, end, state, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkStep(Newmark *newmark, State *state, PetscBool *converged)
{
  const PetscReal h = newmark->options.time_step;

  PetscFunctionBeginHot;
  PetscCall(Part(newmark, 0, state->step * h, (state->step + 1) * h, state, converged));
  if (*converged) state->step++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkEnergy(const Newmark *newmark, const State *state, PetscReal *kinetic, PetscReal *strain)
{
  Linear *const linear = newmark->linear;

  PetscFunctionBeginHot;
  PetscCall(linear->kind->energy(linear, state, kinetic, strain));
  for (PetscInt i = 0; i < linear->m; i++) *strain -= 0.5 * BalanceStuckForce(newmark->balance, state, i) * state->motion[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal NewmarkDissipated(const Newmark *newmark, const State *state, PetscInt row)
{
  PetscReal sum = row < newmark->linear->system->num_nonlinear ? state->dissipated[row] : 0.0;

  for (PetscInt i = 0; i < newmark->num_dampers; i++)
    if (newmark->damper_row[i] == row) sum += state->damper_loss[i];
  return sum;
}

PetscReal NewmarkJointForce(const Newmark *newmark, const State *state, PetscInt row)
{
  return state->remainder[row] + BalanceStuckForce(newmark->balance, state, row);
}
