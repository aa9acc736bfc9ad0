/*
  period_marched.c - any law through periods from what it remembers, until its loop closes, with the change of all of it.

  A stretch of the loop is a period, or half of one where the motion has odd harmonics alone and the law answers the opposite motion by the opposite
  force: the second half of such a loop is the first with the other sign. The loop is closed first, without changes. It is closed when a stretch
  ends with the memory that it began with, or when the forces of two stretches are alike. Changes then run through all of these stretches from the
  memory of the start, by steps that are linearised (linear_step.h): a point that slips in the first period and sticks afterwards keeps what it
  depends on. dd and dv are sums over the unknowns, dd = phi_n dx; those of the harmonics of the forces are sums over the last stretch, at the end.
*/
#include "linear_step.h"
#include "period_kinds.h"
#include <petscblaslapack.h>

static const PetscReal CLOSED = 1e-10; /* change of forces, of the largest, or of memory, of its range, from one stretch to the next */

typedef struct {
  LinearStep step;
  PetscInt   stretch, per_period; /* samples of a stretch, stretches of a period: 1 or 2 */
  PetscReal  sign;                /* of the motion in the last stretch */
  PetscReal *sense;               /* [num_states] a stretch ends with so much of the memory it began with: 1, -1; 0: nothing can be said */
  PetscInt   columns;             /* unknowns of moved components, with the frequency of viscous laws */
  PetscReal *samples, *slopes;    /* [dim, N] */
  PetscReal *forces;              /* [N] of one component */
  PetscReal *work;
  PetscReal *value, *slope;            /* [stretch, num_functions] the functions and their slopes by the angle; NULL: not needed so far */
  PetscReal *changes;                  /* [num_moved, stretch, columns] of forces in the last stretch */
  PetscReal *memory, *next, *by_input; /* [num_used, columns] its changes, before and after a step; rows of a step */
} March;

