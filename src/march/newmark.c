/* newmark.c - steps by Newmark's rule, halved where the joints do not find their balance. */
#include "newmark.h"
#include <float.h>
#include <math.h>
#include "balance/grips.h"

/* What a unit force at each such row accelerates the coordinates by. */
static PetscErrorCode FindInertance(Stepper *stepper, Newmark *newmark)
{
  Linear *const  linear = stepper->linear;
  const PetscInt n = linear->n, num = linear->system->names.num_nonlinear;
  PetscReal     *rest;

  PetscFunctionBegin;
  if (!SystemSticks(linear->system)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(num * n, &newmark->inertance));
  PetscCall(PetscCalloc1(linear->m, &newmark->uneven));
  PetscCall(PetscCalloc1(n, &rest));
  for (PetscInt i = 0; i < num; i++) {
    if (!linear->system->names.rows[i].sticks) continue;
    newmark->uneven[i] = -1.0;
    PetscCall(linear->kind->accelerate(linear, NULL, rest, rest, newmark->uneven, newmark->inertance + i * n));
    newmark->uneven[i] = 0.0;
  }
  PetscCall(PetscFree(rest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(Stepper *stepper)
{
  const PetscInt n = stepper->linear->n, m = stepper->linear->m;
  Newmark       *newmark;

  PetscFunctionBegin;
  PetscCall(PetscNew(&newmark));
  stepper->data = newmark;
  PetscCall(PetscCalloc5(n, &newmark->response.u, n, &newmark->response.v, n, &newmark->response.a, m, &newmark->response.motion, m,
                         &newmark->response.rate));
  PetscCall(FindInertance(stepper, newmark));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DropLevels(Stepper *stepper)
{
  Newmark *newmark = stepper->data;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < newmark->num_levels; l++) PetscCall(LinearLevelDestroy(stepper->linear, &newmark->levels[l]));
  newmark->num_levels = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Stepper *stepper)
{
  Newmark *newmark = stepper->data;

  PetscFunctionBegin;
  PetscCall(DropLevels(stepper));
  PetscCall(PetscFree5(newmark->response.u, newmark->response.v, newmark->response.a, newmark->response.motion, newmark->response.rate));
  PetscCall(PetscFree(newmark->inertance));
  PetscCall(PetscFree(newmark->uneven));
  PetscCall(PetscFree(stepper->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NeedLevel(Stepper *stepper, PetscInt depth)
{
  Newmark *newmark = stepper->data;

  PetscFunctionBegin;
  while (newmark->num_levels <= depth) {
    const PetscReal h = ldexp(stepper->options.time_step, -(int)newmark->num_levels);

    PetscCall(LinearLevelCreate(stepper->linear, h, &newmark->levels[newmark->num_levels]));
    newmark->num_levels++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NewmarkLevel(Stepper *stepper, const LinearLevel **level)
{
  PetscFunctionBegin;
  PetscCall(NeedLevel(stepper, 0));
  *level = &((const Newmark *)stepper->data)->levels[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What moving supports give dampers. */
static void AddRates(const Stepper *stepper, const SupportsAt *at, PetscReal rate[])
{
  for (PetscInt i = 0; at && i < stepper->num_dampers; i++) rate[i] += SupportsPlace(stepper->supports, at, COURSE_VELOCITY, stepper->damper_row[i]);
}

/* What each damper takes in a part of a step, as the energy balance counts it: at the mean velocity. */
static void CountDampers(Stepper *stepper, PetscReal h, State *state)
{
  LinearRowsTimes(&stepper->dampers, state->v, stepper->new_rate);
  AddRates(stepper, stepper->supports ? &stepper->supports->new : NULL, stepper->new_rate);
  for (PetscInt i = 0; i < stepper->num_dampers; i++) {
    const PetscReal mean = 0.5 * (stepper->old_rate[i] + stepper->new_rate[i]);

    state->damper_loss[i] += h * stepper->linear->system->rows[stepper->damper_row[i]].damping * mean * mean;
  }
}

static inline BalanceProblem ProblemOf(const Stepper *stepper, const LinearLevel *level, const LinearResponse *response)
{
  const NewmarkRule rule = stepper->options.rule;

  return (BalanceProblem){.influence   = &level->influence,
                          .motion      = response->motion,
                          .rate        = response->rate,
                          .row_norm    = stepper->linear->row_norm,
                          .size        = response->size,
                          .rate_factor = rule.gamma / (rule.beta * level->h)};
}

/* What of a row's motion, or its rate, moving supports give. */
static PetscReal OfSupports(const Stepper *stepper, CourseGiven kind, PetscInt row)
{
  return stepper->supports && row < stepper->linear->system->names.num_nonlinear
           ? SupportsPlace(stepper->supports, &stepper->supports->old, kind, row)
           : 0.0;
}

/* Modes that were left out move the joints at once, by the loads here and by the joints' forces through the influence; velocities by the rule
   that all else follows. */
static void AddResidual(const Stepper *stepper, PetscReal h, const State *state, LinearResponse *response)
{
  const Linear *const linear = stepper->linear;
  const NewmarkRule   rule   = stepper->options.rule;
  const PetscReal     factor = rule.gamma / (rule.beta * h);

  for (PetscInt i = 0; linear->viscous && i < linear->m; i++) {
    const PetscReal *const row  = linear->joint_map + i * linear->n;
    const PetscReal        from = state->motion[i] - RowsTimesOne(linear->n, row, state->u) - OfSupports(stepper, COURSE_DISPLACEMENT, i);
    const PetscReal        rate = state->rate[i] - RowsTimesOne(linear->n, row, state->v) - OfSupports(stepper, COURSE_VELOCITY, i);

    response->rate[i] += (1.0 - rule.gamma / rule.beta) * rate - factor * from - factor * response->motion[i];
  }
  ResidualAddLoads(stepper->residual, stepper->new_signal, response->motion);
  for (PetscInt i = 0; linear->viscous && i < linear->m; i++) response->rate[i] += factor * response->motion[i];
}

/* Supports take the joints along. */
static void AddSupports(const Stepper *stepper, LinearResponse *response)
{
  const Supports *const supports = stepper->supports;

  for (PetscInt i = 0; i < supports->system->names.num_nonlinear; i++) {
    response->motion[i] += SupportsPlace(supports, &supports->new, COURSE_DISPLACEMENT, i);
    response->rate[i] += SupportsPlace(supports, &supports->new, COURSE_VELOCITY, i);
  }
}

/* The force of a row that would leave it without acceleration, or as much of that as it holds; by how much it changes. */
static PetscReal HoldRow(Stepper *stepper, const SystemBlock *block, PetscInt point, State *state)
{
  const Newmark *const   newmark   = stepper->data;
  const Linear *const    linear    = stepper->linear;
  const PetscInt         row       = block->row[point];
  const JointBlock       one       = JointBlockPoint(&block->block, point);
  const PetscReal *const inertance = newmark->inertance + row * linear->n;
  const PetscReal        give = LinearRowsTimesOne(&linear->joints, row, inertance), rest = block->rest ? block->rest[point] : 0.0;
  const PetscReal        moves = LinearRowsTimesOne(&linear->joints, row, state->a) + OfSupports(stepper, COURSE_ACCELERATION, row);
  const PetscReal        given = moves + give * (state->remainder[row] + rest);
  PetscReal              force, change;

  if (state->rate[row] != 0.0 || give <= 0.0) return 0.0;
  one.law->grip(&one, &(JointGrip){&given, &give, NULL}, &(JointForce){.force = &force});
  change = force - rest - state->remainder[row];
  state->remainder[row] += change;
  for (PetscInt j = 0; j < linear->n; j++) state->a[j] -= change * inertance[j];
  return PetscAbsReal(change) / (PetscAbsReal(force) + DBL_MIN);
}

/* Row by row [Gauss, Seidel], as they push each other. */
static PetscErrorCode Hold(Stepper *stepper, State *state)
{
  enum { MOST_SWEEPS = 1000 };
  const Newmark *const newmark = stepper->data;
  const System *const  system  = stepper->linear->system;
  PetscReal            change  = 1.0;

  PetscFunctionBegin;
  for (PetscInt sweep = 0; newmark->inertance && change > 1e-14 && sweep < MOST_SWEEPS; sweep++) {
    change = 0.0;
    for (PetscInt b = 0; b < system->num_blocks; b++)
      for (PetscInt i = 0; system->blocks[b].block.law->grip && i < system->blocks[b].block.num_points; i++)
        change = PetscMax(change, HoldRow(stepper, &system->blocks[b], i, state));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Friction that holds a velocity is known by its mean over a step. From now on that is what the accelerations contain of it: what is at the end of
   the step, 2 f - f_old with average acceleration, would alternate for ever after a jump. */
static void EvenOut(Stepper *stepper, const LinearLevel *level, State *state)
{
  Newmark *const         newmark   = stepper->data;
  const Linear *const    linear    = stepper->linear;
  const PetscReal        alpha     = linear->rule.alpha;
  const PetscReal *const remainder = stepper->balance->remainder;

  for (PetscInt i = 0; i < linear->system->names.num_nonlinear; i++) {
    const PetscReal mean = GripMean(&level->influence, state, i, remainder[i]);
    const PetscReal kept = level->influence.weight[i] > 0.0 ? (1.0 + alpha) * remainder[i] - alpha * state->remainder[i] - mean : 0.0;

    newmark->uneven[i] = remainder[i] - mean;
    for (PetscInt j = 0; kept != 0.0 && j < linear->n; j++) state->a[j] += kept * newmark->inertance[i * linear->n + j];
  }
}

/* And what is remembered of it. */
static void KeepMeans(const Stepper *stepper, State *state)
{
  const Newmark *const newmark = stepper->data;

  for (PetscInt i = 0; i < stepper->linear->system->names.num_nonlinear; i++) {
    state->remainder[i] -= newmark->uneven[i];
    if (newmark->uneven[i] != 0.0) state->trend[i] = 0.0;
  }
}

/* One part of a step, at whose end it is `time`. */
static PetscErrorCode TryPart(Stepper *stepper, PetscInt depth, PetscReal time, State *state, PetscBool *converged)
{
  Newmark *const         newmark = stepper->data;
  Linear *const          linear  = stepper->linear;
  const PetscReal *const old     = stepper->old_active ? stepper->old_load : NULL;
  const LinearLevel     *level   = &newmark->levels[depth];
  const PetscReal       *load;
  BalanceProblem         problem;

  PetscFunctionBeginHot;
  StepperFindLoads(stepper, time);
  load = stepper->new_active ? stepper->new_load : NULL;
  PetscCall(linear->kind->predict(linear, level, state, old, load, &newmark->response));
  stepper->unbounded = (PetscBool) !(newmark->response.size <= PETSC_MAX_REAL);
  *converged         = (PetscBool)!stepper->unbounded;
  if (stepper->unbounded) PetscFunctionReturn(PETSC_SUCCESS);
  if (stepper->residual) AddResidual(stepper, level->h, state, &newmark->response);
  if (stepper->supports) AddSupports(stepper, &newmark->response);
  problem = ProblemOf(stepper, level, &newmark->response);
  PetscCall(BalanceSolve(stepper->balance, &problem, state, converged));
  if (!*converged) PetscFunctionReturn(PETSC_SUCCESS);
  if (stepper->num_dampers) LinearRowsTimes(&stepper->dampers, state->v, stepper->old_rate);
  AddRates(stepper, stepper->supports ? &stepper->supports->old : NULL, stepper->old_rate);
  if (stepper->supports) SupportsBegin(stepper->supports, state);
  PetscCall(linear->kind->finish(linear, level, &newmark->response, stepper->balance->remainder, old, load, state));
  if (stepper->num_dampers) CountDampers(stepper, level->h, state);
  if (stepper->residual)
    state->work += ResidualWork(stepper->residual, state->remainder, stepper->old_signal, stepper->balance->remainder, stepper->new_signal);
  state->absorbed += BalanceAbsorbed(stepper->balance, state);
  if (newmark->inertance) EvenOut(stepper, level, state);
  PetscCall(BalanceCommit(stepper->balance, state));
  if (newmark->inertance) KeepMeans(stepper, state);
  if (stepper->supports) SupportsCount(stepper->supports, level->h, state);
  state->time = time;
  StepperKeepLoads(stepper);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part of a step, in two halves if it does not converge as a whole. */
static PetscErrorCode Part(Stepper *stepper, PetscInt depth, PetscReal start, PetscReal end, State *state, PetscBool *converged)
{
  const PetscReal middle = 0.5 * (start + end);

  PetscFunctionBeginHot;
  PetscCall(NeedLevel(stepper, depth));
  PetscCall(TryPart(stepper, depth, end, state, converged));
  if (*converged || stepper->unbounded || depth == STEPPER_MAX_DEPTH) PetscFunctionReturn(PETSC_SUCCESS);
  state->halved++;
  PetscCall(Part(stepper, depth + 1, start, middle, state, converged));
  if (*converged) PetscCall(Part(stepper, depth + 1, middle, end, state, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Step(Stepper *stepper, PetscReal start, PetscReal end, State *state, PetscBool *converged)
{
  PetscFunctionBeginHot;
  PetscCall(Part(stepper, 0, start, end, state, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StepMethod method_newmark = {.create = Create, .destroy = Destroy, .retime = DropLevels, .hold = Hold, .step = Step};
