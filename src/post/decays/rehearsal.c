/* rehearsal.c - what the analysis would make of a smooth decay that has the slopes it has found. */
#include "ring_down.h"

/* The spline through the slopes at the middles of all pieces. Its second derivative is constant along the first and the last two of them. */
typedef struct {
  PetscInt   count;
  PetscReal *time, *slope, *bend; /* [count]; bend: second derivative */
  PetscReal *factor;              /* [count] of the elimination */
} Spline;

static PetscErrorCode SplineCreate(const Piecewise *fit, Spline *spline)
{
  PetscReal ignored;

  PetscFunctionBegin;
  spline->count = fit->num_knots - 1;
  PetscCall(PetscMalloc4(spline->count, &spline->time, spline->count, &spline->slope, spline->count, &spline->bend, spline->count, &spline->factor));
  for (PetscInt p = 0; p < spline->count; p++) {
    spline->time[p] = 0.5 * (fit->knots[p] + fit->knots[p + 1]);
    PieceMiddle(fit, p, &ignored, &spline->slope[p]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SplineDestroy(Spline *spline)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(spline->time, spline->slope, spline->bend, spline->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The change of slope from one middle to the next, over the time between them. */
static PetscReal Rise(const Spline *spline, PetscInt p)
{
  return (spline->slope[p + 1] - spline->slope[p]) / (spline->time[p + 1] - spline->time[p]);
}

/* h_l bend_l + 2 (h_l + h_r) bend + h_r bend_r = 6 (rise_r - rise_l), and bends that are equal at both ends: Gauss's elimination. */
static void SplineSolve(Spline *spline)
{
  const PetscInt last = spline->count - 1;

  spline->factor[0] = -1.0;
  spline->bend[0]   = 0.0;
  for (PetscInt p = 1; p < last; p++) {
    const PetscReal left = spline->time[p] - spline->time[p - 1], right = spline->time[p + 1] - spline->time[p];
    const PetscReal pivot = 2.0 * (left + right) - left * spline->factor[p - 1];

    spline->factor[p] = right / pivot;
    spline->bend[p]   = (6.0 * (Rise(spline, p) - Rise(spline, p - 1)) - left * spline->bend[p - 1]) / pivot;
  }
  spline->bend[last] = spline->bend[last - 1] / (1.0 + spline->factor[last - 1]);
  for (PetscInt p = last - 1; p >= 0; p--) spline->bend[p] -= spline->factor[p] * spline->bend[p + 1];
}

/* The slope at a time between middle p and the next, or beyond the ends. */
static PetscReal SplineAt(const Spline *spline, PetscInt p, PetscReal time)
{
  const PetscReal length = spline->time[p + 1] - spline->time[p], right = (time - spline->time[p]) / length, left = 1.0 - right;
  const PetscReal cubic = (left * left * left - left) * spline->bend[p] + (right * right * right - right) * spline->bend[p + 1];

  return left * spline->slope[p] + right * spline->slope[p + 1] + cubic * length * length / 6.0;
}

/* The integral of the spline at all samples of the envelope, by the trapezoidal rule: steps are short beside pieces. */
static void Integrate(const Analysis *analysis, const Spline *spline, PetscReal samples[])
{
  PetscReal before = 0.0;
  PetscInt  p      = 0;

  for (PetscInt i = 0; i < analysis->envelope.count; i++) {
    const PetscReal time = analysis->start + (PetscReal)i * analysis->step;
    PetscReal       here;

    while (p < spline->count - 2 && time > spline->time[p + 1]) p++;
    here       = SplineAt(spline, p, time);
    samples[i] = i ? samples[i - 1] + 0.5 * analysis->step * (before + here) : 0.0;
    before     = here;
  }
}

PetscErrorCode Rehearse(const Analysis *analysis, const Piecewise *fit, PetscReal bias[], PetscReal residual[])
{
  const PetscInt count = analysis->envelope.count;
  Piecewise      again = *fit;
  PetscReal     *samples, ignored;
  Spline         spline;

  PetscFunctionBegin;
  PetscCall(SplineCreate(fit, &spline));
  PetscCall(PetscMalloc2(count, &samples, fit->num_knots, &again.values));
  again.residual = residual;
  SplineSolve(&spline);
  Integrate(analysis, &spline, samples);
  PetscCall(PiecewiseFit(count, analysis->start, analysis->step, samples, &again));
  for (PetscInt p = 0; p < spline.count; p++) {
    PieceMiddle(&again, p, &ignored, &bias[p]);
    bias[p] -= spline.slope[p];
  }
  PetscCall(PetscFree2(samples, again.values));
  PetscCall(SplineDestroy(&spline));
  PetscFunctionReturn(PETSC_SUCCESS);
}
