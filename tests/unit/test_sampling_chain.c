/* test_sampling_chain.c - chains on densities whose moments and integrals are known, and what is told of them. */
#include "check.h"
#include "base/random.h"
#include "sampling/evidence.h"

enum { MOST_DIM = 5 };

typedef PetscReal (*LogDensity)(const PetscReal x[]);

/* Goes on until there are so many steps. */
static void Run(Chain *chain, PetscInt num_steps, LogDensity density)
{
  while (ChainNumSteps(chain) < num_steps) {
    PetscReal        told[256];
    const PetscReal *points;
    PetscInt         count;

    assert_ok(ChainAsk(chain, &count, &points));
    for (PetscInt i = 0; i < count; i++) told[i] = density(points + i * ChainDim(chain));
    assert_ok(ChainTell(chain, told));
  }
}

/* Walkers that start from a cloud of this width about a point. */
static Chain *Start(PetscInt dim, PetscInt num_walkers, PetscInt seed, PetscReal about, PetscReal width)
{
  PetscReal start[256 * MOST_DIM], mean[MOST_DIM], covariance[MOST_DIM * MOST_DIM] = {0};
  Chain    *chain;

  for (PetscInt i = 0; i < dim; i++) {
    mean[i]                 = about;
    covariance[i * dim + i] = width * width;
  }
  assert_ok(ChainDrawStart(dim, num_walkers, seed, mean, covariance, start));
  assert_ok(ChainCreate(dim, num_walkers, seed, start, &chain));
  return chain;
}

/* Normal, x_i = i + 10^-i sum_j<=i w_j of standard normal w: strongly correlated, of very different deviations. Covariance 10^-i 10^-j (min(i, j) + 1); the
   integral is (2 pi)^(5/2) 10^-(0 + 1 + 2 + 3 + 4). */
static PetscReal Correlated(const PetscReal x[])
{
  PetscReal sum = 0, before = 0;

  for (int i = 0; i < MOST_DIM; i++) {
    const PetscReal walk = (x[i] - i) * pow(10, i);

    sum -= 0.5 * (walk - before) * (walk - before);
    before = walk;
  }
  return sum;
}

static void a_normal_density_is_sampled(void **state)
{
  const PetscReal exact = 2.5 * log(2 * PETSC_PI) - 10 * log(10);
  Chain          *chain = Start(MOST_DIM, 32, 1, 1, 0.1);
  ChainVerdict    verdict;
  ChainEvidence   evidence;

  (void)state;
  Run(chain, 9000, Correlated);
  assert_ok(ChainJudge(chain, 1000, &verdict));
  assert_true(verdict.enough);
  assert_true(verdict.acceptance > 0.3 && verdict.acceptance < 0.6); /* about 0.45 of five dimensions [Goodman, Weare 2010] */
  assert_true(verdict.r_hat > 0.999 && verdict.r_hat < 1.03);
  assert_close(verdict.effective * verdict.time, 8000 * 32, 1e-12);
  for (int i = 0; i < MOST_DIM; i++) {
    const PetscReal deviation = pow(10, -i) * sqrt(i + 1);
    Marginal        marginal;

    assert_ok(ChainMarginal(chain, 1000, i, 0.95, &marginal));
    assert_near(marginal.mean, i, 4 * marginal.mean_error);
    assert_true(marginal.mean_error < 0.03 * deviation);
    assert_close(marginal.deviation, deviation, 0.06); /* 2 % as seen: 1 / sqrt(2 effective) */
    assert_near(marginal.high - i, 1.96 * deviation, 0.25 * deviation);
    assert_near(i - marginal.low, 1.96 * deviation, 0.25 * deviation);
    assert_near(marginal.densest_high - marginal.densest_low, 3.92 * deviation, 0.3 * deviation);
  }
  assert_ok(ChainFindEvidence(chain, 1000, &evidence));
  assert_near(evidence.log_evidence, exact, 4 * evidence.error);
  assert_true(evidence.error < 0.06 && evidence.trusted);
  assert_ok(ChainDestroy(&chain));
}

