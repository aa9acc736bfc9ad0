/* test_sampling_plan.c - rows of plans: cells, nets, combinations, extension, correlation, and plans that cannot be. */
#include "parsed_case.h"
#include "base/random.h"
#include "sampling/plan.h"

enum { NUM = 6, MOST_ROWS = 4096 };

static const char *const names[] = {"a", "b", "c", "d", "e", "f", NULL};

typedef struct {
  Distribution d[NUM];
  Plan        *plan;
  PetscReal    u[MOST_ROWS][NUM];
} Rows;

/* Uniform from 0 to 1 but for those of `lists`, a mask, which take as many values as their place, and one more. */
static InputDocument *Read(const char *text, unsigned lists, Rows *rows)
{
  static const PetscReal values[] = {0, 1, 2, 3, 4, 5, 6};
  InputDocument         *document = ParseCase(text);

  for (PetscInt i = 0; i < NUM; i++) {
    rows->d[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .to = 1};
    if (lists >> i & 1) rows->d[i] = (Distribution){.kind = DISTRIBUTION_VALUES, .count = i + 1, .values = values};
  }
  assert_ok(PlanRead(InputRoot(document), names, rows->d, &rows->plan));
  return document;
}

static void Make(const char *text, unsigned lists, Rows *rows)
{
  InputDocument *document = Read(text, lists, rows);

  assert_ok(InputVerdict(document));
  assert_ok(InputClose(&document));
  assert_true(PlanNumRows(rows->plan) <= MOST_ROWS);
  for (PetscInt i = 0; i < PlanNumRows(rows->plan); i++) PlanPoint(rows->plan, i, rows->u[i]);
}

static void AssertRefused(const char *text, unsigned lists, const char *expected)
{
  Rows          *rows     = calloc(1, sizeof *rows);
  InputDocument *document = Read(text, lists, rows);

  assert_true(PlanNumRows(rows->plan) >= 1); /* usable */
  AssertComplaint(document, 1, expected);
  assert_ok(PlanDestroy(&rows->plan));
  free(rows);
}

/* How many points lie in each of 2^a by 2^b cells of two coordinates. */
static void Count(const Rows *rows, PetscInt i, PetscInt j, int a, int b, PetscInt counts[])
{
  memset(counts, 0, sizeof(PetscInt) << (a + b));
  for (PetscInt row = 0; row < PlanNumRows(rows->plan); row++)
    counts[((PetscInt)ldexp(rows->u[row][i], a) << b) + (PetscInt)ldexp(rows->u[row][j], b)]++;
}

static void a_latin_hypercube_has_one_sample_in_each_cell(void **state)
{
  static const int numbers[] = {1, 2, 3, 7, 64, 1000, 4096};
  Rows            *rows      = calloc(1, sizeof *rows);

  (void)state;
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
    char text[80];

    snprintf(text, sizeof text, "{method: latin_hypercube, samples: %d, seed: %d}", numbers[n], (int)n);
    Make(text, 0, rows);
    for (int j = 0; j < NUM; j++) {
      char seen[MOST_ROWS] = {0};

      for (int i = 0; i < numbers[n]; i++) seen[(int)(rows->u[i][j] * numbers[n])]++;
      for (int i = 0; i < numbers[n]; i++) assert_int_equal(seen[i], 1);
    }
    assert_false(PlanIsExtensible(rows->plan));
    assert_non_null(PlanRemark(rows->plan));
    assert_ok(PlanDestroy(&rows->plan));
  }
  free(rows);
}

