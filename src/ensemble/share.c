/* share.c - the part of the samples that one run of several computes: one of each group of as many samples as there are parts, drawn anew for each
   group, so that costs are even also where a parameter changes from sample to sample in a cycle. Samples that are added leave the others in their
   parts. */
#include "ensemble_private.h"
#include "base/random.h"

PetscBool ShareHas(const Ensemble *ensemble, PetscInt row)
{
  const uint64_t parts = (uint64_t)ensemble->parts, group = (uint64_t)row / parts;

  return (PetscBool)(((uint64_t)row + RandomKey((uint64_t)ensemble->seed, group) % parts) % parts == (uint64_t)ensemble->part - 1);
}

PetscInt ShareCount(const Ensemble *ensemble)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < ensemble->num_rows; i++) count += ShareHas(ensemble, i);
  return count;
}

PetscErrorCode EnsembleTakePart(Ensemble *ensemble, PetscInt part, PetscInt parts)
{
  PetscFunctionBegin;
  ensemble->part     = part;
  ensemble->parts    = parts;
  ensemble->share[0] = '\0';
  if (parts > 1) PetscCall(PetscSNPrintf(ensemble->share, sizeof(ensemble->share), SHARE_KEY ": %" PetscInt_FMT "/%" PetscInt_FMT "\n", part, parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
