/* groups.c - the places that studies take in the result: each has one of its own. */
#include "study.h"
#include <stdlib.h>
#include <string.h>

/* A group of the result, and the study that will make it. */
typedef struct {
  const char  *name;
  const Study *study;
} Group;

/* Each kind of study has its own place in the result. */
static int CompareGroups(const void *a, const void *b)
{
  const Group *left = a, *right = b;
  const int    kinds = strcmp(left->study->kind->name, right->study->kind->name);

  return kinds ? kinds : strcmp(left->name, right->name);
}

static PetscInt CountGroups(const Study *study)
{
  PetscInt count = 0;

  while (study->kind && study->kind->group && study->kind->group(study, count)) count++;
  return count;
}

/* Files for ParaView lie beside each other, whatever the kind of study. */
static PetscErrorCode CheckSeries(PetscInt num_groups, const Group groups[])
{
  PetscFunctionBegin;
  for (PetscInt g = 0; g < num_groups; g++)
    for (PetscInt other = 0; other < g; other++) {
      const Study *const study = groups[g].study, *const before = groups[other].study;

      if (study->kind == before->kind || !study->writes_series || !before->writes_series || strcmp(groups[g].name, groups[other].name)) continue;
      PetscCall(InputComplain(study->node, "its file for ParaView would be that of the %s '%s': one of the two needs another name",
                              before->kind->name, groups[other].name));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Runs become groups of the result: no two of them can share a name. */
static PetscErrorCode CheckGroups(PetscInt num_studies, const Study studies[])
{
  PetscInt total = 0, next = 0;
  Group   *groups;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_studies; i++) total += CountGroups(&studies[i]);
  PetscCall(PetscMalloc1(total, &groups));
  for (PetscInt i = 0; i < num_studies; i++) {
    const Study   *study = &studies[i];
    const PetscInt count = CountGroups(study);

    for (PetscInt g = 0; g < count; g++) groups[next++] = (Group){study->kind->group(study, g), study};
  }
  PetscCall(CheckSeries(total, groups));
  if (total > 1) qsort(groups, (size_t)total, sizeof(*groups), CompareGroups);
  for (PetscInt g = 1; g < total; g++)
    if (!CompareGroups(&groups[g - 1], &groups[g])) {
      const Study *study = groups[g].study;

      PetscCall(
        InputComplain(study->node, "%s '%s'", study->kind->twice ? study->kind->twice : "two studies of this case are named", groups[g].name));
      break;
    }
  PetscCall(PetscFree(groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckSecond(PetscInt count, const Study studies[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt k = 0; k < i && studies[i].kind && studies[i].kind->once; k++) {
      if (studies[k].kind != studies[i].kind) continue;
      PetscCall(InputComplain(studies[i].node, "%s", studies[i].kind->once));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StudiesCheck(PetscInt count, const Study studies[])
{
  PetscFunctionBegin;
  PetscCall(CheckGroups(count, studies));
  PetscCall(CheckSecond(count, studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
