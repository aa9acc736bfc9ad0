/* input_private.h - what the files of the input room share: documents, nodes, growing texts, numbers. */
#pragma once
#include "base/json.h"
#include "input.h"

enum {
  INPUT_MAX_DEPTH         = 64,       /* levels of nesting */
  INPUT_MAX_NODES         = 1000000,  /* values of a case, every alias expanded */
  INPUT_MAX_ANCHORS       = 1000,     /* libyaml looks them up one by one */
  INPUT_MAX_KEY           = 200,      /* bytes of a key */
  INPUT_MAX_BYTES         = 16000000, /* of a case file */
  INPUT_MAX_TABLE_BYTES   = 1000000000,
  INPUT_MAX_SIZE          = 10000000, /* rows or columns of a matrix */
  INPUT_MAX_FILES         = 100,
  INPUT_MAX_INCLUDE_DEPTH = 8,
  INPUT_MAX_KEPT          = 10000, /* complaints stored; more are only counted */
  INPUT_MAX_PRINTED       = 20
};

/* A text that grows; `data` ends with a NUL once something was added. */
typedef struct {
  char  *data;
  size_t length, capacity;
} InputBuffer;

PetscErrorCode InputBufferAdd(InputBuffer *buffer, const char *bytes, size_t length);
PetscErrorCode InputBufferPrint(InputBuffer *buffer, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode InputBufferAddEscaped(InputBuffer *buffer, const char *text); /* on one line, with escapes */
PetscErrorCode InputBufferAddName(InputBuffer *buffer, const char *text);    /* in quotes unless it is a plain name */
PetscErrorCode InputBufferDestroy(InputBuffer *buffer);

typedef struct {
  Place       place;
  size_t      order;
  const char *text; /* "PATH: MESSAGE" */
} InputComplaint;

typedef struct InputChunk InputChunk;

/* A number that a trial replaced, as it was. */
typedef struct {
  InputNode  *node;
  const char *text;
  PetscBool   has_quantity;
  PetscReal   quantity;
} InputReplaced;

/* What a document was before the trial that is under way. */
typedef struct {
  PetscBool      under_way;
  InputChunk    *chunks;
  PetscInt       num_files, num_replaced, most_replaced;
  size_t         num_complaints, num_kept;
  InputReplaced *replaced;
} InputTrial;

struct InputDocument {
  MPI_Comm        comm;
  const char     *file;
  InputChunk     *chunks; /* all memory that lives as long as the document */
  InputBuffer     source, values;
  InputNode      *root;
  PetscBool       broken; /* a file could not be read or parsed: missing keys of the root are then not complained of */
  PetscInt        num_nodes, num_files, most_files;
  const char    **files; /* files the case is read from, and files it names */
  size_t          num_complaints, num_kept, capacity, num_shown;
  InputComplaint *complaints;
  size_t          num_recorded, num_slots;
  PetscInt64     *recorded; /* hashes of the paths among `values`: open addressing, 0 is free */
  InputTrial      trial;
};

typedef enum { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeKind;

struct InputNode {
  InputDocument   *document;
  const InputNode *parent;
  const char      *key; /* NULL in a list */
  Place            key_place, place;
  NodeKind         kind;
  PetscBool        plain;        /* a scalar without quotes */
  PetscBool        merged;       /* brought by a merge key `<<` */
  const char      *text;         /* of a scalar */
  PetscBool        has_quantity; /* arithmetic or a unit was read from it: */
  PetscReal        quantity;     /* in the unit of the key */
  PetscInt         index;        /* among its siblings */
  PetscInt         count, capacity;
  InputNode      **items;
};

/* memory.c: owned by the document; `pointer` is the address of a pointer. Zeroed. */
PetscErrorCode InputAllocate(InputDocument *document, size_t bytes, void *pointer);
PetscErrorCode InputCopyText(InputDocument *document, const char *text, size_t length, const char **copy);
PetscErrorCode InputFreeAll(InputDocument *document);
PetscErrorCode InputJoinPath(InputDocument *document, const char *beside, const char *path, const char **joined);

/* trial.c: keeps a number for the end of the trial, if there is one. */
PetscErrorCode InputTrialKeep(InputNode *number);

/* document.c: notes the path of a file that belongs to the case. */
PetscErrorCode InputNoteFile(InputDocument *document, const char *path);

/* bytes.c: the bytes that rank 0 read, on all ranks. `fault` is NULL, or what is wrong with the file; `text` ends with a NUL. */
typedef struct {
  char       *text;
  size_t      length;
  const char *fault;
  PetscInt64  device, inode; /* identify the file, whatever its path */
} InputBytes;
PetscErrorCode InputBytesRead(InputDocument *document, const char *path, size_t limit, const char *what, InputBytes *bytes);
PetscErrorCode InputBytesDestroy(InputBytes *bytes);
void           InputDropByteOrderMark(char *text, size_t *length);
PetscErrorCode InputRefuseNul(InputDocument *document, const char *file, const char *text, size_t length, PetscBool *fine);
Place          InputPlaceOfByte(const char *file, const char *text, size_t length, size_t offset);

/* yaml.c, tree.c, entries.c, include.c: from bytes to the root map, which is empty after a complaint. */
struct yaml_document_s;
PetscErrorCode InputNodeCreate(InputDocument *document, const InputNode *parent, NodeKind kind, Place place, InputNode **node);
PetscErrorCode InputAppend(InputNode *parent, InputNode *item);
PetscErrorCode InputParseYaml(InputDocument *document, const char *file, const char *text, size_t length, InputNode **root);
PetscErrorCode InputCompose(InputDocument *document, struct yaml_document_s *yaml, const char *file, InputNode *root, PetscBool *fine);
PetscErrorCode InputDropDuplicates(InputNode *map, PetscBool complain);
PetscErrorCode InputUniteMaps(InputNode *map);
PetscErrorCode InputOverride(InputNode *root, InputNode *values); /* override.c: a map from paths to values */
PetscErrorCode InputResolveIncludes(InputDocument *document, const InputBytes *bytes);

/* follow.c: where a path leads, which the text of `value` says, or its key; `parent` is NULL after a complaint. Where the key says it, the last
   key of the path may be new. */
typedef struct {
  InputNode  *parent;
  InputNode  *node; /* NULL: the last key is new */
  const char *key;
} InputTarget;
PetscErrorCode InputFollow(InputNode *root, const InputNode *value, PetscBool at_key, const char *path, InputTarget *target);

/* replace.c: a scalar that is a number, or has been read as one. */
PetscBool InputIsNumber(const InputNode *node);

/* number.c: NULL and the value; or, for a text that is not a number, an explanation such as " - units are SI and not written", or "". */
#define INPUT_UNIT_NOTE " - units are SI and not written"
const char *InputParseNumber(const char *text, PetscReal *value);
const char *InputParseLeading(const char *text, size_t *length, PetscReal *value); /* of the number that a text begins with, `length` bytes */
const char *InputParseWhole(const char *text, PetscInt *value, PetscBool *number); /* `number`: the text is a number, but not a whole one */

/* expression.c: the value of arithmetic, and what stands behind it; NULL or an explanation. */
const char *InputParseExpression(const char *text, const char **rest, PetscReal *value);

/* unit.c: a number in a written unit, in that of a key; `wanted` may name several, be NULL for none, or INPUT_ANY_UNIT for the SI unit of
   whatever it is. False and an explanation where that is not possible. */
PetscBool InputConvertUnit(const char *written, const char *wanted, PetscReal *value, char fault[], size_t size);

/* scalar.c: reads without recording; after a complaint `value` is unchanged and `fine` is false. */
PetscBool      InputIsNull(const InputNode *node);
PetscErrorCode InputScanReal(const InputNode *node, const char *unit, PetscReal *value, PetscBool *fine);
PetscErrorCode InputScanCount(const InputNode *node, PetscInt *value, PetscBool *fine);
PetscErrorCode InputScanTruth(const InputNode *node, PetscBool *value, PetscBool *fine);
PetscErrorCode InputScanText(const InputNode *node, const char **text, PetscBool *fine);
PetscErrorCode InputScanWord(const InputNode *node, const char *const words[], PetscInt *index, PetscBool *fine);

/* list.c: a scalar or list; `field` gives bounds for each number, or is NULL. */
PetscErrorCode InputScanReals(const InputNode *node, const char *unit, const InputField *field, InputReals *reals, PetscBool *fine);
PetscErrorCode InputScanTexts(const InputNode *node, InputTexts *texts, PetscBool *fine);
PetscErrorCode InputRecordReals(const InputNode *node, const char *unit, const InputReals *reals);
PetscErrorCode InputRecordTexts(const InputNode *node, const InputTexts *texts);

/* bounds.c */
PetscErrorCode InputCheckBounds(const InputNode *node, const InputField *field, PetscReal value, PetscBool *fine);
PetscReal      InputWithin(const InputField *field); /* some number within the bounds */
PetscErrorCode InputPrintBounds(InputBuffer *buffer, const InputField *field);

/* values.c: a line of InputValues for `node`, or for `key` of the map `node` when that is not NULL. */
PetscErrorCode InputRecord(const InputNode *node, const char *key, const char *value, const char *unit);
PetscErrorCode InputRecordText(const InputNode *node, const char *text);
/* Files of numbers are identified by a checksum (Fowler-Noll-Vo, 64 bits, never 0), continued from `start`. */
#define INPUT_HASH_START ((PetscInt64)0xCBF29CE484222325u)
PetscInt64     InputHash(PetscInt64 start, const void *bytes, size_t length);
PetscErrorCode InputRecordContent(const InputNode *node, PetscInt rows, PetscInt columns, PetscInt64 hash);

/* complaint.c. A quoted text is shortened. */
typedef struct {
  char text[72];
} InputQuoted;
InputQuoted    InputQuote(const char *text);
InputQuoted    InputDescribe(const InputNode *node); /* "a list", "'3 kN'" */
PetscErrorCode InputWriteComplaints(InputDocument *document, InputBuffer *buffer);
PetscErrorCode InputWritePath(const InputNode *node, InputBuffer *buffer);

/* names.c: ", " between the names, quoted or not; "; did you mean 'x'? it has: x, y". */
PetscErrorCode InputPrintNames(InputBuffer *buffer, const char *const names[]);
PetscErrorCode InputComplainUnknown(const InputNode *node, PetscBool at_key, const char *what, const char *text, const char *const names[]);

/* matrix.c: allocates room for `count` entries; adds one entry, unless it is zero. */
PetscErrorCode InputMatrixReserve(InputMatrix *matrix, PetscInt count);
void           InputMatrixAdd(InputMatrix *matrix, PetscInt row, PetscInt column, PetscReal value);
PetscErrorCode InputMatrixNumberLabels(InputMatrix *matrix);
PetscErrorCode InputMatrixMirror(InputMatrix *matrix);
PetscErrorCode InputMatrixRecord(const InputNode *node, const InputMatrix *matrix);

/* numbers.c */
PetscErrorCode InputParseTable(const InputNode *node, const char *file, const char *text, size_t length, PetscInt *rows, PetscInt *columns,
                               const PetscReal **values);
