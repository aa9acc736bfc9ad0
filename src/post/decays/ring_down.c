/* ring_down.c - frequency and damping along a decay, from the slopes of phase and ln amplitude. */
#include "ring_down.h"
#include <math.h>

enum { FEWEST_PIECES = 5, FEWEST_SAMPLES_A_CYCLE = 3 };

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

PetscErrorCode AnalysisFit(Analysis *analysis)
{
  const Envelope *envelope = &analysis->envelope;

  PetscFunctionBegin;
  analysis->amplitude.num_knots = analysis->phase.num_knots = analysis->num_knots;
  PetscCall(PiecewiseFit(envelope->count, analysis->start, analysis->step, envelope->log_amplitude, &analysis->amplitude));
  PetscCall(PiecewiseFit(envelope->count, analysis->start, analysis->step, envelope->phase, &analysis->phase));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal AnalysisCycles(const Analysis *analysis)
{
  const Envelope *envelope = &analysis->envelope;

  return envelope->count ? (envelope->phase[envelope->count - 1] - envelope->phase[0]) / (2.0 * PETSC_PI) : 0.0;
}

PetscReal PieceSlope(const Piecewise *fit, PetscInt piece)
{
  return (fit->values[piece + 1] - fit->values[piece]) / (fit->knots[piece + 1] - fit->knots[piece]);
}

void PieceSamples(const Analysis *analysis, PetscInt piece, PetscInt *first, PetscInt *end)
{
  const PetscReal *knots = analysis->knots;

  *first = (PetscInt)PetscCeilReal((knots[piece] - analysis->start) / analysis->step - 1e-6);
  *end   = (PetscInt)PetscCeilReal((knots[piece + 1] - analysis->start) / analysis->step - 1e-6);
  *first = PetscMax(*first, 0);
  *end   = PetscMin(*end, analysis->envelope.count);
}

/* The average-acceleration rule integrates exp(s t) as exp(s' t), a slower motion, with s = (2/h) tanh(s' h/2) [the trapezoidal rule].
   Finds s from s'. */
static void UndoIntegration(PetscReal step, PetscReal *alpha, PetscReal *omega)
{
  const PetscReal turn = *omega * step, fall = *alpha * step, below = 0.5 * step * (cosh(fall) + PetscCosReal(turn));

  if (step == 0.0 || turn >= PETSC_PI) return;
  *alpha = sinh(fall) / below;
  *omega = PetscSinReal(turn) / below;
}

/* The second derivative at a knot, from the slopes on both sides; at the ends, extrapolated linearly from the next two knots. */
static PetscReal Curvature(const Piecewise *fit, PetscInt knot)
{
  const PetscInt   last = fit->num_knots - 1, next = knot == 0 ? 1 : last - 1, after_next = knot == 0 ? 2 : last - 2;
  const PetscReal *t = fit->knots;

  if (knot > 0 && knot < last) return 2.0 * (PieceSlope(fit, knot) - PieceSlope(fit, knot - 1)) / (t[knot + 1] - t[knot - 1]);
  if (last < 3) return last < 2 ? 0.0 : Curvature(fit, next);
  return Curvature(fit, next) + (Curvature(fit, after_next) - Curvature(fit, next)) * (t[knot] - t[next]) / (t[after_next] - t[next]);
}

/* The value of the curve at a knot. Lines fitted to a parabola miss it there, by a twelfth of its second derivative times h^2 for equal pieces. */
static PetscReal ValueAtKnot(const Piecewise *fit, PetscInt knot)
{
  const PetscReal before = knot > 0 ? fit->knots[knot] - fit->knots[knot - 1] : fit->knots[1] - fit->knots[0];
  const PetscReal after  = knot < fit->num_knots - 1 ? fit->knots[knot + 1] - fit->knots[knot] : before;

  return fit->values[knot] + Curvature(fit, knot) * (before * before - before * after + after * after) / 12.0;
}

/* From values and second derivatives at both knots. */
void PieceMiddle(const Piecewise *fit, PetscInt piece, PetscReal *value, PetscReal *slope)
{
  const PetscReal length = fit->knots[piece + 1] - fit->knots[piece], left = ValueAtKnot(fit, piece), right = ValueAtKnot(fit, piece + 1);
  const PetscReal curvature[2] = {Curvature(fit, piece), Curvature(fit, piece + 1)};

  *value = 0.5 * (left + right) - (curvature[0] + curvature[1]) * length * length / 16.0;
  *slope = (right - left) / length - (curvature[1] - curvature[0]) * length / 24.0;
}

/* The frequency and damping of a piece, at its middle [eqs 18 to 22]. */
static RingDownPoint Point(const Analysis *analysis, Quantity quantity, PetscInt piece)
{
  const Piecewise *fit         = &analysis->amplitude;
  const PetscReal  alpha_error = PieceSlopeError(analysis, fit, piece, NULL);
  const PetscReal  omega_error = PieceSlopeError(analysis, &analysis->phase, piece, NULL);
  PetscReal        ln_amplitude, phase, alpha, omega, size;

  PieceMiddle(fit, piece, &ln_amplitude, &alpha);
  PieceMiddle(&analysis->phase, piece, &phase, &omega);
  alpha = -alpha;
  UndoIntegration(analysis->options->integration_step, &alpha, &omega);
  size = hypot(alpha, omega);
  return (RingDownPoint){
    .time        = 0.5 * (fit->knots[piece] + fit->knots[piece + 1]),
    .amplitude   = PetscExpReal(ln_amplitude) * PetscPowRealInt(omega, -(PetscInt)quantity),
    .omega       = omega,
    .zeta        = alpha / size,
    .omega_error = omega_error,
    .zeta_error  = hypot(omega * alpha_error, alpha * omega_error) * omega / (size * size * size),
  };
}

/* Why the record cannot be analysed, or NULL. */
static const char *Refuse(const Analysis *analysis)
{
  const PetscReal cycles = AnalysisCycles(analysis);

  if (analysis->envelope.count == 0) return "no decay is found: the record is silent or too short, or noise or other motions are as large";
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
  PetscCall(JudgePoints(analysis, curve->count, curve->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownFind(const Record *record, const RingDownOptions *options, RingDownCurve *curve)
{
  Analysis analysis;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(curve, sizeof(*curve)));
  PetscCall(AnalysisCreate(record, options, &analysis));
  curve->remark = Refuse(&analysis);
  if (!curve->remark && options->num_knots) PetscCall(KnotsTake(&analysis, &curve->remark));
  else if (!curve->remark) PetscCall(KnotsChoose(&analysis));
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
