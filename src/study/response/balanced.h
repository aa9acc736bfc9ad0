/*
  balanced.h - responses by harmonic balance: curves of periodic motions over the frequency or the level of sines, or along a resonance, with what
  no test would stay on.

  A curve begins where its range begins and goes round folds. It is one row of the result a point, in the order of the curve.
*/
#pragma once
#include "harmonic/stability.h"
#include "response.h"
#include "study/expansion.h"
#include "study/internal_resonances.h"

typedef struct {
  const char      *name, *about, *at;
  const InputNode *frequencies, *levels, *load, *watch, *fields;
  InputReals       level, modes;
  PetscInt         method, along, direction, harmonics, samples, most_harmonics, most_samples, stored_harmonics, max_points, max_special, stability;
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
  BALANCED_HARMONIC_PHASES, /* these five as PeriodicRowsWrite has them */
  BALANCED_COORDINATE,
  BALANCED_DAMPING,
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
  BALANCED_SPECIAL_MISSED,
  BALANCED_MET_HARMONIC,
  BALANCED_MET_MODE,
  BALANCED_MET_FREQUENCY,
  BALANCED_MET_LEVEL,
  BALANCED_MET_APART,
  BALANCED_MET_TURNS,
  BALANCED_LEFT_OUT_HARMONIC,
  BALANCED_LEFT_OUT_MODE,
  BALANCED_LEFT_OUT_FREQUENCY,
  BALANCED_LEFT_OUT_LEVEL,
  BALANCED_SECONDS,
  BALANCED_REASON,
  BALANCED_FINISHED
};

enum { BALANCED_NOT_JUDGED, BALANCED_STABLE_POINT, BALANCED_UNSTABLE_POINT, BALANCED_UNDECIDED_POINT }; /* of the field `stable` */

typedef struct {
  char      name[32];
  PetscReal level, from, to; /* level: of curves over the frequency; from, to: [Hz], or levels */
  PetscInt  mode;            /* from 0, along whose resonance it goes; -1 */
  Finding  *finding;
  PetscInt  num_supports;
  Finding **supports; /* [num_supports] what moves each of them */
  Expansion expansion;
} BalancedCurve;

typedef enum { BALANCED_OVER_FREQUENCY, BALANCED_OVER_LEVEL, BALANCED_ALONG_RESONANCE } BalancedCourse;

enum { ALONG_PHASE_RESONANCE, ALONG_PEAK };
extern const char *const balanced_along[]; /* words of the case file; ends with NULL */

typedef struct {
  Response           common; /* loads, watch, motions */
  BalancedKeys       keys;
  BalancedCourse     course;
  PetscInt           peak_motion; /* among the watched ones, whose peak is followed; -1: of the coordinate of the mode */
  PetscBool          judges;      /* stability */
  PetscInt           num_curves;
  BalancedCurve     *curves;
  ExpansionPlan      expansion;
  Finding           *finding;
  HarmonicStructure *structure; /* once it is prepared */
} Balanced;

extern const OutputTable             balanced_study_output, balanced_curve_output, balanced_support_output;
extern const InternalResonanceFields balanced_met, balanced_left_out;
extern const InputTable *const       balanced_tables[]; /* ends with NULL */
extern const StudyKind               response_balanced;

/* Keys of curves along resonances; complains once modes are known of one without a frequency or a load. */
PetscErrorCode BalancedReadAlong(const InputNode *node, const Names *names, Balanced *balanced);
PetscErrorCode BalancedCheckAlong(const InputNode *node, ModeCache *cache, const Balanced *balanced);
/* Lines of a curve along a resonance. */
PetscErrorCode BalancedPrintAlong(const Balanced *balanced, const BalancedCurve *curve, const Result *result);

/* {from, to}; something usable after a complaint. Local. */
PetscErrorCode BalancedFrequenciesRead(const InputNode *node, PetscReal *from, PetscReal *to);
PetscErrorCode BalancedDeclare(const char *name, const Names *names, Findings *findings, Balanced *balanced);
/* The reactions of moving supports: their findings, and a row of them of the present point of a curve. */
PetscErrorCode BalancedDeclareSupports(const Names *names, const BalancedKeys *keys, Findings *findings, BalancedCurve *curve);
PetscErrorCode BalancedWriteSupports(const BalancedCurve *which, PetscInt stored, PetscInt row, const Curve *curve, const Result *result);
/* Follows a curve and writes its rows. Local. */
PetscErrorCode BalancedFollow(const Balanced *balanced, const BalancedCurve *curve, const Result *result);
PetscErrorCode BalancedPrint(const char *name, const Balanced *balanced, const Result *result, Outcome *outcome);
/* Where no motion that is watched is pushed: the one that moves most at the frequencies, while joints stick. */
PetscErrorCode BalancedChooseReference(const HarmonicStructure *structure, Balanced *balanced);
