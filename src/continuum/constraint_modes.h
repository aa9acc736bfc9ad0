/* constraint_modes.h - deflections of a structure under unit motions of its boundary, and the forces that these take. */
#pragma once
#include "product.h"
#include "saddle.h"

/* Psi for rows of length one, as many as `modes` has columns, from `first` on; forces[m, columns] on the boundary. `error` becomes no less than
   the largest component of |R Psi - 1|. */
PetscErrorCode ConstraintModesFind(const Saddle *saddle, const Boundary *boundary, const Product *K, PetscInt first, Mat modes, PetscReal forces[],
                                   PetscReal *error);
