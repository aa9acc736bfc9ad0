/* test_law_valanis.c - the Valanis laws against their closed forms and Runge-Kutta. */
#include "rate_reference.h"

enum { E0, ET, ALPHA0, KAPPA, SHAPE, ET2, ET3, DENOMINATOR };

/* Eqs 2 to 6 of Jalali et al. 2022, lambda as in the errata. */
static PetscReal valanis(const PetscReal p[], PetscReal sense, PetscReal x, PetscReal force)
{
  const PetscReal lambda = p[E0] / (p[ALPHA0] * (1 - p[KAPPA] * p[ET] / p[E0])), below = p[SHAPE] == 3 && x <= 0 ? p[ET3] : p[ET];
  const PetscReal drive = lambda / p[E0] * sense * (below * x + p[ET2] * x * fabs(x) - force);

  return p[E0] * (1 + drive) / (p[DENOMINATOR] == 1 ? 1 + p[KAPPA] * drive : 1);
}

static const PetscReal models[][8] = {
  {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}, {1.5, 0.1, 0.7, 0.95, 1, 0, 0, 1}, {3, 0.1, 0.7, 0.4, 2, 0.1, 0, 1},   {1.5, 0.1, 0.7, 0.6, 3, 0, 0.4, 1},
  {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 2}, {3, 0.1, 0.7, 0.4, 2, 0.1, 0, 2},  {1.5, 0.1, 0.7, 0.6, 3, 0, 0.4, 2},
};

enum { NUM_MODELS = sizeof models / sizeof models[0] };

static Joint open_model(const char *law, const PetscReal parameters[], size_t size)
{
  Sample sample = {.law = law};

  memcpy(sample.parameters, parameters, size);
  return JointOpen(&sample, 1);
}

/* x = 0 is a kink for Runge-Kutta, so it stops there. */
static void any_path_equals_runge_kutta(void **state)
{
  uint64_t seed = 23;

  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    Joint     joint = open_model("valanis", models[m], sizeof models[m]);
    PetscReal here  = 0;

    for (PetscInt i = 0; i < 60; i++) {
      const PetscReal there = Random(&seed) * (i % 3 ? 0.3 : 1.5);
      PetscReal       force = joint.history.states[1];

      if (here * there < 0) {
        force = integrate(valanis, models[m], here, force, -1e-300 * (there > 0 ? 1 : -1), 8000);
        here  = 1e-300 * (there > 0 ? 1 : -1);
      }
      force = integrate(valanis, models[m], here, force, there, 8000);
      here  = there;
      assert_near(JointMove(&joint, there), force, 1e-10);
    }
    JointClose(&joint);
  }
}

/* Far in slip the force stands alpha0 (1 - Et / E0) above g = Et x: alpha0 is the stick limit. */
static void slip_runs_along_its_line(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < 2; m++) {
    Joint joint = open_model("valanis", models[m], sizeof models[m]);

    assert_close(JointTry(&joint, 50), 0.1 * 50 + 0.7 * (1 - 0.1 / 1.5), 1e-14);
    JointClose(&joint);
  }
}

static void cutting_a_step_changes_nothing(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    Joint leap = open_model("valanis", models[m], sizeof models[m]), creep = open_model("valanis", models[m], sizeof models[m]);

    for (PetscInt i = 0; i < 10; i++) {
      const PetscReal start = creep.displacement[0], end = (i % 2 ? -1 : 1) * (1.1 - 0.1 * (PetscReal)i);

      for (PetscInt k = 1; k <= 100; k++) JointMove(&creep, start + (end - start) * (PetscReal)k / 100);
      assert_near(JointMove(&leap, end), creep.force[0], 1e-12);
      assert_near(leap.dissipated[0], creep.dissipated[0], 1e-12);
    }
    JointClose(&leap);
    JointClose(&creep);
  }
}

/* One step over thousands of stick lengths, of which only the last are followed, against steps that are followed; also with a sharp passage
   from stick to slip. What the quadratic shape adds far away is small enough that it stays softer than stick. */
