/* supports.c - moving supports in a march: their motion, the forces it takes, the energy that they put in. */
#include "march/supports.h"
#include "march/held_damping.h"

/* On the coordinates. */
static PetscErrorCode Project(const Supports *supports, PetscReal on_unknowns[], PetscReal coordinates[])
{
  Linear linear = *supports->linear;

  PetscFunctionBegin;
  PetscCall(linear.kind->project_force(&linear, on_unknowns, coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* C_ss += Psi^T C Psi of the ratios of modes. */
static void AddOwnRatios(const System *system, const Modes *modes, PetscReal own[])
{
  const PetscInt count = system->names.num_supports;

  for (PetscInt k = 0; k < modes->count; k++) {
    const PetscReal c = RatioDamping(system, modes, k);

    for (PetscInt s = 0; s < count && c != 0.0; s++) {
      const PetscReal follows = ModeFollows(modes, k, system->supports[s].stiffness);

      for (PetscInt t = 0; t < count; t++) own[s * count + t] += c * follows * ModeFollows(modes, k, system->supports[t].stiffness);
    }
  }
}

static PetscErrorCode MapDamping(Supports *supports, const Modes *modes)
{
  const System *const system = supports->system;
  const PetscInt      n = system->num_unknowns, count = supports->count;
  const PetscReal     by_mass = system->damping.mass_factor, by_stiffness = system->damping.stiffness_factor;
  PetscReal          *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count * n, &on_unknowns));
  for (PetscInt s = 0; s < count; s++) {
    const SystemSupport *const support = &system->supports[s];

    PetscCall(PetscArraycpy(on_unknowns + s * n, support->damping, n));
    PetscCall(HeldDampingAdd(system, modes, support->stiffness, support->mass, on_unknowns + s * n));
    for (PetscInt t = 0; t < count; t++)
      supports->own_damping[s * count + t] = support->own_damping[t] + by_mass * support->own_mass[t] + by_stiffness * support->own_stiffness[t];
  }
  if (system->damping.num_ratios && modes) AddOwnRatios(system, modes, supports->own_damping);
  for (PetscInt s = 0; s < count; s++) PetscCall(Project(supports, on_unknowns + s * n, supports->damping + s * supports->n));
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Map(Supports *supports, const Modes *modes)
{
  PetscFunctionBegin;
  for (PetscInt s = 0; s < supports->count; s++) {
    const SystemSupport *const support = &supports->system->supports[s];

    PetscCall(Project(supports, support->stiffness, supports->stiffness + s * supports->n));
    PetscCall(Project(supports, support->mass, supports->mass + s * supports->n));
    for (PetscInt l = 0; l < supports->num_loads; l++) {
      const PetscInt place = LoadSystemPlace(&supports->loads[l], supports->system);

      if (place >= 0) supports->load_share[l * supports->count + s] = LoadFactor(&supports->loads[l]) * support->place[place];
    }
  }
  PetscCall(MapDamping(supports, modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateAt(PetscInt count, PetscInt n, SupportsAt *at)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscCalloc1(count, &at->motion[k]));
  PetscCall(PetscCalloc1(n, &at->force));
  PetscCall(PetscCalloc1(count, &at->pushed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroyAt(SupportsAt *at)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < NUM_COURSES; k++) PetscCall(PetscFree(at->motion[k]));
  PetscCall(PetscFree(at->force));
  PetscCall(PetscFree(at->pushed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mass matrix would pass on the impulse of a velocity that jumps. */
static void WarnOfImpulse(const Supports *supports, const Load *load)
{
  const SystemSupport *const support = &supports->system->supports[load->support];
  const Names *const         names   = &supports->system->names;
  PetscReal                  coupled = 0.0;

  if (load->given == COURSE_ACCELERATION || !SignalJumps(&load->signal, load->given == COURSE_DISPLACEMENT)) return;
  for (PetscInt j = 0; j < supports->system->num_unknowns; j++) coupled = PetscMax(coupled, PetscAbsReal(support->mass[j]));
  if (coupled > 0.0)
    LogWarn(
      "%s: the velocity of '%s' jumps; the impulse that its mass passes on to the structure is left out: let it begin and end smoothly, or give "
      "its acceleration",
      InputPath(load->node), names->points[NamesPointOfMotion(names, names->support_motion[load->support])].name);
}

PetscErrorCode SupportsCreate(ModeCache *cache, const Linear *linear, PetscInt num_loads, const Load loads[], PetscReal step, Supports **supports)
{
  const System *const system = linear->system;
  const PetscInt      count = system->names.num_supports, n = linear->n;
  Supports           *made;

  PetscFunctionBegin;
  *supports = NULL;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(supports));
  made  = *supports;
  *made = (Supports){.system = system, .linear = linear, .count = count, .n = n, .num_loads = num_loads, .loads = loads};
  PetscCall(PetscCalloc1(num_loads, &made->courses));
  PetscCall(PetscCalloc3(count * n, &made->stiffness, count * n, &made->damping, count * n, &made->mass));
  PetscCall(PetscCalloc2(count * count, &made->own_damping, num_loads * count, &made->load_share));
  PetscCall(PetscCalloc4(n, &made->u, n, &made->v, count, &made->reaction, count, &made->mean));
  PetscCall(CreateAt(count, n, &made->old));
  PetscCall(CreateAt(count, n, &made->new));
  PetscCall(Map(made, cache->modes[JOINT_STUCK]));
  SupportsRetime(made, step);
  for (PetscInt l = 0; l < num_loads; l++)
    if (loads[l].place == LOAD_ON_SUPPORT) WarnOfImpulse(made, &loads[l]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SupportsDestroy(Supports **supports)
{
  Supports *const s = *supports;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DestroyAt(&s->old));
  PetscCall(DestroyAt(&s->new));
  PetscCall(PetscFree(s->courses));
  PetscCall(PetscFree3(s->stiffness, s->damping, s->mass));
  PetscCall(PetscFree2(s->own_damping, s->load_share));
  PetscCall(PetscFree4(s->u, s->v, s->reaction, s->mean));
  PetscCall(PetscFree(*supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SupportsRetime(Supports *supports, PetscReal step)
{
  for (PetscInt l = 0; l < supports->num_loads; l++)
    if (supports->loads[l].place == LOAD_ON_SUPPORT)
      supports->courses[l] = CourseCreate(&supports->loads[l].signal, supports->loads[l].given, supports->loads[l].amplitude, step);
}

static void Move(Supports *supports, PetscReal time, SupportsAt *at)
{
  for (PetscInt k = 0; k < NUM_COURSES; k++)
    for (PetscInt s = 0; s < supports->count; s++) at->motion[k][s] = 0.0;
  for (PetscInt l = 0; l < supports->num_loads; l++) {
    PetscReal motion[NUM_COURSES];

    if (supports->loads[l].place != LOAD_ON_SUPPORT) continue;
    CourseFind(&supports->courses[l], time, motion);
    for (PetscInt k = 0; k < NUM_COURSES; k++) at->motion[k][supports->loads[l].support] += motion[k];
  }
}

void SupportsFind(Supports *supports, PetscReal time, const PetscReal signal[], SupportsAt *at)
{
  const PetscInt n = supports->n, count = supports->count;

  Move(supports, time, at);
  for (PetscInt j = 0; j < n; j++) at->force[j] = 0.0;
  for (PetscInt s = 0; s < count; s++) {
    const PetscReal        u = at->motion[COURSE_DISPLACEMENT][s], v = at->motion[COURSE_VELOCITY][s], a = at->motion[COURSE_ACCELERATION][s];
    const PetscReal *const K = supports->stiffness + s * n, *const C = supports->damping + s * n, *const M = supports->mass + s * n;

    for (PetscInt j = 0; j < n; j++) at->force[j] -= K[j] * u + C[j] * v + M[j] * a;
    at->pushed[s] = 0.0;
    for (PetscInt l = 0; l < supports->num_loads; l++) at->pushed[s] += supports->load_share[l * count + s] * signal[l];
  }
}

void SupportsKeep(Supports *supports)
{
  const SupportsAt kept = supports->old;

  supports->old = supports->new;
  supports->new = kept;
}

PetscReal SupportsPlace(const Supports *supports, const SupportsAt *at, CourseGiven kind, PetscInt place)
{
  PetscReal motion = 0.0;

  for (PetscInt s = 0; s < supports->count; s++) motion += supports->system->supports[s].place[place] * at->motion[kind][s];
  return motion;
}

void SupportsReact(const Supports *supports, const SupportsAt *at, const State *state, PetscReal reaction[])
{
  const PetscInt n = supports->n, count = supports->count;

  for (PetscInt s = 0; s < count; s++) {
    const SystemSupport *const support = &supports->system->supports[s];
    PetscReal                  sum     = -at->pushed[s];

    sum += RowsTimesOne(n, supports->stiffness + s * n, state->u) + RowsTimesOne(n, supports->damping + s * n, state->v) +
           RowsTimesOne(n, supports->mass + s * n, state->a);
    for (PetscInt t = 0; t < count; t++)
      sum += support->own_stiffness[t] * at->motion[COURSE_DISPLACEMENT][t] + supports->own_damping[s * count + t] * at->motion[COURSE_VELOCITY][t] +
             support->own_mass[t] * at->motion[COURSE_ACCELERATION][t];
    for (PetscInt i = 0; i < supports->system->names.num_nonlinear; i++) sum += support->place[i] * state->remainder[i];
    reaction[s] = sum;
  }
}

void SupportsBegin(Supports *supports, const State *state)
{
  for (PetscInt j = 0; j < supports->n; j++) {
    supports->u[j] = state->u[j];
    supports->v[j] = state->v[j];
  }
  SupportsReact(supports, &supports->old, state, supports->reaction);
}

/* h times the mean velocities in C_s and C_ss. */
static PetscReal Damped(Supports *supports, PetscReal h, const State *state)
{
  const PetscReal *const before = supports->old.motion[COURSE_VELOCITY], *const after = supports->new.motion[COURSE_VELOCITY];
  const PetscInt n = supports->n, count = supports->count;
  PetscReal      damped = 0.0;

  for (PetscInt s = 0; s < count; s++) {
    const PetscReal *const C     = supports->damping + s * n;
    PetscReal              force = 0.0;

    for (PetscInt j = 0; j < n; j++) force += C[j] * (supports->v[j] + state->v[j]);
    for (PetscInt t = 0; t < count; t++) force += supports->own_damping[s * count + t] * 0.5 * (before[t] + after[t]);
    damped += 0.5 * h * (before[s] + after[s]) * force;
  }
  return damped;
}

void SupportsCount(Supports *supports, PetscReal h, State *state)
{
  const PetscReal *const before = supports->old.motion[COURSE_DISPLACEMENT], *const after = supports->new.motion[COURSE_DISPLACEMENT];
  PetscReal work = 0.0;

  for (PetscInt j = 0; j < supports->n; j++) work -= 0.5 * (supports->old.force[j] + supports->new.force[j]) * (state->u[j] - supports->u[j]);
  SupportsReact(supports, &supports->new, state, supports->mean);
  for (PetscInt s = 0; s < supports->count; s++) work += 0.5 * (supports->reaction[s] + supports->mean[s]) * (after[s] - before[s]);
  state->work += work;
  state->damped += Damped(supports, h, state);
}

void SupportsEnergy(const Supports *supports, const State *state, PetscReal *kinetic, PetscReal *strain)
{
  const PetscReal *const u = supports->old.motion[COURSE_DISPLACEMENT], *const v = supports->old.motion[COURSE_VELOCITY];
  const PetscInt n = supports->n, count = supports->count;

  for (PetscInt s = 0; s < count; s++) {
    const SystemSupport *const support = &supports->system->supports[s];

    *kinetic += v[s] * RowsTimesOne(n, supports->mass + s * n, state->v);
    *strain += u[s] * RowsTimesOne(n, supports->stiffness + s * n, state->u);
    for (PetscInt t = 0; t < count; t++) {
      *kinetic += 0.5 * support->own_mass[t] * v[s] * v[t];
      *strain += 0.5 * support->own_stiffness[t] * u[s] * u[t];
    }
  }
}
