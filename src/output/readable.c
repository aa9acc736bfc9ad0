/* readable.c - results that are only read: opened, or refused in a line. */
#include "result.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A writer removes its lock file when it closes the result; a kill leaves it. */
PetscErrorCode ReadableState(const char *path, PetscBool complete, const char **state)
{
  char lock[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PathAppend(path, ".lock", lock));
  if (complete) *state = "complete";
  else *state = access(lock, F_OK) == 0 ? "incomplete: still being written, or killed" : "incomplete: it stopped before the end";
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Says why there is nothing to read. */
static PetscErrorCode Check(const char *path, hid_t file, const Earlier *result)
{
  struct stat status;

  PetscFunctionBegin;
  if (result->ours) PetscFunctionReturn(PETSC_SUCCESS);
  if (stat(path, &status) != 0) PetscFunctionReturn(Refuse(path, "cannot be read: %s", strerror(errno)));
  if (access(path, R_OK) != 0) PetscFunctionReturn(Refuse(path, "cannot be read: %s", strerror(errno)));
  if (file < 0 && H5Fis_hdf5(path) > 0) PetscFunctionReturn(Refuse(path, "is damaged: HDF5 cannot open it"));
  PetscFunctionReturn(Refuse(path, "is not a result of dovetail"));
}

PetscErrorCode ReadableOpen(const char *path, hid_t *file, Earlier *result)
{
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(QuietenHDF5());
  PetscCall(EarlierRead(path, result));
  *file = FileOpen(path);
  code  = Check(path, *file, result);
  if (code) PetscCall(ReadableClose(file, result));
  PetscFunctionReturn(code);
}

PetscErrorCode ReadableClose(hid_t *file, Earlier *result)
{
  PetscFunctionBegin;
  if (*file >= 0) H5Fclose(*file);
  *file = H5I_INVALID_HID;
  PetscCall(EarlierFree(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
