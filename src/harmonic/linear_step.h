/*
  linear_step.h - a law taken step by step at one point, and these steps linearised:

      df = t dd + c dv + r dh        dh' = A dd + V dv + E dh

  The point goes through its steps first, alone; what it goes from is recorded, so that steps are linearised many at a time, in lanes: each stands
  in a block as often as it has inputs. Inputs are the components that something moves, their velocities where the law asks for these, and the
  memory that is used: what a force, or a memory that is used, depends on. Energies and flags that a law keeps to be told are none of these. Which
  are used is learned: the others change all at once, each by its own amount, and nothing must answer.
*/
#pragma once
#include "system.h"

enum { LINEAR_CHUNK = 32 }; /* steps that are linearised together */

typedef struct {
  const SystemBlock *of;
  JointBlock         point;                  /* a view of it: its law at one point, with `local` of its own */
  JointHistory       history;                /* of that point */
  PetscInt           dim, num_states, width; /* the latter: numbers recorded of a step */
  PetscBool          viscous;
  PetscInt           num_moved, num_used, inputs; /* motions, velocities of viscous laws, memory */
  PetscInt          *moved, *used;                /* components, states */
  PetscBool         *is_used;                     /* [num_states] */
  PetscReal         *force;                       /* [dim] of the last step */
  PetscInt           num_steps, capacity;         /* the latter in chunks */
  PetscReal         *record;                      /* chunks [width, LINEAR_CHUNK]: motions, velocities, states, and the forces that follow */
  PetscInt           chunk;                       /* the one that is linearised; -1: none */
  PetscInt           count;                       /* its steps */
  JointBlock         copies;                      /* its steps as often as they have inputs, input after input */
  JointHistory       before, change;              /* of these */
  PetscReal         *at, *by, *answer;            /* motions and velocities, their changes, those of forces */
} LinearStep;

PetscErrorCode LinearStepCreate(const SystemBlock *block, LinearStep *step);
PetscErrorCode LinearStepDestroy(LinearStep *step);
/* A point of the block, as it was left. Hot. */
void LinearStepBegin(LinearStep *step, PetscInt point);
/* Goes to a motion [dim] at a velocity [dim] and keeps it: its force is in `force`. Hot. */
PetscErrorCode LinearStepTake(LinearStep *step, const PetscReal motion[], const PetscReal velocity[]);
/* Force of a component in step i that was taken. */
PetscReal LinearStepForce(const LinearStep *step, PetscInt i, PetscInt component);
/* A state as it was before step i, or as it is. */
PetscReal LinearStepMemory(const LinearStep *step, PetscInt i, PetscInt state);
/* Whether steps from this one on depend on no memory but what is known to be used; what they do depend on is known from then on. Hot. */
PetscErrorCode LinearStepLearn(LinearStep *step, PetscInt first, PetscBool *known);
/* Of step i that was taken: changes by its inputs, [inputs], of the forces of moved components and behind them of the memory that is used. Those of
   steps in their order come cheapest. Hot. */
PetscErrorCode LinearStepRows(LinearStep *step, PetscInt i, PetscInt from, PetscInt to, PetscReal rows[]);
