/* stored_table.h - the samples of a result on disk, without the case that it is of. All of it is local. */
#pragma once
#include "output/stored.h"
#include "tables.h"

typedef struct {
  char      *path, *parameters, *outputs, *units; /* names, and units of outputs, in one piece each */
  Result    *result;
  Ensemble  *ensemble; /* its names, outputs and findings, but no plan */
  Sample     sample;   /* of the row that was read last */
  PetscReal *inputs, *percent;
} StoredTable;

/* What two results may differ in whose rows belong into one table. */
extern const char *const stored_table_ignored[];

/* NULL where there is none, and why in `fault`. */
PetscErrorCode StoredTableOpen(const char *path, StoredMode mode, StoredTable **table, size_t length, char fault[]);
PetscErrorCode StoredTableClose(StoredTable **table, PetscBool complete);
/* Into the sample and the inputs of the table; a row that it does not have is one that is not computed. */
PetscErrorCode StoredTableRead(StoredTable *table, PetscInt row);
/* Whether nothing has to be computed for it again. */
PetscBool SampleIsFinished(const Sample *sample);
