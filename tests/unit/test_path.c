/* test_path.c - given motions: where they turn back, against fine searches, and that samples fall there. */
#include "../../src/study/loop/path.h"
#include "check.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  InputDocument *document;
  Path           path;
} Given;

static Given Read(const char *text)
{
  Given given;

  assert_ok(InputParse(PETSC_COMM_SELF, "case.yaml", text, strlen(text), &given.document));
  assert_ok(PathRead(InputRoot(given.document), PATH_OF_JOINT, &given.path));
  assert_int_equal(InputNumComplaints(given.document), 0);
  return given;
}

static void Destroy(Given *given)
{
  assert_ok(PathDestroy(&given->path));
  assert_ok(InputClose(&given->document));
}

static PetscReal Displacement(const Path *path, PetscReal time)
{
  PetscReal x, v, a;

  PathMotion(path, time, &x, &v, &a);
  return x;
}

/* Turns of the displacement itself at so many times: their number, and whether each is where the path says. */
static void CheckAgainstFineSearch(const Path *path, PetscInt looks)
{
  const PetscReal h      = path->duration / (PetscReal)looks;
  PetscReal       before = Displacement(path, 0), here = Displacement(path, h);
  PetscInt        corner = 1;

  for (PetscInt i = 2; i <= looks; i++) {
    const PetscReal next = Displacement(path, h * (PetscReal)i);

    if ((here - before) * (next - here) < 0.0) {
      assert_true(corner < path->num_corners);
      assert_true(path->corners[corner].turns);
      assert_near(path->corners[corner].time, h * (PetscReal)(i - 1), h);
      corner++;
    }
    before = here;
    here   = next;
  }
  assert_int_equal(corner, path->num_corners - 1);
}

/* One way between corners, all reversals sampled at rest, as many steps as asked for or more, evenly spread. */
static void CheckSamples(const Path *path, PetscInt steps)
{
  PathSamples samples;
  PetscInt    reversal = 0;

  assert_ok(PathSample(path, steps, &samples));
  assert_int_equal(samples.count, PathCount(path, steps));
  for (PetscInt c = 0; c < path->num_corners; c++) {
    if (!path->corners[c].turns) continue;
    assert_true(reversal < samples.num_reversals);
    assert_true(samples.time[samples.reversals[reversal]] == path->corners[c].time);
    assert_true(samples.velocity[samples.reversals[reversal]] == 0.0);
    reversal++;
  }
  assert_int_equal(reversal, samples.num_reversals);
  for (PetscInt r = 0; r + 1 < samples.num_reversals; r++) {
    const PetscInt  first = samples.reversals[r], last = samples.reversals[r + 1];
    const PetscReal way = samples.displacement[last] - samples.displacement[first], h = (samples.time[last] - samples.time[first]) / (last - first);

    assert_int_equal((last - first) % 2, 0);
    assert_at_least(1 / (PathFastest(path) * (PetscReal)steps), h, 1e-9 * h);
    for (PetscInt i = first; i < last; i++) {
      assert_true(way * (samples.displacement[i + 1] - samples.displacement[i]) > 0.0);
      assert_near(samples.time[i + 1] - samples.time[i], h, 1e-12 * samples.time[last]);
    }
  }
  assert_ok(PathSamplesDestroy(&samples));
}

static void a_sine_turns_each_half_period(void **state)
{
  Given given = Read("sine: {amplitude: 2e-6, frequency: 7, cycles: 2.6}");

  (void)state;
  assert_int_equal(given.path.num_corners, 7);
  assert_false(given.path.corners[0].turns);
  for (int i = 1; i <= 5; i++) {
    assert_true(given.path.corners[i].turns);
    assert_close(given.path.corners[i].time, (2 * i - 1) / 28.0, 1e-14);
    assert_close(given.path.corners[i].displacement, i % 2 ? 2e-6 : -2e-6, 1e-15);
  }
  assert_false(given.path.corners[6].turns);
  assert_close(given.path.corners[6].time, 2.6 / 7, 1e-15);
  CheckSamples(&given.path, 400);
  CheckSamples(&given.path, 5);
  Destroy(&given);
}

/* It comes straight from 0, so that it turns where it begins, and ends at rest. */
static void a_cosine_turns_at_its_ends_too(void **state)
{
  Given given = Read("sine: {amplitude: 3, cycles: 1000, phase: 1.5707963267948966}");

  (void)state;
  assert_int_equal(given.path.num_corners, 2001);
  for (int i = 0; i <= 2000; i++) {
    assert_true(given.path.corners[i].turns);
    assert_near(given.path.corners[i].time, 0.5 * i, 1e-12);
  }
  Destroy(&given);
  given = Read("sine: {amplitude: 3, cycles: 1, phase: 0.5}"); /* goes on the way it came */
  assert_false(given.path.corners[0].turns);
  Destroy(&given);
  given = Read("sine: {amplitude: 3, cycles: 1, phase: 2.5}"); /* comes up, goes down */
  assert_true(given.path.corners[0].turns);
  Destroy(&given);
}

