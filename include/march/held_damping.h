/*
  held_damping.h - what damping, as the case gives it for the whole structure, does between the coordinates and what is held: moving supports, and
  the supports of a mesh.

  Rayleigh's factors are taken of the matrices that include what is held. Ratios of modes, C = M Phi c Phi^T M, belong to the structure that is held,
  and damp what moves beside the static deflection Psi = -K0^-1 K_s under its motion alone. So what is held feels -Psi^T C u' = K_s^T Phi Omega^-2 c q',
  and a rigid motion of all is not damped.
*/
#pragma once
#include "march/linear.h"

/* Where a mode of unit modal mass is while what is held moves by 1: phi^T M Psi. Local. */
PetscReal ModeFollows(const Modes *modes, PetscInt k, const PetscReal stiffness[]);
/* c of the ratios alone, of mode k. Local. */
PetscReal RatioDamping(const System *system, const Modes *modes, PetscInt k);
/* Adds C_s of what is held, whose stiffness and mass on the unknowns are K_s and M_s [num_unknowns]; `modes` may be NULL where there are no
   ratios. Local. */
PetscErrorCode HeldDampingAdd(const System *system, const Modes *modes, const PetscReal stiffness[], const PetscReal mass[], PetscReal damping[]);
