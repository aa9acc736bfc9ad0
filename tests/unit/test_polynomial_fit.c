/* test_polynomial_fit.c - slopes of loops whose slopes are known, and the generalized Valanis law fitted to loops in closed form. */
#include <math.h>
#include <string.h>
#include "check.h"
#include "post/loops.h"

enum { COUNT = 400 };

static PetscReal t[4 * COUNT + 1], x[4 * COUNT + 1], v[4 * COUNT + 1], f[4 * COUNT + 1], slope[4 * COUNT + 1];

/* Eq. 8 with P = alpha x + beta x^2 sgn(v), which eq. 11 of jalali2022 solves [its errata]; eq. 9 is the case beta = 0. */
static const PetscReal E1 = 10, E2 = 20, alpha = 30, most = 0.05, omega = 9.85;

/* A steady loop is odd: up and down meet at both its ends, which gives c. */
static PetscReal ClosedForm(PetscReal beta, PetscReal here, PetscReal s)
{
  const PetscReal a0 = (E1 * E2 * E2 - alpha * E2 + 2 * beta) / (E2 * E2 * E2), a1 = -(2 * beta - E2 * alpha) / (E2 * E2), a2 = beta / E2;
  const PetscReal c = -(a0 + a2 * most * most) / cosh(E2 * most);

  return s * (a0 + a2 * here * here + c * exp(-s * E2 * here)) + a1 * here;
}

/* One cycle of a sine, with exact slopes. */
static LoopRecord Loop(PetscReal beta)
{
  for (PetscInt i = 0; i <= COUNT; i++) {
    const PetscReal phase = 2 * PETSC_PI * i / COUNT, s = i <= COUNT / 2 ? 1 : -1;

    t[i]     = phase / omega;
    x[i]     = -most * cos(phase);
    v[i]     = most * omega * sin(phase);
    f[i]     = ClosedForm(beta, x[i], s);
    slope[i] = E1 + s * (alpha * x[i] + beta * x[i] * x[i] * s - E2 * f[i]);
  }
  return (LoopRecord){.count = COUNT + 1, .time = t, .displacement = x, .force = f, .velocity = v, .slope = slope};
}

static LoopOptions Slopes(LoopBranch branch)
{
  return (LoopOptions){.branch = branch, .window = 5, .degree = 4, .trim = 0.05};
}

static void Fit(const LoopRecord *record, LoopBranch branch, PolynomialOptions options, PolynomialFit *fit)
{
  const LoopOptions slopes = Slopes(branch);
  LoopPoints        points;

  options.branch = branch;
  assert_ok(LoopPointsFind(record, &slopes, &points));
  assert_ok(PolynomialFitPoints(&points, &options, fit));
  assert_ok(LoopPointsDestroy(&points));
}

/* On every branch and by both solvers the coefficients come back; on the way down that of x^2 has the other sign, as eq. 8 with
   P(x, sgn v) says, and in the mirror image it has not. */
static void TestClosedForms(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}};

  for (PetscReal beta = 0; beta <= 1400; beta += 1400)
    for (LoopBranch branch = LOOP_UP; branch <= LOOP_BOTH; branch++)
      for (PolynomialSolver solver = POLYNOMIAL_SVD; solver <= POLYNOMIAL_QR; solver++) {
        const PolynomialOptions options = {.num_terms = beta > 0 ? 2 : 1, .terms = terms, .solver = solver, .resolution = 1e-3};
        const LoopRecord        record  = Loop(beta);
        PolynomialFit           fit;

        Fit(&record, branch, options, &fit);
        assert_string_equal(fit.remark, "");
        assert_close(fit.value[0], E1, 1e-12);
        assert_close(fit.value[1], alpha, 1e-12);
        if (beta > 0) assert_close(fit.value[2], branch == LOOP_DOWN ? -beta : beta, 1e-12);
        assert_close(fit.value[fit.count - 1], E2, 1e-12);
        for (PetscInt j = 0; j < fit.count; j++) assert_int_equal(fit.verdict[j], POLYNOMIAL_IDENTIFIED);
        assert_near(fit.misfit, 0, 1e-13);
        assert_ok(PolynomialFitDestroy(&fit));
      }
}

