/* compare.h - a modal model beside the structure: decays of the structure, each judged by the model's curves at its amplitudes. */
#pragma once
#include "modal_iwan.h"

typedef struct {
  const char *name, *truth, *model, *fit;
} CompareKeys;

typedef enum { REGIME_MICROSLIP, REGIME_MACROSLIP, NUM_REGIMES } Regime;

enum { NUM_JUDGED_ARRAYS = 5, NUM_LINE_ARRAYS = 10, RATIO_MEAN = 0, RATIO_LEAST, RATIO_MOST, NUM_RATIOS };

/* A decay of the structure. */
typedef struct {
  const Decay *decay;
  char         place[RESULT_TEXT_LENGTH]; /* where the structure was excited */
  ResultArray  arrays[NUM_JUDGED_ARRAYS]; /* of each point that could be compared: time, amplitude, ratios, regime */
} Judged;

/* What all decays of one mode, excited at one place, say of a regime: measured over model. */
typedef struct {
  PetscInt    mode, points;
  const char *place;
  Regime      regime;
  PetscReal   omega[NUM_RATIOS], zeta[NUM_RATIOS];
} CompareLine;

typedef struct {
  CompareKeys  keys;
  const Study *truth, *model, *fit;
  PetscInt     num_judged, num_lines;
  Judged      *judged;
  CompareLine *lines;
  ResultArray  arrays[NUM_LINE_ARRAYS];
} Compare;

/* The decays of the truth whose modes have a model. */
PetscErrorCode CompareFindJudged(const InputNode *node, Compare *compare);
/* The layout, once it is known where runs are excited; and the lines. */
PetscErrorCode CompareReserve(const char *name, const System *system, Result *result, Compare *compare);
/* Fills the lines and the result. Local. */
PetscErrorCode CompareJudge(Compare *compare, const Result *result);
