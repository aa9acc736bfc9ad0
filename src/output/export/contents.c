/* contents.c - groups and datasets of a result as JSON, by their paths. */
#include "formats.h"
#include <math.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 1000, MOST_AT_ONCE = 1 << 19 }; /* numbers that are read at once */

static const char *const type_names[] = {[RESULT_REAL] = "real", [RESULT_COUNT] = "whole", [RESULT_TEXT] = "text"};

static PetscErrorCode WriteAttribute(hid_t attribute, const char *name, Json *json)
{
  const hid_t     stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const PetscBool single = (PetscBool)(H5Sget_simple_extent_npoints(space) == 1), whole = (PetscBool)(H5Tget_class(stored) == H5T_INTEGER);
  char           *text;
  PetscReal       real;
  PetscInt64      count;

  PetscFunctionBegin;
  H5Iinc_ref(attribute);
  PetscCall(AttributeGetText(attribute, &text));
  if (text) JsonText(json, name, text);
  else if (single && IsNumber(stored) && whole && H5Aread(attribute, H5T_NATIVE_INT64, &count) >= 0) JsonCount(json, name, count);
  else if (single && IsNumber(stored) && !whole && H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0) JsonReal(json, name, real);
  PetscCall(PetscFree(text));
  H5Tclose(stored);
  H5Sclose(space);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteAttributes(const Catalogue *catalogue, const char *path, Json *json)
{
  PetscFunctionBegin;
  JsonOpenObject(json, "attributes");
  for (hsize_t i = 0; i < MOST_ATTRIBUTES; i++) {
    const hid_t attribute                = H5Aopen_by_idx(catalogue->file, path, H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    char        name[RESULT_TEXT_LENGTH] = "";

    if (attribute < 0) break;
    H5Aget_name(attribute, sizeof(name), name);
    PetscCall(WriteAttribute(attribute, name, json));
    H5Aclose(attribute);
  }
  JsonClose(json);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void WriteItem(const Entry *entry, const char *item, Json *json)
{
  PetscReal  real;
  PetscInt64 count;

  if (entry->type == RESULT_TEXT) {
    JsonText(json, NULL, item);
  } else if (entry->type == RESULT_COUNT) {
    memcpy(&count, item, sizeof(count));
    JsonCount(json, NULL, count);
  } else {
    memcpy(&real, item, sizeof(real));
    JsonReal(json, NULL, real);
  }
}

/* A row: a list in a list for each further dimension. */
static const char *WriteNested(const Entry *entry, int dimension, const char *item, Json *json)
{
  if (dimension >= entry->num_dims) {
    WriteItem(entry, item, json);
    return item + EntryItemBytes(entry);
  }
  JsonOpenList(json, NULL);
  for (hsize_t i = 0; i < entry->sizes[dimension]; i++) item = WriteNested(entry, dimension + 1, item, json);
  JsonClose(json);
  return item;
}

static PetscErrorCode WriteValues(const Catalogue *catalogue, const Entry *entry, Json *json)
{
  const PetscInt rows = EntryRows(entry), width = EntryWidth(entry);
  const PetscInt capacity = PetscMin(PetscMax(rows, 1), PetscMax(MOST_AT_ONCE / PetscMax(width, 1), 1));
  PetscErrorCode code     = PETSC_SUCCESS;
  char          *values;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)(capacity * width) * EntryItemBytes(entry) + 1, &values));
  JsonOpenList(json, "values");
  for (PetscInt first = 0; first < rows && code == PETSC_SUCCESS; first += capacity) {
    const PetscInt count = PetscMin(capacity, rows - first);
    const char    *item  = values;

    code = EntryReadRows(catalogue, entry, first, count, values);
    for (PetscInt row = 0; row < count && code == PETSC_SUCCESS; row++) item = WriteNested(entry, 1, item, json);
  }
  JsonClose(json);
  PetscCall(PetscFree(values));
  PetscFunctionReturn(code);
}

/* In pieces; whole numbers as reals. */
static PetscErrorCode WriteSpan(const Catalogue *catalogue, const Entry *entry, Json *json)
{
  const PetscInt rows = EntryRows(entry), width = EntryWidth(entry), capacity = PetscMax(MOST_AT_ONCE / PetscMax(width, 1), 1);
  Entry          as_reals = *entry;
  Span           all      = {.least = PETSC_INFINITY, .most = PETSC_NINFINITY};
  PetscReal     *values;

  PetscFunctionBegin;
  as_reals.type = RESULT_REAL;
  PetscCall(PetscMalloc1((size_t)PetscMin(capacity, rows) * (size_t)width + 1, &values));
  for (PetscInt first = 0; first < rows; first += capacity) {
    const PetscInt       count = PetscMin(capacity, rows - first);
    const PetscErrorCode code  = EntryReadRows(catalogue, &as_reals, first, count, values);
    const Span           span  = SpanOf(count * width, values);

    if (code) PetscFunctionReturn(code);
    all.num_known += span.num_known;
    all.least = PetscMin(all.least, span.least);
    all.most  = PetscMax(all.most, span.most);
  }
  PetscCall(PetscFree(values));
  JsonReal(json, "least", all.num_known ? all.least : (PetscReal)NAN);
  JsonReal(json, "most", all.num_known ? all.most : (PetscReal)NAN);
  JsonCount(json, "known", all.num_known);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteDataset(const Catalogue *catalogue, const Entry *entry, PetscInt most, Json *json)
{
  const PetscInt count = EntryRows(entry) * EntryWidth(entry);

  PetscFunctionBegin;
  JsonText(json, "type", type_names[entry->type]);
  if (entry->unit[0]) JsonText(json, "unit", entry->unit);
  JsonOpenList(json, "dimensions");
  for (int d = 0; d < entry->num_dims && entry->dims[d][0]; d++) JsonText(json, NULL, entry->dims[d]);
  JsonClose(json);
  JsonOpenList(json, "shape");
  for (int d = 0; d < entry->num_dims; d++) JsonCount(json, NULL, (PetscInt64)entry->sizes[d]);
  JsonClose(json);
  if (most < 0 || count <= most) PetscFunctionReturn(WriteValues(catalogue, entry, json));
  PetscFunctionReturn(entry->type == RESULT_TEXT ? PETSC_SUCCESS : WriteSpan(catalogue, entry, json));
}

PetscErrorCode WriteContents(const Catalogue *catalogue, PetscInt most, Json *json)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  JsonOpenObject(json, "contents");
  for (PetscInt i = 0; i < catalogue->count && code == PETSC_SUCCESS; i++) {
    const Entry *const entry = &catalogue->entries[i];

    if (!entry->chosen) continue;
    JsonOpenObject(json, entry->path);
    if (entry->is_group) code = WriteAttributes(catalogue, entry->path, json);
    else code = WriteDataset(catalogue, entry, most, json);
    JsonClose(json);
  }
  JsonClose(json);
  PetscFunctionReturn(code);
}
