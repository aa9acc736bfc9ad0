/* compare.h - a modal model beside the structure: decays of the structure, each judged by the model's curves at its amplitudes. */
#pragma once
#include "study/decays.h"

typedef struct {
  const char *name, *truth, *model, *fit;
} CompareKeys;

typedef enum { REGIME_MICROSLIP, REGIME_MACROSLIP, NUM_REGIMES } Regime;

enum { RATIO_MEAN, RATIO_LEAST, RATIO_MOST, NUM_RATIOS };

/* A decay of the structure, compared with the model. */
typedef struct {
  const Finding *decay;
  PetscInt       mode;
  const char    *place; /* where the structure was excited */
  Finding       *finding;
} ComparedDecay;

/* What all decays of one mode, excited at one place, say of a regime: measured over model. */
typedef struct {
  PetscInt    mode, points;
  const char *place;
  Regime      regime;
  PetscReal   omega[NUM_RATIOS], zeta[NUM_RATIOS];
} CompareLine;

typedef struct {
  CompareKeys    keys;
  const Study   *truth, *model, *fit;
  PetscInt       num_decays, num_lines;
  ComparedDecay *decays;
  CompareLine   *lines;
  Finding       *table;
} Compare;

extern const OutputTable *const compare_tables[]; /* ends with NULL */

/* The decays of the truth whose modes have a model. */
PetscErrorCode CompareFindDecays(const InputNode *node, Compare *compare);
/* The findings, and the lines. */
PetscErrorCode CompareDeclare(const char *name, Findings *findings, Compare *compare);
/* Fills the lines and the result. Local. */
PetscErrorCode CompareDecays(Compare *compare, const Result *result);
