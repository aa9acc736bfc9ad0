/*
  period_marched.c - any law through periods from what it remembers, until its loop closes, with the change of all of it.

  A stretch of the loop is a period, or half of one where the motion has odd harmonics alone and the law answers the opposite motion by the opposite
  force: the second half of such a loop is the first with the other sign. The loop is closed first, without changes (linear_loop.h). Changes then run
  through all of these stretches from the memory of the start, by steps that are linearised (linear_step.h): a point that slips in the first period
  and sticks afterwards keeps what it depends on. Where Newton's rule closed the loop they run through the last one alone, with those of the memory
  at its beginning, which follow: E dh + dh_x = sense dh. dd and dv are sums over the unknowns, dd = phi_n dx; changes of the harmonics of the forces
  are sums over the last stretch, at the end.
*/
#include "linear_loop.h"
#include "masing_path.h"
#include <petscblaslapack.h>

typedef struct {
  LinearStep step;
  LinearLoop loop;
  PetscReal  frequency;
  PetscInt   per_period;       /* stretches: 1 or 2 */
  PetscReal *sense;            /* of the loop */
  PetscInt   columns;          /* unknowns of moved components, with the frequency of viscous laws */
  PetscInt   wide;             /* those, and the memory at the beginning of the last stretch where the loop jumped */
  PetscReal *samples, *slopes; /* [dim, stretch] of the basis */
  MasingPath extremes;         /* where a motion of one component turns: steps end there, too */
  PetscInt  *at;               /* [count] what a step of a stretch goes to: a sample; -1 - e: extreme e */
  PetscReal *turned;           /* [num_extremes, dim] motions there */
  PetscReal *forces;           /* [stretch] of one component */
  PetscReal *work;
  PetscReal *value, *slope; /* [stretch, num_functions] the functions and their slopes by the angle; NULL: not needed so far */
  PetscReal *changes;       /* [num_moved, stretch, wide] of forces in the last stretch */
  PetscReal *memory, *next; /* [num_used, wide] its changes, before and after a step */
  PetscReal *by_input;      /* rows of a step */
} March;

