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
   they are, and have no `point`. Returns how many were compared. */
static PetscInt compare(PetscInt size, PetscReal numbers[][MOST_NUMBERS], const PetscReal derivative[], const PetscInt point[],
                        const PetscBool alike[])
{
  const PetscReal round_off = 4e-9; /* of numbers up to 30, by step / 4 */
  PetscInt        compared  = 0;

  for (PetscInt i = 0; i < size; i++) {
    PetscReal       coarse_bend, fine_bend;
    const PetscReal coarse   = quotient(numbers, i, COARSE_UP, step, &coarse_bend);
    const PetscReal fine     = quotient(numbers, i, FINE_UP, step / 4, &fine_bend);
    const PetscReal mismatch = fabs(coarse - fine) + fabs(coarse_bend - 4 * fine_bend);

    if (point[i] < 0 || !alike[point[i]] || mismatch > 1e-5) continue;
    assert_near(derivative[i], fine, mismatch + round_off);
    compared++;
  }
  return compared;
}

/* The point of each number, after the layout that JointHistoryPack documents; -1 for counts of turning points. */
static void find_points(const Joint *joint, PetscInt point[])
{
  const PetscInt n     = joint->history.num_points;
  PetscInt       place = joint->size + joint->history.num_states * n;

  for (PetscInt i = 0; i < place; i++) point[i] = i % n;
  for (PetscInt i = 0; joint->history.turning && i < n; i++) {
    point[place++] = -1;
    for (PetscInt k = 0; k < 2 * joint->history.turning[i].count; k++) point[place++] = i;
  }
}

static PetscInt count_turning(const Joint *joint, PetscInt i)
{
  return joint->history.turning ? joint->history.turning[i].count : 0;
}

/* Moves the neighbours of a path one step and collects the numbers of each point where those of the base stand: there is a derivative
   at a point as long as its neighbours remember alike. On the virgin curve nothing is remembered, so they do again. */
static void move_neighbours(Joint neighbours[], const Joint *base, const Joint *change, PetscBool alike[])
{
  PetscBool virgin[SAMPLE_POINTS];

  for (PetscInt i = 0; i < SAMPLE_POINTS; i++) virgin[i] = (PetscBool)(base->history.turning && count_turning(base, i) == 0);
  for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) {
    Joint *joint = &neighbours[m];

    for (PetscInt i = 0; i < joint->size; i++) {
      joint->displacement[i] = base->displacement[i] + shifts[m] * change->displacement[i];
      joint->velocity[i]     = base->velocity[i] + shifts[m] * change->velocity[i];
    }
    JointEvaluate(joint);
    JointCommit(joint);
    for (PetscInt i = 0; i < SAMPLE_POINTS; i++) {
      if (count_turning(joint, i) != count_turning(base, i)) alike[i] = PETSC_FALSE;
      if (count_turning(joint, i) != 0) virgin[i] = PETSC_FALSE;
    }
  }
  for (PetscInt i = 0; i < SAMPLE_POINTS; i++) alike[i] = (PetscBool)(alike[i] || virgin[i]);
}

/* Numbers of a joint in the places that those of another have; what only one of both has is left out. */
static void collect_like(const Joint *joint, const Joint *base, PetscReal numbers[])
{
  PetscReal own[MOST_NUMBERS];
  PetscInt  from = joint->size + joint->history.num_states * joint->history.num_points, to = from;

  collect(joint, joint->force, own);
  memcpy(numbers, own, (size_t)from * sizeof(PetscReal));
  for (PetscInt i = 0; joint->history.turning && i < joint->history.num_points; i++) {
    const PetscInt mine = 1 + 2 * count_turning(joint, i), its = 1 + 2 * count_turning(base, i);

    for (PetscInt k = 0; k < its; k++) numbers[to + k] = k < mine ? own[from + k] : 0;
    from += mine;
    to += its;
  }
}

/* Marches a path with its derivative and its four neighbours, and counts the numbers compared and seen. */
static void compare_path(const Sample *sample, uint64_t *seed, PetscInt *compared, PetscInt *seen)
{
  PetscReal       numbers[NUM_PATHS][MOST_NUMBERS], derivative[MOST_NUMBERS];
  PetscInt        point[MOST_NUMBERS];
  const PetscReal range = RandomRange(seed);
  PetscBool       alike[SAMPLE_POINTS];
  Joint           base = JointOpen(sample, SAMPLE_POINTS), change = JointOpen(sample, SAMPLE_POINTS), neighbours[NUM_NEIGHBOURS];

  for (PetscInt i = 0; i < SAMPLE_POINTS; i++) alike[i] = PETSC_TRUE;
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
    find_points(&base, point);
    for (PetscInt n = 0; n < size; n++) *seen += point[n] >= 0;
    move_neighbours(neighbours, &base, &change, alike);
    for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) collect_like(&neighbours[m], &base, numbers[m]);
    *compared += compare(size, numbers, derivative, point, alike);
  }
  for (PetscInt m = 0; m < NUM_NEIGHBOURS; m++) JointClose(&neighbours[m]);
  JointClose(&base);
  JointClose(&change);
}

static void derivatives_of_force_and_history_equal_difference_quotients_of_perturbed_paths(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed     = SampleSeed(&listed, 5);
    PetscInt compared = 0, seen = 0;

    for (PetscInt path = 0; path < 300; path++) compare_path(&listed.sample, &seed, &compared, &seen);
    if (compared < 0.97 * seen)
      fail_msg("%s, %s: only %d of %d derivatives could be compared", listed.sample.law, listed.what, (int)compared, (int)seen);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(derivatives_of_force_and_history_equal_difference_quotients_of_perturbed_paths),
};

CHECK_MAIN(tests)
