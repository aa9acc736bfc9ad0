/*
  period_marched.c - any law through periods from what it remembers, until its loop closes, with the change of all of it.

  A step is linearised once (linear_step.h), and dd, dv are sums over the unknowns, dd = phi_n dx. The change runs through all periods from
  the memory of the start, which does not change: a point that slips in the first period and sticks afterwards keeps what it depends on.
*/
#include "linear_step.h"
#include "period_kinds.h"

static const PetscReal CLOSED = 1e-10; /* change of forces from one period to the next, of the largest force */

typedef struct {
  LinearStep step;
  PetscInt   columns;              /* unknowns, with the frequency */
  PetscReal *samples, *slopes;     /* [dim, N] */
  PetscReal *forces, *before;      /* [N, dim] of the period, and of the one before */
  PetscReal *memory, *next_memory; /* [num_states, columns] their changes */
  PetscReal *change_force;         /* [dim, columns] */
  PetscReal *value, *slope;        /* [num_functions] */
  PetscReal *work;
} March;

static PetscErrorCode Create(Period *period)
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples;
  March         *march;
  PetscInt       size;

  PetscFunctionBegin;
  PetscCall(PetscNew(&march));
  period->data = march;
  PetscCall(LinearStepCreate(&period->block->block, &march->step));
  march->columns = dim * P + (march->step.viscous ? 1 : 0);
  size           = march->step.num_states * march->columns;
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
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* row += coefficient times what an input is a sum of: dd = phi dx, dv = W phi' dx + d' dW, dh. */
static void AddInput(const Period *period, const March *march, PetscInt n, PetscReal frequency, const PetscReal by_input[], PetscInt stride,
                     PetscReal row[])
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples, columns = march->columns;

  for (PetscInt c = 0; c < dim; c++) {
    const PetscReal by_motion = by_input[c * stride], by_velocity = march->step.viscous ? by_input[(dim + c) * stride] : 0.0;

    for (PetscInt j = 0; j < P; j++) row[c * P + j] += by_motion * march->value[j] + by_velocity * frequency * march->slope[j];
    if (march->step.viscous) row[columns - 1] += by_velocity * march->slopes[c * N + n];
  }
  for (PetscInt s = 0; s < march->step.num_states; s++) {
    const PetscReal  by_memory = by_input[((march->step.viscous ? 2 : 1) * dim + s) * stride];
    const PetscReal *memory    = march->memory + s * columns;

    if (by_memory != 0.0)
      for (PetscInt j = 0; j < columns; j++) row[j] += by_memory * memory[j];
  }
}

/* The changes of the forces and of the memory by all unknowns, from the linearised step. */
static PetscErrorCode PropagateChange(const Period *period, PetscInt n, PetscReal frequency, March *march)
{
  const PetscInt dim = period->dim, columns = march->columns;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(march->change_force, dim * columns));
  PetscCall(PetscArrayzero(march->next_memory, march->step.num_states * columns));
  for (PetscInt c = 0; c < dim; c++)
    AddInput(period, march, n, frequency, march->step.dforce + c * march->step.inputs, 1, march->change_force + c * columns);
  for (PetscInt s = 0; s < march->step.num_states; s++)
    AddInput(period, march, n, frequency, march->step.change.states + s * march->step.inputs, 1, march->next_memory + s * columns);
  PetscCall(PetscArraycpy(march->memory, march->next_memory, march->step.num_states * columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step to a sample, linearised and accepted. */
static PetscErrorCode Step(Period *period, PetscInt n, PetscReal frequency, PetscBool differentiate)
{
  March *const   march = period->data;
  const PetscInt dim = period->dim, N = period->basis->num_samples;
  PetscReal      motion[JOINT_MAX_DIM], velocity[JOINT_MAX_DIM];

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < dim; c++) {
    motion[c]   = march->samples[c * N + n];
    velocity[c] = frequency * march->slopes[c * N + n];
  }
  PetscCall(LinearStepTake(&march->step, motion, velocity, differentiate));
  for (PetscInt c = 0; c < dim; c++) march->forces[n * dim + c] = march->step.force[c * march->step.inputs];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a sample to the harmonics. */
static void AddSample(const Period *period, PetscInt n, PetscReal force[], PetscReal tangent[], PetscReal by_frequency[])
{
  const March *const         march = period->data;
  const HarmonicBasis *const basis = period->basis;
  const PetscInt             dim = period->dim, P = basis->num_functions;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt i = 0; i < P; i++) {
      const PetscReal  share  = basis->weight[i] * march->value[i];
      const PetscReal *change = march->change_force + c * march->columns;

      force[c * P + i] += share * march->forces[n * dim + c];
      if (!tangent) continue;
      for (PetscInt j = 0; j < dim * P; j++) tangent[(c * P + i) * dim * P + j] += share * change[j];
      if (by_frequency && march->step.viscous) by_frequency[c * P + i] += share * change[dim * P];
    }
}

static PetscErrorCode GoRound(Period *period, PetscReal frequency, PetscReal force[], PetscReal tangent[], PetscReal by_frequency[])
{
  March *const               march = period->data;
  const HarmonicBasis *const basis = period->basis;
  const PetscInt             dim = period->dim, P = basis->num_functions;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(force, dim * P));
  if (tangent) PetscCall(PetscArrayzero(tangent, dim * P * dim * P));
  if (by_frequency) PetscCall(PetscArrayzero(by_frequency, dim * P));
  for (PetscInt n = 0; n < basis->num_samples; n++) {
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
    PetscCall(Step(period, n, frequency, (PetscBool)(tangent != NULL)));
    if (tangent) PetscCall(PropagateChange(period, n, frequency, march));
    AddSample(period, n, force, tangent, by_frequency);
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

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  March *const   march = period->data;
  const PetscInt N = period->basis->num_samples, P = period->basis->num_functions;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    HarmonicSample(period->basis, x + c * P, march->work, march->samples + c * N);
    HarmonicSampleSlope(period->basis, x + c * P, march->work, march->slopes + c * N);
  }
  LinearStepBegin(&march->step, period->block, point);
  PetscCall(PetscArrayzero(march->memory, march->step.num_states * march->columns));
  for (verdict->periods = 1; verdict->periods <= PERIOD_MOST; verdict->periods++) {
    PetscCall(GoRound(period, frequency, force, tangent, by_frequency));
    verdict->gap = verdict->periods > 1 ? Gap(period) : 1.0;
    if (verdict->gap <= CLOSED) break;
    PetscCall(PetscArraycpy(march->before, march->forces, period->dim * N));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_marched = {Create, Destroy, Evaluate};
