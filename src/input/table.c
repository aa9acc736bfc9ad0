/* table.c - structs read from maps by their tables. */
#include "input_private.h"
#include <string.h>

static PetscBool IsFinite(PetscReal fallback)
{
  return fallback != INPUT_REQUIRED && fallback != INPUT_OPTIONAL ? PETSC_TRUE : PETSC_FALSE;
}

/* A required member gets a usable value, so that its reader can continue after the complaint. */
static void PutFallback(const InputField *field, void *member)
{
  const PetscReal number = IsFinite(field->fallback) ? field->fallback : InputWithin(field);

  if (field->fallback == INPUT_OPTIONAL) return;
  switch (field->kind) {
  case INPUT_REAL:
    *(PetscReal *)member = number;
    break;
  case INPUT_COUNT:
    *(PetscInt *)member = (PetscInt)number;
    break;
  case INPUT_TRUTH:
    *(PetscBool *)member = IsFinite(field->fallback) && number != 0 ? PETSC_TRUE : PETSC_FALSE;
    break;
  case INPUT_WORD:
    *(PetscInt *)member = IsFinite(field->fallback) ? (PetscInt)number : 0;
    break;
  case INPUT_TEXT:
  case INPUT_PATH:
    *(const char **)member = NULL;
    break;
  case INPUT_REALS:
    *(InputReals *)member = (InputReals){0};
    if (IsFinite(field->fallback) && number != 0) *(InputReals *)member = (InputReals){.count = 1, .values = &field->fallback};
    break;
  case INPUT_TEXTS:
    *(InputTexts *)member = (InputTexts){0};
    break;
  case INPUT_NODE:
    *(const InputNode **)member = NULL;
    break;
  }
}

/* How the list of values shows a value of this kind; NULL for kinds that are recorded elsewhere. */
static const char *PrintMember(const InputField *field, const void *member, Digits *digits)
{
  switch (field->kind) {
  case INPUT_REAL:
    *digits = DigitsOf(*(const PetscReal *)member);
    return digits->text;
  case INPUT_COUNT:
    *digits = DigitsOf((PetscReal)((const PetscInt *)member)[0]);
    return digits->text;
  case INPUT_TRUTH:
    return *(const PetscBool *)member ? "yes" : "no";
  case INPUT_WORD:
    return field->words[*(const PetscInt *)member];
  case INPUT_REALS:
    if (((const InputReals *)member)->count != 1) return NULL;
    *digits = DigitsOf(((const InputReals *)member)->values[0]);
    return digits->text;
  default:
    return NULL;
  }
}