/* Slopes and velocities from the samples: of fourth order, the coefficients too. */
static void TestNumericalSlopes(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}, {2, 1}};
  PetscReal                   error[2];

  for (PetscInt coarse = 0; coarse < 2; coarse++) {
    LoopRecord    record = Loop(1400);
    PolynomialFit fit;

    record.slope = record.velocity = NULL;
    for (PetscInt i = 0; coarse && i <= COUNT / 2; i++) {
      t[i] = t[2 * i];
      x[i] = x[2 * i];
      f[i] = f[2 * i];
    }
    if (coarse) record.count = COUNT / 2 + 1;
    Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 2, .terms = terms, .resolution = 1e-3}, &fit);
    error[coarse] = fabs(fit.value[2] / 1400 - 1);
    assert_near(error[coarse], 0, 1e-6);
    assert_ok(PolynomialFitDestroy(&fit));
  }
  assert_true(error[1] > 8 * error[0]); /* 16 in the limit */
}

/* Leaving a term out adds its share to what remains unexplained, the parts being orthogonal. */
static void TestShare(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {3, 0}, {2, 0}};
  const LoopRecord            record  = Loop(1400);
  PolynomialFit               with, without;

  Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 3, .terms = terms, .resolution = 1e-3}, &with);
  Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 2, .terms = terms, .resolution = 1e-3}, &without);
  assert_close(without.misfit, sqrt(with.misfit * with.misfit + with.share[3] * with.share[3]), 1e-9);
  assert_true(with.share[3] > 1e-3);
  assert_int_equal(with.verdict[2], POLYNOMIAL_BELOW_RESOLUTION); /* x^3, of which there is nothing */
  assert_true(with.condition[0] > 100 * with.condition[1]);
  assert_ok(PolynomialFitDestroy(&with));
  assert_ok(PolynomialFitDestroy(&without));
}

/* Numbers of mean 0 and deviation 1, the same on every machine. */
static PetscReal Noise(void)
{
  static unsigned long seed = 12345;
  PetscReal            sum  = -6;

  for (PetscInt i = 0; i < 12; i++) {
    seed = (1103515245UL * seed + 12345UL) % 2147483648UL;
    sum += (PetscReal)seed / 2147483648.0;
  }
  return sum;
}

/* Standard errors are the spread of the coefficients over many loops with noise in the slopes. */
static void TestStandardErrors(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}};
  const PetscInt              trials  = 400;
  PetscReal                   sum[4]  = {0};

  for (PetscInt trial = 0; trial < trials; trial++) {
    const LoopRecord record   = Loop(1400);
    const PetscReal  exact[4] = {E1, alpha, 1400, E2};
    PolynomialFit    fit;

    for (PetscInt i = 0; i <= COUNT; i++) slope[i] += 0.5 * Noise();
    Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 2, .terms = terms, .resolution = 1e-3}, &fit);
    for (PetscInt j = 0; j < 4; j++) sum[j] += PetscSqr((fit.value[j] - exact[j]) / fit.standard_error[j]);
    assert_ok(PolynomialFitDestroy(&fit));
  }
  for (PetscInt j = 0; j < 4; j++) assert_near(sqrt(sum[j] / trials), 1, 4 / sqrt(2.0 * trials)); /* four of its own deviations */
}

/* Where slopes are found from samples with noise, neighbours share it: errors are told at most 1.3 times too small, while the windows are
   narrow enough to follow the loop, and at most three times too large. */
