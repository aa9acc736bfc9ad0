/* backbone_file.c - measured backbones: amplitude, frequency and damping of a mode, as programs for modal tests write them. */
#include "input/columns.h"
#include "decay.h"

typedef struct {
  const char *name, *file, *amplitude, *frequency, *damping, *frequency_error, *damping_error;
  PetscReal   scale, shape;
  PetscInt    quantity, frequency_unit, damping_unit;
} Keys;

enum { HERTZ, RADIANS };
enum { RATIO, PERCENT, LOSS_FACTOR, QUALITY };
enum { AMPLITUDE, FREQUENCY, DAMPING, FREQUENCY_ERROR, DAMPING_ERROR, NUM_COLUMNS };

static const char *const frequency_units[] = {"Hz", "rad/s", NULL};
static const char *const damping_units[]   = {"ratio", "percent", "loss_factor", "quality", NULL};

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the backbone; default: that of the study and a number"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "file of numbers in columns separated by commas, semicolons or blanks; HDF5 file; or MATLAB's file NAME.mat"},
  {.key = "amplitude", .kind = INPUT_TEXT, .offset = OF(amplitude), .help = "column of the amplitudes, from 1 (default: the first), their dataset, /a/b, or variable"},
  {.key = "frequency", .kind = INPUT_TEXT, .offset = OF(frequency), .help = "column of the frequencies (default: the second), dataset or variable"},
  {.key = "damping", .kind = INPUT_TEXT, .offset = OF(damping), .help = "column of the damping (default: the third), dataset or variable"},
  {.key = "frequency_error", .kind = INPUT_TEXT, .offset = OF(frequency_error), .help = "column of the standard deviations of the frequencies, dataset or variable; default: they are not known"},
  {.key = "damping_error", .kind = INPUT_TEXT, .offset = OF(damping_error), .help = "column of the standard deviations of the damping, likewise"},
  {.key = "frequency_unit", .kind = INPUT_WORD, .offset = OF(frequency_unit), .fallback = HERTZ, .words = frequency_units, .help = "unit of the frequencies and their errors"},
  {.key = "damping_unit", .kind = INPUT_WORD, .offset = OF(damping_unit), .fallback = RATIO, .words = damping_units,
   .help = "what the damping is: damping ratio, the same in percent, loss factor (twice the ratio), or quality factor (1 over the loss factor)"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = INPUT_REQUIRED, .words = quantity_names, .help = "quantity that the amplitudes are of"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0, .above = PETSC_TRUE, .most = PETSC_INFINITY,
   .help = "factor of the amplitudes to peak values in SI units, as 9.81 of g, 1e-6 of micrometres, 0.5 of peak to peak"},
  {.key = "shape", .kind = INPUT_REAL, .offset = OF(shape), .fallback = 1.0, .unit = "kg^-1/2",
   .help = "mass-normalised mode shape at the measured point, by which the amplitudes are divided; default 1: they are modal, or of an oscillator whose mass is given where it is fitted"},
  {.key = NULL}
};
// clang-format on

const InputTable backbone_file_table = {"ring_down.backbones[]", "a measured table of amplitude, frequency and damping of a mode", fields};

