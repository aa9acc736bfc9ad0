/* test_joint.c - what every joint law must keep: exact tangents, purity, independence of points, a history that can be saved. */
#include "joint_samples.h"

static void every_law_is_complete(void **state)
{
  (void)state;
  for (PetscInt l = 0; joint_laws[l]; l++) {
    const JointLaw *law = joint_laws[l];

    assert_true(law->name && law->summary && law->equation && law->source && law->parameters && law->limit && law->evaluate && law->differentiate);
    assert_in_range(law->dim, 1, JOINT_MAX_DIM);
    assert_true(!law->prepare == !(law->num_constants > 0 || law->count_constants));
    assert_false(law->num_constants > 0 && law->count_constants);
    assert_true(law->commit || (law->num_states == 0 && !(law->traits & JOINT_MASING)));
    assert_ptr_equal(JointLawFind(law->name), law);
    for (PetscInt p = 0; law->parameters[p].name; p++) assert_true(p < JOINT_MAX_PARAMETERS && law->parameters[p].help);
  }
  assert_null(JointLawFind("no such law"));
}

/* Their words tell the samples of a law apart: they make their random numbers. */
static void every_law_has_samples_that_it_takes(void **state)
{
  (void)state;
  for (PetscInt l = 0; joint_laws[l]; l++) {
    const JointLaw    *law     = joint_laws[l];
    const JointSample *samples = law->samples;

    if (!samples || !samples[0].what) fail_msg("law %s has no samples", law->name);
    for (PetscInt s = 0; samples[s].what; s++) {
      if (law->refuse && law->refuse(samples[s].parameters)) fail_msg("%s: %s: %s", law->name, samples[s].what, law->refuse(samples[s].parameters));
      for (PetscInt k = 0; k < s; k++) assert_string_not_equal(samples[k].what, samples[s].what);
    }
  }
}

/* The force for a change of component e of the displacement, or of the velocity, of all points. */
static void force_at(Joint *joint, PetscInt component, PetscBool of_velocity, PetscReal change, PetscReal force[])
{
  const PetscInt n       = joint->block.num_points;
  PetscReal     *numbers = of_velocity ? joint->velocity : joint->displacement, kept[SAMPLE_NUMBERS];

  memcpy(kept, numbers, sizeof kept);
  for (PetscInt i = 0; i < n; i++) numbers[component * n + i] += change;
  JointEvaluate(joint);
  memcpy(force, joint->force, sizeof kept);
  memcpy(numbers, kept, sizeof kept);
}

/* Difference quotients [dim, num_points] along a component: the middle of those forwards and backwards, and by how much these differ. */
static void differences(Joint *joint, PetscInt component, PetscBool of_velocity, PetscReal step, PetscReal quotients[], PetscReal bends[])
{
  PetscReal here[SAMPLE_NUMBERS], above[SAMPLE_NUMBERS], below[SAMPLE_NUMBERS];

  force_at(joint, component, of_velocity, step, above);
  force_at(joint, component, of_velocity, -step, below);
  force_at(joint, component, of_velocity, 0, here);
  for (PetscInt i = 0; i < joint->size; i++) {
    quotients[i] = (above[i] - below[i]) / (2 * step);
    bends[i]     = (above[i] - here[i]) / step - (here[i] - below[i]) / step;
  }
}

/* Compares one column of a tangent where the quotients of two steps agree, and they bend in proportion to the step: everywhere but at
   kinks, also those on which a point happens to lie. Returns how many entries were compared. */
static PetscInt compare_column(Joint *joint, PetscInt component, PetscBool of_velocity)
{
  const PetscReal step = 1e-5, round_off = 3e-9; /* of forces up to 20, by step / 4 */
  const PetscInt  n = joint->block.num_points, dim = joint->block.law->dim;
  PetscReal       coarse[SAMPLE_NUMBERS], fine[SAMPLE_NUMBERS], coarse_bend[SAMPLE_NUMBERS], fine_bend[SAMPLE_NUMBERS];
  PetscInt        compared = 0;

  differences(joint, component, of_velocity, step, coarse, coarse_bend);
  differences(joint, component, of_velocity, step / 4, fine, fine_bend);
  for (PetscInt c = 0; c < dim; c++) {
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal *tangent  = of_velocity ? joint->damping : joint->stiffness;
      const PetscInt   at       = c * n + i;
      const PetscReal  mismatch = fabs(coarse[at] - fine[at]) + fabs(coarse_bend[at] - 4 * fine_bend[at]);

      if (mismatch > 1e-5) continue;
      assert_near(tangent[(c * dim + component) * n + i], fine[at], mismatch + round_off);
      compared++;
    }
  }
  return compared;
}

