/* hold.c - whether the file that is being filled still is the one at its path, and where it goes when it is not. */
#include "result.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_BETWEEN_LOOKS = 2 };

PetscErrorCode HoldTake(Result *result)
{
  struct stat status;
  Hold *const hold = result->hold;

  PetscFunctionBegin;
  PetscCheck(fstat(result->data, &status) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "%s: %s", result->path, strerror(errno));
  *hold = (Hold){.device = status.st_dev, .inode = status.st_ino, .size = status.st_size, .looked = time(NULL)};
  PetscCall(DataRead(result, 0, sizeof(hold->head), hold->head));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Other programs cut it, or wrote something else into it: no row can be trusted any more. */
static PetscBool IsSpoiled(const Result *result)
{
  const Hold *const hold = result->hold;
  struct stat       status;
  char              head[sizeof(hold->head)];

  if (fstat(result->data, &status) != 0) return PETSC_FALSE;
  if (status.st_size != hold->size) return PETSC_TRUE;
  return (PetscBool)(pread(result->data, head, sizeof(head), 0) == (ssize_t)sizeof(head) && memcmp(head, hold->head, sizeof(head)) != 0);
}

/* A server that does not answer is no reason. */
static const char *WhatHappened(const Result *result)
{
  struct stat status;

  if (IsSpoiled(result)) return "was overwritten";
  if (stat(result->path, &status) != 0) return errno == ENOENT || errno == ENOTDIR ? "was deleted or moved" : NULL;
  return status.st_dev == result->hold->device && status.st_ino == result->hold->inode ? NULL : "was replaced by another file";
}

void HoldLook(const Result *result)
{
  Hold *const hold = result->hold;

  if (hold->lost) return;
  hold->looked  = time(NULL);
  hold->lost    = WhatHappened(result);
  hold->spoiled = (PetscBool)(hold->lost && IsSpoiled(result));
  if (hold->lost) InterruptAsk();
}

void HoldLookNowAndThen(const Result *result)
{
  if (time(NULL) - result->hold->looked >= SECONDS_BETWEEN_LOOKS) HoldLook(result);
}

/* Its name after somebody has moved it; false when it has none any more. */
static PetscBool FindName(const Result *result, char name[PETSC_MAX_PATH_LEN])
{
  char        link[64];
  struct stat status;
  ssize_t     length;
  const Hold *hold = result->hold;

  snprintf(link, sizeof(link), "/proc/self/fd/%d", result->data);
  length = readlink(link, name, PETSC_MAX_PATH_LEN - 1);
  if (length <= 0) return PETSC_FALSE;
  name[length] = '\0';
  return (PetscBool)(stat(name, &status) == 0 && status.st_dev == hold->device && status.st_ino == hold->inode);
}

/* 0 or an errno. */
static int Copy(const Result *result, int to)
{
  enum { PIECE = 1 << 16 };
  char bytes[PIECE];

  for (PetscInt64 at = 0; at < result->hold->size;) {
    const ssize_t got = pread(result->data, bytes, PIECE, (off_t)at);

    if (got <= 0) return got == 0 ? EIO : errno;
    if (pwrite(to, bytes, (size_t)got, (off_t)at) != got) return errno ? errno : ENOSPC;
    at += got;
  }
  return fsync(to) == 0 ? 0 : errno;
}

/* The bytes of a deleted file live as long as somebody has it open. */
static PetscErrorCode CopyTo(const Result *result, char name[PETSC_MAX_PATH_LEN])
{
  int to, error;

  PetscFunctionBegin;
  PetscCall(EarlierFindFreeName(result->path, name));
  errno = 0;
  to    = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  error = to < 0 ? errno : Copy(result, to);
  if (to >= 0) close(to);
  if (error == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (to >= 0) unlink(name);
  (void)Refuse(name, "cannot be written: %s", strerror(error));
  name[0] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: where the result is from now on; empty when it is lost. */
static PetscErrorCode Rescue(Result *result, char name[PETSC_MAX_PATH_LEN])
{
  const char *why = result->hold->lost ? result->hold->lost : "was changed";

  PetscFunctionBegin;
  name[0] = '\0';
  if (!result->hold->spoiled && !FindName(result, name)) PetscCall(CopyTo(result, name));
  PetscCall(LockDrop(result->path, &result->lock));
  if (name[0]) {
    PetscCall(RestartMove(result->path, name));
    LogWarn("%s: %s while it was written; what was computed is kept as %s", result->path, why, name);
  } else {
    PetscCall(RestartRemoveAll(result->path));
    LogWarn("%s: %s while it was written; what was computed is lost", result->path, why);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All ranks go on with the file of this name; with none there is nothing to be marked as complete. */
static PetscErrorCode MoveTo(Result *result, const char *name)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(result->path));
  PetscCall(PetscStrallocpy(name, &result->path));
  result->filling = (PetscBool)(name[0] != '\0');
  if (!result->filling) PetscFunctionReturn(PETSC_SUCCESS);
  close(result->data);
  result->data = open(name, O_RDWR | O_CLOEXEC);
  PetscCheck(result->data >= 0, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s: %s", name, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultRescue(Result *result, PetscBool *moved)
{
  int  lost[2], any[2];
  char name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  *moved = PETSC_FALSE;
  if (result->in_memory) PetscFunctionReturn(PETSC_SUCCESS);
  HoldLook(result);
  lost[0] = result->hold->lost != NULL;
  lost[1] = (int)result->hold->spoiled;
  PetscCallMPI(MPI_Allreduce(lost, any, 2, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
  *moved = (PetscBool)any[0];
  if (!*moved) PetscFunctionReturn(PETSC_SUCCESS);
  result->hold->spoiled = (PetscBool)any[1];
  if (result->rank == 0) PetscCall(Rescue(result, name));
  PetscCallMPI(MPI_Bcast(name, PETSC_MAX_PATH_LEN, MPI_CHAR, 0, PETSC_COMM_WORLD));
  PetscCall(MoveTo(result, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}
