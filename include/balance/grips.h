/*
  grips.h - joints that stick without any give, in a balance of motions.

  What Newton's method works on in their rows is w = d + give g, with H less `give` on its diagonal: both d and g are functions of w, whatever
  the law does. Of a step in time in which the structure's mass resists them, g is such that the mean force f of the step is (1 - weight) of the
  force in the accelerations of its start and `weight` of g, and sticking holds the velocity at the step's end. See NOTES.md.
*/
#pragma once
#include "balance.h"

/* The mean force of a row over a step, from the remainder g that its end has. Local, as all that follows. */
static inline PetscReal GripMean(const Influence *influence, const State *state, PetscInt row, PetscReal remainder)
{
  const PetscReal weight = influence->weight[row];

  return weight > 0.0 ? (1.0 - weight) * state->remainder[row] + weight * remainder : remainder;
}

/* Force and tangent of the points of a block at joints->motion and rate; where no balance is looked for, that of a first motion: what slides is
   braked, what rests is not held yet. Hot. */
void GripEvaluate(JointForces *joints, const SystemBlock *block, const State *state, PetscReal rate_factor);
/* From w to the motion of the joints, and its rate, where a balance was found. Hot. */
void GripRelease(JointForces *joints, const State *state, PetscReal rate_factor);
/* The points have come to the motion that was found. Hot. */
PetscErrorCode GripCommit(JointForces *joints, const SystemBlock *block, const State *state, JointHistory *history, PetscReal dissipated[]);
