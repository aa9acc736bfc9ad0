/*
  findings.h - what studies find: outputs that are declared in tables, laid out in the result, written, and read back by name.

  An OutputTable says once what a group of the result holds: keys, types, named dimensions, units, a line of help each. From it come the
  layout of the file with its attributes, the help (`dovetail help results`), the table in the notes of the output room, and the way back.
  A Finding is such a table at one place of the result, "/ring_down/hit/mode7", with the sizes of its dimensions, and with facts that are
  known beforehand and become attributes of the group.

  A study adds its Findings when it is read, sets sizes and facts until the layout, and writes rows in its run. A study that builds on
  others asks for theirs by the path of their table and reads by key: it knows no struct of theirs.
*/
#pragma once
#include "output.h"

typedef struct {
  const char *key; /* below the path of the finding: "amplitude", "cycles/area" */
  ResultType  type;
  const char *dims[RESULT_MAX_DIMS]; /* names of its dimensions, "samples"; a number, "6", is its own size. NULL behind the last */
  const char *unit;                  /* NULL for none */
  const char *help;                  /* one line */
} OutputField;

typedef struct {
  const char        *path; /* as users see it: "ring_down/RUN/MODE" */
  const char        *summary;
  const OutputField *fields; /* ends with a NULL key */
  const OutputField *facts;  /* attributes of the group; ends with a NULL key, NULL for none */
} OutputTable;

typedef struct Findings Findings; /* of one study, in the order of adding */
typedef struct Finding  Finding;  /* one table at one place */

/* All of it is local, but for what takes a Result that is laid out. */
PetscErrorCode FindingsCreate(Findings **findings);
PetscErrorCode FindingsDestroy(Findings **findings);

/* The table at a place, "/ring_down/hit/mode7"; it lives as long as the Findings. */
PetscErrorCode FindingsAdd(Findings *findings, const OutputTable *table, Finding **finding, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(4, 5);
/* The finding of this table that comes after another one, the first after NULL; NULL beyond the last. */
const Finding *FindingsNext(const Findings *findings, const char *table, const Finding *after);
/* The i-th in the order of adding; NULL beyond the last. What it is a table of. */
const Finding     *FindingsItem(const Findings *findings, PetscInt i);
const OutputTable *FindingTable(const Finding *finding);
/* The finding at a place, NULL when there is none. */
const Finding *FindingsFind(const Findings *findings, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

/* Until the layout. The size of a named dimension; a field that this finding does not have; one whose unit differs from the table's. */
PetscErrorCode FindingSetSize(Finding *finding, const char *dimension, PetscInt64 size);
PetscErrorCode FindingOmit(Finding *finding, PetscInt field);
PetscErrorCode FindingSetUnit(Finding *finding, PetscInt field, const char *unit);
/* Facts, by the keys of the table. A fact that is said again replaces the one before. */
PetscErrorCode FindingSayReal(Finding *finding, const char *fact, PetscReal value);
PetscErrorCode FindingSayCount(Finding *finding, const char *fact, PetscInt64 value);
PetscErrorCode FindingSayText(Finding *finding, const char *fact, const char *value);
/* Rows that are known beforehand, copied: all of a field. Texts may have any length. */
PetscErrorCode FindingGive(Finding *finding, PetscInt field, const void *rows);
PetscErrorCode FindingGiveTexts(Finding *finding, PetscInt field, PetscInt count, const char *const texts[]);

/* Lays out all that was added, with what was given. Collective, like ResultReserve. */
PetscErrorCode FindingsReserve(Findings *findings, Result *result);

/* Rows of a field, as ResultWriteRows and ResultReadRows. Hot enough for samples. */
PetscErrorCode FindingWrite(const Finding *finding, PetscInt field, PetscInt64 first, PetscInt64 count, const void *rows, const Result *result);
PetscErrorCode FindingRead(const Finding *finding, PetscInt field, PetscInt64 first, PetscInt64 count, void *rows, const Result *result);

/* For studies that build on it: a field by its key, -1 where the finding has none; the size of a dimension, -1 where it has none; all rows
   of a field of reals, or one column of them, which the caller frees with PetscFree. */
PetscInt    FindingField(const Finding *finding, const char *key);
const char *FindingUnit(const Finding *finding, PetscInt field); /* NULL for none */
/* The dimensions of a field here. A fault of ours where one has no size yet. */
PetscErrorCode FindingShape(const Finding *finding, PetscInt field, PetscInt *num_dims, PetscInt64 dims[RESULT_MAX_DIMS]);
/* Whether there is a fact of this name, a number. */
PetscBool      FindingHasNumber(const Finding *finding, const char *fact, PetscReal *value);
PetscInt64     FindingSize(const Finding *finding, const char *dimension);
PetscErrorCode FindingReadReals(const Finding *finding, const char *key, PetscInt64 count, const Result *result, PetscReal **values);
PetscErrorCode FindingReadColumn(const Finding *finding, const char *key, PetscInt64 count, PetscInt column, const Result *result,
                                 PetscReal **values);
PetscErrorCode FindingReadCounts(const Finding *finding, const char *key, PetscInt64 count, const Result *result, PetscInt64 **values);
PetscErrorCode FindingReadText(const Finding *finding, const char *key, const Result *result, char text[RESULT_TEXT_LENGTH]);
/* Facts; NAN, 0 and NULL for what has not been said. */
PetscReal   FindingReal(const Finding *finding, const char *fact);
PetscInt64  FindingCount(const Finding *finding, const char *fact);
const char *FindingText(const Finding *finding, const char *fact);
const char *FindingPath(const Finding *finding);
/* Rows that were given; NULL when none were. */
const void *FindingGiven(const Finding *finding, const char *key);

/* For the help: what a table lays out, in lines of 120 letters. */
PetscErrorCode OutputTablePrint(FILE *out, const OutputTable *table);
