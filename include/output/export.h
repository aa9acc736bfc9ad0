/*
  export.h - what a result holds, in forms that other programs read: columns of text, JSON, universal files.

  A result of dovetail is only read, in a process of its own (see apart.c). PETSC_ERR_USER_INPUT on all ranks after a message when it is
  none, when it has no such path, or when nothing of what was asked for can be written so.
*/
#pragma once
#include "base/json.h"
#include "output.h"

typedef enum { EXPORT_CSV, EXPORT_TSV, EXPORT_JSON, EXPORT_UFF, EXPORT_UFF_BINARY } ExportFormat;

typedef struct {
  ExportFormat format;
  const char  *place;     /* a file, or of columns a folder; NULL: `out` */
  int          num_paths; /* 0: all of it */
  char *const *paths;     /* of groups and datasets, "/transient/hit/time" */
} ExportRequest;

/* `dovetail export`. Collective. */
PetscErrorCode ResultExport(FILE *out, const char *result, const ExportRequest *request);

/* `dovetail info --json`, into an object that is open on rank 0: title, version, state, and `contents`: of each group and dataset, by its path,
   attributes, unit, shape, and the values, or where there are many what they span. Collective. */
PetscErrorCode ResultDescribe(Json *json, const char *result);