static PetscErrorCode ReadColumns(const InputNode *node, const Keys *keys, Column columns[NUM_COLUMNS])
{
  const ColumnKey wanted[NUM_COLUMNS] = {[AMPLITUDE]       = {"amplitude", keys->amplitude, 1, PETSC_FALSE, COLUMN_OF_TIME},
                                         [FREQUENCY]       = {"frequency", keys->frequency, 2, PETSC_FALSE, COLUMN_OF_TIME},
                                         [DAMPING]         = {"damping", keys->damping, 3, PETSC_FALSE, COLUMN_OF_TIME},
                                         [FREQUENCY_ERROR] = {"frequency_error", keys->frequency_error, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME},
                                         [DAMPING_ERROR]   = {"damping_error", keys->damping_error, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME}};
  InputFileKind   kind;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(columns, NUM_COLUMNS));
  PetscCall(InputIdentify(node, keys->file, &kind));
  if (kind == INPUT_FILE_UNIVERSAL)
    PetscCall(
      InputComplain(InputFind(node, "file"), "is a universal file, which holds functions of time or frequency: give a time response as `records`"));
  else PetscCall(ColumnsRead(node, keys->file, NUM_COLUMNS, wanted, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Damping ratio zeta of what a file says, and its derivative. */
static PetscReal ToRatio(PetscInt unit, PetscReal value, PetscReal *slope)
{
  *slope = unit == RATIO ? 1.0 : unit == PERCENT ? 0.01 : unit == LOSS_FACTOR ? 0.5 : -0.5 / (value * value);
  return unit == QUALITY ? 0.5 / value : value * *slope;
}

static PetscErrorCode ReadPoint(const Keys *keys, const Column columns[NUM_COLUMNS], PetscInt i, RingDownPoint *point)
{
  const PetscReal turn = keys->frequency_unit == HERTZ ? 2.0 * PETSC_PI : 1.0;
  PetscReal       value[NUM_COLUMNS], slope;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < NUM_COLUMNS; c++) value[c] = columns[c].count ? ColumnAt(&columns[c], i) : 0.0;
  *point =
    (RingDownPoint){.time = (PetscReal)NAN, .omega = turn * value[FREQUENCY], .omega_error = turn * value[FREQUENCY_ERROR], .trusted = PETSC_TRUE};
  point->amplitude  = keys->scale * value[AMPLITUDE] / PetscAbsReal(keys->shape) * PetscPowRealInt(point->omega, -keys->quantity);
  point->zeta       = ToRatio(keys->damping_unit, value[DAMPING], &slope);
  point->zeta_error = PetscAbsReal(slope) * value[DAMPING_ERROR];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first row that cannot be is told. */
static PetscErrorCode CheckRow(const InputNode *node, const Column columns[NUM_COLUMNS], PetscInt i, PetscReal zeta, PetscBool *fine)
{
  static const char *const names[NUM_COLUMNS] = {"amplitude", "frequency", "damping", "error of the frequency", "error of the damping"};

  PetscFunctionBegin;
  for (PetscInt c = 0; c < NUM_COLUMNS && *fine; c++) {
    const PetscReal value = columns[c].count ? ColumnAt(&columns[c], i) : 1.0;

    if (value > 0.0 || (value == 0.0 && c >= FREQUENCY_ERROR)) continue;
    PetscCall(InputComplain(node, "row %" PetscInt_FMT ": the %s must be %s, got %g", i + 1, names[c],
                            c >= FREQUENCY_ERROR ? "0 or more" : "positive", value));
    *fine = PETSC_FALSE;
  }
  if (!*fine || zeta < 1.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
    InputComplain(node, "row %" PetscInt_FMT ": a damping ratio of %g is no oscillation's; say what the damping is, as `damping_unit`", i + 1, zeta));
  *fine = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Percent that are taken for ratios are mostly below 1, too. */
static void WarnOfDamping(const InputNode *node, const BackboneFile *file)
{
  const PetscReal unlikely = 0.1;
  PetscReal       most     = 0.0;

  for (PetscInt i = 0; i < file->count; i++) most = PetscMax(most, file->points[i].zeta);
  if (most > unlikely && !InputFind(node, "damping_unit"))
    LogWarn("%s: a damping ratio of %.3g is large; say what the damping is, as `damping_unit: percent`, or `ratio`", InputPath(node), most);
}

PetscErrorCode BackboneFileRead(const InputNode *node, BackboneFile *file)
{
  Keys      keys = {.shape = 1.0};
  Column    columns[NUM_COLUMNS];
  PetscBool fine = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(file, sizeof(*file)));
  PetscCall(InputRead(node, &backbone_file_table, &keys));
  if (keys.name) PetscCall(InputCheckName(InputFind(node, "name"), keys.name));
  if (keys.shape == 0.0) PetscCall(InputComplain(InputFind(node, "shape"), "must not be 0: the mode does not move there"));
  file->name = keys.name;
  if (!keys.file || !InputFind(node, "quantity") || keys.shape == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  file->quantity = (Quantity)keys.quantity;
  PetscCall(ReadColumns(node, &keys, columns));
  PetscCall(PetscMalloc1(columns[AMPLITUDE].count, &file->points));
  for (PetscInt i = 0; i < columns[AMPLITUDE].count && fine; i++) {
    PetscCall(ReadPoint(&keys, columns, i, &file->points[i]));
    PetscCall(CheckRow(InputFind(node, "file"), columns, i, file->points[i].zeta, &fine));
  }
  file->count = fine ? columns[AMPLITUDE].count : 0;
  file->modal = (PetscBool)!InputFind(node, "shape");
  WarnOfDamping(node, file);
  PetscCall(ColumnsDestroy(NUM_COLUMNS, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}