/* A banana: x ~ N(1, 0.7^2), y ~ N(x^2, 0.3^2) given x [after Rosenbrock 1960]. E y = 1 + s^2, Var y = t^2 + 2 s^4 + 4 s^2; the integral is 2 pi s t. */
static PetscReal Banana(const PetscReal x[])
{
  return -0.5 * (pow((x[0] - 1) / 0.7, 2) + pow((x[1] - x[0] * x[0]) / 0.3, 2));
}

/* By a bridge of so many points. */
static ChainEvidence Cross(const Chain *chain, PetscInt num_discarded, PetscInt seed, PetscInt num_points, LogDensity density)
{
  PetscReal    *points, *told;
  PetscBool     fine;
  ChainEvidence evidence;

  assert_ok(PetscMalloc2(num_points * ChainDim(chain), &points, num_points, &told));
  assert_ok(ChainDrawBridge(chain, num_discarded, seed, num_points, points, &fine));
  assert_true(fine);
  for (PetscInt i = 0; i < num_points; i++) told[i] = density(points + i * ChainDim(chain));
  assert_ok(ChainBridgeEvidence(chain, num_discarded, num_points, points, told, &evidence));
  assert_ok(PetscFree2(points, told));
  return evidence;
}

static void a_banana_is_sampled(void **state)
{
  const PetscReal s2 = 0.49, variance = 0.09 + 2 * s2 * s2 + 4 * s2;
  Chain          *chain = Start(2, 40, 3, 1, 0.5);
  PetscReal       best[2];
  ChainVerdict    verdict;
  ChainEvidence   evidence;
  Marginal        x, y;

  (void)state;
  Run(chain, 21000, Banana);
  assert_ok(ChainJudge(chain, 1000, &verdict));
  assert_true(verdict.enough);
  assert_ok(ChainMarginal(chain, 1000, 0, 0.9, &x));
  assert_ok(ChainMarginal(chain, 1000, 1, 0.9, &y));
  assert_near(x.mean, 1, 4 * x.mean_error);
  assert_near(y.mean, 1 + s2, 4 * y.mean_error);
  assert_close(x.deviation, 0.7, 0.05); /* 1 % as seen, of 8000 independent samples */
  assert_close(y.deviation, sqrt(variance), 0.08);
  assert_near(x.median, 1, 4 * x.mean_error * 1.26); /* a median has sqrt(pi / 2) the error of a mean */
  assert_near(ChainBest(chain, best), 0, 1e-2);      /* the best of 800,000 */
  assert_near(best[0], 1, 0.1);
  assert_ok(ChainFindEvidence(chain, 1000, &evidence));
  assert_false(evidence.trusted);
  evidence = Cross(chain, 1000, 1, 2000, Banana);
  assert_near(evidence.log_evidence, log(2 * PETSC_PI * 0.7 * 0.3), 4 * evidence.error);
  assert_true(evidence.error < 0.05 && evidence.trusted);
  assert_ok(ChainDestroy(&chain));
}

/* 60 chains, their means about the true one over the errors that they tell: the mean square is 1 with a deviation of sqrt(2 / 60) = 0.18; errors told
   from short chains are a little small. */
static void errors_of_means_are_what_they_are(void **state)
{
  enum { CHAINS = 60 };
  PetscReal squares = 0, evidences = 0;

  (void)state;
  for (PetscInt i = 0; i < CHAINS; i++) {
    Chain        *chain = Start(2, 16, i, 1, 0.5);
    ChainEvidence evidence;
    Marginal      x;

    Run(chain, 2200, Banana);
    assert_ok(ChainMarginal(chain, 200, 0, 0.9, &x));
    evidence = Cross(chain, 200, i, 1000, Banana);
    squares += pow((x.mean - 1) / x.mean_error, 2) / CHAINS;
    evidences += pow((evidence.log_evidence - log(2 * PETSC_PI * 0.21)) / evidence.error, 2) / CHAINS;
    assert_ok(ChainDestroy(&chain));
  }
  assert_true(squares > 0.5 && squares < 2);
  assert_true(evidences > 0.4 && evidences < 2.5);
}

static PetscReal Exponential(const PetscReal x[])
{
  return x[0] > 0 ? -x[0] : x[0] < -1 ? (double)NAN : -(double)INFINITY;
}

