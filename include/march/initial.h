/*
  initial.h - the displacement and velocity that a motion starts from.
*/
#pragma once
#include "march/stepper.h"

/* What a motion starts from, as the case says it. */
typedef struct {
  PetscReal *displacement, *velocity; /* on the unknowns, NULL for rest */
  PetscInt   mode;                    /* a mode shape added to them, from 1; 0 for none */
  JointState joints;
  PetscReal  along_displacement, along_velocity; /* [m kg^1/2], [m kg^1/2/s] */
} InitialKeys;

extern const InputTable *const initial_tables[]; /* ends with NULL */

/* NULL node: rest. */
PetscErrorCode InitialRead(const InputNode *node, const Names *names, InitialKeys *initial);
PetscErrorCode InitialDestroy(InitialKeys *initial);
/* The motion times `level`, into arrays [num_unknowns] of the caller; local once the mode is known. */
PetscErrorCode InitialMotionFind(const InitialKeys *initial, ModeCache *cache, PetscReal level, PetscReal displacement[], PetscReal velocity[],
                                 InitialMotion *motion);
