/* plan_read.c - plans from a case: their keys, correlation by names, and what cannot be. */
#include "sampling/plan.h"
#include <string.h>

const char *const plan_methods[NUM_PLAN_METHODS + 1] = {"random", "latin_hypercube", "sobol", "sobol_indices", NULL};
const char *const plan_combinations[]                = {"all", "sampled", NULL};

typedef struct {
  const InputNode *parameters, *matrix;
} CorrelationKeys;

// clang-format off
static const InputField plan_fields[] = {PLAN_FIELDS(0), {.key = NULL}};
static const InputField correlation_fields[] = {
  {.key = "parameters", .kind = INPUT_NODE, .offset = offsetof(CorrelationKeys, parameters), .fallback = INPUT_REQUIRED,
   .help = "names of the parameters that are correlated, a list"},
  {.key = "matrix", .kind = INPUT_NODE, .offset = offsetof(CorrelationKeys, matrix), .fallback = INPUT_REQUIRED,
   .help = "coefficients of correlation of their normal scores: a list of rows, in the order of `parameters`; of normal parameters that of themselves, of lognormal ones that of their logarithms"},
  {.key = NULL}
};
// clang-format on
const InputTable plan_table             = {"plan", "which samples of the parameters are computed", plan_fields};
const InputTable plan_correlation_table = {"plan.correlation", "correlation of parameters", correlation_fields};

/* What is being read: the parameters of the plan, and which of them the matrix is of. */
typedef struct {
  const char *const  *names;
  const Distribution *distributions;
  PetscInt            num, count;
  PetscInt           *member; /* [count] */
  PetscReal          *matrix; /* [num, num], of all parameters */
} Reading;

