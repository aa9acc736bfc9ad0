/*
  output.h - result files: one HDF5 file a run, readable at any moment by h5py and MATLAB without us.

  A result is laid out first and filled afterwards. Everything whose size is known in advance (histories)
  is reserved as a contiguous dataset, full of "not yet" (NaN, or 0 for whole numbers and texts). Then
  HDF5 closes the file and never touches it again while the work goes on: samples are written with plain
  positioned writes at the offsets HDF5 reported, by any rank. No metadata changes, so a kill at any moment
  leaves a readable file, and the file does not depend on the number of ranks.

  Restart files are separate, small, and replaced as a whole (write, flush to disk, rename).

  Fields on a mesh go to a file of their own, which ParaView opens.
*/
#pragma once
#include "base.h"
#include "mesh.h"

typedef struct Result Result;

typedef enum { RESULT_REAL, RESULT_COUNT, RESULT_TEXT } ResultType; /* double, int64, text of RESULT_TEXT_LENGTH bytes */

enum { RESULT_TEXT_LENGTH = 128, RESULT_MAX_DIMS = 3 };

/* A reserved dataset: rows of `row_bytes`, one after another. Rows are written in any order by any rank. */
typedef struct {
  PetscInt64 num_rows;
  size_t     row_bytes;
  int        slot;
} ResultArray;

typedef enum { RESULT_NEW, RESULT_RESUME } ResultMode;

/* Collective on PETSC_COMM_WORLD, all functions but those said to be local. `values` identifies what was asked (InputValues).
   RESULT_NEW: the new file is made beside `path` under a temporary name and takes its place in ResultBeginData; an earlier file
   that is not the complete result of the same values, version and commit is kept as PATH.1, PATH.2, ... and the log says so.
   A file that is not a result of dovetail is refused.
   RESULT_RESUME: the file must exist and hold the same values, version and commit; if it does not, `resumed` is false after a
   warning that says why (first differing line), and a new one is made.
   PETSC_ERR_USER_INPUT on all ranks, the message printed and `result` NULL, when the place cannot be written or another run writes it. */
PetscErrorCode ResultOpen(const char *path, ResultMode mode, const char *source, const char *values, Result **result, PetscBool *resumed);

/* A result in the memory of this process alone, for a case that is run many times: no file, no attributes, no name, nothing to resume. Files that
   belong to a result (restart files, fields for ParaView) are not written. Local. */
PetscErrorCode ResultOpenInMemory(Result **result);

/* Layout. Paths are absolute ("/modes/stuck/omega"); missing groups are made; no dimensions mean a single value. On a resumed result
   these check that the dataset exists with the same shape and change nothing. Data of rank 0 counts. */
PetscErrorCode ResultWriteReals(Result *result, const char *path, PetscInt num_dims, const PetscInt64 dims[], const PetscReal values[]);
PetscErrorCode ResultWriteCounts(Result *result, const char *path, PetscInt num_dims, const PetscInt64 dims[], const PetscInt64 values[]);
PetscErrorCode ResultWriteTexts(Result *result, const char *path, PetscInt count, const char *const texts[]);
PetscErrorCode ResultAttributeReal(Result *result, const char *path, const char *name, PetscReal value);
PetscErrorCode ResultAttributeCount(Result *result, const char *path, const char *name, PetscInt64 value);
PetscErrorCode ResultAttributeText(Result *result, const char *path, const char *name, const char *value);
PetscErrorCode ResultReserve(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], ResultArray *array);
/* The same with values that are known already. */
PetscErrorCode ResultGive(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], const void *values,
                          ResultArray *array);

/* Ends the layout: the file is on disk under its name, and reserved arrays can be filled. From here on there is something to lose, and
   signals are deferred (InterruptDefer).
   PETSC_ERR_USER_INPUT on all ranks when the disk was too small; the message has been printed, and ResultClose is still to be called. */
PetscErrorCode ResultBeginData(Result *result);

/* Filling. Local: any rank writes any rows. ResultWriteRows of RESULT_COUNT takes PetscInt64, of RESULT_TEXT char[RESULT_TEXT_LENGTH]. */
PetscErrorCode ResultWriteRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, const void *rows);
PetscErrorCode ResultReadRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, void *rows);
PetscErrorCode ResultSync(const Result *result); /* local: what this rank wrote is on disk */

