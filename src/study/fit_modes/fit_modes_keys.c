/* fit_modes_keys.c - which numbers of the case are to be found, and from which frequencies. */
#include <math.h>
#include <string.h>
#include "fit_modes.h"

typedef struct {
  InputTexts path;
  PetscReal  start, least, most;
} NumberKeys;

#define OF(member) offsetof(NumberKeys, member)

// clang-format off
static const InputField number_fields[] = {
  {.key = "path", .kind = INPUT_TEXTS, .offset = OF(path), .fallback = INPUT_REQUIRED,
   .help = "where the number stands in the case, as in springs[0].stiffness or materials.steel.young; a list where it stands in several places"},
  {.key = "start", .kind = INPUT_REAL, .offset = OF(start), .fallback = INPUT_OPTIONAL, .help = "start of the search; default: the number that stands there"},
  {.key = "least", .kind = INPUT_REAL, .offset = OF(least), .fallback = INPUT_OPTIONAL, .help = "lower bound; default: 0 for a positive start, none for others"},
  {.key = "most", .kind = INPUT_REAL, .offset = OF(most), .fallback = INPUT_OPTIONAL, .help = "upper bound; default: none"},
  {.key = NULL}
};

static const InputField target_fields[] = {
  {.key = "mode", .kind = INPUT_COUNT, .offset = offsetof(FitModesTarget, mode), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the mode, from 1, rigid ones included"},
  {.key = "frequency", .kind = INPUT_REAL, .offset = offsetof(FitModesTarget, frequency), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .unit = "Hz",
   .help = "frequency that it is to have"},
  {.key = "uncertainty", .kind = INPUT_REAL, .offset = offsetof(FitModesTarget, uncertainty), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .unit = "Hz",
   .help = "standard deviation of that frequency; default: a thousandth of it"},
  {.key = NULL}
};
// clang-format on

const InputTable fit_modes_find_table   = {"fit_modes.find.NAME", "a number of the case to identify", number_fields};
const InputTable fit_modes_target_table = {"fit_modes.targets[]", "a natural frequency", target_fields};

/* No frequency without damping depends on what is below these keys, or they would not be the same structure. */
static PetscBool CanMatter(const char *path)
{
  static const char *const others[] = {"studies", "title", "damping", "dampers", "patterns", "reduction", "export"};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const size_t length = strlen(others[i]);

    if (!strncmp(path, others[i], length) && (path[length] == '.' || path[length] == '[' || !path[length])) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The node of one path; NULL after a complaint. */
static PetscErrorCode FindPlace(const InputNode *node, const char *path, const InputNode **place)
{
  const InputNode **numbers;
  const char      **paths;
  PetscInt          count, kept = 0, chosen;

  PetscFunctionBegin;
  *place = NULL;
  if (!CanMatter(path)) {
    PetscCall(InputComplain(node, "natural frequencies do not depend on '%s'", path));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputListNumbers(InputRoot(InputDocumentOf(node)), &count, &numbers, &paths));
  for (PetscInt i = 0; i < count; i++) {
    if (!CanMatter(paths[i])) continue;
    numbers[kept] = numbers[i];
    paths[kept++] = paths[i];
  }
  paths[kept] = NULL;
  PetscCall(InputChoose(node, path, "number of the case", paths, &chosen));
  if (chosen >= 0) *place = numbers[chosen];
  PetscCall(PetscFree(numbers));
  PetscCall(PetscFree(paths));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const InputNode *PathNode(const InputNode *list, PetscInt i)
{
  return InputIsList(list) ? InputItem(list, i) : list;
}

/* All places hold the same number, or only one of these is the start. */
static PetscErrorCode ReadPlaces(const InputNode *node, const NumberKeys *keys, FitModesNumber *number)
{
  const InputNode *list = InputFind(node, "path");

  PetscFunctionBegin;
  if (keys->path.count == 0) PetscCall(InputComplain(list, "expected a path or a list of paths, found none"));
  number->paths = keys->path.values;
  PetscCall(PetscCalloc1(keys->path.count, &number->places));
  for (PetscInt i = 0; i < keys->path.count; i++) {
    PetscReal value;

    PetscCall(FindPlace(PathNode(list, i), keys->path.values[i], &number->places[i]));
    if (!number->places[i]) continue;
    PetscCall(InputGetReal(number->places[i], INPUT_ANY_UNIT, &value));
    if (i > 0 && value != number->given)
      PetscCall(InputComplain(PathNode(list, i), "%g stands there, and %g in %s: one number is to stand in all places", value, number->given,
                              number->paths[0]));
    else number->given = value;
  }
  number->num_places = keys->path.count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsGiven(PetscReal number)
{
  return (PetscBool)!PetscIsNanReal(number);
}

static PetscErrorCode SetUnknown(const InputNode *node, const NumberKeys *keys, PetscReal given, FitUnknown *unknown)
{
  const PetscReal start    = IsGiven(keys->start) ? keys->start : given;
  const PetscBool positive = (PetscBool)(start > 0);

  PetscFunctionBegin;
  *unknown = (FitUnknown){.start = start,
                          .least = IsGiven(keys->least) ? keys->least
                                   : positive           ? 0
                                                        : PETSC_NINFINITY,
                          .most  = IsGiven(keys->most) ? keys->most : PETSC_INFINITY,
                          .above = (PetscBool)(!IsGiven(keys->least) && positive)};
  if (unknown->least >= unknown->most) PetscCall(InputComplain(node, "`least` must be below `most`, got %g and %g", unknown->least, unknown->most));
  else if (start < unknown->least) PetscCall(InputComplain(node, "the start must be at least %g, got %g", unknown->least, start));
  else if (start > unknown->most) PetscCall(InputComplain(node, "the start must be at most %g, got %g", unknown->most, start));
  else if (start == 0 && (unknown->least == PETSC_NINFINITY || unknown->most == PETSC_INFINITY))
    PetscCall(InputComplain(node, "a start of 0 gives no scale: give another start, or both `least` and `most`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNumber(const InputNode *node, FitModesNumber *number, FitUnknown *unknown)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  NumberKeys     keys   = {.start = (PetscReal)NAN, .least = (PetscReal)NAN, .most = (PetscReal)NAN};

  PetscFunctionBegin;
  PetscCall(InputRead(node, &fit_modes_find_table, &keys));
  if (InputNumComplaints(InputDocumentOf(node)) > before) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadPlaces(node, &keys, number));
  if (InputNumComplaints(InputDocumentOf(node)) > before) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SetUnknown(node, &keys, number->given, unknown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of all numbers that were read. */
static PetscErrorCode CheckPlaces(const InputNode *find, const FitModes *fit)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < fit->num_numbers; p++)
    for (PetscInt i = 0; i < fit->numbers[p].num_places; i++)
      for (PetscInt q = 0; q <= p; q++)
        for (PetscInt j = 0; j < (q < p ? fit->numbers[q].num_places : i); j++)
          if (fit->numbers[p].places[i] && fit->numbers[p].places[i] == fit->numbers[q].places[j])
            PetscCall(InputComplain(PathNode(InputFind(InputItem(find, p), "path"), i), "'%s' is given twice", fit->numbers[p].paths[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitModesReadNumbers(const InputNode *find, FitModes *fit)
{
  PetscFunctionBegin;
  if (!InputIsMap(find) || InputCount(find) == 0) {
    PetscCall(InputComplain(find, "expected a map of what is to be found, {NAME: {path, start, least, most}, ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (InputCount(find) > FIT_MAX_UNKNOWNS) {
    PetscCall(InputComplain(find, "at most %d numbers can be found at a time, got %" PetscInt_FMT, FIT_MAX_UNKNOWNS, InputCount(find)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc2(InputCount(find), &fit->numbers, InputCount(find), &fit->unknowns));
  for (PetscInt i = 0; i < InputCount(find); i++) {
    fit->numbers[i].name = InputKey(find, i);
    fit->num_numbers++;
    PetscCall(InputCheckName(InputItem(find, i), InputKey(find, i)));
    PetscCall(ReadNumber(InputItem(find, i), &fit->numbers[i], &fit->unknowns[i]));
  }
  PetscCall(CheckPlaces(find, fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTarget(const InputNode *node, const Names *names, PetscInt i, FitModesTarget targets[])
{
  const PetscReal usual  = 1e-3;
  FitModesTarget *target = &targets[i];

  PetscFunctionBegin;
  PetscCall(InputRead(node, &fit_modes_target_table, target));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  if (!InputFind(node, "uncertainty")) target->uncertainty = usual * target->frequency;
  if (InputFind(node, "mode")) PetscCall(NamesCheckMode(names, InputFind(node, "mode"), (PetscReal)target->mode));
  for (PetscInt j = 0; j < i; j++)
    if (targets[j].mode == target->mode) {
      PetscCall(InputComplain(node, "mode %" PetscInt_FMT " is given twice", target->mode));
      break;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitModesReadTargets(const InputNode *list, const Names *names, FitModes *fit)
{
  PetscFunctionBegin;
  if (!InputIsList(list) || InputCount(list) == 0) {
    PetscCall(InputComplain(list, "expected a list of frequencies, [{mode, frequency, uncertainty}, ...]"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  fit->num_targets = InputCount(list);
  PetscCall(PetscCalloc1(fit->num_targets, &fit->targets));
  for (PetscInt i = 0; i < fit->num_targets; i++) PetscCall(ReadTarget(InputItem(list, i), names, i, fit->targets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitModesFree(FitModes *fit)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < fit->num_numbers; i++) PetscCall(PetscFree(fit->numbers[i].places));
  PetscCall(PetscFree2(fit->numbers, fit->unknowns));
  PetscCall(PetscFree(fit->targets));
  PetscFunctionReturn(PETSC_SUCCESS);
}
