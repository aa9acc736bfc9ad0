/* test_law_jenkins.c - the slider against its own return mapping and the area of its loop. */
#include "joint_samples.h"

static const Sample    jenkins   = {"jenkins", {4, 2}};
static const PetscReal stiffness = 4, slip_force = 2;

static void it_sticks_below_its_slip_force_and_slips_at_it(void **state)
{
  Joint joint = JointOpen(&jenkins, 1);

  (void)state;
  assert_near(JointMove(&joint, 0.4), 1.6, 1e-15);
  assert_near(joint.stiffness[0], stiffness, 0);
  assert_near(JointMove(&joint, 0.7), slip_force, 0);
  assert_near(joint.stiffness[0], 0, 0);
  assert_near(joint.dissipated[0], slip_force * 0.2, 1e-15); /* it slips once beyond 0.5 */
  JointClose(&joint);
}

/* The slider's position is moved just so far that the spring carries no more than the slip force. */
static void any_path_equals_the_return_mapping_of_the_slider(void **state)
{
  Joint     joint    = JointOpen(&jenkins, 1);
  PetscReal position = 0, dissipated = 0;
  uint64_t  seed = 14;

  (void)state;
  for (PetscInt i = 0; i < 5000; i++) {
    const PetscReal motion = pow(0.9, i % 50) * 2 * Random(&seed);
    const PetscReal force  = fmax(-slip_force, fmin(slip_force, stiffness * (motion - position)));

    dissipated += slip_force * fabs(motion - force / stiffness - position);
    position = motion - force / stiffness;
    assert_near(JointMove(&joint, motion), force, 1e-13);
    assert_near(joint.dissipated[0], dissipated, 1e-12 * (1 + dissipated));
  }
  JointClose(&joint);
}

static void a_cycle_dissipates_the_area_of_its_parallelogram(void **state)
{
  Joint           joint = JointOpen(&jenkins, 1);
  const PetscReal a     = 1.3;
  PetscReal       before;

  (void)state;
  JointMove(&joint, a);
  before = joint.dissipated[0];
  JointMove(&joint, -a);
  JointMove(&joint, a);
  assert_close(joint.dissipated[0] - before, 4 * slip_force * (a - slip_force / stiffness), 1e-14);
  JointClose(&joint);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(it_sticks_below_its_slip_force_and_slips_at_it),
  cmocka_unit_test(any_path_equals_the_return_mapping_of_the_slider),
  cmocka_unit_test(a_cycle_dissipates_the_area_of_its_parallelogram),
};

CHECK_MAIN(tests)
