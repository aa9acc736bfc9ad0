/*
  large_motion.h - motions as large as the structure, for which equations about the structure at rest do not hold.
*/
#pragma once
#include "modes.h"

/* Warns of the largest displacement of a point [m] and angle [rad] of what `who` is: a tenth of the longest side of the mesh, or 0.2 rad, which a
   cosine takes 2 % off. A structure that floats may go anywhere, but not turn. Nothing is known of the size of lumped structures. Local. */
void StudyWarnOfLargeMotion(const char *who, const ModeCache *cache, PetscReal displacement, PetscReal angle);
