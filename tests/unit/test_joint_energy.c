/* test_joint_energy.c - for every law: nothing creates energy, and laws that claim Masing's rules keep them. */
#include "joint_samples.h"

enum { NUM_PANELS = 200, CYCLE = 12 };

/* Kinks of the force limit the midpoint rule: half the largest jump of a tangent times a panel squared, in 200 panels of steps of length <= 4. */
static const PetscReal quadrature_error = 2e-3;

static void move_along(Joint *joint, const PetscReal start[], const PetscReal target[], PetscReal part)
{
  for (PetscInt c = 0; c < joint->size; c++) joint->displacement[c] = start[c] + (target[c] - start[c]) * part;
  JointEvaluate(joint);
}

/* Work done on a joint of one point along a straight step, by the midpoint rule; accepts the step. Where a law of several components
   slips under a changing load its path is that of small steps: it accepts every panel, with an error of first order, so there are more. */
static PetscReal work(Joint *joint, const PetscReal target[])
{
  const PetscInt num_panels = joint->size > 1 ? 4 * NUM_PANELS : NUM_PANELS;
  PetscReal      start[JOINT_MAX_DIM], sum = 0;

  memcpy(start, joint->displacement, (size_t)joint->size * sizeof(PetscReal));
  for (PetscInt p = 0; p < num_panels; p++) {
    move_along(joint, start, target, ((PetscReal)p + 0.5) / (PetscReal)num_panels);
    for (PetscInt c = 0; c < joint->size; c++) sum += joint->force[c] * (target[c] - start[c]) / (PetscReal)num_panels;
    move_along(joint, start, target, ((PetscReal)p + 1) / (PetscReal)num_panels);
    if (joint->size > 1 || p == num_panels - 1) JointCommit(joint);
  }
  return sum;
}

/* A random cycle: its last point is where it begins, at rest. */
static void draw_cycle(PetscInt size, PetscReal cycle[CYCLE][JOINT_MAX_DIM], uint64_t *seed)
{
  const PetscReal range = fmin(2, RandomRange(seed));

  for (PetscInt i = 0; i < CYCLE; i++) {
    for (PetscInt c = 0; c < size; c++) cycle[i][c] = i == CYCLE - 1 ? 0 : range * Random(seed);
  }
}

/* Work on the joint once around; on the way no dissipation may be negative, and what the joint stores (work less dissipation) not either. */
static PetscReal go_round(Joint *joint, PetscReal cycle[CYCLE][JOINT_MAX_DIM], PetscReal stored)
{
  PetscReal total = 0;

  for (PetscInt i = 0; i < CYCLE; i++) {
    const PetscReal before = joint->dissipated[0], added = work(joint, cycle[i]);

    total += added;
    stored += added - (joint->dissipated[0] - before);
    assert_at_least(joint->dissipated[0], before, 1e-14);
    assert_at_least(stored, 0, quadrature_error * CYCLE);
  }
  return total;
}

static void closed_cycles_never_create_energy(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 6);

    for (PetscInt trial = 0; trial < 40 && !(listed.traits & JOINT_ACTIVE); trial++) {
      Joint     joint = JointOpen(&listed.sample, 1);
      PetscReal cycle[CYCLE][JOINT_MAX_DIM];
      PetscReal first;

      draw_cycle(joint.size, cycle, &seed);
      first = go_round(&joint, cycle, 0);
      assert_at_least(first, 0, quadrature_error * CYCLE);
      if (listed.traits & JOINT_ELASTIC) assert_near(first, 0, quadrature_error * CYCLE);
      JointClose(&joint);
    }
  }
}

/* What laws say that they hold, with what forces without a potential have taken beside it, is the work done on them less what they have dissipated; in short steps, up to the error of the rule. */
static void what_is_stored_is_work_less_dissipation(void **state)
{
  ListedSample listed;
  PetscInt     num_told = 0;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 9);

    for (PetscInt trial = 0; trial < 10 && JointLawFind(listed.sample.law)->store; trial++) {
      Joint     joint = JointOpen(&listed.sample, 1);
      PetscReal cycle[CYCLE][JOINT_MAX_DIM], done = 0, stored, exchanged;

      draw_cycle(joint.size, cycle, &seed);
      for (PetscInt i = 0; i < CYCLE; i++, num_told++) {
        const JointMotion motion = MotionOf(&joint);

        done += work(&joint, cycle[i]);
        joint.block.law->store(&joint.block, &joint.history, &motion, &stored, &exchanged);
        assert_near(stored + exchanged, done - joint.dissipated[0], quadrature_error * CYCLE);
      }
      JointClose(&joint);
    }
  }
  assert_true(num_told > 200);
}

/* Once around in large steps: the history is the same as after small ones. */
static void run_round(Joint *joint, PetscReal cycle[CYCLE][JOINT_MAX_DIM])
{
  for (PetscInt i = 0; i < CYCLE; i++) {
    memcpy(joint->displacement, cycle[i], (size_t)joint->size * sizeof(PetscReal));
    JointCommit(joint);
  }
}

