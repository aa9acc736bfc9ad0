/* hdf5.c - datasets of HDF5 files that other programs wrote: numbers and texts, read by rank 0 and broadcast to all ranks. */
#define PETSC_DESIRE_FEATURE_TEST_MACROS /* access, strnlen beside ISO C */
#include "input_private.h"
#include <errno.h>
#include <hdf5.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAULT = 1000, MAX_NAME = 200, MAX_TOLD = 20, MAX_TEXT_BYTES = 16000000 };

/* What rank 0 broadcasts before the data. */
typedef struct {
  PetscInt64 dims[2];
  PetscInt64 num_bytes;
  char       fault[FAULT]; /* empty when all is well */
} Report;

static void SetFault(Report *report, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
static void SetFault(Report *report, const char *format, ...)
{
  va_list arguments;

  if (report->fault[0]) return; /* the first fault is the cause of later ones */
  va_start(arguments, format);
  vsnprintf(report->fault, FAULT, format, arguments);
  va_end(arguments);
}

/* Access without file locks: another program may be writing the file, and some file systems cannot lock. */
static hid_t OpenFile(const char *path, Report *report)
{
  const hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
  hid_t       file        = H5I_INVALID_HID;

  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* HDF5 would print its stack */
  H5Pset_fapl_sec2(access_list);
  H5Pset_file_locking(access_list, 0, 1);
  H5Pset_fclose_degree(access_list, H5F_CLOSE_STRONG);
  if (access(path, R_OK) != 0) SetFault(report, "cannot be read: %s", strerror(errno));
  else if (H5Fis_hdf5(path) <= 0) SetFault(report, "is no HDF5 file");
  else file = H5Fopen(path, H5F_ACC_RDONLY, access_list);
  if (file < 0) SetFault(report, "is damaged: HDF5 cannot open it");
  H5Pclose(access_list);
  return file;
}

static void Append(char text[], size_t size, const char *more)
{
  const size_t length = strlen(text);

  if (length < size) snprintf(text + length, size - length, "%s", more);
}

/* ", " between the members of a group. */
static void ListMembers(hid_t group, char list[], size_t size)
{
  H5G_info_t info = {.nlinks = 0};

  list[0] = '\0';
  if (H5Gget_info(group, &info) < 0) return;
  for (hsize_t i = 0; i < info.nlinks && i < MAX_TOLD; i++) {
    char name[MAX_NAME] = "";

    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0) continue;
    if (i) Append(list, size, ", ");
    Append(list, size, name);
  }
  if (info.nlinks > MAX_TOLD) Append(list, size, ", ...");
}

/* Complains of a path, with the members of the last group on it that exists. */
static void SetMissing(hid_t file, const char *path, Report *report)
{
  char  known[MAX_NAME] = "/", list[FAULT / 2] = "";
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
  if (H5Iget_type(group) == H5I_GROUP) SetFault(report, "has no dataset %s; %s has: %s", InputQuote(path).text, known, list[0] ? list : "nothing");
  else SetFault(report, "has no dataset %s; %s is no group", InputQuote(path).text, known);
  H5Oclose(group);
}

/* Sizes of a dataset of one or two dimensions; one is a column. */
static void Measure(hid_t dataset, const char *path, Report *report)
{
  const hid_t space               = H5Dget_space(dataset);
  hsize_t     sizes[H5S_MAX_RANK] = {0};
  const int   rank                = H5Sget_simple_extent_dims(space, sizes, NULL);

  report->dims[0] = rank > 0 ? (PetscInt64)PetscMin(sizes[0], (hsize_t)PETSC_MAX_INT) : 0;
  report->dims[1] = rank > 1 ? (PetscInt64)PetscMin(sizes[1], (hsize_t)PETSC_MAX_INT) : 1;
  if (rank != 1 && rank != 2) SetFault(report, "%s must have one or two dimensions, it has %d", path, rank);
  else if (report->dims[0] == 0 || report->dims[1] == 0) SetFault(report, "%s is empty", path);
  H5Sclose(space);
}

