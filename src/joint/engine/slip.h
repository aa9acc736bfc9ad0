/* slip.h - whether a joint slips at a motion to compute with. */
#pragma once
#include "joint.h"

/* What is wrong with a joint that slips at this force, or NULL. */
static inline const char *SlipRefuse(PetscReal slip_force, PetscReal stiffness)
{
  const PetscReal motion = slip_force / stiffness;

  return motion > 1e-100 && motion < 1e100 ? NULL : "slip force over stiffness is not a length at which a joint can slip";
}
