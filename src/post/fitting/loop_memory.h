/* loop_memory.h - noise in the displacement of a record, which a law follows as if it were motion. */
#pragma once
#include "post/fitting.h"

/* Whether most turns of the motion are shorter than the 2 % to which records tell one place from another. Local. */
PetscErrorCode LoopIsShaking(const LoopRecord *record, PetscBool *shaking);
