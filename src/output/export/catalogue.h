/*
  catalogue.h - what a result file holds: its groups and datasets in the order of their names, what they are called, measured in and sized by.

  Members of a group stand behind it. All of it is local, and reads what may be damaged: what cannot be read is complained of.
*/
#pragma once
#include "../result.h"

typedef struct {
  char      *path;
  PetscInt   depth; /* of groups above it */
  PetscBool  is_group;
  ResultType type; /* of a dataset, as the rest */
  size_t     text_length;
  int        num_dims; /* 0: one value, or as many as there are in a dimension that is called "1" */
  hsize_t    sizes[RESULT_MAX_DIMS];
  char       dims[RESULT_MAX_DIMS][RESULT_TEXT_LENGTH]; /* their names; empty where the file does not say */
  char       unit[RESULT_TEXT_LENGTH];                  /* empty for none */
  PetscBool  chosen;
} Entry;

typedef struct {
  const char *result; /* its path */
  hid_t       file;
  PetscInt    count, capacity;
  Entry      *entries;
} Catalogue;

PetscErrorCode CatalogueRead(const char *result, hid_t file, Catalogue *catalogue);
PetscErrorCode CatalogueDestroy(Catalogue *catalogue);
/* Chooses what is at or below a path, with or without '/' in front; complains of one that is not there, with the nearest. */
PetscErrorCode CatalogueChoose(Catalogue *catalogue, const char *path);
void           CatalogueChooseAll(Catalogue *catalogue); /* but for what guards the file itself */

/* NULL when there is none. */
const Entry *CatalogueFind(const Catalogue *catalogue, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* The group that an entry is in, without '/' at its end; empty for the root. */
void     EntryGroup(const Entry *entry, char group[PETSC_MAX_PATH_LEN]);
PetscInt EntryRows(const Entry *entry);  /* 1 without dimensions */
PetscInt EntryWidth(const Entry *entry); /* numbers of a row */

/* Rows of a dataset: PetscReal, PetscInt64, or texts of text_length + 1 bytes, which end with a NUL. */
PetscErrorCode EntryReadRows(const Catalogue *catalogue, const Entry *entry, PetscInt first, PetscInt count, void *rows);
size_t         EntryItemBytes(const Entry *entry); /* of one of these */
