/* ring_down.h - the analysis of one decay: its envelope, its knots, and the functions fitted between them. */
#pragma once
#include "envelope.h"
#include "piecewise.h"

typedef struct {
  const RingDownOptions *options;
  Envelope               envelope;
  PetscReal              start, step, duration; /* of the envelope [s] */
  PetscInt               num_knots, capacity;
  PetscReal             *knots;
  Piecewise              amplitude, phase; /* fitted to ln amplitude and to the phase */
} Analysis;

/* Fits ln amplitude and phase with the present knots. */
PetscErrorCode AnalysisFit(Analysis *analysis);
PetscReal      AnalysisCycles(const Analysis *analysis);
PetscReal      PieceSlope(const Piecewise *fit, PetscInt piece);
/* The samples of a piece: from first to end - 1. */
void PieceSamples(const Analysis *analysis, PetscInt piece, PetscInt *first, PetscInt *end);

/* The curve and its slope at the middle of a piece. */
void PieceMiddle(const Piecewise *fit, PetscInt piece, PetscReal *value, PetscReal *slope);

/* Standard deviation of the slope of a piece, from what its residual [samples] differs by from an expected one; NULL: from a parabola. */
PetscReal PieceSlopeError(const Analysis *analysis, const Piecewise *fit, PetscInt piece, const PetscReal expected[]);
/* For four pieces or more: a smooth decay with the slopes of this fit, fitted in the same way. By how much its slopes then differ [pieces], and
   the residual that it leaves [samples]. */
PetscErrorCode Rehearse(const Analysis *analysis, const Piecewise *fit, PetscReal bias[], PetscReal residual[]);
/* Completes the errors of the points, and decides which points are trusted. */
PetscErrorCode JudgePoints(const Analysis *analysis, PetscInt count, RingDownPoint points[]);

/* Chooses the knots from the data, or takes those of the user, and fits; `remark` says why the user's cannot be used. */
PetscErrorCode KnotsChoose(Analysis *analysis);
PetscErrorCode KnotsTake(Analysis *analysis, const char **remark);
