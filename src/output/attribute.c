/* attribute.c - attributes: scalars of groups and datasets; texts lie in the file's heap and may have any length. */
#include "result.h"

static PetscErrorCode OpenOrMakeGroup(hid_t file, const char *path, hid_t *object)
{
  hid_t  link;
  herr_t status;

  PetscFunctionBegin;
  *object = H5Oopen(file, path, H5P_DEFAULT);
  if (*object >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  CallHDF5(link, H5Pcreate, H5P_LINK_CREATE);
  CallHDF5(status, H5Pset_create_intermediate_group, link, 1);
  CallHDF5(*object, H5Gcreate2, file, path, link, H5P_DEFAULT, H5P_DEFAULT);
  CallHDF5(status, H5Pclose, link);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(hid_t file, const char *path, const char *name, hid_t type, const void *value)
{
  hid_t  object, space, attribute;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(OpenOrMakeGroup(file, path, &object));
  CallHDF5(space, H5Screate, H5S_SCALAR);
  CallHDF5(attribute, H5Acreate2, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  CallHDF5(status, H5Awrite, attribute, type, value);
  CallHDF5(status, H5Aclose, attribute);
  CallHDF5(status, H5Sclose, space);
  CallHDF5(status, H5Oclose, object);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An attribute proper holds at most 64 KB; one of variable length holds a reference to the heap. */
static PetscErrorCode TextTypeCreate(hid_t *type)
{
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(*type, H5Tcopy, H5T_C_S1);
  CallHDF5(status, H5Tset_size, *type, H5T_VARIABLE);
  CallHDF5(status, H5Tset_cset, *type, H5T_CSET_UTF8);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeWriteReal(hid_t file, const char *path, const char *name, PetscReal value)
{
  PetscFunctionBegin;
  PetscCall(Write(file, path, name, H5T_IEEE_F64LE, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeWriteCount(hid_t file, const char *path, const char *name, PetscInt64 value)
{
  PetscFunctionBegin;
  PetscCall(Write(file, path, name, H5T_STD_I64LE, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeWriteText(hid_t file, const char *path, const char *name, const char *value)
{
  hid_t  type;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(TextTypeCreate(&type));
  PetscCall(Write(file, path, name, type, &value));
  CallHDF5(status, H5Tclose, type);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeCheck(hid_t file, const char *path, const char *name)
{
  PetscFunctionBegin;
  PetscCheck(H5Aexists_by_name(file, path, name, H5P_DEFAULT) > 0, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "attribute %s of %s is not in the result to resume, which has the same values", name, path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of our own type exactly, see IsNumber. */
static PetscBool IsOneText(hid_t attribute, hid_t type)
{
  const hid_t     stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const PetscBool is = (PetscBool)(H5Tequal(stored, type) > 0 && H5Sget_simple_extent_npoints(space) == 1);

  H5Tclose(stored);
  H5Sclose(space);
  return is;
}

PetscErrorCode AttributeGetText(hid_t attribute, char **text)
{
  char  *found = NULL;
  hid_t  type;
  herr_t status;

  PetscFunctionBegin;
  *text = NULL;
  if (attribute < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TextTypeCreate(&type));
  if (IsOneText(attribute, type)) {
    if (H5Aread(attribute, type, &found) >= 0) PetscCall(PetscStrallocpy(found ? found : "", text));
    H5free_memory(found);
  }
  CallHDF5(status, H5Tclose, type);
  H5Aclose(attribute);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeGetTextByName(hid_t file, const char *path, const char *name, char **text)
{
  PetscFunctionBegin;
  PetscCall(AttributeGetText(H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT), text));
  PetscFunctionReturn(PETSC_SUCCESS);
}
