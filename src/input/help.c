/* help.c - the help of tables: each field with its line of help, kind, shape, unit, bounds and default. */
#include "input_private.h"
#include <stdio.h>
#include <string.h>

/* The tables that are printed together. The names of all but the first are paths, by which they are found. */
typedef struct {
  FILE                    *out;
  const InputTable *const *tables; /* ends with NULL */
} Manual;

/* The part of `name` after `path`; NULL where it does not begin with it. */
static const char *Behind(const char *name, const char *path)
{
  const size_t length = strlen(path);

  return strncmp(name, path, length) == 0 && (!name[length] || strchr(".[", name[length])) ? name + length : NULL;
}

/* The last word of a path of the form `path.word`; NULL for other paths, and for the NAME of a map. */
static const char *KindBehind(const char *name, const char *path)
{
  const char *const rest = Behind(name, path);

  return rest && rest[0] == '.' && !strpbrk(rest + 1, ".[") && strcmp(rest, ".NAME") != 0 ? rest + 1 : NULL;
}

static PetscErrorCode AddKeys(const InputTable *table, InputBuffer *buffer)
{
  PetscFunctionBegin;
  for (const InputField *field = table->fields; field->key; field++) {
    PetscCall(InputBufferPrint(buffer, "%s%s", field == table->fields ? "{" : ", ", field->key));
  }
  PetscCall(InputBufferAdd(buffer, "}", 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddKinds(const Manual *manual, const char *path, InputBuffer *buffer)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  for (PetscInt i = 1; manual->tables[i]; i++) {
    const char *const kind = KindBehind(manual->tables[i]->name, path);

    if (kind) PetscCall(InputBufferPrint(buffer, "%s%s", count++ ? ", " : "{KIND: {...}}, KIND one of ", kind));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How the value at `path` is written, where one of the tables describes it: a map, a list of maps, maps by name, or a map of one kind. */
static PetscErrorCode AddShape(const Manual *manual, const char *path, InputBuffer *buffer)
{
  PetscFunctionBegin;
  for (PetscInt i = 1; manual->tables[i]; i++) {
    const InputTable *const table = manual->tables[i];
    const char *const       rest  = Behind(table->name, path);
    const PetscBool         list = (PetscBool)(rest && strcmp(rest, "[]") == 0), map = (PetscBool)(rest && strcmp(rest, ".NAME") == 0);

    if (!rest || (*rest && !list && !map)) continue;
    PetscCall(InputBufferPrint(buffer, "%s", list ? "list of " : map ? "{NAME: " : ""));
    PetscCall(AddKeys(table, buffer));
    PetscCall(InputBufferPrint(buffer, "%s", map ? "}" : ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(AddKinds(manual, path, buffer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddKind(const InputField *field, InputBuffer *buffer)
{
  static const char *const kinds[] = {
    [INPUT_REAL]  = "number",
    [INPUT_COUNT] = "whole number",
    [INPUT_TRUTH] = "yes or no",
    [INPUT_TEXT]  = "text",
    [INPUT_PATH]  = "path",
    [INPUT_WORD]  = "one of ",
    [INPUT_REALS] = "number or list of numbers",
    [INPUT_TEXTS] = "text or list of texts",
    [INPUT_NODE]  = "", /* its shape is added, or its line of help describes it */
  };

  PetscFunctionBegin;
  PetscCall(InputBufferPrint(buffer, "%s", kinds[field->kind]));
  if (field->kind == INPUT_WORD) PetscCall(InputPrintNames(buffer, field->words));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without the unit, which has been printed with the kind. */
static PetscErrorCode AddBounds(const InputField *field, InputBuffer *buffer)
{
  InputField  bare   = *field;
  InputBuffer bounds = {0};

  PetscFunctionBegin;
  bare.unit = NULL;
  PetscCall(InputPrintBounds(&bounds, &bare));
  if (bounds.length) PetscCall(InputBufferPrint(buffer, ", %s", bounds.data));
  PetscCall(InputBufferDestroy(&bounds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFallback(const InputField *field, InputBuffer *buffer)
{
  const Digits      digits   = DigitsOf(field->fallback);
  const char *const comma    = buffer->length ? ", " : "";
  const char       *fallback = NULL;

  PetscFunctionBegin;
  if (field->fallback == INPUT_REQUIRED) {
    PetscCall(InputBufferPrint(buffer, "%srequired", comma));
  } else if (field->fallback != INPUT_OPTIONAL) {
    if (field->kind == INPUT_REAL || field->kind == INPUT_COUNT || (field->kind == INPUT_REALS && field->fallback != 0)) fallback = digits.text;
    if (field->kind == INPUT_TRUTH) fallback = field->fallback != 0 ? "yes" : "no";
    if (field->kind == INPUT_WORD) fallback = field->words[(PetscInt)field->fallback];
  }
  if (fallback) PetscCall(InputBufferPrint(buffer, ", default %s", fallback));
  else if (field->fallback != INPUT_REQUIRED) PetscCall(InputBufferPrint(buffer, "%soptional", comma));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `parent` is the path of the map that has the field, empty for the root. */
static PetscErrorCode PrintField(const Manual *manual, const char *parent, const InputField *field, int width)
{
  InputBuffer about = {0}, path = {0};

  PetscFunctionBegin;
  PetscCall(InputBufferPrint(&path, "%s%s%s", parent, *parent ? "." : "", field->key));
  PetscCall(InputBufferAdd(&about, "", 0));
  PetscCall(AddKind(field, &about));
  if (field->kind == INPUT_NODE) PetscCall(AddShape(manual, path.data, &about));
  if (field->unit) PetscCall(InputBufferPrint(&about, "%s[%s]", about.length ? " " : "", field->unit));
  if (field->kind == INPUT_REAL || field->kind == INPUT_COUNT || field->kind == INPUT_REALS) PetscCall(AddBounds(field, &about));
  PetscCall(AddFallback(field, &about));
  fprintf(manual->out, "  %-*s  %s\n  %-*s  %s\n", width, field->key, field->help ? field->help : "", width, "", about.data);
  PetscCall(InputBufferDestroy(&about));
  PetscCall(InputBufferDestroy(&path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool SameText(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool HasField(const InputTable *table, const InputField *wanted)
{
  for (const InputField *field = table->fields; field->key; field++) {
    if (strcmp(field->key, wanted->key) == 0) return field->kind == wanted->kind && SameText(field->help, wanted->help);
  }
  return PETSC_FALSE;
}

/* The path above the kind that a table describes, "load" of "load.step"; empty where it is the only kind. */
static PetscErrorCode AddFamily(const Manual *manual, PetscInt index, InputBuffer *path)
{
  const char *const name = manual->tables[index]->name, *const dot = strrchr(name, '.');
  PetscInt count = 0;

  PetscFunctionBegin;
  PetscCall(InputBufferAdd(path, name, index > 0 && dot ? (size_t)(dot - name) : 0));
  if (!path->length || !KindBehind(name, path->data)) path->length = 0;
  for (PetscInt i = 1; path->length && manual->tables[i]; i++) count += KindBehind(manual->tables[i]->name, path->data) != NULL;
  if (count < 2) path->length = 0;
  path->data[path->length] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether all kinds of the family have the field. */
static PetscBool IsShared(const Manual *manual, const char *family, const InputField *field)
{
  if (!*family) return PETSC_FALSE;
  for (PetscInt i = 1; manual->tables[i]; i++) {
    if (KindBehind(manual->tables[i]->name, family) && !HasField(manual->tables[i], field)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool SharesAny(const Manual *manual, const char *family, const InputTable *table)
{
  for (const InputField *field = table->fields; field->key; field++)
    if (IsShared(manual, family, field)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The fields that are, or are not, shared by the kinds of the family. */
static PetscErrorCode PrintFields(const Manual *manual, const char *parent, const char *family, PetscBool shared, const InputTable *table)
{
  int width = 0;

  PetscFunctionBegin;
  for (const InputField *field = table->fields; field->key; field++) {
    if (IsShared(manual, family, field) == shared) width = PetscMax(width, (int)strlen(field->key));
  }
  for (const InputField *field = table->fields; field->key; field++) {
    if (IsShared(manual, family, field) == shared) PetscCall(PrintField(manual, parent, field, width));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys common to all kinds of a family are printed once, before its first kind. */
static PetscErrorCode PrintShared(const Manual *manual, const char *family, PetscInt index)
{
  InputBuffer path = {0};

  PetscFunctionBegin;
  for (PetscInt i = 1; i < index; i++) {
    if (KindBehind(manual->tables[i]->name, family)) PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputBufferPrint(&path, "%s.KIND", family));
  fprintf(manual->out, "%s: keys of every kind\n", path.data);
  PetscCall(PrintFields(manual, path.data, family, PETSC_TRUE, manual->tables[index]));
  fputc('\n', manual->out);
  PetscCall(InputBufferDestroy(&path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputPrintTables(FILE *out, const InputTable *const tables[])
{
  const Manual manual = {.out = out, .tables = tables};

  PetscFunctionBegin;
  for (PetscInt i = 0; tables[i]; i++) {
    InputBuffer family = {0};

    if (i > 0) fputc('\n', out);
    PetscCall(AddFamily(&manual, i, &family));
    if (SharesAny(&manual, family.data, tables[i])) PetscCall(PrintShared(&manual, family.data, i));
    fprintf(out, "%s: %s\n", tables[i]->name, tables[i]->summary ? tables[i]->summary : "");
    PetscCall(PrintFields(&manual, i > 0 ? tables[i]->name : "", family.data, PETSC_FALSE, tables[i]));
    PetscCall(InputBufferDestroy(&family));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputPrintTable(FILE *out, const InputTable *table)
{
  const InputTable *const tables[] = {table, NULL};

  PetscFunctionBegin;
  PetscCall(InputPrintTables(out, tables));
  PetscFunctionReturn(PETSC_SUCCESS);
}
