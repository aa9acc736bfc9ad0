/* ring_down.c - frequency and damping along a decay, from the slopes of phase and ln amplitude. */
#include <math.h>
#include "post.h"

enum { ROUNDS = 8, FEWEST_PIECES = 5, FEWEST_SAMPLES_A_CYCLE = 3, GRID = 2048 };

/* Equal spacing of a decay that hardly falls: so many pieces. */
static const PetscReal steady_pieces = 10.0;

/* What is being analysed, and the fit so far. */
typedef struct {
  const RingDownOptions *options;
  Envelope               envelope;
  PetscReal              start, step, duration; /* of the envelope [s] */
  PetscInt               num_knots, capacity;
  PetscReal             *knots;
  Piecewise              amplitude, phase; /* of ln amplitude and phase */
} Analysis;

static PetscErrorCode AnalysisCreate(const Record *record, const RingDownOptions *options, Analysis *analysis)
{
  Envelope *envelope = &analysis->envelope;

  PetscFunctionBegin;
  analysis->options = options;
  PetscCall(EnvelopeFind(record, options->lowest, options->highest, options->edge, envelope));
  PetscCall(EnvelopeKeepClear(envelope));
  analysis->start    = record->start + (PetscReal)envelope->first * record->step;
  analysis->step     = record->step;
  analysis->duration = PetscMax(envelope->count - 1, 0) * record->step;
  analysis->capacity = PetscMax(options->max_points, options->num_knots) + 1;
  PetscCall(
    PetscMalloc3(analysis->capacity, &analysis->knots, analysis->capacity, &analysis->amplitude.values, analysis->capacity, &analysis->phase.values));
  PetscCall(PetscMalloc2(envelope->count, &analysis->amplitude.residual, envelope->count, &analysis->phase.residual));
  analysis->amplitude.knots = analysis->phase.knots = analysis->knots;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AnalysisDestroy(Analysis *analysis)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(analysis->knots, analysis->amplitude.values, analysis->phase.values));
  PetscCall(PetscFree2(analysis->amplitude.residual, analysis->phase.residual));
  PetscCall(EnvelopeDestroy(&analysis->envelope));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fit(Analysis *analysis)
{
  const Envelope *envelope = &analysis->envelope;

  PetscFunctionBegin;
  analysis->amplitude.num_knots = analysis->phase.num_knots = analysis->num_knots;
  PetscCall(PiecewiseFit(envelope->count, analysis->start, analysis->step, envelope->log_amplitude, &analysis->amplitude));
  PetscCall(PiecewiseFit(envelope->count, analysis->start, analysis->step, envelope->phase, &analysis->phase));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Slope(const Piecewise *fit, PetscInt piece)
{
  return (fit->values[piece + 1] - fit->values[piece]) / (fit->knots[piece + 1] - fit->knots[piece]);
}

/* Samples of a piece: first, and one beyond the last. */
static void PieceSamples(const Analysis *analysis, PetscInt piece, PetscInt *first, PetscInt *end)
{
  const PetscReal *knots = analysis->knots;

  *first = (PetscInt)PetscCeilReal((knots[piece] - analysis->start) / analysis->step - 1e-6);
  *end   = (PetscInt)PetscCeilReal((knots[piece + 1] - analysis->start) / analysis->step - 1e-6);
  *first = PetscMax(*first, 0);
  *end   = PetscMin(*end, analysis->envelope.count);
}

/* The parabola nearest to the residual of a piece, level + slope x + bend (x^2 - 1/3) with x from -1 to 1: a curve is no noise. */
typedef struct {
  PetscReal level, slope, bend;
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
    sum.bend += residual[i] * (x * x - 1.0 / 3.0);
  }
  return (Parabola){sum.level / n, 3.0 * sum.slope / n, 45.0 / 4.0 * sum.bend / n};
}

