/* path.c - paths of result files: complaints about them, bytes and names brought to disk. */
#include "result.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

PetscErrorCode Refuse(const char *path, const char *format, ...)
{
  const Place place = {.file = path};
  char        text[PETSC_MAX_PATH_LEN + 1024];
  va_list     arguments;

  PetscFunctionBegin;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  fprintf(stderr, "error: %s: %s\n", path, text);
  LogTellError(place, text);
  PetscFunctionReturn(PETSC_ERR_USER_INPUT);
}

/* "." and "/" for paths that do not name one. */
static void FolderOf(const char *path, char folder[PETSC_MAX_PATH_LEN])
{
  const char *slash = strrchr(path, '/');

  if (!slash) snprintf(folder, PETSC_MAX_PATH_LEN, ".");
  else snprintf(folder, PETSC_MAX_PATH_LEN, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Some folders (/proc) say that a file cannot exist instead of that it must not be made. */
PetscErrorCode RefuseWriting(const char *path, int error)
{
  char folder[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  FolderOf(path, folder);
  if (error == ENOENT && access(folder, F_OK) == 0) PetscFunctionReturn(Refuse(path, "cannot be written: the folder '%s' takes no files", folder));
  if (error == ENOENT) PetscFunctionReturn(Refuse(path, "cannot be written: the folder '%s' does not exist", folder));
  PetscFunctionReturn(Refuse(path, "cannot be written: %s", strerror(error)));
}

PetscErrorCode PathAppend(const char *path, const char *suffix, char joined[PETSC_MAX_PATH_LEN])
{
  const int length = snprintf(joined, PETSC_MAX_PATH_LEN, "%s%s", path, suffix);

  PetscFunctionBegin;
  PetscCheck(length >= 0 && length < PETSC_MAX_PATH_LEN, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "path too long: %s%s", path, suffix);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultPathBeside(const char *result_path, const char *suffix, char beside[PETSC_MAX_PATH_LEN])
{
  const size_t length = strlen(result_path), ending = strlen(".h5");
  char         stem[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  beside[0] = '\0';
  if (length == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PathAppend(result_path, "", stem));
  if (length > ending && !strcmp(result_path + length - ending, ".h5")) stem[length - ending] = '\0';
  PetscCall(PathAppend(stem, suffix, beside));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int SyncAs(const char *path, int flags)
{
  const int descriptor = open(path, flags | O_CLOEXEC);
  int       error      = 0;

  if (descriptor < 0) return errno;
  if (fsync(descriptor) != 0) error = errno;
  close(descriptor);
  return error;
}

int PathSync(const char *path)
{
  return SyncAs(path, O_RDWR);
}

/* Some file systems cannot flush a folder and say EINVAL; nothing more can be done there. */
int PathSyncFolder(const char *path)
{
  char folder[PETSC_MAX_PATH_LEN];
  int  error;

  FolderOf(path, folder);
  error = SyncAs(folder, O_RDONLY | O_DIRECTORY);
  return error == EINVAL ? 0 : error;
}

int PathReplace(const char *from, const char *to)
{
  int error = PathSync(from);

  if (error == 0 && rename(from, to) != 0) error = errno;
  return error ? error : PathSyncFolder(to);
}
