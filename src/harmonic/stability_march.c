/* stability_march.c - columns of small changes through a period, a few lanes at a time. */
#include "stability_step.h"

enum { LANES = STABILITY_LANES };

/* What the lanes are worked out in: rows of LANES numbers each. */
typedef struct {
  PetscReal *velocity, *place;      /* [num_modes] */
  PetscReal *motion, *rate, *force; /* [num_rows] d, d', g */
  PetscReal *held, *sum, *memory;   /* [num_rows], [num_rows], [num_memory] */
} March;

static inline void AddLanes(PetscReal factor, const PetscReal *x, PetscReal *y)
{
  for (PetscInt l = 0; l < LANES; l++) y[l] += factor * x[l];
}

/* y = A x of rows of lanes. */
static inline void Times(PetscInt rows, PetscInt inner, const PetscReal A[], const PetscReal *x, PetscReal *y)
{
  for (PetscInt r = 0; r < rows; r++) {
    PetscReal sum[LANES] = {0.0};

    for (PetscInt k = 0; k < inner; k++)
      for (PetscInt l = 0; l < LANES; l++) sum[l] += A[r * inner + k] * x[k * LANES + l];
    for (PetscInt l = 0; l < LANES; l++) y[r * LANES + l] = sum[l];
  }
}

static inline void AddTimes(PetscInt rows, PetscInt inner, PetscReal factor, const PetscReal A[], const PetscReal *x, PetscReal *y)
{
  for (PetscInt r = 0; r < rows; r++) {
    PetscReal sum[LANES] = {0.0};

    for (PetscInt k = 0; k < inner; k++)
      for (PetscInt l = 0; l < LANES; l++) sum[l] += A[r * inner + k] * x[k * LANES + l];
    for (PetscInt l = 0; l < LANES; l++) y[r * LANES + l] += factor * sum[l];
  }
}

static inline void Add(const StepEntries *list, const PetscReal *from, PetscReal *to)
{
  for (PetscInt e = 0; e < list->count; e++) AddLanes(list->entries[e].value, from + list->entries[e].from * LANES, to + list->entries[e].to * LANES);
}

static inline void Zero(PetscInt rows, PetscReal *x)
{
  for (PetscInt i = 0; i < rows * LANES; i++) x[i] = 0.0;
}

/* The motion as it would be without forces of joints, and where that takes the rows. */
static void Predict(const StabilityStep *step, const PetscReal *state, March *m)
{
  const StabilityColumns *const c = step->columns;
  const PetscInt                n = c->num_modes;
  const PetscReal half = 0.5 * step->size.length, *const velocity = state + n * LANES;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal pull = half * c->eigenvalue[j];

    for (PetscInt l = 0; l < LANES; l++) m->place[j * LANES + l] = velocity[j * LANES + l] - pull * state[j * LANES + l];
  }
  if (c->structure->coupled) Times(n, n, step->size.inverse, m->place, m->velocity);
  else
    for (PetscInt j = 0; j < n; j++)
      for (PetscInt l = 0; l < LANES; l++) m->velocity[j * LANES + l] = step->size.inverse[j] * m->place[j * LANES + l];
  for (PetscInt i = 0; i < n * LANES; i++) m->place[i] = state[i] + half * m->velocity[i];
  Times(c->num_rows, n, c->map, m->place, m->motion);
  if (c->viscous) Times(c->num_rows, n, c->map, m->velocity, m->rate);
}

/* The forces of the joints at the end of the step, and the velocities and motions of rows with them. */
static void Balance(const StabilityStep *step, const PetscReal *memory, March *m)
{
  const StabilityColumns *const c    = step->columns;
  const PetscInt                rows = c->num_rows;

  if (c->past >= 0) AddTimes(rows, rows, 1.0 / step->size.length, c->residual, memory + c->past * LANES, m->rate);
  Zero(rows, m->held);
  Add(&step->held, memory, m->held);
  for (PetscInt i = 0; i < rows * LANES; i++) m->sum[i] = m->held[i];
  Add(&step->scalar, memory, m->sum);
  Times(rows, rows, step->solve, m->sum, m->force);
  AddTimes(rows, rows, 1.0, step->gain, m->motion, m->force);
  if (c->viscous) AddTimes(rows, rows, 1.0, step->rate_gain, m->rate, m->force);
  AddTimes(rows, rows, -1.0, step->size.near, m->force, m->motion);
  if (c->viscous) AddTimes(rows, rows, -1.0, step->size.rate, m->force, m->rate);
}

static void Remember(const StabilityStep *step, PetscReal *memory, March *m)
{
  if (step->num_fresh == 0) return;
  for (PetscInt i = 0; i < step->columns->num_memory * LANES; i++) m->memory[i] = memory[i];
  for (PetscInt f = 0; f < step->num_fresh; f++) Zero(1, memory + step->fresh[f] * LANES);
  Add(&step->by_memory, m->memory, memory);
  Add(&step->by_motion, m->motion, memory);
  if (step->columns->viscous) Add(&step->by_rate, m->rate, memory);
}

