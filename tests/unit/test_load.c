/* test_load.c - signals of time against their formulas, and where loads push. */
#include "../verify/motion.h"
#include "joint_samples.h"
#include <string.h>

static PetscReal At(const Signal *signal, PetscReal time)
{
  return SignalValue(signal, time);
}

static void a_half_sine_is_zero_but_for_its_duration(void **state)
{
  const Signal signal = {.kind = SIGNAL_HALF_SINE, .start = 2.0, .duration = 0.5};

  (void)state;
  assert_near(At(&signal, 1.999), 0.0, 0.0);
  assert_near(At(&signal, 2.0), 0.0, 0.0);
  assert_close(At(&signal, 2.125), sqrt(0.5), 1e-15);
  assert_close(At(&signal, 2.25), 1.0, 1e-15);
  assert_close(At(&signal, 2.375), sqrt(0.5), 1e-15);
  assert_true(At(&signal, 2.4999) > 0.0);
  assert_near(At(&signal, 2.5), 0.0, 0.0);
  assert_near(At(&signal, 2.75), 0.0, 0.0); /* where the full sine is -1 */
}

static void a_harmonic_goes_on_from_its_phase(void **state)
{
  const Signal signal = {.kind = SIGNAL_HARMONIC, .start = 1.0, .frequency = 0.25, .phase = PETSC_PI / 6.0};

  (void)state;
  assert_near(At(&signal, 0.999), 0.0, 0.0);
  assert_close(At(&signal, 1.0 + 1e-12), 0.5, 1e-11);
  assert_close(At(&signal, 2.0), cos(PETSC_PI / 6.0), 1e-15); /* a quarter period later */
  assert_close(At(&signal, 1.0 + 4000.0), 0.5, 3e-12);        /* its angle, 6283, is rounded to 9e-13 */
}

static void a_duration_ends_a_harmonic(void **state)
{
  const Signal signal = {.kind = SIGNAL_HARMONIC, .start = 1.0, .frequency = 0.3, .duration = 2.5};

  (void)state;
  assert_close(At(&signal, 3.49), sin(2.0 * PETSC_PI * 0.3 * 2.49), 1e-14);
  assert_near(At(&signal, 3.501), 0.0, 0.0);
}

static void a_jump_has_the_mean_of_its_sides_but_for_time_0(void **state)
{
  const PetscReal lines[] = {0.5, 3.0, 2.5, 4.0};
  const Signal    push = {.kind = SIGNAL_STEP, .start = 1.0, .duration = 2.0}, at_once = {.kind = SIGNAL_STEP};
  const Signal    harmonic  = {.kind = SIGNAL_HARMONIC, .start = 1.0, .frequency = 0.25, .phase = PETSC_PI / 6.0};
  const Signal    table     = {.kind = SIGNAL_TABLE, .start = 1.0, .num_samples = 2, .samples = lines};
  const PetscReal of_a_step = 1000 * 1e-3; /* what a step makes of 1 s, give or take round-off */

  (void)state;
  assert_near(At(&push, of_a_step), 0.5, 0.0);
  assert_near(At(&push, 3.0 * (1.0 + PETSC_MACHINE_EPSILON)), 0.5, 0.0);
  assert_near(At(&push, 1.0 - 1e-9), 0.0, 0.0);
  assert_near(At(&push, 1.0 + 1e-9), 1.0, 0.0);
  assert_near(At(&at_once, 0.0), 1.0, 0.0);
  assert_close(At(&harmonic, 1.0), 0.25, 1e-15);
  assert_near(At(&table, 1.5), 1.5, 0.0);
  assert_near(At(&table, 3.5), 2.0, 0.0);
}

/* A load that ends with the motion counts in full, one that begins there not at all. */
static void a_jump_where_the_motion_ends_has_the_side_before(void **state)
{
  const PetscReal lines[] = {0.5, 3.0, 2.5, 4.0};
  const PetscReal last    = 3500 * 1e-3; /* what a step makes of 3.5 s, give or take round-off */
  const Signal    table   = {.kind = SIGNAL_TABLE, .start = 1.0, .num_samples = 2, .samples = lines, .until = last};
  const Signal    later = {.kind = SIGNAL_STEP, .start = 3.5, .until = last}, longer = {.kind = SIGNAL_STEP, .start = 1.0, .until = last};

  (void)state;
  assert_near(At(&table, 3.5), 4.0, 0.0);
  assert_near(At(&table, last * (1.0 + PETSC_MACHINE_EPSILON)), 4.0, 0.0);
  assert_near(At(&table, 1.5), 1.5, 0.0);
  assert_near(At(&later, 3.5), 0.0, 0.0);
  assert_near(At(&longer, 3.5), 1.0, 0.0);
  assert_near(At(&longer, 1.0), 0.5, 0.0);
}

