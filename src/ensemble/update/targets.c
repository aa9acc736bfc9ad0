/*
  targets.c - what was measured: outputs of the studies with their values and how well these are known.

      f1: { path: modes/stuck/frequency[1], value: 121.2, uncertainty: 0.1 }
      shape: { path: "modes/stuck/shape[1]", motions: [a x, b x], value: [0.62, 1], uncertainty: 0.02 }
      damping: { path: ring_down/hit/mode1/zeta, over: amplitude, data: { file: measured.csv, over: 1, value: 3 }, relative_uncertainty: 0.05 }
*/
#include "update_private.h"
#include "input/columns.h"
#include <math.h>

typedef struct {
  OutputKeys       output;
  const InputNode *value, *uncertainty, *data;
  InputReals       relative;
  InputTexts       motions;
} TargetKeys;

typedef struct {
  const char *file, *over, *value, *uncertainty;
} DataKeys;

enum { DATA_OVER, DATA_VALUE, DATA_UNCERTAINTY, NUM_DATA_COLUMNS };

#define OF(member) offsetof(TargetKeys, member)
#define OF_DATA(member) offsetof(DataKeys, member)

// clang-format off
static const InputField fields[] = {
  OUTPUT_FIELDS(OF(output)),
  {.key = "value", .kind = INPUT_NODE, .offset = OF(value), .fallback = INPUT_OPTIONAL, .help = "number that was measured, in the unit of the output; of a curve a list, one for each place"},
  {.key = "motions", .kind = INPUT_TEXTS, .offset = OF(motions), .fallback = INPUT_OPTIONAL,
   .help = "of the shape of a mode, modes/stuck/shape[1]: motions of points that were measured, as `tip y`; the values are known up to a common factor, so that the misfit is 1 - MAC times the sum of squares of the values over their uncertainty"},
  {.key = "data", .kind = INPUT_NODE, .offset = OF(data), .fallback = INPUT_OPTIONAL, .help = "a curve that was measured, from a file: {file, over, value, uncertainty}"},
  {.key = "uncertainty", .kind = INPUT_NODE, .offset = OF(uncertainty), .fallback = INPUT_OPTIONAL, .help = "number: standard deviation of what was measured, model errors included; or a list, one for each value"},
  {.key = "relative_uncertainty", .kind = INPUT_REALS, .offset = OF(relative), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = 10, .help = "likewise, over the value: 0.05, or 5 %"},
  {0},
};

static const InputField data_fields[] = {
  {.key = "file", .kind = INPUT_PATH, .offset = OF_DATA(file), .fallback = INPUT_REQUIRED, .help = "a table of numbers, or a file of HDF5 or MATLAB"},
  {.key = "over", .kind = INPUT_TEXT, .offset = OF_DATA(over), .fallback = INPUT_OPTIONAL, .help = "column of the places, by its number or name; default: 1"},
  {.key = "value", .kind = INPUT_TEXT, .offset = OF_DATA(value), .fallback = INPUT_OPTIONAL, .help = "column of the values; default: 2"},
  {.key = "uncertainty", .kind = INPUT_TEXT, .offset = OF_DATA(uncertainty), .fallback = INPUT_OPTIONAL, .help = "column of their standard deviations; default: none"},
  {0},
};
// clang-format on

const InputTable update_target_table = {
  .name = "update.targets.NAME", .summary = "what was measured of an output of the studies, and how well it is known", .fields = fields};
const InputTable update_data_table = {
  .name = "update.targets.NAME.data", .summary = "a measured curve in a file, in SI units", .fields = data_fields};

const Output *TargetOutput(const Update *update, PetscInt target)
{
  return &update->ensemble.outputs[update->targets[target].output];
}

/* All of its outputs are numbers of fields that a study estimates. */
static void JudgeExact(Update *update, Target *target)
{
  const Ensemble *const e   = &update->ensemble;
  const PetscInt        end = target->output + (target->is_shape ? target->count : 1);

  target->exact = PETSC_TRUE;
  for (PetscInt i = target->output; i < PetscMin(end, e->num_outputs); i++) {
    Output *const output = &e->outputs[i];

    output->exact = (PetscBool)(output->finding && !output->over && output->take == TAKE_NOTHING && output->index &&
                                CaseEstimates(e->the_case, output->finding, output->key, e->change));
    target->exact = (PetscBool)(target->exact && output->exact);
  }
}

PetscInt TargetsNumExact(const Update *update)
{
  PetscInt count = 0;

  for (PetscInt t = 0; t < update->num_targets; t++) count += update->targets[t].exact;
  return count;
}

