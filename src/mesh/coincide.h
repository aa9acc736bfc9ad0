/* coincide.h - nodes at the same place. */
#pragma once
#include "mesh.h"

/* Of `count` nodes in their final order; `starts` are those of the parts. */
PetscErrorCode CoincidencesFind(PetscInt count, const PetscReal coordinates[], const PetscInt64 tags[], PetscInt num_parts, const PetscInt starts[],
                                PetscReal extent, MeshCoincidences *coincidences);

/* The last of the ascending `starts` that is not above `value`: which part a node is in. */
PetscInt FindInterval(PetscInt count, const PetscInt starts[], PetscInt value);
