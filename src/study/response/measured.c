/* measured.c - measured frequency responses: parts, or amplitude and phase, in columns, datasets, variables; functions of universal files. */
#include "measured.h"
#include "input/columns.h"

typedef struct {
  const char *name, *file, *motion, *values, *frequency, *real, *imaginary, *amplitude, *phase;
  PetscReal   scale;
  PetscInt    quantity, phase_unit;
} Keys;

enum { FREQUENCY, FIRST, SECOND, NUM_COLUMNS };
enum { DEGREES, RADIANS };

static const char *const phase_units[] = {"degree", "rad", NULL};

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the group in the result; default `measured`, required for all but one of several"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "file of numbers in columns separated by commas, semicolons or blanks; HDF5 file; MATLAB's file NAME.mat; or universal file (datasets 58, 58b)"},
  {.key = "motion", .kind = INPUT_TEXT, .offset = OF(motion), .help = "what was measured: a watched motion by its name in the result, as `tip x` or `joint pad y`; default: that of the printed table"},
  {.key = "values", .kind = INPUT_TEXT, .offset = OF(values),
   .help = "of a universal file: the number of the function, its name, or its node and direction, as 12 z; default: the only frequency response"},
  {.key = "frequency", .kind = INPUT_TEXT, .offset = OF(frequency), .unit = "Hz", .help = "column of the frequencies, from 1 (default: the first), their dataset, /a/b, or variable"},
  {.key = "real", .kind = INPUT_TEXT, .offset = OF(real), .help = "column, dataset or variable of the real part"},
  {.key = "imaginary", .kind = INPUT_TEXT, .offset = OF(imaginary), .help = "column, dataset or variable of the imaginary part"},
  {.key = "amplitude", .kind = INPUT_TEXT, .offset = OF(amplitude), .help = "column, dataset or variable of the amplitude, instead of the two parts"},
  {.key = "phase", .kind = INPUT_TEXT, .offset = OF(phase), .help = "column, dataset or variable of the phase, negative where the motion lags the force; without it amplitudes alone are compared"},
  {.key = "phase_unit", .kind = INPUT_WORD, .offset = OF(phase_unit), .fallback = DEGREES, .words = phase_units, .help = "unit of the phase"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = INPUT_OPTIONAL, .words = quantity_names,
   .help = "quantity that was divided by the force; required where a universal file does not say it"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0,
   .help = "factor that converts it to SI units over the unit of the load, as 9.81 of g/N; -1 where force and motion count against each other; required where a universal file has another unit"},
  {.key = NULL}
};
// clang-format on

const InputTable measured_response_table = {"response.measured[]", "a measured frequency response, kept, drawn and compared with the computed curves",
                                            fields};

