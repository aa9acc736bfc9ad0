/* scalar.c - typed reads of single values. */
#include "input_private.h"
#include <stdio.h>
#include <string.h>

PetscBool InputIsNull(const InputNode *node)
{
  static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};

  if (node->kind != NODE_SCALAR || !node->plain) return PETSC_FALSE;
  for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++) {
    if (strcmp(node->text, nulls[i]) == 0) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* Whether there is a scalar at all; `quotes` allows one in quotes. */
static PetscErrorCode Expect(const InputNode *node, const char *what, PetscBool quotes, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (InputIsNull(node)) PetscCall(InputComplain(node, "has no value"));
  else if (node->kind != NODE_SCALAR) PetscCall(InputComplain(node, "expected %s, found %s", what, InputDescribe(node).text));
  else if (!node->plain && !quotes)
    PetscCall(InputComplain(node, "expected %s, found the text %s - remove the quotes", what, InputQuote(node->text).text));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Arithmetic with a unit, or one of both. It is remembered for those who do not know the unit of the key. */
static PetscBool ReadQuantity(const InputNode *node, const char *unit, PetscReal *value, char fault[], size_t size)
{
  InputNode *const  memory = node->parent ? node->parent->items[node->index] : NULL;
  const PetscBool   any    = unit && strcmp(unit, INPUT_ANY_UNIT) == 0 ? PETSC_TRUE : PETSC_FALSE;
  PetscReal         number;
  const char       *rest;
  const char *const wrong = InputParseExpression(node->text, &rest, &number);

  if (any && node->has_quantity) {
    *value = node->quantity;
    return PETSC_TRUE;
  }
  snprintf(fault, size, "%s", wrong ? wrong : "");
  if (wrong || (*rest && !InputConvertUnit(rest, unit, &number, fault, size))) return PETSC_FALSE;
  *value = number;
  if (any || !memory) return PETSC_TRUE;
  memory->has_quantity = PETSC_TRUE;
  memory->quantity     = number;
  return PETSC_TRUE;
}

PetscErrorCode InputScanReal(const InputNode *node, const char *unit, PetscReal *value, PetscBool *fine)
{
  char        explanation[160];
  const char *fault;

  PetscFunctionBegin;
  PetscCall(Expect(node, "a number", PETSC_FALSE, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  fault = InputParseNumber(node->text, value);
  if (!fault || ReadQuantity(node, unit, value, explanation, sizeof explanation)) PetscFunctionReturn(PETSC_SUCCESS);
  *fine = PETSC_FALSE;
  if (*fault == '\0' || strcmp(fault, INPUT_UNIT_NOTE) == 0) fault = explanation;
  PetscCall(InputComplain(node, "expected a number, found %s%s", InputQuote(node->text).text, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputCheckUnit(const InputNode *node, const char *unit)
{
  PetscReal value;
  PetscBool fine;

  PetscFunctionBegin;
  if (node && node->has_quantity) PetscCall(InputScanReal(node, unit, &value, &fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanCount(const InputNode *node, PetscInt *value, PetscBool *fine)
{
  char        explanation[160];
  const char *fault;
  PetscBool   number;
  PetscReal   real;

  PetscFunctionBegin;
  PetscCall(Expect(node, "a whole number", PETSC_FALSE, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  fault = InputParseWhole(node->text, value, &number);
  if (fault && !number && ReadQuantity(node, NULL, &real, explanation, sizeof explanation))
    fault = InputParseWhole(DigitsOf(real).text, value, &number);
  *fine = fault ? PETSC_FALSE : PETSC_TRUE;
  if (fault && strcmp(fault, INPUT_UNIT_NOTE) == 0) fault = explanation;
  if (fault) PetscCall(InputComplain(node, "expected a whole number, found %s%s", InputQuote(node->text).text, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanTruth(const InputNode *node, PetscBool *value, PetscBool *fine)
{
  static const char *const words[] = {"no", "No", "NO", "false", "False", "FALSE", "yes", "Yes", "YES", "true", "True", "TRUE"};
  const size_t             half    = sizeof words / sizeof *words / 2;

  PetscFunctionBegin;
  PetscCall(Expect(node, "yes or no", PETSC_FALSE, fine));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  for (size_t i = 0; i < 2 * half; i++) {
    if (strcmp(node->text, words[i]) == 0) {
      *value = i < half ? PETSC_FALSE : PETSC_TRUE;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  }
  *fine = PETSC_FALSE;
  PetscCall(InputComplain(node, "expected yes or no, found %s", InputQuote(node->text).text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanText(const InputNode *node, const char **text, PetscBool *fine)
{
  PetscFunctionBegin;
  PetscCall(Expect(node, "a text", PETSC_TRUE, fine));
  if (*fine) *text = node->text;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputScanWord(const InputNode *node, const char *const words[], PetscInt *index, PetscBool *fine)
{
  const PetscBool scalar  = node->kind == NODE_SCALAR && !InputIsNull(node) ? PETSC_TRUE : PETSC_FALSE;
  InputBuffer     list    = {0};
  const char     *nearest = NULL;

  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  for (PetscInt i = 0; scalar && words[i]; i++) {
    if (strcmp(words[i], node->text) != 0) continue;
    *index = i;
    *fine  = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (InputIsNull(node)) {
    PetscCall(InputComplain(node, "has no value"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (scalar) nearest = InputNearest(node->text, words);
  PetscCall(InputPrintNames(&list, words));
  PetscCall(InputComplain(node, "expected one of %s, found %s%s%s%s", list.data, InputDescribe(node).text, nearest ? "; did you mean '" : "",
                          nearest ? nearest : "", nearest ? "'?" : ""));
  PetscCall(InputBufferDestroy(&list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetText(const InputNode *node, const char **text)
{
  PetscBool fine;

  PetscFunctionBegin;
  *text = NULL;
  PetscCall(InputScanText(node, text, &fine));
  if (fine) PetscCall(InputRecordText(node, *text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The list of values has the path as it was written, so that it does not depend on the folder in which the program runs. */
PetscErrorCode InputGetPath(const InputNode *node, const char **path)
{
  const char *text;
  PetscBool   fine;

  PetscFunctionBegin;
  *path = NULL;
  PetscCall(InputScanText(node, &text, &fine));
  if (fine && !*text) PetscCall(InputComplain(node, "has no value"));
  if (!fine || !*text) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRecordText(node, text));
  PetscCall(InputJoinPath(node->document, node->place.file, text, path));
  PetscCall(InputNoteFile(node->document, *path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetReal(const InputNode *node, const char *unit, PetscReal *value)
{
  PetscBool fine;

  PetscFunctionBegin;
  *value = 0;
  PetscCall(InputScanReal(node, unit, value, &fine));
  if (fine) PetscCall(InputRecord(node, NULL, DigitsOf(*value).text, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetCount(const InputNode *node, PetscInt *value)
{
  PetscBool fine;

  PetscFunctionBegin;
  *value = 0;
  PetscCall(InputScanCount(node, value, &fine));
  if (fine) PetscCall(InputRecord(node, NULL, DigitsOf((PetscReal)*value).text, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}
