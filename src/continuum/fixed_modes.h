/* fixed_modes.h - the lowest modes of a structure whose boundary is at rest. */
#pragma once
#include "saddle.h"

/* A value of omega^2 with nothing near, and the number of modes found below it. */
typedef struct {
  PetscReal shift;
  PetscInt  num_below;
} Gap;

/* As many as `modes` has columns: unit modal mass, largest component positive. `found` says how many there are; fewer leave `modes`
   and `omega` unfinished. `gap`, behind these modes, may be NULL; it costs some more modes. */
PetscErrorCode FixedModes(Mat M, const Saddle *saddle, Mat modes, PetscReal omega[], PetscInt *found, Gap *gap);
