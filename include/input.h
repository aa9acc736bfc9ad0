/*
  input.h - case files: YAML with a place for every value, read by tables.

  This room knows YAML, types, units and bounds; it never knows what a key means. Each noun of the
  other rooms describes its own keys in one InputTable, from which reading, validation, the help and
  the echo of the values used are made.

  Faults are collected, not thrown: a reader complains, puts the fallback in place and goes on, so that
  one run tells the user everything. InputVerdict ends it. All ranks hold the same bytes and reach the
  same verdict.

  To read a new struct: write its InputTable beside it and call InputRead.
*/
#pragma once
#include <stddef.h>
#include "base.h"

typedef struct InputDocument InputDocument; /* a case file, the files it includes, the complaints about them */
typedef struct InputNode     InputNode;     /* one value: a scalar, a list or a map; lives as long as the document */

typedef enum {
  INPUT_REAL,  /* PetscReal */
  INPUT_COUNT, /* PetscInt, a whole number */
  INPUT_TRUTH, /* PetscBool, written yes/no or true/false */
  INPUT_TEXT,  /* const char *, NULL when absent */
  INPUT_PATH,  /* const char *, made relative to the folder of the file that says it */
  INPUT_WORD,  /* PetscInt, index into `words` */
  INPUT_REALS, /* InputReals: a number or a list of numbers; bounds hold for each */
  INPUT_TEXTS, /* InputTexts: a text or a list of texts */
  INPUT_NODE   /* const InputNode *, NULL when absent: its meaning is read elsewhere */
} InputKind;

typedef struct {
  PetscInt         count;
  const PetscReal *values;
} InputReals;

typedef struct {
  PetscInt           count;
  const char *const *values;
} InputTexts;

/* Fallbacks that are none. A field without fallback and not required stays as the caller set it. */
#define INPUT_REQUIRED ((PetscReal)PETSC_INFINITY)
#define INPUT_OPTIONAL ((PetscReal)PETSC_NINFINITY)

typedef struct {
  const char        *key;
  InputKind          kind;
  size_t             offset;      /* of the member in the struct */
  PetscReal          fallback;    /* number, truth or index of a word; INPUT_REQUIRED; INPUT_OPTIONAL */
  PetscReal          least, most; /* bounds, inclusive; none when both are zero */
  PetscBool          above;       /* `least` itself is refused */
  const char        *unit;        /* "N/m"; NULL for none */
  const char *const *words;       /* of INPUT_WORD, ends with NULL */
  const char        *help;        /* one line */
} InputField;

typedef struct {
  const char       *name;    /* "transient" */
  const char       *summary; /* one line for the help */
  const InputField *fields;  /* ends with a NULL key */
} InputTable;

/* The file and all it includes (a top-level `include: FILE` or list of files: their maps are merged into the
   case's own, entry by entry, a name given twice is a complaint). A file that cannot be read or is not YAML
   is a complaint too; the root is then an empty map. */
PetscErrorCode InputOpen(MPI_Comm comm, const char *path, InputDocument **document);
PetscErrorCode InputClose(InputDocument **document);

/* The same from memory: `name` stands for the path, `text` is the same on all ranks and need not last. */
PetscErrorCode InputParse(MPI_Comm comm, const char *name, const char *text, size_t length, InputDocument **document);

/* Prints every complaint on rank 0's standard error, sorted by place, and fails with PETSC_ERR_USER_INPUT if
   there is one. */
PetscErrorCode InputVerdict(InputDocument *document);

PetscBool        InputReads(const InputDocument *document, const char *path); /* the case, one it includes, or one it names as a path; local */
const char      *InputSource(const InputDocument *document);                  /* text of the case, includes appended */
const char      *InputValues(const InputDocument *document);                  /* every value used so far: lines `path: value [unit]` */
const InputNode *InputRoot(const InputDocument *document);

/* Reading. All of it is local; each gives a usable value even after a complaint. */
PetscErrorCode   InputRead(const InputNode *map, const InputTable *table, void *target);
PetscBool        InputIsMap(const InputNode *node);
PetscBool        InputIsList(const InputNode *node);
PetscBool        InputIsScalar(const InputNode *node);
PetscInt         InputCount(const InputNode *node);                /* items of a list or map, else 0 */
const InputNode *InputItem(const InputNode *node, PetscInt i);     /* value i of a list or map */
const char      *InputKey(const InputNode *map, PetscInt i);       /* key i of a map */
const InputNode *InputFind(const InputNode *map, const char *key); /* NULL when absent */
Place            InputPlace(const InputNode *node);
const char      *InputPath(const InputNode *node); /* "joints.bolt1.x[0].slip_force" */

