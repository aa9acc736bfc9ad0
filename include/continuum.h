/*
  continuum.h - the part of a structure that is too large for every rank to hold: what a mesh is before it is reduced.

  Its unknowns are spread over ranks in contiguous slices, supports are eliminated. To the rest of the structure it shows a few
  motions, R u: of single unknowns, or averages over patches. No mesh, no name, no file.
*/
#pragma once
#include <petscmat.h>
#include "compliance.h"

typedef struct {
  Mat      K, M;     /* [n, n] symmetric, AIJ or SBAIJ */
  Mat      stress;   /* what K has of stresses at rest, likewise, which hold nothing: what floats without it is free; NULL for none */
  Mat      touching; /* [3 points, n] AIJ, likewise: motions of points of faces that touch, whose joints K does not hold; NULL for none */
  Mat      R;        /* [m, n] AIJ, its columns distributed as K; a row for each motion that it shows, in any units */
  PetscInt num_held; /* the last rows of R are not shown but stay at rest: equations, R u = 0 */

  /* Bodies: what their six rigid motions do to the unknowns, [n, 6] dense, distributed as K, and which body each of this rank's
     unknowns belongs to. With them it is known before any factorisation which body floats free. `rigid` NULL: not looked at. */
  Mat       rigid;
  PetscInt  num_bodies;
  PetscInt *body; /* the same number stands for all unknowns of a body, from 0 */

  Vec       inertia[3]; /* of the unknowns under a unit acceleration of the base in x, y, z */
  PetscReal mass;       /* [kg] */

  /* Only where it is not to be reduced: which unknown of the rest of the structure each row of R is, -1 at rest; and the motions of points
     that are none of R, among all motions of points: [motions, n] AIJ, its columns distributed as K. */
  PetscInt *unknown;
  Mat       followers;
} Continuum;

PetscErrorCode ContinuumDestroy(Continuum **continuum);

/* What can be wrong with one. */
typedef enum {
  CONTINUUM_FINE,
  CONTINUUM_EMPTY_ROW,     /* `row` of R is zero */
  CONTINUUM_DEPENDENT_ROW, /* `row` is a combination of rows before it, of `other_row` most of all; the first are those at rest, named first too */
  CONTINUUM_FREE_BODY,     /* `body` takes part in `count` rigid motions, one is `motion`, that nothing holds and R does not see */
  CONTINUUM_SINGULAR,      /* `count` motions strain nothing while the boundary is at rest, though bodies are held: mechanisms */
  CONTINUUM_INDEFINITE,    /* `count` motions with negative strain energy while the boundary is at rest */
  CONTINUUM_NOT_FACTORED,  /* `count` is MUMPS' INFOG(1): -9, -13, -19 too little memory */
  CONTINUUM_NOT_CONVERGED, /* only `count` modes converged */
  CONTINUUM_MISSED_MODES,  /* `count` modes were passed over */
  CONTINUUM_INACCURATE     /* `error`, relative, is too large */
} ContinuumReason;

/* Rows and bodies count from 0. */
typedef struct {
  ContinuumReason reason;
  PetscInt        row, other_row, body, count;
  PetscReal       motion[6]; /* coefficients of the columns of `rigid`, the largest 1 */
  PetscReal       error;
} ContinuumFault;

/* What a computation would take, over all ranks. */
typedef struct {
  PetscInt  num_unknowns, size;          /* size: of what it is reduced to */
  PetscReal factor_entries;              /* estimate */
  PetscReal factor_memory, basis_memory; /* [bytes] */
  PetscReal matrices_memory;             /* of K and M as they are [bytes] */
  PetscReal seconds, seconds_each;       /* on one core, roughly: NOTES.md of the room says how far it was off; for each mode more */
  PetscReal seconds_a_place;             /* for each of many places more, whose compliance is found with modes */
  PetscReal places_memory;               /* of the columns that are solved for together then [bytes] */
  PetscReal seconds_to_factor;           /* of `seconds`, for one factor */
} ContinuumCost;

/* Many places: every rank may have a whole factor of its own, and solve for its share of them without a word to others; else all solve together
   with one factor that is spread, which is no faster on several ranks than on one. */
typedef struct {
  PetscBool taken;  /* it saves time, and the machines have the memory; or option -continuum_alone says so */
  PetscReal memory; /* of all ranks together, beside that of the factor that is spread [bytes] */
} ContinuumAlone;
PetscErrorCode ContinuumChooseAlone(MPI_Comm comm, const ContinuumCost *cost, PetscInt num_places, ContinuumAlone *alone);

/* Made small: Craig-Bampton, and Guyan, which keeps no modes.

      u = T (b, q) = Psi b + Phi q,     K_r = T^T K T,     M_r = T^T M T

   b = R u; Psi is the deflection under b without other forces, Phi are the lowest modes while b is at rest. What comes out is small
   and the same on all ranks. */