/* Whether the file still is where it was made: `moved` when it was deleted, replaced, moved or overwritten meanwhile, which the user is told.
   What can be saved of it is then under another name, ResultPath; that is empty when nothing can. This is looked at whenever rows are
   written, too, and then asks for an end of the run (InterruptAsked). */
PetscErrorCode ResultRescue(Result *result, PetscBool *moved);

/* Marks the result complete when `complete`, and closes it. */
PetscErrorCode ResultClose(Result **result, PetscBool complete);

/* For a program that ends because of a complaint or a signal, with results open: removes the lock and the unfinished layout of each.
   What has taken its place stays. Safe in a signal handler. Local. */
void ResultAbandon(void);

/* The path it was opened with; empty of one in memory. Local. */
const char *ResultPath(const Result *result);
/* A file that belongs to a result: of RESULT.h5 it is RESULTsuffix; of any other name the suffix comes behind it; empty without a result's path.
   Local. */
PetscErrorCode ResultPathBeside(const char *result_path, const char *suffix, char beside[PETSC_MAX_PATH_LEN]);

/* Restart files: numbers under a name, replaced as a whole; the folder is PATH.restart beside the result. Local. */
PetscErrorCode RestartWrite(const char *result_path, const char *name, PetscInt count, const PetscReal numbers[]);
/* count = 0 when there is none, or it is damaged (with a warning). The caller frees numbers with PetscFree. */
PetscErrorCode RestartRead(const char *result_path, const char *name, PetscInt *count, PetscReal **numbers);
PetscErrorCode RestartRemove(const char *result_path, const char *name); /* and the folder when it is empty */

/* Fields on the nodes of a mesh, as a mode shape is. */
typedef struct {
  const char      *name; /* no '/'; "stuck_001_123.4Hz" is mode 1 of the joints stuck, see scripts/plot-modes */
  PetscInt         num_components;
  const PetscReal *values;   /* of the nodes this rank owns, [count, num_components] */
  PetscBool        of_cells; /* of all elements that this rank has instead, block after block */
} Field;

/* Writes the mesh and the fields as a static VTKHDF file, which ParaView 5.10 and later open if `path` ends with .hdf. What is drawn
   are the elements of the mesh's highest dimension, and lines. The file takes its place as a whole; an earlier one is replaced.
   Collective on the communicator of the mesh; the bytes do not depend on the number of ranks. PETSC_ERR_USER_INPUT on all ranks, the
   message printed, when the place cannot be written or something else than such a file is there. */
PetscErrorCode FieldsWrite(const char *path, const Mesh *mesh, PetscInt num_fields, const Field fields[]);

/* A motion on the nodes of a mesh, or of one of its groups: fields at each of some times, made when they are asked for. */
typedef struct {
  const char        *name;
  PetscInt           num_times;
  const PetscReal   *times; /* ascending */
  PetscInt           num_fields;
  const char *const *fields; /* names without '/' */
  /* A field of all nodes that this rank owns, at a time: [count, 3], or as wide as it is. At each time the fields in their order. Collective. */
  PetscErrorCode (*find)(void *source, PetscInt time, PetscInt field, PetscReal values[]);
  void            *source;
  const PetscInt  *widths;   /* of each field: 3, 1, or 6 of a symmetric tensor, XX YY ZZ XY YZ XZ; NULL: all are vectors */
  const PetscBool *of_cells; /* fields of all elements that this rank has, block after block, and not of nodes; NULL: none. Not of a group. */
  const MeshGroup *group;    /* whose elements are drawn, and nodes written; NULL: those of FieldsWrite */
} Series;

/* Writes the mesh and the series as XDMF 3, which ParaView opens by `path` ending with .xdmf, and its numbers as PATH.h5. Memory does not
   grow with the number of times. The files take their places as a whole, earlier ones are replaced, and the bytes do not depend on the
   number of ranks. `whole` is false, and nothing is left, when the user asked to stop (InterruptAsked). PETSC_ERR_USER_INPUT on all
   ranks, the message printed, when a place cannot be written or something else than such a file is there. Collective on the
   communicator of the mesh. */
PetscErrorCode SeriesWrite(const char *path, const Mesh *mesh, const Series *series, PetscBool *whole);
/* Complains likewise beforehand of places that are not to be written. Collective on PETSC_COMM_WORLD. */
PetscErrorCode SeriesCheckPlace(const char *path);

/* `dovetail info`: what a result holds, on `out`; complains of a file that is not a result by PETSC_ERR_USER_INPUT with the
   message printed. */
PetscErrorCode ResultPrintInfo(FILE *out, const char *path);
