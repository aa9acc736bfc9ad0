/*
  linear_step.h - a step of a law at one point, linearised by unit changes of its motions, velocities and memory:

      df = t dd + c dv + r dh        dh' = A dd + V dv + E dh

  The point stands as often in a block as the step has inputs, so that one call of the law gives all columns.
*/
#pragma once
#include "system.h"

typedef struct {
  JointBlock   block; /* the point as often as a step has inputs */
  JointHistory history, change;
  PetscInt     dim, num_states, inputs; /* inputs: dim motions, dim velocities of viscous laws, the memory */
  PetscInt     copies;                  /* as many as there are inputs, or one */
  PetscBool    viscous;
  PetscReal   *motion, *velocity, *dmotion, *dvelocity; /* [dim, inputs] */
  PetscReal   *force, *dforce, *loss, *dissipated;      /* likewise */
} LinearStep;

PetscErrorCode LinearStepCreate(const JointBlock *block, LinearStep *step);
PetscErrorCode LinearStepDestroy(LinearStep *step);
/* A point of a block, as it was left: in all copies for steps that are linearised, in one copy for others. Hot. */
void LinearStepBegin(LinearStep *step, const SystemBlock *block, PetscInt point, PetscBool linearised);
/* From now on steps are linearised. Hot. */
void LinearStepSpread(LinearStep *step);
/* Goes to a motion [dim] at a velocity [dim] and keeps it. The forces are in `force` [dim, copies], alike in each; where it is linearised their
   changes are in `dforce` [dim, inputs] and those of the memory in `change.states` [num_states, inputs]. Hot. */
PetscErrorCode LinearStepTake(LinearStep *step, const PetscReal motion[], const PetscReal velocity[]);