static void TestErrorsOfWindows(void **state)
{
  static const PetscInt       windows[] = {5, 21}, degrees[] = {4, 3};
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}};
  const PetscReal             exact[] = {E1, alpha, 1400, E2};
  const PetscInt              trials  = 100;

  for (PetscInt w = 0; w < 2; w++) {
    PetscReal sum[4] = {0};

    for (PetscInt trial = 0; trial < trials; trial++) {
      LoopRecord        record  = Loop(1400);
      LoopOptions       slopes  = Slopes(LOOP_BOTH);
      PolynomialOptions options = {.branch = LOOP_BOTH, .num_terms = 2, .terms = terms, .resolution = 1e-3};
      LoopPoints        points;
      PolynomialFit     fit;

      record.slope  = NULL;
      slopes.window = windows[w];
      slopes.degree = degrees[w];
      for (PetscInt i = 0; i <= COUNT; i++) f[i] += 1e-5 * Noise();
      assert_ok(LoopPointsFind(&record, &slopes, &points));
      assert_ok(PolynomialFitPoints(&points, &options, &fit));
      for (PetscInt j = 0; j < 4; j++) sum[j] += PetscSqr((fit.value[j] - exact[j]) / fit.standard_error[j]);
      assert_ok(PolynomialFitDestroy(&fit));
      assert_ok(LoopPointsDestroy(&points));
    }
    for (PetscInt j = 0; j < 4; j++) assert_true(sqrt(sum[j] / trials) > 1.0 / 3 && sqrt(sum[j] / trials) < 1.3);
  }
}

/* A^T (A z - b) + lambda^2 z = 0 in columns of unit length, whichever way z is found. */
static void TestTikhonov(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}};
  const PetscReal             factor  = 0.1;
  const LoopOptions           slopes  = Slopes(LOOP_UP);
  const LoopRecord            record  = Loop(1400);
  LoopPoints                  points;

  assert_ok(LoopPointsFind(&record, &slopes, &points));
  for (PolynomialSolver solver = POLYNOMIAL_SVD; solver <= POLYNOMIAL_QR; solver++) {
    PolynomialFit fit;

    assert_ok(PolynomialFitPoints(&points, &(PolynomialOptions){.num_terms = 2, .terms = terms, .solver = solver, .regularise = factor}, &fit));
    for (PetscInt j = 0; j < 4; j++) {
      PetscReal sum = 0, square = 0;

      for (PetscInt i = 0; i < points.count; i++) {
        const PetscReal here = points.displacement[i], row[4] = {1, here, here * here, -points.force[i]};

        sum += row[j] * (fit.fitted[i] - points.slope[i]);
        square += row[j] * row[j];
      }
      assert_close(-sum / square, factor * factor * fit.value[j], 1e-10);
    }
    assert_ok(PolynomialFitDestroy(&fit));
  }
  assert_ok(LoopPointsDestroy(&points));
}

/* Small coefficients that nothing but the factor has made are none of the loop, however large they and however small their errors are. */
static void TestTikhonovIdentifiesNothing(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {2, 0}, {3, 0}};
  const LoopRecord            record  = Loop(1400);

  for (PolynomialSolver solver = POLYNOMIAL_SVD; solver <= POLYNOMIAL_QR; solver++) {
    const PolynomialOptions options = {.num_terms = 3, .terms = terms, .solver = solver, .resolution = 1e-3};
    PolynomialOptions       pulled  = options;
    PolynomialFit           fit, plain;

    pulled.regularise = 0.1;
    Fit(&record, LOOP_UP, options, &plain);
    Fit(&record, LOOP_UP, pulled, &fit);
    assert_true(PetscAbsReal(fit.value[3]) > 1e3 * PetscAbsReal(plain.value[3]));
    assert_int_equal(fit.verdict[3], POLYNOMIAL_BELOW_RESOLUTION);
    for (PetscInt j = 0; j < 5; j++) assert_near(fit.share[j], plain.share[j], 1e-12);
    assert_ok(PolynomialFitDestroy(&plain));
    assert_ok(PolynomialFitDestroy(&fit));
  }
}

