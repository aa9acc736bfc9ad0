/*
  reduction.h - a large linear structure made small: Craig-Bampton, and Guyan, which keeps no modes.

      u = T (b, q) = Psi b + Phi q,     K_r = T^T K T,     M_r = T^T M T

  b = R u are the motions to be kept: of single unknowns, or averages over patches. Psi is the deflection under b without other
  forces, Phi are the lowest modes while b is at rest. The structure is spread over ranks in contiguous slices of its unknowns,
  supports are eliminated; what comes out is small and the same on all ranks. No mesh, no name, no file: faults are values.
*/
#pragma once
#include "system.h"

typedef struct {
  Mat K, M; /* [n, n] symmetric, AIJ or SBAIJ */
  Mat R;    /* [m, n] AIJ, its columns distributed as K; a row for each motion that is kept, in any units */

  /* Bodies: what their six rigid motions do to the unknowns, [n, 6] dense, distributed as K, and which body each of this rank's
     unknowns belongs to. With them it is known before any factorisation which body floats free. `rigid` NULL: not looked at. */
  Mat             rigid;
  PetscInt        num_parts;
  const PetscInt *part; /* the same number stands for all unknowns of a body, from 0 */
} ReductionModel;

typedef struct {
  PetscInt  num_modes; /* at most; there are no more than n - m. 0: Guyan */
  PetscBool prove;     /* that no mode was missed, by one more factorisation */
} ReductionOptions;

typedef enum {
  REDUCTION_DONE,
  REDUCTION_EMPTY_ROW,     /* `row` of R is zero */
  REDUCTION_DEPENDENT_ROW, /* `row` is a combination of rows before it, of `other_row` most of all */
  REDUCTION_FREE_PART,     /* `part` takes part in `count` rigid motions, one is `motion`, that nothing holds and R does not see */
  REDUCTION_SINGULAR,      /* `count` motions strain nothing while the boundary is at rest, though bodies are held: mechanisms */
  REDUCTION_INDEFINITE,    /* `count` motions with negative strain energy while the boundary is at rest */
  REDUCTION_NOT_FACTORED,  /* `count` is MUMPS' INFOG(1): -9, -13, -19 too little memory */
  REDUCTION_NOT_CONVERGED, /* only `count` modes converged */
  REDUCTION_MISSED_MODES,  /* `count` modes were passed over */
  REDUCTION_INACCURATE     /* `error`, below, is too large */
} ReductionReason;

/* Rows and parts count from 0. */
typedef struct {
  ReductionReason reason;
  PetscInt        row, other_row, part, count;
  PetscReal       motion[NUM_DIRECTIONS]; /* coefficients of the columns of `rigid`, the largest 1 */
} ReductionFault;

typedef struct {
  ReductionFault fault;                         /* only with REDUCTION_DONE is all of what follows there */
  PetscInt       num_boundary, num_modes, size; /* size: the sum of both, boundary motions first */
  PetscReal     *omega;                         /* of the modes with the boundary at rest, ascending [rad/s], [num_modes] */
  PetscReal     *K, *M;                         /* [size, size] symmetric; modes have unit modal mass */
  Mat            basis;                         /* T: [n, size] dense, distributed as K; largest component of a mode positive */
  PetscReal      error;                         /* largest of |R Psi - 1|, |R Phi| / |Phi|, |Phi^T M Phi - 1|, rows of R being made of length one */
} Reduction;

PetscErrorCode ReductionCompute(const ReductionModel *model, const ReductionOptions *options, Reduction **reduction);
PetscErrorCode ReductionDestroy(Reduction **reduction);

/* What it would take, over all ranks; looks for the faults that show before factorising. */
typedef struct {
  PetscInt  num_unknowns, size;
  PetscReal factor_entries;              /* estimate */
  PetscReal factor_memory, basis_memory; /* [bytes] */
} ReductionCost;
PetscErrorCode ReductionEstimate(const ReductionModel *model, const ReductionOptions *options, ReductionFault *fault, ReductionCost *cost);

/* T^T A T, for damping: [size, size]. */
PetscErrorCode ReductionProjectMatrix(const Reduction *reduction, Mat A, PetscReal reduced[]);
/* T^T f, for loads: [size]. */
PetscErrorCode ReductionProject(const Reduction *reduction, Vec f, PetscReal reduced[]);
/* u = T x, to see the whole again; x is [size], the same on all ranks. */
PetscErrorCode ReductionExpand(const Reduction *reduction, const PetscReal x[], Vec u);