static void a_harmonic_swells(void **state)
{
  const Signal signal = {.kind = SIGNAL_HARMONIC, .start = 1.0, .frequency = 1.25, .rise = 4.0};

  (void)state;
  assert_close(At(&signal, 1.0 + 1.0), sin(2.5 * PETSC_PI) * (0.5 - 0.5 * sqrt(0.5)), 1e-14);
  assert_close(At(&signal, 1.0 + 3.0), sin(7.5 * PETSC_PI) * (0.5 + 0.5 * sqrt(0.5)), 1e-14);
  assert_close(At(&signal, 1.0 + 5.0), sin(12.5 * PETSC_PI), 1e-14);
}

/* Derivative of the phase over 2 pi, from the signal and the one a quarter turn ahead; exact to dt^2 / 6 of its second derivative. */
static PetscReal InstantaneousFrequency(const Signal *signal, PetscReal time, PetscReal dt)
{
  Signal    ahead = *signal;
  PetscReal s0, c0, s1, c1;

  ahead.phase += 0.5 * PETSC_PI;
  s0 = At(signal, time - dt);
  c0 = At(&ahead, time - dt);
  s1 = At(signal, time + dt);
  c1 = At(&ahead, time + dt);
  assert_close(s0 * s0 + c0 * c0, 1.0, 1e-12);
  return atan2(s1 * c0 - c1 * s0, c1 * c0 + s1 * s0) / (2.0 * dt) / (2.0 * PETSC_PI);
}

static void a_linear_chirp_changes_its_frequency_evenly(void **state)
{
  const PetscReal ends[][2] = {{5.0, 40.0}, {40.0, 5.0}, {7.0, 7.0}};

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const Signal signal = {.kind = SIGNAL_CHIRP, .start = 1.0, .duration = 4.0, .frequency = ends[i][0], .end_frequency = ends[i][1], .phase = 0.3};

    for (PetscReal since = 0.1; since < 3.9; since += 0.1)
      assert_close(InstantaneousFrequency(&signal, 1.0 + since, 1e-3), ends[i][0] + (ends[i][1] - ends[i][0]) * since / 4.0, 1e-10);
    assert_close(At(&signal, 1.0 + 1e-12), sin(0.3), 1e-8);
    assert_near(At(&signal, 0.999), 0.0, 0.0);
    assert_near(At(&signal, 5.001), 0.0, 0.0);
  }
}

static void a_logarithmic_chirp_changes_its_frequency_by_equal_ratios(void **state)
{
  const PetscReal ends[][2] = {{5.0, 80.0}, {80.0, 5.0}, {7.0, 7.0}};

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const Signal signal = {
      .kind = SIGNAL_CHIRP, .sweep = 1, .start = 1.0, .duration = 4.0, .frequency = ends[i][0], .end_frequency = ends[i][1], .phase = 0.3};

    for (PetscReal since = 0.1; since < 3.9; since += 0.1)
      assert_close(InstantaneousFrequency(&signal, 1.0 + since, 1e-4), ends[i][0] * pow(ends[i][1] / ends[i][0], since / 4.0), 5e-9);
    assert_close(At(&signal, 1.0 + 1e-12), sin(0.3), 1e-8);
    assert_near(At(&signal, 5.001), 0.0, 0.0);
  }
}

static void a_step_rises_evenly_and_ends(void **state)
{
  const Signal sudden = {.kind = SIGNAL_STEP, .start = 1.0}, slow = {.kind = SIGNAL_STEP, .start = 1.0, .rise = 0.5, .duration = 3.0};

  (void)state;
  assert_near(At(&sudden, 0.999), 0.0, 0.0);
  assert_near(At(&sudden, 1.001), 1.0, 0.0);
  assert_near(At(&sudden, 1e9), 1.0, 0.0);
  assert_near(At(&slow, 1.0), 0.0, 0.0);
  assert_close(At(&slow, 1.125), 0.25, 1e-15);
  assert_near(At(&slow, 1.5), 1.0, 0.0);
  assert_near(At(&slow, 3.999), 1.0, 0.0);
  assert_near(At(&slow, 4.001), 0.0, 0.0);
}

