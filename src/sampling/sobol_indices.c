/*
  sobol_indices.c - Sobol' indices, and their intervals by bootstrap.

  With f less its mean and V the variance over A and B,

      S_i  = mean f_B (f_AB^i - f_A) / V                             [Saltelli et al. 2010, table 2 (b)]
      ST_i = mean (f_A - f_AB^i)^2 / (2 V)                           [Jansen 1999; there (f)]
      S_ij = mean (f_BA^i f_AB^j - f_A f_B) / V - S_i - S_j          [Saltelli 2002]

  Every mean is one over base samples of a term of that sample alone. A bootstrap draws base samples, with repetition, and sums their terms again.
*/
#include "sampling/statistics.h"
#include "base/random.h"
#include "sorted.h"
#include <math.h>

/* The terms of a base sample: of the mean, of the squares, of first order [k], total [k], second order [k, k]. */
enum { OF_MEAN, OF_SQUARES, OF_FIRST };

typedef struct {
  PetscInt   k, count, num_terms;
  PetscBool  second_order;
  PetscReal *terms;      /* [count, num_terms] */
  PetscReal *sums;       /* [num_terms] */
  PetscInt   num;        /* of indices */
  PetscReal *indices;    /* [num] first [k], total [k], second [k, k] */
  PetscReal *replicas;   /* [num, num_replicates] */
  PetscReal  negligible; /* a variance that is only round-off */
} Work;

/* Where the rows of a base sample are in it. */
static PetscInt RowsPerSample(PetscInt k, PetscBool second_order)
{
  return (second_order ? 2 : 1) * k + 2;
}

