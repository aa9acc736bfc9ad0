/* record_file.c - measured records: columns of a table of numbers, datasets, variables of MATLAB, functions of a universal file. */
#include "input/columns.h"
#include "decay.h"

typedef struct {
  const char *name, *file, *time, *values;
  PetscReal   step, rate, scale;
  PetscInt    quantity;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the record; default: that of the study and a number"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "file of numbers in columns separated by commas, semicolons or blanks; HDF5 file; MATLAB's file NAME.mat; or universal file (datasets 58, 58b)"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s",
   .help = "column of the times, from 1 (default: the first), their dataset, /a/b, or variable; or give `step` or `rate`; a universal file has them itself"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(step), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "time between samples, instead of `time`"},
  {.key = "rate", .kind = INPUT_REAL, .offset = OF(rate), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "samples a second, instead of `time`"},
  {.key = "values", .kind = INPUT_TEXT, .offset = OF(values),
   .help = "column of the values (default: the last); dataset; variable, as acc, test.acc or acc(:,3); of a universal file the number of the function, its name, or its node and direction, as 12 z (default: the only time response)"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = INPUT_OPTIONAL, .words = quantity_names,
   .help = "measured quantity; default: what a universal file says, otherwise acceleration"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0, .help = "factor of the values, to convert them to SI units; required where a universal file has another unit"},
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

/* What a universal file says of its numbers holds where the case says nothing. */
static PetscErrorCode Agree(const InputNode *node, const Column *values, Keys *keys)
{
  PetscFunctionBegin;
  if (keys->quantity < 0) keys->quantity = values->rate >= 0 ? values->rate : QUANTITY_ACCELERATION;
  if (values->unit && !InputFind(node, "scale") && !ColumnIsOfSI(values, keys->quantity))
    PetscCall(InputComplain(node, "key 'scale' is missing: the file says that its unit is '%s'; give the factor to SI units, 1 if they are SI units",
                            values->unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadColumns(const InputNode *node, const Keys *keys, Column columns[2])
{
  const PetscBool timed    = (PetscBool)(keys->step == 0.0);
  const ColumnKey wanted[] = {{"time", timed ? keys->time : NULL, timed ? 1 : COLUMN_NONE, PETSC_TRUE, COLUMN_OF_TIME},
                              {"values", keys->values, COLUMN_LAST, PETSC_FALSE, COLUMN_OF_TIME}};

  PetscFunctionBegin;
  PetscCall(ColumnsRead(node, keys->file, 2, wanted, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecordFileRead(const InputNode *node, RecordFile *file)
{
  static const char *const choices[] = {"time", "step", "rate", NULL};
  Keys                     keys      = {.step = 0.0, .quantity = -1};
  Column columns[2], *const times = &columns[0], *const values = &columns[1];
  PetscReal *scaled;
  PetscInt   choice;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(file, sizeof(*file)));
  PetscCall(InputRead(node, &record_file_table, &keys));
  PetscCall(InputExclusive(node, choices, PETSC_FALSE, &choice));
  if (keys.name) PetscCall(InputCheckName(InputFind(node, "name"), keys.name));
  if (keys.scale == 0.0) PetscCall(InputComplain(InputFind(node, "scale"), "must not be 0: nothing would be left"));
  if (keys.rate > 0.0) keys.step = 1.0 / keys.rate;
  file->name = keys.name;
  if (!keys.file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadColumns(node, &keys, columns));
  PetscCall(Agree(node, values, &keys));
  file->record = (Record){.step = keys.step, .quantity = (Quantity)keys.quantity};
  if (times->count) PetscCall(FindStep(InputFind(node, "time") ? InputFind(node, "time") : InputFind(node, "file"), times, &file->record));
  PetscCall(PetscMalloc1(values->count, &scaled));
  for (PetscInt i = 0; i < values->count; i++) scaled[i] = keys.scale * ColumnAt(values, i);
  file->values        = scaled;
  file->record.values = scaled;
  file->record.count  = file->record.step > 0.0 ? values->count : 0;
  PetscCall(ColumnsDestroy(2, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}
