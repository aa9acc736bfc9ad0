/* restart.c - restart files: numbers under a name in PATH.restart, replaced as a whole, checked when read. */
#include "result.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static PetscBool IsName(const char *name)
{
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

  return (PetscBool)(name[0] && name[strspn(name, allowed)] == '\0');
}

/* PATH.restart/NAME SUFFIX */
static PetscErrorCode FileName(const char *result_path, const char *name, const char *suffix, char path[PETSC_MAX_PATH_LEN])
{
  char folder[PETSC_MAX_PATH_LEN];
  int  length;

  PetscFunctionBegin;
  PetscCheck(IsName(name), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "restart name '%s': letters, digits and _-. only", name);
  PetscCall(PathAppend(result_path, ".restart", folder));
  length = snprintf(path, PETSC_MAX_PATH_LEN, "%s/%s%s", folder, name, suffix);
  PetscCheck(length >= 0 && length < PETSC_MAX_PATH_LEN, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "path too long: %s/%s%s", folder, name, suffix);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* FNV-1a over words of 8 bytes, as a whole number of 63 bits that any reader can hold. */
static PetscInt64 Checksum(PetscInt count, const PetscReal numbers[])
{
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)count;

  for (PetscInt i = 0; i < count; i++) {
    uint64_t word;

    memcpy(&word, &numbers[i], sizeof(word));
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return (PetscInt64)(hash ^ hash >> 32) & INT64_MAX;
}

/* The bytes of an HDF5 file made in memory, so that a full disk fails in a plain write, which can be told. */
static PetscErrorCode MakeImage(PetscInt count, const PetscReal numbers[], size_t *size, void **image)
{
  const PetscInt64 dims = count, checksum = Checksum(count, numbers);
  hid_t            file;
  ssize_t          length;
  herr_t           status;

  PetscFunctionBegin;
  PetscCall(FileCreateInMemory(&file));
  PetscCall(DatasetWrite(file, "/numbers", RESULT_REAL, 0, 1, &dims, numbers));
  PetscCall(DatasetWrite(file, "/checksum", RESULT_COUNT, 0, 0, NULL, &checksum));
  CallHDF5(status, H5Fflush, file, H5F_SCOPE_GLOBAL);
  CallHDF5(length, H5Fget_file_image, file, NULL, 0);
  PetscCall(PetscMalloc((size_t)length, image));
  CallHDF5(length, H5Fget_file_image, file, *image, (size_t)length);
  CallHDF5(status, H5Fclose, file);
  *size = (size_t)length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 0 or an errno. */
static int WriteBytes(const char *path, size_t size, const void *bytes)
{
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int       error      = 0;

  if (descriptor < 0) return errno;
  for (size_t done = 0; done < size && error == 0;) {
    const ssize_t written = write(descriptor, (const char *)bytes + done, size - done);

    if (written >= 0) done += (size_t)written;
    else if (errno != EINTR) error = errno;
  }
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

/* A restart file that cannot be written is no reason to stop: the one before it stays. */
PetscErrorCode RestartWrite(const char *result_path, const char *name, PetscInt count, const PetscReal numbers[])
{
  char   folder[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN], temporary[PETSC_MAX_PATH_LEN];
  void  *image = NULL;
  size_t size  = 0;
  int    error = 0;

  PetscFunctionBegin;
  if (!result_path[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(QuietenHDF5());
  PetscCall(PathAppend(result_path, ".restart", folder));
  PetscCall(FileName(result_path, name, ".h5", path));
  PetscCall(FileName(result_path, name, ".tmp", temporary));
  PetscCall(MakeImage(count, numbers, &size, &image));
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) error = errno;
  if (error == 0) error = WriteBytes(temporary, size, image);
  if (error == 0) error = PathReplace(temporary, path);
  if (error != 0) {
    unlink(temporary);
    LogWarn("%s: cannot be written: %s; --resume would go on from an earlier moment", path, strerror(error));
  }
  PetscCall(PetscFree(image));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `most`: no more numbers than the file has room for, whatever a damaged one claims. */
static PetscErrorCode ReadChecked(const char *path, PetscInt most, PetscInt *count, PetscReal **numbers, PetscBool *sound)
{
  const hid_t file = FileOpen(path);
  PetscInt64  checksum;

  PetscFunctionBegin;
  *sound = PETSC_FALSE;
  if (file < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DatasetGetNumbers(file, "/numbers", most, count, numbers));
  PetscCall(DatasetGetCount(file, "/checksum", &checksum, sound));
  H5Fclose(file);
  if (!*numbers || !*sound || checksum != Checksum(*count, *numbers)) *sound = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RestartRead(const char *result_path, const char *name, PetscInt *count, PetscReal **numbers)
{
  char        path[PETSC_MAX_PATH_LEN];
  struct stat status;
  PetscBool   sound;

  PetscFunctionBegin;
  *count   = 0;
  *numbers = NULL;
  if (!result_path[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FileName(result_path, name, ".h5", path));
  if (stat(path, &status) != 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(QuietenHDF5());
  PetscCall(ReadChecked(path, (PetscInt)PetscMin(status.st_size / 8, PETSC_MAX_INT), count, numbers, &sound));
  if (!sound) {
    LogWarn("%s: damaged, and not used", path);
    *count = 0;
    PetscCall(PetscFree(*numbers));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Another rank may remove the last file or the folder at the same time: what is gone is gone. */
PetscErrorCode RestartRemove(const char *result_path, const char *name)
{
  char folder[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!result_path[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PathAppend(result_path, ".restart", folder));
  PetscCall(FileName(result_path, name, ".h5", path));
  unlink(path);
  PetscCall(FileName(result_path, name, ".tmp", path));
  unlink(path);
  rmdir(folder);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RestartForget(const char *result_path, const char *name)
{
  PetscFunctionBegin;
  if (IsName(name)) PetscCall(RestartRemove(result_path, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool EndsWith(const char *text, const char *end)
{
  const size_t length = strlen(text), end_length = strlen(end);

  return (PetscBool)(length > end_length && strcmp(text + length - end_length, end) == 0);
}

/* Only what is ours: the folder stays if a user has put something else there. */
PetscErrorCode RestartRemoveAll(const char *result_path)
{
  char                 folder[PETSC_MAX_PATH_LEN];
  DIR                 *listing;
  const struct dirent *entry;

  PetscFunctionBegin;
  PetscCall(PathAppend(result_path, ".restart", folder));
  listing = opendir(folder);
  if (!listing) PetscFunctionReturn(PETSC_SUCCESS);
  while ((entry = readdir(listing)) != NULL) {
    if (EndsWith(entry->d_name, ".h5") || EndsWith(entry->d_name, ".tmp")) unlinkat(dirfd(listing), entry->d_name, 0);
  }
  closedir(listing);
  rmdir(folder);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RestartMove(const char *from_result, const char *to_result)
{
  char from[PETSC_MAX_PATH_LEN], to[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PathAppend(from_result, ".restart", from));
  PetscCall(PathAppend(to_result, ".restart", to));
  if (rename(from, to) != 0 && errno != ENOENT) PetscFunctionReturn(RefuseWriting(from, errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}