static PetscErrorCode Create(Period *period)
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples;
  March         *march;
  PetscInt       states;

  PetscFunctionBegin;
  PetscCall(PetscNew(&march));
  period->data = march;
  PetscCall(LinearStepCreate(period->block, &march->step));
  states            = march->step.num_states;
  march->per_period = period->basis->odd && N % 2 == 0 ? 2 : 1;
  march->stretch    = N / march->per_period;
  march->columns    = march->step.num_moved * P + (march->step.viscous ? 1 : 0);
  PetscCall(PetscMalloc1(states, &march->sense));
  for (PetscInt s = 0; s < states; s++) march->sense[s] = 1.0;
  if (march->per_period == 2) PetscCall(PeriodFindSenses(period->block, march->sense));
  PetscCall(PetscMalloc4(dim * N, &march->samples, dim * N, &march->slopes, N, &march->forces, P + 4, &march->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Period *period)
{
  March *march = period->data;

  PetscFunctionBegin;
  PetscCall(LinearStepDestroy(&march->step));
  PetscCall(PetscFree(march->sense));
  PetscCall(PetscFree4(march->samples, march->slopes, march->forces, march->work));
  PetscCall(PetscFree6(march->value, march->slope, march->changes, march->memory, march->next, march->by_input));
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What changes take is made when they are asked for first: the accuracy of a point needs none. */
static PetscErrorCode PrepareChanges(const Period *period, March *march)
{
  const HarmonicBasis *const basis = period->basis;
  const PetscInt             P = basis->num_functions, size = march->stretch * P, states = march->step.num_states, width = march->step.width;

  PetscFunctionBegin;
  if (march->value) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc6(size, &march->value, size, &march->slope, march->step.num_moved * march->stretch * march->columns, &march->changes,
                         states * march->columns, &march->memory, states * march->columns, &march->next, width * width, &march->by_input));
  for (PetscInt n = 0; n < march->stretch; n++)
    for (PetscInt h = 0; h < basis->num_harmonics; h++) {
      const PetscInt  j = basis->first[h];
      const PetscReal k = (PetscReal)basis->harmonic[h], *const wave = basis->function + j * basis->num_samples + n;
      PetscReal *const value = march->value + n * P + j, *const slope = march->slope + n * P + j;

      value[0] = wave[0];
      if (basis->harmonic[h] == 0) continue;
      value[1] = wave[basis->num_samples];
      slope[0] = -k * value[1];
      slope[1] = k * value[0];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline void AddTimes(PetscInt count, PetscReal factor, const PetscReal *from, PetscReal *to)
{
  for (PetscInt j = 0; j < count; j++) to[j] += factor * from[j];
}

/* What a row of a step comes to by the unknowns: dd = phi dx, dv = W phi' dx + d' dW, dh. In odd stretches every second one has the other sign. */
static void TakeInputs(const Period *period, const March *march, PetscInt n, PetscReal sign, PetscReal frequency, const PetscReal by_input[],
                       PetscReal row[])
{
  const LinearStep *const step = &march->step;
  const PetscInt          P = period->basis->num_functions, N = period->basis->num_samples, columns = march->columns;
  const PetscReal *const by_rate = by_input + step->num_moved, *const by_memory = by_rate + (step->viscous ? step->num_moved : 0);

  for (PetscInt j = 0; j < columns; j++) row[j] = 0.0;
  for (PetscInt c = 0; c < step->num_moved; c++) {
    if (by_input[c] != 0.0) AddTimes(P, sign * by_input[c], march->value + n * P, row + c * P);
    if (!step->viscous || by_rate[c] == 0.0) continue;
    AddTimes(P, sign * frequency * by_rate[c], march->slope + n * P, row + c * P);
    row[columns - 1] += sign * by_rate[c] * march->slopes[step->moved[c] * N + n];
  }
  for (PetscInt s = 0; s < step->num_used; s++)
    if (by_memory[s] != 0.0) AddTimes(columns, by_memory[s], march->memory + s * columns, row);
}

/* What is remembered after step i; most steps of a point that sticks change nothing. */
static PetscErrorCode PropagateMemory(const Period *period, March *march, PetscInt i, PetscReal sign, PetscReal frequency)
{
  LinearStep *const step   = &march->step;
  const PetscInt    inputs = step->inputs, used = step->num_used, own = inputs - used;
  PetscBool         changes = PETSC_FALSE;
  PetscReal        *after   = march->next;

  PetscFunctionBeginHot;
  PetscCall(LinearStepRows(step, i, step->num_moved, step->num_moved + used, march->by_input));
  for (PetscInt s = 0; s < used; s++)
    for (PetscInt e = 0; e < inputs; e++) changes = (PetscBool)(changes || march->by_input[s * inputs + e] != (e == own + s ? 1.0 : 0.0));
  if (!changes) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < used; s++)
    TakeInputs(period, march, i % march->stretch, sign, frequency, march->by_input + s * inputs, after + s * march->columns);
  march->next   = march->memory;
  march->memory = after;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sums over the samples of the last stretch: sum_n weight_i phi_i(n) dforce(n); a second half adds as much again. */
static PetscErrorCode GatherChanges(const Period *period, const March *march, PetscReal tangent[], PetscReal by_frequency[])
{
  const HarmonicBasis *const basis = period->basis;
  const LinearStep *const    step  = &march->step;
  const PetscInt             P = basis->num_functions, size = period->dim * P, columns = march->columns;
  PetscBLASInt               num, samples, wide, count, stride, one = 1;
  PetscReal                  zero = 0.0, unit = march->sign * (PetscReal)march->per_period;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(P, &num));
  PetscCall(PetscBLASIntCast(basis->num_samples, &samples));
  PetscCall(PetscBLASIntCast(columns, &wide));
  PetscCall(PetscBLASIntCast(march->stretch, &count));
  PetscCall(PetscBLASIntCast(size, &stride));
  PetscCall(PetscArrayzero(tangent, size * size));
  for (PetscInt c = 0; c < step->num_moved; c++) {
    const PetscReal *const changes = march->changes + c * march->stretch * columns;
    PetscReal *const       rows    = tangent + step->moved[c] * P * size;

    for (PetscInt d = 0; d < step->num_moved; d++)
      PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &num, &num, &count, &unit, changes + d * P, &wide, basis->function, &samples, &zero,
                                          rows + step->moved[d] * P, &stride));
    for (PetscInt i = 0; i < P; i++)
      for (PetscInt j = 0; j < size; j++) rows[i * size + j] *= basis->weight[i];
    if (!by_frequency || !step->viscous) continue;
    PetscCallBLAS("BLASgemv", BLASgemv_("T", &count, &num, &unit, basis->function, &samples, changes + columns - 1, &wide, &zero,
                                        by_frequency + step->moved[c] * P, &one));
    for (PetscInt i = 0; i < P; i++) by_frequency[step->moved[c] * P + i] *= basis->weight[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The changes through all steps that closed the loop. */
static PetscErrorCode Change(Period *period, PetscReal frequency, PetscReal tangent[], PetscReal by_frequency[])
{
  March *const      march = period->data;
  LinearStep *const step  = &march->step;
  const PetscInt    last  = step->num_steps - march->stretch;
  PetscReal         sign  = 1.0;

  PetscFunctionBeginHot;
  PetscCall(PrepareChanges(period, march));
  PetscCall(PetscArrayzero(march->memory, step->num_used * march->columns));
  for (PetscInt i = 0; i < step->num_steps; i++) {
    const PetscInt n = i % march->stretch;

    if (i > 0 && n == 0 && march->per_period == 2) sign = -sign;
    for (PetscInt c = 0; i >= last && c < step->num_moved; c++) {
      PetscCall(LinearStepRows(step, i, c, c + 1, march->by_input));
      TakeInputs(period, march, n, sign, frequency, march->by_input, march->changes + (c * march->stretch + n) * march->columns);
    }
    if (i + 1 < step->num_steps) PetscCall(PropagateMemory(period, march, i, sign, frequency));
  }
  PetscCall(GatherChanges(period, march, tangent, by_frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GoThrough(Period *period, PetscReal sign, PetscReal frequency)
{
  March *const   march = period->data;
  const PetscInt N     = period->basis->num_samples;
  PetscReal      motion[JOINT_MAX_DIM], velocity[JOINT_MAX_DIM];

  PetscFunctionBeginHot;
  for (PetscInt n = 0; n < march->stretch; n++) {
    for (PetscInt c = 0; c < period->dim; c++) {
      motion[c]   = sign * march->samples[c * N + n];
      velocity[c] = sign * frequency * march->slopes[c * N + n];
    }
    PetscCall(LinearStepTake(&march->step, motion, velocity));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CloseLoop(Period *period, PetscInt point, PetscReal frequency, PeriodVerdict *verdict)
{
  March *const    march = period->data;
  const PetscReal turn  = march->per_period == 2 ? -1.0 : 1.0;
  PetscInt        taken = 0;

  PetscFunctionBeginHot;
  LinearStepBegin(&march->step, point);
  march->sign = turn;
  do {
    march->sign *= turn;
    PetscCall(GoThrough(period, march->sign, frequency));
    verdict->gap = LinearStepGap(&march->step, march->stretch, turn, march->sense);
  } while (verdict->gap > CLOSED && ++taken < PERIOD_MOST * march->per_period);
  verdict->periods = PetscMin(taken / march->per_period + 1, PERIOD_MOST);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Harmonics of the forces of the last stretch. */
static PetscErrorCode Analyse(const Period *period, PetscReal force[])
{
  const March *const march = period->data;
  const PetscInt     from  = march->step.num_steps - march->stretch;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    for (PetscInt n = 0; n < march->stretch; n++) march->forces[n] = march->sign * LinearStepForce(&march->step, from + n, c);
    for (PetscInt n = march->stretch; n < period->basis->num_samples; n++) march->forces[n] = -march->forces[n - march->stretch];
    HarmonicAnalyse(period->basis, march->forces, force + c * period->basis->num_functions);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  March *const         march = period->data;
  const HarmonicBasis *basis = period->basis;
  const PetscInt       N = basis->num_samples, P = basis->num_functions;
  PetscBool            known;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    HarmonicSample(basis, x + c * P, march->work, march->samples + c * N);
    HarmonicSampleSlope(basis, x + c * P, march->work, march->slopes + c * N);
  }
  do {
    PetscCall(CloseLoop(period, point, frequency, verdict));
    PetscCall(LinearStepLearn(&march->step, tangent ? 0 : march->step.num_steps - march->stretch, &known));
  } while (!known);
  PetscCall(Analyse(period, force));
  if (tangent) PetscCall(Change(period, frequency, tangent, by_frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_marched = {Create, Destroy, Evaluate};
