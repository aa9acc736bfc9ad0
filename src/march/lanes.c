/* lanes.c - motions side by side: how they get into lanes and out again, and their steps. */
#include "march/lanes.h"
#include "lanes_modal.h"
#include "linear_modal.h"
#include "newmark.h"

PetscBool LanesSuit(const Stepper *stepper)
{
  const Linear *const linear = stepper->linear;

  return (PetscBool)(stepper->options.method == METHOD_NEWMARK && stepper->options.rule.alpha == 0.0 && LinearIsModal(linear) && !linear->viscous &&
                     !linear->sparse && !linear->shares && !stepper->supports && !stepper->num_dampers && BalanceLanesSuit(stepper->balance));
}

PetscBool LanesAlike(const Stepper *one, const Stepper *other)
{
  return (PetscBool)(one->linear->n == other->linear->n && BalanceLanesAlike(one->balance, other->balance));
}

/* Whether the modes, and how they move the joints, are the same to the last bit. */
static PetscBool SameModes(const Linear *one, const Linear *other)
{
  const size_t       of_n = sizeof(PetscReal) * (size_t)one->n;
  const ModalNumbers a = LinearModalNumbers(one, NULL), b = LinearModalNumbers(other, NULL);

  return (PetscBool)(one->system->residual == other->system->residual && !memcmp(a.stiffness, b.stiffness, of_n) &&
                     !memcmp(a.damping, b.damping, of_n) && !memcmp(one->joint_map, other->joint_map, of_n * (size_t)one->m));
}

PetscBool LanesShare(const Stepper *one, const Stepper *other)
{
  const NewmarkRule a = one->options.rule, b = other->options.rule;

  return (PetscBool)(LanesAlike(one, other) && one->options.time_step == other->options.time_step && a.beta == b.beta && a.gamma == b.gamma &&
                     SameModes(one->linear, other->linear));
}

PetscInt LanesWorthwhile(void)
{
  return PetscMin(3, WIDE_LANES); /* measured: see NOTES.md */
}

