/*
  stability.h - whether a periodic motion is stable: its Floquet multipliers, with the memory of the joints.

  A small change of the motion is followed through one period by the linearised equation of motion, with the tangents of the joints along the
  motion of the harmonics and with the changes of what they remember. The multipliers are the eigenvalues of what one period makes of such
  changes. The motion is stable when all of them are smaller than 1. NOTES.md tells what is remembered, and what is left out.
*/
#pragma once
#include "harmonic/curve.h"

typedef enum { STABILITY_STABLE, STABILITY_UNSTABLE, STABILITY_UNDECIDED } StabilityVerdict;
/* By which multiplier an unstable motion leaves. */
typedef enum {
  LEAVES_NOT,
  LEAVES_FORWARD,  /* +1: beyond a fold, or where a symmetry breaks */
  LEAVES_BACKWARD, /* -1: the period doubles */
  LEAVES_AS_PAIR   /* a complex pair: a second frequency appears (Neimark and Sacker) */
} StabilityKind;

extern const char *const stability_verdicts[], *const stability_kinds[]; /* what people read */

typedef struct {
  PetscInt  least_steps, most_steps; /* of a period, where joints turn and at corners more; 0: 64 and 1024 */
  PetscReal accuracy;                /* of the largest modulus, until which steps are halved; 0: 1e-3 */
} StabilityOptions;

typedef struct {
  StabilityVerdict verdict;
  StabilityKind    kind;
  PetscReal        largest, error; /* the largest modulus of all multipliers, and how far off steps may make it */
  PetscReal        re, im;         /* that multiplier; of a pair the one with im > 0 */
  PetscInt         num_outside;    /* multipliers beyond the unit circle */
  PetscInt         num_backward;   /* those of them that are real and below -1 */
  PetscReal        backward;       /* the least real multiplier; 0 where none is negative */
  PetscReal        pair;           /* the largest modulus of a complex pair; 0 where there is none */
  PetscInt         steps;          /* of the last attempt */
  const char      *reason;         /* why it is undecided, in a few words; NULL: it is not */
} StabilityResult;

typedef struct {
  const HarmonicStructure *structure;
  StabilityOptions         options;
  PetscInt                 count, capacity;
  PetscReal               *re, *im; /* [count] the multipliers of the last attempt, the largest modulus first */
  PetscReal                apart;   /* the largest modulus of modes that no joint moves now; 0: none */
} Stability;

/* The structure is borrowed. Local, all of it. */
PetscErrorCode StabilityCreate(const HarmonicStructure *structure, StabilityOptions options, Stability **stability);
PetscErrorCode StabilityDestroy(Stability **stability);

/* Of a motion under loads, x[n] of this equation, that solves it at this setting. */
PetscErrorCode StabilityEvaluate(Stability *stability, const HarmonicEquation *equation, const PetscReal x[], HarmonicSetting setting,
                                 StabilityResult *result);
/* Of the present point of a curve. */
PetscErrorCode StabilityOfPoint(Stability *stability, const Curve *curve, StabilityResult *result);

/* Whether a multiplier passes -1, or a pair the unit circle, between neighbouring points of a curve. Folds are told by CurveHeading. */
PetscBool StabilityPasses(const StabilityResult *one, const StabilityResult *next, StabilityKind kind);
/* Where it does: the present point of the curve becomes that point, between two others of the same basis, with what is found there. False where
   it is not found; the caller puts the present point back. */
PetscErrorCode StabilityLocate(Stability *stability, Curve *curve, const CurvePoint *from, const CurvePoint *to, StabilityKind kind,
                               StabilityResult *result, PetscBool *found);