static PetscErrorCode ReadMembers(const InputNode *list, Reading *reading)
{
  InputTexts texts;

  PetscFunctionBegin;
  PetscCall(InputGetTexts(list, &texts));
  for (PetscInt i = 0; i < texts.count; i++) {
    const InputNode *const item = InputIsList(list) && InputCount(list) == texts.count ? InputItem(list, i) : list;
    PetscInt               index;

    PetscCall(InputChoose(item, texts.values[i], "parameter", reading->names, &index));
    if (index < 0) continue;
    for (PetscInt j = 0; j < reading->count; j++) {
      if (reading->member[j] == index) PetscCall(InputComplain(item, "'%s' is listed twice", texts.values[i]));
    }
    if (DistributionIsDiscrete(&reading->distributions[index]))
      PetscCall(
        InputComplain(item, "'%s' takes listed values only; correlation is between parameters that take any value of a range", texts.values[i]));
    if (reading->count < reading->num) reading->member[reading->count++] = index;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRow(const InputNode *node, PetscInt i, Reading *reading)
{
  PetscReal *const row = reading->matrix + reading->member[i] * reading->num;
  InputReals       values;

  PetscFunctionBegin;
  PetscCall(InputGetReals(node, NULL, &values));
  if (values.count != reading->count) {
    PetscCall(
      InputComplain(node, "expected %" PetscInt_FMT " numbers, one for each of `parameters`, found %" PetscInt_FMT, reading->count, values.count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt j = 0; j < values.count; j++) row[reading->member[j]] = values.values[j];
  if (row[reading->member[i]] != 1.0)
    PetscCall(InputComplain(InputIsList(node) ? InputItem(node, i) : node, "the correlation of '%s' with itself must be 1, got %s",
                            reading->names[reading->member[i]], DigitsOf(row[reading->member[i]]).text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An entry is written twice; both must be the same number. */
static PetscErrorCode CheckSymmetry(const InputNode *rows, const Reading *reading)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < reading->count; i++) {
    for (PetscInt j = 0; j < i; j++) {
      const PetscInt  a = reading->member[i], b = reading->member[j];
      const PetscReal here = reading->matrix[a * reading->num + b], there = reading->matrix[b * reading->num + a];

      if (here != there)
        PetscCall(InputComplain(InputItem(InputItem(rows, i), j), "the matrix is not symmetric: '%s' with '%s' is %s here and %s above",
                                reading->names[a], reading->names[b], DigitsOf(here).text, DigitsOf(there).text));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMatrix(const InputNode *rows, Reading *reading)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(rows));

  PetscFunctionBegin;
  for (PetscInt i = 0; i < reading->num * reading->num; i++) reading->matrix[i] = i % (reading->num + 1) == 0 ? 1.0 : 0.0;
  if (!InputIsList(rows) || InputCount(rows) != reading->count) {
    PetscCall(InputComplain(rows, "expected a list of %" PetscInt_FMT " rows, one for each of `parameters`", reading->count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < reading->count; i++) PetscCall(ReadRow(InputItem(rows, i), i, reading));
  if (InputNumComplaints(InputDocumentOf(rows)) == before) PetscCall(CheckSymmetry(rows, reading));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadCorrelation(const InputNode *node, Reading *reading)
{
  CorrelationKeys keys   = {0};
  const PetscInt  before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  PetscCall(InputRead(node, &plan_correlation_table, &keys));
  if (keys.parameters) PetscCall(ReadMembers(keys.parameters, reading));
  if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(ReadMatrix(keys.matrix, reading));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many rows there are, and whether that can be counted. */
static PetscErrorCode CheckSize(const InputNode *map, const PlanKeys *keys, const Reading *reading, PetscBool combine)
{
  PetscReal rows    = 1.0;
  PetscInt  sampled = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < reading->num; i++) {
    if (combine && DistributionIsDiscrete(&reading->distributions[i])) rows *= (PetscReal)reading->distributions[i].count;
    else sampled++;
  }
  if (keys->method == PLAN_SOBOL_INDICES) rows = 2.0 + (keys->second_order ? 2.0 : 1.0) * (PetscReal)reading->num;
  if (sampled) rows *= (PetscReal)PetscMax(keys->samples, 1);
  if (sampled && keys->samples == 0) PetscCall(InputComplain(map, "key 'samples' is missing: number of samples"));
  if (!sampled && InputFind(map, "samples"))
    PetscCall(InputComplain(InputFind(map, "samples"), "has no effect: all parameters take listed values, which are all combined; "
                                                       "remove it, or add `combinations: sampled`"));
  if (rows > (PetscReal)PETSC_MAX_INT) PetscCall(InputComplain(map, "%s runs are more than can be counted", DigitsOf(rows).text));
  if (keys->method >= PLAN_SOBOL && sampled * (keys->method == PLAN_SOBOL_INDICES ? 2 : 1) > PLAN_MOST_SOBOL)
    PetscCall(InputComplain(map, "%s takes at most %d parameters, found %" PetscInt_FMT, plan_methods[keys->method],
                            PLAN_MOST_SOBOL / (keys->method == PLAN_SOBOL_INDICES ? 2 : 1), sampled));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that would be ignored. */
static PetscErrorCode CheckKeys(const InputNode *map, const PlanKeys *keys)
{
  static const char *const scramble[] = {"scramble", NULL}, *const second[] = {"second_order", NULL}, *const correlation[] = {"correlation", NULL};

  PetscFunctionBegin;
  if (keys->method != PLAN_SOBOL && keys->method != PLAN_SOBOL_INDICES)
    PetscCall(InputRefuseKeys(map, scramble, "has no effect: only samples of `sobol` and `sobol_indices` are scrambled"));
  if (keys->method != PLAN_SOBOL_INDICES) PetscCall(InputRefuseKeys(map, second, "has no effect: only `sobol_indices` has indices of second order"));
  else {
    PetscCall(InputRefuseKeys(map, correlation, "indices are defined for independent parameters: remove it, or take another method"));
    if (InputFind(map, "combinations") && keys->combinations == 0)
      PetscCall(InputComplain(InputFind(map, "combinations"), "`sobol_indices` samples all parameters: remove it, or write `sampled`"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the matrix is not positive definite, of how many of its parameters: a leading block of the matrix of all of them. */
static PetscErrorCode ComplainIndefinite(const InputNode *map, PetscInt fault, const Reading *reading)
{
  const InputNode *const correlation = InputFind(map, "correlation");

  PetscFunctionBegin;
  PetscCall(InputComplain(
    correlation ? InputFind(correlation, "matrix") : map,
    "the matrix is not positive definite: '%s' cannot be correlated so with the parameters before it, which are correlated so themselves",
    reading->names[fault - 1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlanCreateFromKeys(const InputNode *map, const PlanKeys *keys, const char *const names[], const Distribution distributions[],
                                  Plan **plan)
{
  const PetscInt before  = InputNumComplaints(InputDocumentOf(map));
  const PlanKeys usable  = {.samples = 1, .combinations = 1}; /* after a complaint: one row */
  Reading        reading = {.names = names, .distributions = distributions};
  PetscInt       fault   = 0;

  PetscFunctionBegin;
  *plan = NULL;
  while (names[reading.num]) reading.num++;
  PetscCall(PetscMalloc2(reading.num, &reading.member, reading.num * reading.num, &reading.matrix));
  PetscCall(CheckKeys(map, keys));
  PetscCall(CheckSize(map, keys, &reading, (PetscBool)(keys->combinations == 0 && keys->method != PLAN_SOBOL_INDICES)));
  if (keys->correlation && keys->method != PLAN_SOBOL_INDICES) PetscCall(ReadCorrelation(keys->correlation, &reading));
  if (InputNumComplaints(InputDocumentOf(map)) == before)
    PetscCall(PlanCreate(keys, reading.num, distributions, keys->correlation ? reading.matrix : NULL, &fault, plan));
  if (fault) PetscCall(ComplainIndefinite(map, fault, &reading));
  if (!*plan) PetscCall(PlanCreate(&usable, reading.num, distributions, NULL, &fault, plan));
  PetscCall(PetscFree2(reading.member, reading.matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlanRead(const InputNode *map, const char *const names[], const Distribution distributions[], Plan **plan)
{
  PlanKeys keys = {0};

  PetscFunctionBegin;
  PetscCall(InputRead(map, &plan_table, &keys));
  PetscCall(PlanCreateFromKeys(map, &keys, names, distributions, plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}