/* Numbers of a linear congruential generator, in (0, 1). */
static PetscReal Random(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed + 0.5) / 4294967296.0;
}

static void sums_of_sines_turn_where_a_fine_search_sees_it(void **state)
{
  unsigned seed = 1;

  (void)state;
  for (int sum = 0; sum < 20; sum++) {
    char  text[1024];
    int   length = snprintf(text, sizeof(text), "multi_sine: {duration: 3, terms: [");
    Given given;

    for (int i = 0; i < 2 + sum % 4; i++) {
      const PetscReal frequency = 0.3 + 5 * Random(&seed), amplitude = (0.2 + Random(&seed)) / frequency;

      length += snprintf(text + length, sizeof(text) - (size_t)length, "{amplitude: %g, frequency: %g, phase: %g},", amplitude, frequency,
                         6.28 * Random(&seed));
    }
    snprintf(text + length, sizeof(text) - (size_t)length, "]}");
    given = Read(text);
    CheckAgainstFineSearch(&given.path, 20000);
    CheckSamples(&given.path, 50);
    Destroy(&given);
  }
}

/* x = sin t - sin(3t) / 3 has the velocity 4 sin^2 t cos t, which is zero at t = 0, pi, ... without changing its sign. */
static void a_touch_of_zero_is_no_reversal(void **state)
{
  Given given = Read("multi_sine: {duration: 9.42477796076938, terms: [{amplitude: 1, frequency: 0.15915494309189535},"
                     "{amplitude: 0.3333333333333333, frequency: 0.477464829275686, phase: 3.141592653589793}]}");

  (void)state;
  assert_int_equal(given.path.num_corners, 5);
  for (int i = 1; i <= 3; i++) assert_close(given.path.corners[i].time, PETSC_PI * (i - 0.5), 1e-12);
  CheckSamples(&given.path, 100);
  Destroy(&given);
}

/* With 1 + eps in front of the second sine the velocity near pi is -(8 t^2 - eps) / ...: two reversals pi -+ sqrt(eps) / 2, much closer to
   each other than the looks of the search are. */
static void two_reversals_close_together_are_both_found(void **state)
{
  const PetscReal   eps     = 1e-6;
  Given             given   = Read("multi_sine: {duration: 5, terms: [{amplitude: 1, frequency: 0.15915494309189535},"
                                                 "{amplitude: 0.3333336666666667, frequency: 0.477464829275686, phase: 3.141592653589793}]}");
  const PathCorner *corners = given.path.corners;

  (void)state;
  assert_int_equal(given.path.num_corners, 7); /* sqrt(eps) / 2, pi / 2, the two, 3 pi / 2, and the ends */
  assert_near(corners[1].time, 0.5 * PetscSqrtReal(eps), 1e-8);
  assert_close(corners[2].time, PETSC_PI / 2, 1e-12);
  assert_near(corners[3].time, PETSC_PI - 0.5 * PetscSqrtReal(eps), 1e-8);
  assert_near(corners[4].time, PETSC_PI + 0.5 * PetscSqrtReal(eps), 1e-8);
  assert_close(corners[5].time, 1.5 * PETSC_PI, 1e-12);
  Destroy(&given);
}

static void growing_sines_turn_where_a_fine_search_sees_it(void **state)
{
  const char *const texts[] = {"growing_sine: {from: 1e-9, to: 1e-3, cycles: 9.3, frequency: 2}", "growing_sine: {from: 1, to: 0.01, cycles: 3}",
                               "growing_sine: {from: 0, to: 2, cycles: 5, growth: linear}"};

  (void)state;
  for (int i = 0; i < 3; i++) {
    Given given = Read(texts[i]);

    CheckAgainstFineSearch(&given.path, 50000);
    CheckSamples(&given.path, 60);
    Destroy(&given);
  }
}

static void growing_sines_have_the_amplitudes_they_should(void **state)
{
  Given     given = Read("growing_sine: {from: 1e-6, to: 1e-3, cycles: 4, frequency: 2}");
  PetscReal x, v, a;

  (void)state;
  for (int i = 0; i < 16; i++) {
    const PetscReal time = 0.03 + 0.11 * i, h = 1e-6;

    PathMotion(&given.path, time, &x, &v, &a);
    assert_close(x, 1e-6 * pow(1000, time / 2) * sin(4 * PETSC_PI * time), 1e-12);
    assert_near(v, (Displacement(&given.path, time + h) - Displacement(&given.path, time - h)) / (2 * h),
                1e-9 * PathAmplitude(&given.path, time) * 100);
  }
  Destroy(&given);
}

