/* findings.c - all that one study finds. */
#include "finding.h"
#include <stdarg.h>
#include <string.h>

PetscErrorCode FindingsCreate(Findings **findings)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingsDestroy(Findings **findings)
{
  PetscFunctionBegin;
  if (!*findings) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < (*findings)->count; i++) PetscCall(FindingDestroy(&(*findings)->list[i]));
  PetscCall(PetscFree((*findings)->list));
  PetscCall(PetscFree(*findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingsAdd(Findings *findings, const OutputTable *table, Finding **finding, const char *format, ...)
{
  char    path[PETSC_MAX_PATH_LEN];
  va_list arguments;

  PetscFunctionBegin;
  va_start(arguments, format);
  vsnprintf(path, sizeof(path), format, arguments);
  va_end(arguments);
  if (findings->count == findings->capacity) {
    findings->capacity = PetscMax(16, 2 * findings->capacity);
    PetscCall(PetscRealloc((size_t)findings->capacity * sizeof(*findings->list), &findings->list));
  }
  PetscCall(PetscNew(finding));
  (*finding)->table  = table;
  (*finding)->number = findings->count;
  PetscCall(PetscStrallocpy(path, &(*finding)->path));
  while (table->fields[(*finding)->num_fields].key) (*finding)->num_fields++;
  PetscCall(PetscCalloc1((*finding)->num_fields, &(*finding)->places));
  findings->list[findings->count++] = *finding;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Finding *FindingsNext(const Findings *findings, const char *table, const Finding *after)
{
  for (PetscInt i = after ? after->number + 1 : 0; i < findings->count; i++)
    if (!strcmp(findings->list[i]->table->path, table)) return findings->list[i];
  return NULL;
}

const Finding *FindingsItem(const Findings *findings, PetscInt i)
{
  return i < findings->count ? findings->list[i] : NULL;
}

const Finding *FindingsFind(const Findings *findings, const char *format, ...)
{
  char    path[PETSC_MAX_PATH_LEN];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(path, sizeof(path), format, arguments);
  va_end(arguments);
  for (PetscInt i = 0; i < findings->count; i++)
    if (!strcmp(findings->list[i]->path, path)) return findings->list[i];
  return NULL;
}

PetscErrorCode FindingsReserve(Findings *findings, Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < findings->count; i++) PetscCall(FindingReserve(findings->list[i], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
