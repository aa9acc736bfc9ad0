/* columns.c - reading columns of numbers. */
#include "input/columns.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "columns_universal.h"

enum { MAX_PATH = 256 };

PetscReal ColumnAt(const Column *column, PetscInt i)
{
  return column->values[i * column->stride];
}

static PetscErrorCode FindTableColumn(const InputNode *map, const char *file, PetscInt rows, PetscInt width, const PetscReal values[],
                                      const ColumnKey *key, Column *column)
{
  char *end    = NULL;
  long  number = key->text ? strtol(key->text, &end, 10) : key->otherwise == COLUMN_LAST ? width : key->otherwise;

  PetscFunctionBegin;
  if (!key->text && key->otherwise == COLUMN_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  if ((key->text && (end == key->text || *end)) || number < 1 || number > width)
    PetscCall(key->text
                ? InputComplain(InputFind(map, key->key), "expected a column from 1 to %" PetscInt_FMT " of %s, found '%s'", width, file, key->text)
                : InputComplain(InputFind(map, "file"), "expected %ld columns or more in %s, found %" PetscInt_FMT "; or say which as `%s`", number,
                                file, width, key->key));
  else *column = (Column){.count = rows, .stride = width, .number = (PetscInt)number, .values = values + number - 1, .rate = -1};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckTwice(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], const Column columns[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < i; j++)
      if (columns[i].number && columns[i].number == columns[j].number)
        PetscCall(InputComplain(InputFind(map, "file"), "column %" PetscInt_FMT " of %s would be both `%s` and `%s`: say which are which",
                                columns[i].number, file, keys[j].key, keys[i].key));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTable(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], Column columns[])
{
  const InputNode *node   = InputFind(map, "file");
  const PetscInt   before = InputNumComplaints(InputDocumentOf(map));
  PetscInt         rows, width;
  const PetscReal *values;

  PetscFunctionBegin;
  PetscCall(InputReadTable(node, file, &rows, &width, &values));
  if (rows == 0) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  for (PetscInt i = 0; i < count && InputNumComplaints(InputDocumentOf(map)) == before; i++)
    PetscCall(FindTableColumn(map, file, rows, width, values, &keys[i], &columns[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A vector of MATLAB: any name, of which one column, (:,3), or row, (3,:), may be meant; `path` is what stands before that. */
typedef struct {
  char     path[MAX_PATH];
  PetscInt column, row; /* from 1; 0: all */
} Selection;

static Selection Select(const char *text)
{
  Selection         selection = {.column = 0};
  const char *const open      = strrchr(text, '(');
  char              end       = '\0';
  int               number    = 0;

  PetscCallAbort(PETSC_COMM_SELF, PetscStrncpy(selection.path, text, sizeof(selection.path)));
  if (!open || (size_t)(open - text) >= sizeof(selection.path)) return selection;
  if (sscanf(open, "( : , %d %c", &number, &end) == 2 && end == ')' && number > 0) selection.column = number;
  else if (sscanf(open, "( %d , : %c", &number, &end) == 2 && end == ')' && number > 0) selection.row = number;
  else return selection;
  selection.path[open - text] = '\0';
  return selection;
}

/* What is chosen of a matrix; a single row is a column, too. */
static PetscErrorCode TakeVector(const InputNode *node, const InputMatrix *matrix, const Selection *selection, Column *column)
{
  const PetscInt  column_chosen = selection->column ? selection->column : matrix->columns == 1 ? 1 : 0;
  const PetscInt  row_chosen    = selection->row ? selection->row : matrix->rows == 1 && !column_chosen ? 1 : 0;
  const PetscBool outside       = (PetscBool)(column_chosen > matrix->columns || row_chosen > matrix->rows);

  PetscFunctionBegin;
  if (outside || (!column_chosen && !row_chosen)) {
    PetscCall(InputComplain(node, "expected one column%s, found a dataset of %" PetscInt_FMT " x %" PetscInt_FMT "; of several say which: NAME(:,3)",
                            outside ? " of those that there are" : "", matrix->rows, matrix->columns));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  column->count  = column_chosen ? matrix->rows : matrix->columns;
  column->stride = 1;
  PetscCall(PetscCalloc1(column->count, &column->owned));
  for (PetscInt i = 0; i < matrix->count; i++)
    if (column_chosen ? matrix->column[i] == column_chosen - 1 : matrix->row[i] == row_chosen - 1)
      column->owned[column_chosen ? matrix->row[i] : matrix->column[i]] += matrix->value[i];
  column->values = column->owned;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadDataset(const InputNode *map, const char *file, InputFileKind kind, const ColumnKey *key, Column *column)
{
  const InputNode *node = InputFind(map, key->key);
  InputMatrix      matrix;
  Selection        selection;

  PetscFunctionBegin;
  if (!key->text && key->otherwise == COLUMN_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  if (kind == INPUT_FILE_MATLAB && !key->text) {
    PetscCall(InputComplain(InputFind(map, "file"), "%s is a file of MATLAB: give `%s` as one of its variables%s", file, key->key,
                            key->abscissa ? ", or the `step` where the study has one" : ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (kind != INPUT_FILE_MATLAB && (!key->text || key->text[0] != '/')) {
    PetscCall(InputComplain(node ? node : InputFind(map, "file"), "%s is an HDF5 file: give `%s` as one of its datasets, /a/b%s%s", file, key->key,
                            key->text ? ", not " : "", key->text ? key->text : ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  selection = Select(key->text);
  PetscCall(InputReadDataset(node, file, selection.path, &matrix));
  if (matrix.rows > 0) PetscCall(TakeVector(node, &matrix, &selection, column));
  PetscCall(InputMatrixDestroy(&matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsDataset(const ColumnKey *key)
{
  return (PetscBool)(key->text && key->text[0] == '/');
}

static PetscErrorCode CheckLengths(const InputNode *map, PetscInt count, const ColumnKey keys[], const Column columns[])
{
  PetscInt first = 0;

  PetscFunctionBegin;
  while (first < count && columns[first].count == 0) first++;
  for (PetscInt i = first + 1; i < count; i++)
    if (columns[i].count && columns[i].count != columns[first].count)
      PetscCall(InputComplain(map, "there are %" PetscInt_FMT " numbers of `%s` and %" PetscInt_FMT " of `%s`", columns[first].count, keys[first].key,
                              columns[i].count, keys[i].key));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnsRead(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], Column columns[])
{
  const InputDocument *document       = InputDocumentOf(map);
  const PetscInt       num_complaints = InputNumComplaints(document);
  PetscBool            datasets       = PETSC_FALSE;
  InputFileKind        kind;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(columns, count));
  for (PetscInt i = 0; i < count; i++) columns[i].rate = -1;
  for (PetscInt i = 0; i < count; i++) datasets = (PetscBool)(datasets || IsDataset(&keys[i]));
  PetscCall(InputIdentify(map, file, &kind));
  if (kind == INPUT_FILE_UNIVERSAL) PetscCall(ColumnsReadUniversal(map, file, count, keys, columns));
  else if (kind == INPUT_FILE_TEXT && !datasets) PetscCall(ReadTable(map, file, count, keys, columns));
  else
    for (PetscInt i = 0; i < count; i++) /* of a file that is none each dataset is complained of, and nothing else */
      if (kind != INPUT_FILE_TEXT || IsDataset(&keys[i])) PetscCall(ReadDataset(map, file, kind, &keys[i], &columns[i]));
  PetscCall(CheckTwice(map, file, count, keys, columns));
  PetscCall(CheckLengths(map, count, keys, columns));
  if (InputNumComplaints(document) > num_complaints) PetscCall(ColumnsDestroy(count, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnsDestroy(PetscInt count, Column columns[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) PetscCall(PetscFree(columns[i].owned));
  PetscCall(PetscArrayzero(columns, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnCheckTimes(const InputNode *node, const Column *times, PetscBool *ascend)
{
  PetscFunctionBegin;
  *ascend = PETSC_TRUE;
  for (PetscInt i = 1; i < times->count && *ascend; i++) {
    if (ColumnAt(times, i) > ColumnAt(times, i - 1)) continue;
    PetscCall(
      InputComplain(node, "times must ascend, got %.9g s after %.9g s, sample %" PetscInt_FMT, ColumnAt(times, i), ColumnAt(times, i - 1), i + 1));
    *ascend = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
