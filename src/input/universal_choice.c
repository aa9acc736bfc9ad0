/* universal_choice.c - which function of a universal file a case means. */
#include "universal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOLD = 12, TIME = 17, TIME_RESPONSE = 1, FREQUENCY_RESPONSE = 4 };

static const char *FunctionName(PetscInt function)
{
  static const char *const names[] = {"function",         "time response", "auto spectrum",    "cross spectrum",    "frequency response",
                                      "transmissibility", "coherence",     "auto correlation", "cross correlation", "power spectral density"};

  return function >= 0 && function < (PetscInt)(sizeof names / sizeof *names) ? names[function] : names[0];
}

/* "12 +z", "12" where it has no direction; "" without a node. */
static void DescribePlace(const UniversalFunction *function, size_t size, char text[])
{
  static const char *const directions[] = {"", "x", "y", "z", "rx", "ry", "rz"};
  const PetscInt           axis         = abs((int)function->direction);

  text[0] = '\0';
  if (function->node == 0) return;
  snprintf(text, size, "%" PetscInt_FMT, function->node);
  if (axis >= 1 && axis <= 6) snprintf(text, size, "%" PetscInt_FMT " %s%s", function->node, function->direction < 0 ? "-" : "", directions[axis]);
}

static PetscBool IsTimeResponse(const UniversalFunction *function)
{
  const PetscBool time = (PetscBool)(function->abscissa == TIME || (function->function == TIME_RESPONSE && function->abscissa <= 1));

  return (PetscBool)(time && !function->is_complex);
}

static PetscBool IsWanted(const UniversalFunction *function, PetscBool response)
{
  return response ? (PetscBool)(function->function == FREQUENCY_RESPONSE && function->is_complex) : IsTimeResponse(function);
}

/* "1 (time response of 12 z, 'hammer'), 2 (...)" */
static PetscErrorCode List(const UniversalFile *file, InputBuffer *list)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < file->count && i < MAX_TOLD; i++) {
    const UniversalFunction *function = &file->functions[i];
    char                     place[64];

    DescribePlace(function, sizeof place, place);
    PetscCall(InputBufferPrint(list, "%s%" PetscInt_FMT " (%s%s%s%s%s)", i ? ", " : "", i + 1, FunctionName(function->function),
                               place[0] ? " of " : "", place, function->name[0] ? ", " : "",
                               function->name[0] ? InputQuote(function->name).text : ""));
  }
  if (file->count > MAX_TOLD) PetscCall(InputBufferPrint(list, ", ... %" PetscInt_FMT, file->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the text is a function's name, or its node and direction, "12 z" or "12 -z"; without a text all of the kind that is wanted. */
static PetscBool Matches(const UniversalFunction *function, const char *text, PetscBool response)
{
  char place[64];

  if (!text) return IsWanted(function, response);
  DescribePlace(function, sizeof place, place);
  return (PetscBool)(strcmp(text, function->name) == 0 || strcmp(text, function->entity) == 0 || (place[0] && strcmp(text, place) == 0));
}

/* Those that match, of which those of the kind that is wanted count alone when there are any. */
static PetscInt Count(const UniversalFile *file, const char *text, PetscBool response, PetscInt *last)
{
  PetscInt  count = 0;
  PetscBool any   = PETSC_FALSE;

  for (PetscInt i = 0; i < file->count; i++)
    any = (PetscBool)(any || (Matches(&file->functions[i], text, response) && IsWanted(&file->functions[i], response)));
  for (PetscInt i = 0; i < file->count; i++) {
    if (!Matches(&file->functions[i], text, response) || (any && !IsWanted(&file->functions[i], response))) continue;
    *last = i;
    count++;
  }
  return count;
}

PetscErrorCode UniversalChoose(const InputNode *node, const char *key, const char *text, PetscBool response, const UniversalFile *file,
                               PetscInt *chosen)
{
  const char *const kind   = response ? "frequency response" : "time response";
  InputBuffer       list   = {0};
  char             *end    = NULL;
  const long        number = text ? strtol(text, &end, 10) : 0;
  PetscInt          count;

  PetscFunctionBegin;
  *chosen = -1;
  if (text && *text && !*end) count = number >= 1 && number <= file->count;
  else count = Count(file, text, response, chosen);
  if (text && *text && !*end) *chosen = (PetscInt)number - 1;
  PetscCall(List(file, &list));
  if (count == 0 && !text) PetscCall(InputComplain(node, "there is no %s in %s; it has: %s", kind, InputQuote(file->file).text, list.data));
  else if (count == 0)
    PetscCall(InputComplain(node, "expected a function of %s by its number, its name, or its node and direction (12 z), found %s; it has: %s",
                            InputQuote(file->file).text, InputQuote(text).text, list.data));
  else if (count > 1) PetscCall(InputComplain(node, "say which function as `%s`: %s has: %s", key, InputQuote(file->file).text, list.data));
  else if (!IsWanted(&file->functions[*chosen], response))
    PetscCall(InputComplain(node, "expected a %s of %s numbers, function %" PetscInt_FMT " is another; %s has: %s", kind,
                            response ? "complex" : "real", *chosen + 1, InputQuote(file->file).text, list.data));
  else count = -1; /* fine */
  if (count >= 0) *chosen = -1;
  PetscCall(InputBufferDestroy(&list));
  PetscFunctionReturn(PETSC_SUCCESS);
}
