/*
  output/stored.h - results that lie on disk, opened without the case that they are of.

  What such a result holds is laid out as soon as it is open: reserving a dataset then finds it, as on a result that is resumed, and rows are read
  and written from ResultBeginData on. All of it is local, and so is closing.
*/
#pragma once
#include "output.h"

typedef enum { STORED_READ, STORED_CHANGE } StoredMode;

/* A result of this version and commit of dovetail; otherwise NULL, and the reason in `fault`: "there is no such file". A result that is to be
   changed is locked as one that is being filled, and the world must be this process alone. */
PetscErrorCode StoredOpen(const char *path, StoredMode mode, Result **result, size_t length, char fault[]);
/* What identifies it, InputValues, and the value of one of its lines, "vary.seed"; NULL where there is none. The first lives as long as the result. */
const char    *StoredValues(const Result *result);
PetscErrorCode StoredValue(const Result *result, const char *key, size_t length, char value[], PetscBool *found);
/* The i-th dataset in the order of the layout; NULL beyond the last. */
const char *StoredItem(const Result *result, PetscInt i);
/* The dimensions of a dataset; -1 of them where there is none of that path. */
PetscErrorCode StoredShape(const Result *result, const char *path, PetscInt *num_dims, PetscInt64 dims[RESULT_MAX_DIMS]);
/* All texts of a list, which the caller frees in one piece: of *length letters each, zeros behind the last letter. Before ResultBeginData. */
PetscErrorCode StoredTexts(const Result *result, const char *path, PetscInt *count, size_t *length, char **texts);
/* Whether it ended as asked. Before ResultBeginData. */
PetscErrorCode StoredIsComplete(const Result *result, PetscBool *complete);
/* The first of the datasets that were reserved whose rows are damaged; NULL for none. */
const char *StoredDamage(const Result *result);
/* Whether the file at a path is the one that was opened. */
PetscBool StoredIsAt(const Result *result, const char *path);

/* Compares lines of values, but for those of some keys, and of what is below them ("vary.keep" leaves "vary.keep[0]" out, too): `difference` says in
   words what the first line is that differs, and is empty where none does. */
PetscErrorCode StoredCompare(const char *was, const char *is, const char *const ignored[], size_t length, char difference[]);
/* Values without the lines of some keys; the caller frees. */
PetscErrorCode StoredStrip(const char *values, const char *const ignored[], char **stripped);

/* Makes a copy that has other values. PETSC_ERR_USER_INPUT after a message. */
PetscErrorCode StoredCopy(const Result *result, const char *to, const char *values);
/* Puts a file where a result is to be, which is kept under another name unless it is the complete result of the same values. Likewise. */
PetscErrorCode StoredPutInPlace(const char *from, const char *path, const char *values);
/* Nothing but a result of ours may be there, and nobody may write it: locked until StoredUnlock. Likewise. */
PetscErrorCode StoredLock(const char *path, int *lock);
PetscErrorCode StoredUnlock(const char *path, int *lock);

/* PATH.i, the earlier results that are kept when another one takes their place. */
PetscErrorCode StoredKeptName(const char *path, PetscInt i, char name[PETSC_MAX_PATH_LEN]);
/* Removes such a result, with what belongs to it. */
PetscErrorCode StoredRemove(const char *path);
