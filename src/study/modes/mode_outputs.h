/*
  mode_outputs.h - modes in the result: /modes/stuck, /modes/slipping; of a study with a name /modes/NAME/stuck and so on.
*/
#pragma once
#include "mode_pairs.h"
#include "study.h"

extern const OutputTable *const modes_outputs[]; /* ends with NULL */

/* A table for modes of this state; `name` NULL: of the study without one. Local. */
PetscErrorCode ModesAdd(const char *name, JointState state, Findings *findings, Finding **finding);
/* There are none of this state: nothing of it is in the result. */
PetscErrorCode ModesOmit(Finding *finding);
/* Gives it these modes, with their numbers. `pairs` are those of stuck modes with slipping ones; NULL for none. Local. */
PetscErrorCode ModesGive(const System *system, const Modes *modes, const ModePairs *pairs, Finding *finding);