static void long_steps_of_the_quadratic_shape_end_where_short_ones_do(void **state)
{
  const PetscReal far[][8] = {{3, 0.1, 7e-4, 0.4, 2, 1e-3, 0, 1}, {3, 0.1, 7e-4, 0.99, 2, 1e-3, 0, 1}}, ends[] = {10, 1};
  const PetscInt  steps[] = {400, 20};

  (void)state;
  for (PetscInt m = 0; m < 2; m++) {
    Joint leap = open_model("valanis", far[m], sizeof far[m]), creep = open_model("valanis", far[m], sizeof far[m]);

    for (PetscInt turn = 0; turn < 2; turn++) {
      const PetscReal start = creep.displacement[0], end = turn ? -ends[m] : ends[m];

      for (PetscInt k = 1; k <= steps[m]; k++) JointMove(&creep, start + (end - start) * (PetscReal)k / (PetscReal)steps[m]);
      assert_near(JointMove(&leap, end), creep.force[0], 1e-12);
      assert_near(leap.stiffness[0], creep.stiffness[0], 1e-9);
      assert_close(leap.dissipated[0], creep.dissipated[0], 1e-2);
    }
    JointClose(&leap);
    JointClose(&creep);
  }
}

/* Eqs 9 and 11 with the sign of the constant of the errata: F = s [...] + ..., c from the start of the branch. */
static PetscReal closed_form(PetscReal e1, PetscReal e2, PetscReal a, PetscReal b, PetscReal s, PetscReal c, PetscReal x)
{
  return s * ((e1 * e2 * e2 - a * e2 + 2 * b) / (e2 * e2 * e2) + b / e2 * x * x + c * exp(-s * e2 * x)) - (2 * b - e2 * a) / (e2 * e2) * x;
}

