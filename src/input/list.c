/* list.c - a scalar or a list read as a list of numbers or texts. */
#include "input_private.h"

/* The number of items: those of a list, or one scalar. Complains of a map and of a missing value. */
static PetscErrorCode Expect(const InputNode *node, const char *what, PetscInt *count, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (InputIsNull(node)) PetscCall(InputComplain(node, "has no value"));
  else if (node->kind == NODE_MAP) PetscCall(InputComplain(node, "expected %s, found a map", what));
  else *fine = PETSC_TRUE;
  *count = !*fine ? 0 : node->kind == NODE_LIST ? node->count : 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanReals(const InputNode *node, const char *unit, const InputField *field, InputReals *reals, PetscBool *fine)
{
  PetscInt   count;
  PetscReal *values = NULL;

  PetscFunctionBegin;
  PetscCall(Expect(node, "a number or a list of numbers", &count, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputAllocate(node->document, (size_t)count * sizeof *values, &values));
  for (PetscInt i = 0; i < count; i++) {
    const InputNode *const item = node->kind == NODE_LIST ? node->items[i] : node;
    PetscBool              good;

    values[i] = field ? InputWithin(field) : 0;
    PetscCall(InputScanReal(item, unit, &values[i], &good));
    if (good && field) PetscCall(InputCheckBounds(item, field, values[i], &good));
    if (!good && field) values[i] = InputWithin(field);
    if (!good) *fine = PETSC_FALSE;
  }
  *reals = (InputReals){.count = count, .values = values};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanTexts(const InputNode *node, InputTexts *texts, PetscBool *fine)
{
  PetscInt     count, good = 0;
  const char **values = NULL;

  PetscFunctionBegin;
  PetscCall(Expect(node, "a text or a list of texts", &count, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputAllocate(node->document, (size_t)count * sizeof *values, &values));
  for (PetscInt i = 0; i < count; i++) {
    PetscBool is_text;

    PetscCall(InputScanText(node->kind == NODE_LIST ? node->items[i] : node, &values[good], &is_text));
    if (is_text) good++;
    else *fine = PETSC_FALSE;
  }
  *texts = (InputTexts){.count = good, .values = values};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRecordReals(const InputNode *node, const char *unit, const InputReals *reals)
{
  InputBuffer line = {0};

  PetscFunctionBegin;
  if (node->kind == NODE_LIST) PetscCall(InputBufferAdd(&line, "[", 1));
  for (PetscInt i = 0; i < reals->count; i++) PetscCall(InputBufferPrint(&line, "%s%s", i ? ", " : "", DigitsOf(reals->values[i]).text));
  if (node->kind == NODE_LIST) PetscCall(InputBufferAdd(&line, "]", 1));
  PetscCall(InputRecord(node, NULL, line.data, unit));
  PetscCall(InputBufferDestroy(&line));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRecordTexts(const InputNode *node, const InputTexts *texts)
{
  InputBuffer line = {0};

  PetscFunctionBegin;
  if (node->kind != NODE_LIST) {
    PetscCall(InputRecordText(node, texts->values[0]));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputBufferAdd(&line, "[", 1));
  for (PetscInt i = 0; i < texts->count; i++) {
    if (i) PetscCall(InputBufferAdd(&line, ", ", 2));
    PetscCall(InputBufferAddName(&line, texts->values[i]));
  }
  PetscCall(InputBufferAdd(&line, "]", 1));
  PetscCall(InputRecord(node, NULL, line.data, NULL));
  PetscCall(InputBufferDestroy(&line));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetReals(const InputNode *node, const char *unit, InputReals *reals)
{
  PetscBool fine;

  PetscFunctionBegin;
  *reals = (InputReals){0};
  PetscCall(InputScanReals(node, unit, NULL, reals, &fine));
  if (fine) PetscCall(InputRecordReals(node, NULL, reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetTexts(const InputNode *node, InputTexts *texts)
{
  PetscBool fine;

  PetscFunctionBegin;
  *texts = (InputTexts){0};
  PetscCall(InputScanTexts(node, texts, &fine));
  if (fine) PetscCall(InputRecordTexts(node, texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputKeep(const InputNode *node, size_t bytes, void *pointer)
{
  PetscFunctionBegin;
  PetscCall(InputAllocate(InputDocumentOf(node), bytes, pointer));
  PetscFunctionReturn(PETSC_SUCCESS);
}
