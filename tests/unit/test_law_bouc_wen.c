/* test_law_bouc_wen.c - the Bouc-Wen laws against closed forms, Runge-Kutta and the rule of Masing. */
#include "rate_reference.h"

enum { K_L, K_H, A, B, C, N };

static PetscReal bouc_wen(const PetscReal p[], PetscReal sense, PetscReal x, PetscReal z)
{
  (void)x;
  return p[A] - (p[B] * (sense * z > 0 ? 1 : -1) + p[C]) * pow(fabs(z), p[N]);
}

/* The rate has a kink at z = 0 only: with C = 0 and N = 2 its second derivative jumps there, so RK4 needs the many steps. */
static void any_path_equals_runge_kutta(void **state)
{
  const PetscReal models[][6] = {{0.1, 1.2, 1.1, 1.5, 0.4, 1}, {0, 1, 1, 1, 1, 1},         {0.2, 0.7, 1, 1, -0.6, 1},
                                 {0, 1, 1, 1.5, 0.5, 2},       {0.1, 1, 1.3, 1, 0.2, 1.6}, {0, 2, 1, 2, -0.3, 5}};
  uint64_t        seed        = 21;

  (void)state;
  for (PetscInt m = 0; m < 6; m++) {
    Sample    sample = {.law = "bouc_wen"};
    Joint     joint;
    PetscReal z = 0, here = 0;

    memcpy(sample.parameters, models[m], sizeof models[m]);
    joint = JointOpen(&sample, 1);
    for (PetscInt i = 0; i < 40; i++) {
      const PetscReal there = Random(&seed) * (i % 3 ? 0.5 : 2);

      z    = integrate(bouc_wen, models[m], here, z, there, 40000);
      here = there;
      assert_near(JointMove(&joint, there), models[m][K_L] * there + models[m][K_H] * z, 1e-9);
      z = (joint.force[0] - models[m][K_L] * there) / models[m][K_H];
    }
    JointClose(&joint);
  }
}

/* C = B: unloading is straight, loading from rest is (A / 2B) (1 - exp(-2 B x)) for N = 1; and sqrt(A/b) tanh(sqrt(A b) x), b = B + C, for N = 2. */
static void virgin_branches_equal_their_closed_forms(void **state)
{
  Joint one = JointOpen(&(Sample){"bouc_wen", {0, 1, 1.1, 0.7, 0.7, 1}}, 1), two = JointOpen(&(Sample){"bouc_wen", {0, 1, 1.1, 0.7, 0.2, 2}}, 1);

  (void)state;
  for (PetscReal x = 0.01; x < 20; x *= 1.3) {
    assert_near(JointTry(&one, x), 1.1 / 1.4 * (1 - exp(-1.4 * x)), 1e-13);
    assert_near(JointTry(&two, x), sqrt(1.1 / 0.9) * tanh(sqrt(1.1 * 0.9) * x), 1e-12);
    assert_near(JointTry(&two, -x), -sqrt(1.1 / 0.9) * tanh(sqrt(1.1 * 0.9) * x), 1e-12);
  }
  JointMove(&one, 0.5);
  assert_near(JointTry(&one, 0.4), one.history.states[1] - 0.11, 1e-14);
  JointClose(&one);
  JointClose(&two);
}

/* A steady cycle stores nothing: what it dissipates is the area of its loop, here by the midpoint rule. */
static void a_steady_cycle_dissipates_the_area_of_its_loop(void **state)
{
  const Sample models[] = {
    {"bouc_wen", {0.3, 1.2, 1.1, 1.5, 0.4, 1}}, {"bouc_wen", {0, 1, 1, 1.5, 0.5, 2}}, {"bouc_wen_rough", {1.2, 0.8, 1.7, 0.26, 0.1}}};

  (void)state;
  for (PetscInt m = 0; m < 3; m++) {
    Joint     joint = JointOpen(&models[m], 1);
    PetscReal before, area = 0;

    for (PetscInt i = 0; i < 101; i++) JointMove(&joint, i % 2 ? -0.7 : 0.7);
    before = joint.dissipated[0];
    for (PetscInt half = 0; half < 2; half++) {
      const PetscReal start = joint.displacement[0];

      for (PetscInt i = 0; i < 20000; i++) area -= start / 10000 * JointTry(&joint, start * (1 - ((PetscReal)i + 0.5) / 10000));
      JointMove(&joint, -start);
    }
    assert_close(joint.dissipated[0] - before, area, 1e-7);
    JointClose(&joint);
  }
}

/* Jamshidi, Koochakinejad 2021, eq. 44 with A and B in the memory form of the errata; the interface alone, z = Q / K_T. */
typedef struct {
  PetscReal start, z; /* the reversal */
  PetscBool virgin;
} Branch;

enum { K_T, X_L, W, LAMBDA_0 };

