/* studies.c - the kinds of study there are. */
#include "studies.h"
#include <string.h>

const StudyKind *const study_kinds[] = {&study_modes,   &study_transient, &study_ring_down,      &study_modal_iwan,
                                        &study_compare, &study_loop,      &study_fit_polynomial, NULL};

PetscErrorCode StudyRead(const InputNode *node, Case *the_case, PetscInt i)
{
  Study *const     study     = &the_case->studies[i];
  const char      *names[16] = {NULL};
  const InputNode *keys;
  PetscInt         kind;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(study, sizeof(*study)));
  study->before     = the_case->studies;
  study->num_before = i;
  for (PetscInt k = 0; study_kinds[k]; k++) names[k] = study_kinds[k]->name;
  PetscCall(InputGetTagged(node, "study", names, &kind, &keys));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  study->kind  = study_kinds[kind];
  study->node  = keys;
  study->model = the_case->model;
  study->laws  = &the_case->laws;
  PetscCall(study->kind->read(keys, the_case->system, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool StudyStandsAlone(const InputNode *node)
{
  for (PetscInt k = 0; study_kinds[k]; k++) {
    const InputNode *keys = InputIsMap(node) ? InputFind(node, study_kinds[k]->name) : NULL;

    if (keys && study_kinds[k]->stands_alone && study_kinds[k]->stands_alone(keys)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode StudyDestroy(Study *study)
{
  PetscFunctionBegin;
  if (study->kind) PetscCall(study->kind->destroy(study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsAmong(const char *name, const char *const names[])
{
  for (PetscInt i = 0; names[i]; i++)
    if (!strcmp(names[i], name)) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode StudyFindBefore(const Study *study, const StudyKind *kind, const InputNode *node, const char *name, const Study **found)
{
  const char  **names;
  const Study **studies;
  const Study  *other = NULL;
  PetscInt      count = 0, chosen;

  PetscFunctionBegin;
  *found = NULL;
  PetscCall(PetscCalloc2(study->num_before + 1, &names, study->num_before, &studies));
  for (PetscInt i = 0; i < study->num_before; i++)
    if (study->before[i].kind == kind && study->before[i].name) {
      names[count]     = study->before[i].name;
      studies[count++] = &study->before[i];
    } else if (study->before[i].kind && study->before[i].name && !strcmp(study->before[i].name, name)) other = &study->before[i];
  if (other && !IsAmong(name, names)) PetscCall(InputComplain(node, "expected a %s, but '%s' is a %s", kind->name, name, other->kind->name));
  else if (count == 0) PetscCall(InputComplain(node, "no study '%s': there is no %s before this study", name, kind->name));
  else {
    PetscCall(InputChoose(node, name, kind->name, names, &chosen));
    if (chosen >= 0) *found = studies[chosen];
  }
  PetscCall(PetscFree2(names, studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
