/* distribution_read.c - distributions from a case: their keys, and what they cannot be. */
#include "sampling/distribution.h"
#include "normal.h"
#include <math.h>

const char *const distribution_names[NUM_DISTRIBUTIONS + 1] = {"uniform", "normal", "lognormal", "triangular", "log_uniform", "values", "grid", NULL};

static const char *const spacings[] = {"linear", "logarithmic", NULL};

/* Numbers of this unit have that of the key that is varied. */
static const char unit_of_parameter[] = "unit of the parameter";

typedef struct {
  PetscReal from, to, peak, mean, deviation, median, coefficient, least, most;
  PetscInt  count, spacing;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
#define NUMBER(name, member, default_value, text) \
  {.key = (name), .kind = INPUT_REAL, .offset = OF(member), .fallback = (default_value), .unit = unit_of_parameter, .help = (text)}
#define POSITIVE(name, member, default_value, its_unit, text) \
  {.key = (name), .kind = INPUT_REAL, .offset = OF(member), .fallback = (default_value), .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = (its_unit), \
   .help = (text)}
#define RANGE NUMBER("from", from, INPUT_REQUIRED, "least value"), NUMBER("to", to, INPUT_REQUIRED, "largest value")
#define POSITIVE_RANGE \
  POSITIVE("from", from, INPUT_REQUIRED, unit_of_parameter, "least value"), POSITIVE("to", to, INPUT_REQUIRED, unit_of_parameter, "largest value")
#define TRUNCATION \
  NUMBER("least", least, INPUT_OPTIONAL, "truncated below this value; default: not"), \
  NUMBER("most", most, INPUT_OPTIONAL, "truncated above this value; default: not")

static const InputField uniform_fields[] = {RANGE, {.key = NULL}};
static const InputField normal_fields[] = {
  NUMBER("mean", mean, INPUT_REQUIRED, "mean, before truncation"),
  POSITIVE("deviation", deviation, INPUT_REQUIRED, unit_of_parameter, "standard deviation, before truncation"),
  TRUNCATION,
  {.key = NULL}
};
static const InputField lognormal_fields[] = {
  POSITIVE("median", median, INPUT_OPTIONAL, unit_of_parameter, "median; with `deviation`"),
  POSITIVE("deviation", deviation, INPUT_OPTIONAL, NULL, "standard deviation of the natural logarithm; with `median`"),
  POSITIVE("mean", mean, INPUT_OPTIONAL, unit_of_parameter, "mean; with `coefficient_of_variation`"),
  POSITIVE("coefficient_of_variation", coefficient, INPUT_OPTIONAL, NULL, "standard deviation over mean; with `mean`"),
  TRUNCATION,
  {.key = NULL}
};
static const InputField triangular_fields[] = {RANGE, NUMBER("peak", peak, INPUT_REQUIRED, "most probable value"), {.key = NULL}};
static const InputField log_uniform_fields[] = {POSITIVE_RANGE, {.key = NULL}};
static const InputField values_fields[] = {{.key = NULL}};
static const InputField grid_fields[] = {
  RANGE,
  {.key = "count", .kind = INPUT_COUNT, .offset = OF(count), .fallback = INPUT_REQUIRED, .least = 2, .most = 1000000, .help = "number of values, both ends included"},
  {.key = "spacing", .kind = INPUT_WORD, .offset = OF(spacing), .fallback = 0, .words = spacings, .help = "equal differences, or equal ratios"},
  {.key = NULL}
};

const InputTable distribution_tables[NUM_DISTRIBUTIONS] = {
  {"uniform", "every value between two is equally probable", uniform_fields},
  {"normal", "Gaussian", normal_fields},
  {"lognormal", "the logarithm is Gaussian", lognormal_fields},
  {"triangular", "straight from nothing to a peak and to nothing", triangular_fields},
  {"log_uniform", "every logarithm between two is equally probable", log_uniform_fields},
  {"values", "a list of values", values_fields},
  {"grid", "values from one to another", grid_fields},
};
// clang-format on

enum { MOST_FIELDS = 8 };

/* The table with the unit of the parameter where it belongs. */
static PetscErrorCode ReadKeys(const InputNode *node, const InputTable *table, const char *unit, Keys *keys)
{
  InputField fields[MOST_FIELDS];
  InputTable own = {.name = table->name, .summary = table->summary, .fields = fields};
  PetscInt   i   = 0;

  PetscFunctionBegin;
  do {
    PetscCheck(i < MOST_FIELDS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s has too many fields", table->name);
    fields[i] = table->fields[i];
    if (fields[i].unit == unit_of_parameter) fields[i].unit = unit;
  } while (table->fields[i++].key);
  PetscCall(InputRead(node, &own, keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckRange(const InputNode *node, const Keys *keys)
{
  PetscFunctionBegin;
  if (!(keys->from < keys->to)) {
    PetscCall(InputComplain(InputFind(node, "to") ? InputFind(node, "to") : node, "must be greater than `from`, which is %s; it is %s",
                            DigitsOf(keys->from).text, DigitsOf(keys->to).text));
  } else if (PetscIsInfReal(keys->to - keys->from)) {
    PetscCall(InputComplain(node, "the range from %s to %s is too wide", DigitsOf(keys->from).text, DigitsOf(keys->to).text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPeak(const InputNode *node, const Keys *keys)
{
  PetscFunctionBegin;
  if (keys->peak < keys->from || keys->peak > keys->to) {
    PetscCall(InputComplain(InputFind(node, "peak"), "must lie between `from` and `to`, from %s to %s; it is %s", DigitsOf(keys->from).text,
                            DigitsOf(keys->to).text, DigitsOf(keys->peak).text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* median and deviation of the logarithm, or mean and coefficient of variation: variance of the logarithm log(1 + c^2). */
static PetscErrorCode ReadLogarithm(const InputNode *node, const Keys *keys, Distribution *d)
{
  static const char *const first[] = {"median", "mean", NULL}, *const second[] = {"deviation", "coefficient_of_variation", NULL};
  PetscInt place, spread;

  PetscFunctionBegin;
  PetscCall(InputExclusive(node, first, PETSC_TRUE, &place));
  PetscCall(InputExclusive(node, second, PETSC_TRUE, &spread));
  if (place < 0 || spread < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (place != spread) {
    PetscCall(InputComplain(node, "`median` goes with `deviation`, that of the logarithm, and `mean` with `coefficient_of_variation`"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  d->spread = place == 0 ? keys->deviation : PetscSqrtReal(log1p(keys->coefficient * keys->coefficient));
  d->centre = place == 0 ? PetscLogReal(keys->median) : PetscLogReal(keys->mean) - 0.5 * d->spread * d->spread;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is left must be a number that is not denormal: quotients by it would be wrong. */
static PetscErrorCode CheckTruncation(const InputNode *node, const Distribution *d)
{
  const PetscBool logarithmic = (PetscBool)(d->kind == DISTRIBUTION_LOGNORMAL);
  const PetscReal from        = logarithmic ? (d->from > 0.0 ? PetscLogReal(d->from) : -(PetscReal)INFINITY) : d->from;
  const PetscReal to          = logarithmic ? (d->to > 0.0 ? PetscLogReal(d->to) : -(PetscReal)INFINITY) : d->to;

  PetscFunctionBegin;
  if (!(d->from < d->to)) {
    PetscCall(InputComplain(InputFind(node, "most") ? InputFind(node, "most") : node, "must be greater than `least`, which is %s; it is %s",
                            DigitsOf(d->from).text, DigitsOf(d->to).text));
  } else if (!(NormalBetween((from - d->centre) / d->spread, (to - d->centre) / d->spread) > 1e-300)) {
    PetscCall(InputComplain(node, "nothing is left of it between `least` and `most`: the probability to lie there is below 1e-300"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillGrid(const InputNode *node, const Keys *keys, Distribution *d)
{
  PetscReal *values;

  PetscFunctionBegin;
  if (keys->spacing == 1 && keys->from <= 0.0) {
    PetscCall(InputComplain(InputFind(node, "from"), "must be positive with logarithmic spacing, got %s", DigitsOf(keys->from).text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputKeep(node, (size_t)keys->count * sizeof *values, &values));
  for (PetscInt i = 0; i < keys->count; i++) {
    const PetscReal share = (PetscReal)i / (PetscReal)(keys->count - 1);

    values[i] = keys->spacing == 1 ? keys->from * PetscPowReal(keys->to / keys->from, share) : keys->from + share * (keys->to - keys->from);
  }
  values[keys->count - 1] = keys->to;
  d->count                = keys->count;
  d->values               = values;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A value that is listed twice would be computed twice and count twice. */
static PetscErrorCode RefuseRepeated(const InputNode *node, const InputReals *list)
{
  PetscReal *sorted;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(list->count, &sorted));
  PetscCall(PetscArraycpy(sorted, list->values, list->count));
  PetscCall(PetscSortReal(list->count, sorted));
  for (PetscInt i = 1; i < list->count; i++) {
    if (sorted[i] == sorted[i - 1]) PetscCall(InputComplain(node, "%s is listed twice", DigitsOf(sorted[i]).text));
  }
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadValues(const InputNode *node, const char *unit, Distribution *d)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  InputReals     list;

  PetscFunctionBegin;
  PetscCall(InputGetReals(node, unit, &list));
  if (InputIsList(node) && InputCount(node) == 0) PetscCall(InputComplain(node, "needs at least one value"));
  if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(RefuseRepeated(node, &list));
  d->count  = list.count;
  d->values = list.values;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the keys of a kind mean; only of keys that are fine alone. */
static PetscErrorCode Settle(const InputNode *node, const Keys *keys, Distribution *d)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  if (d->kind == DISTRIBUTION_NORMAL || d->kind == DISTRIBUTION_LOGNORMAL) {
    d->centre = keys->mean;
    d->spread = keys->deviation;
    d->from   = d->kind == DISTRIBUTION_LOGNORMAL ? PetscMax(keys->least, 0.0) : keys->least;
    d->to     = keys->most;
    if (d->kind == DISTRIBUTION_LOGNORMAL) PetscCall(ReadLogarithm(node, keys, d));
    if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(CheckTruncation(node, d));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  d->from = keys->from;
  d->to   = keys->to;
  d->peak = keys->peak;
  PetscCall(CheckRange(node, keys));
  if (d->kind == DISTRIBUTION_TRIANGULAR && keys->from < keys->to) PetscCall(CheckPeak(node, keys));
  if (d->kind == DISTRIBUTION_GRID && keys->from < keys->to) PetscCall(FillGrid(node, keys, d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DistributionRead(const InputNode *map, const char *unit, Distribution *d)
{
  InputDocument *const document = InputDocumentOf(map);
  const PetscInt       before   = InputNumComplaints(document);
  Keys                 keys     = {.least = -(PetscReal)INFINITY, .most = (PetscReal)INFINITY};
  PetscInt             index;

  PetscFunctionBegin;
  PetscCall(InputExclusive(map, distribution_names, PETSC_TRUE, &index));
  if (index >= 0) {
    const InputNode *const node = InputFind(map, distribution_names[index]);

    *d = (Distribution){.kind = (DistributionKind)index};
    if (d->kind == DISTRIBUTION_VALUES) PetscCall(ReadValues(node, unit, d));
    else {
      PetscCall(ReadKeys(node, &distribution_tables[index], unit, &keys));
      if (InputNumComplaints(document) == before) PetscCall(Settle(node, &keys, d));
    }
  }
  if (index < 0 || InputNumComplaints(document) > before) *d = (Distribution){.kind = DISTRIBUTION_UNIFORM, .from = 0.0, .to = 1.0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
