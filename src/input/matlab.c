/* matlab.c - variables of MATLAB's files of versions 4 to 7, by libmatio: matrices, full and sparse, texts, fields of structs. */
#include "dataset.h"
#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 200, MAX_TEXT = INPUT_MAX_KEY };

static const char *ClassOf(const matvar_t *variable)
{
  switch (variable->class_type) {
  case MAT_C_CELL:
    return "a cell array";
  case MAT_C_STRUCT:
    return "a struct";
  case MAT_C_CHAR:
    return "a text";
  case MAT_C_FUNCTION:
    return "a function";
  case MAT_C_OBJECT:
  case MAT_C_OPAQUE:
    return "an object";
  case MAT_C_EMPTY:
    return "empty";
  default:
    return "a matrix of numbers";
  }
}

static PetscBool IsFull(const matvar_t *variable)
{
  return (PetscBool)(variable->class_type >= MAT_C_DOUBLE && variable->class_type <= MAT_C_UINT64);
}

/* Number i of an array of any real type. */
static double NumberAt(const void *data, enum matio_types type, size_t i)
{
  switch (type) {
  case MAT_T_DOUBLE:
    return ((const double *)data)[i];
  case MAT_T_SINGLE:
    return (double)((const float *)data)[i];
  case MAT_T_INT8:
    return ((const mat_int8_t *)data)[i];
  case MAT_T_UINT8:
    return ((const mat_uint8_t *)data)[i];
  case MAT_T_INT16:
    return ((const mat_int16_t *)data)[i];
  case MAT_T_UINT16:
    return ((const mat_uint16_t *)data)[i];
  case MAT_T_INT32:
    return ((const mat_int32_t *)data)[i];
  case MAT_T_UINT32:
    return ((const mat_uint32_t *)data)[i];
  case MAT_T_INT64:
    return (double)((const mat_int64_t *)data)[i];
  case MAT_T_UINT64:
    return (double)((const mat_uint64_t *)data)[i];
  default:
    return (double)NAN;
  }
}

static void Measure(const matvar_t *variable, const char *path, DatasetReport *report)
{
  if (variable->rank != 2) DatasetFault(report, "%s must have one or two dimensions, it has %d", path, variable->rank);
  if (variable->isComplex) DatasetFault(report, "%s holds complex numbers", path);
  if (report->fault[0]) return;
  report->rows       = (PetscInt64)PetscMin(variable->dims[0], (size_t)PETSC_MAX_INT);
  report->columns    = (PetscInt64)PetscMin(variable->dims[1], (size_t)PETSC_MAX_INT);
  report->by_columns = PETSC_TRUE;
}

static void LoadFull(const matvar_t *variable, const char *path, DatasetReport *report, void **bytes)
{
  double *const numbers = DatasetReserveNumbers(path, report, bytes);
  const size_t  count   = numbers ? (size_t)report->num_bytes / sizeof(double) : 0;

  if (numbers && (!variable->data || variable->nbytes < count * Mat_SizeOf(variable->data_type)))
    DatasetFault(report, "%s cannot be read: it is damaged", path);
  for (size_t i = 0; i < count && !report->fault[0]; i++) numbers[i] = NumberAt(variable->data, variable->data_type, i);
}

static void LoadSparse(const matvar_t *variable, const char *path, DatasetReport *report, void **bytes)
{
  const mat_sparse_t *const sparse  = variable->data;
  const PetscInt64          count   = sparse && sparse->njc == report->columns + 1 ? (PetscInt64)sparse->jc[report->columns] : -1;
  DatasetEntry             *entries = NULL;
  PetscBool                 fine    = (PetscBool)(count >= 0 && count <= sparse->ndata && count <= sparse->nir);

  if (fine) entries = DatasetReserveEntries(path, count, report, bytes);
  for (PetscInt64 c = 0; entries && fine && c < report->columns; c++) {
    fine = (PetscBool)(sparse->jc[c] <= sparse->jc[c + 1] && sparse->jc[c + 1] <= count);
    for (PetscInt64 i = sparse->jc[c]; fine && i < sparse->jc[c + 1]; i++) {
      entries[i] = (DatasetEntry){sparse->ir[i], c, NumberAt(sparse->data, variable->data_type, (size_t)i)};
      fine       = (PetscBool)(sparse->ir[i] < report->rows);
    }
  }
  if (!fine) DatasetFault(report, "%s is damaged: its entries are not in the columns that it says", path);
}

