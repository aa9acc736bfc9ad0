/* stored_files.c - files of results that are copied, put in their place, kept and removed. */
#include "result.h"
#include "output/stored.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 0 or an errno. */
static int CopyBytes(int from, int to)
{
  enum { CHUNK = 1 << 20 };
  static char bytes[CHUNK];
  ssize_t     got;

  for (off_t at = 0; (got = pread(from, bytes, sizeof(bytes), at)) > 0; at += got) {
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = pwrite(to, bytes + done, (size_t)(got - done), at + done);

      if (written < 0 && errno != EINTR) return errno;
      done += PetscMax(written, 0);
    }
  }
  return got < 0 ? errno : 0;
}

static PetscErrorCode ChangeValues(const char *path, const char *values)
{
  hid_t  file;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(FileOpenToChange(path, &file));
  CallHDF5(status, H5Adelete_by_name, file, "/case", "values", H5P_DEFAULT);
  PetscCall(AttributeWriteText(file, "/case", "values", values));
  CallHDF5(status, H5Fclose, file);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredCopy(const Result *result, const char *to, const char *values)
{
  const int copy  = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int       error = copy < 0 ? errno : 0;

  PetscFunctionBegin;
  if (copy >= 0) {
    ScrapAdd(to);
    error = CopyBytes(result->data, copy);
    if (close(copy) != 0 && error == 0) error = errno;
  }
  if (error) PetscFunctionReturn(RefuseWriting(to, error));
  PetscCall(ChangeValues(to, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredPutInPlace(const char *from, const char *path, const char *values)
{
  int error;

  PetscFunctionBegin;
  PetscCall(EarlierMakeRoom(path, values));
  error = PathReplace(from, path);
  if (error) PetscFunctionReturn(RefuseWriting(path, error));
  ScrapForget(from);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredLock(const char *path, int *lock)
{
  PetscFunctionBegin;
  PetscCall(QuietenHDF5());
  PetscCall(ResultCheckPlace(path));
  PetscCall(LockTake(path, lock));
  PetscCall(EarlierCheck(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredUnlock(const char *path, int *lock)
{
  PetscFunctionBegin;
  PetscCall(LockDrop(path, lock));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredKeptName(const char *path, PetscInt i, char name[PETSC_MAX_PATH_LEN])
{
  char suffix[32];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), ".%" PetscInt_FMT, i));
  PetscCall(PathAppend(path, suffix, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredRemove(const char *path)
{
  PetscFunctionBegin;
  PetscCall(RestartRemoveAll(path));
  (void)unlink(path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether a line is of one of these keys: the key, and then what ends it. */
static PetscBool IsIgnored(const char *line, const char *const ignored[])
{
  for (PetscInt i = 0; ignored[i]; i++) {
    const size_t length = strlen(ignored[i]);

    if (strncmp(line, ignored[i], length) == 0 && line[length] && strchr(":.[", line[length])) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode StoredStrip(const char *values, const char *const ignored[], char **stripped)
{
  char *end;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(strlen(values) + 1, stripped));
  end = *stripped;
  for (const char *line = values; *line;) {
    const size_t length = strcspn(line, "\n") + (strchr(line, '\n') ? 1 : 0);

    if (!IsIgnored(line, ignored)) {
      memcpy(end, line, length);
      end += length;
    }
    line += length;
  }
  *end = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredCompare(const char *was, const char *is, const char *const ignored[], size_t length, char difference[])
{
  char *old, *now;

  PetscFunctionBegin;
  difference[0] = '\0';
  PetscCall(StoredStrip(was, ignored, &old));
  PetscCall(StoredStrip(is, ignored, &now));
  EarlierCompareValues(old, now, length, difference);
  PetscCall(PetscFree(old));
  PetscCall(PetscFree(now));
  PetscFunctionReturn(PETSC_SUCCESS);
}
