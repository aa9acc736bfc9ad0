/*
  mode_fields.h - mode shapes on the mesh.
*/
#pragma once
#include "analysis.h"

/* The lowest `count` modes in the wanted states, which the subject has, as fields beside the result; nothing without a mesh. */
PetscErrorCode ModeFieldsWrite(const Subject *subject, PetscInt count, const PetscBool wanted[2], const char *result_path);
