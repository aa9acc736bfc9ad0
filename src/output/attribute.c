/* attribute.c - attributes: scalars of groups and datasets; texts of any length. */
#include "result.h"
#include <string.h>

static PetscErrorCode OpenOrMakeGroup(hid_t file, const char *path, hid_t *object)
{
  char group[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  *object = H5Oopen(file, path, H5P_DEFAULT);
  if (*object >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PathAppend(path, "/", group));
  PetscCall(GroupsMake(file, group));
  CallHDF5(*object, H5Oopen, file, path, H5P_DEFAULT);
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
  PetscCall(TypeCreate(RESULT_TEXT, PetscMax(strlen(value), 1), &type));
  PetscCall(Write(file, path, name, type, value));
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

/* In results of before texts have variable length, and lie in a heap. */
static PetscErrorCode ReadFromHeap(hid_t attribute, hid_t stored, char **text)
{
  char *found = NULL;

  PetscFunctionBegin;
  if (H5Aread(attribute, stored, &found) >= 0) PetscCall(PetscStrallocpy(found ? found : "", text));
  H5free_memory(found);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFixed(hid_t attribute, hid_t stored, char **text)
{
  const size_t size = H5Tget_size(stored);

  PetscFunctionBegin;
  if (size > MOST_TEXT) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(size + 1, text));
  if (H5Aread(attribute, stored, *text) < 0) PetscCall(PetscFree(*text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeGetText(hid_t attribute, char **text)
{
  hid_t stored, space;

  PetscFunctionBegin;
  *text = NULL;
  if (attribute < 0) PetscFunctionReturn(PETSC_SUCCESS);
  stored = H5Aget_type(attribute);
  space  = H5Aget_space(attribute);
  if (H5Tget_class(stored) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1) {
    if (H5Tis_variable_str(stored) > 0) PetscCall(ReadFromHeap(attribute, stored, text));
    else PetscCall(ReadFixed(attribute, stored, text));
  }
  H5Tclose(stored);
  H5Sclose(space);
  H5Aclose(attribute);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AttributeGetTextByName(hid_t file, const char *path, const char *name, char **text)
{
  PetscFunctionBegin;
  PetscCall(AttributeGetText(H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT), text));
  PetscFunctionReturn(PETSC_SUCCESS);
}
