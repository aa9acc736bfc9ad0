/* test_steady.c - cycles that settle, that alternate, and what the last of them is; by hand. */
#include <math.h>
#include "../../src/study/response/steady.h"
#include "check.h"

enum { STEPS = 64, WINDOW = 3 };

static const PetscReal scales[2] = {1.0, 0.5};

/* A cycle of (1 + more) sin(phase) beside an angle that rests. */
static void add_cycle(Steady *steady, PetscReal more)
{
  for (PetscInt step = 1; step <= STEPS; step++) {
    PetscReal *sample = SteadySample(steady, step);

    sample[0] = (1.0 + more) * sin(2.0 * PETSC_PI * step / STEPS);
    sample[1] = 0.0;
  }
  SteadyEndCycle(steady);
}

static void what_settles_exponentially_is_as_far_away_as_is_said(void **state)
{
  const PetscReal shrinks = 0.9, first = 0.5;
  PetscReal       change, away, ratio, left;
  Steady         *steady;

  (void)state;
  assert_ok(SteadyCreate(2, scales, STEPS, WINDOW, &steady));
  SteadyChange(steady, &change, &away, &ratio);
  assert_true(isinf(change) && isinf(away));
  for (PetscInt k = 0; k < 60; k++) {
    const PetscReal beyond = first * pow(shrinks, (double)k);

    add_cycle(steady, beyond);
    SteadyChange(steady, &change, &away, &ratio);
    assert_int_equal(isinf(change) != 0, k < WINDOW);
    assert_int_equal(isinf(away) != 0, k < 2 * WINDOW);
    assert_ok(SteadyLeft(steady, &left));
    assert_int_equal(isinf(left) != 0, k < 2 * WINDOW);
    if (k >= WINDOW) assert_near(change, beyond * (pow(shrinks, -WINDOW) - 1.0) / (1.0 + beyond), 1e-12);
    if (k >= 2 * WINDOW) assert_near(left / (beyond / (1.0 + beyond)), 1.0, 1e-9);
    if (k >= 40) assert_near(away / (beyond / (1.0 + beyond)), 1.0, 0.05); /* the amplitude that changes are relative to changes too */
  }
  SteadyBegin(steady);
  add_cycle(steady, 0.0);
  SteadyChange(steady, &change, &away, &ratio);
  assert_true(isinf(change));
  assert_ok(SteadyDestroy(&steady));
}

/* A cycle of sin(phase) and what still vibrates beside it: parts [num, 2] of size and speed of the phase, and how much is left of each. */
static void add_vibration(Steady *steady, PetscInt num, PetscReal parts[][2], const PetscReal shrinks[], PetscInt cycle)
{
  for (PetscInt step = 1; step <= STEPS; step++) {
    const PetscReal phase  = 2.0 * PETSC_PI * ((PetscReal)cycle + (PetscReal)step / STEPS);
    PetscReal      *sample = SteadySample(steady, step);

    sample[0] = sin(phase);
    sample[1] = 0.0;
    for (PetscInt p = 0; p < num; p++) sample[0] += parts[p][0] * pow(shrinks[p], phase / (2.0 * PETSC_PI)) * sin(parts[p][1] * phase);
  }
  SteadyEndCycle(steady);
}

/* 34.6 Hz with 1 % of damping under a sine of 11.6 Hz: means, first harmonics and root mean squares hardly show it. */
static void a_free_vibration_at_a_multiple_of_the_load_is_seen(void **state)
{
  const PetscReal shrinks[1]  = {exp(-2.0 * PETSC_PI * 0.01 * 34.6 / 11.6)};
  PetscReal       parts[1][2] = {{0.1, 34.6 / 11.6}}, change, away, ratio, left;
  Steady         *steady;

  (void)state;
  assert_ok(SteadyCreate(2, scales, STEPS, WINDOW, &steady));
  for (PetscInt k = 0; k < 60; k++) {
    const PetscReal beyond = 0.1 * pow(shrinks[0], (double)k);

    add_vibration(steady, 1, parts, shrinks, k);
    SteadyChange(steady, &change, &away, &ratio);
    assert_ok(SteadyLeft(steady, &left));
    if (k < 2 * WINDOW) continue;
    assert_true(away > 0.9 * beyond && away < 3.0 * beyond); /* the vibration turns by 2 pi 0.017 in a cycle, too, and the crest is at its start */
    assert_true(left > 0.9 * beyond && left < 1.1 * beyond);
  }
  assert_ok(SteadyDestroy(&steady));
}

/* What settles fast is all that changes noticeably, while something slow is far from its end: changes of 1e-6 a cycle, 1e-3 away. */
static void what_settles_slowly_behind_what_settles_fast_is_seen(void **state)
{
  const PetscReal shrinks[2]  = {0.4, 0.999};
  PetscReal       parts[2][2] = {{1.0, 2.0}, {1e-3, 3.0}}, change, away, ratio, left;
  Steady         *steady;

  (void)state;
  assert_ok(SteadyCreate(2, scales, STEPS, WINDOW, &steady));
  for (PetscInt k = 0; k < 14; k++) add_vibration(steady, 2, parts, shrinks, k);
  SteadyChange(steady, &change, &away, &ratio);
  assert_ok(SteadyLeft(steady, &left));
  assert_true(away < 1e-4);
  assert_near(left, 1e-3 * pow(0.999, 13.0), 5e-5);
  assert_ok(SteadyDestroy(&steady));
}

