/* finding.c - one table at one place of the result: sizes, units and facts; laid out, written, read back. */
#include "finding.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

PetscErrorCode FindingDestroy(Finding **finding)
{
  Finding *f = *finding;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < f->num_fields; i++) {
    PetscCall(PetscFree(f->places[i].unit));
    PetscCall(PetscFree(f->places[i].given));
    for (PetscInt t = 0; t < f->places[i].num_texts; t++) PetscCall(PetscFree(f->places[i].texts[t]));
    PetscCall(PetscFree(f->places[i].texts));
  }
  for (PetscInt i = 0; i < f->num_facts; i++) PetscCall(PetscFree(f->facts[i].text));
  PetscCall(PetscFree(f->facts));
  PetscCall(PetscFree(f->places));
  PetscCall(PetscFree(f->path));
  PetscCall(PetscFree(*finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingSetSize(Finding *finding, const char *dimension, PetscInt64 size)
{
  PetscInt i = 0;

  PetscFunctionBegin;
  while (i < finding->num_sizes && strcmp(finding->dimension[i], dimension) != 0) i++;
  PetscCheck(i < FINDING_MAX_SIZES, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "%s: more than %d dimensions", finding->path, FINDING_MAX_SIZES);
  finding->dimension[i] = dimension;
  finding->size[i]      = size;
  finding->num_sizes    = PetscMax(finding->num_sizes, i + 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingOmit(Finding *finding, PetscInt field)
{
  PetscFunctionBegin;
  finding->places[field].omitted = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingSetUnit(Finding *finding, PetscInt field, const char *unit)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(finding->places[field].unit));
  PetscCall(PetscStrallocpy(unit, &finding->places[field].unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const Fact *FindFact(const Finding *finding, const char *name)
{
  for (PetscInt i = 0; i < finding->num_facts; i++)
    if (!strcmp(finding->facts[i].name, name)) return &finding->facts[i];
  return NULL;
}

/* The fact of that name, made when there is none. Only facts that the table declares can be said. */
static PetscErrorCode NeedFact(Finding *finding, const char *name, Fact **fact)
{
  const OutputField *declared = finding->table->facts;
  const Fact        *known    = FindFact(finding, name);

  PetscFunctionBegin;
  if (known) {
    *fact = &finding->facts[known - finding->facts];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  while (declared && declared->key && strcmp(declared->key, name) != 0) declared++;
  PetscCheck(declared && declared->key, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s: the table declares no fact '%s'", finding->table->path, name);
  PetscCall(PetscRealloc((size_t)(finding->num_facts + 1) * sizeof(Fact), &finding->facts));
  *fact  = &finding->facts[finding->num_facts++];
  **fact = (Fact){.name = declared->key};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingSayReal(Finding *finding, const char *fact, PetscReal value)
{
  Fact *said;

  PetscFunctionBegin;
  PetscCall(NeedFact(finding, fact, &said));
  said->type = FACT_REAL;
  said->real = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingSayCount(Finding *finding, const char *fact, PetscInt64 value)
{
  Fact *said;

  PetscFunctionBegin;
  PetscCall(NeedFact(finding, fact, &said));
  said->type  = FACT_COUNT;
  said->count = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingSayText(Finding *finding, const char *fact, const char *value)
{
  Fact *said;

  PetscFunctionBegin;
  PetscCall(NeedFact(finding, fact, &said));
  said->type = FACT_TEXT;
  PetscCall(PetscFree(said->text));
  PetscCall(PetscStrallocpy(value, &said->text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingShape(const Finding *finding, PetscInt field, PetscInt *num_dims, PetscInt64 dims[RESULT_MAX_DIMS])
{
  const OutputField *const output = &finding->table->fields[field];

  PetscFunctionBegin;
  for (*num_dims = 0; *num_dims < RESULT_MAX_DIMS && output->dims[*num_dims]; ++*num_dims) {
    const char *const name = output->dims[*num_dims];

    dims[*num_dims] = isdigit((unsigned char)name[0]) ? strtol(name, NULL, 10) : FindingSize(finding, name);
    PetscCheck(dims[*num_dims] >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "%s/%s: dimension '%s' has no size", finding->path, output->key,
               name);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CountNumbers(const Finding *finding, PetscInt field, PetscInt64 *count)
{
  PetscInt64 dims[RESULT_MAX_DIMS];
  PetscInt   num_dims;

  PetscFunctionBegin;
  PetscCall(FindingShape(finding, field, &num_dims, dims));
  *count = 1;
  for (PetscInt i = 0; i < num_dims; i++) *count *= dims[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingGive(Finding *finding, PetscInt field, const void *rows)
{
  PetscInt64 count = 0;

  PetscFunctionBegin;
  PetscCheck(finding->table->fields[field].type != RESULT_TEXT, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "texts are given by FindingGiveTexts");
  PetscCall(CountNumbers(finding, field, &count));
  PetscCall(PetscFree(finding->places[field].given));
  PetscCall(PetscMalloc((size_t)PetscMax(count, 1) * sizeof(PetscReal), &finding->places[field].given));
  if (count) PetscCall(PetscMemcpy(finding->places[field].given, rows, (size_t)count * sizeof(PetscReal)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingGiveTexts(Finding *finding, PetscInt field, PetscInt count, const char *const texts[])
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count + 1, &finding->places[field].texts));
  for (PetscInt t = 0; t < count; t++) PetscCall(PetscStrallocpy(texts[t], &finding->places[field].texts[t]));
  finding->places[field].num_texts = count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit and names of the dimensions, for whoever opens the file. */
static PetscErrorCode DescribeField(const Finding *finding, PetscInt field, const char *path, Result *result)
{
  const OutputField *const output     = &finding->table->fields[field];
  const char *const        unit       = FindingUnit(finding, field);
  char                     names[128] = "";

  PetscFunctionBegin;
  for (PetscInt d = 0; d < RESULT_MAX_DIMS && output->dims[d]; d++) {
    if (d) PetscCall(PetscStrlcat(names, ", ", sizeof(names)));
    PetscCall(PetscStrlcat(names, output->dims[d], sizeof(names)));
  }
  PetscCall(ResultAttributeText(result, path, "unit", unit ? unit : ""));
  if (names[0]) PetscCall(ResultAttributeText(result, path, "dimensions", names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveField(Finding *finding, PetscInt field, Result *result)
{
  const OutputField *const output = &finding->table->fields[field];
  FindingPlace *const      place  = &finding->places[field];
  PetscInt64               dims[RESULT_MAX_DIMS];
  PetscInt                 num_dims;
  char                     path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", finding->path, output->key));
  PetscCall(FindingShape(finding, field, &num_dims, dims));
  if (place->texts) PetscCall(ResultWriteTexts(result, path, place->num_texts, (const char *const *)place->texts));
  else if (place->given) PetscCall(ResultGive(result, path, output->type, num_dims, dims, place->given, &place->array));
  else PetscCall(ResultReserve(result, path, output->type, num_dims, dims, &place->array));
  PetscCall(DescribeField(finding, field, path, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingReserve(Finding *finding, Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < finding->num_fields; i++)
    if (!finding->places[i].omitted) PetscCall(ReserveField(finding, i, result));
  for (PetscInt i = 0; i < finding->num_facts; i++) {
    const Fact *const fact = &finding->facts[i];

    if (fact->type == FACT_REAL) PetscCall(ResultAttributeReal(result, finding->path, fact->name, fact->real));
    else if (fact->type == FACT_COUNT) PetscCall(ResultAttributeCount(result, finding->path, fact->name, fact->count));
    else PetscCall(ResultAttributeText(result, finding->path, fact->name, fact->text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingWrite(const Finding *finding, PetscInt field, PetscInt64 first, PetscInt64 count, const void *rows, const Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultWriteRows(result, &finding->places[field].array, first, count, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingRead(const Finding *finding, PetscInt field, PetscInt64 first, PetscInt64 count, void *rows, const Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultReadRows(result, &finding->places[field].array, first, count, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt FindingField(const Finding *finding, const char *key)
{
  for (PetscInt i = 0; i < finding->num_fields; i++)
    if (!finding->places[i].omitted && !strcmp(finding->table->fields[i].key, key)) return i;
  return -1;
}

PetscInt64 FindingSize(const Finding *finding, const char *dimension)
{
  for (PetscInt i = 0; i < finding->num_sizes; i++)
    if (!strcmp(finding->dimension[i], dimension)) return finding->size[i];
  return -1;
}

/* The field of that key and type; a fault of ours where there is none. */
static PetscErrorCode NeedField(const Finding *finding, const char *key, ResultType type, PetscInt *field)
{
  PetscFunctionBegin;
  *field = FindingField(finding, key);
  PetscCheck(*field >= 0 && finding->table->fields[*field].type == type, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s has no such output '%s'",
             finding->path, key);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingReadColumn(const Finding *finding, const char *key, PetscInt64 count, PetscInt column, const Result *result, PetscReal **values)
{
  PetscInt   field;
  PetscReal *rows;
  size_t     width;

  PetscFunctionBegin;
  PetscCall(NeedField(finding, key, RESULT_REAL, &field));
  width = finding->places[field].array.row_bytes / sizeof(PetscReal);
  PetscCall(PetscMalloc1((size_t)count * width, &rows));
  PetscCall(FindingRead(finding, field, 0, count, rows, result));
  for (PetscInt64 i = 0; i < count; i++) rows[i] = rows[(size_t)i * width + (size_t)column];
  *values = rows;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingReadReals(const Finding *finding, const char *key, PetscInt64 count, const Result *result, PetscReal **values)
{
  PetscInt field;

  PetscFunctionBegin;
  PetscCall(NeedField(finding, key, RESULT_REAL, &field));
  PetscCall(PetscMalloc((size_t)PetscMax(count, 1) * finding->places[field].array.row_bytes, values));
  PetscCall(FindingRead(finding, field, 0, count, *values, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingReadCounts(const Finding *finding, const char *key, PetscInt64 count, const Result *result, PetscInt64 **values)
{
  PetscInt field;

  PetscFunctionBegin;
  PetscCall(NeedField(finding, key, RESULT_COUNT, &field));
  PetscCall(PetscMalloc((size_t)PetscMax(count, 1) * finding->places[field].array.row_bytes, values));
  PetscCall(FindingRead(finding, field, 0, count, *values, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FindingReadText(const Finding *finding, const char *key, const Result *result, char text[RESULT_TEXT_LENGTH])
{
  PetscInt field;

  PetscFunctionBegin;
  PetscCall(NeedField(finding, key, RESULT_TEXT, &field));
  PetscCall(FindingRead(finding, field, 0, 1, text, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal FindingReal(const Finding *finding, const char *fact)
{
  const Fact *known = FindFact(finding, fact);

  return known ? known->real : (PetscReal)NAN;
}

PetscInt64 FindingCount(const Finding *finding, const char *fact)
{
  const Fact *known = FindFact(finding, fact);

  return known ? known->count : 0;
}

const char *FindingText(const Finding *finding, const char *fact)
{
  const Fact *known = FindFact(finding, fact);

  return known ? known->text : NULL;
}

const char *FindingPath(const Finding *finding)
{
  return finding->path;
}

const void *FindingGiven(const Finding *finding, const char *key)
{
  const PetscInt field = FindingField(finding, key);

  return field < 0 ? NULL : finding->places[field].given;
}

const char *FindingUnit(const Finding *finding, PetscInt field)
{
  return finding->places[field].unit ? finding->places[field].unit : finding->table->fields[field].unit;
}

const OutputTable *FindingTable(const Finding *finding)
{
  return finding->table;
}

PetscBool FindingHasNumber(const Finding *finding, const char *fact, PetscReal *value)
{
  const Fact *const known = FindFact(finding, fact);

  if (!known || known->type == FACT_TEXT) return PETSC_FALSE;
  *value = known->type == FACT_REAL ? known->real : (PetscReal)known->count;
  return PETSC_TRUE;
}
