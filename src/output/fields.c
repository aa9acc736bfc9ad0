/* fields.c - a mesh and fields on it as a static VTKHDF file. */
#include "fields.h"
#include <stdio.h>
#include <string.h>

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
  PetscCall(GroupsMake(file, "/VTKHDF/"));
  CallHDF5(group, H5Gopen2, file, "/VTKHDF", H5P_DEFAULT);
  CallHDF5(text, H5Tcopy, H5T_C_S1);
  CallHDF5(status, H5Tset_size, text, strlen(kind));
  CallHDF5(status, H5Tset_strpad, text, H5T_STR_NULLPAD);
  PetscCall(WriteAttribute(group, "Version", H5T_STD_I64LE, 2, version));
  PetscCall(WriteAttribute(group, "Type", text, 1, kind));
  CallHDF5(status, H5Tclose, text);
  CallHDF5(status, H5Gclose, group);
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  MPI_Comm      comm;
  PetscInt      num_columns;
  const Column *columns;
} Plan;

static PetscErrorCode LayOut(hid_t file, const void *plan)
{
  const Plan *const all = plan;

  PetscFunctionBegin;
  PetscCall(WriteKind(file));
  for (PetscInt c = 0; c < all->num_columns; c++) PetscCall(ColumnAllocate(file, &all->columns[c]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fill(hid_t file, const void *plan, PetscBool *whole)
{
  const Plan *const all = plan;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < all->num_columns; c++) PetscCall(ColumnWrite(all->comm, file, &all->columns[c]));
  *whole = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const FileKind kind_vtkhdf = {.group = "VTKHDF", .lay_out = LayOut, .fill = Fill};

static PetscErrorCode Describe(const Mesh *mesh, const Grid *grid, const Field *field, Column *column)
{
  const int length = snprintf(column->path, sizeof column->path, "/VTKHDF/%s/%s", field->of_cells ? "CellData" : "PointData", field->name);

  PetscFunctionBegin;
  PetscCheck(field->name[0] && !strchr(field->name, '/') && length < (int)sizeof column->path, MeshComm(mesh), PETSC_ERR_ARG_WRONG,
             "field '%s': a short name without '/'", field->name);
  column->stored = H5T_IEEE_F64LE;
  column->width  = field->num_components > 1 ? field->num_components : 0;
  if (field->of_cells) GridAddElements(grid, field->values, column);
  else ColumnAddSlice(column, MeshGetNodes(mesh)->count, 1, SliceCopy, field->values);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldsWrite(const char *path, const Mesh *mesh, PetscInt num_fields, const Field fields[])
{
  const PetscInt num_columns = VTKHDF_NUM_COLUMNS + num_fields;
  PetscInt64     num_bytes   = 0;
  PetscErrorCode code;
  PetscBool      whole;
  Column        *columns;
  Grid           grid;

  PetscFunctionBegin;
  if (!path[0]) PetscFunctionReturn(PETSC_SUCCESS); /* of a result in memory */
  PetscCall(QuietenHDF5());
  PetscCall(GridCreate(mesh, &grid));
  PetscCall(PetscCalloc1(num_columns, &columns));
  GridDescribe(&grid, kind_vtkhdf.group, columns);
  GridDescribeCells(mesh, &grid, &columns[GRID_NUM_COLUMNS]);
  for (PetscInt f = 0; f < num_fields; f++) PetscCall(Describe(mesh, &grid, &fields[f], &columns[VTKHDF_NUM_COLUMNS + f]));
  for (PetscInt c = 0; c < num_columns; c++) {
    PetscCall(ColumnCount(MeshComm(mesh), &columns[c]));
    num_bytes += ColumnBytes(&columns[c]);
  }
  code = FileWriteTogether(path, MeshComm(mesh), &kind_vtkhdf, num_bytes, &(Plan){MeshComm(mesh), num_columns, columns}, &whole);
  PetscCall(PetscFree(columns));
  PetscCall(GridDestroy(&grid));
  PetscFunctionReturn(code);
}
