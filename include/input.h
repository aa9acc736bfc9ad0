/*
  input.h - case files: YAML with a place for every value, read by tables.

  This room knows YAML, types, units and bounds; it does not know what a key means. Each noun of the
  other rooms describes its own keys in one InputTable, which serves for reading, for validation, for
  the help, and for the list of values used.

  Faults are collected: a reader complains, sets the default and goes on, so that one run reports all
  faults to the user. InputVerdict then ends the program. All ranks hold the same bytes and reach the
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
  INPUT_PATH,  /* const char *, relative to the folder of the file that contains it */
  INPUT_WORD,  /* PetscInt, index into `words` */
  INPUT_REALS, /* InputReals: a number or a list of numbers; bounds hold for each */
  INPUT_TEXTS, /* InputTexts: a text or a list of texts */
  INPUT_NODE   /* const InputNode *, NULL when absent; another reader reads it */
} InputKind;

typedef struct {
  PetscInt         count;
  const PetscReal *values;
} InputReals;

typedef struct {
  PetscInt           count;
  const char *const *values;
} InputTexts;

/* Instead of a fallback. A field that is neither required nor has a fallback keeps the value that the caller set. */
#define INPUT_REQUIRED ((PetscReal)PETSC_INFINITY)
#define INPUT_OPTIONAL ((PetscReal)PETSC_NINFINITY)

typedef struct {
  const char        *key;
  InputKind          kind;
  size_t             offset;      /* of the member in the struct */
  PetscReal          fallback;    /* the default: number, truth or index of a word; or INPUT_REQUIRED, INPUT_OPTIONAL */
  PetscReal          least, most; /* bounds, inclusive; none where both are zero */
  PetscBool          above;       /* the value must be greater than `least` */
  const char        *unit;        /* "N/m"; NULL for none */
  const char *const *words;       /* of INPUT_WORD, ends with NULL */
  const char        *help;        /* one line */
} InputField;

typedef struct {
  const char       *name;    /* "transient" */
  const char       *summary; /* one line for the help */
  const InputField *fields;  /* ends with a NULL key */
} InputTable;

/* Opens a file and all files that it includes by a top-level `include: FILE` or list of files. Their maps are merged into those of the
   case, entry by entry; a name given twice is a complaint. `override: {PATH: VALUE}` then gives values anew. A file that cannot be read or is not YAML is a complaint, too, and the
   root is then an empty map. */
PetscErrorCode InputOpen(MPI_Comm comm, const char *path, InputDocument **document);
PetscErrorCode InputClose(InputDocument **document);

/* The same from a text in memory, for tests and fuzzers: `name` stands for the path; `text` is the same on all ranks and is copied. */
PetscErrorCode InputParse(MPI_Comm comm, const char *name, const char *text, size_t length, InputDocument **document);

/* Prints all complaints on the standard error of rank 0, sorted by place, and fails with PETSC_ERR_USER_INPUT if there are any. */
PetscErrorCode InputVerdict(InputDocument *document);

PetscBool InputReads(const InputDocument *document, const char *path); /* whether it is the case, a file included, or a file named by a path; local */
const char      *InputFile(const InputDocument *document);             /* its path, as it was opened */
const char      *InputSource(const InputDocument *document);           /* text of the case, includes appended */
const char      *InputValues(const InputDocument *document);           /* all values used so far, in lines `path: value [unit]` */
const InputNode *InputRoot(const InputDocument *document);

/* Reading. All of it is local, and gives a usable value even after a complaint. */
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

/* A number may be arithmetic, `2*pi*50`, and have a unit behind it, `9 kN/mm`, which is converted to that of its key: an SI unit, several
   ("N or N m"), NULL for none. INPUT_ANY_UNIT is for who does not know the key: the value is that which its reader found. */
#define INPUT_ANY_UNIT "any"
/* Complains where a number that has been read as one of several units is not written in this one. */
PetscErrorCode InputCheckUnit(const InputNode *node, const char *unit);