static void LoadNumbers(const matvar_t *variable, const char *path, DatasetReport *report, void **bytes)
{
  if (!IsFull(variable) && variable->class_type != MAT_C_SPARSE) DatasetFault(report, "%s is %s, not a matrix of numbers", path, ClassOf(variable));
  Measure(variable, path, report);
  if (report->fault[0]) return;
  if (variable->class_type == MAT_C_SPARSE) LoadSparse(variable, path, report, bytes);
  else LoadFull(variable, path, report, bytes);
}

/* The text in a row of characters that are kept column by column; of letters beyond ASCII a question mark is left. */
static void AddRow(const matvar_t *text, size_t row, DatasetReport *report, char packed[])
{
  const size_t length = PetscMin(text->dims[1], (size_t)MAX_TEXT - 1);
  char         row_text[MAX_TEXT];

  for (size_t c = 0; c < length; c++) {
    const size_t    i      = c * text->dims[0] + row;
    const PetscBool wide   = (PetscBool)(text->data_type == MAT_T_UINT16 || text->data_type == MAT_T_UTF16);
    const unsigned  letter = wide ? ((const mat_uint16_t *)text->data)[i] : ((const mat_uint8_t *)text->data)[i];

    row_text[c] = letter < 128 ? (char)letter : '?';
  }
  DatasetAddText(row_text, length, report, packed);
}

/* Whether all of its characters are there. */
static PetscBool IsText(const matvar_t *variable)
{
  const size_t width = variable && (variable->data_type == MAT_T_UINT16 || variable->data_type == MAT_T_UTF16) ? 2 : 1;

  return (PetscBool)(variable && variable->class_type == MAT_C_CHAR && variable->rank == 2 && variable->data &&
                     variable->dims[0] <= DATASET_MAX_TEXT_BYTES && variable->dims[1] <= DATASET_MAX_TEXT_BYTES &&
                     variable->nbytes >= variable->dims[0] * variable->dims[1] * width);
}

static void LoadTexts(matvar_t *variable, const char *path, DatasetReport *report, void **bytes)
{
  const PetscBool cells = (PetscBool)(variable->class_type == MAT_C_CELL && variable->rank == 2 && variable->data);
  char           *packed;

  if (!cells && !IsText(variable)) DatasetFault(report, "%s is %s, not a list of texts", path, ClassOf(variable));
  else report->rows = (PetscInt64)(cells ? variable->nbytes / sizeof(matvar_t *) : variable->dims[0]);
  report->columns = 1;
  packed          = DatasetReserveTexts(path, MAX_TEXT, report, bytes);
  for (PetscInt64 i = 0; packed && i < report->rows && !report->fault[0]; i++) {
    const matvar_t *const text = cells ? Mat_VarGetCell(variable, (int)i) : variable;

    if (cells && (!IsText(text) || text->dims[0] != 1))
      DatasetFault(report, "%s must hold a text in each cell, cell %" PetscInt64_FMT " has none", path, i + 1);
    else AddRow(text, cells ? 0 : (size_t)i, report, packed);
  }
}

/* The name up to the next `.` or `/`; where the next one begins, NULL behind the last. */
static const char *NextName(const char *path, char name[MAX_NAME])
{
  const size_t length = strcspn(path, "./");

  snprintf(name, MAX_NAME, "%.*s", (int)PetscMin(length, (size_t)MAX_NAME - 1), path);
  return path[length] ? path + length + 1 : NULL;
}

