/* new_file.c - an HDF5 file that all ranks fill together: laid out under a temporary name, filled, put in its place as a whole. */
#include "fields.h"
#include <sys/stat.h>
#include <unistd.h>

/* On rank 0; on the others `file` is invalid and `descriptor` -1. */
typedef struct {
  const char *path;
  char        temporary[PETSC_MAX_PATH_LEN];
  int         descriptor;
  hid_t       file;
} NewFile;

PetscErrorCode VerdictOfFirst(MPI_Comm comm, PetscErrorCode code)
{
  int verdict = (int)code;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(&verdict, 1, MPI_INT, 0, comm));
  PetscFunctionReturn((PetscErrorCode)verdict);
}

PetscBool HoldsGroup(const char *path, const char *group)
{
  const hid_t     file  = FileOpen(path);
  const PetscBool holds = (PetscBool)(file >= 0 && H5Lexists(file, group, H5P_DEFAULT) > 0);

  if (file >= 0) H5Fclose(file);
  return holds;
}

PetscErrorCode PlaceCheck(const char *path, const char *kind, PetscBool (*is_ours)(const char *path, const char *kind))
{
  struct stat status;

  PetscFunctionBegin;
  if (stat(path, &status) != 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (!S_ISREG(status.st_mode))
    PetscFunctionReturn(Refuse(path, "cannot be written: it is %s", S_ISDIR(status.st_mode) ? "a folder" : "not a regular file"));
  if (!is_ours(path, kind))
    PetscFunctionReturn(Refuse(path, "is not a file of fields (%s) and will not be replaced; give the result another name", kind));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: the file with all its datasets, empty, and the disk it needs. */
static PetscErrorCode LayOut(NewFile *new, const FileKind *kind, PetscInt64 num_bytes, const void *plan)
{
  PetscFunctionBegin;
  PetscCall(PlaceCheck(new->path, kind->group, HoldsGroup));
  PetscCall(SpaceProbe(new->path, new->temporary, &new->descriptor));
  PetscCall(FileCreate(new->temporary, &new->file));
  PetscCall(SpaceTakeAll(new->path, new->descriptor, num_bytes));
  PetscCall(kind->lay_out(new->file, plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: the file is on disk, and then only visible under its name. */
static PetscErrorCode TakePlace(NewFile *new)
{
  hsize_t size;
  herr_t  status;
  int     error;

  PetscFunctionBegin;
  CallHDF5(status, H5Fflush, new->file, H5F_SCOPE_GLOBAL);
  CallHDF5(status, H5Fget_filesize, new->file, &size);
  CallHDF5(status, H5Fclose, new->file);
  new->file = H5I_INVALID_HID;
  PetscCall(SpaceTrim(new->path, new->descriptor, (PetscInt64)size));
  error = PathReplace(new->temporary, new->path);
  if (error != 0) PetscFunctionReturn(RefuseWriting(new->path, error));
  ScrapForget(new->temporary);
  close(new->descriptor);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: what has not taken its place is removed. */
static void Discard(NewFile *new)
{
  if (new->file >= 0) H5Fclose(new->file);
  if (new->descriptor < 0) {
    ScrapForget(new->temporary);
  } else {
    close(new->descriptor);
    ScrapRemove(new->temporary);
  }
}

PetscErrorCode FileWriteTogether(const char *path, MPI_Comm comm, const FileKind *kind, PetscInt64 num_bytes, const void *plan, PetscBool *whole)
{
  NewFile        file = {.path = path, .descriptor = -1, .file = H5I_INVALID_HID};
  PetscErrorCode code = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  *whole = PETSC_FALSE;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PathAppend(path, ".tmp", file.temporary));
  if (rank == 0) code = LayOut(&file, kind, num_bytes, plan);
  if (code != PETSC_SUCCESS) Discard(&file);
  code = VerdictOfFirst(comm, code);
  if (code != PETSC_SUCCESS) PetscFunctionReturn(code);
  PetscCall(kind->fill(file.file, plan, whole));
  if (rank == 0 && *whole) code = TakePlace(&file);
  if (rank == 0 && (code != PETSC_SUCCESS || !*whole)) Discard(&file);
  PetscFunctionReturn(VerdictOfFirst(comm, code));
}
