/* record_file.c - measured records: columns of a table of numbers, or datasets of an HDF5 file. */
#include "input/columns.h"
#include "decay.h"

typedef struct {
  const char *name, *file, *time, *values;
  PetscReal   step, scale;
  PetscInt    quantity;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the record; default: that of the study and a number"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "file of numbers in columns separated by commas, semicolons or blanks, or an HDF5 file"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s",
   .help = "column of the times, from 1 (default: the first), or their dataset, /a/b; or give `step`"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(step), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "time between samples, instead of `time`"},
  {.key = "values", .kind = INPUT_TEXT, .offset = OF(values), .help = "column of the values (default: the last) or their dataset"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = QUANTITY_ACCELERATION, .words = quantity_names, .help = "measured quantity"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0, .help = "factor of the values, to convert them to SI units"},
  {.key = NULL}
};
// clang-format on

const InputTable record_file_table = {"ring_down.records[]", "a measured record", fields};

/* Complains of times that are not at equal steps. */
static PetscErrorCode FindStep(const InputNode *node, const Column *times, Record *record)
{
  const PetscReal start = ColumnAt(times, 0), uneven = 0.02;
  const PetscReal step = times->count > 1 ? (ColumnAt(times, times->count - 1) - start) / (times->count - 1) : 0.0;
  PetscBool       ascend;

  PetscFunctionBegin;
  if (times->count == 1) PetscCall(InputComplain(node, "expected two times or more, found one"));
  PetscCall(ColumnCheckTimes(node, times, &ascend));
  record->start = start;
  record->step  = ascend ? step : 0.0;
  for (PetscInt i = 1; i < times->count && record->step > 0.0; i++) {
    const PetscReal here = ColumnAt(times, i) - ColumnAt(times, i - 1);

    if (PetscAbsReal(here - step) <= uneven * step) continue;
    PetscCall(InputComplain(node,
                            "expected times at equal steps, %g s on average; found %g s before sample %" PetscInt_FMT
                            ", at %.9g s; give times that are rounded as `step`",
                            step, here, i + 1, ColumnAt(times, i)));
    record->step = 0.0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecordFileRead(const InputNode *node, RecordFile *file)
{
  static const char *const choices[] = {"time", "step", NULL};
  Keys                     keys      = {.step = 0.0};
  Column columns[2], *const times = &columns[0], *const values = &columns[1];
  PetscReal *scaled;
  PetscInt   choice;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(file, sizeof(*file)));
  PetscCall(InputRead(node, &record_file_table, &keys));
  PetscCall(InputExclusive(node, choices, PETSC_FALSE, &choice));
  if (keys.name) PetscCall(InputCheckName(InputFind(node, "name"), keys.name));
  if (keys.scale == 0.0) PetscCall(InputComplain(InputFind(node, "scale"), "must not be 0: nothing would be left"));
  file->name   = keys.name;
  file->record = (Record){.step = keys.step, .quantity = (Quantity)keys.quantity};
  if (!keys.file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ColumnsRead(
    node, keys.file, 2,
    (const ColumnKey[]){{"time", keys.step == 0.0 ? keys.time : NULL, keys.step == 0.0 ? 1 : COLUMN_NONE}, {"values", keys.values, COLUMN_LAST}},
    columns));
  if (times->count) PetscCall(FindStep(InputFind(node, "time") ? InputFind(node, "time") : InputFind(node, "file"), times, &file->record));
  PetscCall(PetscMalloc1(values->count, &scaled));
  for (PetscInt i = 0; i < values->count; i++) scaled[i] = keys.scale * ColumnAt(values, i);
  file->values        = scaled;
  file->record.values = scaled;
  file->record.count  = file->record.step > 0.0 ? values->count : 0;
  PetscCall(ColumnsDestroy(2, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}
