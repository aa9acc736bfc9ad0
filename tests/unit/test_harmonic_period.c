/* test_harmonic_period.c - every law over a period: its harmonics against the law marched in small steps, their derivatives against difference
   quotients, and where a joint was left before. */
#include "unit/joint_samples.h"
#include "harmonic/period.h"

enum { HIGHEST = 3, FUNCTIONS = 2 * HIGHEST + 1, NUMBERS = 3 * FUNCTIONS, FINE = 2048 };

/* A block of one point that moves rows of its own. */
typedef struct {
  SystemBlock block;
  PetscInt    first[JOINT_MAX_DIM + 1], row[JOINT_MAX_DIM];
  PetscReal   factor[JOINT_MAX_DIM];
  PetscInt    dim;
} Point;

static void PointOpen(const Sample *sample, Point *point)
{
  const JointLaw *law = JointLawFind(sample->law);

  *point = (Point){.dim = law->dim};
  assert_ok(JointBlockCreate(law, sample->parameters, 1, &point->block.block));
  for (PetscInt c = 0; c < law->dim; c++) {
    point->first[c + 1] = c + 1;
    point->row[c]       = c;
    point->factor[c]    = 1.0;
  }
  point->block.first  = point->first;
  point->block.row    = point->row;
  point->block.factor = point->factor;
}

static void PointClose(Point *point)
{
  assert_ok(JointBlockDestroy(&point->block.block));
}

static void RandomHarmonics(PetscInt dim, uint64_t *seed, PetscReal x[])
{
  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt j = 0; j < FUNCTIONS; j++) x[c * FUNCTIONS + j] = 0.8 * Random(seed) / (j < 3 ? 1.0 : 3.0 * (j / 2 + 1.0));
}

static void EvaluateOn(const Point *point, PetscBool odd, PetscInt samples, PetscReal frequency, const PetscReal x[], PetscReal force[],
                       PetscReal tangent[], PetscReal by_frequency[], PeriodVerdict *verdict)
{
  HarmonicBasis *basis;
  Period        *period;

  assert_ok(HarmonicBasisCreate(HIGHEST, odd, samples, &basis));
  assert_ok(PeriodCreate(&point->block, basis, NULL, &period));
  assert_ok(PeriodEvaluate(period, 0, frequency, x, force, tangent, by_frequency, verdict));
  assert_ok(PeriodDestroy(&period));
  assert_ok(HarmonicBasisDestroy(&basis));
}

static void Evaluate(const Point *point, PetscInt samples, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                     PetscReal by_frequency[], PeriodVerdict *verdict)
{
  EvaluateOn(point, PETSC_FALSE, samples, frequency, x, force, tangent, by_frequency, verdict);
}

/* The law in steps of its own, from where it was left, through periods; harmonics of the last one, and what it dissipates. */
static PetscReal March(const Point *point, PetscInt periods, PetscReal frequency, const PetscReal x[], PetscReal force[])
{
  const JointBlock *const block = &point->block.block;
  JointHistory            history;
  HarmonicBasis          *basis;
  PetscReal               motion[JOINT_MAX_DIM], velocity[JOINT_MAX_DIM], f[JOINT_MAX_DIM], loss[1], dissipated[1] = {0.0}, before = 0.0;

  assert_ok(HarmonicBasisCreate(HIGHEST, PETSC_FALSE, FINE, &basis));
  assert_ok(JointHistoryCreate(block, &history));
  if (point->block.memory) assert_ok(JointHistoryCopy(point->block.memory, &history));
  for (PetscInt n = 0; n <= periods * FINE; n++) {
    JointForce  result = {f, NULL, NULL, loss};
    JointMotion at     = {motion, velocity};

    if (n == (periods - 1) * FINE) {
      for (PetscInt i = 0; i < point->dim * FUNCTIONS; i++) force[i] = 0.0;
      before = dissipated[0];
    }
    for (PetscInt c = 0; c < point->dim; c++) {
      PetscReal slope, curvature;

      HarmonicMotionAt(basis, x + c * FUNCTIONS, 2.0 * PETSC_PI * (n % FINE) / FINE, &motion[c], &slope, &curvature);
      velocity[c] = frequency * slope;
    }
    block->law->evaluate(block, &history, &at, &result);
    if (block->law->commit) assert_ok(block->law->commit(block, &history, &at, &result, dissipated));
    if (n < (periods - 1) * FINE || n == periods * FINE) continue;
    for (PetscInt c = 0; c < point->dim; c++)
      for (PetscInt j = 0; j < FUNCTIONS; j++) force[c * FUNCTIONS + j] += basis->weight[j] * f[c] * basis->function[j * FINE + n % FINE];
  }
  assert_ok(JointHistoryDestroy(&history));
  assert_ok(HarmonicBasisDestroy(&basis));
  return dissipated[0] - before;
}

static PetscReal LargestOf(PetscInt count, const PetscReal values[])
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* 512 samples against 2048 steps: measured 3e-4 at most, and 7e-3 of faces whose friction falls with the speed of slip: it is that of the step before,
   so of first order. */