/* A scalar's text (NULL and a complaint for lists and maps), number or whole number; recorded among the values. */
PetscErrorCode InputGetText(const InputNode *node, const char **text);
PetscErrorCode InputGetReal(const InputNode *node, const char *unit, PetscReal *value);
PetscErrorCode InputGetCount(const InputNode *node, PetscInt *value);
/* A scalar read as INPUT_PATH; NULL after a complaint. */
PetscErrorCode InputGetPath(const InputNode *node, const char **path);

/* A scalar or list read as a list of numbers or texts. */
PetscErrorCode InputGetReals(const InputNode *node, const char *unit, InputReals *reals);
PetscErrorCode InputGetTexts(const InputNode *node, InputTexts *texts);

/* Numbers that change after the case has been read, for studies that search for them. All numbers of a case, one after another: `paths` ends with
   NULL; the caller frees both lists, not what is in them. */
PetscErrorCode InputListNumbers(const InputNode *root, PetscInt *count, const InputNode ***numbers, const char ***paths);
/* The number of the case at a path, as messages write it, or with studies called by their names; NULL after a complaint at `node`, which says it. */
PetscErrorCode InputFindNumber(const InputNode *node, const char *path, const InputNode **number);
/* The value that a number of the case had when it was read, in the unit of its key, which is "" for none and NULL where it was not read yet. The
   caller frees the unit. */
PetscErrorCode InputFindUsed(const InputNode *number, PetscReal *value, char **unit);
/* From now on this number reads so. The list of values used keeps what it was. */
PetscErrorCode InputReplaceNumber(const InputNode *number, PetscReal value);
/* A case that is read with other numbers for a while: until the end of the trial nothing is added to the list of values used, complaints are
   collected and not printed (InputVerdict is silent and succeeds), and what the document allocates is thrown away at its end, with the
   complaints and the numbers that were replaced. What was read meanwhile must no longer be used then. Trials do not nest. Local. */
PetscErrorCode InputTrialBegin(InputDocument *document);
PetscErrorCode InputTrialEnd(InputDocument *document);
PetscBool      InputIsTrial(const InputDocument *document);
/* What the first complaint of the trial says, with its path; empty without any. */
PetscErrorCode InputTrialComplaint(const InputDocument *document, char text[], size_t size);

/* Takes back the complaints that were made since there were `count`; `first`, unless NULL, is what the first of them said. */
PetscErrorCode InputRetract(InputDocument *document, PetscInt count, char first[], size_t size);

/* Complaints. InputComplain prints `error: FILE:LINE:COL: PATH: MESSAGE`. InputComplainKey gives the place of the key whose value is
   `node`, and the path of the map around it. */