/* Standard deviation of a slope. What is left beside a curve is no white noise: ripples of the vibration itself cancel over a cycle,
   beats last several. So sums over cycles are taken, and their neighbours counted with Bartlett's weights [Newey, West 1987]. */
static PetscReal SlopeError(const Analysis *analysis, const Piecewise *fit, PetscInt piece)
{
  enum { REACH = 3 };
  const PetscReal cycle             = 2.0 * PETSC_PI / PetscMax(PetscAbsReal(Slope(&analysis->phase, piece)), PETSC_SMALL);
  PetscReal       recent[REACH + 1] = {0.0}, variance = 0.0;
  PetscInt        first, end, blocks;
  Parabola        curve;

  PieceSamples(analysis, piece, &first, &end);
  if (end - first < 3) return PETSC_INFINITY;
  curve  = NearestParabola(fit->residual, first, end);
  blocks = PetscMin(PetscMax((PetscInt)lround((end - first) * analysis->step / cycle), 1), end - first);
  for (PetscInt b = 0; b < blocks; b++) {
    for (PetscInt k = REACH; k > 0; k--) recent[k] = recent[k - 1];
    recent[0] = 0.0;
    for (PetscInt i = first + (end - first) * b / blocks; i < first + (end - first) * (b + 1) / blocks; i++) {
      const PetscReal x = PieceCoordinate(first, end, i);

      recent[0] += x * (fit->residual[i] - curve.level - curve.slope * x - curve.bend * (x * x - 1.0 / 3.0));
    }
    for (PetscInt k = 0; k <= REACH; k++) variance += (k ? 2.0 : 1.0) * (1.0 - k / (REACH + 1.0)) * recent[0] * recent[k];
  }
  variance *= blocks / PetscMax(blocks - 3.0, 1.0); /* the curve has taken three */
  return PetscSqrtReal(PetscMax(variance, 0.0)) * 3.0 / (end - first) / (0.5 * (fit->knots[piece + 1] - fit->knots[piece]));
}

/* How long a piece of a clean record should be where the amplitude falls like here. All terms are smooth, so that neighbours are of
   nearly equal length: only then are slopes those at the midpoints. */
static PetscReal CleanLength(const Analysis *analysis, PetscInt piece)
{
  const RingDownOptions *options = analysis->options;
  const PetscReal        falling = Slope(&analysis->amplitude, piece) / options->drop, steady = steady_pieces / analysis->duration;
  const PetscReal        shortest = options->min_cycles * 2.0 * PETSC_PI / PetscMax(PetscAbsReal(Slope(&analysis->phase, piece)), PETSC_SMALL);

  return hypot(1.0 / hypot(falling, steady), PetscMin(shortest, analysis->duration));
}

/* How much longer noise makes a piece: a slope's error falls with the length to the power 3/2. */
static PetscReal Coarseness(const Analysis *analysis, PetscInt piece)
{
  const PetscReal most = 3.0, share = 0.5; /* of the error that is accepted */
  const PetscReal length = analysis->knots[piece + 1] - analysis->knots[piece], slope = PetscAbsReal(Slope(&analysis->amplitude, piece));
  const PetscReal excess = SlopeError(analysis, &analysis->amplitude, piece) / PetscMax(share * analysis->options->accept_zeta * slope, PETSC_SMALL);

  return PetscMin(PetscMax(length / CleanLength(analysis, piece) * cbrt(excess * excess), 1.0), most);
}

static PetscErrorCode WantLengths(const Analysis *analysis, PetscReal lengths[])
{
  const PetscInt pieces = analysis->num_knots - 1;
  PetscReal     *coarse;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(pieces, &coarse));
  for (PetscInt p = 0; p < pieces; p++) coarse[p] = Coarseness(analysis, p);
  for (PetscInt p = 0; p < pieces; p++) {
    const PetscReal before = coarse[PetscMax(p - 1, 0)], after = coarse[PetscMin(p + 1, pieces - 1)];

    lengths[p] = CleanLength(analysis, p) * 0.25 * (before + 2.0 * coarse[p] + after);
  }
  PetscCall(PetscFree(coarse));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pieces per second at a time, linear between the midpoints of the pieces. */
