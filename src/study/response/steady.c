/* steady.c - cycles of a motion, and how much they still change. */
#include "steady.h"
#include <float.h>
#include <math.h>
#include <petscblaslapack.h>

enum { MOST_EXPONENTIALS = 8 };
static const PetscReal MOST_AWAY = 1e4; /* changes: round-off and creep, which do not shrink, would be further away without end */

PetscErrorCode SteadyCreate(PetscInt num_motions, const PetscReal scale[], PetscInt steps, PetscInt window, Steady **steady)
{
  Steady *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(steady));
  s              = *steady;
  s->num_motions = num_motions;
  s->steps       = steps;
  s->window      = window;
  s->kept        = 2 * window + 1;
  PetscCall(PetscCalloc4(num_motions, &s->scale, s->kept * steps * num_motions, &s->samples, num_motions * STEADY_FIGURES, &s->figures, num_motions,
                         &s->size));
  PetscCall(PetscMalloc3(steps, &s->cosine, steps, &s->sine, window + 1, &s->changes));
  PetscCall(PetscArraycpy(s->scale, scale, num_motions));
  for (PetscInt j = 0; j < steps; j++) {
    s->cosine[j] = PetscCosReal(2.0 * PETSC_PI * (PetscReal)j / (PetscReal)steps);
    s->sine[j]   = PetscSinReal(2.0 * PETSC_PI * (PetscReal)j / (PetscReal)steps);
  }
  SteadyBegin(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SteadyDestroy(Steady **steady)
{
  PetscFunctionBegin;
  if (!*steady) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*steady)->scale, (*steady)->samples, (*steady)->figures, (*steady)->size));
  PetscCall(PetscFree3((*steady)->cosine, (*steady)->sine, (*steady)->changes));
  PetscCall(PetscFree(*steady));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SteadyBegin(Steady *steady)
{
  steady->cycles = 0;
  for (PetscInt i = 0; i <= steady->window; i++) steady->changes[i] = (PetscReal)INFINITY;
}

/* The samples of a complete cycle, `ago` before the last one; of the one that goes on with -1. */
static PetscReal *Cycle(const Steady *steady, PetscInt ago)
{
  return steady->samples + (steady->cycles - 1 - ago) % steady->kept * steady->steps * steady->num_motions;
}

PetscReal *SteadySample(Steady *steady, PetscInt step)
{
  return Cycle(steady, -1) + (step % steady->steps) * steady->num_motions;
}

static void FindFigures(const Steady *steady, PetscInt motion, PetscReal figures[STEADY_FIGURES])
{
  const PetscInt   n       = steady->steps;
  const PetscReal *samples = Cycle(steady, 0) + motion, each = 1.0 / (PetscReal)n;
  PetscReal        mean = 0.0, cosine = 0.0, sine = 0.0, squares = 0.0;

  for (PetscInt j = 0; j < n; j++) mean += each * samples[j * steady->num_motions];
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal alternates = samples[j * steady->num_motions] - mean;

    cosine += 2.0 * each * alternates * steady->cosine[j];
    sine += 2.0 * each * alternates * steady->sine[j];
    squares += each * alternates * alternates;
  }
  figures[STEADY_MEAN]   = mean;
  figures[STEADY_COSINE] = cosine;
  figures[STEADY_SINE]   = sine;
  figures[STEADY_RMS]    = PetscSqrtReal(squares);
}

/* What changes of each motion are relative to. */
static void FindSizes(Steady *steady)
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < steady->num_motions; i++)
    if (steady->scale[i] > 0.0) most = PetscMax(most, SteadyFigure(steady, i, STEADY_RMS) / steady->scale[i]);
  for (PetscInt i = 0; i < steady->num_motions; i++) {
    const PetscReal least = PetscMax(STEADY_SHARE * most * steady->scale[i], DBL_MIN);

    steady->size[i] = PETSC_SQRT2 * PetscMax(SteadyFigure(steady, i, STEADY_RMS), least);
  }
}

static PetscReal ChangeOf(const Steady *steady, PetscInt motion)
{
  const PetscInt   width = steady->num_motions;
  const PetscReal *last  = Cycle(steady, 0) + motion;
  PetscReal        most  = 0.0;

  for (PetscInt ago = 1; ago <= steady->window; ago++) {
    const PetscReal *before = Cycle(steady, ago) + motion;

    for (PetscInt j = 0; j < steady->steps; j++) most = PetscMax(most, PetscAbsReal(last[j * width] - before[j * width]));
  }
  return most / steady->size[motion];
}

static PetscReal FindChange(Steady *steady)
{
  PetscReal most = -1.0;

  if (steady->cycles <= steady->window) return (PetscReal)INFINITY;
  for (PetscInt i = 0; i < steady->num_motions; i++) {
    const PetscReal change = ChangeOf(steady, i);

    if (change > most) steady->worst = i;
    most = PetscMax(most, change);
  }
  return most;
}

void SteadyEndCycle(Steady *steady)
{
  steady->cycles++;
  for (PetscInt i = 0; i < steady->num_motions; i++) FindFigures(steady, i, steady->figures + i * STEADY_FIGURES);
  FindSizes(steady);
  steady->changes[(steady->cycles - 1) % (steady->window + 1)] = FindChange(steady);
}

