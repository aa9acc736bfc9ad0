/*
  nonlinear_modes.h - the study of nonlinear modes: frequency, damping and shape of a mode against its amplitude.

  The amplitude of a mode is that of the first harmonic of its coordinate, a cos(W t), its shape that of the structure with joints stuck and
  of unit modal mass.
*/
#pragma once
#include "harmonic/curve.h"
#include "harmonic/virgin.h"
#include "study.h"
#include "study/curve_keeper.h"
#include "study/internal_resonances.h"
#include "study/expansion.h"
#include "study/watched.h"

typedef enum { METHOD_EPMC, METHOD_QUASI_STATIC, NUM_METHODS } NonlinearModesMethod;

extern const char *const nonlinear_modes_methods[]; /* words of the case file; ends with NULL */

typedef struct {
  const char      *name, *about, *point;
  InputReals       modes;
  PetscInt         direction, method;
  PetscReal        from, to, accuracy, step;
  PetscInt         harmonics, samples, most_harmonics, max_points, points;
  const InputNode *watch, *fields;
} NonlinearModesKeys;

/* One mode, and where it goes in the result. */
typedef struct {
  PetscInt  mode;     /* from 0 */
  PetscReal from, to; /* of the coordinate [m kg^1/2] */
  Finding  *finding;
  char      name[32]; /* mode7 */
  Expansion expansion;
  Virgin   *virgin;  /* by static equilibrium, while it is to be followed and written; else NULL */
  PetscReal seconds; /* that this took */
} ModeCurve;

typedef struct {
  NonlinearModesKeys keys;
  PetscInt           range_motion;  /* that the range is of; -1: of the coordinate */
  PetscInt           range_watched; /* the same among the watched ones; -1 */
  PetscInt           num_kept;      /* harmonics of motions that are kept, without the mean */
  Watch              watch;
  Watched            watched;
  ExpansionPlan      expansion;
  PetscInt           num_curves;
  ModeCurve         *curves;
  Finding           *finding;
  HarmonicStructure *structure; /* while modes are followed */
} NonlinearModes;

/* What is found at one amplitude. Harmonics of the remainders of the joints are what the motions follow from. */
typedef struct {
  PetscReal            amplitude, omega, zeta, error, gap;
  PetscInt             harmonics, samples, iterations;
  PetscBool            at_rest;   /* it is where the mode turns in static equilibrium: nothing has inertia */
  const HarmonicBasis *basis;     /* of the remainders */
  const PetscReal     *remainder; /* [m, num_functions] */
} ModePoint;

/* What is known of a mode so far: it is kept when it is broken off. */
typedef struct {
  PetscInt           count; /* points */
  InternalResonances resonances;
  ExpansionPassed    expansion;
} ModePassed;

/* A mode while it is followed. */
typedef struct {
  const NonlinearModes    *study;
  const ModeCurve         *curve;
  const HarmonicStructure *structure;
  const Result            *result;
  ModePassed               passed;
  CurveKeeper              keeper;  /* of a curve of periodic motions */
  PetscBool               *coupled; /* [n] other modes that move nonlinear joints */
  Expansion                expansion;
} ModeTrack;

extern const OutputTable *const nonlinear_modes_outputs[]; /* ends with NULL */

/* The findings. Local. */
PetscErrorCode NonlinearModesDeclare(const char *name, const Names *names, Findings *findings, NonlinearModes *study);
/* What moves at a point; to be destroyed before the point goes. */
PetscErrorCode ModeTrackMotion(const ModeTrack *track, const ModePoint *point, PeriodicMotion *motion);
/* Writes a point of the curve. */
PetscErrorCode ModeTrackWrite(ModeTrack *track, const ModePoint *point);
/* Writes how it ended. */
PetscErrorCode ModeTrackEnd(const ModeTrack *track, PetscBool finished, const char *reason);
PetscErrorCode NonlinearModesIsFinished(const ModeCurve *curve, const Result *result, PetscBool *finished);
PetscErrorCode NonlinearModesPrint(const char *name, const NonlinearModes *study, const Result *result, Outcome *outcome);

/* Complains at `node` of what a method cannot follow. Local. */
PetscErrorCode NonlinearModesCheckLaws(const InputNode *node, const System *system, NonlinearModesMethod method);

/* A mode by each method; `finished` is false when the user broke it off. Local. */
PetscErrorCode ModeFollowLinear(ModeTrack *track, PetscBool *finished, char reason[], size_t size);
PetscErrorCode ModeFollowPeriodic(ModeTrack *track, PetscBool *finished, char reason[], size_t size);
/* By static equilibrium in three parts: each mode is begun, all of these studies are followed side by side, each is written. */
PetscErrorCode ModeStaticBegin(const NonlinearModes *study, const HarmonicStructure *structure, ModeCurve *curve);
PetscErrorCode ModesFollowStatic(PetscInt count, NonlinearModes *const studies[]);
PetscErrorCode ModeWriteStatic(ModeTrack *track, PetscBool *finished, char reason[], size_t size);
