/*
  separation.h - fixed-interface modes that round-off has mixed are taken apart.

  Modes of frequencies as near as those of bending in two directions are mixed by the round-off of a factor times their distance. Energies
  tell how, to first order: phi_j + sum W_ij phi_i, W_ij = (omega_j^2 M_ij - K_ij) / (omega_i^2 - omega_j^2).
*/
#pragma once
#include "continuum.h"

/* Of a reduction that has K, M and its basis, which all change by no more than what was mixed. Copies of one mode stay as they are. */
PetscErrorCode SeparateModes(Reduction *reduction);
