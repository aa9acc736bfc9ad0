/* hdf5.c - datasets of HDF5 files that other programs wrote: numbers and texts. Of MATLAB's files (v7.3) see hdf5_matlab.c. */
#define PETSC_DESIRE_FEATURE_TEST_MACROS /* access, strnlen beside ISO C */
#include "dataset.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "hdf5_matlab.h"

enum { MAX_NAME = 200 };

/* Access without file locks: another program may be writing the file, and some file systems cannot lock. */
static hid_t OpenFile(const char *path, DatasetReport *report)
{
  const hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
  hid_t       file        = H5I_INVALID_HID;

  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* HDF5 would print its stack */
  H5Pset_fapl_sec2(access_list);
  H5Pset_file_locking(access_list, 0, 1);
  H5Pset_fclose_degree(access_list, H5F_CLOSE_STRONG);
  if (access(path, R_OK) != 0) DatasetFault(report, "cannot be read: %s", strerror(errno));
  else if (H5Fis_hdf5(path) <= 0) DatasetFault(report, "is no HDF5 file");
  else file = H5Fopen(path, H5F_ACC_RDONLY, access_list);
  if (file < 0) DatasetFault(report, "is damaged: HDF5 cannot open it");
  H5Pclose(access_list);
  return file;
}

/* ", " between the members of a group. */
static void ListMembers(hid_t group, char list[], size_t size)
{
  H5G_info_t info = {.nlinks = 0};

  list[0] = '\0';
  if (H5Gget_info(group, &info) < 0) return;
  for (hsize_t i = 0; i < info.nlinks && i <= DATASET_MAX_TOLD; i++) {
    char name[MAX_NAME] = "";

    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) >= 0)
      DatasetTell(name, (PetscInt64)i, list, size);
  }
}

/* Complains of a path, with the members of the last group on it that exists. */
static void SetMissing(hid_t file, const char *path, DatasetReport *report)
{
  char  known[MAX_NAME] = "/", list[DATASET_FAULT / 2] = "";
  hid_t group = H5Oopen(file, "/", H5P_DEFAULT);

  for (const char *slash = path[0] ? strchr(path + 1, '/') : NULL; slash && slash - path < MAX_NAME; slash = strchr(slash + 1, '/')) {
    char        name[MAX_NAME];
    hid_t       next;
    const char *found = name;

    snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
    next = H5Lexists(file, found, H5P_DEFAULT) > 0 ? H5Oopen(file, found, H5P_DEFAULT) : H5I_INVALID_HID;
    if (next < 0) break;
    H5Oclose(group);
    group = next;
    memcpy(known, name, sizeof known);
  }
  ListMembers(group, list, sizeof list);
  if (H5Iget_type(group) == H5I_GROUP)
    DatasetFault(report, "has no dataset %s; %s has: %s", InputQuote(path).text, known, list[0] ? list : "nothing");
  else DatasetFault(report, "has no dataset %s; %s is no group", InputQuote(path).text, known);
  H5Oclose(group);
}

/* Sizes of a dataset of one or two dimensions; one is a column. */
static void Measure(hid_t dataset, const char *path, DatasetReport *report)
{
  const hid_t space               = H5Dget_space(dataset);
  hsize_t     sizes[H5S_MAX_RANK] = {0};
  const int   rank                = H5Sget_simple_extent_dims(space, sizes, NULL);

  report->rows    = rank > 0 ? (PetscInt64)PetscMin(sizes[0], (hsize_t)PETSC_MAX_INT) : 0;
  report->columns = rank > 1 ? (PetscInt64)PetscMin(sizes[1], (hsize_t)PETSC_MAX_INT) : 1;
  if (rank != 1 && rank != 2) DatasetFault(report, "%s must have one or two dimensions, it has %d", path, rank);
  else if (report->rows == 0 || report->columns == 0) DatasetFault(report, "%s is empty", path);
  H5Sclose(space);
}

/* MATLAB keeps matrices column by column, with the sizes in reverse order. */
static void LoadNumbers(hid_t dataset, const char *path, PetscBool matlab, DatasetReport *report, void **bytes)
{
  const hid_t       stored = H5Dget_type(dataset);
  const H5T_class_t kind   = H5Tget_class(stored);
  double           *numbers;

  if (matlab) HDF5RefuseMatlabClass(dataset, path, report);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) DatasetFault(report, "%s holds no real numbers", path);
  H5Tclose(stored);
  Measure(dataset, path, report);
  if (matlab && report->columns > 1) {
    const PetscInt64 columns = report->rows;

    report->rows       = report->columns;
    report->columns    = columns;
    report->by_columns = PETSC_TRUE;
  }
  numbers = DatasetReserveNumbers(path, report, bytes);
  if (numbers && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0)
    DatasetFault(report, "%s cannot be read: it is damaged, or packed in a way that this HDF5 does not know", path);
}

