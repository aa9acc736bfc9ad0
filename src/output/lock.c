/* lock.c - one writer per result: a lock on PATH.lock that vanishes with the process that holds it. */
#include "result.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file may have been removed by its last holder between our opening and locking it. */
static PetscBool StillThere(int lock, const char *name)
{
  struct stat held, named;

  return (PetscBool)(fstat(lock, &held) == 0 && stat(name, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev);
}

/* Not on the result itself, where it would shut out readers that lock what they read, as h5py does. */
PetscErrorCode LockTake(const char *path, int *lock)
{
  char name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  *lock = -1;
  PetscCall(PathAppend(path, ".lock", name));
  for (;;) {
    const int descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int       error      = 0;

    if (descriptor < 0) PetscFunctionReturn(RefuseWriting(path, errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) error = errno;
    if (error == 0 && !StillThere(descriptor, name)) {
      close(descriptor);
      continue;
    }
    if (error == EWOULDBLOCK) {
      close(descriptor);
      PetscFunctionReturn(Refuse(path, "is being written by another run"));
    }
    if (error != 0) LogDetail("%s: this file system has no locks; start no second run that writes here", path);
    *lock = descriptor;
    ScrapAdd(name);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
}

PetscErrorCode LockDrop(const char *path, int *lock)
{
  char name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (*lock < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PathAppend(path, ".lock", name));
  ScrapRemove(name);
  close(*lock);
  *lock = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}
