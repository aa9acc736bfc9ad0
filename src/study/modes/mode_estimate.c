/* mode_estimate.c - what a study of modes would find of a structure that differs a little, without solving for its modes. */
#include "mode_estimate.h"
#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 1000 }; /* of which all modes are found for estimates of shapes */

PetscBool ModeEstimates(const char *key)
{
  return (PetscBool)(!strcmp(key, "omega") || !strcmp(key, "frequency") || !strcmp(key, "shape"));
}

/* Modes of equal frequency have no derivatives of their own. */
static PetscBool IsAlone(const Modes *modes, PetscInt k)
{
  const PetscReal *const lambda = modes->eigenvalue;
  const PetscBool        last   = (PetscBool)(k + 1 == modes->count);

  return (PetscBool)((k == 0 || lambda[k - 1] != lambda[k]) && (last ? modes->num_cut == 0 : lambda[k + 1] != lambda[k]));
}

static PetscErrorCode EstimateOmega(const Modes *modes, const ModeCache *twin, PetscReal factor, PetscReal values[])
{
  PetscFunctionBegin;
  PetscCall(ModesEstimate(twin->system, twin->model, modes->state, modes, values));
  for (PetscInt k = 0; k < modes->count; k++) values[k] = IsAlone(modes, k) ? factor * values[k] : (PetscReal)NAN;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode EstimateShapes(const ModeCache *cache, const Modes *modes, const ModeCache *twin, Modes **all, PetscReal values[])
{
  Modes *estimate;

  PetscFunctionBegin;
  if (!*all) PetscCall(ModesCompute(cache->system, modes->state, modes->num_unknowns, all));
  PetscCall(ModesCreate(modes->num_unknowns, modes->count, &estimate));
  estimate->state = modes->state;
  PetscCall(ModesEstimateShapes(twin->system, *all, estimate));
  PetscCall(ModesMotions(twin->system, estimate, values));
  PetscCall(ModesDestroy(&estimate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeEstimate(const ModeCache *cache, const Modes *modes, const ModeCache *twin, const char *key, Modes **all, PetscReal values[])
{
  const PetscBool shape = (PetscBool)!strcmp(key, "shape");
  const PetscInt  count = modes->count * (shape ? cache->system->names.num_motions : 1);
  PetscBool       known;

  PetscFunctionBegin;
  PetscCall(ModesCanEstimate(cache->system, twin->system, &known));
  known = (PetscBool)(known && !cache->holds);
  for (PetscInt i = 0; i < count; i++) values[i] = (PetscReal)NAN;
  if (known && !shape) PetscCall(EstimateOmega(modes, twin, strcmp(key, "omega") != 0 ? 1 / (2 * PETSC_PI) : 1, values));
  if (known && shape && !modes->field && modes->num_unknowns <= MOST_UNKNOWNS) PetscCall(EstimateShapes(cache, modes, twin, all, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
