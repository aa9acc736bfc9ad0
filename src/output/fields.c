/* fields.c - a mesh and fields on it as a file of their own: laid out under a temporary name, filled, put in its place. */
#include "fields.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 4096 }; /* bytes: more than HDF5 adds for a dataset, on average */

/* On rank 0; on the others `file` is invalid and `descriptor` -1. */
typedef struct {
  const char *path;
  char        temporary[PETSC_MAX_PATH_LEN];
  int         descriptor;
  hid_t       file;
} NewFile;

/* Everybody gets rank 0's verdict. */
static PetscErrorCode Agree(MPI_Comm comm, PetscErrorCode code)
{
  int verdict = (int)code;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(&verdict, 1, MPI_INT, 0, comm));
  PetscFunctionReturn((PetscErrorCode)verdict);
}

/* What stands at the path will be replaced, so it must be ours to replace. */
static PetscErrorCode CheckPlace(const char *path)
{
  struct stat status;
  hid_t       earlier;
  PetscBool   fields;

  PetscFunctionBegin;
  if (stat(path, &status) != 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (!S_ISREG(status.st_mode))
    PetscFunctionReturn(Refuse(path, "cannot be written: it is %s", S_ISDIR(status.st_mode) ? "a folder" : "not a regular file"));
  earlier = FileOpen(path);
  fields  = (PetscBool)(earlier >= 0 && H5Lexists(earlier, "VTKHDF", H5P_DEFAULT) > 0);
  if (earlier >= 0) H5Fclose(earlier);
  if (!fields) PetscFunctionReturn(Refuse(path, "is not a file of fields (VTKHDF) and will not be replaced; give the result another name"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteAttribute(hid_t group, const char *name, hid_t type, hsize_t count, const void *value)
{
  hid_t  space, attribute;
  herr_t status;

  PetscFunctionBegin;
  if (count == 1) CallHDF5(space, H5Screate, H5S_SCALAR);
  else CallHDF5(space, H5Screate_simple, 1, &count, NULL);
  CallHDF5(attribute, H5Acreate2, group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  CallHDF5(status, H5Awrite, attribute, type, value);
  CallHDF5(status, H5Aclose, attribute);
  CallHDF5(status, H5Sclose, space);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* VTK reads the type as plain characters: neither of variable length nor UTF-8. */
static PetscErrorCode WriteKind(hid_t file)
{
  static const char       kind[]    = "UnstructuredGrid";
  static const PetscInt64 version[] = {1, 0};
  hid_t                   group, text;
  herr_t                  status;

  PetscFunctionBegin;
  CallHDF5(group, H5Gcreate2, file, "/VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CallHDF5(text, H5Tcopy, H5T_C_S1);
  CallHDF5(status, H5Tset_size, text, strlen(kind));
  CallHDF5(status, H5Tset_strpad, text, H5T_STR_NULLPAD);
  PetscCall(WriteAttribute(group, "Version", H5T_STD_I64LE, 2, version));
  PetscCall(WriteAttribute(group, "Type", text, 1, kind));
  CallHDF5(status, H5Tclose, text);
  CallHDF5(status, H5Gclose, group);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: the file with all its datasets, empty, and the disk it needs. */
static PetscErrorCode LayOut(NewFile *new, PetscInt num_columns, const Column columns[])
{
  PetscInt64 num_bytes = (PetscInt64)num_columns * HEADER;

  PetscFunctionBegin;
  PetscCall(CheckPlace(new->path));
  PetscCall(SpaceProbe(new->path, new->temporary, &new->descriptor));
  PetscCall(FileCreate(new->temporary, &new->file));
  for (PetscInt c = 0; c < num_columns; c++) num_bytes += ColumnBytes(&columns[c]);
  PetscCall(SpaceTakeAll(new->path, new->descriptor, num_bytes));
  PetscCall(WriteKind(new->file));
  for (PetscInt c = 0; c < num_columns; c++) PetscCall(ColumnAllocate(new->file, &columns[c]));
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

static PetscErrorCode Write(const char *path, MPI_Comm comm, PetscInt num_columns, const Column columns[])
{
  NewFile new         = {.path = path, .descriptor = -1, .file = H5I_INVALID_HID};
  PetscErrorCode code = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PathAppend(path, ".tmp", new.temporary));
  if (rank == 0) code = LayOut(&new, num_columns, columns);
  if (code != PETSC_SUCCESS) Discard(&new);
  code = Agree(comm, code);
  if (code != PETSC_SUCCESS) PetscFunctionReturn(code);
  for (PetscInt c = 0; c < num_columns; c++) PetscCall(ColumnWrite(comm, new.file, &columns[c]));
  if (rank == 0) code = TakePlace(&new);
  if (code != PETSC_SUCCESS) Discard(&new);
  PetscFunctionReturn(Agree(comm, code));
}

static PetscErrorCode Describe(const Mesh *mesh, const Field *field, Column *column)
{
  const int length = snprintf(column->path, sizeof column->path, "/VTKHDF/PointData/%s", field->name);

  PetscFunctionBegin;
  PetscCheck(field->name[0] && !strchr(field->name, '/') && length < (int)sizeof column->path, MeshComm(mesh), PETSC_ERR_ARG_WRONG,
             "field '%s': a short name without '/'", field->name);
  column->stored = H5T_IEEE_F64LE;
  column->width  = field->num_components > 1 ? field->num_components : 0;
  ColumnAddSlice(column, MeshGetNodes(mesh)->count, 1, SliceCopy, field->values);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldsWrite(const char *path, const Mesh *mesh, PetscInt num_fields, const Field fields[])
{
  const PetscInt num_columns = GRID_NUM_COLUMNS + num_fields;
  MPI_Comm       comm        = MeshComm(mesh);
  PetscErrorCode code;
  Column        *columns;
  Grid           grid;

  PetscFunctionBegin;
  PetscCall(QuietenHDF5());
  PetscCall(GridCreate(mesh, &grid));
  PetscCall(PetscCalloc1(num_columns, &columns));
  GridDescribe(mesh, &grid, columns);
  for (PetscInt f = 0; f < num_fields; f++) PetscCall(Describe(mesh, &fields[f], &columns[GRID_NUM_COLUMNS + f]));
  for (PetscInt c = 0; c < num_columns; c++) PetscCall(ColumnCount(comm, &columns[c]));
  code = Write(path, comm, num_columns, columns);
  PetscCall(PetscFree(columns));
  PetscCall(GridDestroy(&grid));
  PetscFunctionReturn(code);
}
