/* statistics.c - means, percentiles and bands. */
#include "sampling/statistics.h"
#include "sorted.h"
#include <math.h>

/* The numbers of a column that are some. */
static PetscInt Gather(PetscInt num_rows, PetscInt stride, const PetscReal values[], PetscReal kept[])
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < num_rows; i++) {
    if (isfinite(values[i * stride])) kept[count++] = values[i * stride];
  }
  return count;
}

/* Mean and sum of squares about it, sample by sample [Welford 1962]. */
PetscErrorCode SummaryFind(PetscInt num_rows, PetscInt stride, const PetscReal values[], Summary *summary)
{
  PetscReal mean = 0.0, squares = 0.0;

  PetscFunctionBegin;
  *summary = (Summary){.least = (PetscReal)INFINITY, .most = -(PetscReal)INFINITY};
  for (PetscInt i = 0; i < num_rows; i++) {
    const PetscReal value = values[i * stride], from_mean = value - mean;

    if (!isfinite(value)) continue;
    summary->count++;
    mean += from_mean / (PetscReal)summary->count;
    squares += from_mean * (value - mean);
    summary->least = PetscMin(summary->least, value);
    summary->most  = PetscMax(summary->most, value);
  }
  summary->num_failed = num_rows - summary->count;
  summary->mean       = summary->count ? mean : (PetscReal)NAN;
  summary->deviation  = summary->count > 1 ? PetscSqrtReal(squares / (PetscReal)(summary->count - 1)) : (PetscReal)NAN;
  summary->mean_error = summary->deviation / PetscSqrtReal((PetscReal)summary->count);
  if (summary->count == 0) summary->least = summary->most = (PetscReal)NAN;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The probability that so many of n samples lie below the percentile. */
static PetscReal Binomial(PetscInt n, PetscReal share, PetscInt count)
{
  const PetscReal all = (PetscReal)n, below = (PetscReal)count, above = all - below;

  if (share <= 0.0 || share >= 1.0) return (count == 0 && share <= 0.0) || (count == n && share >= 1.0) ? 1.0 : 0.0;
  return PetscExpReal(lgamma(all + 1.0) - lgamma(below + 1.0) - lgamma(above + 1.0) + below * PetscLogReal(share) + above * log1p(-share));
}

/* How many of n samples lie below the percentile with a probability of less than `tail`, at most: the largest k with P(B < k) <= tail. What is
   forty deviations away is no probability. */
static PetscInt MostBelow(PetscInt n, PetscReal share, PetscReal tail)
{
  const PetscReal mean = (PetscReal)n * share, width = 40.0 * PetscSqrtReal(mean * (1.0 - share)) + 40.0;
  PetscInt        k   = (PetscInt)PetscMax(0.0, mean - width);
  PetscReal       sum = 0.0;

  while (k < n && (sum += Binomial(n, share, k)) <= tail) k++;
  return k;
}

/* Places among n sorted samples between which the percentile lies, from 1; 0 and n + 1 where there is no such sample [David, Nagaraja 2003, 7.1]. */
typedef struct {
  PetscInt low, high;
} Ranks;

static Ranks FindRanks(PetscInt n, PetscReal percent, PetscReal confidence)
{
  const PetscReal tail = 0.5 * (1.0 - confidence), share = 0.01 * percent;

  return (Ranks){MostBelow(n, share, tail), n + 1 - MostBelow(n, 1.0 - share, tail)};
}

static Estimate PercentileOf(PetscInt count, const PetscReal sorted[], PetscReal percent, Ranks ranks)
{
  return (Estimate){.value = SortedAt(count, sorted, 0.01 * percent),
                    .low   = ranks.low >= 1 ? sorted[ranks.low - 1] : -(PetscReal)INFINITY,
                    .high  = ranks.high <= count ? sorted[ranks.high - 1] : (PetscReal)INFINITY};
}

PetscErrorCode PercentilesFind(PetscInt num_rows, PetscInt stride, const PetscReal values[], PetscReal confidence, PetscInt num,
                               const PetscReal percents[], Estimate percentiles[])
{
  PetscReal *sorted;
  PetscInt   count;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num_rows, &sorted));
  count = Gather(num_rows, stride, values, sorted);
  PetscCall(PetscSortReal(count, sorted));
  for (PetscInt i = 0; i < num; i++) percentiles[i] = PercentileOf(count, sorted, percents[i], FindRanks(count, percents[i], confidence));
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BandFind(PetscInt num_rows, PetscInt num_places, const PetscReal curves[], PetscReal confidence, PetscInt num_percents,
                        const PetscReal percents[], Estimate band[], PetscInt count[])
{
  PetscReal *sorted;
  Ranks     *ranks;
  PetscInt   ranked = -1; /* number of samples that the ranks are of: nearly always the same at all places */

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num_rows, &sorted, num_percents, &ranks));
  for (PetscInt place = 0; place < num_places; place++) {
    const PetscInt here = Gather(num_rows, num_places, curves + place, sorted);

    PetscCall(PetscSortReal(here, sorted));
    for (PetscInt i = 0; here != ranked && i < num_percents; i++) ranks[i] = FindRanks(here, percents[i], confidence);
    ranked = here;
    for (PetscInt i = 0; i < num_percents; i++) band[i * num_places + place] = PercentileOf(here, sorted, percents[i], ranks[i]);
    if (count) count[place] = here;
  }
  PetscCall(PetscFree2(sorted, ranks));
  PetscFunctionReturn(PETSC_SUCCESS);
}