/* Names of MATLAB are ASCII; those of a damaged file may be anything. */
static void Tell(const char *name, PetscInt64 index, char list[], size_t size)
{
  char plain[MAX_NAME];

  snprintf(plain, sizeof plain, "%s", name);
  for (char *c = plain; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  DatasetTell(plain, index, list, size);
}

static void SetMissing(mat_t *file, const char *path, DatasetReport *report)
{
  size_t       count                   = 0;
  char *const *names                   = Mat_GetDir(file, &count);
  char         list[DATASET_FAULT / 2] = "";

  for (size_t i = 0; names && i < count; i++) Tell(names[i], (PetscInt64)i, list, sizeof list);
  DatasetFault(report, "has no variable %s; it has: %s", InputQuote(path).text, list[0] ? list : "nothing that can be read");
}

static void SetMissingField(matvar_t *variable, const char *path, const char *name, DatasetReport *report)
{
  const unsigned     count                   = variable->class_type == MAT_C_STRUCT ? Mat_VarGetNumberOfFields(variable) : 0;
  char *const *const names                   = count ? Mat_VarGetStructFieldnames(variable) : NULL;
  char               list[DATASET_FAULT / 2] = "";

  for (unsigned i = 0; names && i < count; i++) Tell(names[i], i, list, sizeof list);
  if (variable->class_type != MAT_C_STRUCT) DatasetFault(report, "has no %s; %s is %s", InputQuote(path).text, name, ClassOf(variable));
  else DatasetFault(report, "has no %s; the struct %s has: %s", InputQuote(path).text, name, list[0] ? list : "nothing");
}

/* The field of the variable that the rest of the path names; the variable itself where there is no rest. */
static matvar_t *FindField(matvar_t *variable, const char *path, const char *rest, const char *first, DatasetReport *report)
{
  char name[MAX_NAME], outer[MAX_NAME];

  snprintf(outer, sizeof outer, "%s", first);
  while (rest && variable) {
    matvar_t *field;

    rest  = NextName(rest, name);
    field = variable->class_type == MAT_C_STRUCT ? Mat_VarGetStructFieldByName(variable, name, 0) : NULL;
    if (!field) SetMissingField(variable, path, outer, report);
    variable = field;
    memcpy(outer, name, sizeof outer);
  }
  return variable;
}

static void Load(mat_t *file, const char *path, DatasetKind kind, DatasetReport *report, void **bytes)
{
  char              name[MAX_NAME];
  const char *const rest     = NextName(path + (path[0] == '/'), name);
  matvar_t *const   info     = Mat_VarReadInfo(file, name);
  matvar_t         *variable = NULL, *field;

  if (!info) SetMissing(file, path, report);
  else if (!rest && kind == DATASET_NUMBERS && IsFull(info)) {
    Measure(info, path, report);
    if (report->rows * report->columns > (PetscInt64)(INPUT_MAX_TABLE_BYTES / sizeof(double)))
      DatasetFault(report, "%s has %" PetscInt64_FMT " x %" PetscInt64_FMT " numbers: too many", path, report->rows, report->columns);
  }
  if (!report->fault[0]) variable = Mat_VarRead(file, name);
  if (!report->fault[0] && !variable) DatasetFault(report, "%s cannot be read: it is damaged", path);
  field = report->fault[0] ? NULL : FindField(variable, path, rest, name, report);
  if (field && kind == DATASET_NUMBERS) LoadNumbers(field, path, report, bytes);
  else if (field) LoadTexts(field, path, report, bytes);
  Mat_VarFree(info);
  Mat_VarFree(variable);
}

void DatasetLoadMatlab(const char *path, const char *name, DatasetKind kind, DatasetReport *report, void **bytes)
{
  mat_t *const file = Mat_Open(path, MAT_ACC_RDONLY);

  if (!file) DatasetFault(report, "cannot be opened: it is no file of MATLAB, or damaged");
  else if (Mat_GetVersion(file) == MAT_FT_MAT73) DatasetFault(report, "says that it is HDF5, and is not"); /* those are read without libmatio */
  else Load(file, name, kind, report, bytes);
  if (file) Mat_Close(file);
}
