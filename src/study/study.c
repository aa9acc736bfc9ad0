/* study.c - the studies of a case: read, named, found by those that come after them. */
#include "study.h"
#include <string.h>

PetscErrorCode StudyRead(const InputNode *node, const Names *names, Laws *laws, Study *studies, PetscInt i)
{
  Study *const     study          = &studies[i];
  const PetscInt   num_complaints = InputNumComplaints(InputDocumentOf(node));
  const InputNode *keys;
  const char     **kinds;
  PetscInt         count = 0, kind;

  PetscFunctionBegin;
  *study = (Study){.names = names, .laws = laws, .before = studies, .num_before = i};
  PetscCall(PetscCalloc1(i, &study->uses));
  while (study_kinds[count]) count++;
  PetscCall(PetscCalloc1(count + 1, &kinds));
  for (PetscInt k = 0; k < count; k++) kinds[k] = study_kinds[k]->name;
  PetscCall(InputGetTagged(node, "study", kinds, &kind, &keys));
  PetscCall(PetscFree(kinds));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  study->kind = study_kinds[kind];
  study->node = keys;
  if (study->kind->choose) PetscCall(study->kind->choose(keys, &study->kind));
  PetscCall(FindingsCreate(&study->findings));
  PetscCall(study->kind->read(keys, names, study));
  study->refused = (PetscBool)(InputNumComplaints(InputDocumentOf(node)) > num_complaints);
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
  PetscCall(PetscFree(study->uses));
  PetscCall(FindingsDestroy(&study->findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsAmong(const char *name, const char *const names[])
{
  for (PetscInt i = 0; names[i]; i++)
    if (!strcmp(names[i], name)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* "loop or transient" */
static PetscErrorCode NameKinds(const char *const kinds[], char names[], size_t size)
{
  PetscFunctionBegin;
  PetscCall(PetscStrncpy(names, kinds[0], size));
  for (PetscInt k = 1; kinds[k]; k++) {
    PetscCall(PetscStrlcat(names, kinds[k + 1] ? ", " : " or ", size));
    PetscCall(PetscStrlcat(names, kinds[k], size));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudyFindAmong(const Study *study, const char *const kinds[], const InputNode *node, const char *name, const Study **found)
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
    if (study->before[i].kind && study->before[i].name && IsAmong(study->before[i].kind->name, kinds)) {
      names[count]     = study->before[i].name;
      studies[count++] = &study->before[i];
    } else if (study->before[i].kind && study->before[i].name && !strcmp(study->before[i].name, name)) other = &study->before[i];
  if (other && !IsAmong(name, names)) PetscCall(InputComplain(node, "expected a %s, but '%s' is a %s", wanted, name, other->kind->name));
  else if (count == 0) PetscCall(InputComplain(node, "no study '%s': there is no %s before this study", name, wanted));
  else {
    PetscCall(InputChoose(node, name, wanted, names, &chosen));
    if (chosen >= 0) *found = studies[chosen];
    if (chosen >= 0) study->uses[*found - study->before] = PETSC_TRUE;
  }
  PetscCall(PetscFree2(names, studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void StudyNeed(const Study *study, PetscBool needed[])
{
  if (needed[study->num_before]) return;
  needed[study->num_before] = PETSC_TRUE;
  for (PetscInt i = 0; i < study->num_before; i++)
    if (study->uses[i]) StudyNeed(&study->before[i], needed);
}

PetscErrorCode StudyReadAbout(const InputNode *node, const char *name, Study *study)
{
  const char **kinds;
  PetscInt     count = 0;

  PetscFunctionBegin;
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  while (study_kinds[count]) count++;
  PetscCall(PetscCalloc1(count + 1, &kinds));
  for (PetscInt k = count = 0; study_kinds[k]; k++)
    if (study_kinds[k]->offer) kinds[count++] = study_kinds[k]->name;
  PetscCall(StudyFindAmong(study, kinds, InputFind(node, "about"), name, &study->about));
  PetscCall(PetscFree(kinds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudyFindBefore(const Study *study, const char *kind, const InputNode *node, const char *name, const Study **found)
{
  const char *const kinds[] = {kind, NULL};

  return StudyFindAmong(study, kinds, node, name, found);
}

void StudySayHeld(PetscInt64 num_held)
{
  if (num_held)
    ReportSay("  in %" PetscInt64_FMT " steps the balance was found with the friction of faces held: they are stiff beside what is behind them\n",
              num_held);
}