/* At constant velocity v is a multiple of 1: these two are not told from each other, all others are found. */
static void TestConstantVelocity(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {0, 1}};
  LoopRecord                  record  = Loop(0);
  PolynomialFit               fit;

  for (PetscInt i = 0; i <= COUNT; i++) v[i] = i <= COUNT / 2 ? 2 : -2;
  Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 2, .terms = terms, .resolution = 1e-3}, &fit);
  assert_string_equal(fit.remark, "");
  assert_int_equal(fit.verdict[0], POLYNOMIAL_DEPENDENT);
  assert_int_equal(fit.verdict[2], POLYNOMIAL_DEPENDENT);
  assert_true(isinf(fit.standard_error[0]) && isinf(fit.condition[1]));
  assert_close(fit.value[0] + 2 * fit.value[2], E1, 1e-12);
  assert_close(fit.value[1], alpha, 1e-11);
  assert_close(fit.value[3], E2, 1e-11);
  assert_ok(PolynomialFitDestroy(&fit));
  Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 2, .terms = terms, .solver = POLYNOMIAL_QR}, &fit);
  assert_non_null(strstr(fit.remark, "depend on each other"));
  assert_ok(PolynomialFitDestroy(&fit));
}

/* alpha sin(x) is x - x^3/6 + x^5/120: in motions of 0.14 the last two cannot be told [errata of Table 5]. */
static void TestNotIdentifiable(void **state)
{
  static const PolynomialTerm terms[] = {{1, 0}, {3, 0}, {5, 0}};
  LoopRecord                  record  = {.count = COUNT + 1, .time = t, .displacement = x, .force = f, .velocity = v, .slope = slope};
  PolynomialFit               fit;

  for (PetscInt i = 0; i <= COUNT; i++) {
    t[i] = (PetscReal)i;
    x[i] = 0.14 * (2.0 * i / COUNT - 1);
    f[i] = 0.6 - exp(-20 * (x[i] + 0.14));
    v[i] = 1;

    slope[i] = 10 + 40 * sin(x[i]) - 20 * f[i];
  }
  Fit(&record, LOOP_UP, (PolynomialOptions){.num_terms = 3, .terms = terms, .resolution = 1e-3}, &fit);
  assert_close(fit.value[0], 10, 1e-6);
  assert_close(fit.value[1], 40, 1e-6);
  assert_close(fit.value[4], 20, 1e-6);
  assert_int_equal(fit.verdict[1], POLYNOMIAL_IDENTIFIED);
  assert_int_equal(fit.verdict[2], POLYNOMIAL_BELOW_RESOLUTION);
  assert_int_equal(fit.verdict[3], POLYNOMIAL_BELOW_RESOLUTION);
  assert_ok(PolynomialFitDestroy(&fit));
}

/* There and back twice at constant speed, f another polynomial on each way: a window across a reversal would show. */
static LoopRecord ZigZag(void)
{
  for (PetscInt i = 0; i <= 4 * COUNT; i++) {
    const PetscInt way = PetscMin(i / COUNT, 3), k = i - way * COUNT;

    t[i] = 0.25 + 1e-2 * i;
    x[i] = way % 2 ? 1 - (PetscReal)k / COUNT : (PetscReal)k / COUNT;
    f[i] = way % 2 ? 3 - 5 * pow(x[i], 4) : x[i] * x[i];
  }
  return (LoopRecord){.count = 4 * COUNT + 1, .time = t, .displacement = x, .force = f};
}

static void TestBranches(void **state)
{
  const LoopRecord record = ZigZag();

  for (LoopBranch branch = LOOP_UP; branch <= LOOP_BOTH; branch++) {
    const LoopOptions options = Slopes(branch);
    LoopPoints        points;

    assert_ok(LoopPointsFind(&record, &options, &points));
    assert_int_equal(points.count, (branch == LOOP_BOTH ? 4 : 2) * (COUNT - 2 * 20 + 1)); /* 5 % of 400 steps at each end */
    for (PetscInt i = 0; i < points.count; i++) {
      const PetscReal here = points.displacement[i], s = points.sense[i];

      if (branch != LOOP_BOTH) assert_true(s == (branch == LOOP_UP ? 1 : -1));
      assert_near(points.slope[i], s > 0 ? 2 * here : -20 * pow(here, 3), 1e-9);
      assert_near(points.velocity[i], s / (1e-2 * COUNT), 1e-10);
    }
    assert_ok(LoopPointsDestroy(&points));
  }
}