/* One number for all, or one for each. */
static PetscErrorCode Spread(const InputNode *node, const InputReals *given, PetscInt count, PetscReal **each)
{
  PetscFunctionBegin;
  PetscCall(InputKeep(node, (size_t)count * sizeof(PetscReal), each));
  if (given->count != count && given->count != 1)
    PetscCall(InputComplain(node, "expected one number, or one for each of %" PetscInt_FMT " values, found %" PetscInt_FMT, count, given->count));
  for (PetscInt i = 0; i < count; i++) (*each)[i] = given->values[given->count == count ? i : 0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPositive(const InputNode *node, PetscInt count, const PetscReal uncertainty[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++)
    if (!(uncertainty[i] > 0)) {
      PetscCall(InputComplain(node, "a standard deviation must be positive, got %g", uncertainty[i]));
      break;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of parts of the values. */
static PetscErrorCode ScaleByValues(const InputNode *node, Target *target, PetscReal each[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < target->count; i++) {
    each[i] *= PetscAbsReal(target->value[i]);
    if (target->value[i] == 0) PetscCall(InputComplain(node, "a part of the value is no uncertainty where the value is 0; give `uncertainty`"));
    if (target->value[i] == 0) break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadUncertainty(const InputNode *map, const TargetKeys *keys, const Case *the_case, const char *unit, Target *target)
{
  static const char *const ways[] = {"uncertainty", "relative_uncertainty", NULL};
  PetscInt                 way;
  InputReals               given;
  PetscReal               *each;
  const PetscInt           before = InputNumComplaints(the_case->document);

  PetscFunctionBegin;
  if (target->uncertainty) { /* a column of the file */
    PetscCall(InputRefuseKeys(map, ways, "a column of the file tells it"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputExclusive(map, ways, PETSC_TRUE, &way));
  if (way < 0) PetscFunctionReturn(PETSC_SUCCESS);
  given = keys->relative;
  if (way == 0) PetscCall(InputGetReals(keys->uncertainty, unit, &given));
  if (!given.count) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Spread(InputFind(map, ways[way]), &given, target->count, &each));
  if (way == 1) PetscCall(ScaleByValues(InputFind(map, ways[way]), target, each));
  if (InputNumComplaints(the_case->document) == before) PetscCall(CheckPositive(InputFind(map, ways[way]), target->count, each));
  target->uncertainty = each;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KeepColumn(const InputNode *node, const Column *column, const PetscReal **kept)
{
  PetscReal *numbers;

  PetscFunctionBegin;
  PetscCall(InputKeep(node, (size_t)column->count * sizeof(PetscReal), &numbers));
  for (PetscInt i = 0; i < column->count; i++) numbers[i] = ColumnAt(column, i);
  *kept = numbers;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadData(const InputNode *map, Output *output, Target *target)
{
  static const char *const others[]                  = {"at", "grid", "value", NULL};
  const InputNode *const   node                      = InputFind(map, "data");
  DataKeys                 keys                      = {0};
  Column                   columns[NUM_DATA_COLUMNS] = {0};

  PetscFunctionBegin;
  PetscCall(InputRefuseKeys(map, others, "the file tells it"));
  if (!output->over) PetscCall(InputComplain(map, "`data` is a curve: it needs `over`, the dataset that the path is a function of"));
  PetscCall(InputRead(node, &update_data_table, &keys));
  if (!keys.file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ColumnsRead(node, keys.file, NUM_DATA_COLUMNS,
                        (const ColumnKey[]){{"over", keys.over, 1, PETSC_TRUE, COLUMN_OF_TIME},
                                            {"value", keys.value, 2, PETSC_FALSE, COLUMN_OF_TIME},
                                            {"uncertainty", keys.uncertainty, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME}},
                        columns));
  target->count    = columns[DATA_VALUE].count;
  output->count    = target->count;
  output->is_curve = (PetscBool)(target->count > 1);
  if (target->count) PetscCall(KeepColumn(node, &columns[DATA_OVER], &output->place));
  if (target->count) PetscCall(KeepColumn(node, &columns[DATA_VALUE], &target->value));
  if (columns[DATA_UNCERTAINTY].count) PetscCall(KeepColumn(node, &columns[DATA_UNCERTAINTY], &target->uncertainty));
  if (target->uncertainty) PetscCall(CheckPositive(node, target->count, target->uncertainty));
  PetscCall(ColumnsDestroy(NUM_DATA_COLUMNS, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadValues(const InputNode *map, const TargetKeys *keys, Output *output, Target *target)
{
  const PetscInt wanted = target->is_shape ? target->count : OutputCount(output);
  InputReals     given;

  PetscFunctionBegin;
  if (!keys->value) {
    PetscCall(InputComplain(map, "expected `value`, what was measured, or `data`, a file of it"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputGetReals(keys->value, target->is_shape ? NULL : output->unit, &given));
  target->count = given.count;
  target->value = given.values;
  if (given.count != wanted)
    PetscCall(InputComplain(keys->value, "expected %" PetscInt_FMT " value%s, found %" PetscInt_FMT, wanted,
                            wanted == 1        ? ""
                            : target->is_shape ? "s, one for each motion"
                                               : "s, one for each place",
                            given.count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadOne(const InputNode *map, const char *name, Case *the_case, Update *update)
{
  const PetscInt before = InputNumComplaints(the_case->document);
  Output         output = {.name = name, .node = map, .column = -1};
  Target        *target = &update->targets[update->num_targets++];
  TargetKeys     keys;

  PetscFunctionBegin;
  *target = (Target){.output = update->ensemble.num_outputs, .first = update->num_data};
  PetscCall(PetscMemzero(&keys, sizeof(keys)));
  PetscCall(InputCheckName(map, name));
  PetscCall(InputRead(map, &update_target_table, &keys));
  if (keys.output.path) PetscCall(OutputReadWhat(map, &keys.output, the_case, &output));
  if (keys.motions.count && output.finding && InputNumComplaints(the_case->document) == before)
    PetscCall(ShapeRead(map, &keys.motions, the_case, &output, update, target));
  if (output.finding && InputNumComplaints(the_case->document) == before) {
    if (!keys.data && !target->is_shape) PetscCall(OutputReadPlaces(map, &keys.output, &output));
    if (keys.data) PetscCall(ReadData(map, &output, target));
    else PetscCall(ReadValues(map, &keys, &output, target));
  }
  if (output.finding && InputNumComplaints(the_case->document) == before)
    PetscCall(ReadUncertainty(map, &keys, the_case, target->is_shape ? NULL : output.unit, target));
  if (!target->is_shape) PetscCall(OutputsAdd(&output, &update->ensemble));
  else { /* each motion has its own */ PetscCall(PetscFree(output.index));
    PetscCall(PetscFree(output.finding));
  }
  update->num_data += target->count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TargetsRead(const InputNode *map, Case *the_case, Update *update)
{
  PetscFunctionBegin;
  if (!InputIsMap(map) || InputCount(map) == 0) {
    PetscCall(InputComplain(map, "expected what was measured, {NAME: {path: modes/stuck/frequency[1], value: 121.2, uncertainty: 0.1}, ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(InputCount(map), &update->targets));
  for (PetscInt i = 0; i < InputCount(map); i++) PetscCall(ReadOne(InputItem(map, i), InputKey(map, i), the_case, update));
  for (PetscInt t = 0; t < update->num_targets; t++) JudgeExact(update, &update->targets[t]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PetscReal *TargetOutputs(const Update *update, PetscInt target, const PetscReal outputs[])
{
  return outputs + update->offset[update->targets[target].output];
}

PetscReal TargetModel(const Target *target, const PetscReal outputs[], PetscInt i)
{
  return outputs[i] * (target->is_shape ? ShapeFactor(target, outputs) : 1);
}

PetscBool TargetsDeviate(const Update *update, const PetscReal outputs[], PetscReal deviations[], size_t size, char reason[])
{
  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const    target = &update->targets[t];
    const PetscReal *const values = TargetOutputs(update, t, outputs);

    for (PetscInt i = 0; i < target->count; i++) {
      const PetscReal model = TargetModel(target, values, i);

      if (!isfinite(model)) {
        if (reason && !reason[0]) (void)PetscSNPrintf(reason, size, "%s has no value at point %" PetscInt_FMT, TargetOutput(update, t)->name, i + 1);
        return PETSC_FALSE;
      }
      deviations[target->first + i] = (model - target->value[i]) / target->uncertainty[i];
    }
  }
  return PETSC_TRUE;
}

void TargetsDifferentiate(const Update *update, const Evaluated *at, PetscReal slopes[])
{
  const PetscInt size = update->num_unknowns;

  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const    target = &update->targets[t];
    const PetscReal *const values = TargetOutputs(update, t, at->outputs), *const by = at->slopes + update->offset[target->output] * size;
    const PetscReal factor = target->is_shape ? ShapeFactor(target, values) : 1;

    for (PetscInt p = 0; p < size; p++) {
      const PetscReal change = target->is_shape ? ShapeFactorSlope(target, values, size, by + p) : 0;

      for (PetscInt i = 0; i < target->count; i++)
        slopes[(target->first + i) * size + p] = (factor * by[i * size + p] + change * values[i]) / target->uncertainty[i];
    }
  }
}

PetscReal TargetsLogLikelihood(const Update *update, PetscReal chi_square)
{
  PetscReal sum = -0.5 * chi_square;

  for (PetscInt t = 0; t < update->num_targets; t++)
    for (PetscInt i = 0; i < update->targets[t].count; i++) sum -= PetscLogReal(update->targets[t].uncertainty[i]) + 0.5 * PetscLogReal(2 * PETSC_PI);
  return sum;
}
