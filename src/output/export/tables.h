/*
  tables.h - the tables that datasets of a result make, for programs that read columns.

  Datasets whose rows are the same samples, points or modes are columns of one table: those with a first dimension of one name and size
  below the group that has it first, as /transient/RUN/time and /transient/RUN/points/POINT/displacement. What they are drawn against
  (time, frequency, ...) and what their rows are called come first. Single values of a group are a table of one row.
*/
#pragma once
#include "catalogue.h"

typedef struct {
  char          anchor[PETSC_MAX_PATH_LEN]; /* the group; empty for the root */
  char          dimension[RESULT_TEXT_LENGTH];
  PetscInt      num_rows, num_members;
  const Entry **members;
} Table;

typedef struct {
  PetscInt count;
  Table   *tables;
} Tables;

/* Of the chosen datasets; complains where these are all empty. */
PetscErrorCode TablesFind(const Catalogue *catalogue, Tables *tables);
PetscErrorCode TablesDestroy(Tables *tables);
/* What the group of the table is called among all tables: "/transient/hit", or "/transient/hit (parts)" where the group has several. */
void TableName(const Tables *tables, const Table *table, size_t size, char name[]);
/* Rows up to the last that was computed. */
PetscErrorCode TableFilledRows(const Catalogue *catalogue, const Table *table, PetscInt *count);

/* Of column i of a member: "points/block/displacement x [m]". */
PetscErrorCode ColumnHeading(const Catalogue *catalogue, const Table *table, const Entry *member, PetscInt i, size_t size, char heading[]);
/* The word or text that says what is at place i of a named dimension of an entry: "x", "mode 7"; empty where nothing does. */
PetscErrorCode DimensionWord(const Catalogue *catalogue, const Entry *entry, int dimension, PetscInt i, size_t size, char word[]);
/* The unit of a column, which may turn (rad) where others move (m). */
PetscErrorCode ColumnUnit(const Catalogue *catalogue, const Entry *entry, PetscInt i, size_t size, char unit[]);
/* Texts that are called as a dimension is: `motions` of an entry of motions x modes. They stand in the group, further up, or in /system;
   NULL for none. */
const Entry *NamesOfDimension(const Catalogue *catalogue, const char *group, const char *dimension, PetscInt count);
/* What it is drawn against; NULL for none. */
const Entry *AbscissaOf(const Catalogue *catalogue, const Entry *entry);