PetscErrorCode InputComplain(const InputNode *node, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode InputComplainKey(const InputNode *node, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode InputComplainAt(InputDocument *document, Place place, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(3, 4);
InputDocument *InputDocumentOf(const InputNode *node);
PetscInt       InputNumComplaints(const InputDocument *document);

/* The index in `names` (ends with NULL) of `text`, or -1 and the complaint "unknown WHAT 'text'; did you mean
   'nearest'? it has: a, b, c". The place is that of the key when `text` is the key of `node` (InputKey). */
PetscErrorCode InputChoose(const InputNode *node, const char *text, const char *what, const char *const names[], PetscInt *index);

/* A map that must have exactly one key, which is one of `names` (ends with NULL): its index and value; -1 and a complaint where there is
   none, a second one, or another one. */
PetscErrorCode InputGetTagged(const InputNode *map, const char *what, const char *const names[], PetscInt *index, const InputNode **value);

/* Of several keys of a map exactly one (where not required, at most one) may be given: the index of that one, or -1. Complains
   otherwise. */
PetscErrorCode InputExclusive(const InputNode *map, const char *const keys[], PetscBool required, PetscInt *index);

/* Complains of keys (ends with NULL) that have no effect in this map and would be ignored. */
PetscErrorCode InputRefuseKeys(const InputNode *map, const char *const keys[], const char *why);

/* Complains of a name that cannot be used in a result file. A name is a letter followed by letters, digits, _, - and single dots between these, at
   most 64 in all. */
PetscErrorCode InputCheckName(const InputNode *node, const char *name);

/* The name nearest to `text` in edit distance, or one that means the same in the field or in other programs; NULL where none is near. */
const char *InputNearest(const char *text, const char *const names[]);

/* Prints the help: each field with its kind, unit, bounds, default and line of help. Of several tables (ends with NULL) the first
   describes a map, and the names of the others are the paths of values in it, which give the shape of its INPUT_NODEs: "a" is a map,
   "a[]" a list of maps, "a.NAME" maps by name; "a.b" and "a.c" are kinds of which one is chosen, {b: {...}}; "a.KIND.d" belongs to
   each of these. Keys that all kinds share are printed once. */
PetscErrorCode InputPrintTable(FILE *out, const InputTable *table);
PetscErrorCode InputPrintTables(FILE *out, const InputTable *const tables[]);

/* Reads a file of numbers separated by commas, semicolons or blanks, with `#` comments and an optional heading line. The values
   [rows, columns] belong to the document. Rank 0 reads; complaints give file, line and column. Collective. */
PetscErrorCode InputReadTable(const InputNode *node, const char *path, PetscInt *rows, PetscInt *columns, const PetscReal **values);

/* Memory that belongs to the document of a node, for what is made of its values. Local. */
PetscErrorCode InputKeep(const InputNode *node, size_t bytes, void *pointer);

/* A matrix of a file, as a list of entries. Entries that are not listed are zero, entries at the same place are added. */
typedef struct {
  PetscInt   rows, columns, count;
  PetscInt  *row, *column; /* from 0 */
  PetscReal *value;
  PetscInt  *label; /* of rows and columns that a file calls by node and direction, ascending; NULL otherwise */
} InputMatrix;

/* A node, and its direction from 1 to 6, in one number. Local. */
PetscInt InputLabel(PetscInt node, PetscInt direction);
PetscInt InputLabelNode(PetscInt label);
PetscInt InputLabelDirection(PetscInt label);

/* What a file is, by its first bytes; text, too, when it cannot be read. Collective. */
typedef enum {
  INPUT_FILE_TEXT,
  INPUT_FILE_HDF5,      /* MATLAB's v7.3, too */
  INPUT_FILE_MATLAB,    /* v4 to v7 */
  INPUT_FILE_UNIVERSAL, /* of measured functions */
  INPUT_FILE_PUNCH      /* of Nastran: matrices, DMIG */
} InputFileKind;
PetscErrorCode InputIdentify(const InputNode *node, const char *path, InputFileKind *kind);

/* Read a matrix from a file: of Matrix Market (coordinate or array; real or integer; general or symmetric), of Abaqus (by row and column, or by
   nodes; of a symmetric matrix all or half) or of Nastran (DMIG). From a dataset of an HDF5 file (one of one dimension is a column) or a variable
   of MATLAB (`K`, or `s.K` of a struct): a matrix, or texts. Rank 0 reads; after a complaint there are no rows, or no texts. Collective. */
PetscErrorCode InputReadMatrixFile(const InputNode *node, const char *path, InputMatrix *matrix);
PetscErrorCode InputReadDataset(const InputNode *node, const char *file, const char *path, InputMatrix *matrix);
/* Whether a file that should be a case, or a mesh, is plainly something else, by its first bytes or its name: "is an HDF5 file, not a case: ...",
   with what to do. Local. */
PetscBool      InputRecognise(const char *path, const char *bytes, size_t length, PetscBool mesh_wanted, char text[], size_t size);
PetscErrorCode InputReadDatasetTexts(const InputNode *node, const char *file, const char *path, InputTexts *texts);
PetscErrorCode InputMatrixDestroy(InputMatrix *matrix);