static void tangents_equal_difference_quotients_on_random_paths(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed     = SampleSeed(&listed, 1);
    PetscInt compared = 0, possible = 0;

    for (PetscInt path = 0; path < 300; path++) {
      Joint           joint = JointOpen(&listed.sample, SAMPLE_POINTS);
      const PetscReal range = RandomRange(&seed);
      const PetscBool both  = joint.block.law->traits & JOINT_VISCOUS ? PETSC_TRUE : PETSC_FALSE;

      for (PetscInt i = 0; i < 20; i++) {
        RandomMotion(&joint, range, &seed);
        for (PetscInt e = 0; e < joint.block.law->dim; e++) {
          compared += compare_column(&joint, e, PETSC_FALSE);
          if (both) compared += compare_column(&joint, e, PETSC_TRUE);
          possible += (both ? 2 : 1) * joint.size;
        }
        JointCommit(&joint);
      }
      JointClose(&joint);
    }
    if (compared < 0.95 * possible)
      fail_msg("%s, %s: only %d of %d tangents could be compared", listed.sample.law, listed.what, (int)compared, (int)possible);
  }
}

static PetscReal *packed(const JointHistory *history)
{
  PetscReal *numbers;

  assert_ok(PetscMalloc1(JointHistorySize(history) + 1, &numbers));
  JointHistoryPack(history, numbers);
  return numbers;
}

static void assert_same_history(const JointHistory *a, const JointHistory *b)
{
  PetscReal *first = packed(a), *second = packed(b);

  assert_int_equal(JointHistorySize(a), JointHistorySize(b));
  assert_memory_equal(first, second, (size_t)JointHistorySize(a) * sizeof(PetscReal));
  assert_ok(PetscFree(first));
  assert_ok(PetscFree(second));
}

static void evaluation_changes_nothing(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed  = SampleSeed(&listed, 2);
    Joint    joint = JointOpen(&listed.sample, SAMPLE_POINTS), untried = JointOpen(&listed.sample, SAMPLE_POINTS);

    for (PetscInt i = 0; i < 200; i++) {
      for (PetscInt attempt = 0; attempt < 5; attempt++) {
        RandomMotion(&joint, 2, &seed);
        JointEvaluate(&joint);
      }
      JointCommit(&joint);
      memcpy(untried.displacement, joint.displacement, sizeof joint.displacement);
      memcpy(untried.velocity, joint.velocity, sizeof joint.velocity);
      JointCommit(&untried);
      assert_same_history(&joint.history, &untried.history);
    }
    JointClose(&joint);
    JointClose(&untried);
  }
}

static void at_rest_there_is_no_force_and_the_stuck_tangent(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    Joint          joint = JointOpen(&listed.sample, SAMPLE_POINTS);
    const PetscInt dim   = joint.block.law->dim;
    PetscReal      stuck[JOINT_MAX_DIM * JOINT_MAX_DIM];

    joint.block.law->limit(&joint.block, JOINT_STUCK, stuck);
    JointEvaluate(&joint);
    for (PetscInt i = 0; i < joint.size; i++) assert_near(joint.force[i], 0, 0);
    for (PetscInt c = 0; c < dim * dim; c++) {
      for (PetscInt i = 0; i < SAMPLE_POINTS; i++) assert_close(joint.stiffness[c * SAMPLE_POINTS + i], stuck[c], 1e-14);
    }
    JointClose(&joint);
  }
}

