/* matrix.c - matrices that files hold, as lists of entries. */
#include <string.h>
#include "words.h"

PetscErrorCode InputMatrixReserve(InputMatrix *matrix, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count, &matrix->row, count, &matrix->column, count, &matrix->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void InputMatrixAdd(InputMatrix *matrix, PetscInt row, PetscInt column, PetscReal value)
{
  if (value == 0.0) return;
  matrix->row[matrix->count]     = row;
  matrix->column[matrix->count]  = column;
  matrix->value[matrix->count++] = value;
}

PetscInt InputLabel(PetscInt node, PetscInt direction)
{
  return 10 * node + direction;
}

PetscInt InputLabelNode(PetscInt label)
{
  return label / 10;
}

PetscInt InputLabelDirection(PetscInt label)
{
  return label % 10;
}

/* Rows and columns that are labels become places among all labels, which ascend. */
PetscErrorCode InputMatrixNumberLabels(InputMatrix *matrix)
{
  PetscInt size = 2 * matrix->count;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &matrix->label));
  PetscCall(PetscArraycpy(matrix->label, matrix->row, matrix->count));
  PetscCall(PetscArraycpy(matrix->label + matrix->count, matrix->column, matrix->count));
  PetscCall(PetscSortRemoveDupsInt(&size, matrix->label));
  for (PetscInt i = 0; i < matrix->count; i++) {
    PetscCall(PetscFindInt(matrix->row[i], size, matrix->label, &matrix->row[i]));
    PetscCall(PetscFindInt(matrix->column[i], size, matrix->label, &matrix->column[i]));
  }
  matrix->rows = matrix->columns = size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int CompareEntries(const void *left, const void *right, void *context)
{
  const InputMatrix *const matrix = context;
  const PetscInt           a = *(const PetscInt *)left, b = *(const PetscInt *)right;
  const PetscInt           by_row = matrix->row[a] - matrix->row[b], by_column = matrix->column[a] - matrix->column[b];

  return (int)(by_row ? by_row : by_column);
}

/* Whether an entry is listed at the place (row, column). */
static PetscBool Lists(const InputMatrix *matrix, const PetscInt order[], PetscInt row, PetscInt column)
{
  PetscInt low = 0, high = matrix->count;

  while (low < high) {
    const PetscInt middle = low + (high - low) / 2, entry = order[middle];
    const PetscInt ahead = matrix->row[entry] != row ? matrix->row[entry] - row : matrix->column[entry] - column;

    if (ahead == 0) return PETSC_TRUE;
    if (ahead < 0) low = middle + 1;
    else high = middle;
  }
  return PETSC_FALSE;
}

/* A file that lists no entry with its mirror image means half of a symmetric matrix. There must be room for twice the entries. */
PetscErrorCode InputMatrixMirror(InputMatrix *matrix)
{
  const PetscInt count = matrix->count;
  PetscBool      half  = PETSC_TRUE;
  PetscInt      *order;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &order));
  for (PetscInt i = 0; i < count; i++) order[i] = i;
  PetscCall(PetscTimSort(count, order, sizeof(*order), CompareEntries, matrix));
  for (PetscInt i = 0; i < count && half; i++)
    half = (PetscBool)(matrix->row[i] == matrix->column[i] || !Lists(matrix, order, matrix->column[i], matrix->row[i]));
  for (PetscInt i = 0; i < count && half; i++)
    if (matrix->row[i] != matrix->column[i]) InputMatrixAdd(matrix, matrix->column[i], matrix->row[i], matrix->value[i]);
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputMatrixRecord(const InputNode *node, const InputMatrix *matrix)
{
  const size_t count = (size_t)matrix->count;
  PetscInt64   hash  = InputHash(INPUT_HASH_START, matrix->row, count * sizeof *matrix->row);

  PetscFunctionBegin;
  hash = InputHash(hash, matrix->column, count * sizeof *matrix->column);
  hash = InputHash(hash, matrix->value, count * sizeof *matrix->value);
  PetscCall(InputRecordContent(node, matrix->rows, matrix->columns, hash));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputMatrixDestroy(InputMatrix *matrix)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(matrix->row, matrix->column, matrix->value));
  PetscCall(PetscFree(matrix->label));
  *matrix = (InputMatrix){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadMatrixFile(const InputNode *node, const char *path, InputMatrix *matrix)
{
  InputBytes bytes = {0};
  InputLines lines = {.document = node->document, .file = path, .separators = "", .comment = '%'};

  PetscFunctionBegin;
  *matrix = (InputMatrix){0};
  PetscCall(InputBytesRead(node->document, path, INPUT_MAX_TABLE_BYTES, "Matrix Market file", &bytes));
  if (bytes.fault) PetscCall(InputComplain(node, "%s %s", InputQuote(path).text, bytes.fault));
  else PetscCall(InputRefuseNul(node->document, path, bytes.text, bytes.length, &lines.fine));
  lines.next = bytes.text;
  lines.end  = bytes.text + bytes.length;
  if (lines.fine && InputIsAbaqus(&lines)) PetscCall(InputParseAbaqus(&lines, matrix, &lines.fine));
  else if (lines.fine) PetscCall(InputParseMatrixMarket(&lines, matrix, &lines.fine));
  PetscCall(InputBytesDestroy(&bytes));
  if (lines.fine) PetscCall(InputMatrixRecord(node, matrix));
  else PetscCall(InputMatrixDestroy(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}
