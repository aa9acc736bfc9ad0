/* preload_stress.c - the structure about a preload whose stresses stiffen it: K0' + K_sigma, of the displacement of the whole mesh. */
#include "preload.h"

PetscErrorCode PreloadStressCheck(const Study *study, const InputNode *node)
{
  const Names *const names = study->names;

  PetscFunctionBegin;
  if (!names->known) PetscFunctionReturn(PETSC_SUCCESS);
  if (!names->mesh) PetscCall(InputComplain(node, "has no use without `mesh`: nothing else has stresses"));
  else if (!names->residual || names->num_condensed)
    PetscCall(InputComplain(node, "needs `reduction: {modes: {count: N}}`, or none: motions of points do not tell the stresses between them"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the unknowns of the mesh after the last stage: what the coordinates say, and what all else adds. NULL after a complaint. */
static PetscErrorCode FindMotion(Preload *preload, const ModeCache *cache, Vec *motion)
{
  const PetscInt last        = preload->num_stages - 1;
  PetscInt       num_columns = 0;
  PetscBool      fine;

  PetscFunctionBegin;
  *motion = NULL;
  PetscCall(PreloadDeflect(preload, cache, &fine));
  if (preload->moved) PetscCall(MatGetSize(preload->moved, NULL, &num_columns));
  if (fine) PetscCall(DeflectionsMotion(&preload->deflections, cache, last, preload->moved, num_columns - 1, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadStressBuild(const Study *study, const ModeCache *cache, const State *state)
{
  Preload *const preload = study->data;
  const PetscInt last    = (preload->num_stages - 1) * cache->system->names.num_bolts;
  ModelStress    stress  = {.node = InputFind(study->node, "stiffening"), .shift = preload->shift + last, .tension = preload->tension + last};

  PetscFunctionBegin;
  PetscCall(FindMotion(preload, cache, &stress.motion));
  if (stress.motion) PetscCall(ModelRestAt(cache->model, cache->system, state, &stress, &preload->about, &preload->system));
  PetscCall(VecDestroy(&stress.motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}
