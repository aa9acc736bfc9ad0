/* test_sampling_statistics.c - statistics of samples against closed forms; verify/sampling compares with scipy. */
#include "check.h"
#include "base/random.h"
#include "sampling/plan.h"
#include "sampling/statistics.h"

#define NOT_A_NUMBER ((double)NAN)

static void failed_samples_are_left_out(void **state)
{
  const PetscReal with[] = {3, NOT_A_NUMBER, 1, (double)INFINITY, 4, 1}, without[] = {3, 1, 4, 1}, percent[] = {30};
  Estimate        one[1], other[1];
  Summary         a, b;

  (void)state;
  assert_ok(SummaryFind(6, 1, with, &a));
  assert_ok(SummaryFind(4, 1, without, &b));
  assert_int_equal(a.count, 4);
  assert_int_equal(a.num_failed, 2);
  assert_close(a.mean, 2.25, 1e-15);
  assert_close(a.mean_error, b.mean_error, 0);
  assert_close(a.deviation, 1.5, 1e-15); /* squares 9/16 + 25/16 + 49/16 + 25/16 = 27/4, of three */
  assert_ok(PercentilesFind(6, 1, with, 0.95, 1, percent, one));
  assert_ok(PercentilesFind(4, 1, without, 0.95, 1, percent, other));
  assert_close(one->value, 1, 0); /* 1 + 3 * 0.3 = 1.9: between the ones */
  assert_memory_equal(one, other, sizeof one);
}

static void nothing_is_said_of_nothing(void **state)
{
  const PetscReal none[] = {NOT_A_NUMBER}, one[] = {7}, *const inputs = one, percent[] = {50};
  Estimate    median[1];
  Correlation correlation;
  Summary     summary;

  (void)state;
  assert_ok(SummaryFind(1, 1, none, &summary));
  assert_true(isnan(summary.mean) && isnan(summary.deviation) && isnan(summary.least));
  assert_ok(PercentilesFind(1, 1, none, 0.95, 1, percent, median));
  assert_true(isnan(median->value) && isinf(median->low) && isinf(median->high));
  assert_ok(SummaryFind(1, 1, one, &summary));
  assert_close(summary.mean, 7, 0);
  assert_true(isnan(summary.deviation));
  assert_ok(PercentilesFind(1, 1, one, 0.95, 1, percent, median));
  assert_close(median->value, 7, 0);
  assert_ok(CorrelationsFind(1, 1, inputs, 1, one, &correlation));
  assert_true(isnan(correlation.pearson) && isnan(correlation.spearman));
}

/* A lognormal percentile is exp(mu + sigma z); 4096 Sobol' points have it to a third of a cell or so. */
static void percentiles_of_a_lognormal_are_those_of_its_closed_form(void **state)
{
  const Distribution d          = {.kind = DISTRIBUTION_LOGNORMAL, .centre = 0.3, .spread = 0.5, .to = (double)INFINITY};
  const PlanKeys     keys       = {.method = PLAN_SOBOL, .samples = 4096, .seed = 1, .scramble = PETSC_TRUE};
  const PetscReal    z          = 1.6448536269514722; /* of 95 %, Abramowitz and Stegun, table 26.5 */
  const PetscReal    percents[] = {5, 50, 95};
  Estimate           p[3];
  PetscReal         *x;
  PetscInt           fault;
  Plan              *plan;

  (void)state;
  assert_ok(PetscMalloc1(4096, &x));
  assert_ok(PlanCreate(&keys, 1, &d, NULL, &fault, &plan));
  for (PetscInt i = 0; i < 4096; i++) PlanValues(plan, i, &x[i]);
  assert_ok(PercentilesFind(4096, 1, x, 0.95, 3, percents, p));
  for (int i = 0; i < 3; i++) {
    const PetscReal exact = exp(0.3 + 0.5 * z * (i - 1));

    assert_close(p[i].value, exact, 3e-3); /* a cell at 95 % is 0.5 / (4096 * 0.103) = 1.2e-3 of it */
    assert_true(p[i].low < exact && exact < p[i].high);
  }
  assert_ok(PlanDestroy(&plan));
  assert_ok(PetscFree(x));
}

static PetscReal Draw(PetscInt repetition, PetscInt i)
{
  return RandomUniform(RandomKey(RandomKey(99, (uint64_t)repetition), (uint64_t)i));
}

/* Intervals of percentiles contain them at least as often as they say, and of the mean nearly so: of 2000 repetitions, within four deviations. The
   interval of the 90th of 100 samples has 95.6 % (scipy: binom.cdf(95, 100, 0.9) - binom.cdf(83, 100, 0.9), samples 84 and 96). */
