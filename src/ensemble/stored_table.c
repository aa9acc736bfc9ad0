/* stored_table.c - the samples of a result on disk: what they are is found in its datasets and values. */
#include "stored_table.h"
#include <stdlib.h>
#include <string.h>

const char *const stored_table_ignored[] = {"vary.samples", "vary.keep", "vary.percentiles", "vary.confidence", SHARE_KEY, NULL};

PetscBool SampleIsFinished(const Sample *sample)
{
  return (PetscBool)(sample->status != SAMPLE_NONE && sample->status != SAMPLE_FAULT);
}

/* The size of the first dimension, 0 where there is no such dataset. */
static PetscErrorCode FindSize(const Result *result, const char *path, PetscInt *size)
{
  PetscInt64 dims[RESULT_MAX_DIMS];
  PetscInt   num_dims;

  PetscFunctionBegin;
  PetscCall(StoredShape(result, path, &num_dims, dims));
  *size = num_dims > 0 ? (PetscInt)dims[0] : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindNumber(const Result *result, const char *key, PetscReal *number)
{
  char      text[64];
  PetscBool found;

  PetscFunctionBegin;
  PetscCall(StoredValue(result, key, sizeof(text), text, &found));
  *number = found ? strtod(text, NULL) : 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindMethod(StoredTable *table, PetscBool *known)
{
  Ensemble *const e = table->ensemble;
  char            text[64];
  PetscReal       number;
  PetscInt        num_dims;
  PetscInt64      dims[RESULT_MAX_DIMS];

  PetscFunctionBegin;
  PetscCall(StoredValue(table->result, "vary.method", sizeof(text), text, known));
  e->method = PLAN_RANDOM;
  while (*known && e->method < NUM_PLAN_METHODS && strcmp(plan_methods[e->method], text) != 0) e->method++;
  *known = (PetscBool)(*known && e->method < NUM_PLAN_METHODS);
  PetscCall(FindNumber(table->result, "vary.seed", &number));
  e->seed = (PetscInt)number;
  PetscCall(FindNumber(table->result, "vary.confidence", &e->confidence));
  PetscCall(StoredShape(table->result, "/vary/statistics/second", &num_dims, dims));
  e->second_order = (PetscBool)(num_dims >= 0);
  PetscCall(FindSize(table->result, "/vary/samples/status", &e->num_rows));
  e->num_samples = e->num_rows / (e->method == PLAN_SOBOL_INDICES ? (e->second_order ? 2 : 1) * e->num_parameters + 2 : 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindParameters(StoredTable *table)
{
  Ensemble *const e = table->ensemble;
  size_t          length;

  PetscFunctionBegin;
  PetscCall(StoredTexts(table->result, "/vary/parameters", &e->num_parameters, &length, &table->parameters));
  PetscCall(PetscCalloc2(e->num_parameters, &e->parameters, e->num_parameters, &e->distributions));
  for (PetscInt p = 0; p < e->num_parameters; p++) e->parameters[p].name = table->parameters + (size_t)p * length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The name of a curve whose places these are; NULL for another dataset. */
static const char *CurveName(const char *path, size_t *length)
{
  static const char before[] = "/vary/curves/", behind[] = "/place";
  const char *const name = path + sizeof(before) - 1;

  if (strncmp(path, before, sizeof(before) - 1) != 0) return NULL;
  *length = strcspn(name, "/");
  return strcmp(name + *length, behind) == 0 ? name : NULL;
}

static PetscErrorCode AddCurves(StoredTable *table)
{
  Ensemble *const e = table->ensemble;
  size_t          length;

  PetscFunctionBegin;
  for (PetscInt i = 0; StoredItem(table->result, i); i++) {
    const char *const path = StoredItem(table->result, i), *const name = CurveName(path, &length);
    Output *const output = &e->outputs[e->num_outputs];
    char         *copy;

    if (!name) continue;
    PetscCall(PetscStrallocpy(name, &copy));
    copy[length] = '\0';
    *output      = (Output){.name = copy, .finding = copy, .is_curve = PETSC_TRUE, .column = -1};
    PetscCall(FindSize(table->result, path, &output->count));
    e->num_values += output->count;
    e->num_outputs++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindOutputs(StoredTable *table)
{
  Ensemble *const e   = table->ensemble;
  PetscInt        num = 0;
  size_t          length, of_units;

  PetscFunctionBegin;
  while (StoredItem(table->result, num)) num++;
  PetscCall(StoredTexts(table->result, "/vary/outputs", &e->num_numbers, &length, &table->outputs));
  PetscCall(StoredTexts(table->result, "/vary/output_units", &e->num_numbers, &of_units, &table->units));
  PetscCall(PetscCalloc1(e->num_numbers + num, &e->outputs));
  for (PetscInt i = 0; i < e->num_numbers; i++)
    e->outputs[i] = (Output){.name = table->outputs + (size_t)i * length, .unit = table->units + (size_t)i * of_units, .column = i};
  e->num_outputs = e->num_values = e->num_numbers;
  PetscCall(AddCurves(table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The percentiles are numbers of the result, which are read when rows are. */
static PetscErrorCode LayOut(StoredTable *table)
{
  Ensemble *const e = table->ensemble;

  PetscFunctionBegin;
  PetscCall(FindSize(table->result, "/vary/statistics/percent", &e->percentiles.count));
  PetscCall(FindingsCreate(&e->findings));
  PetscCall(TablesAddStored(e));
  PetscCall(FindingsReserve(e->findings, table->result));
  PetscCall(ResultBeginData(table->result));
  PetscCall(FindingReadReals(e->statistics, "percent", e->percentiles.count, table->result, &table->percent));
  e->percentiles.values = table->percent;
  PetscCall(PetscCalloc2(e->num_values, &table->sample.outputs, e->num_parameters, &table->inputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(StoredTable *table, PetscBool *known)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(&table->ensemble));
  PetscCall(FindParameters(table));
  PetscCall(FindOutputs(table));
  PetscCall(FindMethod(table, known));
  *known = (PetscBool)(*known && table->ensemble->num_rows > 0);
  if (*known) PetscCall(LayOut(table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredTableOpen(const char *path, StoredMode mode, StoredTable **table, size_t length, char fault[])
{
  Result   *result;
  PetscBool known;

  PetscFunctionBegin;
  *table = NULL;
  PetscCall(StoredOpen(path, mode, &result, length, fault));
  if (!result) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(table));
  (*table)->result = result;
  PetscCall(PetscStrallocpy(path, &(*table)->path));
  PetscCall(Describe(*table, &known));
  if (!known) PetscCall(PetscSNPrintf(fault, length, "it has no samples: its case has no key `vary`"));
  else if (StoredDamage(result)) PetscCall(PetscSNPrintf(fault, length, "rows of %s are damaged", StoredDamage(result)));
  if (fault[0]) PetscCall(StoredTableClose(table, PETSC_FALSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredTableClose(StoredTable **table, PetscBool complete)
{
  PetscFunctionBegin;
  if (!*table) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResultClose(&(*table)->result, complete));
  PetscCall(EnsembleDestroy(&(*table)->ensemble));
  PetscCall(PetscFree2((*table)->sample.outputs, (*table)->inputs));
  PetscCall(PetscFree((*table)->percent));
  PetscCall(PetscFree((*table)->parameters));
  PetscCall(PetscFree((*table)->outputs));
  PetscCall(PetscFree((*table)->units));
  PetscCall(PetscFree((*table)->path));
  PetscCall(PetscFree(*table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StoredTableRead(StoredTable *table, PetscInt row)
{
  PetscFunctionBegin;
  table->sample.status = SAMPLE_NONE;
  if (row < table->ensemble->num_rows) PetscCall(TablesReadSample(table->ensemble, row, table->inputs, &table->sample, table->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