/* The numbers of a dataset, row by row. */
static void LoadNumbers(hid_t dataset, const char *path, Report *report, void **bytes)
{
  const hid_t       stored = H5Dget_type(dataset);
  const H5T_class_t kind   = H5Tget_class(stored);

  if (kind != H5T_FLOAT && kind != H5T_INTEGER) SetFault(report, "%s holds no real numbers", path);
  H5Tclose(stored);
  Measure(dataset, path, report);
  if (report->dims[0] > (PetscInt64)(INPUT_MAX_TABLE_BYTES / sizeof(double)) / PetscMax(1, report->dims[1]))
    SetFault(report, "%s has %" PetscInt64_FMT " x %" PetscInt64_FMT " numbers: too many", path, report->dims[0], report->dims[1]);
  if (report->fault[0]) return;
  report->num_bytes = report->dims[0] * report->dims[1] * (PetscInt64)sizeof(double);
  *bytes            = calloc((size_t)report->num_bytes, 1);
  if (!*bytes) SetFault(report, "%s does not fit into memory", path);
  else if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *bytes) < 0)
    SetFault(report, "%s cannot be read: it is damaged, or packed in a way that this HDF5 does not know", path);
}

/* Appends a text without its padding, and a NUL. */
static void Pack(const char *text, size_t length, char packed[], PetscInt64 *num_bytes)
{
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\0')) length--;
  length = strnlen(text, length);
  memcpy(packed + *num_bytes, text, length);
  packed[*num_bytes + (PetscInt64)length] = '\0';
  *num_bytes += (PetscInt64)length + 1;
}

static void LoadFixedTexts(hid_t dataset, hid_t stored, size_t size, Report *report, char packed[])
{
  char *const     texts = calloc((size_t)report->dims[0], size);
  const PetscBool fine  = (PetscBool)(texts && H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);

  if (!fine) SetFault(report, "its texts cannot be read");
  for (PetscInt64 i = 0; fine && i < report->dims[0]; i++) Pack(texts + (size_t)i * size, size, packed, &report->num_bytes);
  free(texts);
}

static void LoadVariableTexts(hid_t dataset, hid_t stored, Report *report, char packed[])
{
  const hid_t     space = H5Dget_space(dataset);
  char **const    texts = calloc((size_t)report->dims[0], sizeof *texts);
  const PetscBool fine  = (PetscBool)(texts && H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);

  if (!fine) SetFault(report, "its texts cannot be read");
  for (PetscInt64 i = 0; fine && i < report->dims[0]; i++)
    if (texts[i]) Pack(texts[i], strnlen(texts[i], INPUT_MAX_KEY), packed, &report->num_bytes);
    else Pack("", 0, packed, &report->num_bytes);
  if (fine) H5Dvlen_reclaim(stored, space, H5P_DEFAULT, texts);
  free(texts);
  H5Sclose(space);
}

/* The texts of a dataset, each with a NUL. */
static void LoadTexts(hid_t dataset, const char *path, Report *report, void **bytes)
{
  const hid_t     stored   = H5Dget_type(dataset);
  const PetscBool variable = (PetscBool)(H5Tis_variable_str(stored) > 0);
  const size_t    size     = variable ? INPUT_MAX_KEY : H5Tget_size(stored);

  if (H5Tget_class(stored) != H5T_STRING) SetFault(report, "%s holds no texts", path);
  Measure(dataset, path, report);
  if (report->dims[1] != 1) SetFault(report, "%s must be a list of texts", path);
  if (report->dims[0] > (PetscInt64)(MAX_TEXT_BYTES / (size + 1))) SetFault(report, "%s has too many or too long texts", path);
  if (!report->fault[0]) {
    *bytes = calloc((size_t)report->dims[0], size + 1);
    if (!*bytes) SetFault(report, "%s does not fit into memory", path);
    else if (variable) LoadVariableTexts(dataset, stored, report, *bytes);
    else LoadFixedTexts(dataset, stored, size, report, *bytes);
  }
  H5Tclose(stored);
}

typedef void (*Loader)(hid_t dataset, const char *path, Report *report, void **bytes);

