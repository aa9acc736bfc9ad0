/* test_law_elastic.c - spring, damper, cubic and gap: their forces by hand. */
#include "joint_samples.h"

static PetscReal force_at(Sample sample, PetscReal displacement, PetscReal velocity)
{
  Joint     joint = JointOpen(&sample, 1);
  PetscReal force;

  joint.velocity[0] = velocity;
  force             = JointTry(&joint, displacement);
  JointClose(&joint);
  return force;
}

static void spring_and_damper_are_proportional(void **state)
{
  (void)state;
  assert_near(force_at((Sample){"spring", {3}}, -0.5, 7), -1.5, 0);
  assert_near(force_at((Sample){"damper", {3}}, 7, -0.5), -1.5, 0);
}

static void cubic_adds_the_cube(void **state)
{
  (void)state;
  assert_near(force_at((Sample){"cubic", {3, 0.25}}, -2, 0), -8, 0);
}

static void gap_of_one_side_pushes_only_when_the_sides_approach(void **state)
{
  const Sample gap = {"gap", {4, 0.5, 1}};

  (void)state;
  assert_near(force_at(gap, -0.75, 0), -1, 0);
  assert_near(force_at(gap, -0.49, 0), 0, 0);
  assert_near(force_at(gap, 100, 0), 0, 0);
}

static void gap_of_two_sides_stops_both_ways(void **state)
{
  const Sample gap = {"gap", {4, 0.5, 2}};

  (void)state;
  assert_near(force_at(gap, -0.75, 0), -1, 0);
  assert_near(force_at(gap, 0.75, 0), 1, 0);
  assert_near(force_at(gap, 0.49, 0), 0, 0);
}

static void gap_without_clearance_is_stiff_at_rest(void **state)
{
  Joint     joint = JointOpen(&(Sample){"gap", {4, 0, 1}}, 1);
  PetscReal stuck;

  (void)state;
  joint.block.law->limit(&joint.block, JOINT_STUCK, &stuck);
  assert_near(stuck, 4, 0);
  JointClose(&joint);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(spring_and_damper_are_proportional),
  cmocka_unit_test(cubic_adds_the_cube),
  cmocka_unit_test(gap_of_one_side_pushes_only_when_the_sides_approach),
  cmocka_unit_test(gap_of_two_sides_stops_both_ways),
  cmocka_unit_test(gap_without_clearance_is_stiff_at_rest),
};

CHECK_MAIN(tests)
