/* hdf5_matlab.c - what MATLAB keeps in HDF5 files (v7.3) in ways of its own: sparse matrices, texts, cell arrays. */
#include "hdf5_matlab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = INPUT_MAX_KEY };

PetscBool HDF5IsMatlab(const char *path)
{
  static const char header[]             = "MATLAB 7.3 MAT-file";
  char              begin[sizeof header] = "";
  FILE *const       file                 = fopen(path, "rb");

  if (!file) return PETSC_FALSE;
  if (fread(begin, 1, sizeof header - 1, file) < sizeof header - 1) begin[0] = '\0';
  fclose(file);
  return (PetscBool)(strcmp(begin, header) == 0);
}

/* The attribute MATLAB_class: double, char, cell, ...; "" when there is none. */
static void FindClass(hid_t object, char name[MAX_TEXT])
{
  const hid_t attribute = H5Aexists(object, "MATLAB_class") > 0 ? H5Aopen(object, "MATLAB_class", H5P_DEFAULT) : H5I_INVALID_HID;
  hid_t       type;

  memset(name, 0, MAX_TEXT);
  if (attribute < 0) return;
  type = H5Aget_type(attribute);
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) < MAX_TEXT) H5Aread(attribute, type, name);
  H5Tclose(type);
  H5Aclose(attribute);
}

void HDF5RefuseMatlabClass(hid_t dataset, const char *path, DatasetReport *report)
{
  char class[MAX_TEXT];

  FindClass(dataset, class);
  if (H5Aexists(dataset, "MATLAB_empty") > 0) DatasetFault(report, "%s is empty", path);
  if (strcmp(class, "char") == 0) DatasetFault(report, "%s is a text, not a matrix of numbers", path);
  if (strcmp(class, "cell") == 0) DatasetFault(report, "%s is a cell array, not a matrix of numbers", path);
}

PetscBool HDF5IsMatlabSparse(hid_t object)
{
  return (PetscBool)(H5Iget_type(object) == H5I_GROUP && H5Aexists(object, "MATLAB_sparse") > 0);
}

/* Numbers of a dataset of one dimension in memory that the caller frees; NULL, and none, when there is no such dataset. */
static void *LoadVector(hid_t group, const char *name, hid_t type, PetscInt64 *count)
{
  const hid_t dataset = H5Lexists(group, name, H5P_DEFAULT) > 0 ? H5Dopen2(group, name, H5P_DEFAULT) : H5I_INVALID_HID;
  const hid_t space   = dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID;
  void       *numbers = NULL;

  *count = space >= 0 ? (PetscInt64)H5Sget_simple_extent_npoints(space) : 0;
  if (*count > 0 && *count <= INPUT_MAX_TABLE_BYTES / (PetscInt64)sizeof(double)) numbers = calloc((size_t)*count, sizeof(double));
  if (numbers && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) {
    free(numbers);
    numbers = NULL;
  }
  if (!numbers) *count = 0;
  if (space >= 0) H5Sclose(space);
  if (dataset >= 0) H5Dclose(dataset);
  return numbers;
}

/* Entry i is in the column whose first entry is the last that is not beyond it. */
static void FillEntries(const char *path, const PetscInt64 *row, const PetscInt64 *first, const double *value, PetscInt64 count,
                        DatasetReport *report, DatasetEntry entries[])
{
  PetscBool fine = (PetscBool)(first[0] == 0 && first[report->columns] == count);

  for (PetscInt64 c = 0; c < report->columns && fine; c++) {
    fine = (PetscBool)(first[c] <= first[c + 1] && first[c + 1] <= count);
    for (PetscInt64 i = first[c]; i < first[c + 1] && fine; i++) {
      fine       = (PetscBool)(row[i] >= 0 && row[i] < report->rows);
      entries[i] = (DatasetEntry){row[i], c, value[i]};
    }
  }
  if (!fine) DatasetFault(report, "%s is damaged: its entries are not in the columns that it says", path);
}

void HDF5LoadMatlabSparse(hid_t group, const char *path, DatasetReport *report, void **bytes)
{
  const hid_t   attribute = H5Aopen(group, "MATLAB_sparse", H5P_DEFAULT);
  PetscInt64    num_rows  = 0, num_first, num_values, num_listed;
  PetscInt64   *first = LoadVector(group, "jc", H5T_NATIVE_INT64, &num_first), *row = LoadVector(group, "ir", H5T_NATIVE_INT64, &num_listed);
  double       *value = LoadVector(group, "data", H5T_NATIVE_DOUBLE, &num_values);
  DatasetEntry *entries;

  if (H5Aread(attribute, H5T_NATIVE_INT64, &num_rows) < 0 || num_first < 1 || num_listed != num_values)
    DatasetFault(report, "%s holds no sparse matrix of real numbers, or is damaged", path);
  report->rows    = num_rows;
  report->columns = num_first - 1;
  entries         = DatasetReserveEntries(path, num_values, report, bytes);
  if (entries) FillEntries(path, row, first, value, num_values, report, entries);
  H5Aclose(attribute);
  free(first);
  free(row);
  free(value);
}

