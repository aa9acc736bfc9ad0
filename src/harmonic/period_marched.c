/*
  period_marched.c - any law through periods from what it remembers, until its loop closes, with the change of all of it.

  A step is linearised once (linear_step.h),

      df = t dd + c dv + r dh        dh' = A dd + V dv + E dh

  and dd, dv are sums over the unknowns, dd = phi_n dx. The loop is closed first, without changes, which then run through all of these periods
  from the memory of the start: a point that slips in the first period and sticks afterwards keeps what it depends on. Components that no
  row moves have no unknowns, and states that nothing depends on, as what a law keeps to be told, are left out.
*/
#include "linear_step.h"
#include "period_kinds.h"

static const PetscReal CLOSED = 1e-10; /* change of forces from one period to the next, of the largest force */

typedef struct {
  LinearStep step;
  PetscInt   columns;              /* unknowns, with the frequency */
  PetscBool *used;                 /* [num_states] forces depend on them, as far as is known */
  PetscInt  *column;               /* [dim] of the first unknown of each component; -1: nothing moves it */
  PetscReal *samples, *slopes;     /* [dim, N] */
  PetscReal *forces, *before;      /* [N, dim] of the period, and of the one before */
  PetscReal *memory, *next_memory; /* [num_states, columns] their changes */
  PetscReal *change_force;         /* [dim, columns] */
  PetscReal *value, *slope;        /* [num_functions] */
  PetscReal *work;
} March;

/* Whether some row moves this component of some point. */
static PetscBool IsMoved(const SystemBlock *block, PetscInt component)
{
  const PetscInt n = block->block.num_points;

  return (PetscBool)(block->first[(component + 1) * n] > block->first[component * n]);
}

