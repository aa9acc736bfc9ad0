/*
  loops.h - hysteresis loops: the force of a joint against its displacement, computed or measured.

  A loop is a record of displacement and force. From its reversals follow cycles, each with its energy and its stiffness; from the slopes
  of its branches follow the polynomials of the generalized Valanis law.
*/
#pragma once
#include "base.h"

/* Motion and force of a joint, computed or measured. Times ascend; steps may have any length. */
typedef struct {
  PetscInt         count;
  const PetscReal *time, *displacement, *force; /* [s], [m or rad], [N or N m] */
  const PetscReal *velocity;                    /* NULL: not known */
  const PetscReal *slope;                       /* of the force over the displacement; NULL: not known */
} LoopRecord;

/* The samples at which the displacement turns back, in the order of time; of several equal samples the first one. Reversals of less than
   `resolution` [m or rad] are taken for noise and left out. The caller frees *reversals. Local. */
PetscErrorCode LoopFindReversals(const LoopRecord *record, PetscReal resolution, PetscInt *count, PetscInt **reversals);

/* One cycle: from a reversal to the next but one. */
typedef struct {
  PetscInt  first, middle, last; /* the samples of its three reversals */
  PetscReal amplitude;           /* half the distance between the extremes [m or rad] */
  PetscReal area;                /* work of the force around the loop [J]; a loop that does not close is closed by a straight line */
  PetscReal secant_stiffness;    /* between the extremes [N/m or N m/rad] */
  PetscReal peak_force;          /* largest magnitude [N or N m] */
  PetscReal damping;             /* equivalent damping ratio, area / (4 pi E) with E = k a^2 / 2 of the secant stiffness k; NaN where k
                                    is not positive */
} LoopCycle;

/* The work of a force from one sample to another [J], by Simpson's rule; each number is `stride` behind the one before. Local. */
PetscReal LoopWork(PetscInt stride, const PetscReal force[], const PetscReal displacement[], PetscInt first, PetscInt last);

/* The count - 2 cycles of `count` reversals; fewer than three reversals make none. Local. */
void LoopFindCycles(const LoopRecord *record, PetscInt count, const PetscInt reversals[], LoopCycle cycles[]);

/* The branches of a loop: UP where the displacement increases, DOWN where it decreases. */
typedef enum { LOOP_UP, LOOP_DOWN, LOOP_BOTH } LoopBranch;

extern const char *const loop_branch_names[]; /* words of the case file; the list ends with NULL */

enum { LOOP_MAX_WINDOW = 201 };

typedef struct {
  LoopBranch branch;
  PetscInt   window, degree; /* where velocity or slope are not known, a polynomial of this degree is fitted to a window of this odd number
                                of samples */
  PetscReal  trim;           /* share of the length of a branch that is left out at each end */
  PetscReal  noise;          /* smaller reversals are taken for noise [m or rad] */
} LoopOptions;

/* Points of a loop whose slope is known. */
typedef struct {
  PetscInt   count;
  PetscReal *displacement, *velocity, *force, *slope;
  PetscReal *sense; /* 1 where the displacement increases, -1 where it decreases */
  PetscInt   span;  /* number of neighbouring points whose slopes were computed from shared samples; 0: slopes are those of the record */
} LoopPoints;

/* The points of the branches asked for. The ends of each branch are left out, since the slope jumps at a reversal and the reversal lies
   between samples. Velocity and slope are those of the record, or else those of polynomials fitted to the neighbouring samples of the same
   branch. There are no points where every branch is shorter than the window. Local. */
PetscErrorCode LoopPointsFind(const LoopRecord *record, const LoopOptions *options, LoopPoints *points);
PetscErrorCode LoopPointsDestroy(LoopPoints *points);

/* The term x^i v^j of a polynomial; its name is x, v, x2, xv, v2, x2v, ... */
typedef struct {
  PetscInt x, v;
} PolynomialTerm;

enum { POLYNOMIAL_MAX_ORDER = 20, POLYNOMIAL_NAME_LENGTH = 16 };

/* All terms of order 1 to `order`, in the order of the modified Pascal triangle [jalali2022, A.1]; their number alone where `terms` is NULL. */
PetscInt  PolynomialTriangle(PetscInt order, PolynomialTerm terms[]);
void      PolynomialTermName(PolynomialTerm term, char name[POLYNOMIAL_NAME_LENGTH]);
PetscBool PolynomialTermParse(const char *name, PolynomialTerm *term); /* false: not a term of order 1 to POLYNOMIAL_MAX_ORDER */

typedef enum { POLYNOMIAL_SVD, POLYNOMIAL_QR } PolynomialSolver;

extern const char *const polynomial_solver_names[]; /* words of the case file; the list ends with NULL */

typedef struct {
  LoopBranch            branch; /* LOOP_BOTH: the joint is symmetric; points of decreasing displacement are used with all signs changed */
  PetscInt              num_terms;
  const PolynomialTerm *terms;
  PolynomialSolver      solver;
  PetscReal             regularise; /* Tikhonov factor for columns of unit length; 0: none */
  PetscReal             resolution; /* relative accuracy of the slopes */
} PolynomialOptions;

/* How well a coefficient is known: identified; its contribution is below the resolution of the slopes; its standard error is too large; or it
   depends linearly on others. */
typedef enum { POLYNOMIAL_IDENTIFIED, POLYNOMIAL_BELOW_RESOLUTION, POLYNOMIAL_UNCERTAIN, POLYNOMIAL_DEPENDENT } PolynomialVerdict;

/* The model df/dx = E1 + s (P(x, v) - E2 f) fitted to slopes, where s is 1 for increasing and -1 for decreasing x [jalali2022, eqs 13 to
   17]. The unknowns are E1, the coefficients of P, and E2, in this order. Shares and verdicts are those of the solution without
   regularisation. */
typedef struct {
  PetscInt           count;
  PetscReal         *value;
  PetscReal         *standard_error; /* infinite where the unknown depends on others */
  PetscReal         *share;          /* of the slopes that remains unexplained when this unknown is left out and the others are fitted again */
  PolynomialVerdict *verdict;
  PetscReal          condition[2]; /* numbers: of the matrix of eq. 15, and of the same matrix with columns of unit length */
  PetscReal          misfit;       /* root mean square of the deviations of the slopes, divided by that of the slopes */
  PetscReal         *fitted;       /* slope at each point */
  char               remark[128];  /* why there is no model; empty where there is one */
} PolynomialFit;

PetscErrorCode PolynomialFitPoints(const LoopPoints *points, const PolynomialOptions *options, PolynomialFit *fit);
PetscErrorCode PolynomialFitDestroy(PolynomialFit *fit);