typedef struct {
  PetscInt  num_modes; /* at most; there are no more than n less the rows of R. 0: Guyan */
  PetscBool prove;     /* that no mode was missed, by one more factorisation */
} ReductionOptions;

typedef struct {
  ContinuumFault fault;                         /* only with CONTINUUM_FINE is all of what follows there */
  PetscInt       num_boundary, num_modes, size; /* size: the sum of both, boundary motions first */
  PetscReal     *omega;                         /* of the modes with the boundary at rest, ascending [rad/s], [num_modes] */
  PetscReal     *K, *M;                         /* [size, size] symmetric; modes have unit modal mass */
  Mat            basis;                         /* T: [n, size] dense, distributed as K; largest component of a mode positive */
  PetscReal      error;                         /* largest of |R Psi - 1|, |R Phi| / |Phi|, |Phi^T M Phi - 1|, rows of R being made of length one */
} Reduction;

PetscErrorCode ReductionCompute(const Continuum *continuum, const ReductionOptions *options, Reduction **reduction);
PetscErrorCode ReductionDestroy(Reduction **reduction);

/* What it would take; looks for the faults that show before factorising. */
PetscErrorCode ReductionEstimate(const Continuum *continuum, const ReductionOptions *options, ContinuumFault *fault, ContinuumCost *cost);

/* T^T A T, for damping: [size, size]. */
PetscErrorCode ReductionProjectMatrix(const Reduction *reduction, Mat A, PetscReal reduced[]);
/* T^T f, for loads: [size]. */
PetscErrorCode ReductionProject(const Reduction *reduction, Vec f, PetscReal reduced[]);
/* u = T x, to see the whole again; x is [size], the same on all ranks. */
PetscErrorCode ReductionExpand(const Reduction *reduction, const PetscReal x[], Vec u);

/* Modes of the whole: of a continuum together with a few other unknowns y that its motions are tied to, R u = Z y, and that have a
   stiffness and a mass of their own. */
typedef struct {
  PetscInt        num;     /* of y */
  Mat             K, M;    /* [num, num] AIJ, the same on all ranks */
  const PetscInt *unknown; /* which y each row of R is; -1 is at rest */
} ContinuumTies;

/* Where forces act and motions are seen: c u + d y of each place. */
typedef struct {
  PetscInt    num;
  Mat         on_motion; /* [num, n] AIJ, its columns distributed as K */
  Mat         on_tied;   /* [num, num of y] AIJ, the same on all ranks */
  PetscBool   spread;    /* what modes that are left out give them is held in slices by the ranks */
  Compliance *known;     /* what all modes together give them, where it is known, which becomes part of what is found; NULL: it is to be found */
} ContinuumPlaces;

typedef struct {
  ContinuumFault fault; /* only with CONTINUUM_FINE is all of what follows there */
  PetscInt       count, num_rigid;
  PetscInt       num_cut;    /* modes beyond these that have the frequency of the last one */
  PetscReal     *eigenvalue; /* omega^2, ascending, 0 of rigid motions [rad^2/s^2], [count] */
  PetscReal     *tied;       /* y of each mode, on all ranks [count, num] */
  PetscReal     *placed;     /* motion of the places in each mode [num of places, count]; NULL without places */
  Compliance    *compliance; /* what all other modes give the places under static forces on them; NULL without places */
  Mat            motion;     /* u of each mode: [n, count] dense, distributed as K; unit modal mass, largest component positive */
} ContinuumModes;

/* The lowest `count`, fewer when there are no more; `places` may be NULL. `prove` that none was missed, by one more factorisation. */
PetscErrorCode ContinuumModesFind(const Continuum *continuum, const ContinuumTies *ties, const ContinuumPlaces *places, PetscInt count,
                                  PetscBool prove, ContinuumModes **modes);
PetscErrorCode ContinuumModesDestroy(ContinuumModes **modes);
/* Another one of so many unknowns y, without places, whose motions are the same matrix, which neither may change. */
PetscErrorCode ContinuumModesShare(const ContinuumModes *modes, PetscInt num_tied, ContinuumModes **share);

/* What static forces on the places do: forces[count, num of places], each a column of u in *motion, [n, count] dense, distributed as K. Rigid
   motions, if nothing holds them, are left out, and what of the forces would push them. `motion` is NULL with a fault. */
PetscErrorCode ContinuumDeflect(const Continuum *continuum, const ContinuumTies *ties, const ContinuumPlaces *places, PetscInt count,
                                const PetscReal forces[], ContinuumFault *fault, Mat *motion);

/* What they would take: without modes, and for each of them. Looks for the faults that show before factorising. */
PetscErrorCode ContinuumModesEstimate(const Continuum *continuum, const ContinuumTies *ties, ContinuumFault *fault, ContinuumCost *cost);