/* A scalar's text (NULL and a complaint for lists and maps), number or whole number; recorded among the values. */
PetscErrorCode InputGetText(const InputNode *node, const char **text);
PetscErrorCode InputGetReal(const InputNode *node, PetscReal *value);
PetscErrorCode InputGetCount(const InputNode *node, PetscInt *value);
/* A scalar as INPUT_PATH; NULL after a complaint. */
PetscErrorCode InputGetPath(const InputNode *node, const char **path);

/* A scalar or list read as a list of numbers or texts. */
PetscErrorCode InputGetReals(const InputNode *node, InputReals *reals);
PetscErrorCode InputGetTexts(const InputNode *node, InputTexts *texts);

/* Complaints. InputComplain gives `error: FILE:LINE:COL: PATH: MESSAGE`; InputComplainKey points at the key that the
   value `node` stands under, and says the path of the map around it. */
PetscErrorCode InputComplain(const InputNode *node, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode InputComplainKey(const InputNode *node, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode InputComplainAt(InputDocument *document, Place place, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(3, 4);
InputDocument *InputDocumentOf(const InputNode *node);
PetscInt       InputNumComplaints(const InputDocument *document);

/* The index in `names` (ends with NULL) of `text`, or -1 and the complaint "unknown WHAT 'text'; did you mean
   'nearest'? it has: a, b, c". The place is that of the key when `text` is the key of `node` (InputKey). */
PetscErrorCode InputChoose(const InputNode *node, const char *text, const char *what, const char *const names[], PetscInt *index);

/* A map that must hold exactly one of `names` (ends with NULL) as key: its index and value; -1 and a complaint
   for none, two or another. */
PetscErrorCode InputGetTagged(const InputNode *map, const char *what, const char *const names[], PetscInt *index, const InputNode **value);

/* Of several keys of a map, of which exactly one (or, when not required, at most one) may be given: the index of the
   one that is, -1 when none. Complains otherwise. */
PetscErrorCode InputExclusive(const InputNode *map, const char *const keys[], PetscBool required, PetscInt *index);

/* Complains of keys (ends with NULL) that say nothing in this map, and would be passed over. */
PetscErrorCode InputRefuseKeys(const InputNode *map, const char *const keys[], const char *why);

/* Complains of a name that could not stand in a result file: a letter, then letters, digits, _ and -, 64 at most. */
PetscErrorCode InputCheckName(const InputNode *node, const char *name);

/* The name nearest to `text` in edit distance, NULL when none is near. */
const char *InputNearest(const char *text, const char *const names[]);

/* The help: each field with kind, unit, bounds, fallback and its line of help. Of several tables (ends with NULL) the first is
   that of a map, and the names of the others say where in it they belong, which gives the shape of its INPUT_NODEs: "a" a map,
   "a[]" a list of maps, "a.NAME" maps by name, "a.b" and "a.c" kinds of which one is chosen, {b: {...}}; "a.KIND.d" is below each
   of them, and what all kinds have is told once. */
PetscErrorCode InputPrintTable(FILE *out, const InputTable *table);
PetscErrorCode InputPrintTables(FILE *out, const InputTable *const tables[]);

/* A file of numbers separated by commas, semicolons or blanks, `#` comments, an optional heading line; row-major
   values[rows * columns], owned by the document. Rank 0 reads; complaints name file, line and column. Collective. */
PetscErrorCode InputReadTable(const InputNode *node, const char *path, PetscInt *rows, PetscInt *columns, const PetscReal **values);

/* A matrix of a file, as a list of entries: those that are not listed are zero, those at the same place add up. */
typedef struct {
  PetscInt   rows, columns, count;
  PetscInt  *row, *column; /* from 0 */
  PetscReal *value;
} InputMatrix;

/* From a Matrix Market file (coordinate or array; real or integer; general or symmetric); from a dataset of numbers of an HDF5
   file, one dimension being a column; the texts of such a dataset. Rank 0 reads; no rows, or texts, after a complaint. Collective. */
PetscErrorCode InputReadMatrixMarket(const InputNode *node, const char *path, InputMatrix *matrix);
PetscErrorCode InputReadDataset(const InputNode *node, const char *file, const char *path, InputMatrix *matrix);
/* Whether a file, which need not be there, is one of HDF5. Collective. */
PetscErrorCode InputIsHDF5(const InputNode *node, const char *path, PetscBool *is);
PetscErrorCode InputReadDatasetTexts(const InputNode *node, const char *file, const char *path, InputTexts *texts);
PetscErrorCode InputMatrixDestroy(InputMatrix *matrix);
