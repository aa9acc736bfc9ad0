/* run_samples.c - the samples of a run that are kept, by what its finding says. */
#include "study/run_samples.h"

PetscReal RunSamplesStep(const Finding *run)
{
  return FindingReal(run, "time_step") * (PetscReal)FindingCount(run, "every");
}

PetscReal RunSamplesStart(const Finding *run)
{
  return RunSamplesStep(run) * (PetscReal)FindingCount(run, "first");
}

/* Where none is left out, that of the run. */
PetscReal RunSamplesEnd(const Finding *run)
{
  const PetscInt64 steps = FindingCount(run, "steps_asked"), last = FindingCount(run, "last");

  if (last == steps / FindingCount(run, "every")) return FindingReal(run, "time_step") * (PetscReal)steps;
  return RunSamplesStep(run) * (PetscReal)last;
}

PetscErrorCode RunSamplesCount(const Finding *run, const Result *result, PetscInt *count)
{
  const PetscInt64 first = FindingCount(run, "first"), last = FindingCount(run, "last");
  PetscInt64      *steps;

  PetscFunctionBegin;
  PetscCall(FindingReadCounts(run, "steps", 1, result, &steps));
  *count = steps[0] ? (PetscInt)PetscMax(PetscMin(steps[0] / FindingCount(run, "every"), last) - first + 1, 0) : 0;
  PetscCall(PetscFree(steps));
  PetscFunctionReturn(PETSC_SUCCESS);
}
