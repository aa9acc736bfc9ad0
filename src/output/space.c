/* space.c - room on the disk, taken before HDF5 writes: a write that fails within HDF5 leaves it unable to close the file or to end. */
#include "result.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* More than HDF5 adds for the groups, headers and heaps of one object. */
enum { MARGIN = 256 * 1024, STEP = 4 * 1024 * 1024 };

/* 0 or an errno. File systems that cannot promise space say so, and are trusted. */
static int Allocate(int descriptor, PetscInt64 first, PetscInt64 num_bytes)
{
  int error;

  do error = posix_fallocate(descriptor, (off_t)first, (off_t)num_bytes);
  while (error == EINTR);
  return error == EINVAL || error == EOPNOTSUPP ? 0 : error;
}

PetscErrorCode SpaceProbe(const char *path, const char *temporary, int *descriptor)
{
  int error;

  PetscFunctionBegin;
  ScrapAdd(temporary);
  *descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (*descriptor < 0) PetscFunctionReturn(RefuseWriting(path, errno));
  error = Allocate(*descriptor, 0, MARGIN);
  if (error != 0) PetscFunctionReturn(RefuseWriting(path, error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In steps, so that a thousand small attributes do not cost a thousand calls; the last megabytes of a disk are used up exactly. */
PetscErrorCode SpaceTake(Result *result, PetscInt64 num_bytes)
{
  hsize_t    size;
  herr_t     status;
  PetscInt64 needed, wanted;
  int        error = 0;

  PetscFunctionBegin;
  CallHDF5(status, H5Fget_filesize, result->file, &size);
  needed = (PetscInt64)size + num_bytes + MARGIN;
  if (needed <= result->space) PetscFunctionReturn(PETSC_SUCCESS);
  wanted = needed + STEP;
  if (Allocate(result->data, result->space, wanted - result->space) != 0) {
    wanted = needed;
    error  = Allocate(result->data, result->space, wanted - result->space);
  }
  if (error != 0) {
    (void)RefuseWriting(result->path, error);
    result->refused = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  result->space = wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpaceTakeAll(const char *path, int descriptor, PetscInt64 num_bytes)
{
  const int error = Allocate(descriptor, 0, num_bytes + MARGIN);

  PetscFunctionBegin;
  if (error != 0) PetscFunctionReturn(RefuseWriting(path, error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpaceTrim(const char *path, int descriptor, PetscInt64 size)
{
  PetscFunctionBegin;
  PetscCheck(ftruncate(descriptor, (off_t)size) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: cannot be cut to its size", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}