/* Forces behind a jump of tangents, from the motion there. With modes that were left out the rows jump as well: d = b q - R g. */
static void Jump(const StabilityStep *step, const PetscReal *memory, March *m)
{
  const StabilityColumns *const c    = step->columns;
  const PetscInt                rows = c->num_rows;

  if (c->viscous) AddTimes(rows, rows, 1.0, step->viscous, m->rate, m->held);
  Add(&step->later, memory, m->held);
  if (c->residual) AddTimes(rows, rows, 1.0, c->residual, m->force, m->motion);
  AddTimes(rows, rows, 1.0, step->after, m->motion, m->held);
  if (c->residual) Times(rows, rows, step->solve_after, m->held, m->force);
  else
    for (PetscInt i = 0; i < rows * LANES; i++) m->force[i] = m->held[i];
}

/* y = z + dt'/2 z' behind a jump. */
static void Restart(const StabilityStep *step, PetscReal next, PetscReal *state, March *m)
{
  const StabilityColumns *const c = step->columns;
  const PetscInt                n = c->num_modes, rows = c->num_rows;
  PetscReal *const              velocity = state + n * LANES;

  for (PetscInt j = 0; j < n; j++) {
    PetscReal pull[LANES] = {0.0};

    for (PetscInt r = 0; r < rows; r++) AddLanes(-c->map[r * n + j], m->force + r * LANES, pull);
    AddLanes(-c->eigenvalue[j], m->place + j * LANES, pull);
    if (c->structure->coupled)
      for (PetscInt i = 0; i < n; i++) AddLanes(-c->damping[j * n + i], m->velocity + i * LANES, pull);
    else AddLanes(-c->damping[j], m->velocity + j * LANES, pull);
    for (PetscInt l = 0; l < LANES; l++) {
      state[j * LANES + l]    = m->place[j * LANES + l] + 0.5 * next * m->velocity[j * LANES + l];
      velocity[j * LANES + l] = m->velocity[j * LANES + l] + 0.5 * next * pull[l];
    }
  }
}

static void KeepForces(const StabilityStep *step, PetscReal *memory, const March *m)
{
  const StabilityColumns *const c = step->columns;

  for (PetscInt i = 0; c->past >= 0 && i < c->num_rows * LANES; i++) memory[c->past * LANES + i] = m->force[i];
}

static void Advance(const StabilityStep *step, PetscReal next, PetscReal *state, March *m)
{
  const StabilityColumns *const c      = step->columns;
  const PetscInt                n      = c->num_modes;
  PetscReal *const              memory = state + 2 * n * LANES;
  const PetscReal               half   = 0.5 * step->size.length;

  Predict(step, state, m);
  Balance(step, memory, m);
  AddTimes(n, c->num_rows, -1.0, step->size.push, m->force, m->velocity);
  if (!step->turns) {
    for (PetscInt i = 0; i < n * LANES; i++) {
      state[i] += 2.0 * half * m->velocity[i];
      state[n * LANES + i] = 2.0 * m->velocity[i] - state[n * LANES + i];
    }
    Remember(step, memory, m);
    KeepForces(step, memory, m);
    return;
  }
  for (PetscInt i = 0; i < n * LANES; i++) m->place[i] = state[i] + half * m->velocity[i];
  Remember(step, memory, m);
  Jump(step, memory, m);
  KeepForces(step, memory, m);
  Restart(step, next, state, m);
}

static PetscErrorCode MarchCreate(const StabilityColumns *c, March *m)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(c->num_modes * LANES, &m->velocity, c->num_modes * LANES, &m->place));
  PetscCall(PetscMalloc6(c->num_rows * LANES, &m->motion, c->num_rows * LANES, &m->rate, c->num_rows * LANES, &m->force, c->num_rows * LANES,
                         &m->held, c->num_rows * LANES, &m->sum, c->num_memory * LANES, &m->memory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MarchDestroy(March *m)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(m->velocity, m->place));
  PetscCall(PetscFree6(m->motion, m->rate, m->force, m->held, m->sum, m->memory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityColumnsMarch(const StabilityColumns *c, PetscReal frequency, PetscReal monodromy[])
{
  const StabilityGrid *const grid   = c->grid;
  const PetscInt             height = (2 * c->num_modes + c->num_memory) * LANES, groups = (c->num_columns + LANES - 1) / LANES;
  StabilityStep              step;
  March                      march;
  PetscReal                 *state;

  PetscFunctionBegin;
  PetscCall(StabilityStepCreate(c, &step));
  PetscCall(MarchCreate(c, &march));
  PetscCall(PetscCalloc1(groups * height, &state));
  for (PetscInt i = 0; i < c->num_columns; i++) state[i / LANES * height + c->begin[i] * LANES + i % LANES] = 1.0;
  for (PetscInt i = 0; i < grid->num_steps; i++) {
    const PetscInt  next   = (i + 1) % grid->num_steps;
    const PetscReal length = (grid->theta[next + 1] - grid->theta[next]) / frequency;

    PetscCall(StabilityStepAssemble(&step, i, frequency));
    for (PetscInt g = 0; g < groups; g++) Advance(&step, length, state + g * height, &march);
  }
  for (PetscInt i = 0; i < c->num_columns; i++)
    for (PetscInt j = 0; j < c->num_columns; j++) monodromy[i * c->num_columns + j] = state[j / LANES * height + c->begin[i] * LANES + j % LANES];
  PetscCall(PetscFree(state));
  PetscCall(MarchDestroy(&march));
  PetscCall(StabilityStepDestroy(&step));
  PetscFunctionReturn(PETSC_SUCCESS);
}
