/* test_loop.c - reversals, energy and stiffness of loops: of laws along sines against closed forms, of records with noise. */
#include "joint.h"
#include "post/loops.h"
#include "check.h"

enum { STEPS = 400, COUNT = 2 * STEPS + 1 };

/* Two cycles of a cosine, so that reversals fall on samples. */
typedef struct {
  PetscReal  time[COUNT], displacement[COUNT], velocity[COUNT], force[COUNT], dissipated[COUNT];
  LoopRecord record;
} Loop;

static void Set(Loop *loop, PetscReal amplitude)
{
  for (int i = 0; i < COUNT; i++) {
    loop->time[i]         = i;
    loop->displacement[i] = amplitude * cos(2 * PETSC_PI * i / STEPS);
    loop->velocity[i]     = -amplitude * sin(2 * PETSC_PI * i / STEPS) * (i % (STEPS / 2) ? 2 * PETSC_PI / STEPS : 0);
  }
  loop->record = (LoopRecord){.count = COUNT, .time = loop->time, .displacement = loop->displacement, .force = loop->force};
}

static LoopCycle Drive(const char *name, const PetscReal parameters[], PetscReal amplitude)
{
  static Loop loop;
  JointBlock  law;
  PetscInt    count, *reversals;
  LoopCycle   cycles[2];

  Set(&loop, amplitude);
  assert_ok(JointBlockCreate(JointLawFind(name), parameters, 1, &law));
  assert_ok(JointDrive(1, &law, COUNT, loop.displacement, loop.velocity, loop.force, loop.dissipated));
  assert_ok(JointBlockDestroy(&law));
  assert_ok(LoopFindReversals(&loop.record, 0, &count, &reversals));
  assert_int_equal(count, 3); /* where it begins and ends no record can tell */
  LoopFindCycles(&loop.record, count, reversals, cycles);
  assert_int_equal(cycles[0].first, STEPS / 2);
  assert_int_equal(cycles[0].last, 3 * STEPS / 2);
  assert_close(cycles[0].amplitude, amplitude, 1e-15);
  assert_ok(PetscFree(reversals));
  return cycles[0];
}

/* K is the secant stiffness, W the energy of a cycle. */
static void CheckCycle(const LoopCycle *cycle, PetscReal K, PetscReal W, PetscReal tolerance)
{
  assert_close(cycle->secant_stiffness, K, 1e-12);
  assert_close(cycle->peak_force, K * cycle->amplitude, 1e-12);
  assert_close(cycle->area, W, tolerance);
  assert_close(cycle->damping, W / (4 * PETSC_PI * 0.5 * K * cycle->amplitude * cycle->amplitude), tolerance + 1e-12);
}

/* [Segalman 2005, eqs 16 and 19; with beta here as there] */
static void iwan4_in_microslip_loses_the_power_of_chi_plus_3(void **state)
{
  const PetscReal slip_force = 20, stiffness = 4e3, chi = -0.4, beta = 1, a = 1e-3;
  const PetscReal phi   = slip_force * (1 + beta) / (stiffness * (beta + (chi + 1) / (chi + 2)));
  const PetscReal R     = slip_force * (chi + 1) / (pow(phi, chi + 2) * (beta + (chi + 1) / (chi + 2)));
  const LoopCycle cycle = Drive("iwan4", (const PetscReal[]){slip_force, stiffness, chi, beta, 0}, a);

  (void)state;
  CheckCycle(&cycle, stiffness - R * pow(a, chi + 1) / ((chi + 1) * (chi + 2)), 4 * R * pow(a, chi + 3) / ((chi + 2) * (chi + 3)), 1e-7);
}

/* Its kinks lie between samples: the rule is of second order there, its error up to (2 pi / STEPS)^2 / 2 of the force. */
static void jenkins_loses_a_parallelogram(void **state)
{
  const PetscReal stiffness = 1e6, slip_force = 10, a = 3e-5;
  const LoopCycle cycle = Drive("jenkins", (const PetscReal[]){stiffness, slip_force}, a);

  (void)state;
  CheckCycle(&cycle, slip_force / a, 4 * slip_force * (a - slip_force / stiffness), 2e-4);
}

/* [Mindlin, Deresiewicz 1953], in the symbols of peyret2017 */
static void mindlin_loses_what_mindlin_and_deresiewicz_say(void **state)
{
  const PetscReal radius = 1e-3, G = 2e10, mu = 0.3, N = 50, share = 0.4; /* of the force at which all slips */
  const PetscReal p = 1 - share, a = 3 * mu * N / (16 * radius * G) * (1 - pow(p, 2.0 / 3));
  const LoopCycle cycle = Drive("mindlin", (const PetscReal[]){radius, G, mu, N}, a);

  (void)state;
  CheckCycle(&cycle, share * mu * N / a, 9 * mu * mu * N * N / (10 * radius * G) * (1 - pow(p, 5.0 / 3) - 5 * share / 6 * (1 + pow(p, 2.0 / 3))),
             1e-7);
}