/* Each of 24 permutations of four cells as often as the others: chi^2 of 23 degrees is below 64 with a probability of 1 - 1e-5 (scipy.stats.chi2). */
static void permutations_of_few_cells_are_all_as_frequent(void **state)
{
  enum { SEEDS = 4800 };
  Distribution d[1]        = {{.kind = DISTRIBUTION_UNIFORM, .to = 1}};
  PetscInt     counts[256] = {0}, fault;
  double       chi         = 0;

  (void)state;
  for (PetscInt seed = 0; seed < SEEDS; seed++) {
    const PlanKeys keys = {.method = PLAN_LATIN_HYPERCUBE, .samples = 4, .seed = seed};
    PetscInt       code = 0;
    Plan          *plan;

    assert_ok(PlanCreate(&keys, 1, d, NULL, &fault, &plan));
    for (PetscInt i = 0; i < 4; i++) {
      PetscReal u;

      PlanPoint(plan, i, &u);
      code = 4 * code + (PetscInt)(4 * u);
    }
    counts[code]++;
    assert_ok(PlanDestroy(&plan));
  }
  for (int i = 0; i < 256; i++) chi += counts[i] ? pow(counts[i] - SEEDS / 24., 2) / (SEEDS / 24.) : 0;
  assert_true(chi < 64 && chi > 5);
}

static int Compare(const void *a, const void *b)
{
  return (*(const PetscInt *)a > *(const PetscInt *)b) - (*(const PetscInt *)a < *(const PetscInt *)b);
}

/* Owen's permutations map elementary intervals on such: every one of a coordinate has one point, and of two coordinates there are as many with no
   point, one, two... as without scrambling. The first two coordinates are a (0, m, 2)-net: one point in each. */
static void scrambling_keeps_elementary_intervals(void **state)
{
  enum { DIGITS = 8, POINTS = 1 << DIGITS };
  Rows    *plain = calloc(1, sizeof *plain), *scrambled = calloc(1, sizeof *scrambled);
  PetscInt before[POINTS], after[POINTS];

  (void)state;
  Make("{method: sobol, samples: 256, scramble: no}", 0, plain);
  Make("{method: sobol, samples: 256, seed: 3}", 0, scrambled);
  for (int i = 0; i < NUM; i++) {
    for (int j = 0; j < i; j++) {
      for (int a = 0; a <= DIGITS; a++) {
        Count(plain, i, j, a, DIGITS - a, before);
        Count(scrambled, i, j, a, DIGITS - a, after);
        for (int k = 0; k < POINTS; k++) assert_true(after[k] == 1 || (i > 1 && a > 0 && a < DIGITS));
        qsort(before, POINTS, sizeof *before, Compare);
        qsort(after, POINTS, sizeof *after, Compare);
        assert_memory_equal(before, after, sizeof after);
      }
    }
  }
  assert_ok(PlanDestroy(&plain->plan));
  assert_ok(PlanDestroy(&scrambled->plan));
  free(plain);
  free(scrambled);
}

/* A scrambled point is uniform over seeds, wherever it was: mean 1/2, variance 1/12, and independent of another one of another half. Bounds are of five
   standard errors. */
static void a_scrambled_point_is_uniform_over_seeds(void **state)
{
  enum { SEEDS = 20000 };
  const Distribution d[1] = {{.kind = DISTRIBUTION_UNIFORM, .to = 1}};
  double             mean = 0, square = 0, product = 0;

  (void)state;
  for (PetscInt seed = 0; seed < SEEDS; seed++) {
    const PlanKeys keys = {.method = PLAN_SOBOL, .samples = 4, .seed = seed, .scramble = PETSC_TRUE};
    PetscReal      u[2];
    PetscInt       fault;
    Plan          *plan;

    assert_ok(PlanCreate(&keys, 1, d, NULL, &fault, &plan));
    PlanPoint(plan, 0, &u[0]);
    PlanPoint(plan, 1, &u[1]);
    mean += (u[0] - 0.5) / SEEDS;
    square += pow(u[0] - 0.5, 2) / SEEDS;
    product += (fmod(2 * u[0], 1) - 0.5) * (fmod(2 * u[1], 1) - 0.5) / SEEDS;
    assert_ok(PlanDestroy(&plan));
  }
  assert_near(mean, 0, 5 * sqrt(1. / 12 / SEEDS));
  assert_near(square, 1. / 12, 5 * sqrt(1. / 180 / SEEDS));
  assert_true(fabs(product) < 5. / 12 / sqrt(SEEDS));
}