/* On rank 0 only. */
static void Load(const char *file_path, const char *path, Loader load, Report *report, void **bytes)
{
  const hid_t file   = OpenFile(file_path, report);
  const hid_t object = file >= 0 ? H5Oopen(file, path, H5P_DEFAULT) : H5I_INVALID_HID;

  if (object >= 0 && H5Iget_type(object) == H5I_DATASET) load(object, path, report, bytes);
  else if (object >= 0) SetFault(report, "%s is a group, not a dataset", path);
  else if (file >= 0) SetMissing(file, path, report);
  if (object >= 0) H5Oclose(object);
  if (file >= 0) H5Fclose(file);
}

/* `bytes` is for the caller to free; NULL after a complaint. */
static PetscErrorCode Read(const InputNode *node, const char *file, const char *path, Loader load, Report *report, char **bytes)
{
  MPI_Comm    comm   = node->document->comm;
  void       *loaded = NULL;
  PetscMPIInt rank;

  PetscFunctionBegin;
  memset(report, 0, sizeof *report);
  *bytes = NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) Load(file, path, load, report, &loaded);
  PetscCallMPI(MPI_Bcast(report, (PetscMPIInt)sizeof *report, MPI_BYTE, 0, comm));
  if (report->fault[0]) {
    PetscCall(InputComplain(node, "%s %s", InputQuote(file).text, report->fault));
  } else {
    PetscCall(PetscMalloc1((size_t)report->num_bytes, bytes));
    if (loaded) memcpy(*bytes, loaded, (size_t)report->num_bytes);
    PetscCallMPI(MPI_Bcast(*bytes, (PetscMPIInt)report->num_bytes, MPI_BYTE, 0, comm));
  }
  free(loaded);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRow(const InputNode *node, const char *path, PetscInt row, const double values[], InputMatrix *matrix, PetscBool *fine)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < matrix->columns && *fine; c++) {
    if (PetscIsInfOrNanReal(values[c])) {
      *fine = PETSC_FALSE;
      PetscCall(InputComplain(node, "%s must be finite: row %" PetscInt_FMT ", column %" PetscInt_FMT " is %g", path, row + 1, c + 1, values[c]));
    } else {
      InputMatrixAdd(matrix, row, c, values[c]);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadDataset(const InputNode *node, const char *file, const char *path, InputMatrix *matrix)
{
  PetscBool     fine = PETSC_TRUE;
  const double *values;
  char         *bytes;
  Report        report;

  PetscFunctionBegin;
  *matrix = (InputMatrix){0};
  PetscCall(Read(node, file, path, LoadNumbers, &report, &bytes));
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  values          = (const double *)(const void *)bytes;
  matrix->rows    = (PetscInt)report.dims[0];
  matrix->columns = (PetscInt)report.dims[1];
  PetscCall(InputMatrixReserve(matrix, matrix->rows * matrix->columns));
  for (PetscInt r = 0; r < matrix->rows && fine; r++) PetscCall(AddRow(node, path, r, values + (size_t)r * (size_t)matrix->columns, matrix, &fine));
  PetscCall(PetscFree(bytes));
  if (fine) PetscCall(InputMatrixRecord(node, matrix));
  else PetscCall(InputMatrixDestroy(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadDatasetTexts(const InputNode *node, const char *file, const char *path, InputTexts *texts)
{
  const char **values = NULL, *text;
  char        *bytes;
  Report       report;

  PetscFunctionBegin;
  *texts = (InputTexts){0};
  PetscCall(Read(node, file, path, LoadTexts, &report, &bytes));
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputAllocate(node->document, (size_t)report.dims[0] * sizeof *values, &values));
  PetscCall(InputCopyText(node->document, bytes, (size_t)report.num_bytes, &text));
  for (PetscInt64 i = 0; i < report.dims[0]; i++, text += strlen(text) + 1) values[i] = text;
  *texts = (InputTexts){.count = (PetscInt)report.dims[0], .values = values};
  PetscCall(InputRecordContent(node, texts->count, 1, InputHash(INPUT_HASH_START, bytes, (size_t)report.num_bytes)));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputIsHDF5(const InputNode *node, const char *path, PetscBool *is)
{
  MPI_Comm    comm = node->document->comm;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    *is = (PetscBool)(H5Fis_hdf5(path) > 0);
  }
  PetscCallMPI(MPI_Bcast(is, 1, MPIU_BOOL, 0, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
