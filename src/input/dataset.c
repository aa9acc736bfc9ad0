/* dataset.c - datasets of files that other programs wrote, HDF5 and MATLAB: read by rank 0 and broadcast to all ranks. */
#define PETSC_DESIRE_FEATURE_TEST_MACROS /* strnlen beside ISO C */
#include "dataset.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "words.h"

void DatasetFault(DatasetReport *report, const char *format, ...)
{
  va_list arguments;

  if (report->fault[0]) return;
  va_start(arguments, format);
  vsnprintf(report->fault, DATASET_FAULT, format, arguments);
  va_end(arguments);
}

static void *Reserve(const char *path, PetscInt64 count, size_t size, DatasetReport *report, void **bytes)
{
  if (report->fault[0]) return NULL;
  report->num_bytes = count * (PetscInt64)size;
  *bytes            = calloc((size_t)PetscMax(1, count), size);
  if (!*bytes) DatasetFault(report, "%s does not fit into memory", path);
  return *bytes;
}

double *DatasetReserveNumbers(const char *path, DatasetReport *report, void **bytes)
{
  if (report->rows == 0 || report->columns == 0) DatasetFault(report, "%s is empty", path);
  else if (report->rows > (PetscInt64)(INPUT_MAX_TABLE_BYTES / sizeof(double)) / report->columns)
    DatasetFault(report, "%s has %" PetscInt64_FMT " x %" PetscInt64_FMT " numbers: too many", path, report->rows, report->columns);
  return Reserve(path, report->rows * report->columns, sizeof(double), report, bytes);
}

DatasetEntry *DatasetReserveEntries(const char *path, PetscInt64 count, DatasetReport *report, void **bytes)
{
  report->sparse = PETSC_TRUE;
  if (report->rows == 0 || report->columns == 0) DatasetFault(report, "%s is empty", path);
  else if (report->rows > INPUT_MAX_SIZE || report->columns > INPUT_MAX_SIZE || count > (PetscInt64)(INPUT_MAX_TABLE_BYTES / sizeof(DatasetEntry)))
    DatasetFault(report, "%s has %" PetscInt64_FMT " x %" PetscInt64_FMT " numbers, %" PetscInt64_FMT " of them not zero: too many", path,
                 report->rows, report->columns, count);
  return Reserve(path, count, sizeof(DatasetEntry), report, bytes);
}

char *DatasetReserveTexts(const char *path, size_t size, DatasetReport *report, void **bytes)
{
  char *texts;

  if (report->rows == 0) DatasetFault(report, "%s is empty", path);
  if (report->rows > (PetscInt64)(DATASET_MAX_TEXT_BYTES / (size + 1))) DatasetFault(report, "%s has too many or too long texts", path);
  texts             = Reserve(path, report->rows, size + 1, report, bytes);
  report->num_bytes = 0;
  return texts;
}

void DatasetAddText(const char *text, size_t length, DatasetReport *report, char packed[])
{
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\0')) length--;
  length = strnlen(text, length);
  memcpy(packed + report->num_bytes, text, length);
  packed[report->num_bytes + (PetscInt64)length] = '\0';
  report->num_bytes += (PetscInt64)length + 1;
}

void DatasetTell(const char *name, PetscInt64 index, char list[], size_t size)
{
  const size_t length = strlen(list);

  if (index > DATASET_MAX_TOLD || length + 1 >= size) return;
  snprintf(list + length, size - length, "%s%s", index ? ", " : "", index < DATASET_MAX_TOLD ? name : "...");
}

