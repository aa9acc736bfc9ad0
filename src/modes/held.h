/*
  held.h - motions in which joints that stick without any give stand still: u = Z z, B u = 0 in their rows.
*/
#pragma once
#include "system.h"

typedef struct {
  PetscInt  num_free;
  PetscInt *free; /* [num_free] the unknown that each z is */
  Mat       Z;    /* [num_unknowns, num_free]; NULL where nothing is held */
} Held;

/* How many unknowns follow the others. Local, as all that follows. */
PetscErrorCode HeldCount(const System *system, PetscInt *count);
PetscErrorCode HeldCreate(const System *system, Held *held);
PetscErrorCode HeldDestroy(Held *held);
/* Z^T A Z. */
PetscErrorCode HeldProject(const Held *held, Mat A, Mat *projected);
/* u = Z z, the largest component positive, of equal ones the first. */
PetscErrorCode HeldExpand(const Held *held, const PetscReal z[], PetscReal u[]);
