/* bounds.c - the bounds of a field: checked and printed. */
#include "input_private.h"
#include <stdio.h>
#include <string.h>

static PetscBool HasLeast(const InputField *field)
{
  return field->above || ((field->least != 0 || field->most != 0) && field->least > PETSC_NINFINITY) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool HasMost(const InputField *field)
{
  return field->most < PETSC_INFINITY && (field->most > field->least || (field->most == field->least && field->most != 0)) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool IsWithin(const InputField *field, PetscReal value)
{
  if (HasLeast(field) && (value < field->least || (field->above && value == field->least))) return PETSC_FALSE;
  return HasMost(field) && value > field->most ? PETSC_FALSE : PETSC_TRUE;
}

PetscReal InputWithin(const InputField *field)
{
  if (IsWithin(field, 1)) return 1;
  if (HasLeast(field) && HasMost(field)) return field->least == field->most ? field->least : field->least / 2 + field->most / 2;
  return HasLeast(field) ? field->least + PetscMax(1, PetscAbsReal(field->least)) : field->most;
}

/* Thirds are printed as fractions, not with sixteen digits. */
static Digits PrintBound(PetscReal bound)
{
  const PetscReal thirds = 3 * bound;
  Digits          digits = DigitsOf(bound);

  if (strlen(digits.text) > 10 && thirds == PetscFloorReal(thirds)) snprintf(digits.text, sizeof digits.text, "%.0f/3", thirds);
  return digits;
}

PetscErrorCode InputPrintBounds(InputBuffer *buffer, const InputField *field)
{
  const Digits      least = PrintBound(field->least), most = PrintBound(field->most);
  const char *const space = field->unit ? " " : "", *const unit = field->unit ? field->unit : "";

  PetscFunctionBegin;
  if (HasLeast(field) && HasMost(field)) {
    PetscCall(InputBufferPrint(buffer, "in %c%s, %s]%s%s", field->above ? '(' : '[', least.text, most.text, space, unit));
  } else if (HasMost(field)) {
    PetscCall(InputBufferPrint(buffer, "at most %s%s%s", most.text, space, unit));
  } else if (field->above && field->least == 0) {
    PetscCall(InputBufferPrint(buffer, "positive"));
  } else if (HasLeast(field)) {
    PetscCall(InputBufferPrint(buffer, "%s %s%s%s", field->above ? "above" : "at least", least.text, space, unit));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputCheckBounds(const InputNode *node, const InputField *field, PetscReal value, PetscBool *fine)
{
  InputBuffer bounds = {0};

  PetscFunctionBegin;
  *fine = IsWithin(field, value);
  if (*fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputPrintBounds(&bounds, field));
  PetscCall(InputComplain(node, "must %s %s, got %s", HasLeast(field) && HasMost(field) ? "lie" : "be", bounds.data, DigitsOf(value).text));
  PetscCall(InputBufferDestroy(&bounds));
  PetscFunctionReturn(PETSC_SUCCESS);
}
