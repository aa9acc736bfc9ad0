/* lanes.c - motions side by side: how they get into lanes and out again, and their steps. */
#include "march/lanes.h"
#include "lanes_modal.h"
#include "linear_modal.h"
#include "newmark.h"

PetscBool LanesSuit(const Stepper *stepper)
{
  const Linear *const linear = stepper->linear;

  return (PetscBool)(stepper->options.method == METHOD_NEWMARK && stepper->options.rule.alpha == 0.0 && LinearIsModal(linear) && !linear->viscous &&
                     !linear->sparse && !linear->shares && !stepper->residual && !stepper->supports && !stepper->num_dampers &&
                     BalanceLanesSuit(stepper->balance));
}

PetscBool LanesAlike(const Stepper *one, const Stepper *other)
{
  return (PetscBool)(one->linear->n == other->linear->n && BalanceLanesAlike(one->balance, other->balance));
}

PetscInt LanesWorthwhile(void)
{
  return PetscMin(3, WIDE_LANES); /* measured: see NOTES.md */
}

static Wide *Take(Wide **next, PetscInt count)
{
  Wide *const taken = *next;

  *next += count;
  return taken;
}

PetscErrorCode LanesCreate(const Stepper *like, Lanes **lanes)
{
  const PetscInt n = like->linear->n, m = like->linear->m;
  PetscReal     *room;
  Lanes         *made;
  Wide          *next;

  PetscFunctionBegin;
  PetscCheck(LanesSuit(like), PETSC_COMM_SELF, PETSC_ERR_SUP, "this motion does not run in lanes");
  PetscCall(WideAllocateStructs(1, &room, lanes));
  made  = *lanes;
  *made = (Lanes){.own_room = room, .n = n, .m = m};
  PetscCall(BalanceLanesCreate(like->balance, &made->balance));
  PetscCall(WideAllocate((size_t)n * (size_t)(11 + 2 * m), &made->room, &next));
  Wide **const of_n[] = {&made->stiffness, &made->damping, &made->inverse, &made->u,        &made->v,       &made->a,
                         &made->lin_u,     &made->lin_v,   &made->lin_a,   &made->old_load, &made->new_load};

  for (PetscInt i = 0; i < 11; i++) *of_n[i] = Take(&next, n);
  made->map      = Take(&next, n * m);
  made->response = Take(&next, n * m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LanesDestroy(Lanes **lanes)
{
  PetscReal *room;

  PetscFunctionBegin;
  if (!*lanes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(BalanceLanesDestroy(&(*lanes)->balance));
  PetscCall(PetscFree((*lanes)->room));
  PetscCall(PetscFree((*lanes)->load_room));
  room = (*lanes)->own_room;
  PetscCall(PetscFree(room));
  *lanes = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt LanesIdle(const Lanes *lanes)
{
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++)
    if (!lanes->stepper[lane]) return lane;
  return -1;
}

/* Room for the loads of one more motion. */
static PetscErrorCode ReserveLoads(Lanes *lanes, PetscInt num_loads)
{
  const size_t old = (size_t)lanes->num_loads * (size_t)lanes->n;
  PetscReal   *room;
  Wide        *distribution;

  PetscFunctionBegin;
  if (num_loads <= lanes->num_loads) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WideAllocate((size_t)num_loads * (size_t)lanes->n, &room, &distribution));
  for (size_t i = 0; i < old; i++) distribution[i] = lanes->distribution[i];
  PetscCall(PetscFree(lanes->load_room));
  lanes->load_room    = room;
  lanes->distribution = distribution;
  lanes->num_loads    = num_loads;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of one motion into their lane. */
static void Put(PetscInt count, const PetscReal *from, PetscInt lane, Wide *to)
{
  for (PetscInt j = 0; j < count; j++) to[j][lane] = from ? from[j] : 0.0;
}

static void Get(PetscInt count, const Wide *from, PetscInt lane, PetscReal *to)
{
  for (PetscInt j = 0; j < count; j++) to[j] = from[j][lane];
}

/* What does not change from step to step. */
static PetscErrorCode PutStructure(Lanes *lanes, PetscInt lane, const LinearLevel *level)
{
  const Stepper *const stepper = lanes->stepper[lane];
  const Linear *const  linear  = stepper->linear;
  const ModalNumbers   numbers = LinearModalNumbers(linear, level);
  const NewmarkRule    rule    = stepper->options.rule;
  const PetscReal      h       = level->h;
  const PetscInt       n = lanes->n, m = lanes->m;

  PetscFunctionBegin;
  Put(n, numbers.stiffness, lane, lanes->stiffness);
  Put(n, numbers.damping, lane, lanes->damping);
  Put(n, numbers.inverse, lane, lanes->inverse);
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < n; j++) {
      lanes->map[j * m + i][lane]      = linear->joint_map[i * n + j];
      lanes->response[j * m + i][lane] = level->response[i * n + j];
    }
  lanes->h[lane]           = h;
  lanes->from_a_to_u[lane] = h * h * (0.5 - rule.beta);
  lanes->from_a_to_v[lane] = h * (1.0 - rule.gamma);
  lanes->to_u[lane]        = rule.beta * h * h;
  lanes->to_v[lane]        = rule.gamma * h;
  PetscCall(ReserveLoads(lanes, stepper->num_loads));
  for (PetscInt l = 0; l < lanes->num_loads; l++)
    Put(n, l < stepper->num_loads ? stepper->distribution + l * n : NULL, lane, lanes->distribution + l * n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the motion is, with its loads there. */
static PetscErrorCode PutMotion(Lanes *lanes, PetscInt lane, const LinearLevel *level)
{
  Stepper *const stepper = lanes->stepper[lane];
  State *const   state   = lanes->state[lane];

  PetscFunctionBegin;
  PetscCall(StepperContinue(stepper, state));
  Put(lanes->n, state->u, lane, lanes->u);
  Put(lanes->n, state->v, lane, lanes->v);
  Put(lanes->n, state->a, lane, lanes->a);
  Put(lanes->n, stepper->old_active ? stepper->old_load : NULL, lane, lanes->old_load);
  lanes->old_active     = (PetscBool)(lanes->old_active || stepper->old_active);
  lanes->damped[lane]   = state->damped;
  lanes->work[lane]     = state->work;
  lanes->absorbed[lane] = state->absorbed;
  lanes->step[lane]     = state->step;
  BalanceLanesSet(&lanes->balance, lane, stepper->balance, &level->influence, stepper->linear->row_norm, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LanesEnter(Lanes *lanes, PetscInt lane, Stepper *stepper, State *state)
{
  const LinearLevel *level;

  PetscFunctionBegin;
  PetscCheck(!lanes->stepper[lane], PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "lane %" PetscInt_FMT " is busy", lane);
  lanes->stepper[lane] = stepper;
  lanes->state[lane]   = state;
  lanes->busy[lane]    = -1;
  PetscCall(NewmarkLevel(stepper, &level));
  PetscCall(PutStructure(lanes, lane, level));
  PetscCall(PutMotion(lanes, lane, level));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void KeepStep(Lanes *lanes, PetscInt lane)
{
  State *const state = lanes->state[lane];

  state->step = lanes->step[lane];
  state->time = state->step * lanes->stepper[lane]->options.time_step;
}

void LanesKeepMotions(Lanes *lanes, PetscInt lane)
{
  KeepStep(lanes, lane);
  BalanceLanesKeepMotions(&lanes->balance, lane, lanes->state[lane]);
}

PetscErrorCode LanesKeep(Lanes *lanes, PetscInt lane)
{
  State *const state = lanes->state[lane];

  PetscFunctionBegin;
  KeepStep(lanes, lane);
  Get(lanes->n, lanes->u, lane, state->u);
  Get(lanes->n, lanes->v, lane, state->v);
  Get(lanes->n, lanes->a, lane, state->a);
  state->damped   = lanes->damped[lane];
  state->work     = lanes->work[lane];
  state->absorbed = lanes->absorbed[lane];
  state->iterations += (PetscInt64)lanes->balance.iterations[lane];
  lanes->balance.iterations[lane] = 0.0;
  BalanceLanesKeep(&lanes->balance, lane, state);
  PetscCall(StepperContinue(lanes->stepper[lane], state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An idle lane moves with nothing, so that its numbers stay numbers. */
static void Empty(Lanes *lanes, PetscInt lane)
{
  Wide *const moves[] = {lanes->u, lanes->v, lanes->a, lanes->old_load, lanes->new_load};

  BalanceLanesFree(&lanes->balance, lane);
  for (PetscInt i = 0; i < 5; i++) Put(lanes->n, NULL, lane, moves[i]);
  for (PetscInt l = 0; l < lanes->num_loads; l++) Put(lanes->n, NULL, lane, lanes->distribution + l * lanes->n);
  lanes->stepper[lane] = NULL;
  lanes->state[lane]   = NULL;
  lanes->busy[lane]    = 0;
}

PetscErrorCode LanesLeave(Lanes *lanes, PetscInt lane)
{
  PetscFunctionBegin;
  PetscCall(LanesKeep(lanes, lane));
  Empty(lanes, lane);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* StepperFindLoads of all lanes. */
static void FindLoads(Lanes *lanes)
{
  const PetscInt n      = lanes->n;
  PetscBool      active = PETSC_FALSE;

  for (PetscInt l = 0; l < lanes->num_loads; l++) {
    Wide value = {0.0};

    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      const Stepper *const stepper = lanes->stepper[lane];

      if (stepper && l < stepper->num_loads)
        value[lane] = SignalValue(&stepper->loads[l].signal, (lanes->step[lane] + 1) * stepper->options.time_step);
    }
    if (!WideBits(value != 0.0)) continue;
    LanesAddLoad(n, lanes->distribution + l * n, value, active, lanes->new_load);
    active = PETSC_TRUE;
  }
  if (!active && lanes->new_active)
    for (PetscInt j = 0; j < n; j++) lanes->new_load[j] = WideOf(0.0);
  lanes->new_active = active;
}

static void KeepLoads(Lanes *lanes)
{
  Wide *const     load   = lanes->old_load;
  const PetscBool active = lanes->old_active;

  lanes->old_load   = lanes->new_load;
  lanes->old_active = lanes->new_active;
  lanes->new_load   = load;
  lanes->new_active = active; /* what is in there now */
}

/* A step that found no balance in its lane. */
static PetscErrorCode StepAlone(Lanes *lanes, PetscInt lane, unsigned *failed)
{
  const LinearLevel *level;
  PetscBool          converged;

  PetscFunctionBegin;
  PetscCall(LanesKeep(lanes, lane));
  PetscCall(StepperStep(lanes->stepper[lane], lanes->state[lane], &converged));
  PetscCall(NewmarkLevel(lanes->stepper[lane], &level));
  if (converged) PetscCall(PutMotion(lanes, lane, level));
  else {
    *failed |= 1u << lane;
    Empty(lanes, lane);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Step(Lanes *lanes, unsigned *failed)
{
  WideMask found;
  unsigned left;

  PetscFunctionBeginHot;
  FindLoads(lanes);
  LanesPredict(lanes);
  found = BalanceLanesSolve(&lanes->balance, lanes->busy & (lanes->balance.size <= PETSC_MAX_REAL));
  LanesFinish(lanes, found);
  lanes->absorbed = WideSelect(found, lanes->absorbed + BalanceLanesAbsorbed(&lanes->balance), lanes->absorbed);
  PetscCall(BalanceLanesCommit(&lanes->balance, found));
  KeepLoads(lanes);
  left = WideBits(lanes->busy & ~found);
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) lanes->step[lane] += found[lane] ? 1 : 0;
  for (; PetscUnlikely(left); left &= left - 1) PetscCall(StepAlone(lanes, __builtin_ctz(left), failed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LanesAdvance(Lanes *lanes, PetscInt num_steps, unsigned *failed)
{
  PetscFunctionBeginHot;
  *failed = 0;
  for (PetscInt i = 0; i < num_steps && WideBits(lanes->busy); i++) PetscCall(Step(lanes, failed));
  PetscFunctionReturn(PETSC_SUCCESS);
}
