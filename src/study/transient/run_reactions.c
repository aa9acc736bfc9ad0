/* run_reactions.c - what loads are on the held nodes of a mesh in each run; all else of reactions is a matter of its samples. */
#include "run_reactions.h"
#include "study/reactions.h"

static PetscBool ActAlike(const Load *load, const Load *other)
{
  return (PetscBool)(load->place == other->place && load->motion == other->motion && load->direction == other->direction &&
                     load->pattern == other->pattern && other->amplitude != 0.0);
}

/* Of one load: as that of the run before where it acts in the same place, or found from the mesh. */
static PetscErrorCode FindOne(const Study *study, const ModeCache *cache, const Load *load, const Load *before, PetscInt count, PetscReal of_load[])
{
  PetscFunctionBegin;
  if (before && ActAlike(load, before)) {
    for (PetscInt r = 0; r < count; r++) of_load[r] *= load->amplitude / before->amplitude;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ReactionsFind(cache->model, study->names, NULL, 1, load, 1.0, of_load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRun(const Study *study, const ModeCache *cache, PetscInt num_supports, const char *const names[], Run *run,
                             const Run *before, PetscReal *of_loads)
{
  const PetscInt count = REACTIONS_OF_SUPPORT * num_supports;
  PetscReal     *direct;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count * run->num_loads, &direct));
  for (PetscInt l = 0; l < run->num_loads; l++) {
    PetscCall(FindOne(study, cache, &run->loads[l], before && l < before->num_loads ? &before->loads[l] : NULL, count, of_loads + l * count));
    for (PetscInt r = 0; r < count; r++) direct[r * run->num_loads + l] = of_loads[l * count + r];
  }
  PetscCall(RecorderAddReactions(&run->recorder, study->findings, num_supports, names, direct, run->num_loads));
  PetscCall(PetscFree(direct));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunsAddReactions(const Study *study, const ModeCache *cache, PetscInt num_runs, Run runs[])
{
  PetscInt     num_supports, most = 0;
  PetscReal   *of_loads;
  const char **names;
  char(*texts)[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(ReactionsNames(InputFind(study->node, "reactions"), cache->model, &num_supports, &texts));
  for (PetscInt i = 0; i < num_runs; i++) most = PetscMax(most, runs[i].num_loads);
  PetscCall(PetscMalloc2(num_supports, &names, REACTIONS_OF_SUPPORT * num_supports * most, &of_loads));
  for (PetscInt s = 0; s < num_supports; s++) names[s] = texts[s];
  for (PetscInt i = 0; i < num_runs; i++) PetscCall(AddRun(study, cache, num_supports, names, &runs[i], i ? &runs[i - 1] : NULL, of_loads));
  PetscCall(PetscFree2(names, of_loads));
  PetscCall(PetscFree(texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
