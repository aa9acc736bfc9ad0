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
PetscReal PieceSlopeError(const Analysis *analysis, const Piecewise *fit, PetscInt piece, const PetscReal expected[])
{
  enum { REACH = 3 };
  const PetscReal cycle             = 2.0 * PETSC_PI / PetscMax(PetscAbsReal(PieceSlope(&analysis->phase, piece)), PETSC_SMALL);
  PetscReal       recent[REACH + 1] = {0.0}, variance = 0.0;
  PetscInt        first, end, blocks;
  Parabola        curve;

  PieceSamples(analysis, piece, &first, &end);
  if (end - first < 3) return (PetscReal)INFINITY;
  curve  = expected ? (Parabola){0.0, 0.0, 0.0} : NearestParabola(fit->residual, first, end);
  blocks = PetscMin(PetscMax((PetscInt)lround((end - first) * analysis->step / cycle), 1), end - first);
  for (PetscInt b = 0; b < blocks; b++) {
    for (PetscInt k = REACH; k > 0; k--) recent[k] = recent[k - 1];
    recent[0] = 0.0;
    for (PetscInt i = first + (end - first) * b / blocks; i < first + (end - first) * (b + 1) / blocks; i++) {
      const PetscReal x = PieceCoordinate(first, end, i);

      recent[0] += x * (fit->residual[i] - (expected ? expected[i] : 0.0) - curve.level - curve.slope * x - curve.curvature * (x * x - 1.0 / 3.0));
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

/* The slopes of two neighbouring pieces share a knot, and so do their errors: least squares pass on this share of it [the root of
   x^2 + 4 x + 1]. */
static const PetscReal passed_on = 0.268;

static PetscReal PieceLength(const Analysis *analysis, PetscInt piece)
{
  return analysis->knots[piece + 1] - analysis->knots[piece];
}

static void PassOn(const Analysis *analysis, PetscInt from, PetscInt to, PetscReal errors[])
{
  const PetscReal share = passed_on * errors[from] * PieceLength(analysis, from) / PieceLength(analysis, to);

  if (share < PETSC_INFINITY) errors[to] = PetscMax(errors[to], share);
}

/* The error of each slope [1/s, rad/s]: noise; what the lines make of a smooth curve; what no smooth curve explains, as a kink. */
static PetscErrorCode SlopeErrors(const Analysis *analysis, const Piecewise *fit, PetscReal errors[])
{
  const PetscInt pieces = fit->num_knots - 1;
  PetscReal     *expected, *noise;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(analysis->envelope.count, &expected, pieces, &noise));
  PetscCall(Rehearse(analysis, fit, errors, expected));
  for (PetscInt p = 0; p < pieces; p++) {
    const PetscReal all = PieceSlopeError(analysis, fit, p, expected);

    noise[p]  = PieceSlopeError(analysis, fit, p, NULL);
    errors[p] = all > noise[p] ? hypot(errors[p], PetscSqrtReal(all * all - noise[p] * noise[p])) : PetscAbsReal(errors[p]);
  }
  for (PetscInt p = 1; p < pieces; p++) PassOn(analysis, p - 1, p, errors);
  for (PetscInt p = pieces - 2; p >= 0; p--) PassOn(analysis, p + 1, p, errors);
  for (PetscInt p = 0; p < pieces; p++) errors[p] = hypot(errors[p], noise[p]);
  PetscCall(PetscFree2(expected, noise));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { GROUP = 4 };

/* The third difference of four logarithms, which is zero for a parabola, over that of independent errors of 1. Infinite where a value is not
   positive. */
static PetscReal ThirdDifference(const PetscReal values[GROUP])
{
  for (PetscInt k = 0; k < GROUP; k++)
    if (!(values[k] > 0.0)) return (PetscReal)INFINITY;
  return PetscAbsReal(PetscLogReal(values[0] / values[3]) - 3.0 * PetscLogReal(values[1] / values[2])) / PetscSqrtReal(20.0);
}

/* What the third differences of a group show of the slopes of ln amplitude and of the phase, and the noise of its points [rad/s]. */
typedef struct {
  PetscReal alpha, omega, noise;
} Ripple;

static Ripple GroupRipple(const RingDownPoint points[GROUP])
{
  PetscReal omegas[GROUP], zetas[GROUP], alpha = 0.0, omega = 0.0, square = 0.0;

  for (PetscInt k = 0; k < GROUP; k++) {
    omegas[k] = points[k].omega;
    zetas[k]  = points[k].zeta;
    alpha += points[k].zeta * points[k].omega / GROUP;
    omega += points[k].omega / GROUP;
    square += PetscSqr(PetscMax(points[k].omega_error, points[k].zeta_error * points[k].omega)) / GROUP;
  }
  return (Ripple){alpha * ThirdDifference(zetas), omega * ThirdDifference(omegas), PetscSqrtReal(square)};
}

/* A motion of relative size e beside this one, at a frequency D away, changes the slopes of ln amplitude and phase by e D, in quadrature: both
   squares are the same on average over a beat. So no more than twice the smaller one, of three groups in a row, comes from beats [rad/s]. */
static PetscReal GroupModulation(PetscInt count, const RingDownPoint points[], PetscInt group, PetscReal *noise)
{
  const PetscInt first = PetscMax(group - 1, 0), last = PetscMin(group + 1, count - GROUP);
  PetscReal      alpha = 0.0, omega = 0.0;

  for (PetscInt g = first; g <= last; g++) {
    const Ripple ripple = GroupRipple(points + g);

    alpha += PetscSqr(ripple.alpha) / (PetscReal)(last - first + 1);
    omega += PetscSqr(ripple.omega) / (PetscReal)(last - first + 1);
    if (g == group) *noise = ripple.noise;
  }
  return PetscSqrtReal(2.0 * PetscMin(alpha, omega));
}

/* How far ln amplitude falls from a point to the nearest of a group. */
static PetscReal Distance(const RingDownPoint points[], PetscInt i, PetscInt group)
{
  const PetscInt nearest = i < group ? group : PetscMin(i, group + GROUP - 1);

  return PetscAbsReal(PetscLogReal(points[i].amplitude / points[nearest].amplitude));
}

/* How much another motion can change the slopes at a point: no more than any group of neighbours shows. The share of another motion changes no
   faster than the amplitude itself when it decays at a rate between none and twice that of this motion; so groups farther away tell, too, if
   their pieces are long enough to see it. Strong changes of frequency and damping are thus told from beats, which go on. */
static PetscReal Modulation(const Analysis *analysis, PetscInt count, const RingDownPoint points[], PetscInt i)
{
  const PetscReal enough = 0.8;
  PetscReal       least  = (PetscReal)INFINITY;

  for (PetscInt g = 0; g + GROUP <= count; g++) {
    const PetscReal length = (analysis->knots[g + GROUP] - analysis->knots[g]) / GROUP;
    PetscReal       noise = 0.0, found = GroupModulation(count, points, g, &noise);

    if (g <= i && i < g + GROUP) found = found > noise ? PetscSqrtReal(found * found - noise * noise) : 0.0; /* its own noise is counted elsewhere */
    else if (length < enough * PieceLength(analysis, i)) continue;
    else found = PetscMax(found, noise) * PetscExpReal(Distance(points, i, g));
    if (found < least) least = found;
  }
  return least;
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
static PetscBool IsHarmonic(const Analysis *analysis, PetscInt piece)
{
  const PetscReal most = 0.1; /* root mean square, of ln amplitude and of the phase [rad] */

  return (PetscBool)(ResidualSize(analysis, &analysis->amplitude, piece) < most && ResidualSize(analysis, &analysis->phase, piece) < most);
}

/* A point is trusted when twice its errors, 95 % of a normal distribution, are accepted. */
static RingDownDoubt FindDoubt(const Analysis *analysis, const RingDownPoint *point, PetscInt piece)
{
  const RingDownOptions *options = analysis->options;

  if (!(point->zeta > 0.0) || !IsHarmonic(analysis, piece)) return DOUBT_MOTIONS;
  if (!(point->omega >= options->plausible[0] && point->omega <= options->plausible[1])) return DOUBT_OTHER_FREQUENCY;
  if (!IsInBand(analysis, piece)) return DOUBT_BAND;
  if (!(2.0 * point->omega_error <= options->accept_omega * point->omega)) return DOUBT_OMEGA_ERROR;
  return 2.0 * point->zeta_error <= options->accept_zeta * point->zeta ? DOUBT_NONE : DOUBT_ZETA_ERROR;
}

/* Fewer points than a group tell nothing of other motions: all errors are infinite. */
PetscErrorCode JudgePoints(const Analysis *analysis, PetscInt count, RingDownPoint points[])
{
  PetscReal *modulation, *alpha, *omega;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(count, &modulation, count, &alpha, count, &omega));
  for (PetscInt i = 0; i < count; i++) modulation[i] = Modulation(analysis, count, points, i);
  if (count >= GROUP) PetscCall(SlopeErrors(analysis, &analysis->amplitude, alpha));
  if (count >= GROUP) PetscCall(SlopeErrors(analysis, &analysis->phase, omega));
  for (PetscInt i = 0; i < count; i++) {
    RingDownPoint  *point = &points[i];
    const PetscReal size  = PetscAbsReal(point->omega);

    point->omega_error = hypot(omega[i], modulation[i]);
    point->zeta_error  = hypot(hypot(alpha[i], modulation[i]), point->zeta * point->omega_error) / size;
    point->doubt       = FindDoubt(analysis, point, i);
    point->trusted     = (PetscBool)(point->doubt == DOUBT_NONE);
  }
  PetscCall(PetscFree3(modulation, alpha, omega));
  PetscFunctionReturn(PETSC_SUCCESS);
}