static void harmonics_of_all_laws_are_those_of_the_law_marched_through_periods(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 21);
    Point    point;

    if (listed.traits & (JOINT_LINEAR | JOINT_RIGID)) continue; /* those that stick exactly are refused */
    PointOpen(&listed.sample, &point);
    for (PetscInt trial = 0; trial < 3; trial++) {
      PetscReal     x[NUMBERS], force[NUMBERS], marched[NUMBERS];
      PeriodVerdict verdict;

      RandomHarmonics(point.dim, &seed, x);
      Evaluate(&point, 512, 1.3, x, force, NULL, NULL, &verdict);
      March(&point, verdict.periods + 1, 1.3, x, marched);
      if (verdict.gap > 1e-6) continue; /* a drift that dies out slowly: the verdict says so */
      for (PetscInt i = 0; i < point.dim * FUNCTIONS; i++)
        assert_near(force[i], marched[i], (point.dim > 1 && listed.traits & JOINT_VISCOUS ? 3e-2 : 1e-3) * LargestOf(point.dim * FUNCTIONS, marched));
    }
    PointClose(&point);
  }
}

/* Where the quotients of both steps agree there is a derivative. */
static void tangents_equal_difference_quotients(void **state)
{
  const PetscReal step = 1e-5;
  ListedSample    listed;
  PetscInt        compared = 0, seen = 0;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t seed = SampleSeed(&listed, 22);
    Point    point;

    if (listed.traits & (JOINT_LINEAR | JOINT_RIGID)) continue; /* those that stick exactly are refused */
    PointOpen(&listed.sample, &point);
    for (PetscInt trial = 0; trial < 2; trial++) {
      const PetscInt size = point.dim * FUNCTIONS;
      PetscReal      x[NUMBERS], force[NUMBERS], tangent[NUMBERS * NUMBERS], by_frequency[NUMBERS], up[4][NUMBERS], largest;
      PeriodVerdict  verdict;

      RandomHarmonics(point.dim, &seed, x);
      Evaluate(&point, 64, 1.3, x, force, tangent, by_frequency, &verdict);
      largest = LargestOf(size * size, tangent);
      for (PetscInt j = 0; j <= size; j++) {
        const PetscReal shifts[] = {step, -step, 0.5 * step, -0.5 * step};

        for (PetscInt m = 0; m < 4; m++) {
          const PetscReal here = x[j % size];

          if (j < size) x[j] += shifts[m];
          Evaluate(&point, 64, j < size ? 1.3 : 1.3 + shifts[m], x, up[m], NULL, NULL, &verdict);
          if (j < size) x[j] = here;
        }
        for (PetscInt i = 0; i < size; i++) {
          const PetscReal wide = (up[0][i] - up[1][i]) / (2.0 * step), narrow = (up[2][i] - up[3][i]) / step;

          seen++;
          if (fabs(wide - narrow) > 1e-6 * fmax(largest, 1.0)) continue;
          compared++;
          assert_near(j < size ? tangent[i * size + j] : by_frequency[i], narrow, 3.0 * fabs(wide - narrow) + 3e-8 * fmax(largest, 1.0));
        }
      }
    }
    PointClose(&point);
  }
  assert_true(compared > 0.9 * seen);
}

enum { ODD_FUNCTIONS = HIGHEST + 1 };

/* Place of an odd function among all. */
static PetscInt Among(PetscInt i)
{
  const PetscInt j = i % ODD_FUNCTIONS;

  return i / ODD_FUNCTIONS * FUNCTIONS + (j < 2 ? 1 + j : 3 + j);
}

/* What odd harmonics alone give beside what all do: half of the loop, twice as much of everything. Returns whether the loop closes. */
static PetscBool CompareHalves(const Point *point, PetscInt samples, PetscReal third, uint64_t *seed)
{
  const PetscInt odd = point->dim * ODD_FUNCTIONS, size = point->dim * FUNCTIONS;
  PetscReal      x[NUMBERS] = {0.0}, half[NUMBERS], all[NUMBERS], half_tangent[NUMBERS * NUMBERS], tangent[NUMBERS * NUMBERS];
  PetscReal      half_change[NUMBERS], change[NUMBERS], at[NUMBERS];
  PeriodVerdict  verdict, half_verdict;

  for (PetscInt i = 0; i < odd; i++) x[Among(i)] = at[i] = 0.7 * Random(seed) * (i % ODD_FUNCTIONS < 2 ? 1.0 : third);
  EvaluateOn(point, PETSC_FALSE, samples, 1.3, x, all, tangent, change, &verdict);
  EvaluateOn(point, PETSC_TRUE, samples, 1.3, at, half, half_tangent, half_change, &half_verdict);
  if (verdict.gap > 1e-9 || half_verdict.gap > 1e-9) return PETSC_FALSE;
  for (PetscInt i = 0; i < odd; i++) {
    assert_near(half[i], all[Among(i)], 1e-8 * LargestOf(size, all));
    assert_near(half_change[i], change[Among(i)], 1e-6 * LargestOf(size, change));
    for (PetscInt j = 0; j < odd; j++)
      assert_near(half_tangent[i * odd + j], tangent[Among(i) * size + Among(j)], 1e-6 * LargestOf(size * size, tangent));
  }
  return PETSC_TRUE;
}

