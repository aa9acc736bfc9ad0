/* test_sampling_distribution.c - distributions as a case describes them; verify/sampling compares their functions with scipy. */
#include "parsed_case.h"
#include "sampling/distribution.h"

static InputDocument *Read(const char *text, const char *unit, Distribution *distribution)
{
  InputDocument *document = ParseCase(text);

  assert_ok(DistributionRead(InputRoot(document), unit, distribution));
  return document;
}

static void AssertRefused(const char *text, const char *expected)
{
  Distribution   distribution;
  InputDocument *document = Read(text, "N", &distribution);

  assert_int_equal(distribution.kind, DISTRIBUTION_UNIFORM); /* usable */
  assert_close(DistributionQuantile(&distribution, 0.25), 0.25, 0);
  AssertComplaint(document, 1, expected);
}

static void numbers_have_the_unit_of_the_parameter(void **state)
{
  Distribution   d;
  InputDocument *document = Read("triangular: {from: 1 kN, peak: 2000, to: 3e6 mN}", "N", &d);

  (void)state;
  assert_int_equal(InputNumComplaints(document), 0);
  assert_close(d.from, 1000, 0);
  assert_close(d.to, 3000, 0);
  assert_close(DistributionMean(&d), 2000, 1e-15); /* by symmetry; one rounding of a quotient */
  assert_close(DistributionQuantile(&d, 0.5), 2000, 1e-15);
  assert_ok(InputClose(&document));
  AssertRefused("uniform: {from: 1 mm, to: 2}", "uniform.from: expected a number, found '1 mm' - [mm] is another quantity than [N]");
  document = Read("lognormal: {mean: 2 kN, coefficient_of_variation: 10 %}", "N", &d);
  assert_int_equal(InputNumComplaints(document), 0);
  assert_close(DistributionMean(&d), 2000, 1e-14); /* exp and log of 7.6: ten roundings */
  assert_close(DistributionDeviation(&d), 200, 3e-14);
  assert_ok(InputClose(&document));
}

static void a_number_without_unit_takes_none(void **state)
{
  Distribution   d;
  InputDocument *document = Read("normal: {mean: 1 N, deviation: 0.1}", NULL, &d);

  (void)state;
  AssertComplaint(document, 1, "normal.mean: expected a number, found '1 N' - the number has no unit");
}

static void lists_and_grids_are_discrete(void **state)
{
  Distribution   d;
  InputDocument *document = Read("values: [3 kN, 1000, 2000]", "N", &d);

  (void)state;
  assert_true(DistributionIsDiscrete(&d));
  assert_int_equal(d.count, 3);
  assert_close(DistributionQuantile(&d, 0.1), 3000, 0); /* as they are listed */
  assert_close(DistributionQuantile(&d, 0.9999), 2000, 0);
  assert_close(DistributionCdf(&d, 1000), 1.0 / 3, 1e-15);
  assert_close(DistributionLogDensity(&d, 2000), -log(3), 1e-15);
  assert_true(DistributionLogDensity(&d, 2001) == -(double)INFINITY);
  assert_close(DistributionDeviation(&d), 1000 * sqrt(2.0 / 3), 1e-15);
  assert_ok(InputClose(&document));
  document = Read("grid: {from: 1, to: 1000, count: 4, spacing: logarithmic}", "N", &d);
  assert_close(d.values[1], 10, 1e-15);
  assert_close(d.values[3], 1000, 0);
  assert_ok(InputClose(&document));
}

/* Of a range so narrow that the density hardly changes, the middle and width / sqrt(12); in the far tail 1 / z from the bound, as of an exponential:
   mean = z + 1/z - 2/z^3 + 10/z^5 - 74/z^7 + 706/z^9 - 8162/z^11 + ..., from the asymptotic series of the inverse Mills ratio. */
static void truncated_ones_are_exact_where_little_is_left(void **state)
{
  Distribution    d = {.kind = DISTRIBUTION_NORMAL, .spread = 1, .from = 1, .to = 1 + 1e-7};
  const PetscReal z = 30, q = 1 / (z * z);

  (void)state;
  assert_near(DistributionMean(&d), 1 + 0.5e-7, 1e-14);                  /* to the next order, width^2 / 12, and round-off */
  assert_close(DistributionDeviation(&d), (d.to - 1) / sqrt(12.), 1e-8); /* likewise; round-off of the width */
  assert_close(DistributionCdf(&d, 1 + 0.25e-7), 0.25, 1e-7);            /* the density falls by 1e-7 */
  d.from = z;
  d.to   = (double)INFINITY;
  assert_close(DistributionMean(&d), z * (1 + q * (1 - q * (2 - q * (10 - q * (74 - q * (706 - q * 8162)))))),
               1e-14); /* the next term is 2e-16 of it; sums of 640 terms */
  assert_close(DistributionQuantileBetween(&d, 0.5, 0.5), 30.0230704678273108,
               1e-15); /* mpmath, 40 digits: the root of erfc(z / sqrt 2) = erfc(30 / sqrt 2) / 2 */
}

static void what_cannot_be_is_refused(void **state)
{
  static const char *const pairs[][2] = {
    {"uniform: {from: 3, to: 2}", "uniform.to: must be greater than `from`, which is 3; it is 2"},
    {"uniform: {from: -1.5e308, to: 1.5e308}", "uniform: the range from -1.5e+308 to 1.5e+308 is too wide"},
    {"normal: {mean: 1, deviation: 0}", "normal.deviation: must be positive, got 0"},
    {"normal: {mean: 1, deviation: 1, least: 3, most: 2}", "normal.most: must be greater than `least`, which is 3; it is 2"},
    {"normal: {mean: 1, deviation: 1, least: 50}",
     "normal: nothing is left of it between `least` and `most`: the probability to lie there is below 1e-300"},
    {"lognormal: {median: 1, deviation: 0.1, most: 0}", "lognormal.most: must be greater than `least`, which is 0; it is 0"},
    {"lognormal: {median: 1, coefficient_of_variation: 0.1}",
     "lognormal: `median` goes with `deviation`, that of the logarithm, and `mean` with `coefficient_of_variation`"},
    {"triangular: {from: 0, peak: 5, to: 3}", "triangular.peak: must lie between `from` and `to`, from 0 to 3; it is 5"},
    {"log_uniform: {from: 0, to: 3}", "log_uniform.from: must be positive, got 0"},
    {"values: []", "values: needs at least one value"},
    {"values: [1, 2, 1]", "values: 1 is listed twice"},
    {"grid: {from: 1, to: 2, count: 1}", "grid.count: must lie in [2, 1000000], got 1"},
    {"grid: {from: -1, to: 2, count: 3, spacing: logarithmic}", "grid.from: must be positive with logarithmic spacing, got -1"},
    {"{}", "needs one of uniform, normal, lognormal, triangular, log_uniform, values, grid"},
    {"{uniform: {from: 0, to: 1}, values: [1]}", "'uniform' and 'values' exclude each other"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) AssertRefused(pairs[i][0], pairs[i][1]);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(numbers_have_the_unit_of_the_parameter),
  cmocka_unit_test(a_number_without_unit_takes_none),
  cmocka_unit_test(lists_and_grids_are_discrete),
  cmocka_unit_test(truncated_ones_are_exact_where_little_is_left),
  cmocka_unit_test(what_cannot_be_is_refused),
};
CHECK_MAIN(tests)