void SteadyChange(const Steady *steady, PetscReal *change, PetscReal *away, PetscReal *ratio)
{
  const PetscInt length = steady->window + 1, last = steady->cycles - 1;
  PetscReal      before;

  *change = *away = (PetscReal)INFINITY;
  *ratio          = 1.0;
  if (last < 0) return;
  *change = steady->changes[last % length];
  before  = steady->changes[(last + 1) % length]; /* the oldest that is kept, `window` cycles ago */
  if (isinf(before)) return;
  *ratio = before > 0.0 ? *change / before : 0.0;
  *away  = *change * (*ratio < 1.0 ? PetscMin(PetscMax(*ratio / (1.0 - *ratio), 1.0), MOST_AWAY) : MOST_AWAY);
}

/* u_i of the cycles `ago` + 1 and `ago` before the last, relative to the sizes of the motions: [steps, num_motions]. */
static void Difference(const Steady *steady, PetscInt ago, PetscReal difference[])
{
  const PetscReal *after = Cycle(steady, ago), *before = Cycle(steady, ago + 1);
  const PetscInt   width = steady->num_motions;

  for (PetscInt j = 0; j < steady->steps; j++)
    for (PetscInt i = 0; i < width; i++) difference[j * width + i] = (after[j * width + i] - before[j * width + i]) / steady->size[i];
}

/* xi of the least |right + A xi|, A [count] columns of `length`; both are overwritten, xi is the beginning of `right`. */
static PetscErrorCode SolveLeastSquares(PetscInt length, PetscInt count, PetscScalar matrix[], PetscScalar right[])
{
  const PetscReal roundoff = 1e-12;
  PetscBLASInt    m = (PetscBLASInt)length, n = (PetscBLASInt)count, one = 1, rank, info, room = 8 * n + m + 64;
  PetscReal       least = roundoff, *values;
  PetscScalar    *work;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < length; j++) right[j] = -right[j];
  PetscCall(PetscMalloc2(count, &values, room, &work));
  LAPACKgelss_(&m, &n, &one, matrix, &m, right, &m, values, &least, &rank, work, &room, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "gelss failed: %d", (int)info);
  PetscCall(PetscFree2(values, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the cycles go is x_0 + sum xi_i u_i, x_0 the last but one, with the least |u_0 + sum xi_i (u_i-1 - u_i)|; the last one is
   u_0 - sum xi_i u_i away from there. */
PetscErrorCode SteadyLeft(const Steady *steady, PetscReal *left)
{
  const PetscInt length = steady->steps * steady->num_motions, count = PetscMin(steady->kept - 2, MOST_EXPONENTIALS);
  PetscReal     *differences, *matrix, *right, change, ratio;

  PetscFunctionBegin;
  SteadyChange(steady, &change, left, &ratio);
  if (isinf(*left) || change == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc3((count + 1) * length, &differences, count * length, &matrix, length, &right));
  for (PetscInt i = 0; i <= count; i++) Difference(steady, i, differences + i * length);
  PetscCall(PetscArraycpy(right, differences, length));
  for (PetscInt i = 0; i < count * length; i++) matrix[i] = differences[i] - differences[i + length];
  PetscCall(SolveLeastSquares(length, count, matrix, right));
  *left = 0.0;
  for (PetscInt j = 0; j < length; j++) {
    PetscReal sum = differences[j];

    for (PetscInt i = 0; i < count; i++) sum -= right[i] * differences[(i + 1) * length + j];
    *left = PetscMax(*left, PetscAbsReal(sum));
  }
  *left = PetscMin(*left, MOST_AWAY * change);
  PetscCall(PetscFree3(differences, matrix, right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How far a parabola through a sample and its neighbours rises above it. */
static PetscReal Beyond(PetscReal before, PetscReal at, PetscReal after)
{
  const PetscReal bend = 2.0 * at - before - after;

  return bend > 0.0 ? PetscSqr(after - before) / (8.0 * bend) : 0.0;
}

/* The highest value of a motion, or of its opposite. */
static PetscReal Peak(const Steady *steady, PetscInt motion, PetscReal sign)
{
  const PetscInt   n = steady->steps, width = steady->num_motions;
  const PetscReal *y    = Cycle(steady, 0) + motion;
  PetscInt         peak = 0;

  for (PetscInt j = 1; j < n; j++)
    if (sign * y[j * width] > sign * y[peak * width]) peak = j;
  return sign * y[peak * width] + Beyond(sign * y[(peak + n - 1) % n * width], sign * y[peak * width], sign * y[(peak + 1) % n * width]);
}

PetscReal SteadyAmplitude(const Steady *steady, PetscInt motion)
{
  return 0.5 * (Peak(steady, motion, 1.0) + Peak(steady, motion, -1.0));
}

PetscReal SteadyFigure(const Steady *steady, PetscInt motion, PetscInt figure)
{
  return steady->figures[motion * STEADY_FIGURES + figure];
}

void SteadyHarmonic(const Steady *steady, PetscInt motion, PetscInt h, PetscReal *amplitude, PetscReal *angle)
{
  const PetscInt   n       = steady->steps;
  const PetscReal *samples = Cycle(steady, 0) + motion, each = 2.0 / (PetscReal)n, mean = SteadyFigure(steady, motion, STEADY_MEAN);
  PetscReal        cosine = 0.0, sine = 0.0;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal alternates = each * (samples[j * steady->num_motions] - mean);

    cosine += alternates * steady->cosine[h * j % n];
    sine += alternates * steady->sine[h * j % n];
  }
  *amplitude = PetscSqrtReal(cosine * cosine + sine * sine);
  *angle     = PetscAtan2Real(cosine, sine);
}
