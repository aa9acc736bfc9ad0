/* studies.c - the kinds of study there are. */
#include "studies.h"

const StudyKind *const study_kinds[] = {&study_modes, &study_transient, NULL};

PetscErrorCode StudyRead(const InputNode *node, const System *system, const Model *model, Study *study)
{
  const char      *names[16] = {NULL};
  const InputNode *keys;
  PetscInt         kind;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(study, sizeof(*study)));
  for (PetscInt i = 0; study_kinds[i]; i++) names[i] = study_kinds[i]->name;
  PetscCall(InputGetTagged(node, "study", names, &kind, &keys));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  study->kind  = study_kinds[kind];
  study->node  = keys;
  study->model = model;
  PetscCall(study->kind->read(keys, system, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudyDestroy(Study *study)
{
  PetscFunctionBegin;
  if (study->kind) PetscCall(study->kind->destroy(study));
  PetscFunctionReturn(PETSC_SUCCESS);
}