static void intervals_contain_the_truth_as_often_as_they_say(void **state)
{
  enum { REPETITIONS = 2000, SAMPLES = 100 };
  PetscInt in_percentile = 0, in_mean = 0;

  (void)state;
  for (PetscInt r = 0; r < REPETITIONS; r++) {
    const PetscReal percent[] = {90};
    Estimate        p;
    PetscReal       x[SAMPLES];
    Summary         summary;

    for (PetscInt i = 0; i < SAMPLES; i++) x[i] = Draw(r, i);
    assert_ok(PercentilesFind(SAMPLES, 1, x, 0.95, 1, percent, &p));
    assert_ok(SummaryFind(SAMPLES, 1, x, &summary));
    in_percentile += p.low <= 0.9 && 0.9 <= p.high;
    in_mean += fabs(summary.mean - 0.5) <= 1.96 * summary.mean_error;
  }
  assert_near(in_percentile, 0.956 * REPETITIONS, 4 * sqrt(0.05 * 0.95 * REPETITIONS));
  assert_near(in_mean, 0.95 * REPETITIONS, 4 * sqrt(0.05 * 0.95 * REPETITIONS));
}

static void bands_are_percentiles_at_every_place(void **state)
{
  enum { CURVES = 41, PLACES = 3 };
  const PetscReal percents[] = {25, 50};
  PetscReal       curves[CURVES][PLACES];
  Estimate        band[2][PLACES];
  PetscInt        count[PLACES];

  (void)state;
  for (int i = 0; i < CURVES; i++)
    for (int j = 0; j < PLACES; j++) curves[i][j] = (17 * i % CURVES) * (j + 1.0);
  curves[3][1] = NOT_A_NUMBER; /* of 51 % CURVES = 10, at the second place 20 */
  assert_ok(BandFind(CURVES, PLACES, curves[0], 0.9, 2, percents, band[0], count));
  for (int j = 0; j < PLACES; j++) {
    assert_int_equal(count[j], j == 1 ? 40 : 41);
    if (j == 1) continue;
    assert_close(band[0][j].value, 10 * (j + 1.0), 1e-15); /* 0, ..., 40 */
    assert_close(band[1][j].value, 20 * (j + 1.0), 1e-15);
    assert_true(band[1][j].low < 20 * (j + 1.0) && band[1][j].high > 20 * (j + 1.0));
  }
  assert_close(band[1][1].value, 2 * 20.5, 1e-15); /* without the 10: 20 and 21 are the middle ones */
}

