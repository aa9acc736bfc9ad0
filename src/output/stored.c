/* stored.c - a result on disk, opened without its case: the order of its datasets is an attribute of /case/sums. */
#include "result.h"
#include "output/stored.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every dataset gets its slot, in the order in which the case has laid them out: the blocks of the sums follow from it. */
static PetscErrorCode AddSlots(Result *result, char *paths, PetscBool *whole)
{
  PetscFunctionBegin;
  *whole = PETSC_TRUE;
  for (char *path = paths, *end; *path && *whole; path = end + 1) {
    StoredDataset found;
    int           slot;

    end  = path + strcspn(path, "\n"); /* each line ends with one */
    *end = '\0';
    PetscCall(DatasetExamine(result->file, path, &found));
    *whole = found.exists;
    if (!found.exists) continue;
    PetscCall(SlotAdd(result, path, found.type, found.num_bytes, PETSC_FALSE, &slot));
    result->offsets[slot] = found.offset;
  }
  *whole         = (PetscBool)(*whole && result->num_blocks == result->num_stored);
  result->stored = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Load(Result *result, StoredMode mode, PetscBool *whole)
{
  PetscInt64 *pairs;
  char       *paths;

  PetscFunctionBegin;
  *whole       = PETSC_FALSE;
  result->file = FileOpen(result->path);
  result->data = open(result->path, (mode == STORED_READ ? O_RDONLY : O_RDWR) | O_CLOEXEC);
  if (result->file < 0 || result->data < 0 || !FileIsWhole(result->file)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DatasetGetPairs(result->file, SUMS, &result->num_stored, &pairs));
  PetscCall(AttributeGetTextByName(result->file, SUMS, "datasets", &paths));
  result->sums = (Sum *)pairs;
  if (paths) PetscCall(AddSlots(result, paths, whole));
  PetscCall(PetscFree(paths));
  if (*whole) PetscCall(ResultReserve(result, "/case/complete", RESULT_COUNT, 0, NULL, &result->complete));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Open(const char *path, StoredMode mode, Earlier *earlier, Result **result, PetscBool *whole)
{
  PetscFunctionBegin;
  PetscCall(ResultCreate(path, result));
  (*result)->resumed   = PETSC_TRUE;
  (*result)->read_only = (PetscBool)(mode == STORED_READ);
  (*result)->values    = earlier->values;
  earlier->values      = NULL;
  if (mode == STORED_CHANGE) PetscCall(LockTake(path, &(*result)->lock));
  PetscCall(Load(*result, mode, whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredOpen(const char *path, StoredMode mode, Result **result, size_t length, char fault[])
{
  Earlier   earlier;
  PetscBool whole = PETSC_FALSE;

  PetscFunctionBegin;
  *result = NULL;
  PetscCall(QuietenHDF5());
  PetscCall(EarlierRead(path, &earlier));
  PetscCall(EarlierDifference(&earlier, earlier.values, length, fault));
  if (!fault[0]) {
    PetscCall(Open(path, mode, &earlier, result, &whole));
    if (!whole) {
      PetscCall(PetscSNPrintf(fault, length, "it is damaged: HDF5 cannot read all of it"));
      PetscCall(ResultClose(result, PETSC_FALSE));
    }
  }
  PetscCall(EarlierFree(&earlier));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *StoredValues(const Result *result)
{
  return result->values;
}

PetscErrorCode StoredValue(const Result *result, const char *key, size_t length, char value[], PetscBool *found)
{
  const size_t key_length = strlen(key);

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  for (const char *line = result->values; line && *line && !*found; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    *found = (PetscBool)(strncmp(line, key, key_length) == 0 && strncmp(line + key_length, ": ", 2) == 0);
    if (*found) PetscCall(PetscSNPrintf(value, length, "%.*s", (int)strcspn(line + key_length + 2, "\n"), line + key_length + 2));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *StoredItem(const Result *result, PetscInt i)
{
  return i < result->num_slots ? result->extents[i].path : NULL;
}

PetscErrorCode StoredShape(const Result *result, const char *path, PetscInt *num_dims, PetscInt64 dims[RESULT_MAX_DIMS])
{
  StoredDataset found;

  PetscFunctionBegin;
  PetscCall(DatasetExamine(result->file, path, &found));
  *num_dims = found.exists ? found.num_dims : -1;
  for (PetscInt i = 0; i < *num_dims; i++) dims[i] = found.dims[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredTexts(const Result *result, const char *path, PetscInt *count, size_t *length, char **texts)
{
  StoredDataset found;

  PetscFunctionBegin;
  PetscCall(DatasetExamine(result->file, path, &found));
  *count  = found.exists && found.type == RESULT_TEXT && found.num_dims == 1 ? (PetscInt)found.dims[0] : 0;
  *length = *count ? (size_t)found.num_bytes / (size_t)*count + 1 : 1;
  PetscCall(PetscCalloc1((size_t)*count * *length + 1, texts));
  for (PetscInt i = 0; i < *count; i++) {
    const PetscInt64 stored = (PetscInt64)*length - 1;

    PetscCall(DataRead(result, found.offset + i * stored, (size_t)stored, *texts + (size_t)i * *length));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredIsComplete(const Result *result, PetscBool *complete)
{
  PetscInt64 flag = 0;
  PetscBool  found;

  PetscFunctionBegin;
  PetscCall(DatasetGetCount(result->file, "/case/complete", &flag, &found));
  *complete = (PetscBool)(found && flag == 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *StoredDamage(const Result *result)
{
  for (PetscInt i = 0; i < result->num_slots; i++)
    if (result->extents[i].damaged) return result->extents[i].path;
  return NULL;
}

PetscBool StoredIsAt(const Result *result, const char *path)
{
  struct stat opened, named;

  return (PetscBool)(fstat(result->data, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev);
}
