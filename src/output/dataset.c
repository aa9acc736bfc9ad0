/* dataset.c - datasets: contiguous, little-endian, allocated when created, so that each has its final place in the file at once. */
#include "result.h"
#include <math.h>
#include <string.h>

#if defined(PETSC_WORDS_BIGENDIAN)
  #error "rows are written as they are in memory, and the file is little-endian: this machine needs a conversion in data.c"
#endif

_Static_assert(sizeof(PetscReal) == 8, "the file holds doubles of 8 bytes");
_Static_assert(sizeof(PetscInt64) == 8, "the file holds whole numbers of 8 bytes");

size_t SizeOfType(ResultType type)
{
  return type == RESULT_TEXT ? RESULT_TEXT_LENGTH : 8;
}

PetscErrorCode TypeCreate(ResultType type, size_t text_length, hid_t *stored)
{
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(*stored, H5Tcopy, type == RESULT_REAL ? H5T_IEEE_F64LE : type == RESULT_COUNT ? H5T_STD_I64LE : H5T_C_S1);
  if (type == RESULT_TEXT) {
    CallHDF5(status, H5Tset_size, *stored, text_length);
    CallHDF5(status, H5Tset_strpad, *stored, H5T_STR_NULLPAD);
    CallHDF5(status, H5Tset_cset, *stored, H5T_CSET_UTF8);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SpaceCreate(PetscInt num_dims, const PetscInt64 dims[], hid_t *space)
{
  hsize_t sizes[RESULT_MAX_DIMS] = {0};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_dims; i++) sizes[i] = (hsize_t)dims[i];
  if (num_dims == 0) CallHDF5(*space, H5Screate, H5S_SCALAR);
  else CallHDF5(*space, H5Screate_simple, (int)num_dims, sizes, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `fill` is one element, NULL when all will be written at once. No times: equal contents make equal files. */
static PetscErrorCode PropertiesCreate(hid_t stored, const void *fill, hid_t *properties)
{
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(*properties, H5Pcreate, H5P_DATASET_CREATE);
  CallHDF5(status, H5Pset_layout, *properties, H5D_CONTIGUOUS);
  CallHDF5(status, H5Pset_alloc_time, *properties, H5D_ALLOC_TIME_EARLY);
  CallHDF5(status, H5Pset_obj_track_times, *properties, 0);
  if (fill) CallHDF5(status, H5Pset_fill_value, *properties, stored, fill);
  CallHDF5(status, H5Pset_fill_time, *properties, fill ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(hid_t file, const char *path, hid_t stored, PetscInt num_dims, const PetscInt64 dims[], const void *fill, hid_t *dataset)
{
  hid_t  space, properties;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(SpaceCreate(num_dims, dims, &space));
  PetscCall(PropertiesCreate(stored, fill, &properties));
  PetscCall(GroupsMake(file, path));
  CallHDF5(*dataset, H5Dcreate2, file, path, stored, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  CallHDF5(status, H5Pclose, properties);
  CallHDF5(status, H5Sclose, space);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DatasetWrite(hid_t file, const char *path, ResultType type, size_t text_length, PetscInt num_dims, const PetscInt64 dims[],
                            const void *values)
{
  hid_t  stored, dataset;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(TypeCreate(type, text_length ? text_length : RESULT_TEXT_LENGTH, &stored));
  PetscCall(Create(file, path, stored, num_dims, dims, NULL, &dataset));
  CallHDF5(status, H5Dwrite, dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  CallHDF5(status, H5Dclose, dataset);
  CallHDF5(status, H5Tclose, stored);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DatasetAllocate(hid_t file, const char *path, hid_t stored, PetscInt num_dims, const PetscInt64 dims[])
{
  hid_t  dataset;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(Create(file, path, stored, num_dims, dims, NULL, &dataset));
  CallHDF5(status, H5Dclose, dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the first byte lies in the file; -1 when there is none. */
static PetscInt64 OffsetOf(hid_t dataset)
{
  const haddr_t offset = H5Dget_offset(dataset);

  return offset == HADDR_UNDEF ? -1 : (PetscInt64)offset;
}

PetscErrorCode DatasetReserve(hid_t file, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], PetscInt64 *offset)
{
  const PetscReal not_yet                   = (PetscReal)NAN;
  const char      empty[RESULT_TEXT_LENGTH] = {0};
  hid_t           stored, dataset;
  herr_t          status;

  PetscFunctionBegin;
  PetscCall(TypeCreate(type, RESULT_TEXT_LENGTH, &stored));
  PetscCall(Create(file, path, stored, num_dims, dims, type == RESULT_REAL ? (const void *)&not_yet : (const void *)empty, &dataset));
  *offset = OffsetOf(dataset);
  CallHDF5(status, H5Dclose, dataset);
  CallHDF5(status, H5Tclose, stored);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool HasShape(hid_t dataset, PetscInt num_dims, const PetscInt64 dims[])
{
  hsize_t     sizes[H5S_MAX_RANK];
  const hid_t space = H5Dget_space(dataset);
  const int   rank  = H5Sget_simple_extent_dims(space, sizes, NULL);
  PetscBool   same  = (PetscBool)(rank == num_dims);

  for (PetscInt i = 0; same && i < num_dims; i++) same = (PetscBool)(sizes[i] == (hsize_t)dims[i]);
  H5Sclose(space);
  return same;
}

static PetscBool HasClass(hid_t dataset, ResultType type)
{
  const H5T_class_t kind[] = {[RESULT_REAL] = H5T_FLOAT, [RESULT_COUNT] = H5T_INTEGER, [RESULT_TEXT] = H5T_STRING};
  const hid_t       stored = H5Dget_type(dataset);
  const PetscBool   same   = (PetscBool)(H5Tget_class(stored) == kind[type] && (type == RESULT_TEXT || H5Tget_size(stored) == SizeOfType(type)));

  H5Tclose(stored);
  return same;
}

PetscErrorCode DatasetCheck(hid_t file, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], PetscInt64 *offset)
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);

  PetscFunctionBegin;
  PetscCheck(dataset >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s is not in the result to resume, which has the same values", path);
  PetscCheck(HasClass(dataset, type), PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s has another type in the result to resume", path);
  PetscCheck(HasShape(dataset, num_dims, dims), PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s has another shape in the result to resume", path);
  *offset = OffsetOf(dataset);
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool FindType(hid_t stored, ResultType *type)
{
  if (H5Tequal(stored, H5T_IEEE_F64LE) > 0) *type = RESULT_REAL;
  else if (H5Tequal(stored, H5T_STD_I64LE) > 0) *type = RESULT_COUNT;
  else *type = RESULT_TEXT;
  return (PetscBool)(*type != RESULT_TEXT || (H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0));
}

PetscErrorCode DatasetExamine(hid_t file, const char *path, StoredDataset *found)
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), stored = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
  const hid_t space = dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID;
  hsize_t     sizes[H5S_MAX_RANK];

  PetscFunctionBegin;
  *found = (StoredDataset){0};
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  found->num_dims  = H5Sget_simple_extent_ndims(space);
  found->exists    = (PetscBool)(found->num_dims >= 0 && found->num_dims <= RESULT_MAX_DIMS && FindType(stored, &found->type));
  found->offset    = OffsetOf(dataset);
  found->num_bytes = (PetscInt64)H5Sget_simple_extent_npoints(space) * (PetscInt64)H5Tget_size(stored);
  (void)H5Sget_simple_extent_dims(space, sizes, NULL);
  for (PetscInt i = 0; found->exists && i < found->num_dims; i++) found->dims[i] = (PetscInt64)sizes[i];
  H5Sclose(space);
  H5Tclose(stored);
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only the types this room writes: what a damaged file describes is better not handed to HDF5's conversions. */
PetscBool IsNumber(hid_t stored)
{
  return (PetscBool)(H5Tequal(stored, H5T_IEEE_F64LE) > 0 || H5Tequal(stored, H5T_STD_I64LE) > 0);
}

/* The number of elements of a dataset of numbers, -1 for anything else. */
static hssize_t CountNumbers(hid_t dataset)
{
  const hid_t    stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t count = IsNumber(stored) ? H5Sget_simple_extent_npoints(space) : -1;

  H5Tclose(stored);
  H5Sclose(space);
  return count;
}

PetscErrorCode DatasetGetNumbers(hid_t file, const char *path, PetscInt most, PetscInt *count, PetscReal **numbers)
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  hssize_t    size;

  PetscFunctionBegin;
  *count   = 0;
  *numbers = NULL;
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  size = CountNumbers(dataset);
  if (size >= 0 && size <= most) {
    PetscCall(PetscMalloc1((size_t)size + 1, numbers));
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *numbers) >= 0) *count = (PetscInt)size;
    else PetscCall(PetscFree(*numbers));
  }
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DatasetGetCount(hid_t file, const char *path, PetscInt64 *count, PetscBool *found)
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (CountNumbers(dataset) == 1) *found = (PetscBool)(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, count) >= 0);
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DatasetGetPairs(hid_t file, const char *path, PetscInt64 *num_pairs, PetscInt64 **pairs)
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  hssize_t    size;

  PetscFunctionBegin;
  *num_pairs = 0;
  *pairs     = NULL;
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  size = CountNumbers(dataset);
  if (size > 0) {
    PetscCall(PetscMalloc1((size_t)size, pairs));
    if (H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, *pairs) >= 0) *num_pairs = size / 2;
  }
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bytes of a dataset of fixed-length texts, 0 for anything else. */
static size_t CountBytes(hid_t dataset, size_t *text_size)
{
  const hid_t    stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const int      fixed = H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0;

  *text_size = fixed ? H5Tget_size(stored) : 0;
  H5Tclose(stored);
  H5Sclose(space);
  return *text_size > 0 && count > 0 && (size_t)count <= MOST_TEXT / *text_size ? (size_t)count * *text_size : 0;
}

PetscErrorCode DatasetGetText(hid_t file, const char *path, size_t length, char text[])
{
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  hid_t       stored;
  size_t      num_bytes, text_size;
  char       *all;

  PetscFunctionBegin;
  text[0] = '\0';
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  num_bytes = CountBytes(dataset, &text_size);
  if (num_bytes > 0) {
    stored = H5Dget_type(dataset);
    PetscCall(PetscCalloc1(num_bytes + 1, &all));
    if (H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0) PetscCall(PetscStrncpy(text, all, PetscMin(length, text_size + 1)));
    PetscCall(PetscFree(all));
    H5Tclose(stored);
  }
  H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}
