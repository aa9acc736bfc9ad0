/* freedom.h - the rigid motions of a structure that nothing holds. */
#pragma once
#include "whole.h"

/* While the boundary is at rest: gives CONTINUUM_FREE_BODY or leaves the fault alone. While it is not: its rigid motions. */
PetscErrorCode FreedomCheck(Boundary *boundary, const Continuum *continuum, ContinuumFault *fault);

/* Of the whole, while the boundary is tied: columns as `like`, independent; NULL for none. */
PetscErrorCode FreedomFind(const Boundary *boundary, const Continuum *continuum, const ContinuumTies *ties, Vec like, Mat *motions);