static PetscErrorCode ReadNumber(const InputNode *node, const InputField *field, void *member, PetscBool *fine)
{
  PetscReal real  = 0;
  PetscInt  count = 0;

  PetscFunctionBegin;
  if (field->kind == INPUT_REAL) {
    PetscCall(InputScanReal(node, field->unit, &real, fine));
  } else {
    PetscCall(InputScanCount(node, &count, fine));
    real = (PetscReal)count;
  }
  if (*fine) PetscCall(InputCheckBounds(node, field, real, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (field->kind == INPUT_REAL) *(PetscReal *)member = real;
  else *(PetscInt *)member = count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadText(const InputNode *node, const InputField *field, const char **member)
{
  const char *text;

  PetscFunctionBegin;
  if (field->kind == INPUT_PATH) PetscCall(InputGetPath(node, &text));
  else PetscCall(InputGetText(node, &text));
  if (text) *member = text;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists keep their good items after a complaint. */
static PetscErrorCode ReadList(const InputNode *node, const InputField *field, void *member)
{
  PetscBool fine;

  PetscFunctionBegin;
  if (field->kind == INPUT_REALS) {
    PetscCall(InputScanReals(node, field->unit, field, member, &fine));
    if (fine) PetscCall(InputRecordReals(node, field->unit, member));
  } else {
    PetscCall(InputScanTexts(node, member, &fine));
    if (fine) PetscCall(InputRecordTexts(node, member));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMember(const InputNode *node, const InputField *field, void *member)
{
  PetscBool fine = PETSC_FALSE;
  Digits    digits;

  PetscFunctionBegin;
  switch (field->kind) {
  case INPUT_REAL:
  case INPUT_COUNT:
    PetscCall(ReadNumber(node, field, member, &fine));
    break;
  case INPUT_TRUTH:
    PetscCall(InputScanTruth(node, member, &fine));
    break;
  case INPUT_WORD:
    PetscCall(InputScanWord(node, field->words, member, &fine));
    break;
  case INPUT_TEXT:
  case INPUT_PATH:
    PetscCall(ReadText(node, field, member));
    break;
  case INPUT_REALS:
  case INPUT_TEXTS:
    PetscCall(ReadList(node, field, member));
    break;
  case INPUT_NODE:
    if (InputIsNull(node)) PetscCall(InputComplain(node, "has no value"));
    else *(const InputNode **)member = node;
    break;
  }
  if (fine) PetscCall(InputRecord(node, NULL, PrintMember(field, member, &digits), field->unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ListKeys(const InputNode *map, const InputTable *table, const char ***keys)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  while (table->fields[count].key) count++;
  PetscCall(InputAllocate(map->document, (size_t)(count + 1) * sizeof **keys, keys));
  for (PetscInt i = 0; i < count; i++) (*keys)[i] = table->fields[i].key;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsAmong(const char *text, const char *const names[])
{
  for (; *names; names++) {
    if (strcmp(*names, text) == 0) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* A missing key that resembles an unknown one has been misspelt, and has been complained of already. */
static PetscErrorCode ComplainMissing(const InputNode *map, const InputField *field, const char *const keys[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < map->count && map->document->num_complaints < INPUT_MAX_KEPT; i++) {
    const char *const key     = map->items[i]->key;
    const char *const nearest = IsAmong(key, keys) ? NULL : InputNearest(key, keys);

    if (nearest && strcmp(nearest, field->key) == 0) PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputComplain(map, "key '%s' is missing: %s%s%s%s", field->key, field->help ? field->help : "", field->unit ? " [" : "",
                          field->unit ? field->unit : "", field->unit ? "]" : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadField(const InputNode *map, const InputField *field, const char *const keys[], void *member)
{
  const InputNode *const node = InputFind(map, field->key);
  Digits                 digits;

  PetscFunctionBegin;
  PutFallback(field, member);
  if (node) {
    PetscCall(ReadMember(node, field, member));
  } else if (map->kind == NODE_MAP && field->fallback == INPUT_REQUIRED) {
    PetscCall(ComplainMissing(map, field, keys));
  } else if (map->kind == NODE_MAP && IsFinite(field->fallback)) {
    const char *const value = PrintMember(field, member, &digits);

    if (value) PetscCall(InputRecord(map, field->key, value, field->unit));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRead(const InputNode *map, const InputTable *table, void *target)
{
  const char **keys;

  PetscFunctionBegin;
  PetscCheck(map && table && target, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "InputRead needs a map, a table and a target");
  PetscCall(ListKeys(map, table, &keys));
  if (InputIsNull(map)) PetscCall(InputComplain(map, "has no value"));
  else if (map->kind != NODE_MAP) PetscCall(InputComplain(map, "expected a map, found %s", InputDescribe(map).text));
  for (PetscInt i = 0; map->kind == NODE_MAP && i < map->count; i++) {
    if (!IsAmong(map->items[i]->key, keys)) PetscCall(InputComplainUnknown(map->items[i], PETSC_TRUE, "key", map->items[i]->key, keys));
  }
  for (const InputField *field = table->fields; field->key; field++) PetscCall(ReadField(map, field, keys, (char *)target + field->offset));
  PetscFunctionReturn(PETSC_SUCCESS);
}