/* Round and round, until the cycle is steady: Masing's memory is so after the first time, laws given by their rate forget exponentially. A
   law of several components goes round in the small steps of `work` at last, of which its path depends. */
static void settle(Joint *joint, unsigned traits, PetscReal cycle[CYCLE][JOINT_MAX_DIM])
{
  const PetscInt rounds = traits & JOINT_MASING ? 1 : 300;

  for (PetscInt i = 0; i < rounds; i++) run_round(joint, cycle);
  for (PetscInt i = 0; i < 2 * CYCLE && joint->size > 1; i++) work(joint, cycle[i % CYCLE]);
}

/* A joint in a steady cycle stores what it stored one time round before, so what is put in is what is dissipated. This is asked of laws that
   may create energy, too. */
static void steady_cycles_dissipate_the_work_put_in(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 7);

    for (PetscInt trial = 0; trial < 40 && JointLawFind(listed.sample.law)->commit; trial++) {
      Joint     joint = JointOpen(&listed.sample, 1);
      PetscReal cycle[CYCLE][JOINT_MAX_DIM];
      PetscReal put_in = 0, before;

      draw_cycle(joint.size, cycle, &seed);
      settle(&joint, listed.traits, cycle);
      before = joint.dissipated[0];
      for (PetscInt i = 0; i < CYCLE; i++) put_in += work(&joint, cycle[i]);
      assert_near(put_in, joint.dissipated[0] - before, quadrature_error * CYCLE);
      JointClose(&joint);
    }
  }
}

/* Asked of linear laws only: generalized_valanis takes what its coefficients say, which may push as well as brake, and it remembers the
   velocity of its last step. */
static void a_linear_viscous_force_always_brakes(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed  = SampleSeed(&listed, 8);
    Joint    joint = JointOpen(&listed.sample, 1), still = JointOpen(&listed.sample, 1);

    for (PetscInt i = 0; i < 200 && listed.traits & JOINT_VISCOUS && listed.traits & JOINT_LINEAR; i++) {
      PetscReal power = 0;

      RandomMotion(&joint, 1, &seed);
      memcpy(still.displacement, joint.displacement, sizeof joint.displacement);
      JointEvaluate(&joint);
      JointEvaluate(&still);
      for (PetscInt c = 0; c < joint.size; c++) power += (joint.force[c] - still.force[c]) * joint.velocity[c];
      assert_true(power >= 0);
    }
    JointClose(&joint);
    JointClose(&still);
  }
}

/* Masing's first rule: from a reversal the curve is the virgin curve, doubled. Nested reversals keep older loops open. */
static void masing_branches_are_the_doubled_virgin_curve(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed  = SampleSeed(&listed, 9);
    Joint    joint = JointOpen(&listed.sample, 1), virgin = JointOpen(&listed.sample, 1);

    for (PetscInt path = 0; path < 300 && listed.traits & JOINT_MASING; path++) {
      PetscReal previous = 0, here = 3 * Random(&seed), force;

      JointClose(&joint);
      joint = JointOpen(&listed.sample, 1);
      force = JointMove(&joint, here);
      for (PetscInt i = 0; i < 20; i++) {
        const PetscReal end   = i == 0 ? -here : previous;
        const PetscReal there = here + (end - here) * (0.5 + 0.49 * Random(&seed));

        assert_near(JointTry(&joint, there), force + 2 * JointTry(&virgin, (there - here) / 2), 1e-14);
        force    = JointMove(&joint, there);
        previous = here;
        here     = there;
      }
    }
    JointClose(&joint);
    JointClose(&virgin);
  }
}

/* Masing's second rule: a closed loop leaves no trace. */
static void masing_loops_are_forgotten_once_closed(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed  = SampleSeed(&listed, 10);
    Joint    joint = JointOpen(&listed.sample, 1), loopless = JointOpen(&listed.sample, 1);

    for (PetscInt i = 0; i < 1000 && listed.traits & JOINT_MASING; i++) {
      const PetscReal here = joint.displacement[0], there = 2 * Random(&seed), turn = here + (there - here) * (0.5 + 0.5 * Random(&seed));

      JointMove(&joint, turn);
      JointMove(&joint, turn + (here - turn) * (0.5 + 0.5 * Random(&seed)));
      assert_near(JointMove(&joint, there), JointMove(&loopless, there), 1e-13);
      assert_near(joint.stiffness[0], loopless.stiffness[0], 1e-10);
      assert_int_equal(JointHistorySize(&joint.history), JointHistorySize(&loopless.history));
    }
    JointClose(&joint);
    JointClose(&loopless);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(closed_cycles_never_create_energy),
  cmocka_unit_test(what_is_stored_is_work_less_dissipation),
  cmocka_unit_test(steady_cycles_dissipate_the_work_put_in),
  cmocka_unit_test(a_linear_viscous_force_always_brakes),
  cmocka_unit_test(masing_branches_are_the_doubled_virgin_curve),
  cmocka_unit_test(masing_loops_are_forgotten_once_closed),
};

CHECK_MAIN(tests)