/* `bytes` is NULL after a complaint. */
static PetscErrorCode Read(const InputNode *node, const char *file, const char *path, DatasetKind kind, DatasetReport *report, char **bytes)
{
  MPI_Comm      comm   = node->document->comm;
  void         *loaded = NULL;
  InputFileKind written;
  PetscMPIInt   rank;

  PetscFunctionBegin;
  memset(report, 0, sizeof *report);
  *bytes = NULL;
  PetscCall(InputIdentify(node, file, &written));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) (written == INPUT_FILE_MATLAB ? DatasetLoadMatlab : DatasetLoadHDF5)(file, path, kind, report, &loaded);
  PetscCallMPI(MPI_Bcast(report, (PetscMPIInt)sizeof *report, MPI_BYTE, 0, comm));
  if (report->fault[0]) {
    PetscCall(InputComplain(node, "%s %s", InputQuote(file).text, report->fault));
  } else {
    PetscCall(PetscMalloc1((size_t)report->num_bytes + 1, bytes));
    if (loaded) memcpy(*bytes, loaded, (size_t)report->num_bytes);
    PetscCallMPI(MPI_Bcast(*bytes, (PetscMPIInt)report->num_bytes, MPI_BYTE, 0, comm));
  }
  free(loaded);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddEntry(const InputNode *node, const char *path, const DatasetEntry *entry, InputMatrix *matrix, PetscBool *fine)
{
  PetscFunctionBegin;
  if (PetscIsInfOrNanReal(entry->value)) {
    *fine = PETSC_FALSE;
    PetscCall(InputComplain(node, "%s must be finite: row %" PetscInt64_FMT ", column %" PetscInt64_FMT " is %g", path, entry->row + 1,
                            entry->column + 1, entry->value));
  } else InputMatrixAdd(matrix, (PetscInt)entry->row, (PetscInt)entry->column, entry->value);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddNumbers(const InputNode *node, const char *path, const DatasetReport *report, const double values[], InputMatrix *matrix,
                                 PetscBool *fine)
{
  const PetscInt64 row_stride = report->by_columns ? 1 : report->columns, column_stride = report->by_columns ? report->rows : 1;

  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(matrix, matrix->rows * matrix->columns));
  for (PetscInt64 r = 0; r < report->rows && *fine; r++)
    for (PetscInt64 c = 0; c < report->columns && *fine; c++)
      PetscCall(AddEntry(node, path, &(DatasetEntry){r, c, values[r * row_stride + c * column_stride]}, matrix, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddEntries(const InputNode *node, const char *path, const DatasetReport *report, const DatasetEntry entries[],
                                 InputMatrix *matrix, PetscBool *fine)
{
  const PetscInt count = (PetscInt)(report->num_bytes / (PetscInt64)sizeof(DatasetEntry));

  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(matrix, count));
  for (PetscInt i = 0; i < count && *fine; i++) PetscCall(AddEntry(node, path, &entries[i], matrix, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadDataset(const InputNode *node, const char *file, const char *path, InputMatrix *matrix)
{
  PetscBool     fine = PETSC_TRUE;
  char         *bytes;
  InputFileKind kind;
  DatasetReport report;

  PetscFunctionBegin;
  *matrix = (InputMatrix){0};
  PetscCall(InputIdentify(node, file, &kind));
  if (kind == INPUT_FILE_PUNCH) {
    PetscCall(InputReadPunch(node, file, path, matrix));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(Read(node, file, path, DATASET_NUMBERS, &report, &bytes));
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  matrix->rows    = (PetscInt)report.rows;
  matrix->columns = (PetscInt)report.columns;
  if (report.sparse) PetscCall(AddEntries(node, path, &report, (const DatasetEntry *)(const void *)bytes, matrix, &fine));
  else PetscCall(AddNumbers(node, path, &report, (const double *)(const void *)bytes, matrix, &fine));
  PetscCall(PetscFree(bytes));
  if (fine) PetscCall(InputMatrixRecord(node, matrix));
  else PetscCall(InputMatrixDestroy(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadDatasetTexts(const InputNode *node, const char *file, const char *path, InputTexts *texts)
{
  const char  **values = NULL, *text;
  char         *bytes;
  DatasetReport report;

  PetscFunctionBegin;
  *texts = (InputTexts){0};
  PetscCall(Read(node, file, path, DATASET_TEXTS, &report, &bytes));
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputAllocate(node->document, (size_t)report.rows * sizeof *values, &values));
  PetscCall(InputCopyText(node->document, bytes, (size_t)report.num_bytes, &text));
  for (PetscInt64 i = 0; i < report.rows; i++, text += strlen(text) + 1) values[i] = text;
  *texts = (InputTexts){.count = (PetscInt)report.rows, .values = values};
  PetscCall(InputRecordContent(node, texts->count, 1, InputHash(INPUT_HASH_START, bytes, (size_t)report.num_bytes)));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
