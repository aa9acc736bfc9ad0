/* data.c - rows of reserved arrays: positioned reads and writes that HDF5 knows nothing of. */
#include "result.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static PetscErrorCode CheckRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count)
{
  PetscFunctionBegin;
  PetscCheck(result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has not ended", result->path);
  PetscCheck(first >= 0 && count >= 0 && first <= array->num_rows - count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%s: rows %" PetscInt64_FMT " and %" PetscInt64_FMT " more of an array of %" PetscInt64_FMT, result->path, first, count,
             array->num_rows);
  PetscCheck(result->offsets[array->slot] >= 0 || (size_t)count * array->row_bytes == 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
             "%s: rows of an array without a place in the file", result->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static off_t OffsetOfRow(const Result *result, const ResultArray *array, PetscInt64 row)
{
  return (off_t)(result->offsets[array->slot] + row * (PetscInt64)array->row_bytes);
}

/* The space was taken when the array was reserved: failing here is no mistake of the user but a broken disk, and local to a rank. */
PetscErrorCode ResultWriteRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, const void *rows)
{
  const char *bytes  = (const char *)rows;
  size_t      left   = (size_t)count * array->row_bytes;
  off_t       offset = OffsetOfRow(result, array, first);

  PetscFunctionBegin;
  PetscCall(CheckRows(result, array, first, count));
  while (left > 0) {
    const ssize_t written = pwrite(result->data, bytes, left, offset);

    if (written < 0 && errno == EINTR) continue;
    PetscCheck(written > 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: %s", result->path, strerror(errno));
    bytes += written;
    offset += written;
    left -= (size_t)written;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultReadRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, void *rows)
{
  char  *bytes  = (char *)rows;
  size_t left   = (size_t)count * array->row_bytes;
  off_t  offset = OffsetOfRow(result, array, first);

  PetscFunctionBegin;
  PetscCall(CheckRows(result, array, first, count));
  while (left > 0) {
    const ssize_t got = pread(result->data, bytes, left, offset);

    if (got < 0 && errno == EINTR) continue;
    PetscCheck(got >= 0, PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "%s: %s", result->path, strerror(errno));
    PetscCheck(got > 0, PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED, "%s: the file was cut short while it was open", result->path);
    bytes += got;
    offset += got;
    left -= (size_t)got;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultSync(const Result *result)
{
  PetscFunctionBegin;
  PetscCheck(result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has not ended", result->path);
  PetscCheck(fsync(result->data) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: %s", result->path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}
