/* plan.c - the rows of a plan. */
#include "sampling/plan.h"
#include "base/random.h"
#include "normal.h"
#include "permutation.h"
#include "sobol.h"
#include <math.h>
#include <petscblaslapack.h>
#include <stdio.h>

enum { ALL_COMBINATIONS = 0, NOT_SAMPLED = -1, COLUMNS_OF_BOTH = 2 /* of a base sample: those of A, those of B */ };

struct Plan {
  PlanMethod    method;
  PetscBool     scramble;
  PetscInt      num, samples, per_sample, num_columns;
  Distribution *distributions;
  PetscInt     *column;     /* of a parameter, of what is sampled; NOT_SAMPLED where it is combined */
  PetscInt     *stride;     /* combinations after which its value changes */
  uint64_t     *key;        /* of each column */
  uint32_t     *directions; /* [num_columns, SOBOL_DIGITS] */
  PetscReal    *factor;     /* L [num, num] by rows; NULL without correlation */
  char          remark[200];
};

static PetscBool IsSobol(PlanMethod method)
{
  return (PetscBool)(method == PLAN_SOBOL || method == PLAN_SOBOL_INDICES);
}

/* The last parameter changes fastest. */
static PetscErrorCode LayOut(const PlanKeys *keys, Plan *plan)
{
  PetscInt num_sampled = 0, combinations = 1;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(plan->num, &plan->column, plan->num, &plan->stride));
  for (PetscInt i = plan->num - 1; i >= 0; i--) {
    const Distribution *const d        = &plan->distributions[i];
    const PetscBool           combined = (PetscBool)(DistributionIsDiscrete(d) && keys->combinations == ALL_COMBINATIONS);

    plan->stride[i] = combinations;
    plan->column[i] = combined && plan->method != PLAN_SOBOL_INDICES ? NOT_SAMPLED : 0;
    if (plan->column[i] == NOT_SAMPLED) PetscCall(PetscIntMultError(combinations, d->count, &combinations));
  }
  for (PetscInt i = 0; i < plan->num; i++) {
    if (plan->column[i] != NOT_SAMPLED) plan->column[i] = num_sampled++;
  }
  plan->samples     = num_sampled ? keys->samples : 1;
  plan->per_sample  = plan->method == PLAN_SOBOL_INDICES ? (keys->second_order ? 2 : 1) * plan->num + 2 : combinations;
  plan->num_columns = num_sampled * (plan->method == PLAN_SOBOL_INDICES ? COLUMNS_OF_BOTH : 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillColumns(PetscInt seed, Plan *plan)
{
  const uint64_t key = RandomKey((uint64_t)seed, (uint64_t)(IsSobol(plan->method) ? PLAN_SOBOL : plan->method));

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(plan->num_columns, &plan->key));
  for (PetscInt i = 0; i < plan->num_columns; i++) plan->key[i] = RandomKey(key, (uint64_t)i);
  if (!IsSobol(plan->method)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCheck(plan->num_columns <= PLAN_MOST_SOBOL, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%" PetscInt_FMT " coordinates", plan->num_columns);
  PetscCall(PetscMalloc1(plan->num_columns * SOBOL_DIGITS, &plan->directions));
  SobolDirections(plan->num_columns, plan->directions);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* R = L L^T; LAPACK's upper factor by columns is the lower one by rows. */
static PetscErrorCode Factorise(const PetscReal correlation[], PetscInt *fault, Plan *plan)
{
  PetscBLASInt n, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(plan->num, &n));
  PetscCall(PetscMalloc1(plan->num * plan->num, &plan->factor));
  PetscCall(PetscArraycpy(plan->factor, correlation, plan->num * plan->num));
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("U", &n, plan->factor, &n, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf gave %d", (int)info);
  *fault = info;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Remark(Plan *plan)
{
  PetscInt power = 1;

  PetscFunctionBegin;
  if (plan->num_columns == 0) PetscFunctionReturn(PETSC_SUCCESS);
  while (power <= plan->samples / 2) power *= 2;
  if (plan->method == PLAN_LATIN_HYPERCUBE) {
    PetscCall(
      PetscSNPrintf(plan->remark, sizeof plan->remark, "a Latin hypercube cannot be extended: another number of samples gives other samples"));
  } else if (IsSobol(plan->method) && power < plan->samples) {
    snprintf(plan->remark, sizeof plan->remark,
             "a Sobol' sequence is balanced when the number of samples is a power of two: %lld and %lld are the nearest to %lld", (long long)power,
             2 * (long long)power, (long long)plan->samples);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlanCreate(const PlanKeys *keys, PetscInt num, const Distribution distributions[], const PetscReal correlation[], PetscInt *fault,
                          Plan **plan)
{
  PetscFunctionBegin;
  *fault = 0;
  PetscCall(PetscNew(plan));
  (*plan)->num      = num;
  (*plan)->method   = (PlanMethod)keys->method;
  (*plan)->scramble = keys->scramble;
  PetscCheck(!correlation || keys->method != PLAN_SOBOL_INDICES, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "indices of correlated parameters");
  PetscCall(PetscMalloc1(num, &(*plan)->distributions));
  PetscCall(PetscArraycpy((*plan)->distributions, distributions, num));
  PetscCall(LayOut(keys, *plan));
  PetscCall(FillColumns(keys->seed, *plan));
  PetscCall(Remark(*plan));
  if (correlation) PetscCall(Factorise(correlation, fault, *plan));
  if (*fault) PetscCall(PlanDestroy(plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlanDestroy(Plan **plan)
{
  PetscFunctionBegin;
  if (!*plan) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*plan)->distributions));
  PetscCall(PetscFree2((*plan)->column, (*plan)->stride));
  PetscCall(PetscFree((*plan)->key));
  PetscCall(PetscFree((*plan)->directions));
  PetscCall(PetscFree((*plan)->factor));
  PetscCall(PetscFree(*plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt PlanNumParameters(const Plan *plan)
{
  return plan->num;
}

PetscInt PlanNumRows(const Plan *plan)
{
  return plan->samples * plan->per_sample;
}

PetscInt PlanNumSamples(const Plan *plan)
{
  return plan->samples;
}

PetscInt PlanNumPerSample(const Plan *plan)
{
  return plan->per_sample;
}

PlanMethod PlanGetMethod(const Plan *plan)
{
  return plan->method;
}

PetscBool PlanIsExtensible(const Plan *plan)
{
  return (PetscBool)(plan->method != PLAN_LATIN_HYPERCUBE && plan->num_columns > 0);
}

const char *PlanRemark(const Plan *plan)
{
  return *plan->remark ? plan->remark : NULL;
}

/* A cell by the permutation of the column, a place in it by chance. */
static PetscReal LatinCoordinate(const Plan *plan, uint64_t key, PetscInt sample)
{
  const PetscReal within = ((PetscReal)(RandomKey(key, (uint64_t)sample) >> 44) + 0.5) * 0x1p-20;

  return ((PetscReal)PermutationAt(~key, plan->samples, sample) + within) / (PetscReal)plan->samples;
}

static PetscReal Coordinate(const Plan *plan, PetscInt column, PetscInt sample)
{
  const uint64_t key = plan->key[column];
  uint32_t       digits;

  if (plan->method == PLAN_RANDOM) return RandomUniform(RandomKey(key, (uint64_t)sample));
  if (plan->method == PLAN_LATIN_HYPERCUBE) return LatinCoordinate(plan, key, sample);
  digits = SobolDigits(plan->directions + column * SOBOL_DIGITS, (uint32_t)sample);
  return plan->scramble ? SobolScrambled(key, digits) : SobolPlain(digits);
}

/* Rows A, B, A with its coordinate i of B, B with its coordinate i of A: whether coordinate i is one of B. */
static PetscBool IsOfB(const Plan *plan, PetscInt part, PetscInt i)
{
  if (part < 2) return (PetscBool)(part == 1);
  if (part < 2 + plan->num) return (PetscBool)(part - 2 == i);
  return (PetscBool)(part - 2 - plan->num != i);
}

void PlanPoint(const Plan *plan, PetscInt row, PetscReal u[])
{
  const PetscInt sample = row / plan->per_sample, part = row % plan->per_sample;

  for (PetscInt i = 0; i < plan->num; i++) {
    PetscInt column = plan->column[i];

    if (column == NOT_SAMPLED) {
      const PetscInt count = plan->distributions[i].count;

      u[i] = ((PetscReal)(part / plan->stride[i] % count) + 0.5) / (PetscReal)count;
      continue;
    }
    if (plan->method == PLAN_SOBOL_INDICES && IsOfB(plan, part, i)) column += plan->num;
    u[i] = Coordinate(plan, column, sample);
  }
}

/* The probabilities below and above of z = L w; those that are not correlated are left as they are. */
static void Correlate(const Plan *plan, PetscInt i, const PetscReal u[], PetscReal *below, PetscReal *above)
{
  const PetscReal *const row = plan->factor ? plan->factor + i * plan->num : NULL;
  PetscReal              z   = 0.0;
  PetscInt               num = 0;

  for (PetscInt j = 0; row && j <= i; j++) {
    if (row[j] == 0.0) continue;
    num++;
    z += row[j] * NormalQuantile(u[j], 1.0 - u[j]);
  }
  *below = num > 1 ? NormalCdf(z) : u[i];
  *above = num > 1 ? NormalCdf(-z) : 1.0 - u[i];
}

void PlanValues(const Plan *plan, PetscInt row, PetscReal values[])
{
  PlanPoint(plan, row, values);
  for (PetscInt i = plan->num - 1; i >= 0; i--) { /* L is lower: those before are still u */
    PetscReal below, above;

    Correlate(plan, i, values, &below, &above);
    values[i] = DistributionQuantileBetween(&plan->distributions[i], below, above);
  }
}

/* The density of a copula is phi(z; R) / prod phi(z_i): with w = L^-1 z, log c = -sum log L_ii - (w^T w - z^T z) / 2. What is listed is not correlated,
   and has no place w. */
PetscReal PlanLogDensity(const Plan *plan, const PetscReal values[], PetscReal scores[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < plan->num; i++) sum += DistributionLogDensity(&plan->distributions[i], values[i]);
  for (PetscInt i = 0; plan->factor && isfinite(sum) && i < plan->num; i++) {
    const PetscReal *const row = plan->factor + i * plan->num;
    PetscReal              below, above, z;

    scores[i] = 0.0;
    if (DistributionIsDiscrete(&plan->distributions[i])) continue;
    DistributionShares(&plan->distributions[i], values[i], &below, &above);
    z = scores[i] = NormalQuantile(below, above);
    for (PetscInt j = 0; j < i; j++) {
      if (row[j] != 0.0) scores[i] -= row[j] * scores[j];
    }
    scores[i] /= row[i];
    if (row[i] != 1.0) sum += 0.5 * (z - scores[i]) * (z + scores[i]) - PetscLogReal(row[i]);
  }
  return isnan(sum) ? -(PetscReal)INFINITY : sum; /* at a bound */
}
