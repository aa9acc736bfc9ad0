/*
  one_mode.h - responses near a resonance from a nonlinear mode alone: what its frequency, damping and shape against amplitude say of motions under
  sines. It takes no equation of the joints.

  With the artificial damping that keeps the mode going, its motion, harmonics psi_k(a) a of the frequency w, is in equilibrium. Under a load
  P e^{iWt} the motion is taken as the same at the same amplitude, and with it the forces of the joints, which need not know W. What psi_1 then does
  with all forces says

      D(W, a) q = level psi_1^H P,    q = a e^{i alpha}
      D = mu (w^2 - W^2) + i (2 zeta w^2 kappa + c (W - w)),    mu = psi_1^H M psi_1,    kappa, c = sum_k k^2 psi_k^H (M, C) psi_k

  The imaginary part is the work of a period, of all harmonics together: what the artificial damping gave back at w. The part of it that is viscous, c,
  grows with W, that of hysteresis does not. Where the joints are linear all of it is exact; other modes follow the load as if all joints stuck.
*/
#pragma once
#include "harmonic/structure.h"
#include "response.h"

typedef struct {
  const char      *name, *of;
  const InputNode *frequencies, *load, *watch;
  InputReals       level;
  PetscInt         method, mode, stored_harmonics, max_points, max_special;
  PetscBool        others;
} OneModeKeys;

typedef struct {
  char      name[32];
  PetscReal level;
  Finding  *finding;
} OneModeCurve;

typedef struct {
  Response           common; /* loads, watch, motions */
  OneModeKeys        keys;
  PetscReal          from, to; /* [Hz] */
  const Study       *source;   /* of nonlinear modes */
  const Finding     *mode;
  PetscInt           number; /* of the mode, from 1 */
  PetscInt           num_curves;
  OneModeCurve      *curves;
  Finding           *finding;
  HarmonicStructure *structure; /* once it is prepared, where this rank leads */
} OneMode;

enum {
  ONE_MODE_FREQUENCY,
  ONE_MODE_LEVEL,
  ONE_MODE_COORDINATE,
  ONE_MODE_AMPLITUDE,
  ONE_MODE_PHASE,
  ONE_MODE_MEAN,
  ONE_MODE_HARMONICS,
  ONE_MODE_HARMONIC_PHASES,
  ONE_MODE_HEADING,
  ONE_MODE_SPECIAL_KIND,
  ONE_MODE_SPECIAL_FREQUENCY,
  ONE_MODE_SPECIAL_LEVEL,
  ONE_MODE_SPECIAL_AMPLITUDE,
  ONE_MODE_SPECIAL_COORDINATE,
  ONE_MODE_SPECIAL_MISSED,
  ONE_MODE_SECONDS,
  ONE_MODE_REASON,
  ONE_MODE_FINISHED
};

extern const OutputTable       one_mode_study_output, one_mode_curve_output;
extern const InputTable *const one_mode_tables[]; /* ends with NULL */
extern const StudyKind         response_one_mode;

PetscErrorCode OneModeDeclare(const char *name, const Names *names, Findings *findings, OneMode *one);
PetscErrorCode OneModePrint(const char *name, const OneMode *one, const Result *result, Outcome *outcome);

/* What is known of a mode at an amplitude; then, for each motion, harmonics 0 to `stored` of its shape, real and imaginary part. */
enum { BACKBONE_LOG_AMPLITUDE, BACKBONE_OMEGA, BACKBONE_MASS, BACKBONE_LOSS, BACKBONE_DAMPING, BACKBONE_LOAD_RE, BACKBONE_LOAD_IM, BACKBONE_SHAPE };

/* A nonlinear mode along its curve, by the length of this in the logarithm of the amplitude. */
typedef struct {
  PetscInt   count, size;
  PetscReal *place;   /* [count] ascending from 0 */
  PetscReal *numbers; /* [count, size] */
  PetscReal *slopes;  /* likewise, by the place */
} Backbone;

/* Reads it; `count` is 0 where the mode has less than two points. Local. */
PetscErrorCode BackboneCreate(const OneMode *one, const Result *result, Backbone *backbone);
PetscErrorCode BackboneDestroy(Backbone *backbone);
/* The first `count` of its numbers at a place. Below 0 the mode is as at its smallest amplitude, and the place is the logarithm of how much smaller it is. */
void BackboneAt(const Backbone *backbone, PetscReal place, PetscInt count, PetscReal numbers[]);

/* The two frequencies at which a mode of these numbers moves so far at a level, below (side < 0) or above its resonance; which is where it moves so
   far at the least level. False: there is none. Local. */
PetscReal OneModeResonance(const PetscReal numbers[]);
PetscBool OneModeReaches(const PetscReal numbers[], PetscReal level);
PetscBool OneModeFrequency(const PetscReal numbers[], PetscReal level, PetscReal side, PetscReal *frequency);
/* Phase of its coordinate against e^{iWt}. */
PetscReal OneModePhase(const PetscReal numbers[], PetscReal frequency);

/* Writes a curve. Local. */
PetscErrorCode OneModeFollow(const OneMode *one, const Backbone *backbone, const OneModeCurve *curve, const Result *result);
