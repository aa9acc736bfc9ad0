/* test_joint_differentiate.c - for every law, the derivative of force and history along whole paths against difference quotients. */
#include "joint_samples.h"

enum { COARSE_UP, COARSE_DOWN, FINE_UP, FINE_DOWN, NUM_NEIGHBOURS, HERE = NUM_NEIGHBOURS, NUM_PATHS, MOST_NUMBERS = 4096 };

static const PetscReal step = 1e-5, shifts[NUM_NEIGHBOURS] = {1e-5, -1e-5, 0.25e-5, -0.25e-5};

/* Force and history of a joint as numbers. */
static PetscInt collect(const Joint *joint, const PetscReal force[], PetscReal numbers[])
{
  assert_true(joint->size + JointHistorySize(&joint->history) <= MOST_NUMBERS);
  memcpy(numbers, force, (size_t)joint->size * sizeof(PetscReal));
  JointHistoryPack(&joint->history, numbers + joint->size);
  return joint->size + JointHistorySize(&joint->history);
}

/* Middle of the difference quotients of either side, and by how much these differ. */
static PetscReal quotient(PetscReal numbers[][MOST_NUMBERS], PetscInt i, PetscInt up, PetscReal length, PetscReal *bend)
{
  const PetscReal forward = (numbers[up][i] - numbers[HERE][i]) / length, backward = (numbers[HERE][i] - numbers[up + 1][i]) / length;

  *bend = forward - backward;
  return (forward + backward) / 2;
}

/* Where the quotients of both steps agree, and they bend in proportion to the step, there is a derivative; near a kink or a root of a law
   one of both fails. The numbers of turning points, which are among the numbers, have the quotient 0: they stand in `derivative` as
   they are, and are told by `is_count`. Returns how many were compared. */
static PetscInt compare(PetscInt size, PetscReal numbers[][MOST_NUMBERS], const PetscReal derivative[], const PetscBool is_count[])
{
  const PetscReal round_off = 2e-9;
  PetscInt        compared  = 0;

  for (PetscInt i = 0; i < size; i++) {
    PetscReal       coarse_bend, fine_bend;
    const PetscReal coarse   = quotient(numbers, i, COARSE_UP, step, &coarse_bend);
    const PetscReal fine     = quotient(numbers, i, FINE_UP, step / 4, &fine_bend);
    const PetscReal mismatch = fabs(coarse - fine) + fabs(coarse_bend - 4 * fine_bend);

    if (is_count[i] || mismatch > 1e-5) continue;
    assert_near(derivative[i], fine, mismatch + round_off);
    compared++;
  }
  return compared;
}

/* Tells which numbers are counts, after the layout that JointHistoryPack documents. */
static void mark_counts(const Joint *joint, PetscBool is_count[])
{
  PetscInt place = joint->size + joint->history.num_states * joint->history.num_points;

  for (PetscInt i = 0; i < MOST_NUMBERS; i++) is_count[i] = PETSC_FALSE;
  for (PetscInt i = 0; joint->history.turning && i < joint->history.num_points; i++) {
    is_count[place] = PETSC_TRUE;
    place += 1 + 2 * joint->history.turning[i].count;
  }
}

/* Moves the neighbours of a path one step and collects their numbers; false when they do not remember alike. */
static PetscBool move_neighbours(Joint neighbours[], const Joint *base, const Joint *change, PetscReal numbers[][MOST_NUMBERS])
{
  PetscBool alike = PETSC_TRUE;

  for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) {
    Joint *joint = &neighbours[m];

    for (PetscInt i = 0; i < joint->size; i++) {
      joint->displacement[i] = base->displacement[i] + shifts[m] * change->displacement[i];
      joint->velocity[i]     = base->velocity[i] + shifts[m] * change->velocity[i];
    }
    JointEvaluate(joint);
    JointCommit(joint);
    for (PetscInt i = 0; base->history.turning && i < base->history.num_points; i++) {
      if (joint->history.turning[i].count != base->history.turning[i].count) alike = PETSC_FALSE;
    }
    collect(joint, joint->force, numbers[m]);
  }
  return alike;
}

/* Marches a path with its derivative and its four neighbours, and counts the numbers compared and seen. */
static void compare_path(const Sample *sample, uint64_t *seed, PetscInt *compared, PetscInt *seen)
{
  PetscReal       numbers[NUM_PATHS][MOST_NUMBERS], derivative[MOST_NUMBERS];
  PetscBool       is_count[MOST_NUMBERS];
  const PetscReal range = RandomRange(seed);
  PetscBool       alike = PETSC_TRUE; /* once neighbours have closed other loops there is no derivative */
  Joint           base = JointOpen(sample, SAMPLE_POINTS), change = JointOpen(sample, SAMPLE_POINTS), neighbours[NUM_NEIGHBOURS];

  for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) neighbours[m] = JointOpen(sample, SAMPLE_POINTS);
  for (PetscInt i = 0; i < 25; i++) {
    const JointMotion motion = MotionOf(&base), dmotion = MotionOf(&change);
    PetscInt          size;

    RandomMotion(&base, range, seed);
    RandomMotion(&change, 1, seed);
    assert_ok(base.block.law->differentiate(&base.block, &base.history, &motion, &dmotion, &change.history, change.force));
    JointEvaluate(&base);
    JointCommit(&base);
    collect(&base, base.force, numbers[HERE]);
    size = collect(&change, change.force, derivative);
    assert_int_equal(size, base.size + JointHistorySize(&base.history));
    mark_counts(&base, is_count);
    for (PetscInt n = 0; n < size; n++) *seen += !is_count[n];
    if (!move_neighbours(neighbours, &base, &change, numbers)) alike = PETSC_FALSE;
    if (alike) *compared += compare(size, numbers, derivative, is_count);
  }
  for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) JointClose(&neighbours[m]);
  JointClose(&base);
  JointClose(&change);
}

static void derivatives_of_force_and_history_equal_difference_quotients_of_perturbed_paths(void **state)
{
  uint64_t seed = 5;

  (void)state;
  for (PetscInt s = 0; s < NUM_SAMPLES; s++) {
    PetscInt compared = 0, seen = 0;

    for (PetscInt path = 0; path < 300; path++) compare_path(&samples[s], &seed, &compared, &seen);
    if (compared < 0.9 * seen) fail_msg("sample %d: only %d of %d derivatives could be compared", (int)s, (int)compared, (int)seen);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(derivatives_of_force_and_history_equal_difference_quotients_of_perturbed_paths),
};

CHECK_MAIN(tests)
