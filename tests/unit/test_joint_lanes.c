/* test_joint_lanes.c - every law of one component, side by side with itself: in each lane the bits of a block that is alone; and one untouched
   joint at many motions at once. */
#include "joint/lanes.h"
#include "joint_samples.h"

enum { POINTS = 3, STEPS = 400 };

/* Blocks of the same sample in all lanes, but for numbers that its law takes a little larger. */
static Joint OpenVariant(const ListedSample *listed, PetscInt lane)
{
  const JointLaw *const law     = JointLawFind(listed->sample.law);
  Sample                variant = listed->sample;

  for (PetscInt p = 0; law->parameters[p].name; p++)
    if (!law->parameters[p].whole && variant.parameters[p] != 0.0) variant.parameters[p] *= 1.0 + 1e-3 * (PetscReal)lane;
  return JointOpen(law->refuse && law->refuse(variant.parameters) ? &listed->sample : &variant, POINTS);
}

static void CompareLane(const Joint *joint, PetscInt lane, const Wide force[], const Wide stiffness[], const Wide dissipated[])
{
  for (PetscInt i = 0; i < POINTS; i++) {
    assert_true(force[i][lane] == joint->force[i]);
    assert_true(stiffness[i][lane] == joint->stiffness[i]);
    assert_true(dissipated[i][lane] == joint->dissipated[i]);
  }
}

/* All lanes and each block alone at the same motions. */
static void EvaluateBoth(const JointLanes *lanes, Joint alone[], const Wide motion[], Wide force[], Wide stiffness[], Wide loss[])
{
  JointLanesEvaluate(lanes, motion, force, stiffness, loss);
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    for (PetscInt i = 0; i < POINTS; i++) alone[lane].displacement[i] = motion[i][lane];
    JointEvaluate(&alone[lane]);
    for (PetscInt i = 0; i < POINTS; i++) {
      assert_true(force[i][lane] == alone[lane].force[i]);
      assert_true(stiffness[i][lane] == alone[lane].stiffness[i]);
    }
  }
}

/* Motions from which Newton might come: on either side of the one that is accepted, or far away. */
static void Try(const JointLanes *lanes, Joint alone[], const Wide motion[], uint64_t *seed)
{
  Wide trial[POINTS], force[POINTS], stiffness[POINTS], loss[POINTS];

  for (PetscInt i = 0; i < POINTS; i++)
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) trial[i][lane] = motion[i][lane] + 3.0 * pow(Random(seed), 5);
  EvaluateBoth(lanes, alone, trial, force, stiffness, loss);
}

/* Steps of all sizes, in most of which one lane or another reverses; tries that are not accepted; in some, lanes wait. */
static void CompareLaw(const ListedSample *listed)
{
  uint64_t   seed = SampleSeed(listed, 77);
  Joint      alone[WIDE_LANES], beside[WIDE_LANES];
  Wide       motion[POINTS] = {{0.0}}, force[POINTS], stiffness[POINTS], loss[POINTS], dissipated[POINTS] = {{0.0}};
  JointLanes lanes;

  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    alone[lane]  = OpenVariant(listed, lane);
    beside[lane] = OpenVariant(listed, lane);
  }
  assert_ok(JointLanesCreate(&alone[0].block, &lanes));
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    assert_true(JointLanesAlike(&alone[0].block, &beside[lane].block));
    JointLanesSet(&lanes, lane, &beside[lane].block, &beside[lane].history);
  }
  for (PetscInt step = 0; step < STEPS; step++) {
    const WideMask moved = step % 7 ? ~(WideMask){0} : WideMaskOf(1);

    for (PetscInt i = 0; i < POINTS; i++)
      for (PetscInt lane = 0; lane < WIDE_LANES; lane++) motion[i][lane] += 0.3 * pow(Random(&seed), 3);
    if (step % 3) Try(&lanes, alone, motion, &seed);
    EvaluateBoth(&lanes, alone, motion, force, stiffness, loss);
    assert_ok(JointLanesCommit(&lanes, moved, motion, force, loss, dissipated));
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      if (moved[lane]) JointCommit(&alone[lane]);
      CompareLane(&alone[lane], lane, force, stiffness, dissipated);
    }
  }
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    JointLanesKeep(&lanes, lane);
    assert_int_equal(JointHistorySize(&beside[lane].history), JointHistorySize(&alone[lane].history));
    for (PetscInt s = 0; s < alone[lane].history.num_states * POINTS; s++)
      assert_true(beside[lane].history.states[s] == alone[lane].history.states[s]);
    JointClose(&alone[lane]);
    JointClose(&beside[lane]);
  }
  assert_ok(JointLanesDestroy(&lanes));
}

static void lanes_are_as_blocks_alone(void **state)
{
  ListedSample listed;
  PetscInt     count = 0;

  (void)state;
  for (PetscInt i = 0; SampleGet(i, &listed); i++) {
    const JointLaw *const law = JointLawFind(listed.sample.law);

    if (law->dim > 1 || law->traits & JOINT_VISCOUS) continue;
    CompareLaw(&listed);
    count++;
  }
  assert_true(count > 20);
}

enum { MOTIONS = 32 * WIDE_LANES };

/* Motions of all sizes and both signs, none among them, far beyond full slip. */
static void CompareUntouched(const JointBlock *block, const JointLaneLaw *kind, uint64_t seed)
{
  const JointBlock point = JointBlockPoint(block, 0);
  PetscReal        motion[MOTIONS], force[2][MOTIONS], stiffness[2][MOTIONS];
  JointForce       alone = {force[0], stiffness[0], NULL, NULL};
  JointHistory     history;
  JointLanes       lanes;

  assert_ok(JointLanesCreateUntouched(&point, &lanes));
  assert_ptr_equal(lanes.law, block->law);
  for (PetscInt i = 0; i < MOTIONS; i++) motion[i] = i % 29 == 7 ? 0.0 : 3.0 * pow(Random(&seed), 5);
  assert_ok(JointHistoryCreate(block, &history));
  block->law->evaluate(block, &history, &(JointMotion){motion, NULL}, &alone);
  kind->untouched(&lanes, MOTIONS, motion, force[1], stiffness[1]);
  for (PetscInt i = 0; i < MOTIONS; i++) {
    assert_true(force[0][i] == force[1][i]);
    assert_true(stiffness[0][i] == stiffness[1][i]);
  }
  assert_ok(JointHistoryDestroy(&history));
  assert_ok(JointLanesDestroy(&lanes));
}

static void many_motions_of_an_untouched_joint_are_as_each_alone(void **state)
{
  ListedSample listed;
  PetscInt     count = 0;

  (void)state;
  for (PetscInt i = 0; SampleGet(i, &listed); i++) {
    const JointLaw *const     law  = JointLawFind(listed.sample.law);
    const JointLaneLaw *const kind = law->lanes;
    JointBlock                block;

    if (!kind || !kind->untouched) continue;
    assert_ok(JointBlockCreate(law, listed.sample.parameters, MOTIONS, &block));
    if (!kind->suits || kind->suits(&block)) {
      CompareUntouched(&block, kind, SampleSeed(&listed, 78));
      count++;
    }
    assert_ok(JointBlockDestroy(&block));
  }
  assert_true(count > 5);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(lanes_are_as_blocks_alone),
  cmocka_unit_test(many_motions_of_an_untouched_joint_are_as_each_alone),
};

CHECK_MAIN(tests)
