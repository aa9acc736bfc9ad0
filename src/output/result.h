/* result.h - what the files of the output room share: the Result, HDF5 calls that fail like PETSc's, datasets, attributes, earlier results. */
#pragma once
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* fsync, pwrite and their like beside ISO C */
#endif
#include "output.h"
#include <hdf5.h>
#include <sys/types.h>
#include <time.h>

/* What is guarded by sums, see sums.c: a dataset, of each slot. */
typedef struct {
  char      *path;
  ResultType type;
  PetscInt64 num_bytes, first_block;
  PetscInt64 next;                     /* up to this byte this rank knows its rows written, one after another */
  PetscInt64 changed_from, changed_to; /* blocks whose sums differ from those on disk; none when changed_to is 0 */
  PetscBool  guarded;
  PetscBool  given;     /* its values are known in the layout */
  PetscBool  scattered; /* rows do not follow one another */
  PetscBool  damaged;   /* rank 0, when resumed */
} Extent;

/* A row of /case/sums: of the first `end` bytes of a block; none are checked when that is not positive. */
typedef struct {
  PetscInt64 sum, end;
} Sum;

/* By what the file is known, and what has happened to it; see hold.c. */
typedef struct {
  dev_t       device;
  ino_t       inode;
  off_t       size;
  char        head[64];
  time_t      looked;
  const char *lost;    /* why it is no longer at its path; NULL while it is */
  PetscBool   spoiled; /* others wrote into it */
} Hold;

struct Result {
  char       *path;
  char       *values; /* rank 0 */
  PetscMPIInt rank;
  PetscBool   resumed;
  PetscBool   refused; /* rank 0: the layout could not be written, and the user has been told */
  PetscBool   filling; /* the layout has ended */
  PetscBool   in_memory;
  PetscBool   stored; /* opened without its case: what it holds has its slots already */
  PetscBool   read_only;
  char      **rows;  /* in memory: of each slot */
  hid_t       file;  /* rank 0, until the layout ends; else H5I_INVALID_HID */
  int         lock;  /* rank 0; else -1 */
  int         data;  /* descriptor of the file; -1 until there is one */
  PetscInt64  space; /* rank 0: bytes of the disk taken for the file, whether used or not */
  PetscInt    num_slots, capacity;
  PetscInt64 *offsets;                /* of each reserved array, right on rank 0 until the layout ends */
  Extent     *extents;                /* of each slot */
  PetscInt64  num_blocks, num_stored; /* blocks of all extents; rank 0, resumed: those in the file */
  Sum        *sums;
  PetscBool  *settled;  /* of each block: whether its sum on disk is checked */
  ResultArray complete; /* /case/complete */
  ResultArray guards;   /* /case/sums */
  Hold       *hold;
};

#define SUMS "/case/sums"

