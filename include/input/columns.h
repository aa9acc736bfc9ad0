/* columns.h - columns of numbers in a file: those of a table, or datasets of an HDF5 file. */
#pragma once
#include "input.h"

/* A column that is wanted. */
enum { COLUMN_NONE = 0, COLUMN_LAST = -1 };

typedef struct {
  const char *key, *text; /* the key of the case that names it, and what it says, a number from 1 or /a/b; NULL when it is not there: */
  PetscInt    otherwise;  /* the column of a table from 1, COLUMN_LAST, or COLUMN_NONE: it is not read */
} ColumnKey;

/* Numbers of a file, `count` of them in steps of `stride`. */
typedef struct {
  PetscInt         count, stride;
  PetscInt         number; /* of the column in a table, from 1 */
  const PetscReal *values;
  PetscReal       *owned; /* NULL when the document owns them */
} Column;

/* Reads the columns of the file that the key `file` of the map names, all of one length. All are empty after a complaint. Collective. */
PetscErrorCode ColumnsRead(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], Column columns[]);
PetscErrorCode ColumnsDestroy(PetscInt count, Column columns[]);

PetscReal ColumnAt(const Column *column, PetscInt i); /* Local. */
/* Complains of times that do not ascend; `ascend` is false then. */
PetscErrorCode ColumnCheckTimes(const InputNode *node, const Column *times, PetscBool *ascend);
