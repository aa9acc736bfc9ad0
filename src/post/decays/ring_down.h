/* ring_down.h - one decay being analysed: its envelope, the pieces it is cut into, what is fitted to them. */
#pragma once
#include "envelope.h"
#include "piecewise.h"

typedef struct {
  const RingDownOptions *options;
  Envelope               envelope;
  PetscReal              start, step, duration; /* of the envelope [s] */
  PetscInt               num_knots, capacity;
  PetscReal             *knots;
  Piecewise              amplitude, phase; /* of ln amplitude and phase */
} Analysis;

/* Fits to the present knots. */
PetscErrorCode AnalysisFit(Analysis *analysis);
PetscReal      AnalysisCycles(const Analysis *analysis);
PetscReal      PieceSlope(const Piecewise *fit, PetscInt piece);
/* Samples of a piece: first, and one beyond the last. */
void PieceSamples(const Analysis *analysis, PetscInt piece, PetscInt *first, PetscInt *end);

/* Standard deviation of the slope of a piece. */
PetscReal PieceSlopeError(const Analysis *analysis, const Piecewise *fit, PetscInt piece);
/* Adds what neighbours tell to the errors of the points, and says which are trusted. */
void JudgePoints(const Analysis *analysis, PetscInt count, RingDownPoint points[]);

/* Knots where the data want them, or those of the user; fitted. `remark` says why there are none. */
PetscErrorCode KnotsChoose(Analysis *analysis);
PetscErrorCode KnotsTake(Analysis *analysis, const char **remark);
