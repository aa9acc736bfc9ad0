/* record_file.c - measured records: columns of a table of numbers, or datasets of an HDF5 file. */
#include <stdlib.h>
#include "decay.h"

typedef struct {
  const char *name, *file, *time, *values;
  PetscReal   step, scale;
  PetscInt    quantity;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "of the record; when not given, that of the study and a number"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "numbers in columns separated by commas, semicolons or blanks; or an HDF5 file"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s",
   .help = "the column of the times, from 1 (the first when nothing is said), or their dataset, /a/b; or give `step`"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(step), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "between samples, in place of `time`"},
  {.key = "values", .kind = INPUT_TEXT, .offset = OF(values), .help = "their column (the last when nothing is said) or dataset"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = QUANTITY_ACCELERATION, .words = quantity_names, .help = "what was measured"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0, .help = "multiplies the values: to SI units"},
  {.key = NULL}
};
// clang-format on

const InputTable record_file_table = {"ring_down.records[]", "a measured record", fields};

/* Numbers of a file, `count` of them in steps of `stride`. */
typedef struct {
  PetscInt         count, stride;
  PetscInt         number; /* of the column in a table */
  const PetscReal *values;
  PetscReal       *owned; /* NULL when the document owns them */
} Column;

static PetscErrorCode ReadTableColumn(const InputNode *map, const char *key, const char *text, const char *path, PetscBool last, Column *column)
{
  const InputNode *node = InputFind(map, key);
  PetscInt         rows, columns;
  const PetscReal *values;
  char            *end    = NULL;
  long             number = text ? strtol(text, &end, 10) : 0;

  PetscFunctionBegin;
  PetscCall(InputReadTable(InputFind(map, "file"), path, &rows, &columns, &values));
  if (rows == 0) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  if (!text) number = last ? columns : 1;
  if (text && (end == text || *end || number < 1 || number > columns))
    PetscCall(InputComplain(node, "expected a column from 1 to %" PetscInt_FMT " of %s, found '%s'", columns, path, text));
  else *column = (Column){.count = rows, .stride = columns, .number = (PetscInt)number, .values = values + number - 1};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadDatasetColumn(const InputNode *map, const char *key, const char *dataset, const char *file, Column *column)
{
  const InputNode *node = InputFind(map, key);
  InputMatrix      matrix;

  PetscFunctionBegin;
  if (!dataset || dataset[0] != '/') {
    PetscCall(InputComplain(node ? node : InputFind(map, "file"), "%s is an HDF5 file: give `%s` as one of its datasets, /a/b", file, key));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputReadDataset(node, file, dataset, &matrix));
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

/* Complains of times that are not at equal steps. */
static PetscErrorCode FindStep(const InputNode *node, const Column *times, Record *record)
{
  const PetscReal *t    = times->values;
  const PetscReal  step = times->count > 1 ? (t[(times->count - 1) * times->stride] - t[0]) / (times->count - 1) : 0.0, uneven = 0.02;

  PetscFunctionBegin;
  record->start = t[0];
  record->step  = step;
  if (times->count == 1) PetscCall(InputComplain(node, "expected two times or more, found one"));
  for (PetscInt i = 1; i < times->count; i++) {
    const PetscReal here = t[i * times->stride] - t[(i - 1) * times->stride];

    if (here > 0.0 && PetscAbsReal(here - step) <= uneven * step) continue;
    if (here <= 0.0)
      PetscCall(InputComplain(node, "times must ascend, got %.9g s after %.9g s, sample %" PetscInt_FMT, t[i * times->stride],
                              t[(i - 1) * times->stride], i + 1));
    else
      PetscCall(InputComplain(node,
                              "expected times at equal steps, %g s on average; found %g s before sample %" PetscInt_FMT
                              ", at %.9g s; give times that are rounded as `step`",
                              step, here, i + 1, t[i * times->stride]));
    record->step = 0.0;
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadColumns(const InputNode *node, const Keys *keys, Column *times, Column *values)
{
  PetscBool hdf5 = (PetscBool)((keys->values && keys->values[0] == '/') || (keys->time && keys->time[0] == '/'));

  PetscFunctionBegin;
  if (!hdf5) PetscCall(InputIsHDF5(node, keys->file, &hdf5));
  if (hdf5) {
    PetscCall(ReadDatasetColumn(node, "values", keys->values, keys->file, values));
    if (keys->step == 0.0) PetscCall(ReadDatasetColumn(node, "time", keys->time, keys->file, times));
  } else {
    PetscCall(ReadTableColumn(node, "values", keys->values, keys->file, PETSC_TRUE, values));
    if (keys->step == 0.0 && values->count) PetscCall(ReadTableColumn(node, "time", keys->time, keys->file, PETSC_FALSE, times));
    if (times->count && times->number == values->number) {
      PetscCall(InputComplain(InputFind(node, "file"), "expected times and values in two columns, or a `step`: one column would be both"));
      times->count = values->count = 0;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecordFileRead(const InputNode *node, RecordFile *file)
{
  static const char *const choices[] = {"time", "step", NULL};
  Keys                     keys      = {.step = 0.0};
  Column                   times = {0}, values = {0};
  PetscReal               *scaled;
  PetscInt                 choice;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(file, sizeof(*file)));
  PetscCall(InputRead(node, &record_file_table, &keys));
  PetscCall(InputExclusive(node, choices, PETSC_FALSE, &choice));
  if (keys.name) PetscCall(InputCheckName(InputFind(node, "name"), keys.name));
  if (keys.scale == 0.0) PetscCall(InputComplain(InputFind(node, "scale"), "must not be 0: nothing would be left"));
  file->name   = keys.name;
  file->record = (Record){.step = keys.step, .quantity = (Quantity)keys.quantity};
  if (!keys.file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadColumns(node, &keys, &times, &values));
  if (times.count && values.count && times.count != values.count)
    PetscCall(InputComplain(node, "there are %" PetscInt_FMT " times and %" PetscInt_FMT " values", times.count, values.count));
  else if (times.count) PetscCall(FindStep(InputFind(node, "time") ? InputFind(node, "time") : InputFind(node, "file"), &times, &file->record));
  PetscCall(PetscMalloc1(values.count, &scaled));
  for (PetscInt i = 0; i < values.count; i++) scaled[i] = keys.scale * values.values[i * values.stride];
  file->values        = scaled;
  file->record.values = scaled;
  file->record.count  = file->record.step > 0.0 ? values.count : 0;
  PetscCall(PetscFree(times.owned));
  PetscCall(PetscFree(values.owned));
  PetscFunctionReturn(PETSC_SUCCESS);
}