/* Times are then exact in binary. */
static void a_table_is_linear_between_its_lines_and_zero_outside(void **state)
{
  const PetscReal lines[] = {0.25, 3.0, 0.5, -1.0, 2.0, 0.5, 2.5, 4.0};
  const Signal    signal  = {.kind = SIGNAL_TABLE, .start = 10.0, .num_samples = 4, .samples = lines};

  (void)state;
  assert_near(At(&signal, 10.249), 0.0, 0.0);
  for (PetscInt i = 1; i < 3; i++) assert_near(At(&signal, 10.0 + lines[2 * i]), lines[2 * i + 1], 0.0);
  assert_close(At(&signal, 10.375), 1.0, 1e-15);
  assert_close(At(&signal, 11.0), -0.5, 1e-15);
  assert_close(At(&signal, 12.125), 0.5 + 3.5 / 4.0, 1e-15);
  assert_near(At(&signal, 12.501), 0.0, 0.0);
  assert_near(At(&signal, 0.3), 0.0, 0.0);
}

/* Looked for line by line. */
static PetscReal Interpolate(PetscInt n, const PetscReal lines[], PetscReal time)
{
  for (PetscInt i = 1; i < n; i++) {
    const PetscReal *const before = lines + 2 * (i - 1), *const after = lines + 2 * i;

    if (time >= before[0] && time <= after[0]) return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
  }
  return 0.0;
}

static void any_table_is_found_its_way_in(void **state)
{
  enum { MOST = 40 };
  PetscReal lines[2 * MOST];
  uint64_t  seed = 4;

  (void)state;
  for (PetscInt n = 2; n <= MOST; n++) {
    const Signal signal = {.kind = SIGNAL_TABLE, .num_samples = n, .samples = lines};

    for (PetscInt i = 0; i < n; i++) {
      lines[2 * i]     = (i > 0 ? lines[2 * i - 2] : 0.1) + 1.1 + Random(&seed);
      lines[2 * i + 1] = Random(&seed);
    }
    for (PetscInt i = 0; i < 500; i++) {
      const PetscReal time = (0.5 + 0.51 * Random(&seed)) * lines[2 * n - 2];

      if (time >= 0.0) assert_near(At(&signal, time), Interpolate(n, lines, time), 1e-15);
    }
  }
}

/* Three masses of 1, 2, 3 kg, the last joined by a Jenkins element; point "tip" moves in y and z (a fixed direction, an unknown). */
static System *BuildStructure(void)
{
  const PetscReal jenkins[]   = {40.0, 1.0};
  const PetscInt  direction[] = {1, 2}, unknown[] = {-1, 2};
  System         *system = SystemNew(3);

  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0 + (PetscReal)i));
    AddSpring(system, i - 1, i, 100.0);
  }
  assert_ok(SystemAddMass(system, 0, 1, 0.25));
  assert_ok(SystemAddMass(system, 1, 0, 0.25));
  AddJoint(system, JointLawFind("jenkins"), jenkins, 1, 2);
  assert_ok(SystemAddPoint(system, "tip", 2, direction, unknown));
  assert_ok(SystemAddBase(system, 0, 0, 1.25));
  assert_ok(SystemAddBase(system, 0, 1, 2.25));
  assert_ok(SystemAddBase(system, 2, 2, 3.0));
  assert_ok(SystemSetUp(system));
  return system;
}

static void CheckDistribution(ModeCache *cache, const Load *load, const PetscReal expected[], PetscReal tolerance)
{
  PetscReal distribution[] = {9.0, 9.0, 9.0};

  assert_ok(LoadDistribution(load, cache, distribution));
  for (PetscInt i = 0; i < 3; i++) assert_near(distribution[i], expected[i], tolerance);
}

