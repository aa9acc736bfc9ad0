/* columns.c - reading columns of numbers. */
#include "input/columns.h"
#include <stdlib.h>

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
  else *column = (Column){.count = rows, .stride = width, .number = (PetscInt)number, .values = values + number - 1};
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
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < i; j++)
      if (columns[i].number && columns[i].number == columns[j].number)
        PetscCall(InputComplain(node, "column %" PetscInt_FMT " of %s would be both `%s` and `%s`: say which are which", columns[i].number, file,
                                keys[j].key, keys[i].key));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadDataset(const InputNode *map, const char *file, const ColumnKey *key, Column *column)
{
  const InputNode *node = InputFind(map, key->key);
  InputMatrix      matrix;

  PetscFunctionBegin;
  if (!key->text && key->otherwise == COLUMN_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  if (!key->text || key->text[0] != '/') {
    PetscCall(InputComplain(node ? node : InputFind(map, "file"), "%s is an HDF5 file: give `%s` as one of its datasets, /a/b%s%s", file, key->key,
                            key->text ? ", not " : "", key->text ? key->text : ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputReadDataset(node, file, key->text, &matrix));
  if (matrix.rows > 0 && matrix.columns > 1)
    PetscCall(InputComplain(node, "expected one column, found a dataset of %" PetscInt_FMT " x %" PetscInt_FMT, matrix.rows, matrix.columns));
  else if (matrix.rows > 0) {
    PetscCall(PetscCalloc1(matrix.rows, &column->owned));
    for (PetscInt i = 0; i < matrix.count; i++) column->owned[matrix.row[i]] += matrix.value[i];
    column->values = column->owned;
    column->count  = matrix.rows;
    column->stride = 1;
  }
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
  PetscBool            hdf5, datasets = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(columns, count));
  for (PetscInt i = 0; i < count; i++) datasets = (PetscBool)(datasets || IsDataset(&keys[i]));
  PetscCall(InputIsHDF5(map, file, &hdf5));
  if (!hdf5 && !datasets) PetscCall(ReadTable(map, file, count, keys, columns));
  for (PetscInt i = 0; i < count; i++) /* of a file that is none each dataset is complained of, and nothing else */
    if (hdf5 || IsDataset(&keys[i])) PetscCall(ReadDataset(map, file, &keys[i], &columns[i]));
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