/* A step back to a place that is off the curve makes two branches of one, which do not hold it; unless it is called noise. */
static void TestNoise(void **state)
{
  for (PetscInt known = 0; known < 2; known++) {
    const LoopRecord record  = ZigZag();
    LoopOptions      options = Slopes(LOOP_UP);
    LoopPoints       points;
    PetscReal        error = 0;

    x[COUNT / 2] -= 1.5 / COUNT;
    options.noise = known ? 2.0 / COUNT : 0;
    assert_ok(LoopPointsFind(&record, &options, &points));
    for (PetscInt i = 0; i < points.count; i++) error = fmax(error, fabs(points.slope[i] - 2 * points.displacement[i]));
    if (known) assert_int_equal(points.count, 2 * (COUNT - 2 * 20 + 1));
    assert_true(known ? error > 1e-3 : error < 1e-9);
    assert_ok(LoopPointsDestroy(&points));
  }
}

static void TestRefusals(void **state)
{
  static const PolynomialTerm terms[]  = {{1, 0}, {2, 0}};
  const PolynomialOptions     options  = {.num_terms = 2, .terms = terms, .resolution = 1e-3};
  static const char *const    wanted[] = {"no such branch", "too few", "not a finite number", "does not change"};

  for (PetscInt fault = 0; fault < 4; fault++) {
    LoopRecord    record = Loop(1400);
    PolynomialFit fit;

    if (fault == 0) record.count = 2;
    if (fault == 1) record.count = 7;
    for (PetscInt i = 0; i <= COUNT; i++) {
      if (fault == 2) f[i] = (PetscReal)NAN;
      if (fault == 3) slope[i] = f[i] = 0;
    }
    Fit(&record, LOOP_UP, options, &fit);
    assert_non_null(strstr(fit.remark, wanted[fault]));
    assert_ok(PolynomialFitDestroy(&fit));
  }
}

/* A.1 of jalali2022, and names both ways. */
static void TestTerms(void **state)
{
  static const char *const triangle[] = {"x", "v", "x2", "xv", "v2", "x3", "x2v", "xv2", "v3"};
  static const char *const wrong[]    = {"", "1", "x0", "x1", "x02", "xx", "vx", "x21", "x2v19", "x-1", "y", "x2 "};
  PolynomialTerm           terms[9], term;
  char                     name[POLYNOMIAL_NAME_LENGTH];

  assert_int_equal(PolynomialTriangle(3, terms), 9);
  assert_int_equal(PolynomialTriangle(POLYNOMIAL_MAX_ORDER, NULL), 230);
  for (PetscInt i = 0; i < 9; i++) {
    PolynomialTermName(terms[i], name);
    assert_string_equal(name, triangle[i]);
    assert_true(PolynomialTermParse(name, &term));
    assert_true(term.x == terms[i].x && term.v == terms[i].v);
  }
  assert_true(PolynomialTermParse("x12v8", &term) && term.x == 12 && term.v == 8);
  PolynomialTermName(term, name);
  assert_string_equal(name, "x12v8");
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) assert_false(PolynomialTermParse(wrong[i], &term));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(TestClosedForms),
  cmocka_unit_test(TestNumericalSlopes),
  cmocka_unit_test(TestShare),
  cmocka_unit_test(TestTikhonov),
  cmocka_unit_test(TestTikhonovIdentifiesNothing),
  cmocka_unit_test(TestStandardErrors),
  cmocka_unit_test(TestErrorsOfWindows),
  cmocka_unit_test(TestConstantVelocity),
  cmocka_unit_test(TestBranches),
  cmocka_unit_test(TestNotIdentifiable),
  cmocka_unit_test(TestNoise),
  cmocka_unit_test(TestRefusals),
  cmocka_unit_test(TestTerms),
};

CHECK_MAIN(tests)
