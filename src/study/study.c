/* study.c - the studies of a case: read, named, found by those that come after them. */
#include "study.h"
#include <string.h>

const StudyKind *const study_kinds[] = {&study_modes,   &study_transient, &study_response,       &study_ring_down, &study_modal_iwan,
                                        &study_compare, &study_loop,      &study_fit_polynomial, &study_fit_law,   NULL};

PetscErrorCode StudyRead(const InputNode *node, const Model *model, const System *system, Laws *laws, Study *studies, PetscInt i)
{
  Study *const     study     = &studies[i];
  const char      *names[16] = {NULL};
  const InputNode *keys;
  PetscInt         kind;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(study, sizeof(*study)));
  study->before     = studies;
  study->num_before = i;
  for (PetscInt k = 0; study_kinds[k]; k++) names[k] = study_kinds[k]->name;
  PetscCall(InputGetTagged(node, "study", names, &kind, &keys));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  study->kind  = study_kinds[kind];
  study->node  = keys;
  study->model = model;
  study->laws  = laws;
  PetscCall(study->kind->read(keys, system, study));
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

PetscErrorCode StudySetName(Study *study, const InputNode *node, const char *name)
{
  const InputNode *const given = InputFind(node, "name");

  PetscFunctionBegin;
  study->name = name ? name : study->kind->name;
  PetscCall(InputCheckName(given ? given : node, study->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *StudyOwnGroup(const Study *study, PetscInt i)
{
  return i == 0 ? study->name : NULL;
}

PetscBool StudyAlwaysAlone(const InputNode *node)
{
  (void)node;
  return PETSC_TRUE;
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

static PetscBool IsOneOf(const Study *study, const StudyKind *const kinds[])
{
  for (PetscInt k = 0; kinds[k]; k++)
    if (study->kind == kinds[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* "loop or transient" */
static PetscErrorCode NameKinds(const StudyKind *const kinds[], char names[], size_t size)
{
  PetscFunctionBegin;
  PetscCall(PetscStrncpy(names, kinds[0]->name, size));
  for (PetscInt k = 1; kinds[k]; k++) {
    PetscCall(PetscStrlcat(names, kinds[k + 1] ? ", " : " or ", size));
    PetscCall(PetscStrlcat(names, kinds[k]->name, size));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudyFindAmong(const Study *study, const StudyKind *const kinds[], const InputNode *node, const char *name, const Study **found)
{
  const char  **names;
  const Study **studies;
  const Study  *other = NULL;
  PetscInt      count = 0, chosen;
  char          wanted[128];

  PetscFunctionBegin;
  *found = NULL;
  PetscCall(NameKinds(kinds, wanted, sizeof(wanted)));
  PetscCall(PetscCalloc2(study->num_before + 1, &names, study->num_before, &studies));
  for (PetscInt i = 0; i < study->num_before; i++)
    if (IsOneOf(&study->before[i], kinds) && study->before[i].name) {
      names[count]     = study->before[i].name;
      studies[count++] = &study->before[i];
    } else if (study->before[i].kind && study->before[i].name && !strcmp(study->before[i].name, name)) other = &study->before[i];
  if (other && !IsAmong(name, names)) PetscCall(InputComplain(node, "expected a %s, but '%s' is a %s", wanted, name, other->kind->name));
  else if (count == 0) PetscCall(InputComplain(node, "no study '%s': there is no %s before this study", name, wanted));
  else {
    PetscCall(InputChoose(node, name, wanted, names, &chosen));
    if (chosen >= 0) *found = studies[chosen];
  }
  PetscCall(PetscFree2(names, studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudyFindBefore(const Study *study, const StudyKind *kind, const InputNode *node, const char *name, const Study **found)
{
  const StudyKind *const kinds[] = {kind, NULL};

  return StudyFindAmong(study, kinds, node, name, found);
}
