/* test_masing.c - the memory of turning points: how it grows, is used and is unwound. */
#include "joint_samples.h"
#include <time.h>

static const Sample smooth = {"iwan4", {0.7, 1, -0.5, 5, 0}};

/* Nested reversals, each a little inside the one before it. */
static void ring_down(Joint *joint, PetscInt num_reversals, PetscReal first, PetscReal last)
{
  for (PetscInt i = 0; i < num_reversals; i++) {
    const PetscReal amplitude = first + (last - first) * (PetscReal)i / (PetscReal)(num_reversals - 1);

    JointMove(joint, i % 2 ? -amplitude : amplitude);
  }
}

static void an_untouched_joint_remembers_nothing_and_takes_either_direction(void **state)
{
  Joint joint = JointOpen(&smooth, 1);

  (void)state;
  assert_near(JointTry(&joint, 0.2), -JointTry(&joint, -0.2), 0);
  JointMove(&joint, 0);
  assert_int_equal(joint.history.turning[0].count, 0);
  JointMove(&joint, -0.2);
  assert_int_equal(joint.history.turning[0].count, 0);
  JointClose(&joint);
}

static void a_step_of_no_length_changes_nothing(void **state)
{
  Joint     joint = JointOpen(&smooth, 1);
  PetscReal force, stiffness;

  (void)state;
  ring_down(&joint, 5, 1, 0.5);
  force     = joint.force[0];
  stiffness = joint.stiffness[0];
  for (PetscInt i = 0; i < 3; i++) assert_near(JointMove(&joint, joint.displacement[0]), force, 0);
  assert_near(joint.stiffness[0], stiffness, 0);
  assert_int_equal(joint.history.turning[0].count, 4);
  JointClose(&joint);
}

/* Each half cycle ends where the one before began, on the virgin curve. */
static void a_steady_cycle_remembers_only_its_last_reversal(void **state)
{
  Joint joint = JointOpen(&smooth, 1);

  (void)state;
  for (PetscInt i = 0; i < 1000; i++) JointMove(&joint, i % 2 ? -0.4 : 0.4);
  assert_int_equal(joint.history.turning[0].count, 0);
  JointMove(&joint, 0.1);
  assert_int_equal(joint.history.turning[0].count, 1);
  JointClose(&joint);
}

/* However a step is cut, as long as it turns nowhere, it leads to the same force, memory and dissipation. */
static void one_step_that_closes_many_loops_equals_many_small_steps(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 11);

    for (PetscInt path = 0; path < 100 && listed.traits & JOINT_MASING; path++) {
      Joint           leap = JointOpen(&listed.sample, 1), creep = JointOpen(&listed.sample, 1);
      const PetscReal start = fabs(Random(&seed)), end = 2 * Random(&seed);

      ring_down(&leap, 21, start, 0.01 * start);
      ring_down(&creep, 21, start, 0.01 * start);
      for (PetscInt i = 1; i <= 100; i++) JointMove(&creep, 0.01 * start + (end - 0.01 * start) * (PetscReal)i / 100);
      /* A hundred sums of numbers of order one, rounded to 1e-16 each, which add up in the dissipation. */
      assert_near(JointMove(&leap, creep.displacement[0]), creep.force[0], 1e-14);
      assert_near(leap.stiffness[0], creep.stiffness[0], 1e-14);
      assert_near(leap.dissipated[0], creep.dissipated[0], 4e-14);
      assert_int_equal(JointHistorySize(&leap.history), JointHistorySize(&creep.history));
      JointClose(&leap);
      JointClose(&creep);
    }
  }
}

/* Seconds of 20,000 evaluations about the joint's motion, the least of several trials. */
static double evaluation_time(Joint *joint)
{
  const PetscReal here = joint->displacement[0];
  double          best = 1e9;

  for (PetscInt trial = 0; trial < 9; trial++) {
    const clock_t start = clock();

    for (PetscInt i = 0; i < 20000; i++) JointTry(joint, here + 1e-7 * (PetscReal)(i % 2));
    best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
  }
  joint->displacement[0] = here;
  return best;
}

static void memory_of_100000_reversals_costs_no_more_to_evaluate_than_one_of_100(void **state)
{
  Joint few = JointOpen(&smooth, 1), many = JointOpen(&smooth, 1);

  (void)state;
  ring_down(&few, 101, 1, 0.1);
  ring_down(&many, 100001, 1, 0.1);
  assert_int_equal(few.history.turning[0].count, 100);
  assert_int_equal(many.history.turning[0].count, 100000);
  assert_true(many.history.turning[0].capacity < 2 * 100000);
  assert_true(evaluation_time(&many) < 3 * evaluation_time(&few));
  JointClose(&few);
  JointClose(&many);
}

static void one_step_unwinds_100000_reversals_onto_the_virgin_curve(void **state)
{
  Joint joint = JointOpen(&smooth, 1), virgin = JointOpen(&smooth, 1), creep = JointOpen(&smooth, 1);

  (void)state;
  ring_down(&joint, 100001, 1, 0.1);
  ring_down(&creep, 100001, 1, 0.1);
  assert_near(JointMove(&joint, 1.5), JointMove(&virgin, 1.5), 0);
  assert_int_equal(joint.history.turning[0].count, 0);
  for (PetscInt i = 1; i <= 1000; i++) JointMove(&creep, 0.1 + 1.4 * (PetscReal)i / 1000);
  assert_close(joint.dissipated[0], creep.dissipated[0], 1e-11);
  JointClose(&joint);
  JointClose(&virgin);
  JointClose(&creep);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(an_untouched_joint_remembers_nothing_and_takes_either_direction),
  cmocka_unit_test(a_step_of_no_length_changes_nothing),
  cmocka_unit_test(a_steady_cycle_remembers_only_its_last_reversal),
  cmocka_unit_test(one_step_that_closes_many_loops_equals_many_small_steps),
  cmocka_unit_test(memory_of_100000_reversals_costs_no_more_to_evaluate_than_one_of_100),
  cmocka_unit_test(one_step_unwinds_100000_reversals_onto_the_virgin_curve),
};

CHECK_MAIN(tests)