static PetscErrorCode GoThrough(void *context, PetscReal sign)
{
  const Period *const period = context;
  March *const        march  = period->data;
  const PetscInt      dim = period->dim, stretch = period->basis->stretch;
  PetscReal           motion[JOINT_MAX_DIM], velocity[JOINT_MAX_DIM];

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < march->loop.count; i++) {
    const PetscInt n = march->at[i];

    for (PetscInt c = 0; c < dim; c++) {
      motion[c]   = sign * (n < 0 ? march->turned[(-1 - n) * dim + c] : march->samples[c * stretch + n]);
      velocity[c] = n < 0 ? 0.0 : sign * march->frequency * march->slopes[c * stretch + n];
    }
    PetscCall(LinearStepTake(&march->step, motion, velocity));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Extreme e of the motion, in the order of the angles that it has in a period: 0 .. 2 pi, in parts of a sample. */
static PetscReal PlaceOfExtreme(const March *march, PetscInt e)
{
  const PetscReal part = march->extremes.extremes[e].theta / (2.0 * PETSC_PI);

  return (PetscReal)march->extremes.basis->num_samples * (part - PetscFloorReal(part));
}

/* A step of a stretch: to an extreme behind the last sample. */
static void GoToExtreme(const Period *period, March *march, PetscInt e, const PetscReal x[])
{
  const PetscInt  dim = period->dim, P = period->basis->num_functions;
  const PetscReal theta = march->extremes.extremes[e].theta;
  PetscReal       slope, curvature;

  march->at[march->loop.count++] = -1 - e;
  for (PetscInt c = 0; c < dim; c++) HarmonicMotionAt(period->basis, x + c * P, theta, &march->turned[e * dim + c], &slope, &curvature);
}

/* The steps of a stretch: its samples, and the extremes of the motion between them, if there is only one. */
static PetscErrorCode ListSteps(const Period *period, March *march, const PetscReal x[])
{
  const LinearStep *const step    = &march->step;
  const PetscInt          stretch = period->basis->stretch, c = step->num_moved ? step->moved[0] : 0;
  PetscInt                first = 0;

  PetscFunctionBeginHot;
  march->loop.count            = 0;
  march->extremes.num_extremes = 0;
  if (step->num_moved == 1)
    PetscCall(MasingPathFindExtremes(&march->extremes, x + c * period->basis->num_functions, march->samples + c * stretch, 0.0));
  for (PetscInt e = 1; e < march->extremes.num_extremes; e++)
    if (PlaceOfExtreme(march, e) < PlaceOfExtreme(march, first)) first = e;
  for (PetscInt n = 0, k = 0; n < stretch; n++) {
    march->at[march->loop.count++] = n;
    for (; k < march->extremes.num_extremes; k++) {
      const PetscInt  e     = (first + k) % march->extremes.num_extremes;
      const PetscReal place = PlaceOfExtreme(march, e);

      if (place >= (PetscReal)(n + 1)) break;
      if (place > (PetscReal)n) GoToExtreme(period, march, e, x);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a law that is odd. */
static PetscErrorCode TakeSenses(const Period *period, March *march)
{
  PetscReal *found = NULL;

  PetscFunctionBegin;
  if (!period->sense) PetscCall(PeriodSensesCreate(period->block, &found));
  PetscCall(PetscArraycpy(march->sense, found ? found : period->sense, march->step.num_states));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(Period *period)
{
  const PetscInt dim = period->dim, P = period->basis->num_functions, N = period->basis->num_samples, stretch = period->basis->stretch;
  March         *march;
  PetscInt       states;

  PetscFunctionBegin;
  PetscCall(PetscNew(&march));
  period->data = march;
  PetscCall(LinearStepCreate(period->block, &march->step));
  states            = march->step.num_states;
  march->per_period = N / stretch;
  march->columns    = march->step.num_moved * P + (march->step.viscous ? 1 : 0);
  PetscCall(PetscMalloc1(states, &march->sense));
  for (PetscInt s = 0; s < states; s++) march->sense[s] = 1.0;
  if (march->per_period == 2) PetscCall(TakeSenses(period, march));
  march->loop           = (LinearLoop){.turn     = period->basis->turn,
                                       .sense    = march->sense,
                                       .go       = GoThrough,
                                       .context  = period,
                                       .most     = PERIOD_MOST * march->per_period,
                                       .patience = period->basis->odd ? LOOP_PATIENCE : PERIOD_MOST * march->per_period};
  march->extremes.basis = period->basis;
  PetscCall(PetscMalloc4(dim * stretch, &march->samples, dim * stretch, &march->slopes, stretch, &march->forces, P + 4, &march->work));
  PetscCall(PetscMalloc2(2 * N, &march->at, N * dim, &march->turned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Period *period)
{
  March *march = period->data;

  PetscFunctionBegin;
  PetscCall(LinearStepDestroy(&march->step));
  PetscCall(PetscFree(march->sense));
  PetscCall(PetscFree4(march->samples, march->slopes, march->forces, march->work));
  PetscCall(PetscFree2(march->at, march->turned));
  PetscCall(MasingPathDestroy(&march->extremes));
  PetscCall(PetscFree6(march->value, march->slope, march->changes, march->memory, march->next, march->by_input));
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What changes take is made when they are asked for first: the accuracy of a point needs none. */
static PetscErrorCode PrepareChanges(const Period *period, March *march)
{
  const HarmonicBasis *const basis = period->basis;
  const PetscInt P = basis->num_functions, stretch = basis->stretch, size = stretch * P, states = march->step.num_states, width = march->step.width;
  const PetscInt most = march->columns + states;

  PetscFunctionBegin;
  if (march->value) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc6(size, &march->value, size, &march->slope, march->step.num_moved * stretch * most, &march->changes, states * most,
                         &march->memory, states * most, &march->next, width * width, &march->by_input));
  PetscCall(PetscArrayzero(march->slope, size));
  for (PetscInt n = 0; n < stretch; n++)
    for (PetscInt h = 0; h < basis->num_harmonics; h++) {
      const PetscInt  j = basis->first[h];
      const PetscReal k = (PetscReal)basis->harmonic[h], *const wave = basis->function + j * stretch + n;
      PetscReal *const value = march->value + n * P + j, *const slope = march->slope + n * P + j;

      value[0] = wave[0];
      if (basis->harmonic[h] == 0) continue;
      value[1] = wave[stretch];
      slope[0] = -k * value[1];
      slope[1] = k * value[0];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline void AddTimes(PetscInt count, PetscReal factor, const PetscReal *from, PetscReal *to)
{
  for (PetscInt j = 0; j < count; j++) to[j] += factor * from[j];
}

/* What a row of step i of a stretch comes to by the unknowns: dd = phi dx, dv = W phi' dx + d' dW, dh, of a motion of this sign. At an extreme the
   angle changes as well, and with it nothing of this: d' = 0, and dv = 0. */
static void TakeInputs(const Period *period, const March *march, PetscInt i, PetscReal sign, const PetscReal by_input[], PetscReal row[])
{
  const LinearStep *const step = &march->step;
  const PetscInt          P = period->basis->num_functions, n = march->at[i];
  const PetscReal *const  value  = n < 0 ? march->extremes.value + (-1 - n) * P : march->value + n * P;
  const PetscReal *const by_rate = by_input + step->num_moved, *const by_memory = by_rate + (step->viscous ? step->num_moved : 0);

  for (PetscInt j = 0; j < march->wide; j++) row[j] = 0.0;
  for (PetscInt c = 0; c < step->num_moved; c++) {
    if (by_input[c] != 0.0) AddTimes(P, sign * by_input[c], value, row + c * P);
    if (!step->viscous || n < 0 || by_rate[c] == 0.0) continue;
    AddTimes(P, sign * march->frequency * by_rate[c], march->slope + n * P, row + c * P);
    row[march->columns - 1] += sign * by_rate[c] * march->slopes[step->moved[c] * period->basis->stretch + n];
  }
  for (PetscInt s = 0; s < step->num_used; s++)
    if (by_memory[s] != 0.0) AddTimes(march->wide, by_memory[s], march->memory + s * march->wide, row);
}

/* What is remembered after step i; most steps of a point that sticks change nothing. */
static PetscErrorCode PropagateMemory(const Period *period, March *march, PetscInt i, PetscReal sign)
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
  for (PetscInt s = 0; s < used; s++) TakeInputs(period, march, i % march->loop.count, sign, march->by_input + s * inputs, after + s * march->wide);
  march->next   = march->memory;
  march->memory = after;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sums over the samples of the last stretch: sum_n weight_i phi_i(n) dforce(n); a second half adds as much again, which weights hold. */
static PetscErrorCode GatherChanges(const Period *period, const March *march, PetscReal tangent[], PetscReal by_frequency[])
{
  const HarmonicBasis *const basis = period->basis;
  const LinearStep *const    step  = &march->step;
  const PetscInt             P = basis->num_functions, size = period->dim * P, last = march->columns - 1;
  PetscBLASInt               num, wide, count, stride, one = 1;
  PetscReal                  zero = 0.0, unit = march->loop.sign;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(P, &num));
  PetscCall(PetscBLASIntCast(march->wide, &wide));
  PetscCall(PetscBLASIntCast(basis->stretch, &count));
  PetscCall(PetscBLASIntCast(size, &stride));
  PetscCall(PetscArrayzero(tangent, size * size));
  for (PetscInt c = 0; c < step->num_moved; c++) {
    const PetscReal *const changes = march->changes + c * basis->stretch * march->wide;
    PetscReal *const       rows    = tangent + step->moved[c] * P * size;

    for (PetscInt d = 0; d < step->num_moved; d++)
      PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &num, &num, &count, &unit, changes + d * P, &wide, basis->function, &count, &zero,
                                          rows + step->moved[d] * P, &stride));
    for (PetscInt i = 0; i < P; i++)
      for (PetscInt j = 0; j < size; j++) rows[i * size + j] *= basis->weight[i];
    if (!by_frequency || !step->viscous) continue;
    PetscCallBLAS("BLASgemv", BLASgemv_("T", &count, &num, &unit, basis->function, &count, changes + last, &wide, &zero,
                                        by_frequency + step->moved[c] * P, &one));
    for (PetscInt i = 0; i < P; i++) by_frequency[step->moved[c] * P + i] *= basis->weight[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The changes of memory that a closed stretch begins with take their part in those of the forces. */
static PetscErrorCode CloseChanges(const Period *period, March *march)
{
  const LinearStep *const step = &march->step;
  const PetscInt          used = step->num_used, columns = march->columns, wide = march->wide;
  PetscReal              *by_begin, *begins;
  PetscBool               determined;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(used * used, &by_begin, used * columns, &begins));
  for (PetscInt s = 0; s < used; s++) {
    PetscCall(PetscArraycpy(begins + s * columns, march->memory + s * wide, columns));
    PetscCall(PetscArraycpy(by_begin + s * used, march->memory + s * wide + columns, used));
  }
  PetscCall(LinearLoopSolve(step, march->sense, by_begin, columns, begins, &determined));
  for (PetscInt i = 0; determined && i < step->num_moved * period->basis->stretch; i++)
    for (PetscInt s = 0; s < used; s++) AddTimes(columns, march->changes[i * wide + columns + s], begins + s * columns, march->changes + i * wide);
  PetscCall(PetscFree2(by_begin, begins));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The changes through all steps that closed the loop, or through the last stretch where the past does not matter. */
static PetscErrorCode Change(Period *period, PetscReal tangent[], PetscReal by_frequency[])
{
  March *const            march = period->data;
  const LinearLoop *const loop  = &march->loop;
  LinearStep *const       step  = &march->step;
  const PetscInt          last = step->num_steps - loop->count, stretch = period->basis->stretch;

  PetscFunctionBeginHot;
  PetscCall(PrepareChanges(period, march));
  march->wide = march->columns + (loop->jumped ? step->num_used : 0);
  PetscCall(PetscArrayzero(march->memory, step->num_used * march->wide));
  for (PetscInt s = 0; loop->jumped && s < step->num_used; s++) march->memory[s * march->wide + march->columns + s] = 1.0;
  for (PetscInt i = loop->jumped ? last : 0; i < step->num_steps; i++) {
    const PetscInt  n    = i % loop->count;
    const PetscReal sign = loop->turn < 0.0 && i / loop->count % 2 ? -1.0 : 1.0;

    for (PetscInt c = 0; i >= last && march->at[n] >= 0 && c < step->num_moved; c++) {
      PetscCall(LinearStepRows(step, i, c, c + 1, march->by_input));
      TakeInputs(period, march, n, sign, march->by_input, march->changes + (c * stretch + march->at[n]) * march->wide);
    }
    PetscCall(PropagateMemory(period, march, i, sign));
  }
  if (loop->jumped) PetscCall(CloseChanges(period, march));
  PetscCall(GatherChanges(period, march, tangent, by_frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Harmonics of the forces of the last stretch. */
static PetscErrorCode Analyse(const Period *period, PetscReal force[])
{
  const March *const march = period->data;
  const PetscInt     from  = march->step.num_steps - march->loop.count;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    for (PetscInt i = 0; i < march->loop.count; i++)
      if (march->at[i] >= 0) march->forces[march->at[i]] = march->loop.sign * LinearStepForce(&march->step, from + i, c);
    HarmonicAnalyse(period->basis, march->forces, force + c * period->basis->num_functions);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  March *const         march   = period->data;
  const HarmonicBasis *basis   = period->basis;
  const PetscInt       stretch = basis->stretch, P = basis->num_functions;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < period->dim; c++) {
    HarmonicSample(basis, x + c * P, march->work, march->samples + c * stretch);
    HarmonicSampleSlope(basis, x + c * P, march->work, march->slopes + c * stretch);
  }
  march->frequency         = frequency;
  march->loop.forces_alone = (PetscBool)!tangent;
  PetscCall(ListSteps(period, march, x));
  PetscCall(LinearLoopClose(&march->step, point, &march->loop));
  verdict->gap     = march->loop.gap;
  verdict->periods = (march->loop.taken + march->per_period - 1) / march->per_period;
  PetscCall(Analyse(period, force));
  if (tangent) PetscCall(Change(period, tangent, by_frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_marched = {Create, Destroy, Evaluate};
