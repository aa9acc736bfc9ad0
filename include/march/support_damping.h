/*
  support_damping.h - what damping couples moving supports by: to the unknowns, and to each other.

  Of discrete dampers and Rayleigh's factors the matrices with the supports, C_s and C_ss. Ratios of modes damp what moves beside Psi u_s,
  Psi = -K0^-1 K_s: with C = M Phi diag(2 zeta omega) Phi^T M they add -C Psi and Psi^T C Psi.
*/
#pragma once
#include "march/held_damping.h"

/* C_s [num_supports, num_unknowns] and C_ss [num_supports, num_supports]; `modes`: all of stuck joints, for ratios of modes, or NULL. */
PetscErrorCode SupportDampingFind(const System *system, const Modes *modes, PetscReal damping[], PetscReal own[]);