static void random_and_sobol_samples_are_extended(void **state)
{
  static const char *const texts[][2] = {
    {"{method: random, samples: 5}", "{method: random, samples: 50}"},
    {"{method: sobol, samples: 8}", "{method: sobol, samples: 64}"},
    {"{method: sobol, samples: 4}", "{method: sobol, samples: 7}"},
    {"{method: sobol_indices, samples: 4}", "{method: sobol_indices, samples: 8}"},
  };
  Rows *few = calloc(1, sizeof *few), *many = calloc(1, sizeof *many);

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Make(texts[i][0], 4, few);
    Make(texts[i][1], 4, many);
    assert_true(PlanIsExtensible(few->plan));
    assert_memory_equal(few->u, many->u, (size_t)PlanNumRows(few->plan) * sizeof *few->u);
    assert_int_equal(PlanRemark(many->plan) != NULL, i == 2); /* seven */
    assert_ok(PlanDestroy(&few->plan));
    assert_ok(PlanDestroy(&many->plan));
  }
  free(few);
  free(many);
}

static void lists_take_all_combinations_at_every_sample(void **state)
{
  Rows     *rows = calloc(1, sizeof *rows);
  PetscReal values[NUM];

  (void)state;
  Make("{method: latin_hypercube, samples: 10}", 2 + 4, rows); /* b takes 2 values, c 3 */
  assert_int_equal(PlanNumRows(rows->plan), 60);
  assert_int_equal(PlanNumPerSample(rows->plan), 6);
  for (PetscInt i = 0; i < 60; i++) {
    PlanValues(rows->plan, i, values);
    assert_close(values[1], (double)(i / 3 % 2), 0);
    assert_close(values[2], (double)(i % 3), 0);
    assert_close(values[0], rows->u[i - i % 6][0], 0);
    assert_close(values[5], rows->u[i - i % 6][5], 0);
  }
  assert_ok(PlanDestroy(&rows->plan));
  Make("{method: random, samples: 10, combinations: sampled}", 2 + 4, rows);
  assert_int_equal(PlanNumRows(rows->plan), 10);
  assert_ok(PlanDestroy(&rows->plan));
  Make("{}", 63, rows); /* no samples are needed */
  assert_int_equal(PlanNumRows(rows->plan), 720);
  assert_false(PlanIsExtensible(rows->plan));
  assert_ok(PlanDestroy(&rows->plan));
  free(rows);
}

/* A, B, A with a coordinate of B, B with a coordinate of A. */
static void indices_exchange_coordinates(void **state)
{
  Rows *rows = calloc(1, sizeof *rows);

  (void)state;
  Make("{method: sobol_indices, samples: 16, second_order: yes}", 1 << 5, rows);
  assert_int_equal(PlanNumRows(rows->plan), 16 * 14);
  for (PetscInt base = 0; base < 16; base++) {
    PetscReal(*const row)[NUM] = rows->u + 14 * base, *const A = row[0], *const B = row[1];

    for (int i = 0; i < NUM; i++) {
      for (int j = 0; j < NUM; j++) {
        assert_close(row[2 + i][j], i == j ? B[j] : A[j], 0);
        assert_close(row[2 + NUM + i][j], i == j ? A[j] : B[j], 0);
      }
      assert_true(A[i] != B[i]);
    }
  }
  assert_ok(PlanDestroy(&rows->plan));
  free(rows);
}