static void a_spring_loses_nothing(void **state)
{
  const LoopCycle cycle = Drive("spring", (const PetscReal[]){2e3}, 1e-3);

  (void)state;
  assert_close(cycle.secant_stiffness, 2e3, 1e-12);
  assert_near(cycle.area, 0, 5e-18); /* sums of 1e-3 J, rounded to 2e-19 J each */
  assert_near(cycle.damping, 0, 1e-15);
}

/* The rule is of fourth order where loops are smooth: (pi / 100)^4 / 45. */
static void a_damper_loses_pi_c_omega_a_squared_and_has_no_stiffness(void **state)
{
  const LoopCycle cycle = Drive("damper", (const PetscReal[]){7}, 1e-3);

  (void)state;
  assert_close(cycle.area, PETSC_PI * 7 * (2 * PETSC_PI / STEPS) * 1e-6, 1e-8);
  assert_true(cycle.secant_stiffness == 0.0);
  assert_true(isnan(cycle.damping));
}

static void CheckReversals(PetscInt count, const PetscReal displacement[], PetscReal resolution, PetscInt expected_count, const PetscInt expected[])
{
  const LoopRecord record = {.count = count, .displacement = displacement};
  PetscInt         found, *reversals;

  assert_ok(LoopFindReversals(&record, resolution, &found, &reversals));
  assert_int_equal(found, expected_count);
  for (PetscInt i = 0; i < found; i++) assert_int_equal(reversals[i], expected[i]);
  assert_ok(PetscFree(reversals));
}

static void equal_samples_are_one_reversal_at_the_first(void **state)
{
  const PetscReal x[] = {0, 0, 1, 2, 2, 2, 1, 1, 0, 0, 3};

  (void)state;
  CheckReversals(11, x, 0, 2, (const PetscInt[]){3, 8});
  CheckReversals(2, x, 0, 0, NULL);
  CheckReversals(6, x, 0, 0, NULL);
}

static void turns_below_the_resolution_do_not_count(void **state)
{
  const PetscReal x[] = {0, 0.1, 0, 1, 0.9, 2, 1.95, 2.1, 2.05, 1, 1.1, -1, -0.95, 0.5};

  (void)state;
  CheckReversals(14, x, 0.15, 2, (const PetscInt[]){7, 11});
}

/* A loop whose corners are given: the area of a polygon, by the shoelace formula; its open end is closed by a straight line. */
static void an_open_loop_is_closed_by_a_straight_line(void **state)
{
  const PetscReal  x[] = {0, 4, -1, 5, 0}, f[] = {0, 3, -3, 4, 1};
  const LoopRecord record = {.count = 5, .displacement = x, .force = f};
  LoopCycle        cycle;

  (void)state;
  LoopFindCycles(&record, 3, (const PetscInt[]){1, 2, 3}, &cycle);
  assert_close(cycle.area, 0.5 * ((4 * -3 - -1 * 3) + (-1 * 4 - 5 * -3) + (5 * 3 - 4 * 4)) * -1, 1e-14);
  assert_close(cycle.amplitude, 3, 1e-15);
  assert_close(cycle.secant_stiffness, 7.0 / 6, 1e-15);
  assert_close(cycle.peak_force, 4, 1e-15);
}

/* When amplitudes fall it is the end that the cycle comes from. */
static void of_an_open_loop_the_farther_end_counts(void **state)
{
  const PetscReal  x[] = {0, 5, -1, 4, 0}, f[] = {0, 4, -3, 3, 1};
  const LoopRecord record = {.count = 5, .displacement = x, .force = f};
  LoopCycle        cycle;

  (void)state;
  LoopFindCycles(&record, 3, (const PetscInt[]){1, 2, 3}, &cycle);
  assert_close(cycle.amplitude, 3, 1e-15);
  assert_close(cycle.secant_stiffness, 7.0 / 6, 1e-15);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(iwan4_in_microslip_loses_the_power_of_chi_plus_3),
  cmocka_unit_test(jenkins_loses_a_parallelogram),
  cmocka_unit_test(mindlin_loses_what_mindlin_and_deresiewicz_say),
  cmocka_unit_test(a_spring_loses_nothing),
  cmocka_unit_test(a_damper_loses_pi_c_omega_a_squared_and_has_no_stiffness),
  cmocka_unit_test(equal_samples_are_one_reversal_at_the_first),
  cmocka_unit_test(turns_below_the_resolution_do_not_count),
  cmocka_unit_test(an_open_loop_is_closed_by_a_straight_line),
  cmocka_unit_test(of_an_open_loop_the_farther_end_counts),
};

CHECK_MAIN(tests)