static PetscBool IsWhole(PetscInt num_rows, PetscInt stride, const PetscReal values[])
{
  for (PetscInt i = 0; i < num_rows; i++) {
    if (!isfinite(values[i * stride])) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The mean of A and B of all base samples that are whole. */
static PetscReal FindMean(PetscInt num_rows, PetscInt num_samples, PetscInt stride, const PetscReal values[], PetscInt *count)
{
  PetscReal mean = 0.0;

  *count = 0;
  for (PetscInt i = 0; i < num_samples; i++) {
    const PetscReal *const f = values + i * num_rows * stride;

    if (!IsWhole(num_rows, stride, f)) continue;
    mean += (0.5 * (f[0] + f[stride]) - mean) / (PetscReal)++ * count;
  }
  return mean;
}

static void FillTerms(const Work *work, PetscInt stride, const PetscReal f[], PetscReal mean, PetscReal terms[])
{
  const PetscInt   k = work->k;
  const PetscReal  a = f[0] - mean, b = f[stride] - mean;
  PetscReal *const first = terms + OF_FIRST, *const total = first + k, *const second = total + k;
  const PetscReal *const ab = f + 2 * stride, *const ba = ab + k * stride;

  terms[OF_MEAN]    = a + b;
  terms[OF_SQUARES] = a * a + b * b;
  for (PetscInt i = 0; i < k; i++) {
    const PetscReal change = ab[i * stride] - f[0];

    first[i] = b * change;
    total[i] = 0.5 * change * change;
    for (PetscInt j = 0; work->second_order && j < k; j++) second[i * k + j] = (ba[i * stride] - mean) * (ab[j * stride] - mean) - a * b;
  }
}

/* Indices by the sums of terms of so many base samples. */
static void Evaluate(const Work *work, PetscReal indices[])
{
  const PetscInt         k = work->k;
  const PetscReal        n = (PetscReal)work->count, mean = work->sums[OF_MEAN] / (2.0 * n);
  const PetscReal        about_mean = work->sums[OF_SQUARES] / (2.0 * n) - mean * mean;
  const PetscReal        variance   = about_mean > work->negligible ? about_mean : (PetscReal)NAN;
  const PetscReal *const second     = work->sums + OF_FIRST + 2 * k;

  for (PetscInt i = 0; i < 2 * k; i++) indices[i] = work->sums[OF_FIRST + i] / (n * variance);
  for (PetscInt i = 0; work->second_order && i < k; i++) {
    for (PetscInt j = 0; j < k; j++) { /* that of i and j is estimated twice */
      const PetscReal both = 0.5 * (second[i * k + j] + second[j * k + i]) / (n * variance);

      indices[2 * k + i * k + j] = i == j ? (PetscReal)NAN : both - (indices[i] + indices[j]);
    }
  }
}

static void Add(const Work *work, PetscInt sample)
{
  const PetscReal *const terms = work->terms + sample * work->num_terms;

  for (PetscInt i = 0; i < work->num_terms; i++) work->sums[i] += terms[i];
}

static PetscErrorCode Bootstrap(Work *work, PetscInt num_replicates, PetscInt seed)
{
  uint64_t state = (uint64_t)seed;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < num_replicates; r++) {
    PetscCall(PetscArrayzero(work->sums, work->num_terms));
    for (PetscInt i = 0; i < work->count; i++) Add(work, (PetscInt)(RandomUniform(RandomNext(&state)) * (PetscReal)work->count));
    Evaluate(work, work->indices);
    for (PetscInt i = 0; i < work->num; i++) work->replicas[i * num_replicates + r] = work->indices[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The percentiles of the replicas. */
static PetscErrorCode FillEstimates(Work *work, PetscInt num_replicates, PetscReal confidence, PetscInt start, PetscInt num, Estimate estimates[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < num; i++) {
    PetscReal *const replicas = work->replicas + (start + i) * num_replicates;

    estimates[i] = (Estimate){work->indices[start + i], (PetscReal)NAN, (PetscReal)NAN};
    if (!isfinite(work->indices[start + i]) || !IsWhole(num_replicates, 1, replicas)) continue;
    PetscCall(PetscSortReal(num_replicates, replicas));
    estimates[i].low  = SortedAt(num_replicates, replicas, 0.5 * (1.0 - confidence));
    estimates[i].high = SortedAt(num_replicates, replicas, 0.5 * (1.0 + confidence));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WorkCreate(PetscInt k, PetscBool second_order, PetscInt count, PetscInt num_replicates, Work *work)
{
  PetscFunctionBegin;
  *work           = (Work){.k = k, .count = count, .second_order = second_order, .num = 2 * k + (second_order ? k * k : 0)};
  work->num_terms = OF_FIRST + work->num;
  PetscCall(PetscMalloc4(count * work->num_terms, &work->terms, work->num_terms, &work->sums, work->num, &work->indices, work->num * num_replicates,
                         &work->replicas));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fill(Work *work, PetscInt num_replicates, PetscReal confidence, PetscInt seed, SobolIndices *indices)
{
  const PetscInt k = work->k;

  PetscFunctionBegin;
  PetscCall(Bootstrap(work, num_replicates, seed));
  PetscCall(PetscArrayzero(work->sums, work->num_terms));
  for (PetscInt i = 0; i < work->count; i++) Add(work, i);
  indices->variance = work->sums[OF_SQUARES] / PetscMax(2.0 * (PetscReal)work->count - 1.0, 1.0); /* about the mean of all of them */
  Evaluate(work, work->indices);
  PetscCall(FillEstimates(work, num_replicates, confidence, 0, k, indices->first));
  PetscCall(FillEstimates(work, num_replicates, confidence, k, k, indices->total));
  if (work->second_order) PetscCall(FillEstimates(work, num_replicates, confidence, 2 * k, k * k, indices->second));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SobolIndicesFind(PetscInt num_parameters, PetscBool second_order, PetscInt num_samples, PetscInt stride, const PetscReal values[],
                                PetscReal confidence, PetscInt num_replicates, PetscInt seed, SobolIndices *indices)
{
  const PetscInt num_rows = RowsPerSample(num_parameters, second_order);
  PetscInt       next     = 0;
  Work           work;

  PetscFunctionBegin;
  *indices            = (SobolIndices){.num_parameters = num_parameters};
  indices->mean       = FindMean(num_rows, num_samples, stride, values, &indices->count);
  indices->num_failed = num_samples - indices->count;
  if (indices->count == 0) indices->mean = (PetscReal)NAN;
  PetscCall(PetscMalloc2(num_parameters, &indices->first, num_parameters, &indices->total));
  if (second_order) PetscCall(PetscMalloc1(num_parameters * num_parameters, &indices->second));
  PetscCall(WorkCreate(num_parameters, second_order, indices->count, num_replicates, &work));
  for (PetscInt i = 0; i < num_samples; i++) {
    const PetscReal *const f = values + i * num_rows * stride;

    if (IsWhole(num_rows, stride, f)) FillTerms(&work, stride, f, indices->mean, work.terms + work.num_terms * next++);
  }
  work.negligible = PetscSqr(16.0 * PETSC_MACHINE_EPSILON * indices->mean);
  PetscCall(Fill(&work, num_replicates, confidence, seed, indices));
  PetscCall(PetscFree4(work.terms, work.sums, work.indices, work.replicas));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SobolIndicesDestroy(SobolIndices *indices)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(indices->first, indices->total));
  PetscCall(PetscFree(indices->second));
  *indices = (SobolIndices){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