static void ramps_keep_their_speed_and_turn_at_their_corners(void **state)
{
  Given       given = Read("ramp: {through: [1, 3, -1, 0.5], speed: 2}");
  PathSamples samples;

  (void)state;
  assert_ok(PathSample(&given.path, 10, &samples));
  assert_int_equal(samples.count, 41);
  assert_int_equal(samples.num_reversals, 3); /* not at 1; at the end it stops */
  assert_int_equal(samples.reversals[0], 20);
  assert_int_equal(samples.reversals[1], 30);
  assert_int_equal(samples.reversals[2], 40);
  assert_close(samples.time[20], 1.5, 1e-15);
  assert_close(samples.time[40], 1.5 + 2 + 0.75, 1e-15);
  assert_close(samples.displacement[25], 1, 1e-15);
  assert_true(samples.velocity[0] == 0.0);
  assert_true(samples.velocity[20] == 2.0);
  assert_true(samples.velocity[21] == -2.0);
  assert_ok(PathSamplesDestroy(&samples));
  Destroy(&given);
}

static void tables_turn_where_their_numbers_do(void **state)
{
  Given       given;
  PathSamples samples;
  FILE       *file = fopen("path.csv", "w");

  (void)state;
  assert_non_null(file);
  fprintf(file, "time,other,displacement\n2,9,0\n3,9,1000\n4,9,2000\n5,9,2000\n6,9,-1000\n8,9,-500\n9,9,-700\n");
  fclose(file);
  given = Read("table: {file: path.csv, displacement: 3, scale: 1e-3}");
  assert_ok(PathSample(&given.path, 2, &samples));
  assert_int_equal(samples.num_reversals, 3); /* the first of those at 2000; not the end */
  assert_close(samples.time[samples.reversals[0]], 4, 1e-15);
  assert_close(samples.time[samples.reversals[1]], 6, 1e-15);
  assert_close(samples.time[samples.reversals[2]], 8, 1e-15);
  assert_close(samples.displacement[samples.reversals[0]], 2, 1e-15);
  assert_int_equal(samples.count, 7); /* nothing is added where the file is fine enough */
  assert_ok(PathSamplesDestroy(&samples));
  assert_ok(PathSample(&given.path, 8, &samples));
  for (PetscInt i = 1; i < samples.count; i++) assert_at_least(0.5, samples.time[i] - samples.time[i - 1], 1e-12);
  assert_ok(PathSamplesDestroy(&samples));
  Destroy(&given);
}

/* Straight pieces through measured displacements; of the reversals only those remain that go back by more than the noise. */
static void noise_makes_no_reversals(void **state)
{
  const PetscReal displacement[] = {0, 4, 3.9, 5, 5, 4.8, 4.9, -3, -2.9, -3.1, -3, 1};
  const PetscReal noises[]       = {0, 0.15, 1, 9};
  const PetscInt  turns[][8]     = {{1, 2, 3, 5, 6, 7, 8, 9}, {3, 9}, {3, 9}, {0}};
  const PetscInt  counts[]       = {8, 2, 2, 0};

  (void)state;
  for (int n = 0; n < 4; n++) {
    PathCorner corners[12];
    Path       path  = {.kind = PATH_TABLE, .num_corners = 12, .corners = corners};
    PetscInt   found = 0;

    for (PetscInt i = 0; i < 12; i++) corners[i] = (PathCorner){.time = (PetscReal)i, .displacement = displacement[i]};
    PathMarkTurns(&path, noises[n], PETSC_FALSE);
    for (PetscInt i = 0; i < 12; i++) {
      if (!corners[i].turns) continue;
      assert_true(found < counts[n]);
      assert_int_equal(i, turns[n][found++]);
    }
    assert_int_equal(found, counts[n]);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_sine_turns_each_half_period),
  cmocka_unit_test(a_cosine_turns_at_its_ends_too),
  cmocka_unit_test(sums_of_sines_turn_where_a_fine_search_sees_it),
  cmocka_unit_test(a_touch_of_zero_is_no_reversal),
  cmocka_unit_test(two_reversals_close_together_are_both_found),
  cmocka_unit_test(growing_sines_turn_where_a_fine_search_sees_it),
  cmocka_unit_test(growing_sines_have_the_amplitudes_they_should),
  cmocka_unit_test(ramps_keep_their_speed_and_turn_at_their_corners),
  cmocka_unit_test(tables_turn_where_their_numbers_do),
  cmocka_unit_test(noise_makes_no_reversals),
};

CHECK_MAIN(tests)
