/* formats.h - the forms of what is exported. They write what is chosen. */
#pragma once
#include "output/export.h"
#include "tables.h"

/* separated.c: tables, one behind the other, with a line before each when there are several. */
PetscErrorCode WriteTables(const Catalogue *catalogue, char separator, FILE *out);
/* A file for each table, in this folder. */
PetscErrorCode WriteTableFiles(const Catalogue *catalogue, char separator, const char *folder);
PetscErrorCode CountTables(const Catalogue *catalogue, PetscInt *count);

/* contents.c: members of the object that is open. Of more than `most` numbers only what they span, if `most` is not negative. */
PetscErrorCode WriteContents(const Catalogue *catalogue, PetscInt most, Json *json);

/* universal.c: nodes, units, modes (dataset 55), histories and frequency responses (58 or 58b). */
PetscErrorCode WriteUniversal(const Catalogue *catalogue, PetscBool binary, FILE *out);