static PetscReal memory_form(const PetscReal p[], const Branch *branch, PetscReal end)
{
  const PetscReal sense = end > branch->start ? 1 : -1, b = p[W] / ((branch->virgin ? 1 : 2) * p[X_L]), slip = (branch->virgin ? 1 : 2) * p[X_L];
  const PetscReal length = fmin(fabs(end - branch->start), slip);
  const PetscInt  steps  = 400;
  const PetscReal h      = sense * length / (PetscReal)steps;
  PetscReal       z      = branch->z;

  for (PetscInt i = 0; i < steps; i++) {
    PetscReal k[4], stage[] = {0, 0.5, 0.5, 1};

    for (PetscInt j = 0; j < 4; j++) {
      const PetscReal x = ((PetscReal)i + stage[j]) * h, here = z + (j > 0 ? stage[j] * h * k[j - 1] : 0);
      const PetscReal a = 1 + sense * b * (branch->z - p[LAMBDA_0] / p[K_T] * x);

      k[j] = a - b * (sense * here > 0 ? 1 : -1) * fabs(here);
    }
    z += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
  }
  return z;
}

/* Each reversal lies between the two before it, so that the branch is that of the last one. */
static void the_memory_form_equals_the_rule_of_masing_on_nested_paths(void **state)
{
  const PetscReal p[]  = {1.2, 0.8, 1.7, 1.2 / expm1(1.7)};
  uint64_t        seed = 22;

  (void)state;
  for (PetscInt path = 0; path < 300; path++) {
    Joint     joint  = JointOpen(&(Sample){"bouc_wen_rough", {p[K_T], p[X_L], p[W], p[LAMBDA_0], 0.3}}, 1);
    Branch    branch = {.virgin = PETSC_TRUE};
    PetscReal here = 1.2 * Random(&seed), previous = -here;

    for (PetscInt i = 0; i < 12; i++) {
      const PetscReal z = memory_form(p, &branch, here);

      assert_near(JointMove(&joint, here), p[K_T] * z + 0.3 * here, 1e-9);
      branch   = (Branch){.start = here, .z = z};
      here     = here + (previous - here) * (0.5 + 0.45 * Random(&seed));
      previous = branch.start;
    }
    JointClose(&joint);
  }
}

static void the_rough_interface_slips_at_its_slip_displacement(void **state)
{
  const PetscReal w = 1.7, offset = 1.2 / expm1(w), slip = 0.8 * ((1.2 + offset) * (1 - exp(-w)) / w - offset); /* eq. 39 */
  Joint           joint = JointOpen(&(Sample){"bouc_wen_rough", {1.2, 0.8, w, offset, 0}}, 1);

  (void)state;
  assert_near(JointTry(&joint, 0.8), slip, 1e-15);
  assert_near(JointTry(&joint, 0.8 * (1 - 1e-14)), slip, 1e-14);
  assert_near(joint.stiffness[0], 0, 1e-13);
  assert_near(JointTry(&joint, 3), slip, 1e-15);
  JointClose(&joint);
}

/* Both doors to one curve, surfaces and constants: rough_exponential by its table, bouc_wen_rough by its closed form. Loads that press all
   asperities nearly alike have a decay near 0, where Lambda_0 grows without bound. */
static void surfaces_and_constants_give_the_same_force(void **state)
{
  const PetscReal loads[] = {0.01, 1, 5.1, 5.66};
  uint64_t        seed    = 25;

  (void)state;
  for (PetscInt i = 0; i < 4; i++) {
    const Sample surfaces = {"rough_exponential", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, loads[i], 0.9, 3}};
    PetscReal    values[JOINT_MAX_PARAMETERS], slip;
    Joint        one, other;

    assert_null(JointLawFind(surfaces.law)->refuse(surfaces.parameters));
    JointLawFind(surfaces.law)->derive(surfaces.parameters, values);
    slip  = values[4];
    one   = JointOpen(&surfaces, 1);
    other = JointOpen(&(Sample){"bouc_wen_rough", {values[2], slip, values[8], values[6]}}, 1); /* stiffness, x_L, Omega_1, Lambda_0 */
    for (PetscInt k = 0; k < 300; k++) {
      const PetscReal there = slip * RandomRange(&seed) * Random(&seed);

      assert_near(JointMove(&one, there), JointMove(&other, there), 1e-12 * values[1]);
      assert_near(one.stiffness[0], other.stiffness[0], 1e-11 * values[2]);
      assert_near(one.dissipated[0], other.dissipated[0], 1e-11 * fmax(values[1] * slip, other.dissipated[0]));
    }
    JointClose(&one);
    JointClose(&other);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(any_path_equals_runge_kutta),
  cmocka_unit_test(virgin_branches_equal_their_closed_forms),
  cmocka_unit_test(a_steady_cycle_dissipates_the_area_of_its_loop),
  cmocka_unit_test(the_memory_form_equals_the_rule_of_masing_on_nested_paths),
  cmocka_unit_test(the_rough_interface_slips_at_its_slip_displacement),
  cmocka_unit_test(surfaces_and_constants_give_the_same_force),
};

CHECK_MAIN(tests)