/* Ishigami's function, and its variances in closed form [Ishigami, Homma 1990; Saltelli et al. 2008, section 4]. */
static PetscReal Ishigami(const PetscReal x[3])
{
  return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

enum { K = 3 };

static void FillExact(PetscReal first[K], PetscReal total[K], PetscReal *variance)
{
  const PetscReal p4 = pow(PETSC_PI, 4), v1 = 0.5 * pow(1 + 0.1 * p4 / 5, 2), v2 = 49. / 8, v13 = 0.01 * p4 * p4 * (1. / 18 - 1. / 50);

  *variance = v1 + v2 + v13;
  first[0]  = v1 / *variance;
  first[1] = total[1] = v2 / *variance;
  first[2]            = 0;
  total[0]            = (v1 + v13) / *variance;
  total[2]            = v13 / *variance;
  assert_near(first[0], 0.3139, 5e-5); /* published */
  assert_near(first[1], 0.4424, 5e-5);
  assert_near(total[2], 0.2437, 5e-5);
}

static void indices_of_ishigami_are_those_of_its_closed_form(void **state)
{
  enum { SAMPLES = 4096, ROWS = SAMPLES * (2 * K + 2) };
  const Distribution one = {.kind = DISTRIBUTION_UNIFORM, .from = -PETSC_PI, .to = PETSC_PI}, d[K] = {one, one, one};
  const PlanKeys     keys = {.method = PLAN_SOBOL_INDICES, .samples = SAMPLES, .seed = 1, .scramble = PETSC_TRUE, .second_order = PETSC_TRUE};
  PetscReal         *f, x[K], first[K], total[K], variance;
  PetscInt           fault;
  SobolIndices       indices;
  Plan              *plan;

  (void)state;
  FillExact(first, total, &variance);
  assert_ok(PetscMalloc1(ROWS, &f));
  assert_ok(PlanCreate(&keys, K, d, NULL, &fault, &plan));
  for (PetscInt i = 0; i < ROWS; i++) {
    PlanValues(plan, i, x);
    f[i] = Ishigami(x);
  }
  f[17] = NOT_A_NUMBER; /* one of the third base sample */
  assert_ok(SobolIndicesFind(K, PETSC_TRUE, SAMPLES, 1, f, 0.95, 200, 1, &indices));
  assert_int_equal(indices.count, SAMPLES - 1);
  assert_int_equal(indices.num_failed, 1);
  assert_close(indices.mean, 3.5, 3e-3);          /* a / 2; 3e-4 as seen */
  assert_close(indices.variance, variance, 1e-2); /* 7e-4 as seen */
  for (int i = 0; i < K; i++) {
    assert_near(indices.first[i].value, first[i], 1.5e-2); /* 4.4e-3 as seen */
    assert_near(indices.total[i].value, total[i], 1.5e-2);
    assert_true(indices.first[i].low < first[i] && first[i] < indices.first[i].high);
    assert_true(indices.total[i].low < total[i] && total[i] < indices.total[i].high);
    assert_true(isnan(indices.second[i * (K + 1)].value));
  }
  assert_near(indices.second[2].value, total[2], 2e-2); /* of the first and third; 4.7e-3 as seen */
  assert_close(indices.second[6].value, indices.second[2].value, 0);
  assert_near(indices.second[1].value, 0, 2e-2);
  assert_true(indices.second[1].low < 0 && indices.second[1].high > 0);
  assert_ok(SobolIndicesDestroy(&indices));
  assert_ok(PlanDestroy(&plan));
  assert_ok(PetscFree(f));
}

/* Of independent base samples, 400 repetitions of 256: 95 % less a little, as the bootstrap of a few hundred is a little narrow; four deviations are
   4.4 %. */
static void intervals_of_indices_contain_them_as_often_as_they_say(void **state)
{
  enum { REPETITIONS = 400, SAMPLES = 256, ROWS = K + 2 };
  PetscReal first[K], total[K], variance, *f;
  PetscInt  in_first[K] = {0}, in_total[K] = {0};

  (void)state;
  FillExact(first, total, &variance);
  assert_ok(PetscMalloc1(SAMPLES * ROWS, &f));
  for (PetscInt r = 0; r < REPETITIONS; r++) {
    SobolIndices indices;

    for (PetscInt i = 0; i < SAMPLES; i++) {
      PetscReal both[2][K], x[K];

      for (PetscInt j = 0; j < 2 * K; j++) both[j / K][j % K] = PETSC_PI * (2 * Draw(r, 2 * K * i + j) - 1);
      f[ROWS * i]     = Ishigami(both[0]);
      f[ROWS * i + 1] = Ishigami(both[1]);
      for (PetscInt k = 0; k < K; k++) {
        for (PetscInt j = 0; j < K; j++) x[j] = both[j == k][j];
        f[ROWS * i + 2 + k] = Ishigami(x);
      }
    }
    assert_ok(SobolIndicesFind(K, PETSC_FALSE, SAMPLES, 1, f, 0.95, 200, r, &indices));
    for (int k = 0; k < K; k++) {
      in_first[k] += indices.first[k].low <= first[k] && first[k] <= indices.first[k].high;
      in_total[k] += indices.total[k].low <= total[k] && total[k] <= indices.total[k].high;
    }
    assert_ok(SobolIndicesDestroy(&indices));
  }
  for (int k = 0; k < K; k++) {
    assert_near(in_first[k] / (double)REPETITIONS, 0.94, 0.054);
    assert_near(in_total[k] / (double)REPETITIONS, 0.94, 0.054);
  }
  assert_ok(PetscFree(f));
}

static void what_does_not_change_has_no_indices(void **state)
{
  PetscReal    f[8 * (K + 2)];
  SobolIndices indices;

  (void)state;
  for (size_t i = 0; i < sizeof f / sizeof *f; i++) f[i] = 0.1;
  assert_ok(SobolIndicesFind(K, PETSC_FALSE, 8, 1, f, 0.95, 10, 1, &indices));
  assert_true(isnan(indices.first[0].value) && isnan(indices.total[2].low));
  assert_ok(SobolIndicesDestroy(&indices));
  for (size_t i = 0; i < sizeof f / sizeof *f; i++) f[i] = NOT_A_NUMBER;
  assert_ok(SobolIndicesFind(K, PETSC_FALSE, 8, 1, f, 0.95, 10, 1, &indices));
  assert_int_equal(indices.num_failed, 8);
  assert_true(isnan(indices.mean) && isnan(indices.first[0].value));
  assert_ok(SobolIndicesDestroy(&indices));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(failed_samples_are_left_out),
  cmocka_unit_test(nothing_is_said_of_nothing),
  cmocka_unit_test(percentiles_of_a_lognormal_are_those_of_its_closed_form),
  cmocka_unit_test(intervals_contain_the_truth_as_often_as_they_say),
  cmocka_unit_test(bands_are_percentiles_at_every_place),
  cmocka_unit_test(indices_of_ishigami_are_those_of_its_closed_form),
  cmocka_unit_test(intervals_of_indices_contain_them_as_often_as_they_say),
  cmocka_unit_test(what_does_not_change_has_no_indices),
};
CHECK_MAIN(tests)
