/*
  period.h - what a point of a joint answers to a periodic motion, as harmonics, and how that follows from those of its motion.

  Elastic laws are evaluated at the samples. Laws with Masing's rules need no second period: their path is cut at its extremes, which are
  found exactly on the Fourier series, and begins at the one that lies farthest from where the joint was. All other laws go through periods
  from what they remember until the loop closes, or through half a period where all is odd. NOTES.md has the formulas.
*/
#pragma once
#include "harmonic/basis.h"
#include "system.h"

enum { PERIOD_MOST = 40 }; /* periods that a law is given to close its loop */

typedef struct Period Period;

typedef struct {
  PetscInt  periods; /* that it took */
  PetscReal gap;     /* change in the last of them: of the forces, of the largest, or of the memory, of its range, whichever is less */
} PeriodVerdict;

/* Of the points of a block of a System, for motions on this basis; both are borrowed, as is `sense`: what PeriodSensesCreate found of the block, or
   NULL, and it is found anew. */
PetscErrorCode PeriodCreate(const SystemBlock *block, const HarmonicBasis *basis, const PetscReal sense[], Period **period);
PetscErrorCode PeriodDestroy(Period **period);

/* Force [dim, num_functions] of a point at a motion x[dim, num_functions] of this angular frequency, its tangent [dim, num_functions, dim,
   num_functions], and its change by the angular frequency like the force; NULL is not asked for. Of a law of a unit of area, all of it is
   that of the point, and the force less what it transmits at rest. The time of a period is 2 pi / frequency. */
PetscErrorCode PeriodEvaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                              PetscReal by_frequency[], PeriodVerdict *verdict);

/* Energy that a period dissipates, of such a force: int f . dd = sum of pi k (C_d S_f - S_d C_f) [J]. */
PetscReal PeriodLoss(const HarmonicBasis *basis, const PetscReal x[], const PetscReal force[]);

/* Whether the law answers the opposite motion of the components that something moves by the opposite force, so that odd harmonics may suffice:
   nothing remembered, no gap. Local. */
PetscErrorCode PeriodIsOdd(const SystemBlock *block, PetscBool *odd);
/* What becomes of the memory of such a law as half a period goes by: [num_states] -1 it changes its sign, 1 it does not, 0 neither. It takes about as
   long as an evaluation, and many bases need it. NULL: none does. Local. */
PetscErrorCode PeriodSensesCreate(const SystemBlock *block, PetscReal **sense);
