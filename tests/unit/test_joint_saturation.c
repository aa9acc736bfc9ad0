/* test_joint_saturation.c - the tables of Bouc-Wen's curve against closed forms and against quadrature in long double. */
#include "../../src/joint/engine/saturation.h"
#include "joint_samples.h"

static PetscReal constants[SATURATION_NUM_CONSTANTS];

static void compare(PetscReal w, long double time, long double loss, PetscReal tolerance)
{
  const Saturation there = SaturationFrom(constants, w), back = SaturationAt(constants, (PetscReal)time);

  assert_near(there.time, (PetscReal)time, tolerance * fmax(fabs(w), fabs((double)time)));
  assert_near(SaturationLoss(constants, &there), (PetscReal)loss, tolerance * fmax(fabs(w), fabs((double)time)));
  assert_near(back.w, w, tolerance * fabs(w));
  assert_near(SaturationLoss(constants, &back), (PetscReal)loss, tolerance * fmax(fabs(w), fabs((double)time)));
}

/* N = 1: -ln(1 - w) and ln(1 + u |w|) / u; N = 2: the area tangents of hyperbola and circle. The loss is int w dt - w^2 / 2. */
static void one_and_two_are_their_closed_forms(void **state)
{
  const PetscReal backs[] = {1e-3, 0.4, 1, 1.73, 7, 60, 1000};

  (void)state;
  for (PetscInt b = 0; b < 7; b++) {
    const long double u = (long double)backs[b], root = sqrtl(u);
    const PetscReal   tolerance = 1e-13 * fmax(1, backs[b] / 200); /* near C = -B, where u has no bound, the curve is as steep */

    SaturationPrepare(1, backs[b], constants);
    for (PetscReal share = 0.01; share < 1; share += 0.0073) {
      const long double w = (long double)share;

      compare(share, -log1pl(-w), -w - log1pl(-w) - w * w / 2, 4e-15);
      compare(-share, -log1pl(u * w) / u, -(w * w / 2 - w / u + log1pl(u * w) / (u * u)), tolerance);
    }
    SaturationPrepare(2, backs[b], constants);
    for (PetscReal share = 0.01; share < 1; share += 0.0073) {
      const long double w = (long double)share;

      compare(share, atanhl(w), -log1pl(-w * w) / 2 - w * w / 2, 4e-15);
      compare(-share, -atanl(root * w) / root, -(w * w / 2 - log1pl(u * w * w) / (2 * u)), tolerance);
    }
  }
}

/* Both integrals from 0 to w by Simpson's rule, closer at the ends: powers of 1.05 are not smooth at 0. */
static void integrate(long double N, long double u, long double w, long double *time, long double *loss)
{
  const PetscInt panels = 4000;

  *time = *loss = 0;
  for (PetscInt i = 0; i <= 2 * panels; i++) {
    const long double q = (long double)i / (2 * panels), x = w * q * q * (3 - 2 * q), power = powl(x, N),
                      factor = i == 0 || i == 2 * panels ? 1
                               : i % 2                   ? 4
                                                         : 2;
    const long double rate = u < 0 ? 1 - power : 1 + u * power, weight = factor * w * 6 * q * (1 - q) / (6 * panels);

    *time += weight / rate;
    *loss += weight * x * (u < 0 ? power : u * power) / rate;
  }
}

static void any_power_equals_quadrature(void **state)
{
  const PetscReal powers[] = {1.05, 1.7, 3.4, 5.9, 6.1, 25, 100}, shares[] = {0.01, 0.3, 0.6, 0.85, 0.99};

  (void)state;
  for (PetscInt n = 0; n < 7; n++) {
    SaturationPrepare(powers[n], 1.73, constants);
    for (PetscInt i = 0; i < 5; i++) {
      long double time, loss;

      integrate((long double)powers[n], -1, (long double)shares[i], &time, &loss);
      compare(shares[i], time, loss, 1e-12);
      integrate((long double)powers[n], 1.73L, (long double)shares[i], &time, &loss);
      compare(-shares[i], -time, -loss, 1e-12);
    }
  }
}

/* Time and w are inverse to each other everywhere, also where pieces of tables and the two sides meet. */
static void there_and_back_is_nowhere(void **state)
{
  const PetscReal powers[] = {1, 1.3, 2, 4.7, 40};

  (void)state;
  for (PetscInt n = 0; n < 5; n++) {
    SaturationPrepare(powers[n], 0.9, constants);
    for (PetscInt i = -1000; i < 1000; i++) {
      const PetscReal w = (PetscReal)i / 1000;

      assert_near(SaturationAt(constants, SaturationFrom(constants, w).time).w, w,
                  8e-15 * fabs(w)); /* two functions, each right to a few roundings */
    }
    assert_near(SaturationAt(constants, 1e6).w, 1, 1e-15);
    assert_near(SaturationFrom(constants, 1).w, 1, 1e-15);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(one_and_two_are_their_closed_forms),
  cmocka_unit_test(any_power_equals_quadrature),
  cmocka_unit_test(there_and_back_is_nowhere),
};

CHECK_MAIN(tests)
