/* test_law_coulomb.c - dry friction asked with a give in series: between its limits, rising, and as constant forces within a step have it. */
#include "joint_samples.h"

static const PetscReal limit = 0.6;

static PetscReal grip_at(const Joint *joint, PetscReal given, PetscReal give, const PetscReal *before, PetscReal *slope)
{
  PetscReal force;

  joint->block.law->grip(&joint->block, &(JointGrip){&given, &give, before}, &(JointForce){.force = &force, .stiffness = slope});
  return force;
}

static void force_and_motion_never_fall_with_what_is_given(void **state)
{
  Joint joint = JointOpen(&(Sample){"coulomb", {limit}}, 1);

  (void)state;
  for (PetscInt b = -20; b <= 20; b++) {
    const PetscReal before = 0.1 * b, give = 0.7;
    PetscReal       last_force = -limit, last_motion = -1e3;

    for (PetscInt i = -4000; i <= 4000; i++) {
      const PetscReal given = 1e-3 * i;
      PetscReal       slope;
      const PetscReal force = grip_at(&joint, given, give, &before, &slope), motion = given - give * force;

      assert_at_least(limit, fabs(force), 1e-15);
      assert_at_least(force, last_force, 1e-14);
      assert_at_least(motion, last_motion, 1e-14);
      assert_at_least(slope, 0, 0);
      assert_at_least(1 / give, slope, 1e-14);
      assert_near(grip_at(&joint, given + 1e-9, give, &before, NULL), force + 1e-9 * slope, 2e-9); /* no jumps */
      last_force  = force;
      last_motion = motion;
    }
  }
  JointClose(&joint);
}

/* A mass m of velocity v under a push S against it, for h: it stops at the time m v / (S + F), and turns back where S > F. */
static void a_step_is_that_of_constant_forces(void **state)
{
  const PetscReal m = 1.3, h = 0.2, v = 0.05, give = h / m;
  Joint           joint = JointOpen(&(Sample){"coulomb", {limit}}, 1);

  (void)state;
  for (PetscInt i = 0; i < 100; i++) {
    const PetscReal push = 0.03 * i, stop = fmin(h, m * v / (push + limit));
    const PetscReal after = stop == h ? v - (push + limit) / m * h : -fmax(0, push - limit) / m * (h - stop);
    const PetscReal given = v - push / m * h;

    assert_near(given - give * grip_at(&joint, given, give, &v, NULL), after, 1e-15);
    assert_near(given - give * -grip_at(&joint, -given, give, &(PetscReal){-v}, NULL), after, 1e-15);
  }
  JointClose(&joint);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(force_and_motion_never_fall_with_what_is_given),
  cmocka_unit_test(a_step_is_that_of_constant_forces),
};

CHECK_MAIN(tests)