static void a_load_on_a_point_is_a_force_on_its_unknown(void **state)
{
  System        *system = BuildStructure();
  ModeCache      cache  = {.system = system};
  const PetscInt tip    = NamesFindPoint(&system->names, "tip");
  Load           load   = {.place = LOAD_ON_POINT, .amplitude = 2.5};

  (void)state;
  load.motion = NamesFindMotion(&system->names, NamesFindPoint(&system->names, "u1"), 0);
  CheckDistribution(&cache, &load, (PetscReal[]){0.0, 2.5, 0.0}, 0.0);
  load.motion = NamesFindMotion(&system->names, tip, 2);
  CheckDistribution(&cache, &load, (PetscReal[]){0.0, 0.0, 2.5}, 0.0);
  load.motion = NamesFindMotion(&system->names, tip, 1); /* what is fixed is pushed in vain */
  CheckDistribution(&cache, &load, (PetscReal[]){0.0, 0.0, 0.0}, 0.0);
  assert_int_equal(NamesFindMotion(&system->names, tip, 0), -1);
  assert_ok(SystemDestroy(&system));
}

/* Eq. 27 of lacayo2017: p M phi, with phi of either state of the joints. */
static void a_load_on_a_shape_is_the_mass_times_it(void **state)
{
  System   *system = BuildStructure();
  ModeCache cache  = {.system = system};
  PetscReal M[9];

  (void)state;
  MatrixGet(system->M, 3, 3, M);
  for (PetscInt joints = JOINT_STUCK; joints <= JOINT_SLIPPING; joints++)
    for (PetscInt mode = 1; mode <= 3; mode++) {
      const Load   load        = {.place = LOAD_ON_SHAPE, .mode = mode, .joints = (JointState)joints, .amplitude = -3.0};
      PetscReal    expected[3] = {0.0, 0.0, 0.0};
      const Modes *modes;

      assert_ok(ModeCacheGet(&cache, (JointState)joints, 3, &modes));
      for (PetscInt i = 0; i < 3; i++)
        for (PetscInt j = 0; j < 3; j++) expected[i] -= 3.0 * M[i * 3 + j] * modes->shape[(mode - 1) * 3 + j];
      CheckDistribution(&cache, &load, expected, 1e-14);
    }
  assert_true(fabs(cache.modes[JOINT_STUCK]->shape[0] - cache.modes[JOINT_SLIPPING]->shape[0]) > 1e-3);
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(SystemDestroy(&system));
}

/* The base takes what stands on it along: in relative motion a force -M r. */
static void a_load_of_the_base_is_the_inertia_of_what_it_carries(void **state)
{
  System    *system  = BuildStructure();
  ModeCache  cache   = {.system = system};
  const Load along_x = {.place = LOAD_ON_BASE, .direction = 0, .amplitude = 2.0}, along_z = {.place = LOAD_ON_BASE, .direction = 2, .amplitude = 2.0};

  (void)state;
  CheckDistribution(&cache, &along_x, (PetscReal[]){-2.0 * 1.25, -2.0 * 2.25, 0.0}, 1e-15);
  CheckDistribution(&cache, &along_z, (PetscReal[]){0.0, 0.0, -6.0}, 1e-15);
  assert_null(system->base[1]);
  assert_ok(SystemDestroy(&system));
}

static void a_mode_gives_a_load_its_time(void **state)
{
  System      *system = BuildStructure();
  ModeCache    cache  = {.system = system};
  Load         hit = {.time_mode = 2, .signal = {.kind = SIGNAL_HALF_SINE}}, hum = {.time_mode = 3, .signal = {.kind = SIGNAL_HARMONIC}};
  Load         own = {.signal = {.kind = SIGNAL_HALF_SINE, .duration = 0.7}};
  const Modes *modes;

  (void)state;
  assert_ok(LoadResolve(&hit, &cache));
  assert_ok(LoadResolve(&hum, &cache));
  assert_ok(LoadResolve(&own, &cache));
  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, 3, &modes));
  assert_close(hit.signal.duration, PETSC_PI / modes->omega[1], 1e-15);
  assert_close(hum.signal.frequency, modes->omega[2] / (2.0 * PETSC_PI), 1e-15);
  assert_near(own.signal.duration, 0.7, 0.0);
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(SystemDestroy(&system));
}

static void loads_tell_how_many_modes_they_need(void **state)
{
  const Load loads[] = {{.place = LOAD_ON_SHAPE, .mode = 4, .joints = JOINT_SLIPPING, .time_mode = 2},
                        {.place = LOAD_ON_SHAPE, .mode = 3, .joints = JOINT_STUCK},
                        {.place = LOAD_ON_POINT, .mode = 9, .time_mode = 5}};
  PetscInt   most[2] = {0, 0};

  (void)state;
  LoadsMaxMode(3, loads, most);
  assert_int_equal(most[JOINT_STUCK], 5);
  assert_int_equal(most[JOINT_SLIPPING], 4);
}

