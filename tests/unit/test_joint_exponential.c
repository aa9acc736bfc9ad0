/* test_joint_exponential.c - exponentials and logarithms against those of libm in more digits, alone and in lanes. */
#include "../../src/joint/engine/exponential_lanes.h"
#include "joint_samples.h"

enum { COUNT = 200000 };

/* How far a number is from one that has more digits, in units in its last place. */
static PetscReal Units(PetscReal x, long double expected)
{
  int exponent;

  frexp((PetscReal)expected, &exponent);
  return (PetscReal)(fabsl((long double)x - expected) / ldexpl(1, (exponent < -1021 ? -1021 : exponent) - 53));
}

typedef struct {
  PetscReal (*alone)(PetscReal);
  Wide (*beside)(Wide);
  long double (*expected)(long double);
} Function;

/* Numbers between two bounds, evenly or by their size. */
static void Compare(const Function *function, PetscReal from, PetscReal to, PetscBool by_size)
{
  uint64_t  seed  = 5;
  PetscReal worst = 0;

  for (PetscInt i = 0; i < COUNT; i += WIDE_LANES) {
    Wide x, y;

    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      const PetscReal share = 0.5 + 0.5 * Random(&seed);

      x[lane] = by_size ? copysign(exp(log(fabs(from)) * (1 - share) + log(fabs(to)) * share), from) : from + (to - from) * share;
      assert_true(isfinite(x[lane]));
    }
    y = function->beside(x);
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      assert_true(isfinite(y[lane]) && y[lane] == function->alone(x[lane]));
      worst = fmax(worst, Units(y[lane], function->expected((long double)x[lane])));
    }
  }
  assert_true(worst < 1);
}

/* What we measured over 40 million numbers: 0.90, 0.97, 0.84, 0.81 units in the last place. A unit is what is promised. */
static void they_err_by_less_than_a_unit_in_the_last_place(void **state)
{
  const Function exponential = {Exponential, ExponentialWide, expl}, less_one = {ExponentialLessOne, ExponentialWideLessOne, expm1l};
  const Function logarithm = {Logarithm, LogarithmWide, logl}, one_plus = {LogarithmOnePlus, LogarithmWideOnePlus, log1pl};

  (void)state;
  Compare(&exponential, -745, 709, PETSC_FALSE);
  Compare(&exponential, -1, 1, PETSC_FALSE);
  Compare(&exponential, 1e-20, 700, PETSC_TRUE);
  Compare(&less_one, -1e-300, -50, PETSC_TRUE);
  Compare(&less_one, -2, 0, PETSC_FALSE);
  Compare(&logarithm, 1e-320, 1e308, PETSC_TRUE);
  Compare(&logarithm, 0.5, 2, PETSC_FALSE);
  Compare(&logarithm, 0.999, 1.001, PETSC_FALSE);
  Compare(&one_plus, 1e-300, 1e300, PETSC_TRUE);
  Compare(&one_plus, -1e-300, -0.9999, PETSC_TRUE);
  Compare(&one_plus, -0.9, 2, PETSC_FALSE);
}

/* The same, not-a-number included. */
static void CompareAt(PetscReal y, Wide beside, PetscReal expected)
{
  if (isnan(expected)) assert_true(isnan(y) && isnan(beside[0]) && isnan(beside[WIDE_LANES - 1]));
  else assert_true(y == expected && beside[0] == expected && beside[WIDE_LANES - 1] == expected);
}

static void ends_and_what_is_no_number_are_those_of_libm(void **state)
{
  static const PetscReal at[] = {0, -0.0, 1, -1, 800, -800, HUGE_VAL, -HUGE_VAL, (PetscReal)NAN, -745.2, 709.79, 0x1p-1074};

  (void)state;
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    const PetscReal x = at[i];

    if (x != 1 && x != -1) CompareAt(Exponential(x), ExponentialWide(WideOf(x)), exp(x));
    if (x <= 0 && x != -1) CompareAt(ExponentialLessOne(x), ExponentialWideLessOne(WideOf(x)), expm1(x));
    if (x <= 1 || x > DBL_MAX || isnan(x)) CompareAt(LogarithmOnePlus(x), LogarithmWideOnePlus(WideOf(x)), log1p(x));
    if (x <= 1 || x > DBL_MAX || isnan(x)) CompareAt(Logarithm(x), LogarithmWide(WideOf(x)), log(x));
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(they_err_by_less_than_a_unit_in_the_last_place),
  cmocka_unit_test(ends_and_what_is_no_number_are_those_of_libm),
};

CHECK_MAIN(tests)