/* Scores of 4096 scrambled Sobol' points have the correlation of the matrix to 2e-3 at most as measured; independent samples would to 1.5e-2. */
static void scores_have_the_correlation_of_the_matrix(void **state)
{
  const double   R[3][3]   = {{1, 0.8, -0.3}, {0.8, 1, 0.1}, {-0.3, 0.1, 1}};
  const int      at[3]     = {4, 0, 3};
  double         sum[3][3] = {{0}}, single = 0;
  Distribution   d[NUM];
  Plan          *plan;
  InputDocument *document =
    ParseCase("{samples: 4096, correlation: {parameters: [e, a, d], matrix: [[1, 0.8, -0.3], [0.8, 1, 0.1], [-0.3, 0.1, 1]]}}");

  (void)state;
  for (PetscInt i = 0; i < NUM; i++)
    d[i] = (Distribution){.kind = DISTRIBUTION_NORMAL, .centre = 5, .spread = 2, .from = -(double)INFINITY, .to = (double)INFINITY};
  assert_ok(PlanRead(InputRoot(document), names, d, &plan));
  assert_ok(InputVerdict(document));
  for (PetscInt row = 0; row < 4096; row++) {
    PetscReal x[NUM], u[NUM];

    PlanValues(plan, row, x);
    PlanPoint(plan, row, u);
    assert_close(x[1], DistributionQuantile(&d[1], u[1]), 0); /* not correlated: untouched */
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum[i][j] += (x[at[i]] - 5) * (x[at[j]] - 5) / 4 / 4096;
    single += (x[1] - 5) * (x[0] - 5) / 4 / 4096;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) assert_near(sum[i][j], R[i][j], 6e-3);
  assert_near(single, 0, 6e-3);
  assert_ok(PlanDestroy(&plan));
  assert_ok(InputClose(&document));
}

/* Correlated points far out keep their digits: with correlation 1 - 1e-12 the second is the first one. */
static void correlated_tails_keep_their_digits(void **state)
{
  const PetscReal    R[4] = {1, 1 - 1e-12, 1 - 1e-12, 1};
  const PlanKeys     keys = {.method = PLAN_RANDOM, .samples = 100000, .seed = 1};
  const Distribution n = {.kind = DISTRIBUTION_NORMAL, .spread = 1, .from = -(double)INFINITY, .to = (double)INFINITY}, d[2] = {n, n};
  PetscReal          x[2], largest                                                                                           = 0;
  PetscInt           fault;
  Plan              *plan;

  (void)state;
  assert_ok(PlanCreate(&keys, 2, d, R, &fault, &plan));
  for (PetscInt i = 0; i < 100000; i++) {
    PlanValues(plan, i, x);
    largest = fmax(largest, x[0]);
    assert_near(x[1], x[0], 2e-5); /* sqrt(2e-12) = 1.4e-6 times a score of at most 4.5, with a margin of 3 */
  }
  assert_true(largest > 3.5);
  assert_ok(PlanDestroy(&plan));
}

/* Of correlated normal parameters the normal density in three dimensions: scipy.stats.multivariate_normal([1, 2, 3], [[4, 0, 1.8], [0, 1, 0],
   [1.8, 0, 2.25]]).logpdf([2, 2.5, 1]); of the exponentials of the same, less the sum of these logarithms. */