/* exp(-x): 90 % lie between -log 0.95 and -log 0.05, and, in the shortest interval, between 0 and -log 0.1. Nan is as good as minus infinity, and counted. */
static void a_bound_is_not_crossed(void **state)
{
  Chain       *chain = Start(1, 20, 5, 0.5, 1);
  Marginal     x;
  ChainVerdict verdict;

  (void)state;
  Run(chain, 10500, Exponential);
  assert_true(ChainNumFailed(chain) > 0);
  assert_ok(ChainJudge(chain, 500, &verdict));
  assert_true(verdict.enough);
  assert_ok(ChainMarginal(chain, 500, 0, 0.9, &x));
  assert_near(x.mean, 1, 4 * x.mean_error);
  assert_near(x.low, -log(0.95), 0.02);
  assert_close(x.high, -log(0.05), 0.04);
  assert_near(x.densest_low, 0, 5e-3);
  assert_close(x.densest_high, -log(0.1), 0.04);
  for (PetscInt i = 500 * 20; i < 10500 * 20; i++) assert_true(ChainPoints(chain)[i] > 0);
  assert_ok(ChainDestroy(&chain));
}

static void a_chain_goes_on_from_its_numbers(void **state)
{
  Chain           *whole = Start(2, 10, 7, 1, 0.5), *part = Start(2, 10, 7, 1, 0.5), *rest;
  PetscReal       *numbers;
  PetscInt         count;
  PetscBool        fine;
  const PetscReal *points;
  PetscReal        told[10];

  (void)state;
  Run(whole, 100, Banana);
  Run(part, 37, Banana);
  assert_ok(ChainAsk(part, &count, &points)); /* between two halves */
  for (PetscInt i = 0; i < count; i++) told[i] = Banana(points + 2 * i);
  assert_ok(ChainTell(part, told));
  assert_ok(ChainPack(part, &count, &numbers));
  assert_ok(ChainRestore(count, numbers, &fine, &rest));
  assert_true(fine);
  Run(rest, 100, Banana);
  assert_memory_equal(ChainPoints(rest), ChainPoints(whole), 100 * 10 * 2 * sizeof(PetscReal));
  assert_memory_equal(ChainLogDensities(rest), ChainLogDensities(whole), 100 * 10 * sizeof(PetscReal));
  assert_ok(ChainDestroy(&rest));
  assert_ok(ChainRestore(count - 1, numbers, &fine, &rest));
  assert_false(fine);
  numbers[0] = 0.5;
  assert_ok(ChainRestore(count, numbers, &fine, &rest));
  assert_false(fine);
  assert_null(rest);
  assert_ok(PetscFree(numbers));
  assert_ok(ChainDestroy(&whole));
  assert_ok(ChainDestroy(&part));
}

/* Two modes far from each other, half of the walkers in each: they never mix, and that is noticed. */
static PetscReal TwoModes(const PetscReal x[])
{
  return -0.5 * pow(fabs(x[0]) - 50, 2);
}

static void a_chain_that_does_not_mix_is_noticed(void **state)
{
  PetscReal    start[20];
  Chain       *chain;
  ChainVerdict verdict;

  (void)state;
  for (int i = 0; i < 20; i++) start[i] = (i % 2 ? 50 : -50) + 0.1 * i;
  assert_ok(ChainCreate(1, 20, 1, start, &chain));
  Run(chain, 4, TwoModes);
  assert_ok(ChainJudge(chain, 0, &verdict));
  assert_true(isnan(verdict.time) && !verdict.enough);
  Run(chain, 400, TwoModes);
  assert_ok(ChainJudge(chain, 50, &verdict));
  assert_false(verdict.enough);
  assert_true(verdict.r_hat > 2);
  assert_ok(ChainDestroy(&chain));
}

/* A straight line through four data, y = a + b t + noise of deviation 0.5, prior N(0, 2^2) of both: y is normal with the covariance 0.25 I + 4 (1 + t t'), of
   which numpy tells log p(y) below:
     t = array([0, 1, 2, 3]); y = array([0.3, 1.1, 2.4, 2.6]); scipy.stats.multivariate_normal(cov=0.25 * eye(4) + 4 * (1 + outer(t, t))).logpdf(y) */
static const PetscReal times[4] = {0, 1, 2, 3}, data[4] = {0.3, 1.1, 2.4, 2.6}, log_evidence_of_line = -5.737862003268196;