static PetscErrorCode CreateMotions(Lanes *lanes)
{
  Wide **const   parts[] = {&lanes->u, &lanes->v, &lanes->a, &lanes->lin_u, &lanes->lin_v, &lanes->lin_a, &lanes->old_load, &lanes->new_load};
  const PetscInt num     = sizeof(parts) / sizeof(parts[0]);
  Wide          *next    = NULL;

  PetscFunctionBegin;
  PetscCall(WideAllocate((size_t)num * (size_t)lanes->n, &lanes->room, &next));
  for (PetscInt i = 0; i < num; i++) *parts[i] = next + i * lanes->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateStructure(Lanes *lanes)
{
  PetscReal **const parts[] = {&lanes->stiffness, &lanes->damping, &lanes->inverse, &lanes->map, &lanes->response};
  const PetscInt    n = lanes->n, sizes[] = {n, n, n, n * lanes->m, n * lanes->m}, width = lanes->shared ? 1 : WIDE_LANES;
  Wide             *room = NULL;
  PetscReal        *next;

  PetscFunctionBegin;
  PetscCall(WideAllocate((size_t)n * (size_t)(3 + 2 * lanes->m), &lanes->structure_room, &room));
  next = (PetscReal *)room;
  for (PetscInt i = 0; i < 5; i++) {
    *parts[i] = next;
    next += sizes[i] * width;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LanesCreate(const Stepper *like, PetscBool shared, Lanes **lanes)
{
  const PetscInt n = like->linear->n, m = like->linear->m;
  PetscReal     *room;
  Lanes         *made;

  PetscFunctionBegin;
  PetscCheck(LanesSuit(like), PETSC_COMM_SELF, PETSC_ERR_SUP, "this motion does not run in lanes");
  PetscCall(WideAllocateStructs(1, &room, lanes));
  made  = *lanes;
  *made = (Lanes){.own_room = room, .n = n, .m = m, .shared = shared};
  PetscCall(BalanceLanesCreate(like->balance, shared, &made->balance));
  PetscCall(CreateMotions(made));
  PetscCall(CreateStructure(made));
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
  PetscCall(PetscFree((*lanes)->structure_room));
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
  Wide        *distribution = NULL;

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
  for (PetscInt j = 0; j < n; j++) {
    WidePut(lanes->stiffness, j, lanes->shared, lane, numbers.stiffness[j]);
    WidePut(lanes->damping, j, lanes->shared, lane, numbers.damping[j]);
    WidePut(lanes->inverse, j, lanes->shared, lane, numbers.inverse[j]);
  }
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < n; j++) {
      WidePut(lanes->map, j * m + i, lanes->shared, lane, linear->joint_map[i * n + j]);
      WidePut(lanes->response, j * m + i, lanes->shared, lane, level->response[i * n + j]);
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
  lanes->residual      = (PetscBool)(lanes->residual || stepper->residual);
  PetscCall(NewmarkLevel(stepper, &level));
  PetscCall(PutStructure(lanes, lane, level));
  PetscCall(PutMotion(lanes, lane, level));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void LanesKeepMotions(Lanes *lanes, PetscInt lane)
{
  BalanceLanesKeepMotions(&lanes->balance, lane, lanes->state[lane]);
}

PetscErrorCode LanesKeep(Lanes *lanes, PetscInt lane)
{
  State *const state = lanes->state[lane];

  PetscFunctionBegin;
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

      if (!stepper || l >= stepper->num_loads) continue;
      value[lane]            = SignalValue(&stepper->loads[l].signal, (lanes->state[lane]->step + 1) * stepper->options.time_step);
      stepper->new_signal[l] = value[lane];
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

/* What loads do to the joints through modes that were left out. */
static void AddResiduals(Lanes *lanes)
{
  for (unsigned left = WideBits(lanes->busy); left; left &= left - 1) {
    const PetscInt       lane    = __builtin_ctz(left);
    const Stepper *const stepper = lanes->stepper[lane];
    PetscReal *const     motion  = stepper->balance->change;

    if (!stepper->residual) continue;
    Get(lanes->m, lanes->balance.linear, lane, motion);
    ResidualAddLoads(stepper->residual, stepper->new_signal, motion);
    Put(lanes->m, motion, lane, lanes->balance.linear);
  }
}

/* The work of loads on these modes, in lanes that found a balance. */
static void AddResidualWork(Lanes *lanes, unsigned found)
{
  for (; found; found &= found - 1) {
    const PetscInt   lane    = __builtin_ctz(found);
    Stepper *const   stepper = lanes->stepper[lane];
    PetscReal *const old = stepper->balance->change, *const remainder = stepper->balance->product, *const signal = stepper->new_signal;

    if (!stepper->residual) continue;
    Get(lanes->m, lanes->balance.old_remainder, lane, old);
    Get(lanes->m, lanes->balance.remainder, lane, remainder);
    lanes->work[lane] += ResidualWork(stepper->residual, old, stepper->old_signal, remainder, signal);
    stepper->new_signal = stepper->old_signal;
    stepper->old_signal = signal;
  }
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

static void CountStep(Lanes *lanes, unsigned found)
{
  for (; found; found &= found - 1) {
    const PetscInt lane  = __builtin_ctz(found);
    State *const   state = lanes->state[lane];

    state->time = (state->step + 1) * lanes->stepper[lane]->options.time_step;
    state->step++;
  }
}

static PetscErrorCode Step(Lanes *lanes, unsigned *failed)
{
  WideMask found;
  unsigned left;

  PetscFunctionBeginHot;
  FindLoads(lanes);
  LanesPredict(lanes);
  if (lanes->residual) AddResiduals(lanes);
  found = BalanceLanesSolve(&lanes->balance, lanes->busy & (lanes->balance.size <= PETSC_MAX_REAL));
  LanesFinish(lanes, found);
  if (lanes->residual) AddResidualWork(lanes, WideBits(found));
  lanes->absorbed = WideSelect(found, lanes->absorbed + BalanceLanesAbsorbed(&lanes->balance), lanes->absorbed);
  PetscCall(BalanceLanesCommit(&lanes->balance, found));
  KeepLoads(lanes);
  left = WideBits(lanes->busy & ~found);
  CountStep(lanes, WideBits(found));
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
