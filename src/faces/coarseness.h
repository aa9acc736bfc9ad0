/* coarseness.h - how coarse two surfaces are where they meet. */
#pragma once
#include "faces.h"
#include "means.h"

/* Of both sides, when there are points. axis: of the model, along which y of all frames lies. */
PetscErrorCode CoarsenessFind(const Surface *slave, const Surface *master, const Means *means, PetscInt axis, FacePoints *points);
