/* stepper.c - steps through time: what the methods share, whichever it is. */
#include "march/stepper.h"

const char *const step_method_names[] = {"newmark", "runge_kutta", NULL};

static const StepMethod *const methods[] = {&method_newmark, &method_runge_kutta};

static PetscErrorCode DistributeLoads(Stepper *stepper, ModeCache *cache)
{
  const PetscInt n = stepper->linear->n;
  PetscReal     *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(cache->system->num_unknowns, &on_unknowns));
  PetscCall(PetscCalloc1(stepper->num_loads * n, &stepper->distribution));
  for (PetscInt l = 0; l < stepper->num_loads; l++) {
    if (stepper->loads[l].place == LOAD_ON_SUPPORT) continue;
    PetscCall(LoadDistribution(&stepper->loads[l], cache, on_unknowns));
    PetscCall(stepper->linear->kind->project_force(stepper->linear, on_unknowns, stepper->distribution + l * n));
  }
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MapDampers(Stepper *stepper)
{
  const System *system = stepper->linear->system;
  PetscInt      count  = 0;
  PetscReal    *row;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < system->names.num_rows; r++) count += system->rows[r].damping != 0.0;
  PetscCall(PetscMalloc3(count, &stepper->damper_row, count, &stepper->old_rate, count, &stepper->new_rate));
  PetscCall(LinearRowsCreate(stepper->linear, count, &stepper->dampers));
  PetscCall(PetscMalloc1(stepper->linear->n, &row));
  for (PetscInt r = 0; r < system->names.num_rows; r++) {
    if (system->rows[r].damping == 0.0) continue;
    stepper->damper_row[stepper->num_dampers++] = r;
    PetscCall(LinearRow(stepper->linear, system->B, r, row));
    PetscCall(LinearRowsAppend(&stepper->dampers, row));
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperCheck(const Names *names, StepMethodChoice method, const InputNode *node)
{
  PetscFunctionBegin;
  if (names->residual && method == METHOD_RUNGE_KUTTA)
    PetscCall(InputComplain(node, names->num_condensed
                                    ? "runge_kutta marches nothing that has no mass, as some unknowns here: take the method newmark, or "
                                      "give them masses"
                                    : "runge_kutta marches nothing that has no mass, as modes that a reduction leaves out: take the "
                                      "method newmark, or the reduction craig_bampton"));
  if (names->known && NamesSticking(names) && method == METHOD_RUNGE_KUTTA)
    PetscCall(
      InputComplain(node, "runge_kutta cannot hold joints that stick without any give, as '%s': take the method newmark", NamesSticking(names)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperCheckLoads(const InputNode *node, StepMethodChoice method, PetscInt num_loads, const Load loads[])
{
  PetscFunctionBegin;
  if (method == METHOD_RUNGE_KUTTA)
    PetscCall(LoadsRefuseSupports(node, num_loads, loads, "runge_kutta does not move supports: take the method newmark"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperCreate(ModeCache *cache, StepperOptions options, PetscInt num_loads, const Load loads[], Stepper **stepper)
{
  Stepper *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(stepper));
  made            = *stepper;
  made->method    = methods[options.method];
  made->options   = options;
  made->num_loads = num_loads;
  made->loads     = loads;
  PetscCall(LinearCreate(cache, options.rule, &made->linear));
  PetscCall(BalanceCreate(cache->system, made->linear->m, options.tolerance, options.max_iterations, made->linear->sparse, &made->balance));
  PetscCall(PetscCalloc1(made->linear->n, &made->old_load)); /* the two change places, so each is an allocation of its own */
  PetscCall(PetscCalloc1(made->linear->n, &made->new_load));
  PetscCall(PetscCalloc1(num_loads, &made->old_signal)); /* likewise */
  PetscCall(PetscCalloc1(num_loads, &made->new_signal));
  PetscCall(ResidualCreate(made->linear, num_loads, loads, &made->residual));
  PetscCall(SupportsCreate(cache, made->linear, num_loads, loads, options.time_step, &made->supports));
  PetscCall(DistributeLoads(made, cache));
  PetscCall(MapDampers(made));
  PetscCall(made->method->create(made));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperDestroy(Stepper **stepper)
{
  Stepper *s = *stepper;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(s->method->destroy(s));
  PetscCall(LinearDestroy(&s->linear));
  PetscCall(BalanceDestroy(&s->balance));
  PetscCall(PetscFree(s->distribution));
  PetscCall(PetscFree3(s->damper_row, s->old_rate, s->new_rate));
  PetscCall(LinearRowsDestroy(&s->dampers));
  PetscCall(PetscFree(s->old_load));
  PetscCall(PetscFree(s->new_load));
  PetscCall(PetscFree(s->old_signal));
  PetscCall(PetscFree(s->new_signal));
  PetscCall(ResidualDestroy(&s->residual));
  PetscCall(SupportsDestroy(&s->supports));
  PetscCall(PetscFree(*stepper));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The loads at a time, and the values of their signals; false when there are none. */
static PetscBool SumLoads(const Stepper *stepper, PetscReal time, PetscReal load[], PetscReal signal[])
{
  const PetscInt n      = stepper->linear->n;
  PetscBool      active = PETSC_FALSE;

  for (PetscInt l = 0; l < stepper->num_loads; l++) {
    const PetscBool        moves        = (PetscBool)(stepper->loads[l].place == LOAD_ON_SUPPORT);
    const PetscReal        value        = moves ? 0.0 : SignalValue(&stepper->loads[l].signal, time);
    const PetscReal *const distribution = stepper->distribution + l * n;

    signal[l] = value;
    if (value == 0.0) continue;
    for (PetscInt j = 0; j < n; j++) load[j] = (active ? load[j] : 0.0) + value * distribution[j];
    active = PETSC_TRUE;
  }
  return active;
}

/* And what the supports push. */
static PetscBool FindAll(const Stepper *stepper, PetscReal time, SupportsAt *supports, PetscReal load[], PetscReal signal[])
{
  const PetscBool active = SumLoads(stepper, time, load, signal);

  if (!stepper->supports) return active;
  SupportsFind(stepper->supports, time, signal, supports);
  for (PetscInt j = 0; j < stepper->linear->n; j++) load[j] = (active ? load[j] : 0.0) + supports->force[j];
  return PETSC_TRUE;
}

void StepperFindLoads(Stepper *stepper, PetscReal time)
{
  SupportsAt *const supports = stepper->supports ? &stepper->supports->new : NULL;

  stepper->new_active = FindAll(stepper, time, supports, stepper->new_load, stepper->new_signal);
}

void StepperKeepLoads(Stepper *stepper)
{
  PetscReal *const kept = stepper->old_load, *const signal = stepper->old_signal;

  stepper->old_load   = stepper->new_load;
  stepper->new_load   = kept;
  stepper->old_signal = stepper->new_signal;
  stepper->new_signal = signal;
  stepper->old_active = stepper->new_active;
  if (stepper->supports) SupportsKeep(stepper->supports);
}

PetscErrorCode StepperContinue(Stepper *stepper, State *state)
{
  SupportsAt *const supports = stepper->supports ? &stepper->supports->old : NULL;

  PetscFunctionBegin;
  stepper->old_active = FindAll(stepper, state->time, supports, stepper->old_load, stepper->old_signal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Untouched joints go to where the structure has them; with what modes that were left out give way, which their forces say. */
static PetscErrorCode StartJoints(Stepper *stepper, PetscReal motion[], const PetscReal rate[], State *state)
{
  const Linear *const linear  = stepper->linear;
  BalanceProblem      problem = {.motion = motion, .rate = rate, .row_norm = linear->row_norm};
  PetscBool           converged;

  PetscFunctionBegin;
  if (!stepper->residual) {
    PetscCall(BalanceStart(stepper->balance, motion, rate, state));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  problem.influence = &stepper->residual->joints;
  ResidualAddLoads(stepper->residual, stepper->old_signal, motion);
  PetscCall(BalanceSolve(stepper->balance, &problem, state, &converged));
  if (!converged) LogWarn("the joints found no balance at the start");
  PetscCall(BalanceStart(stepper->balance, converged ? stepper->balance->joints.motion : motion, rate, state));
  BalanceYield(stepper->balance, &stepper->residual->joints, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperStart(Stepper *stepper, InitialMotion initial, State **state)
{
  Linear        *linear = stepper->linear;
  const PetscInt m      = linear->m;
  PetscReal     *motion, *rate, kinetic, strain;

  PetscFunctionBegin;
  PetscCall(StateCreate(linear->system, linear->n, m, state));
  if (initial.displacement) PetscCall(linear->kind->project_motion(linear, initial.displacement, (*state)->u));
  if (initial.velocity) PetscCall(linear->kind->project_motion(linear, initial.velocity, (*state)->v));
  PetscCall(StepperContinue(stepper, *state));
  PetscCall(PetscMalloc2(m, &motion, m, &rate));
  LinearRowsTimes(&linear->joints, (*state)->u, motion);
  LinearRowsTimes(&linear->joints, (*state)->v, rate);
  for (PetscInt i = 0; stepper->supports && i < linear->system->names.num_nonlinear; i++) {
    motion[i] += SupportsPlace(stepper->supports, &stepper->supports->old, COURSE_DISPLACEMENT, i);
    rate[i] += SupportsPlace(stepper->supports, &stepper->supports->old, COURSE_VELOCITY, i);
  }
  PetscCall(StartJoints(stepper, motion, rate, *state));
  PetscCall(PetscFree2(motion, rate));
  PetscCall(PetscArrayzero((*state)->dissipated, (*state)->num_rows)); /* on the way here nothing is counted */
  PetscCall(PetscArrayzero((*state)->parts_dissipated, (*state)->num_parts));
  PetscCall(
    linear->kind->accelerate(linear, stepper->old_active ? stepper->old_load : NULL, (*state)->u, (*state)->v, (*state)->remainder, (*state)->a));
  if (stepper->method->hold) PetscCall(stepper->method->hold(stepper, *state));
  PetscCall(StepperEnergy(stepper, *state, &kinetic, &strain));
  (*state)->start_energy = kinetic + strain;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperRetime(Stepper *stepper, PetscReal time_step, State *state)
{
  PetscFunctionBegin;
  if (stepper->method->retime) PetscCall(stepper->method->retime(stepper));
  StateScaleTrend(state, time_step / stepper->options.time_step);
  stepper->options.time_step = time_step;
  state->step                = 0;
  state->time                = 0.0;
  if (stepper->supports) SupportsRetime(stepper->supports, time_step);
  PetscCall(StepperContinue(stepper, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperStep(Stepper *stepper, State *state, PetscBool *converged)
{
  const PetscReal h = stepper->options.time_step;

  PetscFunctionBeginHot;
  PetscCall(stepper->method->step(stepper, state->step * h, (state->step + 1) * h, state, converged));
  if (*converged) state->step++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal StepperSeconds(const Names *names, StepMethodChoice method)
{
  const PetscReal of_runge_kutta = 3.5; /* times a step of Newmark's, measured */

  return LinearStepSeconds(names) * (method == METHOD_RUNGE_KUTTA ? of_runge_kutta : 1.0);
}

PetscErrorCode StepperWarnOfStep(const InputNode *study, StepMethodChoice method, const ModeCache *cache, PetscReal time_step)
{
  PetscReal highest;

  PetscFunctionBegin;
  if (method != METHOD_RUNGE_KUTTA) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheHighest(cache, &highest));
  if (time_step * highest > PetscSqrtReal(8.0))
    LogWarn(
      "%s: time steps of %.3g s are too long for runge_kutta, the motion will grow without bound: the highest mode, %.4g Hz, wants less than %.3g s",
      InputPath(study), time_step, highest / (2.0 * PETSC_PI), PetscSqrtReal(8.0) / highest);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperEnergy(const Stepper *stepper, const State *state, PetscReal *kinetic, PetscReal *strain)
{
  Linear *const linear = stepper->linear;

  PetscFunctionBeginHot;
  PetscCall(linear->kind->energy(linear, state, kinetic, strain));
  for (PetscInt i = 0; i < linear->m; i++) *strain -= 0.5 * BalanceStuckForce(stepper->balance, state, i) * state->motion[i];
  if (stepper->supports) SupportsEnergy(stepper->supports, state, kinetic, strain);
  if (stepper->residual) *strain += ResidualEnergy(stepper->residual, state, stepper->old_signal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal StepperDissipated(const Stepper *stepper, const State *state, PetscInt row)
{
  PetscReal sum = row < stepper->linear->system->names.num_nonlinear ? state->dissipated[row] : 0.0;

  for (PetscInt i = 0; i < stepper->num_dampers; i++)
    if (stepper->damper_row[i] == row) sum += state->damper_loss[i];
  return sum;
}

PetscInt StepperResidualWidth(const Stepper *stepper)
{
  return stepper->residual ? stepper->residual->m + stepper->residual->num_loads : 0;
}

PetscErrorCode StepperResidualRows(const Stepper *stepper, PetscInt num, const PetscInt places[], PetscReal **rows)
{
  const PetscInt width = StepperResidualWidth(stepper);

  PetscFunctionBegin;
  *rows = NULL;
  if (!stepper->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(num * width, rows));
  for (PetscInt i = 0; i < num; i++) PetscCall(ResidualRow(stepper->residual, places[i], *rows + i * width));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StepperResidualLayers(const Stepper *stepper, PetscInt num, const PetscInt first[], const PetscInt size[], PetscReal **rows)
{
  const System *const system = stepper->linear->system;
  const PetscInt      width  = StepperResidualWidth(stepper);
  PetscReal          *shares;

  PetscFunctionBegin;
  *rows = NULL;
  if (!stepper->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(SystemNumPlaces(system), &shares));
  PetscCall(PetscMalloc1(num * width, rows));
  for (PetscInt i = 0; i < num; i++) {
    for (PetscInt r = first[i]; r < first[i] + size[i]; r++) shares[r] = system->rows[r].share;
    PetscCall(ResidualMean(stepper->residual, shares, *rows + i * width));
    for (PetscInt r = first[i]; r < first[i] + size[i]; r++) shares[r] = 0.0;
  }
  PetscCall(PetscFree(shares));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void StepperAddResidual(const Stepper *stepper, const State *state, PetscInt num, const PetscReal rows[], PetscReal motions[])
{
  const PetscInt width = StepperResidualWidth(stepper);

  if (!rows) return;
  ResidualForces(stepper->residual, state->remainder, stepper->old_signal, stepper->residual->force);
  for (PetscInt i = 0; i < num; i++) motions[i] += RowsTimesOne(width, rows + i * width, stepper->residual->force);
}

void StepperAddSupports(const Stepper *stepper, CourseGiven kind, PetscInt num, const PetscInt places[], PetscReal motions[])
{
  if (!stepper->supports) return;
  for (PetscInt i = 0; i < num; i++) motions[i] += SupportsPlace(stepper->supports, &stepper->supports->old, kind, places[i]);
}

void StepperReactions(const Stepper *stepper, const State *state, PetscReal reactions[])
{
  if (stepper->supports) SupportsReact(stepper->supports, &stepper->supports->old, state, reactions);
}

PetscReal StepperJointForce(const Stepper *stepper, const State *state, PetscInt row)
{
  return state->remainder[row] + BalanceStuckForce(stepper->balance, state, row);
}

void StepperPlaceForces(const Stepper *stepper, const State *state, PetscReal forces[])
{
  const System *const system = stepper->linear->system;

  for (PetscInt place = 0; place < SystemNumPlaces(system); place++)
    forces[place] = place < system->names.num_nonlinear ? -state->remainder[place] : 0.0;
  for (PetscInt l = 0; l < stepper->num_loads; l++) {
    const PetscInt place = LoadSystemPlace(&stepper->loads[l], system);

    if (place >= 0) forces[place] += LoadFactor(&stepper->loads[l]) * stepper->old_signal[l];
  }
}