static PetscErrorCode Create(Period *period)
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples;
  March         *march;
  PetscInt       states, size;

  PetscFunctionBegin;
  PetscCall(PetscNew(&march));
  period->data = march;
  PetscCall(LinearStepCreate(&period->block->block, &march->step));
  states = march->step.num_states;
  PetscCall(PetscCalloc2(states, &march->used, dim, &march->column));
  for (PetscInt c = 0; c < dim; c++) {
    march->column[c] = IsMoved(period->block, c) ? march->columns : -1;
    if (march->column[c] >= 0) march->columns += P;
  }
  march->columns += march->step.viscous ? 1 : 0;
  size = states * march->columns;
  PetscCall(PetscCalloc4(dim * N, &march->samples, dim * N, &march->slopes, dim * N, &march->forces, dim * N, &march->before));
  PetscCall(PetscCalloc3(size, &march->memory, size, &march->next_memory, dim * march->columns, &march->change_force));
  PetscCall(PetscCalloc3(P, &march->value, P, &march->slope, P + 4, &march->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Period *period)
{
  March *march = period->data;

  PetscFunctionBegin;
  PetscCall(LinearStepDestroy(&march->step));
  PetscCall(PetscFree4(march->samples, march->slopes, march->forces, march->before));
  PetscCall(PetscFree3(march->memory, march->next_memory, march->change_force));
  PetscCall(PetscFree3(march->value, march->slope, march->work));
  PetscCall(PetscFree2(march->used, march->column));
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* row += coefficient times what an input is a sum of: dd = phi dx, dv = W phi' dx + d' dW, dh. */
static void AddInput(const Period *period, const March *march, PetscInt n, PetscReal frequency, const PetscReal by_input[], PetscReal row[])
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples, columns = march->columns;
  const PetscInt memory_from = (march->step.viscous ? 2 : 1) * dim;

  for (PetscInt c = 0; c < dim; c++) {
    const PetscReal  by_motion = by_input[c], by_velocity = march->step.viscous ? frequency * by_input[dim + c] : 0.0;
    PetscReal *const to = row + march->column[c];

    if (march->column[c] < 0) continue;
    if (by_motion != 0.0)
      for (PetscInt j = 0; j < P; j++) to[j] += by_motion * march->value[j];
    if (by_velocity == 0.0) continue;
    for (PetscInt j = 0; j < P; j++) to[j] += by_velocity * march->slope[j];
    row[columns - 1] += by_input[dim + c] * march->slopes[c * N + n];
  }
  for (PetscInt s = 0; s < march->step.num_states; s++) {
    const PetscReal  by_memory = by_input[memory_from + s];
    const PetscReal *memory    = march->memory + s * columns;

    if (by_memory != 0.0)
      for (PetscInt j = 0; j < columns; j++) row[j] += by_memory * memory[j];
  }
}

/* States that a force, or a state that is used, depends on are used; false where one was not known to be. */
static PetscBool KnowsUsed(March *march, PetscInt memory_from, const PetscReal by_input[])
{
  PetscBool known = PETSC_TRUE;

  for (PetscInt s = 0; s < march->step.num_states; s++) {
    if (by_input[memory_from + s] == 0.0 || march->used[s]) continue;
    march->used[s] = PETSC_TRUE;
    known          = PETSC_FALSE;
  }
  return known;
}

/* The changes of the forces and of the memory by all unknowns, from the linearised step; `known` is false where a state was left out that is
   used. */
static PetscErrorCode PropagateChange(const Period *period, PetscInt n, PetscReal frequency, March *march, PetscBool *known)
{
  const PetscInt dim = period->dim, columns = march->columns, memory_from = (march->step.viscous ? 2 : 1) * dim;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(march->change_force, dim * columns));
  PetscCall(PetscArrayzero(march->next_memory, march->step.num_states * columns));
  for (PetscInt c = 0; c < dim; c++) {
    if (march->column[c] < 0) continue;
    if (!KnowsUsed(march, memory_from, march->step.dforce + c * march->step.inputs)) *known = PETSC_FALSE;
    AddInput(period, march, n, frequency, march->step.dforce + c * march->step.inputs, march->change_force + c * columns);
  }
  for (PetscInt s = 0; s < march->step.num_states; s++) {
    if (!march->used[s]) continue;
    if (!KnowsUsed(march, memory_from, march->step.change.states + s * march->step.inputs)) *known = PETSC_FALSE;
    AddInput(period, march, n, frequency, march->step.change.states + s * march->step.inputs, march->next_memory + s * columns);
  }
  PetscCall(PetscArraycpy(march->memory, march->next_memory, march->step.num_states * columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step to a sample, accepted. */
static PetscErrorCode Step(Period *period, PetscInt n, PetscReal frequency)
{
  March *const   march = period->data;
  const PetscInt dim = period->dim, N = period->basis->num_samples;
  PetscReal      motion[JOINT_MAX_DIM] = {0.0}, velocity[JOINT_MAX_DIM] = {0.0};

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < dim; c++) {
    motion[c]   = march->samples[c * N + n];
    velocity[c] = frequency * march->slopes[c * N + n];
  }
  PetscCall(LinearStepTake(&march->step, motion, velocity));
  for (PetscInt c = 0; c < dim; c++) march->forces[n * dim + c] = march->step.force[c * march->step.copies];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the changes of a sample to those of the harmonics. */
static void AddSample(const Period *period, PetscReal tangent[], PetscReal by_frequency[])
{
  const March *const         march = period->data;
  const HarmonicBasis *const basis = period->basis;
  const PetscInt             dim = period->dim, P = basis->num_functions;

  for (PetscInt c = 0; c < dim; c++) {
    const PetscReal *change = march->change_force + c * march->columns;

    if (march->column[c] < 0) continue;
    for (PetscInt i = 0; i < P; i++) {
      const PetscReal share = basis->weight[i] * march->value[i];

      for (PetscInt d = 0; d < dim; d++) {
        PetscReal *const       to   = tangent + (c * P + i) * dim * P + d * P;
        const PetscReal *const from = change + march->column[d];

        if (march->column[d] < 0) continue;
        for (PetscInt j = 0; j < P; j++) to[j] += share * from[j];
      }
      if (by_frequency && march->step.viscous) by_frequency[c * P + i] += share * change[march->columns - 1];
    }
  }
}

/* The functions and their slopes by the angle, at a sample. */
static void TakeFunctions(const HarmonicBasis *basis, PetscInt n, March *march)
{
  for (PetscInt h = 0, j = 0; h < basis->num_harmonics; h++, j++) {
    const PetscReal k = (PetscReal)basis->harmonic[h];

    march->value[j] = basis->function[j * basis->num_samples + n];
    march->slope[j] = 0.0;
    if (basis->harmonic[h] == 0) continue;
    march->value[j + 1] = basis->function[(j + 1) * basis->num_samples + n];
    march->slope[j]     = -k * march->value[j + 1];
    march->slope[j + 1] = k * march->value[j];
    j++;
  }
}

/* Periods with the changes of the joint, of which those of the last are gathered. */
static PetscErrorCode GoRoundWithChanges(Period *period, PetscInt periods, PetscReal frequency, PetscReal tangent[], PetscReal by_frequency[],
                                         PetscBool *known)
{
  March *const               march = period->data;
  const HarmonicBasis *const basis = period->basis;
  const PetscInt             size  = period->dim * basis->num_functions;

  PetscFunctionBeginHot;
  *known = PETSC_TRUE;
  PetscCall(PetscArrayzero(tangent, size * size));
  if (by_frequency) PetscCall(PetscArrayzero(by_frequency, size));
  for (PetscInt p = 1; p <= periods && *known; p++)
    for (PetscInt n = 0; n < basis->num_samples && *known; n++) {
      TakeFunctions(basis, n, march);
      PetscCall(Step(period, n, frequency));
      PetscCall(PropagateChange(period, n, frequency, march, known));
      if (p == periods) AddSample(period, tangent, by_frequency);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much the forces differ from those a period ago, of the largest. */
static PetscReal Gap(const Period *period)
{
  const March *const march   = period->data;
  PetscReal          largest = 0.0, most = 0.0;

  for (PetscInt i = 0; i < period->dim * period->basis->num_samples; i++) {
    largest = PetscMax(largest, PetscAbsReal(march->forces[i]));
    most    = PetscMax(most, PetscAbsReal(march->forces[i] - march->before[i]));
  }
  return largest > 0.0 ? most / largest : 0.0;
}

/* Goes round with one copy of the point until the loop closes. */
static PetscErrorCode CloseLoop(Period *period, PetscInt point, PetscReal frequency, PeriodVerdict *verdict)
{
  March *const   march = period->data;
  const PetscInt N     = period->basis->num_samples;

  PetscFunctionBeginHot;
  LinearStepBegin(&march->step, period->block, point, PETSC_FALSE);
  for (verdict->periods = 1; verdict->periods <= PERIOD_MOST; verdict->periods++) {
    for (PetscInt n = 0; n < N; n++) PetscCall(Step(period, n, frequency));
    verdict->gap = verdict->periods > 1 ? Gap(period) : 1.0;
    if (verdict->gap <= CLOSED) break;
    PetscCall(PetscArraycpy(march->before, march->forces, period->dim * N));
  }
  verdict->periods = PetscMin(verdict->periods, PERIOD_MOST);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  March *const         march = period->data;
  const HarmonicBasis *basis = period->basis;
  const PetscInt       N = basis->num_samples, P = basis->num_functions;
  PetscBool            known = PETSC_FALSE;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    HarmonicSample(basis, x + c * P, march->work, march->samples + c * N);
    HarmonicSampleSlope(basis, x + c * P, march->work, march->slopes + c * N);
  }
  PetscCall(CloseLoop(period, point, frequency, verdict));
  for (PetscInt c = 0; c < period->dim; c++) {
    for (PetscInt n = 0; n < N; n++) march->before[n] = march->forces[n * period->dim + c];
    HarmonicAnalyse(basis, march->before, force + c * P);
  }
  while (tangent && !known) {
    LinearStepBegin(&march->step, period->block, point, PETSC_TRUE);
    PetscCall(PetscArrayzero(march->memory, march->step.num_states * march->columns));
    PetscCall(GoRoundWithChanges(period, verdict->periods, frequency, tangent, by_frequency, &known));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_marched = {Create, Destroy, Evaluate};
