/* twins.c - a case and the same one with other numbers, side by side: what is the same in both, and what one tells of the other. */
#include "case.h"

/* About a state of equilibrium there is none: it is known of studies that were prepared, and changes with the case. */
static StudyTwin TwinOf(Case *the_case, PetscInt study, PetscBool same_unknowns)
{
  return (StudyTwin){.study = &the_case->studies[study], .cache = the_case->cache, .same_unknowns = same_unknowns};
}

const char *CaseFollowed(const Case *the_case, const char *path)
{
  const PetscInt study = CaseFindStudy(the_case, path);

  return study >= 0 && the_case->studies[study].kind->follow && !the_case->studies[study].about ? the_case->studies[study].kind->followed : NULL;
}

PetscErrorCode CaseFollow(Case *variant, const char *path, PetscInt number, PetscInt *found, size_t size, char reason[])
{
  const PetscInt       number_of_study = CaseFindStudy(variant, path);
  const PetscBool      same            = ModelKeepsUnknowns(variant->same->model, variant->change);
  const StudyTwin      origin          = TwinOf(variant->same, number_of_study, same);
  Study *const         study           = &variant->studies[number_of_study];
  const Finding *const finding         = FindingsFind(study->findings, "%s", path);

  PetscFunctionBegin;
  PetscCall(study->kind->follow(study, variant->cache, &origin, finding, number, found, size, reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CaseEstimates(const Case *the_case, const char *path, const char *key, ModelChange change)
{
  const PetscInt     number = CaseFindStudy(the_case, path);
  const Study *const study  = number >= 0 ? &the_case->studies[number] : NULL;

  return (PetscBool)(study && study->kind->estimates && !study->about && study->kind->estimates(key) && ModelKeepsUnknowns(the_case->model, change));
}

PetscErrorCode CaseEstimate(Case *variant, Case *twin, const char *path, const char *key, PetscReal values[])
{
  const PetscInt  number = CaseFindStudy(variant, path);
  const StudyTwin other  = TwinOf(twin, number, PETSC_TRUE);
  Study *const    study  = &variant->studies[number];

  PetscFunctionBegin;
  PetscCall(study->kind->estimate(study, variant->cache, &other, FindingsFind(study->findings, "%s", path), key, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
