/* data.c - rows of reserved arrays: positioned reads and writes that HDF5 knows nothing of. */
#include "result.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static PetscErrorCode CheckRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count)
{
  PetscFunctionBegin;
  PetscCheck(result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has not ended", result->path);
  PetscCheck(first >= 0 && count >= 0 && first <= array->num_rows - count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%s: rows %" PetscInt64_FMT " and %" PetscInt64_FMT " more of an array of %" PetscInt64_FMT, result->path, first, count,
             array->num_rows);
  PetscCheck(result->in_memory || result->offsets[array->slot] >= 0 || (size_t)count * array->row_bytes == 0, PETSC_COMM_SELF,
             PETSC_ERR_ARG_WRONGSTATE, "%s: rows of an array without a place in the file", result->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt64 OffsetOfRow(const Result *result, const ResultArray *array, PetscInt64 row)
{
  return result->offsets[array->slot] + row * (PetscInt64)array->row_bytes;
}

/* The space was taken when the array was reserved: failing here is no mistake of the user but a broken disk, and local to a rank. */
PetscErrorCode DataWrite(const Result *result, PetscInt64 offset, size_t num_bytes, const char *bytes)
{
  PetscFunctionBegin;
  while (num_bytes > 0) {
    const ssize_t written = pwrite(result->data, bytes, num_bytes, (off_t)offset);

    if (written < 0 && errno == EINTR) continue;
    PetscCheck(written > 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: %s", result->path, strerror(errno));
    bytes += written;
    offset += written;
    num_bytes -= (size_t)written;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DataRead(const Result *result, PetscInt64 offset, size_t num_bytes, char *bytes)
{
  PetscFunctionBegin;
  while (num_bytes > 0) {
    const ssize_t got = pread(result->data, bytes, num_bytes, (off_t)offset);

    if (got < 0 && errno == EINTR) continue;
    PetscCheck(got >= 0, PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "%s: %s", result->path, strerror(errno));
    if (got == 0) { /* it was cut, which ends the run in order: nothing is there */
      HoldLook(result);
      memset(bytes, 0, num_bytes);
      break;
    }
    bytes += got;
    offset += got;
    num_bytes -= (size_t)got;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultWriteRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, const void *rows)
{
  const PetscInt64 num_bytes = count * (PetscInt64)array->row_bytes;

  PetscFunctionBegin;
  PetscCall(CheckRows(result, array, first, count));
  if (result->in_memory) {
    if (num_bytes) memcpy(result->rows[array->slot] + first * (PetscInt64)array->row_bytes, rows, (size_t)num_bytes);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(SumsBeforeRows(result, array->slot, first * (PetscInt64)array->row_bytes, num_bytes, rows));
  PetscCall(DataWrite(result, OffsetOfRow(result, array, first), (size_t)num_bytes, rows));
  HoldLookNowAndThen(result);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultReadRows(const Result *result, const ResultArray *array, PetscInt64 first, PetscInt64 count, void *rows)
{
  const size_t num_bytes = (size_t)count * array->row_bytes;

  PetscFunctionBegin;
  PetscCall(CheckRows(result, array, first, count));
  if (result->in_memory) {
    if (num_bytes) memcpy(rows, result->rows[array->slot] + first * (PetscInt64)array->row_bytes, num_bytes);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(DataRead(result, OffsetOfRow(result, array, first), num_bytes, rows));
  if (result->hold->spoiled) /* by others: nothing is known */
    FillUnknown(result->extents[array->slot].type, num_bytes, rows);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultSync(const Result *result)
{
  PetscFunctionBegin;
  PetscCheck(result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has not ended", result->path);
  if (result->in_memory) PetscFunctionReturn(PETSC_SUCCESS);
  HoldLook(result);
  PetscCheck(fsync(result->data) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: %s", result->path, strerror(errno));
  PetscCall(SumsSync(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
