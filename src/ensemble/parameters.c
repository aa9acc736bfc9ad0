/* parameters.c - the numbers of a case that are varied: where they stand, and how they are distributed. */
#include "ensemble_private.h"
#include <string.h>

typedef struct {
  InputTexts       path;
  PetscBool        relative;
  const InputNode *distribution;
} ParameterKeys;

#define OF(member) offsetof(ParameterKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "path", .kind = INPUT_TEXTS, .offset = OF(path), .fallback = INPUT_REQUIRED,
   .help = "the number that is varied, as messages write it: laws.slip.slip_force, studies.hit.time_step, springs[0].stiffness; of a list, all numbers of which take the same value"},
  {.key = "relative", .kind = INPUT_TRUTH, .offset = OF(relative), .fallback = 0,
   .help = "`yes`: values are factors of the numbers that stand there"},
  DISTRIBUTION_FIELDS(ParameterKeys, distribution),
  {0},
};
// clang-format on

const InputTable vary_parameter_table = {
  .name = "vary.parameters.NAME", .summary = "a number of the case that is varied, and how: exactly one distribution", .fields = fields};

static const InputNode *PathNode(const InputNode *list, PetscInt i)
{
  return InputIsList(list) ? InputItem(list, i) : list;
}

/* What varies itself would change what is varied. */
static PetscBool IsOwn(const InputNode *vary, const InputNode *number)
{
  const char *const path = InputPath(number), *const own = InputPath(vary);

  return (PetscBool)(strncmp(path, own, strlen(own)) == 0 && path[strlen(own)] == '.');
}

static PetscErrorCode ReadPlace(const InputNode *node, const char *path, const Ensemble *ensemble, Parameter *parameter)
{
  const InputNode *number;
  char            *unit;

  PetscFunctionBegin;
  PetscCall(InputFindNumber(node, path, &number));
  if (!number) PetscFunctionReturn(PETSC_SUCCESS);
  if (IsOwn(ensemble->node, number)) {
    PetscCall(InputComplain(node, "'%s' says what is varied: it cannot be varied itself", path));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputFindUsed(number, &parameter->nominal[parameter->num_places], &unit));
  if (!parameter->unit) parameter->unit = unit;
  else if (parameter->relative || !strcmp(parameter->unit, unit)) PetscCall(PetscFree(unit));
  else {
    PetscCall(InputComplain(node, "is in %s, and %s in %s: one value cannot be both; `relative: yes` varies them by one factor", unit[0] ? unit : "1",
                            InputPath(parameter->places[0]), parameter->unit[0] ? parameter->unit : "1"));
    PetscCall(PetscFree(unit));
  }
  parameter->places[parameter->num_places++] = number;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPlaces(const InputNode *list, const InputTexts *paths, const Ensemble *ensemble, Parameter *parameter)
{
  PetscFunctionBegin;
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  if (paths->count == 0) PetscCall(InputComplain(list, "expected a path or a list of paths, found none"));
  PetscCall(PetscCalloc2(paths->count, &parameter->places, paths->count, &parameter->nominal));
  for (PetscInt i = 0; i < paths->count; i++) PetscCall(ReadPlace(PathNode(list, i), paths->values[i], ensemble, parameter));
  if (!parameter->relative) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(parameter->unit));
  PetscCall(PetscStrallocpy("", &parameter->unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number that two parameters set would be that of the last one. */
static PetscErrorCode RefuseTwice(const InputNode *map, const Ensemble *ensemble)
{
  const Parameter *const last = &ensemble->parameters[ensemble->num_parameters - 1];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < last->num_places; i++)
    for (const Parameter *other = ensemble->parameters; other <= last; other++)
      for (PetscInt j = 0; j < (other < last ? other->num_places : i); j++)
        if (last->places[i] == other->places[j])
          PetscCall(InputComplain(PathNode(InputFind(map, "path"), i), "'%s' is varied twice", InputPath(last->places[i])));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The top-level key that a number stands in. */
static PetscErrorCode NoteChange(const Parameter *parameter, const Case *the_case, Ensemble *ensemble)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < parameter->num_places; i++) {
    const char *const path = InputPath(parameter->places[i]);
    char              key[64];

    PetscCall(PetscStrncpy(key, path, PetscMin(sizeof(key), strcspn(path, ".[") + 1)));
    ensemble->change = PetscMax(ensemble->change, ModelChangeOf(the_case->model, key));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParameterAdd(const InputNode *map, const char *name, const InputTexts *paths, PetscBool relative, const Case *the_case,
                            Ensemble *ensemble)
{
  Parameter *const parameter = &ensemble->parameters[ensemble->num_parameters++];

  PetscFunctionBegin;
  PetscCall(InputCheckName(map, name));
  *parameter = (Parameter){.name = name, .node = map, .relative = relative};
  if (InputIsMap(map)) PetscCall(ReadPlaces(InputFind(map, "path"), paths, ensemble, parameter));
  PetscCall(RefuseTwice(map, ensemble));
  PetscCall(NoteChange(parameter, the_case, ensemble));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *ParameterUnit(const Parameter *parameter)
{
  return parameter->unit && parameter->unit[0] ? parameter->unit : NULL;
}

static PetscErrorCode ReadOne(const InputNode *map, const char *name, const Case *the_case, Ensemble *ensemble)
{
  const PetscInt number = ensemble->num_parameters;
  ParameterKeys  keys;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &vary_parameter_table, &keys));
  PetscCall(ParameterAdd(map, name, &keys.path, keys.relative, the_case, ensemble));
  if (InputIsMap(map)) PetscCall(DistributionRead(map, ParameterUnit(&ensemble->parameters[number]), &ensemble->distributions[number]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParametersRead(const InputNode *map, const Case *the_case, Ensemble *ensemble)
{
  PetscFunctionBegin;
  if (!InputIsMap(map) || InputCount(map) == 0) {
    PetscCall(InputComplain(map, "expected what is varied, {NAME: {path: laws.slip.slip_force, normal: {mean: 30, deviation: 3}}, ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc2(InputCount(map), &ensemble->parameters, InputCount(map), &ensemble->distributions));
  for (PetscInt i = 0; i < InputCount(map); i++) PetscCall(ReadOne(InputItem(map, i), InputKey(map, i), the_case, ensemble));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParametersDestroy(Ensemble *ensemble)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < ensemble->num_parameters; p++) {
    PetscCall(PetscFree2(ensemble->parameters[p].places, ensemble->parameters[p].nominal));
    PetscCall(PetscFree(ensemble->parameters[p].unit));
  }
  PetscCall(PetscFree2(ensemble->parameters, ensemble->distributions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
