/* virgin_path.h - a virgin curve while it is followed: what is known of it, and which equilibrium is looked for next. */
#pragma once
#include "harmonic/virgin.h"

/* An equilibrium, and the cubic on the way to it from the one before: r = r' + x (slope' + x (bend + x twist)), x = q - q'. */
typedef struct {
  PetscReal q, r, slope, bend, twist;
} Knot;

struct Virgin {
  const HarmonicStructure *structure;
  PetscInt                 mode, m, count, reached, num_knots, capacity;
  PetscBool                masing, followed;
  JointHistory            *untouched;          /* of each block */
  PetscReal               *row, *influence;    /* [m] b_0; [m, m] H */
  PetscReal               *q;                  /* [count] that are asked for */
  PetscReal                at, from, to, part; /* the last equilibrium; the step that leads beyond it; how much of that is tried at once */
  PetscReal                next;               /* q that is tried */
  Knot                    *knots;
  PetscInt                *knot_of;    /* [count] */
  PetscInt                *iterations; /* [count] */
  PetscReal               *remainders; /* [count, m] */
};

enum { VIRGIN_MOST_ITERATIONS = 40 };

/* Of the largest motion, of what is left of the equation: where it is found, and where it no longer shrinks. */
static const PetscReal VIRGIN_CLOSE_ENOUGH = 1e-11, VIRGIN_ROUND_OFF = 1e-8;
/* The smallest share of a step of Newton's method. */
static const PetscReal VIRGIN_LEAST_LENGTH = 1e-3;

/* The next q, in v->next; false where the curve ends. */
PetscBool VirginAim(Virgin *v);
/* Its equilibrium was found; its remainders are `stride` numbers apart. */
PetscErrorCode VirginArrive(Virgin *v, PetscReal r, PetscReal slope, PetscInt iterations, const PetscReal remainder[], PetscInt stride);
/* None was found: a part of the way is to be tried; false where that has been too small to be one. */
PetscBool VirginDivide(Virgin *v);

/* Follows one by factors of a full matrix: any laws, many rows. */
PetscErrorCode VirginFollowAlone(Virgin *v);
/* Whether few rows and laws of one component let lanes follow it; and does so with all of these that can beside the first, which does. */
PetscBool      VirginSuitsLanes(const Virgin *v);
PetscErrorCode VirginsFollowBeside(PetscInt count, Virgin *const virgins[]);
