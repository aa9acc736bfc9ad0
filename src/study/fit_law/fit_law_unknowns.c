/* fit_law_unknowns.c - which numbers of a law are to be found, within which bounds, and from where. */
#include <math.h>
#include "fit_law.h"

typedef struct {
  PetscReal start, least, most;
} Keys;

#define OF(member) offsetof(Keys, member)

enum { START, LEAST, MOST, NUM_KEYS };

// clang-format off
static const InputField fields[NUM_KEYS + 1] = {
  [START] = {.key = "start", .kind = INPUT_REAL, .offset = OF(start), .fallback = INPUT_OPTIONAL,
   .help = "start of the search; default: the value given in the law, the middle of `least` and `most`, or the default of the law"},
  [LEAST] = {.key = "least", .kind = INPUT_REAL, .offset = OF(least), .fallback = INPUT_OPTIONAL, .help = "lower bound; default: that of the law"},
  [MOST] = {.key = "most", .kind = INPUT_REAL, .offset = OF(most), .fallback = INPUT_OPTIONAL, .help = "likewise"},
  [NUM_KEYS] = {.key = NULL}
};
// clang-format on

const InputTable fit_law_find_table = {"fit_law.find.PARAMETER", "a parameter to identify", fields};

/* The keys with the bounds and the unit of the parameter. */
static PetscErrorCode ReadKeys(const InputNode *node, const JointParameter *parameter, Keys *keys)
{
  InputField own[NUM_KEYS + 1];
  InputTable table = {parameter->name, fit_law_find_table.summary, own};

  PetscFunctionBegin;
  *keys = (Keys){(PetscReal)NAN, (PetscReal)NAN, (PetscReal)NAN};
  for (PetscInt k = 0; k <= NUM_KEYS; k++) {
    own[k] = fields[k];
    if (k == NUM_KEYS) continue;
    own[k].least = parameter->least;
    own[k].most  = parameter->most;
    own[k].above = (PetscBool)(parameter->above && k != LEAST);
    own[k].unit  = parameter->unit;
  }
  if (InputIsMap(node)) PetscCall(InputRead(node, &table, keys));
  else if (InputIsScalar(node)) PetscCall(InputGetReal(node, parameter->unit, &keys->start));
  else PetscCall(InputComplain(node, "expected {start, least, most}, or the start alone"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsFinite(PetscReal number)
{
  return PetscAbsReal(number) < PETSC_INFINITY ? PETSC_TRUE : PETSC_FALSE; /* not so of what is no number */
}

static PetscReal Middle(const FitUnknown *unknown)
{
  return unknown->least > 0 ? PetscSqrtReal(unknown->least * unknown->most) : 0.5 * (unknown->least + unknown->most);
}

static PetscReal ChooseStart(const Keys *keys, const JointParameter *parameter, PetscReal given, const FitUnknown *unknown)
{
  if (IsFinite(keys->start)) return keys->start;
  if (IsFinite(given)) return given;
  if (IsFinite(keys->least) && IsFinite(keys->most)) return Middle(unknown);
  if (IsFinite(parameter->fallback)) return PetscMin(PetscMax(parameter->fallback, unknown->least), unknown->most);
  return IsFinite(unknown->least) && IsFinite(unknown->most) ? Middle(unknown) : (PetscReal)NAN;
}

/* PETSC_INFINITY is a large number. */
static PetscReal Printed(PetscReal bound)
{
  return IsFinite(bound) ? bound : bound > 0 ? (PetscReal)INFINITY : -(PetscReal)INFINITY;
}

static PetscErrorCode Check(const InputNode *node, const FitUnknown *unknown)
{
  const PetscBool bounded = (PetscBool)(IsFinite(unknown->least) && IsFinite(unknown->most));

  PetscFunctionBegin;
  if (unknown->least >= unknown->most) PetscCall(InputComplain(node, "`least` must be below `most`, got %g and %g", unknown->least, unknown->most));
  else if (PetscIsNanReal(unknown->start)) PetscCall(InputComplain(node, "no start of the search: give `start`, or both `least` and `most`"));
  else if (unknown->start < unknown->least || unknown->start > unknown->most || (unknown->above && unknown->start == unknown->least))
    PetscCall(InputComplain(node, "the start must lie between %g and %g, got %g", Printed(unknown->least), Printed(unknown->most), unknown->start));
  else if (unknown->start == 0 && !bounded)
    PetscCall(InputComplain(node, "a start of 0 gives no scale: give another start, or both `least` and `most`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawReadUnknown(const InputNode *node, const JointParameter *parameter, PetscReal given, PetscInt index, LawToFit *law)
{
  const PetscBool free   = (PetscBool)(parameter->least == parameter->most);
  const PetscInt  before = InputNumComplaints(InputDocumentOf(node));
  FitUnknown     *unknown;
  Keys            keys;

  PetscFunctionBegin;
  PetscCall(ReadKeys(node, parameter, &keys));
  if (InputNumComplaints(InputDocumentOf(node)) > before) PetscFunctionReturn(PETSC_SUCCESS);
  unknown  = &law->unknowns[law->num_unknowns++];
  *unknown = (FitUnknown){.index = index,
                          .least = IsFinite(keys.least) ? keys.least
                                   : free               ? PETSC_NINFINITY
                                                        : parameter->least,
                          .most  = IsFinite(keys.most) ? keys.most
                                   : free              ? PETSC_INFINITY
                                                       : parameter->most};

  unknown->above     = (PetscBool)(parameter->above && unknown->least == parameter->least);
  unknown->start     = ChooseStart(&keys, parameter, given, unknown);
  law->values[index] = unknown->start;
  PetscCall(Check(node, unknown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where an unknown must lie above a bound the known number may lie on it: there is no spring then. */
PetscErrorCode FitLawReadNumber(const InputNode *node, const JointParameter *parameter, PetscInt index, LawToFit *law)
{
  const PetscBool free  = (PetscBool)(parameter->least == parameter->most);
  PetscReal      *value = &law->values[index];

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (InputIsScalar(node)) {
    PetscCall(InputGetReal(node, parameter->unit, value));
    if (!free && *value < 0) PetscCall(InputComplain(node, "must not be negative, got %g", *value));
    if (!free && *value >= parameter->most) PetscCall(InputComplain(node, "must be below %g, got %g", parameter->most, *value));
  } else PetscCall(FitLawReadUnknown(node, parameter, (PetscReal)NAN, index, law));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The parameter that key i of `find` names; -1 after a complaint. */
static PetscErrorCode FindParameter(const InputNode *find, PetscInt i, const JointLaw *law, PetscInt *index)
{
  const char *names[JOINT_MAX_PARAMETERS + 1] = {NULL};

  PetscFunctionBegin;
  for (PetscInt p = 0; law->parameters[p].name; p++) names[p] = law->parameters[p].name;
  PetscCall(InputChoose(InputItem(find, i), InputKey(find, i), "parameter", names, index));
  if (*index >= 0 && law->parameters[*index].whole) {
    PetscCall(InputComplain(InputItem(find, i), "is a whole number, which cannot be searched for: give it in `law`"));
    *index = -1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawReadUnknowns(const FitLawKeys *keys, LawToFit *law)
{
  const InputNode *find    = keys->find;
  const PetscInt   before  = InputNumComplaints(InputDocumentOf(find));
  const char      *refused = NULL;

  PetscFunctionBegin;
  if (!InputIsMap(find) || InputCount(find) == 0) {
    PetscCall(InputComplain(find, "expected a map of what is to be found, {PARAMETER: {start, least, most}, ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!InputIsMap(keys->law)) PetscCall(InputComplain(keys->law, "expected a law, {law: NAME, the parameters that are known}"));
  else PetscCall(JointLawReadPart(keys->law, find, &law->law, law->values));
  if (!law->law) PetscFunctionReturn(PETSC_SUCCESS);
  if (law->law->dim != 1)
    PetscCall(InputComplain(keys->law, "the law %s acts in %" PetscInt_FMT " directions together, loops are of one", law->law->name, law->law->dim));
  for (PetscInt i = 0; i < InputCount(find); i++) {
    PetscInt index;

    PetscCall(FindParameter(find, i, law->law, &index));
    if (index >= 0) PetscCall(FitLawReadUnknown(InputItem(find, i), &law->law->parameters[index], law->values[index], index, law));
  }
  if (law->law->refuse && InputNumComplaints(InputDocumentOf(find)) == before) refused = law->law->refuse(law->values);
  if (refused) PetscCall(InputComplain(find, "the law is none at the start: %s", refused));
  PetscFunctionReturn(PETSC_SUCCESS);
}