/* Four samples are lopsided: gaps of one side, with clearance and without, a bilinear Valanis law, a generalised one of two branches. All others are
   odd, faces as far as nothing moves them apart. An odd number of samples has no half. Large third harmonics make inner loops. */
static void half_a_loop_of_an_odd_law_is_as_good_as_all_of_it(void **state)
{
  ListedSample listed;
  PetscInt     compared = 0, lopsided = 0;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    uint64_t  seed = SampleSeed(&listed, 23);
    PetscBool odd;
    Point     point;

    if (listed.traits & JOINT_RIGID) continue; /* those that stick exactly are refused */
    PointOpen(&listed.sample, &point);
    assert_ok(PeriodIsOdd(&point.block, &odd));
    if (point.dim > 1) {
      assert_false(odd);
      for (PetscInt c = 0; c <= point.dim; c++) point.first[c] = PetscMax(c - 1, 0);
      assert_ok(PeriodIsOdd(&point.block, &odd));
      assert_true(odd);
    } else if (!odd) lopsided++;
    for (PetscInt trial = 0; odd && trial < 4; trial++) compared += CompareHalves(&point, trial == 1 ? 65 : 64, trial < 2 ? 0.25 : 1.0, &seed);
    PointClose(&point);
  }
  assert_true(compared > 80);
  assert_int_equal(lopsided, 4);
}

/* A step of Newton's method may have been no number; following it must come to an end. */
static void a_motion_that_is_no_number_is_soon_done_with(void **state)
{
  ListedSample listed;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    PetscReal     x[NUMBERS], force[NUMBERS], tangent[NUMBERS * NUMBERS], by_frequency[NUMBERS];
    PetscBool     odd;
    PeriodVerdict verdict;
    Point         point;

    if (listed.traits & JOINT_RIGID) continue; /* those that stick exactly are refused */
    PointOpen(&listed.sample, &point);
    assert_ok(PeriodIsOdd(&point.block, &odd));
    for (PetscInt i = 0; i < NUMBERS; i++) x[i] = (PetscReal)NAN;
    EvaluateOn(&point, PETSC_FALSE, 64, 1.3, x, force, tangent, by_frequency, &verdict);
    if (odd) EvaluateOn(&point, PETSC_TRUE, 64, 1.3, x, force, tangent, by_frequency, &verdict);
    PointClose(&point);
  }
}

/* What was remembered before decides on which branch a small motion lies. */
static void a_joint_that_was_left_somewhere_moves_about_that(void **state)
{
  const Sample    iwan       = {.law = "iwan4", .parameters = {0.7, 1.0, -0.5, 5.0}};
  const PetscReal path[]     = {0.9, -0.4, 0.5, 0.1};
  PetscReal       x[NUMBERS] = {0.1, 0.12, 0.05, 0.02, -0.01}, force[NUMBERS], marched[NUMBERS], dissipated;
  JointHistory    memory;
  PeriodVerdict   verdict;
  Point           point;
  HarmonicBasis  *basis;

  (void)state;
  PointOpen(&iwan, &point);
  assert_ok(JointHistoryCreate(&point.block.block, &memory));
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(path); i++) {
    PetscReal   f, loss, lost = 0.0;
    JointMotion motion = {&path[i], NULL};
    JointForce  result = {&f, NULL, NULL, &loss};

    point.block.block.law->evaluate(&point.block.block, &memory, &motion, &result);
    assert_ok(point.block.block.law->commit(&point.block.block, &memory, &motion, &result, &lost));
  }
  point.block.memory = &memory;
  Evaluate(&point, 512, 1.0, x, force, NULL, NULL, &verdict);
  dissipated = March(&point, 3, 1.0, x, marched);
  for (PetscInt i = 0; i < FUNCTIONS; i++) assert_near(force[i], marched[i], 1e-5);
  assert_ok(HarmonicBasisCreate(HIGHEST, PETSC_FALSE, 512, &basis));
  assert_near(PeriodLoss(basis, x, force), dissipated, 1e-5); /* of 0.02, in 2048 steps */
  assert_ok(HarmonicBasisDestroy(&basis));
  assert_ok(JointHistoryDestroy(&memory));
  PointClose(&point);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(harmonics_of_all_laws_are_those_of_the_law_marched_through_periods),
  cmocka_unit_test(tangents_equal_difference_quotients),
  cmocka_unit_test(half_a_loop_of_an_odd_law_is_as_good_as_all_of_it),
  cmocka_unit_test(a_motion_that_is_no_number_is_soon_done_with),
  cmocka_unit_test(a_joint_that_was_left_somewhere_moves_about_that),
};

CHECK_MAIN(tests)