/* Calls HDF5 and keeps its answer; a negative one fails with HDF5's innermost words. Quieten HDF5 first. */
#define CallHDF5(answer, function, ...) \
  do { \
    (answer) = function(__VA_ARGS__); \
    if (PetscUnlikely((answer) < 0)) PetscCall(FailureOfHDF5(#function)); \
  } while (0)

/* All of this room's private functions are local; those that write are called on rank 0 only. */

/* result.c */
PetscErrorCode ResultCheckPlace(const char *path); /* refuses what is no file */
PetscErrorCode ResultCreate(const char *path, Result **result);

/* layout.c: a new slot on every rank; of a result that was stored the one that there is. */
PetscErrorCode SlotAdd(Result *result, const char *path, ResultType type, PetscInt64 num_bytes, PetscBool given, int *slot);

/* hdf5_file.c */
PetscErrorCode QuietenHDF5(void);
PetscErrorCode FailureOfHDF5(const char *function);
PetscErrorCode FileCreate(const char *path, hid_t *file);
PetscErrorCode FileCreateInMemory(hid_t *file);
PetscErrorCode GroupsMake(hid_t file, const char *path); /* the groups that a path leads through; with a '/' at its end all of it */
PetscBool      FileIsWhole(hid_t file);                  /* whether the headers of all that it holds can be read */
hid_t          FileOpen(const char *path);               /* for reading; negative when it is not HDF5 or damaged */
PetscErrorCode FileOpenToChange(const char *path, hid_t *file);

/* apart.c */
/* What `work` prints of a file, on `out`. */
typedef struct {
  FILE *out;
  PetscErrorCode (*work)(FILE *out, const char *path, void *context);
  const char *path;
  void       *context;
  int         most_silence; /* [s] without anything printed, 0 for no limit */
} Reading;
enum { READ_MOST_SILENCE = 20 }; /* [s]: reading takes fractions of a second for each line */
/* Does it in another process: a crash or a standstill of HDF5 becomes a complaint (PETSC_ERR_USER_INPUT). */
PetscErrorCode ReadApart(const Reading *reading);

/* readable.c: results that are only read. */
typedef struct Earlier Earlier;
PetscErrorCode         ReadableOpen(const char *path, hid_t *file, Earlier *result); /* complains of what is no result of ours */
PetscErrorCode         ReadableClose(hid_t *file, Earlier *result);
/* In words: complete, or why not. */
PetscErrorCode ReadableState(const char *path, PetscBool complete, const char **state);

/* path.c */
/* Tells the user `error: PATH: MESSAGE` and gives PETSC_ERR_USER_INPUT. */
PetscErrorCode Refuse(const char *path, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
PetscErrorCode RefuseWriting(const char *path, int error); /* an errno */
PetscErrorCode PathAppend(const char *path, const char *suffix, char joined[PETSC_MAX_PATH_LEN]);
int            PathSync(const char *path);       /* a file's bytes are on disk; 0 or an errno, as the two below */
int            PathSyncFolder(const char *path); /* and its name */
int            PathReplace(const char *from, const char *to);

/* scrap.c: what ResultAbandon removes. */
void ScrapAdd(const char *path);
void ScrapForget(const char *path);
void ScrapRemove(const char *path); /* now */

/* space.c */
PetscErrorCode SpaceProbe(const char *path, const char *temporary, int *descriptor); /* a new file, with some space on the disk */
PetscErrorCode SpaceTake(Result *result, PetscInt64 num_bytes);                      /* before HDF5 adds so much; tells the user and sets `refused` */
PetscErrorCode SpaceTakeAll(const char *path, int descriptor, PetscInt64 num_bytes); /* of a file whose size is known at once */
PetscErrorCode SpaceTrim(const char *path, int descriptor, PetscInt64 size);         /* gives the rest back */

/* memory.c: rows of results that have no file; SlotCreate gives those of a new slot, `values` NULL for "not yet". */
PetscErrorCode MemorySlotCreate(Result *result, int slot, const void *values);
PetscErrorCode MemoryDestroy(Result *result);
void           FillUnknown(ResultType type, size_t num_bytes, void *rows);

/* data.c: bytes at a place of the file. */
PetscErrorCode DataWrite(const Result *result, PetscInt64 offset, size_t num_bytes, const char *bytes);
PetscErrorCode DataRead(const Result *result, PetscInt64 offset, size_t num_bytes, char *bytes);

/* hold.c: looks whether the file still is ours, and asks for an end of the run when it is not. */
PetscErrorCode HoldTake(Result *result);
void           HoldLook(const Result *result);
void           HoldLookNowAndThen(const Result *result);

/* sums.c */
PetscInt64     SumsCount(PetscInt64 num_bytes); /* blocks of so many bytes */
PetscErrorCode SumsBegin(Result *result);       /* collective: the layout has ended, the offsets are known */
PetscErrorCode SumsBeforeRows(const Result *result, int slot, PetscInt64 first, PetscInt64 num_bytes, const char *bytes); /* are written */
PetscErrorCode SumsSync(const Result *result);                                                                            /* rows are on disk */
PetscErrorCode SumsFinish(const Result *result, PetscBool given_only);      /* rank 0: of all that the file holds */
PetscErrorCode SumsCheck(const Result *result, int slot, PetscBool *sound); /* rank 0 */
void           SumsForget(const Result *result, int slot);

/* mend.c: rank 0, of a result that is resumed; sums and offset of the slot are known. */
PetscErrorCode MendGiven(Result *result, int slot, const void *values); /* writes them anew where they are damaged */
PetscErrorCode MendReserved(Result *result, int slot);                  /* notes damage */
PetscErrorCode MendAll(Result *result);                                 /* what belongs together with damaged rows is to be computed anew */

/* lock.c */
PetscErrorCode LockTake(const char *path, int *lock);
PetscErrorCode LockDrop(const char *path, int *lock);

enum { MOST_TEXT = 1 << 24 }; /* bytes of text worth reading */

/* dataset.c */
/* Texts are padded with zeros, as numpy's `S` and MATLAB's char arrays; the length is that of texts. The caller closes it. */
PetscErrorCode TypeCreate(ResultType type, size_t text_length, hid_t *stored);
PetscErrorCode DatasetWrite(hid_t file, const char *path, ResultType type, size_t text_length, PetscInt num_dims, const PetscInt64 dims[],
                            const void *values); /* texts of RESULT_TEXT_LENGTH for the length 0 */
PetscErrorCode DatasetAllocate(hid_t file, const char *path, hid_t stored, PetscInt num_dims, const PetscInt64 dims[]); /* to be filled */
PetscErrorCode DatasetReserve(hid_t file, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], PetscInt64 *offset);
PetscErrorCode DatasetCheck(hid_t file, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], PetscInt64 *offset);
size_t         SizeOfType(ResultType type);
PetscBool      IsNumber(hid_t stored);
/* What can be read of any file: NULL when absent, unreadable, of another kind, or of more than `most` numbers. The caller frees. */
PetscErrorCode DatasetGetNumbers(hid_t file, const char *path, PetscInt most, PetscInt *count, PetscReal **numbers);
PetscErrorCode DatasetGetPairs(hid_t file, const char *path, PetscInt64 *num_pairs, PetscInt64 **pairs); /* whole numbers */
PetscErrorCode DatasetGetCount(hid_t file, const char *path, PetscInt64 *count, PetscBool *found);
PetscErrorCode DatasetGetText(hid_t file, const char *path, size_t length, char text[]); /* the first text; empty for none */

/* A dataset as it lies in a file. */
typedef struct {
  PetscBool  exists; /* and is of our types */
  ResultType type;
  PetscInt   num_dims;
  PetscInt64 dims[RESULT_MAX_DIMS], num_bytes, offset;
} StoredDataset;
PetscErrorCode DatasetExamine(hid_t file, const char *path, StoredDataset *found);

/* attribute.c */
PetscErrorCode AttributeWriteReal(hid_t file, const char *path, const char *name, PetscReal value);
PetscErrorCode AttributeWriteCount(hid_t file, const char *path, const char *name, PetscInt64 value);
PetscErrorCode AttributeWriteText(hid_t file, const char *path, const char *name, const char *value);
PetscErrorCode AttributeCheck(hid_t file, const char *path, const char *name);
PetscErrorCode AttributeGetText(hid_t attribute, char **text); /* NULL when it is none; closes the attribute; the caller frees */
PetscErrorCode AttributeGetTextByName(hid_t file, const char *path, const char *name, char **text);

/* restart.c */
PetscErrorCode RestartMove(const char *from_result, const char *to_result);
PetscErrorCode RestartRemoveAll(const char *result_path);
PetscErrorCode RestartForget(const char *result_path, const char *name); /* if there can be one of that name */

/* What already is at a path. */
struct Earlier {
  PetscBool exists;
  PetscBool ours; /* a result of dovetail; only then the rest */
  PetscBool complete;
  char     *values, *version, *commit;
};

/* earlier.c */
PetscErrorCode EarlierRead(const char *path, Earlier *earlier);
PetscErrorCode EarlierFree(Earlier *earlier);
/* Why it is not what would be made now; empty when it is. */
PetscErrorCode EarlierDifference(const Earlier *earlier, const char *values, size_t length, char difference[]);
/* In words, the first line that differs; nothing where none does. */
void EarlierCompareValues(const char *was, const char *is, size_t length, char difference[]);
/* Refuses a path where something else than a result of ours is. */
PetscErrorCode EarlierCheck(const char *path);
PetscErrorCode EarlierFindFreeName(const char *path, char name[PETSC_MAX_PATH_LEN]); /* PATH.1, PATH.2, ... */
/* Frees the path for a new result: an earlier one is kept under another name unless it may be replaced; anything else is refused. */
PetscErrorCode EarlierMakeRoom(const char *path, const char *values);

/* What numbers of which some may be "not yet" (NaN) span; only to be read where `num_known` > 0. */
typedef struct {
  PetscInt  num_known;
  PetscReal least, most, last, magnitude; /* of the known ones: extremes, the last, the largest absolute value */
} Span;

/* tree.c */
Span           SpanOf(PetscInt count, const PetscReal numbers[]);
PetscErrorCode TreePrint(FILE *out, hid_t file, PetscInt *num_damaged);
/* The name of member i of a group in alphabetical order; empty past the last, or when it cannot be read. */
PetscErrorCode GroupGetMember(hid_t file, const char *path, PetscInt i, char name[RESULT_TEXT_LENGTH]);
