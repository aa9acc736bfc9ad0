/* ring_down_errors.c - how well the frequency and damping of each piece of a decay are known. */
#include <math.h>
#include "ring_down.h"

/* The parabola fitted to the residual of a piece, level + slope x + curvature (x^2 - 1/3) with x from -1 to 1; it is part of the decay, no noise. */
typedef struct {
  PetscReal level, slope, curvature;
} Parabola;

static PetscReal PieceCoordinate(PetscInt first, PetscInt end, PetscInt i)
{
  return (2.0 * (i - first) + 1.0) / (end - first) - 1.0;
}

static Parabola NearestParabola(const PetscReal residual[], PetscInt first, PetscInt end)
{
  Parabola        sum = {0.0, 0.0, 0.0};
  const PetscReal n   = end - first;

  for (PetscInt i = first; i < end; i++) {
    const PetscReal x = PieceCoordinate(first, end, i);

    sum.level += residual[i];
    sum.slope += residual[i] * x;
    sum.curvature += residual[i] * (x * x - 1.0 / 3.0);
  }
  return (Parabola){sum.level / n, 3.0 * sum.slope / n, 45.0 / 4.0 * sum.curvature / n};
}

/* Standard deviation of a slope. The residual of a curve is not white noise: ripples at the frequency of the vibration cancel over a cycle,
   beats last several cycles. So the residual is summed over cycles, and correlations of neighbouring cycles are included with Bartlett's
   weights [Newey, West 1987]. */
PetscReal PieceSlopeError(const Analysis *analysis, const Piecewise *fit, PetscInt piece)
{
  enum { REACH = 3 };
  const PetscReal cycle             = 2.0 * PETSC_PI / PetscMax(PetscAbsReal(PieceSlope(&analysis->phase, piece)), PETSC_SMALL);
  PetscReal       recent[REACH + 1] = {0.0}, variance = 0.0;
  PetscInt        first, end, blocks;
  Parabola        curve;

  PieceSamples(analysis, piece, &first, &end);
  if (end - first < 3) return (PetscReal)INFINITY;
  curve  = NearestParabola(fit->residual, first, end);
  blocks = PetscMin(PetscMax((PetscInt)lround((end - first) * analysis->step / cycle), 1), end - first);
  for (PetscInt b = 0; b < blocks; b++) {
    for (PetscInt k = REACH; k > 0; k--) recent[k] = recent[k - 1];
    recent[0] = 0.0;
    for (PetscInt i = first + (end - first) * b / blocks; i < first + (end - first) * (b + 1) / blocks; i++) {
      const PetscReal x = PieceCoordinate(first, end, i);

      recent[0] += x * (fit->residual[i] - curve.level - curve.slope * x - curve.curvature * (x * x - 1.0 / 3.0));
    }
    for (PetscInt k = 0; k <= REACH; k++) variance += (k ? 2.0 : 1.0) * (1.0 - k / (REACH + 1.0)) * recent[0] * recent[k];
  }
  variance *= blocks / PetscMax(blocks - 3.0, 1.0); /* the parabola has used three degrees of freedom */
  return PetscSqrtReal(PetscMax(variance, 0.0)) * 3.0 / (end - first) / (0.5 * (fit->knots[piece + 1] - fit->knots[piece]));
}

static PetscReal ResidualSize(const Analysis *analysis, const Piecewise *fit, PetscInt piece)
{
  PetscInt  first, end;
  PetscReal sum = 0.0;

  PieceSamples(analysis, piece, &first, &end);
  for (PetscInt i = first; i < end; i++) sum += fit->residual[i] * fit->residual[i];
  return end > first ? PetscSqrtReal(sum / (end - first)) : (PetscReal)INFINITY;
}

/* Frequency and damping change smoothly from point to point, beats do not. The third difference of four logarithms, which is zero for a
   parabola, estimates the error of one point. Infinite where a value is not positive. */
static PetscReal Scatter(const PetscReal values[4])
{
  for (PetscInt k = 0; k < 4; k++)
    if (!(values[k] > 0.0)) return (PetscReal)INFINITY;
  return PetscAbsReal(PetscLogReal(values[0] / values[3]) - 3.0 * PetscLogReal(values[1] / values[2])) / PetscSqrtReal(20.0);
}

/* Root mean square of the scatters of the up to four groups of four neighbours that contain point i, for its frequency and its damping. */
static void NeighbourhoodErrors(PetscInt count, const RingDownPoint points[], PetscInt i, PetscReal *omega, PetscReal *zeta)
{
  const PetscInt first = PetscMax(i - 3, 0), last = PetscMin(i, count - 4);
  PetscReal      sums[2] = {0.0, 0.0};

  for (PetscInt k = first; k <= last; k++) {
    const PetscReal omegas[4] = {points[k].omega, points[k + 1].omega, points[k + 2].omega, points[k + 3].omega};
    const PetscReal zetas[4]  = {points[k].zeta, points[k + 1].zeta, points[k + 2].zeta, points[k + 3].zeta};

    sums[0] += PetscSqr(Scatter(omegas));
    sums[1] += PetscSqr(Scatter(zetas));
  }
  *omega = last >= first ? PetscSqrtReal(sums[0] / (last - first + 1)) : (PetscReal)INFINITY;
  *zeta  = last >= first ? PetscSqrtReal(sums[1] / (last - first + 1)) : (PetscReal)INFINITY;
}

/* Whether the filter leaves the motion along this piece unchanged: the faster a decay, the wider its spectrum, and what the filter cuts off
   is missing from the amplitude. */
static PetscBool IsInBand(const Analysis *analysis, PetscInt piece)
{
  const PetscReal reach = 3.0; /* half widths of the spectrum; see NOTES.md */
  const PetscReal omega = PieceSlope(&analysis->phase, piece), width = reach * PetscAbsReal(PieceSlope(&analysis->amplitude, piece));

  return (PetscBool)(omega - width >= analysis->options->lowest && omega + width <= analysis->options->highest);
}

/* Whether one decaying harmonic explains the signal along this piece. */
static PetscBool IsHarmonic(const Analysis *analysis, const RingDownPoint *point, PetscInt piece)
{
  const PetscReal  most      = 0.1; /* root mean square, of ln amplitude and of the phase [rad] */
  const PetscReal *plausible = analysis->options->plausible;

  return (PetscBool)(point->zeta > 0.0 && IsInBand(analysis, piece) && point->omega >= plausible[0] && point->omega <= plausible[1] &&
                     ResidualSize(analysis, &analysis->amplitude, piece) < most && ResidualSize(analysis, &analysis->phase, piece) < most);
}

/* Adds the scatter among neighbours to the errors. A point is trusted when twice its errors, 95 % of a normal distribution, are accepted. */
void JudgePoints(const Analysis *analysis, PetscInt count, RingDownPoint points[])
{
  const RingDownOptions *options = analysis->options;

  for (PetscInt i = 0; i < count; i++) {
    RingDownPoint *point = &points[i];
    PetscReal      omega, zeta;

    NeighbourhoodErrors(count, points, i, &omega, &zeta);
    omega              = hypot(omega, point->omega_error / point->omega);
    zeta               = hypot(zeta, point->zeta_error / point->zeta);
    point->trusted     = (PetscBool)(IsHarmonic(analysis, point, i) && 2.0 * omega <= options->accept_omega && 2.0 * zeta <= options->accept_zeta);
    point->omega_error = omega * PetscAbsReal(point->omega);
    point->zeta_error  = zeta * PetscAbsReal(point->zeta);
  }
}
