/* bodies.h - the rigid motions of the bodies of a structure: are they all held, by K or by the boundary? */
#pragma once
#include "boundary.h"

/* Gives CONTINUUM_FREE_PART or leaves the fault alone. */
PetscErrorCode BodiesCheck(const Boundary *boundary, const Continuum *continuum, ContinuumFault *fault);
