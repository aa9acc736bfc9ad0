/*
  runge_kutta.c - steps by the method of Runge and Kutta of the fourth order [section 3 of voldrich2009].

  Within a step the joints answer from what they remembered at its start; at its end they accept the motion once. So the order is four as
  long as their forces are smooth, and one to two where they begin to slip, stick or part within steps. Energies are integrated along, as
  powers of the four stages.
*/
#include "march/stepper.h"

typedef struct {
  PetscReal *u, *v, *a;              /* [n] of the stage */
  PetscReal *motion, *rate, *force;  /* [m] of the joints in it */
  PetscReal *moved, *hastened;       /* [n] sums of v and a over the stages so far */
  PetscReal  work, damped, absorbed; /* of their powers [J] */
} RungeKutta;

static PetscErrorCode Create(Stepper *stepper)
{
  const PetscInt n = stepper->linear->n, m = stepper->linear->m;
  RungeKutta    *kutta;

  PetscFunctionBegin;
  PetscCall(PetscNew(&kutta));
  stepper->data = kutta;
  PetscCall(PetscCalloc3(n, &kutta->u, n, &kutta->v, n, &kutta->a));
  PetscCall(PetscCalloc3(m, &kutta->motion, m, &kutta->rate, m, &kutta->force));
  PetscCall(PetscCalloc2(n, &kutta->moved, n, &kutta->hastened));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Stepper *stepper)
{
  RungeKutta *kutta = stepper->data;

  PetscFunctionBegin;
  PetscCall(PetscFree3(kutta->u, kutta->v, kutta->a));
  PetscCall(PetscFree3(kutta->motion, kutta->rate, kutta->force));
  PetscCall(PetscFree2(kutta->moved, kutta->hastened));
  PetscCall(PetscFree(stepper->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What dampers take in a step; `old_rate` is of the stage. */
static void CountDampers(Stepper *stepper, PetscReal weight)
{
  const RungeKutta *kutta = stepper->data;

  LinearRowsTimes(&stepper->dampers, kutta->v, stepper->old_rate);
  for (PetscInt i = 0; i < stepper->num_dampers; i++)
    stepper->new_rate[i] += weight * stepper->linear->system->rows[stepper->damper_row[i]].damping * PetscSqr(stepper->old_rate[i]);
}

/* Adds the stage, under these loads (NULL: none), with its weight [s] to the sums of the step. */
static PetscErrorCode AddStage(Stepper *stepper, const PetscReal load[], PetscReal weight)
{
  RungeKutta *const kutta  = stepper->data;
  Linear *const     linear = stepper->linear;
  PetscReal         work = 0.0, absorbed = 0.0, damped;

  PetscFunctionBeginHot;
  for (PetscInt j = 0; j < linear->n; j++) {
    kutta->moved[j] += weight * kutta->v[j];
    kutta->hastened[j] += weight * kutta->a[j];
    work += load ? load[j] * kutta->v[j] : 0.0;
  }
  for (PetscInt i = 0; i < linear->m; i++) absorbed += kutta->force[i] * kutta->rate[i];
  PetscCall(linear->kind->damping_power(linear, kutta->v, &damped));
  kutta->work += weight * work;
  kutta->damped += weight * damped;
  kutta->absorbed += weight * absorbed;
  CountDampers(stepper, weight);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The stage at the start of a step is the state itself. */
static void Begin(Stepper *stepper, const State *state)
{
  RungeKutta *const   kutta  = stepper->data;
  const Linear *const linear = stepper->linear;

  for (PetscInt j = 0; j < linear->n; j++) {
    kutta->u[j]     = state->u[j];
    kutta->v[j]     = state->v[j];
    kutta->a[j]     = state->a[j];
    kutta->moved[j] = kutta->hastened[j] = 0.0;
  }
  LinearRowsTimes(&linear->joints, state->v, kutta->rate);
  for (PetscInt i = 0; i < linear->m; i++) kutta->force[i] = StepperJointForce(stepper, state, i);
  kutta->work = kutta->damped = kutta->absorbed = 0.0;
  for (PetscInt i = 0; i < stepper->num_dampers; i++) stepper->new_rate[i] = 0.0;
}

/* What the joints answer to the u and v of the stage, and the acceleration under the new loads. */
static PetscErrorCode Evaluate(Stepper *stepper, const State *state)
{
  RungeKutta *const kutta   = stepper->data;
  Linear *const     linear  = stepper->linear;
  Balance *const    balance = stepper->balance;

  PetscFunctionBeginHot;
  LinearRowsTimes(&linear->joints, kutta->u, kutta->motion);
  LinearRowsTimes(&linear->joints, kutta->v, kutta->rate);
  BalanceEvaluate(balance, kutta->motion, kutta->rate, state);
  for (PetscInt i = 0; i < linear->m; i++) kutta->force[i] = balance->joints.force[i];
  PetscCall(linear->kind->accelerate(linear, stepper->new_active ? stepper->new_load : NULL, kutta->u, kutta->v, balance->remainder, kutta->a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* u and v of the stage become those of the state and these changes of them; whether they are numbers still, as laws want them. */
static PetscBool Move(Stepper *stepper, const State *state, PetscReal reach, const PetscReal moved[], const PetscReal hastened[])
{
  RungeKutta *const kutta = stepper->data;
  PetscReal         size  = 0.0;

  for (PetscInt j = 0; j < stepper->linear->n; j++) {
    kutta->u[j] = state->u[j] + reach * moved[j];
    kutta->v[j] = state->v[j] + reach * hastened[j];
    size += PetscSqr(kutta->u[j]) + PetscSqr(kutta->v[j]);
  }
  stepper->unbounded = (PetscBool) !(size <= PETSC_MAX_REAL);
  return (PetscBool)!stepper->unbounded;
}

static PetscErrorCode Accept(Stepper *stepper, PetscReal time, State *state)
{
  const RungeKutta *const kutta = stepper->data;

  PetscFunctionBeginHot;
  PetscCall(Evaluate(stepper, state));
  PetscCall(BalanceCommit(stepper->balance, state));
  for (PetscInt j = 0; j < stepper->linear->n; j++) {
    state->u[j] = kutta->u[j];
    state->v[j] = kutta->v[j];
    state->a[j] = kutta->a[j];
  }
  state->work += kutta->work;
  state->damped += kutta->damped;
  state->absorbed += kutta->absorbed;
  for (PetscInt i = 0; i < stepper->num_dampers; i++) state->damper_loss[i] += stepper->new_rate[i];
  state->time = time;
  StepperKeepLoads(stepper);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each stage lies along the slopes of the one before. */
static PetscErrorCode Step(Stepper *stepper, PetscReal start, PetscReal end, State *state, PetscBool *converged)
{
  static const PetscReal  reach[] = {0.5, 0.5, 1.0}, weight[] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  const RungeKutta *const kutta = stepper->data;
  const PetscReal         h     = end - start;

  PetscFunctionBeginHot;
  *converged = PETSC_FALSE;
  Begin(stepper, state);
  PetscCall(AddStage(stepper, stepper->old_active ? stepper->old_load : NULL, h / 6.0));
  for (PetscInt stage = 0; stage < 3; stage++) {
    if (!Move(stepper, state, reach[stage] * h, kutta->v, kutta->a)) PetscFunctionReturn(PETSC_SUCCESS);
    StepperFindLoads(stepper, start + reach[stage] * h);
    PetscCall(Evaluate(stepper, state));
    PetscCall(AddStage(stepper, stepper->new_active ? stepper->new_load : NULL, weight[stage] * h));
  }
  if (!Move(stepper, state, 1.0, kutta->moved, kutta->hastened)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Accept(stepper, end, state));
  *converged = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StepMethod method_runge_kutta = {.create = Create, .destroy = Destroy, .step = Step};
