/* linear_modal.h - what steps in modal coordinates compute with, for those that take them side by side. */
#pragma once
#include "march/linear.h"

typedef struct {
  const PetscReal *stiffness, *damping; /* [n] omega^2 and c of each mode */
  const PetscReal *inverse;             /* [n] of S, at the step size of the level; NULL without one */
} ModalNumbers;

/* All of it is local. */
PetscBool    LinearIsModal(const Linear *linear);
ModalNumbers LinearModalNumbers(const Linear *linear, const LinearLevel *level);