/* An angle that is all round-off, of 1e-17 where the block moves by 1, changes as much as itself in each cycle. */
static void round_off_is_judged_by_what_moves(void **state)
{
  PetscReal change, away, ratio;
  Steady   *steady;

  (void)state;
  assert_ok(SteadyCreate(2, scales, STEPS, WINDOW, &steady));
  for (PetscInt k = 0; k < 20; k++) {
    for (PetscInt step = 1; step <= STEPS; step++) {
      PetscReal *sample = SteadySample(steady, step);

      sample[0] = sin(2.0 * PETSC_PI * step / STEPS);
      sample[1] = 1e-17 * sin(17.0 * k * k + 2.0 * step * k);
    }
    SteadyEndCycle(steady);
  }
  SteadyChange(steady, &change, &away, &ratio);
  assert_true(change > 0.0);
  assert_near(change, 0, 1e-10);
  assert_int_equal(steady->worst, 1);
  assert_ok(SteadyDestroy(&steady));
}

static void what_repeats_every_second_cycle_is_not_steady(void **state)
{
  PetscReal change, away, ratio, left;
  Steady   *steady;

  (void)state;
  assert_ok(SteadyCreate(2, scales, STEPS, WINDOW, &steady));
  for (PetscInt k = 0; k < 40; k++) add_cycle(steady, k % 2 ? 0.1 : 0.0);
  SteadyChange(steady, &change, &away, &ratio);
  assert_near(change, 0.1 / 1.1, 1e-12);
  assert_near(ratio, 1.0 / 1.1, 1e-12); /* a window before, an odd number of cycles, the amplitude was smaller */
  assert_near(away, 10.0 * change, 1e-12);
  assert_ok(SteadyLeft(steady, &left));
  assert_near(left, 0.05 / 1.1, 1e-9); /* from the middle of the two */
  assert_ok(SteadyDestroy(&steady));
}

static void a_cycle_has_amplitude_mean_and_harmonics(void **state)
{
  const PetscReal scale = 1.0;
  PetscReal       amplitude, angle;
  Steady         *steady;

  (void)state;
  assert_ok(SteadyCreate(1, &scale, STEPS, WINDOW, &steady));
  for (PetscInt step = 1; step <= STEPS; step++) {
    const PetscReal phase = 2.0 * PETSC_PI * step / STEPS;

    *SteadySample(steady, step) = 0.3 + 2.0 * sin(phase - 0.7) + 0.4 * sin(3.0 * phase + 1.1);
  }
  SteadyEndCycle(steady);
  assert_near(SteadyFigure(steady, 0, STEADY_MEAN), 0.3, 1e-14);
  assert_near(SteadyFigure(steady, 0, STEADY_RMS), sqrt(2.0 + 0.08), 1e-14);
  SteadyHarmonic(steady, 0, 1, &amplitude, &angle);
  assert_near(amplitude, 2.0, 1e-13);
  assert_near(angle, -0.7, 1e-13);
  SteadyHarmonic(steady, 0, 3, &amplitude, &angle);
  assert_near(amplitude, 0.4, 1e-13);
  assert_near(angle, 1.1, 1e-13);
  SteadyHarmonic(steady, 0, 2, &amplitude, &angle);
  assert_near(amplitude, 0.0, 1e-13);
  assert_ok(SteadyDestroy(&steady));
}

static void a_peak_between_samples_is_found(void **state)
{
  const PetscReal scale = 1.0;
  Steady         *steady;

  (void)state;
  assert_ok(SteadyCreate(1, &scale, STEPS, WINDOW, &steady));
  for (PetscInt step = 1; step <= STEPS; step++) *SteadySample(steady, step) = sin(2.0 * PETSC_PI * (step + 0.5) / STEPS);
  SteadyEndCycle(steady);
  assert_near(SteadyAmplitude(steady, 0), 1.0, pow(PETSC_PI / STEPS, 4.0)); /* the highest sample lies (pi / 64)^2 / 2 = 1.2e-3 below */
  assert_ok(SteadyDestroy(&steady));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(what_settles_exponentially_is_as_far_away_as_is_said),
  cmocka_unit_test(a_free_vibration_at_a_multiple_of_the_load_is_seen),
  cmocka_unit_test(what_settles_slowly_behind_what_settles_fast_is_seen),
  cmocka_unit_test(round_off_is_judged_by_what_moves),
  cmocka_unit_test(what_repeats_every_second_cycle_is_not_steady),
  cmocka_unit_test(a_cycle_has_amplitude_mean_and_harmonics),
  cmocka_unit_test(a_peak_between_samples_is_found),
};

CHECK_MAIN(tests)
