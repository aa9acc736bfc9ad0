/*
  motion_fields.h - the motion of the mesh in a run, for ParaView.
*/
#pragma once
#include "transient.h"

/* Complains of a place that could not be written later, when it would be a pity. Collective, like all of it. */
PetscErrorCode MotionFieldsCheck(const Run *run, const char *result_path);
/* What the snapshots of a run that has ended tell of the mesh; nothing without snapshots. `whole` is false when
   the user asked to stop meanwhile. `modes`: what moved were their coordinates; NULL: the unknowns. */
PetscErrorCode MotionFieldsWrite(const Run *run, const ModeCache *cache, const Modes *modes, const Result *result, PetscBool *whole);
