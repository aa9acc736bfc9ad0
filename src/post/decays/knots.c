/* knots.c - the knots between which the phase and ln amplitude of a decay are taken for straight. */
#include <math.h>
#include "ring_down.h"

enum { ROUNDS = 8, GRID = 2048 };

/* Number of equal pieces of a decay whose amplitude hardly falls. */
static const PetscReal steady_pieces = 10.0;

/* How long a piece of a record without noise should be where the amplitude falls as it does here. All terms are smooth, so that neighbouring
   pieces have nearly equal lengths: only then are the slopes of the pieces those of the curve at their midpoints. */
static PetscReal CleanLength(const Analysis *analysis, PetscInt piece)
{
  const RingDownOptions *options = analysis->options;
  const PetscReal        falling = PieceSlope(&analysis->amplitude, piece) / options->drop, steady = steady_pieces / analysis->duration;
  const PetscReal        shortest = options->min_cycles * 2.0 * PETSC_PI / PetscMax(PetscAbsReal(PieceSlope(&analysis->phase, piece)), PETSC_SMALL);

  return hypot(1.0 / hypot(falling, steady), PetscMin(shortest, analysis->duration));
}

/* The factor by which noise lengthens a piece: the error of a slope falls with the length to the power 3/2. */
static PetscReal Coarseness(const Analysis *analysis, PetscInt piece)
{
  const PetscReal most = 3.0, share = 0.5; /* of the accepted error */
  const PetscReal length = analysis->knots[piece + 1] - analysis->knots[piece], slope = PetscAbsReal(PieceSlope(&analysis->amplitude, piece));
  const PetscReal excess =
    PieceSlopeError(analysis, &analysis->amplitude, piece, NULL) / PetscMax(share * analysis->options->accept_zeta * slope, PETSC_SMALL);

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

/* New knots such that every piece holds the same integral of the density. */
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

/* Knots are closer where the amplitude falls fast, and wider where noise hides the slope. */
PetscErrorCode KnotsChoose(Analysis *analysis)
{
  const PetscInt pieces = PetscMin(PetscMax((PetscInt)(AnalysisCycles(analysis) / analysis->options->min_cycles), 1), 2 * (PetscInt)steady_pieces);

  PetscFunctionBegin;
  PetscCall(SpaceKnots(analysis, PetscMin(pieces, analysis->options->max_points)));
  PetscCall(AnalysisFit(analysis));
  for (PetscInt round = 0; round < ROUNDS; round++) {
    PetscCall(MoveKnots(analysis));
    PetscCall(AnalysisFit(analysis));
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

PetscErrorCode KnotsTake(Analysis *analysis, const char **remark)
{
  PetscFunctionBegin;
  PetscCall(TakeKnots(analysis));
  if (analysis->num_knots < 2) *remark = "fewer than two knots lie within the record";
  else PetscCall(CutToKnots(analysis));
  if (!*remark && !PiecesHoldSamples(analysis)) *remark = "the knots are too close: fewer than four samples lie between two of them";
  if (!*remark) PetscCall(AnalysisFit(analysis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
