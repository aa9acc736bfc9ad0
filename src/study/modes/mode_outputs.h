/*
  mode_outputs.h - modes in the result: /modes/stuck, /modes/slipping.
*/
#pragma once
#include "study.h"

extern const OutputTable *const modes_outputs[]; /* ends with NULL */

/* Adds these modes, with their numbers, to the findings. Local. */
PetscErrorCode ModesGive(const System *system, const Modes *modes, JointState state, Findings *findings);
