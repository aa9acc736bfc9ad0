/*
  stability_step.h - a step of small changes, made of the tangents at its ends; and lanes, columns that go together.

  The rule of average acceleration, z1 = z0 + dt/2 (z0' + z1') with z = (q, v), in what is known before the step, y = z0 + dt/2 z0':

      z1 = y + dt/2 z1',  y1 = z1 + dt'/2 z1',      v' = -(C' v + omega^2 q + b^T g),  g = G d + G_v d' + sum of memories,  d = b q - R g

  so that the forces at the beginning of a step are never needed, and z1' is taken again where it jumps. Where modes were left out and laws ask
  for velocities, those of R g are differences of the step.
*/
#pragma once
#include "stability_parts.h"

/* to += value from */
typedef struct {
  PetscInt  to, from;
  PetscReal value;
} StepEntry;

typedef struct {
  PetscInt   count, capacity;
  StepEntry *entries;
} StepEntries;

/* What depends on the length of a step. */
typedef struct {
  PetscReal  length;
  PetscReal *inverse; /* (1 + dt/2 C' + dt^2/4 omega^2)^-1: [num_modes], or a matrix where modes are coupled */
  PetscReal *push;    /* [num_modes, num_rows] dt/2 inverse b^T: velocities by -g */
  PetscReal *rate;    /* [num_rows, num_rows] b push: those of rows, with R g as it changes */
  PetscReal *near;    /* [num_rows, num_rows] dt/2 rate + R: motions of rows by -g */
} StepSize;

typedef struct {
  const StabilityColumns *columns;
  StepSize                size;
  PetscReal              *direct, *viscous;              /* [num_rows, num_rows] G and G_v at the end of the step */
  PetscReal              *after;                         /* G behind it, where it jumps */
  PetscReal              *gain, *rate_gain;              /* (1 + G near + G_v rate)^-1 G, and G_v in its place */
  PetscReal              *solve, *solve_after;           /* that inverse; (1 + after R)^-1 */
  StepEntries             scalar, held, later;           /* forces by memories: of scalar points, of marched ones; of scalar points behind a jump */
  StepEntries             by_motion, by_rate, by_memory; /* memories at the end by rows, and by memories at the beginning */
  PetscInt                num_fresh, *fresh;             /* memories that are made anew */
  PetscBool               turns;                         /* the next step is of another segment */
} StabilityStep;

PetscErrorCode StabilityStepCreate(const StabilityColumns *columns, StabilityStep *step);
PetscErrorCode StabilityStepDestroy(StabilityStep *step);
/* The step number i of the grid. Hot. */
PetscErrorCode StabilityStepAssemble(StabilityStep *step, PetscInt i, PetscReal frequency);
