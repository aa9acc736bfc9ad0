/* columns.h - columns of numbers in a file: those of a table, datasets of an HDF5 file, variables of MATLAB, functions of a universal file. */
#pragma once
#include "input.h"

/* A column that is wanted. */
enum { COLUMN_NONE = 0, COLUMN_LAST = -1 };

/* Of a universal file: a time response, or the parts of a frequency response. */
typedef enum { COLUMN_OF_TIME, COLUMN_REAL_PART, COLUMN_IMAGINARY_PART } ColumnPart;

typedef struct {
  const char *key, *text; /* the key of the case that names it, and what it says: a number from 1, /a/b, or a name; NULL when it is not there: */
  PetscInt    otherwise;  /* the column of a table from 1, COLUMN_LAST, or COLUMN_NONE: it is not read */
  PetscBool   abscissa;   /* the times or frequencies, which a universal file has of each function */
  ColumnPart  part;       /* of the numbers of a universal file */
} ColumnKey;

/* Numbers of a file, `count` of them in steps of `stride`. */
typedef struct {
  PetscInt         count, stride;
  PetscInt         number; /* of the column in a table, from 1 */
  const PetscReal *values;
  PetscReal       *owned; /* NULL when the document owns them */
  PetscInt         rate;  /* of a universal file: 0, 1, 2 for displacement, velocity, acceleration; -1 where it is not said */
  const char      *unit;  /* likewise; NULL where it is not said */
  const char      *per;   /* unit of what it is divided by, in a frequency response; NULL likewise */
} Column;

/* Reads the columns of the file that the key `file` of the map names, all of one length. All are empty after a complaint. Collective. */
PetscErrorCode ColumnsRead(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], Column columns[]);
PetscErrorCode ColumnsDestroy(PetscInt count, Column columns[]);

PetscReal ColumnAt(const Column *column, PetscInt i); /* Local. */
/* Complains of times that do not ascend; `ascend` is false then. */
PetscErrorCode ColumnCheckTimes(const InputNode *node, const Column *times, PetscBool *ascend);
/* Whether its unit, where the file says one, is that of SI for a displacement, velocity or acceleration (0, 1, 2), over N. Local. */
PetscBool ColumnIsOfSI(const Column *column, PetscInt rate);
