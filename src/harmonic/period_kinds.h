/*
  period_kinds.h - the three ways in which a law is followed through a period.
*/
#pragma once
#include "harmonic/period.h"
#include "joint/lanes.h"

typedef struct {
  PetscErrorCode (*create)(Period *period);
  PetscErrorCode (*destroy)(Period *period);
  /* As PeriodEvaluate, of a unit of area, without what is transmitted at rest; x contains what the law is asked at rest. */
  PetscErrorCode (*evaluate)(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                             PetscReal by_frequency[], PeriodVerdict *verdict);
} PeriodKind;

extern const PeriodKind period_elastic, period_masing, period_marched;

/* Whether some row moves this component of some point. */
PetscBool PeriodMoves(const SystemBlock *block, PetscInt component);
/* How a law is followed. */
const PeriodKind *PeriodKindOf(const JointLaw *law);

struct Period {
  const SystemBlock   *block;
  const HarmonicBasis *basis;
  const PeriodKind    *kind;
  const PetscReal     *sense; /* of PeriodSensesCreate; NULL: not known so far */
  PetscInt             dim;
  PetscReal           *shifted;     /* [dim, num_functions] a motion with what the law is asked at rest */
  PetscReal           *transmitted; /* [dim] at rest */
  void                *data;        /* of the kind */
};

/* The law of a block at as many points as there are samples, none of which remembers anything. */
typedef struct {
  JointBlock   block;
  JointHistory untouched;
  PetscInt     count;                  /* samples of a stretch, and as many more as fill the vector lanes */
  JointBlock   point;                  /* one of them */
  JointLanes  *lanes;                  /* of laws that take samples in lanes, a sample in each; without a law: of others */
  PetscReal   *motion, *force, *slope; /* [count] */
  PetscReal   *work;                   /* of HarmonicSample and HarmonicAddProduct */
  PetscReal   *row;                    /* [5, num_functions] */
  PetscReal   *room;                   /* of the lanes, which stand where vectors may */
} PeriodSamples;

PetscErrorCode PeriodSamplesCreate(const Period *period, PeriodSamples *samples);
PetscErrorCode PeriodSamplesDestroy(PeriodSamples *samples);
/* Force and slope at all motions. Hot. */
void PeriodSamplesEvaluate(const PeriodSamples *samples);
/* Force and slope of the law, untouched, at one motion. Hot. */
void PeriodSamplesAt(const PeriodSamples *samples, PetscReal motion, PetscReal *force, PetscReal *slope);

/* A place where the slope of the force jumps as the motion passes `motion`, whose own change is dmotion . dx. */
typedef struct {
  PetscReal        lower, upper; /* angles between which it does */
  PetscReal        motion, jump; /* of the slope in the course of time [N/m] */
  const PetscReal *dmotion;      /* [num_functions]; NULL: it does not change */
} PeriodCorner;

/* Adds what the sum over samples gets wrong there, and its change; and where the slope jumps at an extreme of the motion. `row` has 5
   num_functions numbers. Hot. */
void PeriodAddCorner(const HarmonicBasis *basis, const PetscReal x[], const PeriodCorner *corner, PetscReal row[], PetscReal force[],
                     PetscReal tangent[]);
void PeriodAddTurn(const HarmonicBasis *basis, const PetscReal x[], PetscReal theta, PetscReal jump, PetscReal row[], PetscReal force[],
                   PetscReal tangent[]);
