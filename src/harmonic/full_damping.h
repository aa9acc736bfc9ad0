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
/* Z_k, [2 n, 2 n] and [2 n]; with it `count` complex columns x[count, 2, n] are solved for, in place. Hot. */
PetscErrorCode FullDampingFactor(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, PetscReal factors[], PetscBLASInt pivots[]);
PetscErrorCode FullDampingBack(const HarmonicStructure *structure, const PetscReal factors[], const PetscBLASInt pivots[], PetscInt count,
                               PetscReal x[]);
/* y = -Z_k' x of one complex column, Z_k' = -2 k^2 W + i k C'. Hot. */
void FullDampingTimesSlope(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, const PetscReal x[], PetscReal y[]);
/* Coordinates under the loads and their changes by W: [n] each. */
PetscErrorCode FullDampingResponse(const HarmonicStructure *structure, PetscReal frequency, PetscReal c[], PetscReal s[], PetscReal c_by_frequency[],
                                   PetscReal s_by_frequency[]);
/* Forces, in place, become coordinates. */
PetscErrorCode FullDampingSolve(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, PetscReal c[], PetscReal s[]);