static void the_density_is_that_of_all_parameters_together(void **state)
{
  const PetscReal R[16] = {1, 0, 0, 0.6, 0, 1, 0, 0, 0, 0, 1, 0, 0.6, 0, 0, 1}, mean[4] = {1, 2, 0, 3}, deviation[4] = {2, 1, 0, 1.5},
                  list[2] = {7, 8};
  const PetscReal exact = -5.966485725856806, x[4] = {2, 2.5, 8, 1};
  const PlanKeys  keys = {.method = PLAN_RANDOM, .samples = 1};
  PetscReal       values[4], scores[4];
  Distribution    d[4];
  PetscInt        fault;
  Plan           *plan;

  (void)state;
  for (int lognormal = 0; lognormal < 2; lognormal++) {
    for (int i = 0; i < 4; i++) {
      d[i] =
        (Distribution){lognormal ? DISTRIBUTION_LOGNORMAL : DISTRIBUTION_NORMAL, .from = lognormal ? 0 : -(double)INFINITY, .to = (double)INFINITY};
      d[i].centre = mean[i];
      d[i].spread = deviation[i];
      values[i]   = lognormal ? exp(x[i]) : x[i];
    }
    d[2]      = (Distribution){.kind = DISTRIBUTION_VALUES, .count = 2, .values = list};
    values[2] = 8;
    assert_ok(PlanCreate(&keys, 4, d, R, &fault, &plan));
    assert_close(PlanLogDensity(plan, values, scores), exact - log(2) - (lognormal ? 5.5 : 0), 3e-14); /* of a dozen roundings of ten */
    values[2] = 7.5;                                                                                   /* not in the list */
    assert_true(isinf(PlanLogDensity(plan, values, scores)));
    assert_ok(PlanDestroy(&plan));
  }
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  AssertRefused("{}", 0, "key 'samples' is missing: number of samples");
  AssertRefused("{samples: 5}", 63,
                "samples: has no effect: all parameters take listed values, which are all combined; remove it, or add `combinations: sampled`");
  AssertRefused("{samples: 2000000000}", 4, "6000000000 runs are more than can be counted");
  AssertRefused("{method: random, samples: 5, scramble: yes}", 0,
                "scramble: has no effect: only samples of `sobol` and `sobol_indices` are scrambled");
  AssertRefused("{samples: 5, second_order: yes}", 0, "second_order: has no effect: only `sobol_indices` has indices of second order");
  AssertRefused("{method: sobol_indices, samples: 5, combinations: all}", 1,
                "combinations: `sobol_indices` samples all parameters: remove it, or write `sampled`");
  AssertRefused("{method: sobol_indices, samples: 5, correlation: {parameters: [a], matrix: [[1]]}}", 0,
                "correlation: indices are defined for independent parameters: remove it, or take another method");
  AssertRefused("{method: sobel, samples: 5}", 0,
                "method: expected one of random, latin_hypercube, sobol, sobol_indices, found 'sobel'; did you mean 'sobol'?");
}

static void correlations_that_cannot_be_are_refused(void **state)
{
  static const char *const pairs[][2] = {
    {"[a, x], matrix: [[1, 0], [0, 1]]", "correlation.parameters[1]: unknown parameter 'x'; it has: a, b, c, d, e, f"},
    {"[a, a], matrix: [[1, 0], [0, 1]]", "correlation.parameters[1]: 'a' is listed twice"},
    {"[a, c], matrix: [[1, 0], [0, 1]]",
     "correlation.parameters[1]: 'c' takes listed values only; correlation is between parameters that take any value of a range"},
    {"[a, b], matrix: [[1, 0, 0], [0, 1]]", "correlation.matrix[0]: expected 2 numbers, one for each of `parameters`, found 3"},
    {"[a, b], matrix: [[1, 0]]", "correlation.matrix: expected a list of 2 rows, one for each of `parameters`"},
    {"[a, b], matrix: [[1, 0.5], [0.5, 2]]", "correlation.matrix[1][1]: the correlation of 'b' with itself must be 1, got 2"},
    {"[a, b], matrix: [[1, 0.5], [0.4, 1]]", "correlation.matrix[1][0]: the matrix is not symmetric: 'b' with 'a' is 0.4 here and 0.5 above"},
    {"[d, a, b], matrix: [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]",
     "correlation.matrix: the matrix is not positive definite: 'd' cannot be correlated so with the parameters before it, which are correlated so "
     "themselves"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[200];

    snprintf(text, sizeof text, "{samples: 5, correlation: {parameters: %s}}", pairs[i][0]);
    AssertRefused(text, 4, pairs[i][1]);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_latin_hypercube_has_one_sample_in_each_cell),
  cmocka_unit_test(permutations_of_few_cells_are_all_as_frequent),
  cmocka_unit_test(scrambling_keeps_elementary_intervals),
  cmocka_unit_test(a_scrambled_point_is_uniform_over_seeds),
  cmocka_unit_test(random_and_sobol_samples_are_extended),
  cmocka_unit_test(lists_take_all_combinations_at_every_sample),
  cmocka_unit_test(indices_exchange_coordinates),
  cmocka_unit_test(scores_have_the_correlation_of_the_matrix),
  cmocka_unit_test(correlated_tails_keep_their_digits),
  cmocka_unit_test(the_density_is_that_of_all_parameters_together),
  cmocka_unit_test(what_cannot_be_is_refused),
  cmocka_unit_test(correlations_that_cannot_be_are_refused),
};
CHECK_MAIN(tests)