static PetscReal Density(const Analysis *analysis, PetscReal time, const PetscReal lengths[], PetscInt *piece)
{
  const PetscInt   last  = analysis->num_knots - 2;
  const PetscReal *knots = analysis->knots;
  PetscReal        left, right, along;

  while (*piece < last && time > 0.5 * (knots[*piece + 1] + knots[*piece + 2])) (*piece)++;
  left = 0.5 * (knots[*piece] + knots[*piece + 1]);
  if (*piece == last || time <= left) return 1.0 / lengths[*piece];
  right = 0.5 * (knots[*piece + 1] + knots[*piece + 2]);
  along = (time - left) / (right - left);
  return (1.0 - along) / lengths[*piece] + along / lengths[*piece + 1];
}

/* New knots that share the density out equally. */
static PetscErrorCode MoveKnots(Analysis *analysis)
{
  const PetscReal width = analysis->duration / GRID;
  PetscReal       sum[GRID + 1], *lengths;
  PetscInt        piece = 0, pieces, g = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(analysis->num_knots - 1, &lengths));
  PetscCall(WantLengths(analysis, lengths));
  sum[0] = 0.0;
  for (PetscInt i = 0; i < GRID; i++) sum[i + 1] = sum[i] + width * Density(analysis, analysis->start + (0.5 + i) * width, lengths, &piece);
  PetscCall(PetscFree(lengths));
  pieces              = PetscMin(PetscMax((PetscInt)lround(sum[GRID]), 1), analysis->options->max_points);
  analysis->num_knots = pieces + 1;
  for (PetscInt k = 1; k < pieces; k++) {
    const PetscReal wanted = sum[GRID] * k / pieces;

    while (sum[g + 1] < wanted) g++;
    analysis->knots[k] = analysis->start + width * (g + (wanted - sum[g]) / (sum[g + 1] - sum[g]));
  }
  analysis->knots[pieces] = analysis->start + analysis->duration;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpaceKnots(Analysis *analysis, PetscInt pieces)
{
  PetscFunctionBegin;
  analysis->num_knots = pieces + 1;
  for (PetscInt k = 0; k <= pieces; k++) analysis->knots[k] = analysis->start + analysis->duration * k / pieces;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Cycles(const Analysis *analysis)
{
  const Envelope *envelope = &analysis->envelope;

  return envelope->count ? (envelope->phase[envelope->count - 1] - envelope->phase[0]) / (2.0 * PETSC_PI) : 0.0;
}

static PetscReal ResidualSize(const Analysis *analysis, const Piecewise *fit, PetscInt piece)
{
  PetscInt  first, end;
  PetscReal sum = 0.0;

  PieceSamples(analysis, piece, &first, &end);
  for (PetscInt i = first; i < end; i++) sum += fit->residual[i] * fit->residual[i];
  return end > first ? PetscSqrtReal(sum / (end - first)) : PETSC_INFINITY;
}

/* Average acceleration turns exp(s t) into exp(s' t), s = (2/h) tanh(s' h/2) [the trapezoidal rule]: a slower motion. Back again. */
static void UndoIntegration(PetscReal step, PetscReal *alpha, PetscReal *omega)
{
  const PetscReal turn = *omega * step, fall = *alpha * step, below = 0.5 * step * (cosh(fall) + PetscCosReal(turn));

  if (step == 0.0 || turn >= PETSC_PI) return;
  *alpha = sinh(fall) / below;
  *omega = PetscSinReal(turn) / below;
}

/* The frequency and damping of a piece, at its middle [eqs 18 to 22]. */
static RingDownPoint Point(const Analysis *analysis, Quantity quantity, PetscInt piece)
{
  const Piecewise *fit         = &analysis->amplitude;
  const PetscReal  alpha_error = SlopeError(analysis, fit, piece), omega_error = SlopeError(analysis, &analysis->phase, piece);
  PetscReal        alpha = -Slope(fit, piece), omega = Slope(&analysis->phase, piece), size;

  UndoIntegration(analysis->options->integration_step, &alpha, &omega);
  size = hypot(alpha, omega);
  return (RingDownPoint){
    .time        = 0.5 * (fit->knots[piece] + fit->knots[piece + 1]),
    .amplitude   = PetscExpReal(0.5 * (fit->values[piece] + fit->values[piece + 1])) * PetscPowRealInt(omega, -(PetscInt)quantity),
    .omega       = omega,
    .zeta        = alpha / size,
    .omega_error = omega_error,
    .zeta_error  = hypot(omega * alpha_error, alpha * omega_error) * omega / (size * size * size),
  };
}

/* Frequency and damping change smoothly from point to point, beats do not: what third differences of their logarithms, which a
   parabola does not have, tell of the error of one point. Infinite where that cannot be said. */
static PetscReal Scatter(const PetscReal values[4])
{
  for (PetscInt k = 0; k < 4; k++)
    if (!(values[k] > 0.0)) return PETSC_INFINITY;
  return PetscAbsReal(PetscLogReal(values[0] / values[3]) - 3.0 * PetscLogReal(values[1] / values[2])) / PetscSqrtReal(20.0);
}

/* Root mean square of the scatters of up to four stretches that hold point i, for its frequency and its damping. */
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
  *omega = last >= first ? PetscSqrtReal(sums[0] / (last - first + 1)) : PETSC_INFINITY;
  *zeta  = last >= first ? PetscSqrtReal(sums[1] / (last - first + 1)) : PETSC_INFINITY;
}

