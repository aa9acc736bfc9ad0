/* lanes_modal.h - the linear part of steps side by side, in modal coordinates: what linear_modal.c does, in the same order of operations. */
#pragma once
#include "march/lanes.h"

/* load = value distribution, or that added to it: [n]. */
void LanesAddLoad(PetscInt n, const Wide distribution[], Wide value, PetscBool add, Wide load[]);
/* The linear response to new_load; its size and the joints' motions go to the balance. */
void LanesPredict(Lanes *lanes);
/* Adds the effect of the remainders, and accepts the motion in these lanes. */
void LanesFinish(Lanes *lanes, WideMask accepted);
