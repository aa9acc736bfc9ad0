/* bytes.c - files read by rank 0 and broadcast to all ranks. */
#include "input_private.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FAULT = 160 };

/* What rank 0 broadcasts before the bytes. */
typedef struct {
  PetscInt64 length, device, inode;
  char       fault[FAULT];
} Report;

static void Examine(const char *path, size_t limit, const char *what, Report *report)
{
  const PetscInt64 megabyte = 1000000;
  struct stat      status;

  if (stat(path, &status) != 0) {
    snprintf(report->fault, FAULT, "cannot be read: %s", strerror(errno));
  } else if (S_ISDIR(status.st_mode)) {
    snprintf(report->fault, FAULT, "cannot be read: Is a directory");
  } else if (!S_ISREG(status.st_mode)) {
    snprintf(report->fault, FAULT, "cannot be read: Is not a regular file");
  } else if ((PetscInt64)status.st_size > (PetscInt64)limit) {
    const PetscInt64 size = ((PetscInt64)status.st_size + megabyte - 1) / megabyte;

    snprintf(report->fault, FAULT, "is %" PetscInt64_FMT " MB; a %s may have %" PetscInt64_FMT " MB", size, what, (PetscInt64)limit / megabyte);
  }
  if (report->fault[0]) return;
  report->length = (PetscInt64)status.st_size;
  report->device = (PetscInt64)status.st_dev;
  report->inode  = (PetscInt64)status.st_ino;
}

/* Fills `text` as far as the file reaches: it may have been shortened meanwhile. */
static void Load(const char *path, char *text, Report *report)
{
  FILE *const file = fopen(path, "rb");

  if (file) {
    report->length = (PetscInt64)fread(text, 1, (size_t)report->length, file);
    if (ferror(file)) snprintf(report->fault, FAULT, "cannot be read: %s", strerror(errno ? errno : EIO));
    fclose(file);
  } else {
    snprintf(report->fault, FAULT, "cannot be read: %s", strerror(errno));
  }
}

/* Editors of Windows write it before the text. It is not part of the text and takes no column. */
void InputDropByteOrderMark(char *text, size_t *length)
{
  if (*length < 3 || memcmp(text, "\xEF\xBB\xBF", 3) != 0) return;
  *length -= 3;
  memmove(text, text + 3, *length);
  text[*length] = '\0';
}

PetscErrorCode InputBytesRead(InputDocument *document, const char *path, size_t limit, const char *what, InputBytes *bytes)
{
  Report      report;
  PetscMPIInt rank;

  PetscFunctionBegin;
  memset(&report, 0, sizeof report);
  memset(bytes, 0, sizeof *bytes);
  PetscCallMPI(MPI_Comm_rank(document->comm, &rank));
  if (rank == 0) {
    Examine(path, limit, what, &report);
    if (!report.fault[0]) {
      PetscCall(PetscCalloc1((size_t)report.length + 1, &bytes->text));
      Load(path, bytes->text, &report);
    }
  }
  PetscCallMPI(MPI_Bcast(&report, (PetscMPIInt)sizeof report, MPI_BYTE, 0, document->comm));
  if (report.fault[0]) {
    PetscCall(PetscFree(bytes->text));
    PetscCall(InputCopyText(document, report.fault, strlen(report.fault), &bytes->fault));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (rank != 0) PetscCall(PetscCalloc1((size_t)report.length + 1, &bytes->text));
  PetscCallMPI(MPI_Bcast(bytes->text, (PetscMPIInt)report.length, MPI_BYTE, 0, document->comm));
  bytes->text[report.length] = '\0';
  bytes->length              = (size_t)report.length;
  InputDropByteOrderMark(bytes->text, &bytes->length);
  bytes->device = report.device;
  bytes->inode  = report.inode;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputBytesDestroy(InputBytes *bytes)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(bytes->text));
  memset(bytes, 0, sizeof *bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns count characters, not bytes. */
Place InputPlaceOfByte(const char *file, const char *text, size_t length, size_t offset)
{
  Place place = {.file = file, .line = 1, .column = 1};

  for (size_t i = 0; i < offset && i < length; i++) {
    if (text[i] == '\n') {
      place.line++;
      place.column = 1;
    } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
      place.column++;
    }
  }
  return place;
}

PetscErrorCode InputRefuseNul(InputDocument *document, const char *file, const char *text, size_t length, PetscBool *fine)
{
  const char *const nul = length ? memchr(text, '\0', length) : NULL;

  PetscFunctionBegin;
  *fine = nul ? PETSC_FALSE : PETSC_TRUE;
  if (nul) PetscCall(InputComplainAt(document, InputPlaceOfByte(file, text, length, (size_t)(nul - text)), "is not text: there is a NUL byte"));
  PetscFunctionReturn(PETSC_SUCCESS);
}
