/*
  reduction.h - a continuum made small: Craig-Bampton, and Guyan, which keeps no modes.

      u = T (b, q) = Psi b + Phi q,     K_r = T^T K T,     M_r = T^T M T

  b = R u are the motions to be kept: of single unknowns, or averages over patches. Psi is the deflection under b without other
  forces, Phi are the lowest modes while b is at rest. What comes out is small and the same on all ranks. Faults are values.
*/
#pragma once
#include "continuum.h"
#include "system.h"

typedef struct {
  PetscInt  num_modes; /* at most; there are no more than n - m. 0: Guyan */
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

/* What it would take, over all ranks; looks for the faults that show before factorising. */
typedef struct {
  PetscInt  num_unknowns, size;
  PetscReal factor_entries;              /* estimate */
  PetscReal factor_memory, basis_memory; /* [bytes] */
} ReductionCost;
PetscErrorCode ReductionEstimate(const Continuum *continuum, const ReductionOptions *options, ContinuumFault *fault, ReductionCost *cost);

/* T^T A T, for damping: [size, size]. */
PetscErrorCode ReductionProjectMatrix(const Reduction *reduction, Mat A, PetscReal reduced[]);
/* T^T f, for loads: [size]. */
PetscErrorCode ReductionProject(const Reduction *reduction, Vec f, PetscReal reduced[]);
/* u = T x, to see the whole again; x is [size], the same on all ranks. */
PetscErrorCode ReductionExpand(const Reduction *reduction, const PetscReal x[], Vec u);