static PetscReal Line(const PetscReal x[])
{
  PetscReal sum = -4 * log(0.5 * sqrt(2 * PETSC_PI)) - 2 * log(2 * sqrt(2 * PETSC_PI)) - 0.125 * (x[0] * x[0] + x[1] * x[1]);

  for (int i = 0; i < 4; i++) sum -= 2 * pow(data[i] - x[0] - x[1] * times[i], 2);
  return sum;
}

static void evidence_of_a_line_is_that_of_its_closed_form(void **state)
{
  const PetscReal precision[4] = {0.25, 0, 0, 0.25};
  PetscReal       J[8], gradient[2] = {0}, best[2];
  Laplace         laplace, same;
  ChainEvidence   evidence;
  Chain          *chain;

  (void)state;
  for (int i = 0; i < 4; i++) {
    J[2 * i]     = 2;
    J[2 * i + 1] = 2 * times[i];
    gradient[0] += 4 * data[i];
    gradient[1] += 4 * data[i] * times[i];
  }
  assert_ok(LaplaceOfJacobian(2, 4, J, precision, &laplace));
  for (int i = 0; i < 2; i++) best[i] = laplace.covariance[2 * i] * gradient[0] + laplace.covariance[2 * i + 1] * gradient[1];
  assert_close(LaplaceLogEvidence(&laplace, Line(best)), log_evidence_of_line, 1e-13); /* sums of twenty numbers of ten */
  assert_ok(LaplaceOfHessian(2, (const PetscReal[]){16.25, 24, 24, 56.25}, &same));
  assert_close(same.covariance[1], -24 / (16.25 * 56.25 - 576), 1e-14);
  assert_close(same.log_determinant, laplace.log_determinant, 1e-14);
  chain = Start(2, 20, 2, 0.5, 0.3);
  Run(chain, 5500, Line);
  assert_ok(ChainFindEvidence(chain, 500, &evidence));
  assert_near(evidence.log_evidence, log_evidence_of_line, 4 * evidence.error);
  assert_true(evidence.error < 0.05 && evidence.trusted);
  evidence = Cross(chain, 500, 1, 1000, Line);
  assert_near(evidence.log_evidence, log_evidence_of_line, 4 * evidence.error);
  assert_true(evidence.error < 0.01);
  assert_ok(ChainDestroy(&chain));
  assert_ok(LaplaceDestroy(&laplace));
  assert_ok(LaplaceDestroy(&same));
}

static void a_saddle_has_no_laplace_approximation(void **state)
{
  Laplace laplace;

  (void)state;
  assert_ok(LaplaceOfHessian(2, (const PetscReal[]){1, 2, 2, 1}, &laplace));
  assert_false(laplace.definite);
  assert_true(isnan(LaplaceLogEvidence(&laplace, 0)));
  assert_ok(LaplaceDestroy(&laplace));
}

/* Of n numbers of a known deviation with the prior of one more number at their mean, BIC is right up to log((n + 1) / n) / 2 [Kass, Raftery 1995]. */
static void bic_is_right_for_a_prior_of_one_datum(void **state)
{
  const PetscInt  n         = 1000;
  const PetscReal precision = 1, likelihood = -1234;
  PetscReal       J[1000];
  Laplace         exact;

  (void)state;
  for (PetscInt i = 0; i < n; i++) J[i] = 1;
  assert_ok(LaplaceOfJacobian(1, n, J, &precision, &exact));
  assert_near(LaplaceLogEvidence(&exact, likelihood - 0.5 * log(2 * PETSC_PI)), LogEvidenceByBic(likelihood, 1, n) - 0.5 * log(1.001), 1e-11);
  assert_ok(LaplaceDestroy(&exact));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_normal_density_is_sampled),
  cmocka_unit_test(a_banana_is_sampled),
  cmocka_unit_test(errors_of_means_are_what_they_are),
  cmocka_unit_test(a_bound_is_not_crossed),
  cmocka_unit_test(a_chain_goes_on_from_its_numbers),
  cmocka_unit_test(a_chain_that_does_not_mix_is_noticed),
  cmocka_unit_test(evidence_of_a_line_is_that_of_its_closed_form),
  cmocka_unit_test(a_saddle_has_no_laplace_approximation),
  cmocka_unit_test(bic_is_right_for_a_prior_of_one_datum),
};
CHECK_MAIN(tests)
