/* march.h - one motion of a transient study while it goes on; whoever holds it takes its steps. */
#pragma once
#include "transient.h"

enum { STEPS_BETWEEN_LOOKS = 4 * BALANCE_MEMORY }; /* at the clock: costs nothing beside so many steps */

typedef struct {
  Run           *run;
  Stepper       *stepper;
  State         *state;
  const Result  *result;
  PetscLogDouble saved;         /* when */
  PetscReal      seconds;       /* of computing so far, with those of earlier sessions */
  PetscReal      save_interval; /* [s] */
} March;

/* From rest, or from where an earlier session ended; not `begun` if that had seen its end. */
PetscErrorCode MarchBegin(const MarchTask *task, PetscBool resumed, March *march, PetscBool *begun);
/* The last samples, and how it ended; a motion that has steps left can be resumed. */
PetscErrorCode MarchEnd(March *march, PetscBool converged);

/* How many steps it may take until something is to be noticed; and what is noticed there: all of the State, or only what the joints moved and
   lost by. Hot. */
PetscInt       MarchStepsToNotice(const March *march);
PetscBool      MarchNoticesAll(const March *march);
PetscErrorCode MarchNotice(March *march);
/* Whether its last restart file is old, and another one; at multiples of STEPS_BETWEEN_LOOKS. */
PetscBool      MarchIsToSave(const March *march, PetscLogDouble now);
PetscErrorCode MarchSave(March *march);
