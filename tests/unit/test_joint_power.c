/* test_joint_power.c - the quick power of one exponent against powl. */
#include "../../src/joint/engine/power.h"
#include "joint_samples.h"

static void it_equals_powl_within_a_few_roundings_from_1e300th_to_1(void **state)
{
  uint64_t  seed = 15;
  PetscReal constants[POWER_NUM_CONSTANTS];

  (void)state;
  for (PetscReal exponent = 1e-6; exponent <= POWER_MOST; exponent += 0.0571) {
    PowerPrepare(exponent, constants);
    for (PetscInt i = 0; i < 5000; i++) {
      const PetscReal decades = i % 100 ? 10 : 150, x = pow(10, decades * (Random(&seed) - 1));

      /* With fma at most 0.7e-15; without it products are rounded, too: 1e-15. */
      assert_close(PowerEvaluate(constants, x), (PetscReal)powl((long double)x, (long double)exponent), 4e-15);
    }
  }
}

static void zero_gives_zero_and_one_gives_one(void **state)
{
  PetscReal constants[POWER_NUM_CONSTANTS];

  (void)state;
  PowerPrepare(0.77, constants);
  assert_near(PowerEvaluate(constants, 0), 0, 0);
  assert_close(PowerEvaluate(constants, 1), 1, 1e-15);
  assert_close(PowerEvaluate(constants, 0x1p-64), pow(0x1p-64, 0.77), 1e-15);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(it_equals_powl_within_a_few_roundings_from_1e300th_to_1),
  cmocka_unit_test(zero_gives_zero_and_one_gives_one),
};

CHECK_MAIN(tests)
