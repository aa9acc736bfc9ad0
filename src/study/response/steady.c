/* steady.c - cycles of a motion, and how much they still change. */
#include "steady.h"
#include <float.h>
#include <math.h>

PetscErrorCode SteadyCreate(PetscInt num_motions, const PetscReal scale[], PetscInt steps, PetscInt window, Steady **steady)
{
  Steady *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(steady));
  s              = *steady;
  s->num_motions = num_motions;
  s->steps       = steps;
  s->window      = window;
  PetscCall(PetscCalloc3(num_motions, &s->scale, steps * num_motions, &s->samples, (window + 1) * num_motions * STEADY_FIGURES, &s->figures));
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
  PetscCall(PetscFree3((*steady)->scale, (*steady)->samples, (*steady)->figures));
  PetscCall(PetscFree3((*steady)->cosine, (*steady)->sine, (*steady)->changes));
  PetscCall(PetscFree(*steady));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SteadyBegin(Steady *steady)
{
  steady->cycles = 0;
  for (PetscInt i = 0; i <= steady->window; i++) steady->changes[i] = (PetscReal)INFINITY;
}

PetscReal *SteadySample(Steady *steady, PetscInt step)
{
  return steady->samples + (step % steady->steps) * steady->num_motions;
}

/* The figures of a motion, `ago` cycles before the last one. */
static PetscReal *Figures(const Steady *steady, PetscInt motion, PetscInt ago)
{
  const PetscInt slot = (steady->cycles - 1 - ago) % (steady->window + 1);

  return steady->figures + (slot * steady->num_motions + motion) * STEADY_FIGURES;
}

static void FindFigures(Steady *steady, PetscInt motion, PetscReal figures[STEADY_FIGURES])
{
  const PetscInt  n    = steady->steps;
  const PetscReal each = 1.0 / (PetscReal)n;
  PetscReal       mean = 0.0, cosine = 0.0, sine = 0.0, squares = 0.0;

  for (PetscInt j = 0; j < n; j++) mean += each * steady->samples[j * steady->num_motions + motion];
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal alternates = steady->samples[j * steady->num_motions + motion] - mean;

    cosine += 2.0 * each * alternates * steady->cosine[j];
    sine += 2.0 * each * alternates * steady->sine[j];
    squares += each * alternates * alternates;
  }
  figures[STEADY_MEAN]   = mean;
  figures[STEADY_COSINE] = cosine;
  figures[STEADY_SINE]   = sine;
  figures[STEADY_RMS]    = PetscSqrtReal(squares);
}

/* Below which a motion, relative to its scale, is judged by others. */
static PetscReal FindLeast(const Steady *steady)
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < steady->num_motions; i++)
    if (steady->scale[i] > 0.0) most = PetscMax(most, Figures(steady, i, 0)[STEADY_RMS] / steady->scale[i]);
  return STEADY_SHARE * most;
}

static PetscReal Difference(const PetscReal a[], const PetscReal b[])
{
  const PetscReal harmonic = PetscSqrtReal(PetscSqr(a[STEADY_COSINE] - b[STEADY_COSINE]) + PetscSqr(a[STEADY_SINE] - b[STEADY_SINE]));
  const PetscReal mean = PetscAbsReal(a[STEADY_MEAN] - b[STEADY_MEAN]), rms = PETSC_SQRT2 * PetscAbsReal(a[STEADY_RMS] - b[STEADY_RMS]);

  return PetscMax(PetscMax(harmonic, mean), rms);
}

static PetscReal ChangeOf(const Steady *steady, PetscInt motion, PetscReal least)
{
  const PetscReal *last = Figures(steady, motion, 0), size = PetscMax(PetscMax(last[STEADY_RMS], least * steady->scale[motion]), DBL_MIN);
  PetscReal        most = 0.0;

  for (PetscInt ago = 1; ago <= steady->window; ago++) most = PetscMax(most, Difference(last, Figures(steady, motion, ago)));
  return most / (PETSC_SQRT2 * size);
}

static PetscReal FindChange(Steady *steady)
{
  PetscReal least, most = -1.0;

  if (steady->cycles <= steady->window) return (PetscReal)INFINITY;
  least = FindLeast(steady);
  for (PetscInt i = 0; i < steady->num_motions; i++) {
    const PetscReal change = ChangeOf(steady, i, least);

    if (change > most) steady->worst = i;
    most = PetscMax(most, change);
  }
  return most;
}

void SteadyEndCycle(Steady *steady)
{
  steady->cycles++;
  for (PetscInt i = 0; i < steady->num_motions; i++) FindFigures(steady, i, Figures(steady, i, 0));
  steady->changes[(steady->cycles - 1) % (steady->window + 1)] = FindChange(steady);
}

void SteadyChange(const Steady *steady, PetscReal *change, PetscReal *away, PetscReal *ratio)
{
  const PetscReal most   = 100.0;
  const PetscInt  length = steady->window + 1, last = steady->cycles - 1;
  PetscReal       before;

  *change = *away = (PetscReal)INFINITY;
  *ratio          = 1.0;
  if (last < 0) return;
  *change = steady->changes[last % length];
  before  = steady->changes[(last + 1) % length]; /* the oldest that is kept, `window` cycles ago */
  if (isinf(before)) return;
  *ratio = before > 0.0 ? *change / before : 0.0;
  *away  = *change * (*ratio < 1.0 ? PetscMin(PetscMax(*ratio / (1.0 - *ratio), 1.0), most) : most);
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
  const PetscReal *y    = steady->samples + motion;
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
  return Figures(steady, motion, 0)[figure];
}

void SteadyHarmonic(const Steady *steady, PetscInt motion, PetscInt h, PetscReal *amplitude, PetscReal *angle)
{
  const PetscInt  n    = steady->steps;
  const PetscReal each = 2.0 / (PetscReal)n, mean = SteadyFigure(steady, motion, STEADY_MEAN);
  PetscReal       cosine = 0.0, sine = 0.0;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal alternates = each * (steady->samples[j * steady->num_motions + motion] - mean);

    cosine += alternates * steady->cosine[h * j % n];
    sine += alternates * steady->sine[h * j % n];
  }
  *amplitude = PetscSqrtReal(cosine * cosine + sine * sine);
  *angle     = PetscAtan2Real(cosine, sine);
}