/* It is no place in a table. What forces are then is not promised: some laws just slip. */
static void a_motion_that_is_no_number_is_soon_done_with(void **state)
{
  const PetscReal at[] = {(PetscReal)NAN, PETSC_INFINITY, -PETSC_INFINITY};
  ListedSample    listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    Joint joint = JointOpen(&listed.sample, SAMPLE_POINTS);

    for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(at); k++) {
      for (PetscInt i = 0; i < joint.size; i++) joint.displacement[i] = joint.velocity[i] = at[k];
      JointEvaluate(&joint);
    }
    JointClose(&joint);
  }
}

/* Far along all components but the first of several, which presses: the tangent of slip in a direction, its own stiffnesses. */
static void compare_slip_of_faces(Joint *joint, const PetscReal slipping[])
{
  for (PetscInt c = 1; c < joint->size; c++) joint->displacement[c] = 1e15;
  JointEvaluate(joint);
  for (PetscInt c = 0; c < joint->size; c++) assert_near(joint->stiffness[c * (joint->size + 1)], slipping[c * (joint->size + 1)], 1e-14);
}

/* Not asked where the tangent goes on changing: there is no limit, or it is not met, and the law says what it tells instead. */
static void slipping_tangent_is_met_far_away_or_equals_the_stuck_one(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    Joint     joint = JointOpen(&listed.sample, 1);
    PetscReal stuck[JOINT_MAX_DIM * JOINT_MAX_DIM], slipping[JOINT_MAX_DIM * JOINT_MAX_DIM], farther[JOINT_MAX_DIM * JOINT_MAX_DIM];

    joint.block.law->limit(&joint.block, JOINT_STUCK, stuck);
    joint.block.law->limit(&joint.block, JOINT_SLIPPING, slipping);
    if (joint.size > 1) compare_slip_of_faces(&joint, slipping);
    for (PetscInt c = 0; c < joint.size; c++) joint.displacement[c] = 2e3;
    JointEvaluate(&joint);
    memcpy(farther, joint.stiffness, sizeof farther);
    for (PetscInt c = 0; c < joint.size; c++) joint.displacement[c] = 1e3;
    JointEvaluate(&joint);
    for (PetscInt c = 0; c < joint.size && joint.size == 1; c++) {
      /* Laws given by their rate find their tangent from a force that has grown with the distance: so has its round-off. */
      const PetscReal round_off = 1e-14 * fmax(1, fabs(joint.force[0]));

      if (!joint.block.law->commit) assert_close(slipping[c], stuck[c], 1e-14);
      else if (listed.traits & JOINT_NEVER_LEVELS_OFF) continue;
      else if (listed.traits & JOINT_MASING) assert_close(slipping[c], joint.stiffness[c], 1e-14);
      else if (fabs(farther[c] - slipping[c]) > 0.5 * fabs(joint.stiffness[c] - slipping[c])) /* dahl creeps up to it */
        assert_near(joint.stiffness[c], slipping[c], round_off);
    }
    JointClose(&joint);
  }
}

static void a_copied_or_restored_history_goes_on_bit_for_bit(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed  = SampleSeed(&listed, 3);
    Joint    joint = JointOpen(&listed.sample, SAMPLE_POINTS), copy = JointOpen(&listed.sample, SAMPLE_POINTS),
          restored = JointOpen(&listed.sample, SAMPLE_POINTS);
    PetscReal *numbers;

    for (PetscInt i = 0; i < 200; i++) { /* a shrinking motion fills the memory beyond its first capacity */
      RandomMotion(&joint, pow(0.99, (double)i), &seed);
      for (PetscInt c = 0; c < joint.size; c++) joint.displacement[c] = (i % 2 ? 1 : -1) * fabs(joint.displacement[c]);
      JointCommit(&joint);
    }
    assert_ok(JointHistoryCopy(&joint.history, &copy.history));
    numbers = packed(&joint.history);
    assert_ok(JointHistoryUnpack(&restored.history, JointHistorySize(&joint.history), numbers));
    assert_ok(PetscFree(numbers));
    for (PetscInt i = 0; i < 100; i++) {
      RandomMotion(&joint, 1, &seed);
      memcpy(copy.displacement, joint.displacement, sizeof joint.displacement);
      memcpy(restored.displacement, joint.displacement, sizeof joint.displacement);
      memcpy(copy.velocity, joint.velocity, sizeof joint.velocity);
      memcpy(restored.velocity, joint.velocity, sizeof joint.velocity);
      JointCommit(&joint);
      JointCommit(&copy);
      JointCommit(&restored);
      assert_same_history(&joint.history, &copy.history);
      assert_same_history(&joint.history, &restored.history);
    }
    JointClose(&joint);
    JointClose(&copy);
    JointClose(&restored);
  }
}

