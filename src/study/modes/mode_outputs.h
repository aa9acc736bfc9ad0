/*
  mode_outputs.h - modes in the result: /modes/stuck, /modes/slipping; of a study with a name /modes/NAME/stuck and so on.
*/
#pragma once
#include "mode_pairs.h"
#include "study.h"

extern const OutputTable *const modes_outputs[]; /* ends with NULL */

/* Adds these modes, with their numbers, to the findings; `name` NULL: of the study without one. `pairs` are those of stuck modes with
   slipping ones; NULL for none. Local. */
PetscErrorCode ModesGive(const char *name, const System *system, const Modes *modes, JointState state, const ModePairs *pairs, Findings *findings);
