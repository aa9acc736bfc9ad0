/*
  loops.h - hysteresis loops: the force of a joint against its displacement, computed or measured.

  A loop is a record of displacement and force. From its reversals follow cycles, each with its energy and its stiffness; from the slopes
  of its branches follow the polynomials of the generalized Valanis law.
*/
#pragma once
#include "base.h"

/* Motion and force of a joint, computed or measured; times ascend, at steps of any length. */
typedef struct {
  PetscInt         count;
  const PetscReal *time, *displacement, *force; /* [s] [m, rad] [N, N m] */
  const PetscReal *velocity;                    /* NULL where it is not known */
  const PetscReal *slope;                       /* df/dd; NULL where it is not known */
} LoopRecord;

/* The samples at which the motion turns back, in their order; of several at one place the first. Turns by less than `resolution` [m, rad]
   do not count, as those of noise. The caller frees *reversals. Local. */
PetscErrorCode LoopFindReversals(const LoopRecord *record, PetscReal resolution, PetscInt *count, PetscInt **reversals);

/* From a reversal to the next but one, there and back. */
typedef struct {
  PetscInt  first, middle, last; /* samples: its reversals */
  PetscReal amplitude;           /* half of the way between the extremes [m, rad] */
  PetscReal area;                /* work of the force around the loop, closed by a straight line where it is open [J] */
  PetscReal secant_stiffness;    /* between the extremes [N/m, N m/rad] */
  PetscReal peak_force;          /* of either sign [N, N m] */
  PetscReal damping;             /* ratio to critical of a spring of the secant stiffness that loses the area in a cycle: area / (4 pi E),
                                    E = k a^2 / 2; NaN without such a stiffness */
} LoopCycle;

/* Of `count` reversals: count - 2 cycles, none of fewer than three. Local. */
void LoopFindCycles(const LoopRecord *record, PetscInt count, const PetscInt reversals[], LoopCycle cycles[]);

/* The branches of a loop: where the displacement grows, where it falls. */
typedef enum { LOOP_UP, LOOP_DOWN, LOOP_BOTH } LoopBranch;

extern const char *const loop_branch_names[]; /* of the case file; ends with NULL */

enum { LOOP_MAX_WINDOW = 201 };

typedef struct {
  LoopBranch branch;
  PetscInt   window, degree; /* samples, an odd number, and polynomial through them, where velocity or slope are not known */
  PetscReal  trim;           /* share of the length of a branch that is left out at each of its ends */
  PetscReal  noise;          /* motion back by no more than this is no reversal [m, rad] */
} LoopOptions;

/* Points of a loop whose slope is known. */
typedef struct {
  PetscInt   count;
  PetscReal *displacement, *velocity, *force, *slope;
  PetscReal *sense; /* 1 where the displacement grows, -1 where it falls */
  PetscInt   span;  /* points beside each other whose slopes were found from the same samples; 0: slopes are those of the record */
} LoopPoints;

/* The points of the branches asked for, without the ends of each: slopes jump at a reversal, and it lies between samples. Velocity and
   slope are those of the record, or of the polynomials nearest to the samples around, all of one branch. None where no branch has room
   for a window. Local. */
PetscErrorCode LoopPointsFind(const LoopRecord *record, const LoopOptions *options, LoopPoints *points);
PetscErrorCode LoopPointsDestroy(LoopPoints *points);

/* x^i v^j; its name is x, v, x2, xv, v2, x2v, ... */
typedef struct {
  PetscInt x, v;
} PolynomialTerm;

enum { POLYNOMIAL_MAX_ORDER = 20, POLYNOMIAL_NAME_LENGTH = 16 };

/* All terms of order 1 to `order` in the order of the modified Pascal triangle [jalali2022, A.1]; with `terms` NULL only their number. */
PetscInt  PolynomialTriangle(PetscInt order, PolynomialTerm terms[]);
void      PolynomialTermName(PolynomialTerm term, char name[POLYNOMIAL_NAME_LENGTH]);
PetscBool PolynomialTermParse(const char *name, PolynomialTerm *term); /* false for what is no term of order 1 to POLYNOMIAL_MAX_ORDER */

typedef enum { POLYNOMIAL_SVD, POLYNOMIAL_QR } PolynomialSolver;

extern const char *const polynomial_solver_names[]; /* of the case file; ends with NULL */

typedef struct {
  LoopBranch            branch; /* LOOP_BOTH: the joint is symmetric, points of falling displacement count with all their signs turned */
  PetscInt              num_terms;
  const PolynomialTerm *terms;
  PolynomialSolver      solver;
  PetscReal             regularise; /* Tikhonov's factor, of columns of unit length; 0 for none */
  PetscReal             resolution; /* relative accuracy of the slopes */
} PolynomialOptions;

/* What can be said of a coefficient. */
typedef enum { POLYNOMIAL_IDENTIFIED, POLYNOMIAL_BELOW_RESOLUTION, POLYNOMIAL_UNCERTAIN, POLYNOMIAL_DEPENDENT } PolynomialVerdict;

/* The model df/dx = E1 + s (P(x, v) - E2 f) that explains slopes best, s = 1 where x grows, -1 where it falls [jalali2022, eqs 13 to 17].
   Unknowns are E1, the coefficients of P, E2. Shares and verdicts are those of the solution that is not regularised. */
typedef struct {
  PetscInt           count;
  PetscReal         *value;
  PetscReal         *standard_error; /* infinite for what depends on others */
  PetscReal         *share;          /* of the slopes that would remain unexplained without it, whatever the others are then */
  PolynomialVerdict *verdict;
  PetscReal          condition[2]; /* of the matrix of eq. 15, and of the same with columns of unit length */
  PetscReal          misfit;       /* root mean square of fitted less given slopes over that of the slopes */
  PetscReal         *fitted;       /* slope of each point */
  char               remark[128];  /* why there is no model; empty when there is one */
} PolynomialFit;

PetscErrorCode PolynomialFitPoints(const LoopPoints *points, const PolynomialOptions *options, PolynomialFit *fit);
PetscErrorCode PolynomialFitDestroy(PolynomialFit *fit);