static const char text[] = "load:\n"
                           "- half_sine: {point: u1, amplitude: 3, mode: 2, start: 0.5}\n"
                           "- half_sine: {shape: {mode: 3, joints: slipping}, amplitude: 7}\n"
                           "- harmonic: {point: tip, direction: z, frequency: 12, phase: 0.25, duration: 4}\n"
                           "- chirp: {base: x, from: 5, to: 50, duration: 8, sweep: logarithmic}\n"
                           "- step: {point: u0, rise: 0.125}\n";

static void loads_are_read_as_they_are_written(void **state)
{
  System        *system = BuildStructure();
  InputDocument *document;
  PetscInt       count;
  Load          *loads;

  (void)state;
  assert_ok(InputParse(PETSC_COMM_SELF, "loads", text, strlen(text), &document));
  assert_ok(LoadsRead(InputFind(InputRoot(document), "load"), &system->names, &count, &loads));
  assert_int_equal(InputNumComplaints(document), 0);
  assert_int_equal(count, 5);
  assert_true(loads[0].place == LOAD_ON_POINT && loads[0].signal.kind == SIGNAL_HALF_SINE && loads[0].time_mode == 2);
  assert_int_equal(loads[0].motion, 1);
  assert_near(loads[0].amplitude, 3.0, 0.0);
  assert_near(loads[0].signal.start, 0.5, 0.0);
  assert_true(loads[1].place == LOAD_ON_SHAPE && loads[1].mode == 3 && loads[1].joints == JOINT_SLIPPING && loads[1].time_mode == 3);
  assert_true(loads[2].signal.kind == SIGNAL_HARMONIC && loads[2].time_mode == 0);
  assert_int_equal(loads[2].motion, NamesFindMotion(&system->names, NamesFindPoint(&system->names, "tip"), 2));
  assert_near(loads[2].signal.frequency, 12.0, 0.0);
  assert_near(loads[2].signal.phase, 0.25, 0.0);
  assert_near(loads[2].signal.duration, 4.0, 0.0);
  assert_true(loads[3].place == LOAD_ON_BASE && loads[3].direction == 0 && loads[3].signal.kind == SIGNAL_CHIRP && loads[3].signal.sweep == 1);
  assert_near(loads[3].signal.frequency, 5.0, 0.0);
  assert_near(loads[3].signal.end_frequency, 50.0, 0.0);
  assert_near(loads[3].amplitude, 1.0, 0.0);
  assert_true(loads[4].signal.kind == SIGNAL_STEP);
  assert_near(loads[4].signal.rise, 0.125, 0.0);
  assert_ok(PetscFree(loads));
  assert_ok(InputClose(&document));
  assert_ok(SystemDestroy(&system));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_half_sine_is_zero_but_for_its_duration),
  cmocka_unit_test(a_harmonic_goes_on_from_its_phase),
  cmocka_unit_test(a_duration_ends_a_harmonic),
  cmocka_unit_test(a_harmonic_swells),
  cmocka_unit_test(a_jump_has_the_mean_of_its_sides_but_for_time_0),
  cmocka_unit_test(a_jump_where_the_motion_ends_has_the_side_before),
  cmocka_unit_test(a_linear_chirp_changes_its_frequency_evenly),
  cmocka_unit_test(a_logarithmic_chirp_changes_its_frequency_by_equal_ratios),
  cmocka_unit_test(a_step_rises_evenly_and_ends),
  cmocka_unit_test(a_table_is_linear_between_its_lines_and_zero_outside),
  cmocka_unit_test(any_table_is_found_its_way_in),
  cmocka_unit_test(a_load_on_a_point_is_a_force_on_its_unknown),
  cmocka_unit_test(a_load_on_a_shape_is_the_mass_times_it),
  cmocka_unit_test(a_load_of_the_base_is_the_inertia_of_what_it_carries),
  cmocka_unit_test(a_mode_gives_a_load_its_time),
  cmocka_unit_test(loads_tell_how_many_modes_they_need),
  cmocka_unit_test(loads_are_read_as_they_are_written),
};

CHECK_MAIN_WITH_SLEPC(tests)