/* The text in row `row` of characters that are kept column by column; of letters beyond ASCII a question mark is left. */
static void AddRow(const PetscInt64 characters[], PetscInt64 row, PetscInt64 rows, PetscInt64 columns, DatasetReport *report, char packed[])
{
  char       text[MAX_TEXT] = "";
  PetscInt64 length         = PetscMin(columns, MAX_TEXT - 1);

  for (PetscInt64 c = 0; c < length; c++) {
    const PetscInt64 letter = characters[c * rows + row];

    text[c] = letter < 128 ? (char)letter : '?';
  }
  DatasetAddText(text, (size_t)length, report, packed);
}

/* The characters of a dataset, of which MATLAB says that it has `rows` rows; NULL when it is no text. */
static PetscInt64 *LoadCharacters(hid_t dataset, PetscInt64 *rows, PetscInt64 *columns)
{
  hsize_t     sizes[H5S_MAX_RANK] = {0};
  const hid_t space               = H5Dget_space(dataset);
  const int   rank                = H5Sget_simple_extent_dims(space, sizes, NULL);
  PetscInt64 *characters          = NULL;
  char class[MAX_TEXT];

  FindClass(dataset, class);
  *columns = (PetscInt64)sizes[0];
  *rows    = rank == 2 ? (PetscInt64)sizes[1] : 1;
  if (strcmp(class, "char") == 0 && rank >= 1 && rank <= 2 && *rows <= DATASET_MAX_TEXT_BYTES &&
      *columns <= DATASET_MAX_TEXT_BYTES / PetscMax(1, *rows))
    characters = calloc((size_t)(*rows * *columns + 1), sizeof *characters);
  if (characters && *rows * *columns > 0 && H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters) < 0) {
    free(characters);
    characters = NULL;
  }
  H5Sclose(space);
  return characters;
}

static void LoadRows(hid_t dataset, const char *path, DatasetReport *report, void **bytes)
{
  PetscInt64 columns, *const characters = LoadCharacters(dataset, &report->rows, &columns);
  char *packed;

  report->columns = 1;
  if (!characters) DatasetFault(report, "%s holds no texts", path);
  packed = DatasetReserveTexts(path, MAX_TEXT, report, bytes);
  for (PetscInt64 r = 0; packed && r < report->rows; r++) AddRow(characters, r, report->rows, columns, report, packed);
  free(characters);
}

static void AddCell(hid_t dataset, const hobj_ref_t *reference, const char *path, PetscInt64 index, DatasetReport *report, char packed[])
{
  const hid_t object = H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, reference);
  PetscInt64  rows = 0, columns = 0;
  PetscInt64 *characters = object >= 0 && H5Iget_type(object) == H5I_DATASET ? LoadCharacters(object, &rows, &columns) : NULL;

  if (characters && rows == 1) AddRow(characters, 0, 1, columns, report, packed);
  else DatasetFault(report, "%s must hold a text in each cell, cell %" PetscInt64_FMT " has none", path, index + 1);
  free(characters);
  if (object >= 0) H5Oclose(object);
}

static void LoadCells(hid_t dataset, const char *path, DatasetReport *report, void **bytes)
{
  const hid_t      space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const PetscInt64 count      = (PetscInt64)H5Sget_simple_extent_npoints(space);
  hobj_ref_t      *references = NULL;
  char            *packed;

  report->rows    = PetscMax(count, 0);
  report->columns = 1;
  if (!H5Tequal(type, H5T_STD_REF_OBJ)) DatasetFault(report, "%s holds no texts", path);
  packed = DatasetReserveTexts(path, MAX_TEXT, report, bytes);
  if (packed) references = calloc((size_t)count, sizeof *references);
  if (packed && (!references || H5Dread(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, references) < 0))
    DatasetFault(report, "its texts cannot be read");
  for (PetscInt64 i = 0; packed && i < count && !report->fault[0]; i++) AddCell(dataset, &references[i], path, i, report, packed);
  free(references);
  H5Tclose(type);
  H5Sclose(space);
}

void HDF5LoadMatlabTexts(hid_t dataset, const char *path, DatasetReport *report, void **bytes)
{
  char class[MAX_TEXT];

  FindClass(dataset, class);
  if (strcmp(class, "cell") == 0) LoadCells(dataset, path, report, bytes);
  else LoadRows(dataset, path, report, bytes);
}