/* Parts or amplitude, which a universal file has itself. */
static PetscErrorCode CheckKeys(const InputNode *node, const Keys *keys, PetscBool universal, PetscBool *fine)
{
  static const char *const of_tables[]    = {"frequency", "real", "imaginary", "amplitude", "phase", "phase_unit", NULL};
  static const char *const of_universal[] = {"values", NULL}, *const of_parts[] = {"amplitude", "phase", NULL};
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  if (universal) PetscCall(InputRefuseKeys(node, of_tables, "is not said of a universal file, whose functions are complex: choose one as `values`"));
  else {
    PetscCall(InputRefuseKeys(node, of_universal,
                              "chooses a function of a universal file: name the columns, as `real` and `imaginary`, or `amplitude` and `phase`"));
    if (keys->real || keys->imaginary)
      PetscCall(InputRefuseKeys(node, of_parts, "give `real` and `imaginary`, or `amplitude` and `phase`, not both"));
    if (!keys->real != !keys->imaginary) PetscCall(InputComplain(node, "needs both `real` and `imaginary`"));
    if (!keys->real && !keys->imaginary && !keys->amplitude)
      PetscCall(InputComplain(node, "say which columns are `real` and `imaginary`, or `amplitude` and `phase`"));
    if (InputFind(node, "phase_unit") && !keys->phase) PetscCall(InputComplain(InputFind(node, "phase_unit"), "belongs to a `phase`"));
  }
  *fine = (PetscBool)(InputNumComplaints(InputDocumentOf(node)) == before);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadColumns(const InputNode *node, const Keys *keys, PetscBool universal, Column columns[NUM_COLUMNS])
{
  const PetscBool parts      = (PetscBool)(keys->real != NULL);
  const ColumnKey frequency  = {"frequency", keys->frequency, 1, PETSC_TRUE, COLUMN_OF_TIME};
  const ColumnKey of_file[]  = {frequency,
                                {"values", keys->values, COLUMN_LAST, PETSC_FALSE, COLUMN_REAL_PART},
                                {"values", keys->values, COLUMN_LAST, PETSC_FALSE, COLUMN_IMAGINARY_PART}};
  const ColumnKey of_table[] = {frequency,
                                {parts ? "real" : "amplitude", parts ? keys->real : keys->amplitude, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME},
                                {parts ? "imaginary" : "phase", parts ? keys->imaginary : keys->phase, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME}};

  PetscFunctionBegin;
  PetscCall(ColumnsRead(node, keys->file, NUM_COLUMNS, universal ? of_file : of_table, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckFrequencies(const InputNode *node, const Column *frequency, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = (PetscBool)(frequency->count > 1);
  if (frequency->count == 1) PetscCall(InputComplain(node, "expected two frequencies or more, found one"));
  for (PetscInt i = 0; i < frequency->count && *fine; i++) {
    const PetscReal here = ColumnAt(frequency, i), before = i ? ColumnAt(frequency, i - 1) : -1.0;

    if (here >= 0.0 && here > before) continue;
    PetscCall(InputComplain(node, "frequencies must ascend from 0 Hz or more, got %.9g in row %" PetscInt_FMT, here, i + 1));
    *fine = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Degrees are hardly ever all within a turn of radians, and radians hardly ever beyond some turns. */
static void WarnOfPhases(const InputNode *node, const Keys *keys, const Column *phase)
{
  const PetscReal turn = 2.0 * PETSC_PI, many = 20.0 * turn;
  PetscReal       most = 0.0;

  for (PetscInt i = 0; i < phase->count; i++) most = PetscMax(most, PetscAbsReal(ColumnAt(phase, i)));
  if (keys->phase_unit == DEGREES && most > 0.1 && most < turn)
    LogWarn("%s: no phase is beyond %.3g degrees; if they are in rad, say `phase_unit: rad`", InputPath(node), most);
  if (keys->phase_unit == RADIANS && most > many)
    LogWarn("%s: phases reach %.4g rad; if they are in degrees, say `phase_unit: degree`", InputPath(node), most);
}

/* Columns to complex numbers in SI units. */
static PetscErrorCode Convert(const Keys *keys, PetscBool universal, const Column columns[NUM_COLUMNS], MeasuredResponse *measured)
{
  const PetscBool polar = (PetscBool)(!universal && keys->amplitude);
  const PetscReal turn  = keys->phase_unit == DEGREES ? PETSC_PI / 180.0 : 1.0;

  PetscFunctionBegin;
  measured->count     = columns[FREQUENCY].count;
  measured->has_phase = (PetscBool)(columns[SECOND].count > 0);
  PetscCall(PetscMalloc3(measured->count, &measured->frequency, measured->count, &measured->real, measured->count, &measured->imaginary));
  for (PetscInt i = 0; i < measured->count; i++) {
    const PetscReal first = keys->scale * ColumnAt(&columns[FIRST], i), second = measured->has_phase ? ColumnAt(&columns[SECOND], i) : 0.0;

    measured->frequency[i] = ColumnAt(&columns[FREQUENCY], i);
    measured->real[i]      = polar ? first * PetscCosReal(turn * second) : first;
    measured->imaginary[i] = polar ? first * PetscSinReal(turn * second) : keys->scale * second;
    if (!measured->has_phase) measured->real[i] = PetscAbsReal(first);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a universal file says of its numbers holds where the case says nothing. */
static PetscErrorCode FindQuantity(const InputNode *node, const Column *values, Keys *keys, PetscBool *fine)
{
  PetscFunctionBegin;
  if (keys->quantity < 0) keys->quantity = values->rate;
  *fine = (PetscBool)(keys->quantity >= 0);
  if (!*fine) {
    PetscCall(InputComplain(node, "key 'quantity' is missing: displacement, velocity or acceleration, which was divided by the force"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (InputFind(node, "scale") || ColumnIsOfSI(values, keys->quantity)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
    InputComplain(node, "key 'scale' is missing: the file says that its unit is '%s' over '%s'; give the factor to SI units, 1 if they are SI units",
                  values->unit ? values->unit : "", values->per ? values->per : ""));
  *fine = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNumbers(const InputNode *node, Keys *keys, MeasuredResponse *measured)
{
  const InputNode *at = InputFind(node, "frequency") ? InputFind(node, "frequency") : InputFind(node, "file");
  Column           columns[NUM_COLUMNS];
  InputFileKind    kind;
  PetscBool        fine = PETSC_FALSE, universal;

  PetscFunctionBegin;
  PetscCall(InputIdentify(node, keys->file, &kind));
  universal = (PetscBool)(kind == INPUT_FILE_UNIVERSAL);
  PetscCall(CheckKeys(node, keys, universal, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadColumns(node, keys, universal, columns));
  if (columns[FREQUENCY].count) PetscCall(CheckFrequencies(at, &columns[FREQUENCY], &fine));
  if (columns[FREQUENCY].count && fine) PetscCall(FindQuantity(node, &columns[FIRST], keys, &fine));
  if (columns[FREQUENCY].count && fine) {
    measured->quantity = (Quantity)keys->quantity;
    if (keys->phase) WarnOfPhases(InputFind(node, "phase"), keys, &columns[SECOND]);
    PetscCall(Convert(keys, universal, columns, measured));
  }
  PetscCall(ColumnsDestroy(NUM_COLUMNS, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadOne(const InputNode *node, const char *const motions[], MeasuredResponse *measured)
{
  Keys keys = {.quantity = -1};

  PetscFunctionBegin;
  *measured = (MeasuredResponse){.motion = -1};
  PetscCall(InputRead(node, &measured_response_table, &keys));
  if (keys.scale == 0.0) PetscCall(InputComplain(InputFind(node, "scale"), "must not be 0: nothing would be left"));
  if (keys.name) PetscCall(InputCheckName(InputFind(node, "name"), keys.name));
  if (keys.motion && motions[0]) PetscCall(InputChoose(InputFind(node, "motion"), keys.motion, "watched motion", motions, &measured->motion));
  measured->name = keys.name ? keys.name : "measured";
  if (keys.file) PetscCall(ReadNumbers(node, &keys, measured));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeasuredResponsesRead(const InputNode *node, const char *const motions[], PetscInt *count, MeasuredResponse **measured)
{
  PetscFunctionBegin;
  *count = InputIsList(node) ? InputCount(node) : 1;
  PetscCall(PetscCalloc1(*count, measured));
  if (*count == 0) PetscCall(InputComplain(node, "expected a measured frequency response, {file, ...}, or a list of them, found none"));
  for (PetscInt i = 0; i < *count; i++) {
    const InputNode *item = InputIsList(node) ? InputItem(node, i) : node;
    PetscBool        same = PETSC_FALSE;

    PetscCall(ReadOne(item, motions, &(*measured)[i]));
    for (PetscInt j = 0; j < i && !same; j++) PetscCall(PetscStrcmp((*measured)[i].name, (*measured)[j].name, &same));
    if (same) PetscCall(InputComplain(item, "two measured responses are called '%s': give each its `name`", (*measured)[i].name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeasuredResponsesDestroy(PetscInt count, MeasuredResponse *measured[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) PetscCall(PetscFree3((*measured)[i].frequency, (*measured)[i].real, (*measured)[i].imaginary));
  PetscCall(PetscFree(*measured));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool MeasuredResponseAt(const MeasuredResponse *measured, PetscReal frequency, PetscReal value[2])
{
  PetscInt  low = 0, high = measured->count - 1;
  PetscReal along;

  if (measured->count < 2 || frequency < measured->frequency[0] || frequency > measured->frequency[high]) return PETSC_FALSE;
  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (measured->frequency[middle] <= frequency) low = middle;
    else high = middle;
  }
  along    = (frequency - measured->frequency[low]) / (measured->frequency[high] - measured->frequency[low]);
  value[0] = (1.0 - along) * measured->real[low] + along * measured->real[high];
  value[1] = (1.0 - along) * measured->imaginary[low] + along * measured->imaginary[high];
  return PETSC_TRUE;
}
