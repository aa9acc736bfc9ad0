/*
  full_damping.h - a structure whose damping couples its modes: dynamic stiffness by factors, as real matrices of twice the size.

      [ a  -b ] [ re ]            a = omega^2 - (k W)^2     b = k W C'
      [ b   a ] [ im ]
*/
#pragma once
#include "harmonic/structure.h"
#include "rows.h"

/* C' = Phi^T C Phi beside what is known mode by mode. */
PetscErrorCode FullDampingCreate(HarmonicStructure *structure);
PetscErrorCode FullDampingInfluence(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, HarmonicInfluence *influence);
/* Coordinates under the loads and their changes by W: [n] each. */
PetscErrorCode FullDampingResponse(const HarmonicStructure *structure, PetscReal frequency, PetscReal c[], PetscReal s[], PetscReal c_by_frequency[],
                                   PetscReal s_by_frequency[]);
/* Forces, in place, become coordinates. */
PetscErrorCode FullDampingSolve(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, PetscReal c[], PetscReal s[]);
