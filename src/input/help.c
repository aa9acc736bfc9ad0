/* help.c - a table told to people: each field with its line of help, kind, unit, bounds and fallback. */
#include "input_private.h"
#include <stdio.h>
#include <string.h>

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
    [INPUT_NODE]  = "a structure of its own",
  };

  PetscFunctionBegin;
  PetscCall(InputBufferPrint(buffer, "%s", kinds[field->kind]));
  if (field->kind == INPUT_WORD) PetscCall(InputPrintNames(buffer, field->words));
  if (field->unit) PetscCall(InputBufferPrint(buffer, " [%s]", field->unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The unit has been said with the kind. */
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
  const InputDigits digits   = InputPrintNumber(field->fallback);
  const char       *fallback = NULL;

  PetscFunctionBegin;
  if (field->fallback == INPUT_REQUIRED) {
    PetscCall(InputBufferPrint(buffer, ", required"));
  } else if (field->fallback != INPUT_OPTIONAL) {
    if (field->kind == INPUT_REAL || field->kind == INPUT_COUNT || (field->kind == INPUT_REALS && field->fallback != 0)) fallback = digits.text;
    if (field->kind == INPUT_TRUTH) fallback = field->fallback != 0 ? "yes" : "no";
    if (field->kind == INPUT_WORD) fallback = field->words[(PetscInt)field->fallback];
  }
  if (fallback) PetscCall(InputBufferPrint(buffer, ", else %s", fallback));
  else if (field->fallback != INPUT_REQUIRED) PetscCall(InputBufferPrint(buffer, ", optional"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputPrintTable(FILE *out, const InputTable *table)
{
  int width = 0;

  PetscFunctionBegin;
  for (const InputField *field = table->fields; field->key; field++) width = PetscMax(width, (int)strlen(field->key));
  fprintf(out, "%s: %s\n", table->name, table->summary ? table->summary : "");
  for (const InputField *field = table->fields; field->key; field++) {
    InputBuffer kind = {0};

    PetscCall(AddKind(field, &kind));
    if (field->kind == INPUT_REAL || field->kind == INPUT_COUNT || field->kind == INPUT_REALS) PetscCall(AddBounds(field, &kind));
    PetscCall(AddFallback(field, &kind));
    fprintf(out, "  %-*s  %s\n  %-*s  %s\n", width, field->key, field->help ? field->help : "", width, "", kind.data);
    PetscCall(InputBufferDestroy(&kind));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
