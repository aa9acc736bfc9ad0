/* turn.h - the slopes of a surface's motion about a point. */
#pragma once
#include "surface.h"

/* slopes[num][2]: sum slopes_k f_k is the slope along y and z (rows of frame) of the plane that is nearest to values f_k at the nodes, with these
   weights. False when they lie on a line. */
PetscBool SlopesFind(const Surface *surface, const PetscReal frame[], PetscInt num, const PetscInt nodes[], const PetscReal weights[],
                     PetscReal slopes[][2]);
