/* fault.h - says what is wrong with a continuum, as continuum.h lists it. */
#pragma once
#include "continuum.h"

static inline void SetFault(ContinuumFault *fault, ContinuumReason reason, PetscInt count)
{
  fault->reason = reason;
  fault->count  = count;
}
