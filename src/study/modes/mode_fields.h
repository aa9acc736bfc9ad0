/*
  mode_fields.h - mode shapes on the mesh.
*/
#pragma once
#include "modes.h"
#include "output.h"

/* The lowest `count` modes in the wanted states, which the cache has, with or without their stresses, as fields beside the result, RESULT.hdf or
   with a name RESULT_NAME.hdf; nothing without a mesh. */
PetscErrorCode ModeFieldsWrite(const ModeCache *cache, const char *name, PetscInt count, const PetscBool wanted[2], PetscBool stresses,
                               PetscBool points, const char *result_path);

/* What mode k does to the unknowns of the mesh. Collective; the caller destroys it. */
PetscErrorCode ModeMotion(const Model *model, const Modes *modes, PetscInt k, Vec *motion);