/* Whether one decaying harmonic explains the signal along this piece. */
static PetscBool IsHarmonic(const Analysis *analysis, const RingDownPoint *point, PetscInt piece)
{
  const PetscReal  most      = 0.1; /* of the amplitude, and in radians, root mean square */
  const PetscReal *plausible = analysis->options->plausible;

  return (PetscBool)(point->zeta > 0.0 && point->omega >= plausible[0] && point->omega <= plausible[1] &&
                     ResidualSize(analysis, &analysis->amplitude, piece) < most && ResidualSize(analysis, &analysis->phase, piece) < most);
}

/* Adds what neighbours tell to the errors. A point is trusted when twice its errors, 95 in 100 of a normal distribution, are accepted. */
static void Judge(const Analysis *analysis, PetscInt count, RingDownPoint points[])
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

/* Knots where the data want them: closer where the amplitude falls fast, wider where noise hides the slope. */
static PetscErrorCode ChooseKnots(Analysis *analysis)
{
  const PetscInt pieces = PetscMin(PetscMax((PetscInt)(Cycles(analysis) / analysis->options->min_cycles), 1), 2 * (PetscInt)steady_pieces);

  PetscFunctionBegin;
  PetscCall(SpaceKnots(analysis, PetscMin(pieces, analysis->options->max_points)));
  PetscCall(Fit(analysis));
  for (PetscInt round = 0; round < ROUNDS; round++) {
    PetscCall(MoveKnots(analysis));
    PetscCall(Fit(analysis));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The knots of the user that lie within the record. */
static PetscErrorCode TakeKnots(Analysis *analysis)
{
  const RingDownOptions *options = analysis->options;

  PetscFunctionBegin;
  analysis->num_knots = 0;
  for (PetscInt k = 0; k < options->num_knots; k++)
    if (options->knots[k] >= analysis->start && options->knots[k] <= analysis->start + analysis->duration)
      analysis->knots[analysis->num_knots++] = options->knots[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Samples before the first knot and after the last have no piece. */
static PetscErrorCode CutToKnots(Analysis *analysis)
{
  const PetscInt first = (PetscInt)PetscCeilReal((analysis->knots[0] - analysis->start) / analysis->step - 1e-6);
  const PetscInt last  = (PetscInt)PetscFloorReal((analysis->knots[analysis->num_knots - 1] - analysis->start) / analysis->step + 1e-6);

  PetscFunctionBegin;
  PetscCall(EnvelopeCut(&analysis->envelope, first, last + 1));
  analysis->start += first * analysis->step;
  analysis->duration = (analysis->envelope.count - 1) * analysis->step;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool PiecesHoldSamples(const Analysis *analysis)
{
  const PetscInt fewest = 4;

  for (PetscInt p = 0; p < analysis->num_knots - 1; p++) {
    PetscInt first, end;

    PieceSamples(analysis, p, &first, &end);
    if (end - first < fewest) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* What stands against an analysis, or NULL. */
static const char *Refuse(const Analysis *analysis)
{
  const PetscReal cycles = Cycles(analysis);

  if (analysis->envelope.count == 0) return "no decay stands out: nothing moves, or the record is too short, or other motions or noise are as large";
  if (cycles < FEWEST_PIECES * analysis->options->min_cycles) return "the record holds too few cycles";
  if (analysis->envelope.count < FEWEST_SAMPLES_A_CYCLE * cycles) return "fewer than three samples a cycle";
  return NULL;
}

static PetscErrorCode Keep(const Analysis *analysis, Quantity quantity, RingDownCurve *curve)
{
  PetscFunctionBegin;
  curve->count     = analysis->num_knots - 1;
  curve->num_knots = analysis->num_knots;
  PetscCall(PetscMalloc3(curve->count, &curve->points, curve->num_knots, &curve->knots, curve->num_knots, &curve->envelope));
  for (PetscInt p = 0; p < curve->count; p++) curve->points[p] = Point(analysis, quantity, p);
  for (PetscInt k = 0; k < curve->num_knots; k++) {
    curve->knots[k]    = analysis->knots[k];
    curve->envelope[k] = PetscExpReal(analysis->amplitude.values[k]);
  }
  Judge(analysis, curve->count, curve->points);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownFind(const Record *record, const RingDownOptions *options, RingDownCurve *curve)
{
  Analysis analysis;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(curve, sizeof(*curve)));
  PetscCall(AnalysisCreate(record, options, &analysis));
  curve->remark = Refuse(&analysis);
  if (!curve->remark && options->num_knots) {
    PetscCall(TakeKnots(&analysis));
    if (analysis.num_knots < 2) curve->remark = "fewer than two of the knots lie within the record";
    else PetscCall(CutToKnots(&analysis));
    if (!curve->remark && !PiecesHoldSamples(&analysis)) curve->remark = "knots too close: fewer than four samples between them";
    if (!curve->remark) PetscCall(Fit(&analysis));
  } else if (!curve->remark) PetscCall(ChooseKnots(&analysis));
  if (!curve->remark) PetscCall(Keep(&analysis, record->quantity, curve));
  PetscCall(AnalysisDestroy(&analysis));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownDestroy(RingDownCurve *curve)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(curve->points, curve->knots, curve->envelope));
  PetscCall(PetscMemzero(curve, sizeof(*curve)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ln A of a velocity is that of the displacement plus ln omega. */
void RingDownToDisplacement(PetscInt count, Quantity quantity, RingDownPoint points[])
{
  PetscReal omega_before = count ? points[0].omega : 0.0, time_before = count ? points[0].time : 0.0;

  for (PetscInt i = 0; i < count; i++) {
    const RingDownPoint *after = &points[PetscMin(i + 1, count - 1)];
    const PetscReal      rate  = after->time > time_before ? PetscLogReal(after->omega / omega_before) / (after->time - time_before) : 0.0;

    omega_before = points[i].omega;
    time_before  = points[i].time;
    points[i].zeta += (PetscReal)quantity * rate / points[i].omega;
  }
}