/* Examples 1 and 2 of the paper, the latter with the P that eq. 11 solves. */
static void symmetric_loops_equal_eqs_9_and_11(void **state)
{
  const PetscReal examples[][4] = {{10, 20, 5, 0}, {10, 20, 30, 1400}};
  uint64_t        seed          = 24;

  (void)state;
  for (PetscInt m = 0; m < 2; m++) {
    const PetscReal e1 = examples[m][0], e2 = examples[m][1], a = examples[m][2], b = examples[m][3];
    Joint           joint = JointOpen(&(Sample){"generalized_valanis", {e1, e2, a, 0, b, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, 1);
    PetscReal       here  = 0;

    for (PetscInt i = 0; i < 500; i++) {
      const PetscReal there = 0.1 * Random(&seed), s = there > here ? 1 : -1, force = joint.history.states[1];
      const PetscReal c = s * (force - closed_form(e1, e2, a, b, s, 0, here)) * exp(s * e2 * here);

      assert_near(JointMove(&joint, there), closed_form(e1, e2, a, b, s, c, there), 1e-10);
      here = there;
    }
    JointClose(&joint);
  }
}

/* Eq. 7 with one term x^i v^j on either side, at constant speed. */
enum { FORWARD, BACKWARD = FORWARD + 3, POWER_X = BACKWARD + 3, POWER_V, SPEED };

static PetscReal one_term(const PetscReal p[], PetscReal sense, PetscReal x, PetscReal force)
{
  const PetscReal *side = p + (sense > 0 ? FORWARD : BACKWARD);

  return side[0] + side[2] * pow(x, p[POWER_X]) * pow(sense * p[SPEED], p[POWER_V]) - side[1] * force;
}

static const struct {
  const char *names[2];
  PetscReal   x, v;
} terms[] = {{{"P1_x", "P2_x"}, 1, 0},   {{"P1_v", "P2_v"}, 0, 1},   {{"P1_x2", "P2_x2"}, 2, 0},   {{"P1_xv", "P2_xv"}, 1, 1},
             {{"P1_v2", "P2_v2"}, 0, 2}, {{"P1_x3", "P2_x3"}, 3, 0}, {{"P1_x2v", "P2_x2v"}, 2, 1}, {{"P1_xv2", "P2_xv2"}, 1, 2},
             {{"P1_v3", "P2_v3"}, 0, 3}, {{"P1_x4", "P2_x4"}, 4, 0}, {{"P1_x5", "P2_x5"}, 5, 0}};

static void set_parameter(Sample *sample, const char *name, PetscReal value)
{
  const JointParameter *parameters = JointLawFind(sample->law)->parameters;
  PetscInt              i          = 0;

  while (parameters[i].name && strcmp(parameters[i].name, name) != 0) i++;
  assert_non_null(parameters[i].name);
  sample->parameters[i] = value;
}

static void follow_one_term(const Sample *sample, const PetscReal p[])
{
  Joint     joint = JointOpen(sample, 1);
  PetscReal here = 0, force = 0;
  uint64_t  seed = 26;

  for (PetscInt i = 0; i < 30; i++) {
    const PetscReal there = 1.2 * Random(&seed);

    joint.velocity[0] = there > here ? p[SPEED] : -p[SPEED];
    JointMove(&joint, here); /* it turns at once */
    force = integrate(one_term, p, here, force, there, 2000);
    here  = there;
    assert_near(JointMove(&joint, there), force, 1e-10);
  }
  JointClose(&joint);
}

/* A symmetric joint has D1 = C1, D2 = -C2 and P2(x, v) = P1(-x, -v). */
static void every_term_is_a_power_of_motion_and_velocity(void **state)
{
  (void)state;
  for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
    const PetscReal mirrored       = fmod(terms[t].x + terms[t].v, 2) > 0 ? -0.4 : 0.4;
    const PetscReal symmetric[]    = {1.1, 1.4, 0.4, 1.1, -1.4, mirrored, terms[t].x, terms[t].v, 0.7};
    const PetscReal of_two_sides[] = {1.1, 1.4, 0.4, 0.9, -1.7, -0.25, terms[t].x, terms[t].v, 0.7};
    Sample          sample         = {.law = "generalized_valanis"};

    set_parameter(&sample, "C1", 1.1);
    set_parameter(&sample, "C2", 1.4);
    set_parameter(&sample, terms[t].names[0], 0.4);
    set_parameter(&sample, "branches", 1);
    follow_one_term(&sample, symmetric);
    set_parameter(&sample, "branches", 2);
    set_parameter(&sample, "D1", 0.9);
    set_parameter(&sample, "D2", -1.7);
    set_parameter(&sample, terms[t].names[1], -0.25);
    follow_one_term(&sample, of_two_sides);
  }
}

/* Example 2 as printed, P = a x + b x^2 |x'|, on the path of a sine: the velocity is known at every point of it. */
static PetscReal printed(const PetscReal p[], PetscReal sense, PetscReal t, PetscReal force)
{
  const PetscReal x = p[0] * sin(t), v = p[0] * cos(t);

  (void)sense;
  return (10 + (v > 0 ? 1 : -1) * (30 * x + 1400 * x * x * fabs(v) - 20 * force)) * v;
}

/* The velocity is taken as linear along a step: four times nearer with steps half as long. */
static void a_rate_with_velocity_converges_with_the_square_of_the_step(void **state)
{
  const PetscReal amplitude[] = {0.1};
  PetscReal       error[2];

  (void)state;
  for (PetscInt level = 0; level < 2; level++) {
    const PetscInt steps = level ? 400 : 200;
    Joint joint = JointOpen(&(Sample){"generalized_valanis", {10, 20, 30, 0, 0, 0, 0, 0, 1400, 0, 0, 0, 0, 2, 10, -20, -30, 0, 0, 0, 0, 0, 1400}}, 1);
    PetscReal force = 0;

    error[level] = 0;
    for (PetscInt i = 1; i <= steps; i++) {
      const PetscReal t = 2 * PETSC_PI * (PetscReal)i / (PetscReal)steps;

      force             = integrate(printed, amplitude, t - 2 * PETSC_PI / (PetscReal)steps, force, t, 20);
      joint.velocity[0] = 0.1 * cos(t);
      error[level]      = fmax(error[level], fabs(JointMove(&joint, 0.1 * sin(t)) - force));
    }
    JointClose(&joint);
  }
  assert_near(error[0], 0, 1e-3);
  assert_in_range(error[0] / error[1] * 100, 300, 500);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(any_path_equals_runge_kutta),
  cmocka_unit_test(slip_runs_along_its_line),
  cmocka_unit_test(cutting_a_step_changes_nothing),
  cmocka_unit_test(long_steps_of_the_quadratic_shape_end_where_short_ones_do),
  cmocka_unit_test(symmetric_loops_equal_eqs_9_and_11),
  cmocka_unit_test(every_term_is_a_power_of_motion_and_velocity),
  cmocka_unit_test(a_rate_with_velocity_converges_with_the_square_of_the_step),
};

CHECK_MAIN(tests)