static void a_history_of_the_wrong_size_is_refused(void **state)
{
  Joint      joint = JointOpen(&(Sample){"jenkins", {1, 1}}, 1);
  PetscInt   size;
  PetscReal *numbers;

  (void)state;
  for (PetscInt i = 0; i < 4; i++) JointMove(&joint, i % 2 ? -0.5 / (PetscReal)(i + 1) : 0.5 / (PetscReal)(i + 1));
  size    = JointHistorySize(&joint.history);
  numbers = packed(&joint.history);
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  assert_int_not_equal(JointHistoryUnpack(&joint.history, size - 1, numbers), 0);
  assert_int_not_equal(JointHistoryUnpack(&joint.history, size + 1, numbers), 0);
  assert_int_not_equal(JointHistoryUnpack(&joint.history, 0, numbers), 0);
  numbers[joint.history.num_states] = (PetscReal)NAN;
  assert_int_not_equal(JointHistoryUnpack(&joint.history, size, numbers), 0);
  numbers[joint.history.num_states] = 1e300;
  assert_int_not_equal(JointHistoryUnpack(&joint.history, size, numbers), 0);
  assert_ok(PetscPopErrorHandler());
  assert_ok(PetscFree(numbers));
  JointClose(&joint);
}

static void a_block_of_points_equals_blocks_of_one(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t       seed = SampleSeed(&listed, 4);
    Joint          many = JointOpen(&listed.sample, SAMPLE_POINTS), one[SAMPLE_POINTS];
    const PetscInt dim  = many.block.law->dim;

    for (PetscInt i = 0; i < SAMPLE_POINTS; i++) one[i] = JointOpen(&listed.sample, 1);
    for (PetscInt step = 0; step < 200; step++) {
      RandomMotion(&many, 1, &seed);
      JointEvaluate(&many);
      JointCommit(&many);
      for (PetscInt i = 0; i < SAMPLE_POINTS; i++) {
        for (PetscInt c = 0; c < dim; c++) {
          one[i].displacement[c] = many.displacement[c * SAMPLE_POINTS + i];
          one[i].velocity[c]     = many.velocity[c * SAMPLE_POINTS + i];
        }
        JointEvaluate(&one[i]);
        JointCommit(&one[i]);
        for (PetscInt c = 0; c < dim; c++) assert_near(one[i].force[c], many.force[c * SAMPLE_POINTS + i], 0);
        for (PetscInt c = 0; c < dim * dim; c++) assert_near(one[i].stiffness[c], many.stiffness[c * SAMPLE_POINTS + i], 0);
        assert_near(one[i].dissipated[0], many.dissipated[i], 0);
      }
    }
    for (PetscInt i = 0; i < SAMPLE_POINTS; i++) JointClose(&one[i]);
    JointClose(&many);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(every_law_is_complete),
  cmocka_unit_test(every_law_has_samples_that_it_takes),
  cmocka_unit_test(tangents_equal_difference_quotients_on_random_paths),
  cmocka_unit_test(evaluation_changes_nothing),
  cmocka_unit_test(at_rest_there_is_no_force_and_the_stuck_tangent),
  cmocka_unit_test(a_motion_that_is_no_number_is_soon_done_with),
  cmocka_unit_test(slipping_tangent_is_met_far_away_or_equals_the_stuck_one),
  cmocka_unit_test(a_copied_or_restored_history_goes_on_bit_for_bit),
  cmocka_unit_test(a_history_of_the_wrong_size_is_refused),
  cmocka_unit_test(a_block_of_points_equals_blocks_of_one),
};

CHECK_MAIN(tests)
