/*
  balanced.h - responses by harmonic balance: curves of periodic motions over the frequency or the level of sines, with what no test would stay on.

  A curve begins where its range begins and goes round folds. It is one row of the result a point, in the order of the curve.
*/
#pragma once
#include "harmonic/stability.h"
#include "response.h"
#include "study/expansion.h"

typedef struct {
  const char      *name, *about;
  const InputNode *frequencies, *levels, *load, *watch, *fields;
  InputReals       level;
  PetscInt         method, harmonics, samples, most_harmonics, most_samples, stored_harmonics, max_points, stability;
  PetscReal        frequency, accuracy, largest_step;
} BalancedKeys;

/* The fields of a curve. */
enum {
  BALANCED_FREQUENCY,
  BALANCED_LEVEL,
  BALANCED_AMPLITUDE,
  BALANCED_PHASE,
  BALANCED_MEAN,
  BALANCED_HARMONICS,
  BALANCED_HARMONIC_PHASES,
  BALANCED_HEADING,
  BALANCED_LEFT_OUT,
  BALANCED_KEPT,
  BALANCED_HIGHEST,
  BALANCED_SAMPLES,
  BALANCED_PERIODS,
  BALANCED_ITERATIONS,
  BALANCED_STABLE,
  BALANCED_MULTIPLIER,
  BALANCED_MULTIPLIER_ERROR,
  BALANCED_SPECIAL_KIND,
  BALANCED_SPECIAL_FREQUENCY,
  BALANCED_SPECIAL_LEVEL,
  BALANCED_SPECIAL_AMPLITUDE,
  BALANCED_SECONDS,
  BALANCED_REASON,
  BALANCED_FINISHED
};

enum { BALANCED_NOT_JUDGED, BALANCED_STABLE_POINT, BALANCED_UNSTABLE_POINT, BALANCED_UNDECIDED_POINT }; /* of the field `stable` */
enum { MOST_SPECIAL = 200 };                                                                            /* points of a curve that are located */

typedef struct {
  char      name[32];
  PetscReal level, from, to; /* level: of curves over the frequency; from, to: [Hz], or levels */
  Finding  *finding;
  Expansion expansion;
} BalancedCurve;

typedef struct {
  Response           common; /* loads, watch, motions */
  BalancedKeys       keys;
  PetscBool          by_level, judges; /* judges: stability */
  PetscInt           num_curves;
  BalancedCurve     *curves;
  ExpansionPlan      expansion;
  Finding           *finding;
  HarmonicStructure *structure; /* once it is prepared */
} Balanced;

extern const OutputTable       balanced_study_output, balanced_curve_output;
extern const InputTable *const balanced_tables[]; /* ends with NULL */
extern const StudyKind         response_balanced;

/* {from, to}; something usable after a complaint. Local. */
PetscErrorCode BalancedFrequenciesRead(const InputNode *node, PetscReal *from, PetscReal *to);
PetscErrorCode BalancedDeclare(const char *name, const Names *names, Findings *findings, Balanced *balanced);
/* Follows a curve and writes its rows. Local. */
PetscErrorCode BalancedFollow(const Balanced *balanced, const BalancedCurve *curve, const Result *result);
PetscErrorCode BalancedPrint(const char *name, const Balanced *balanced, const Result *result, Outcome *outcome);
/* Where no motion that is watched is pushed: the one that moves most at the frequencies, while joints stick. */
PetscErrorCode BalancedChooseReference(const HarmonicStructure *structure, Balanced *balanced);