static void LoadFixedTexts(hid_t dataset, hid_t stored, size_t size, DatasetReport *report, char packed[])
{
  char *const     texts = calloc((size_t)report->rows, size);
  const PetscBool fine  = (PetscBool)(texts && H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);

  if (!fine) DatasetFault(report, "its texts cannot be read");
  for (PetscInt64 i = 0; fine && i < report->rows; i++) DatasetAddText(texts + (size_t)i * size, size, report, packed);
  free(texts);
}

static void LoadVariableTexts(hid_t dataset, hid_t stored, DatasetReport *report, char packed[])
{
  const hid_t     space = H5Dget_space(dataset);
  char **const    texts = calloc((size_t)report->rows, sizeof *texts);
  const PetscBool fine  = (PetscBool)(texts && H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);

  if (!fine) DatasetFault(report, "its texts cannot be read");
  for (PetscInt64 i = 0; fine && i < report->rows; i++)
    DatasetAddText(texts[i] ? texts[i] : "", texts[i] ? strnlen(texts[i], INPUT_MAX_KEY) : 0, report, packed);
  if (fine) H5Dvlen_reclaim(stored, space, H5P_DEFAULT, texts);
  free(texts);
  H5Sclose(space);
}

static void LoadTexts(hid_t dataset, const char *path, DatasetReport *report, void **bytes)
{
  const hid_t     stored   = H5Dget_type(dataset);
  const PetscBool variable = (PetscBool)(H5Tis_variable_str(stored) > 0);
  const size_t    size     = variable ? INPUT_MAX_KEY : H5Tget_size(stored);
  char           *texts;

  if (H5Tget_class(stored) != H5T_STRING) DatasetFault(report, "%s holds no texts", path);
  Measure(dataset, path, report);
  if (report->columns != 1) DatasetFault(report, "%s must be a list of texts", path);
  texts = DatasetReserveTexts(path, size, report, bytes);
  if (texts && variable) LoadVariableTexts(dataset, stored, report, texts);
  else if (texts) LoadFixedTexts(dataset, stored, size, report, texts);
  H5Tclose(stored);
}

static void LoadObject(hid_t object, const char *path, PetscBool matlab, DatasetKind kind, DatasetReport *report, void **bytes)
{
  const PetscBool group = (PetscBool)(H5Iget_type(object) != H5I_DATASET);
  char            list[DATASET_FAULT / 2];

  if (kind == DATASET_NUMBERS && !group) LoadNumbers(object, path, matlab, report, bytes);
  else if (kind == DATASET_NUMBERS && matlab && HDF5IsMatlabSparse(object)) HDF5LoadMatlabSparse(object, path, report, bytes);
  else if (group) {
    ListMembers(object, list, sizeof list);
    DatasetFault(report, "%s is a group, not a dataset; it has: %s", path, list[0] ? list : "nothing");
  } else if (matlab) HDF5LoadMatlabTexts(object, path, report, bytes);
  else LoadTexts(object, path, report, bytes);
}

void DatasetLoadHDF5(const char *file_path, const char *path, DatasetKind kind, DatasetReport *report, void **bytes)
{
  const hid_t     file   = OpenFile(file_path, report);
  const PetscBool matlab = (PetscBool)(file >= 0 && HDF5IsMatlab(file_path));
  char            inside[MAX_NAME];
  hid_t           object;

  snprintf(inside, sizeof inside, "%s", path);
  for (char *c = inside; matlab && *c; c++) /* the field b of the struct a is a.b in MATLAB, and /a/b in HDF5 */
    if (*c == '.') *c = '/';
  object = file >= 0 && strlen(path) < sizeof inside ? H5Oopen(file, inside, H5P_DEFAULT) : H5I_INVALID_HID;
  if (object >= 0) LoadObject(object, path, matlab, kind, report, bytes);
  else if (file >= 0) SetMissing(file, inside, report);
  if (object >= 0) H5Oclose(object);
  if (file >= 0) H5Fclose(file);
}
