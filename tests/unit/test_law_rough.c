/* test_law_rough.c - rough surfaces where closed forms are known; test_rough_interface.py compares them with quadrature. */
#include "joint_samples.h"
#include "../../src/joint/engine/rough.h"

/* Table 2 of jamshidi2021 with eta = eta_i, R = R_i / 2, sigma = sqrt(2) sigma_i, mu = 0.16, E = 70 GPa (errata); and a case of
   two unlike bodies. */
static const PetscReal  table2[] = {0.8e-6 * PETSC_SQRT2, 85e-6, 250e6, 70e9, 0.3, 70e9, 0.3, 77e-4, 2 * 9.81, 0.16, 3, 0};
static const PetscReal  unlike[] = {1e-6, 50e-6, 1e9, 210e9, 0.28, 3e9, 0.4, 1e-4, 40, 0.25, 4, 0};
static const PetscReal *models[] = {table2, unlike};

enum { ROUGHNESS, RADIUS, DENSITY, YOUNG, AREA = YOUNG + 4, LOAD, FRICTION, CUT, CORRECTION, NUM_PARAMETERS, NUM_MODELS = 2 };

static Sample sample_of(const char *law, const PetscReal parameters[])
{
  Sample sample = {.law = law};

  memcpy(sample.parameters, parameters, NUM_PARAMETERS * sizeof(PetscReal));
  return sample;
}

static RoughModel model_of(const PetscReal parameters[])
{
  const RoughSurface surface = RoughSurfaceFrom(parameters);

  return RoughFindModel(&surface);
}

/* What all papers of Greenwood and Williamson's model have: F_1.5(0) = Gamma(5/4) 2^(3/4) / (2 sqrt(pi)), the mean of w^1.5 over the
   upper half of a normal distribution. Nothing is left above ten roughnesses. */
static void mean_planes_meet_under_the_load_of_the_closed_form(void **state)
{
  PetscReal  p[NUM_PARAMETERS];
  RoughModel model;

  (void)state;
  memcpy(p, table2, sizeof p);
  p[CUT] = 10;
  p[LOAD] =
    p[DENSITY] * p[AREA] * 4 / 3 * (70e9 / 1.82) * sqrt(p[RADIUS]) * pow(p[ROUGHNESS], 1.5) * tgamma(1.25) * pow(2, 0.75) / (2 * sqrt(PETSC_PI));
  model = model_of(p);
  assert_near(model.separation, 0, 1e-13 * p[ROUGHNESS]);
  /* K_T of Mindlin's spheres over it is 1 / xi; F_0.5(0) = Gamma(3/4) 2^(1/4) / (2 sqrt(pi)) */
  assert_close(model.correction, 2.0 / 3 * tgamma(1.25) * pow(2, 0.75) / (tgamma(0.75) * pow(2, 0.25)), 1e-13);
  assert_close(model.stiffness, 2 * 0.7 / 1.7 * p[LOAD] / p[ROUGHNESS], 1e-13); /* eqs 27, 28 */
}

/* Asperities that barely touch are of evenly spread heights: J_p ~ depth^(p+1), so r = 2/5 and Q = Q_L (1 - (1 - x/x_L)^2.5). */
static void surfaces_that_barely_touch_follow_a_power(void **state)
{
  PetscReal  p[NUM_PARAMETERS];
  RoughModel model;

  (void)state;
  memcpy(p, table2, sizeof p);
  p[LOAD] = 1e-30;
  model   = model_of(p);
  assert_close(model.fullness, 0.4, 1e-9);
  for (PetscInt i = 1; i < 100; i++) {
    const PetscReal w      = (PetscReal)i / 100;
    const Sample    sample = sample_of("rough_interface", p);
    Joint           joint  = JointOpen(&sample, 1);

    assert_close(JointTry(&joint, w * model.slip_motion), p[FRICTION] * p[LOAD] * (1 - pow(1 - w, 2.5)), 1e-9);
    JointClose(&joint);
  }
}

/* Eq. 19; table 2: 0.16 times the weight of 2 kg. */
static void slip_force_is_friction_times_load(void **state)
{
  const char *laws[] = {"rough_interface", "rough_exponential"};

  (void)state;
  assert_close(model_of(table2).slip_force, 3.139, 2e-4);
  for (PetscInt i = 0; i < 2 * NUM_MODELS; i++) {
    const PetscReal *p      = models[i / 2];
    const RoughModel model  = model_of(p);
    const Sample     sample = sample_of(laws[i % 2], p);
    Joint            joint  = JointOpen(&sample, 1);

    assert_close(JointTry(&joint, 2 * model.slip_motion), p[FRICTION] * p[LOAD], 1e-13);
    assert_near(joint.stiffness[0], 0, 0);
    assert_close(JointTry(&joint, model.slip_motion * (1 - 1e-12)), p[FRICTION] * p[LOAD], 1e-13);
    JointTry(&joint, 0);
    assert_close(joint.stiffness[0], model.stiffness, 3e-14); /* a product of powers, each right to a few roundings */
    JointClose(&joint);
  }
}

/* Correction only stretches the curve: r depends on the depth alone. */
static void stiffness_and_slip_motion_are_corrected_together(void **state)
{
  PetscReal  p[NUM_PARAMETERS];
  RoughModel plain = model_of(unlike), corrected;

  (void)state;
  memcpy(p, unlike, sizeof p);
  p[CORRECTION] = 2 * plain.correction;
  corrected     = model_of(p);
  assert_close(corrected.stiffness, 2 * plain.stiffness, 1e-14);
  assert_close(corrected.slip_motion, plain.slip_motion / 2, 1e-14);
  assert_close(corrected.fullness, plain.fullness, 1e-14);
  assert_close(corrected.decay, plain.decay, 1e-12);
}

/* Eq. 38 integrated, in more digits: Q = Lambda_1 x_L / W (1 - e^-y) - Lambda_0 x, and L = 2 int Q - x Q, with y = W x / x_L. */
static void exponential_equals_its_closed_form(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    const RoughModel  model    = model_of(models[m]);
    const Sample      sample   = sample_of("rough_exponential", models[m]);
    const long double decaying = (long double)model.decaying, level = (long double)model.level;
    const long double length = (long double)model.slip_motion / (long double)model.decay;

    for (PetscInt i = 1; i <= 200; i++) {
      const PetscReal   motion = model.slip_motion * (PetscReal)i / 200;
      const long double x = (long double)motion, y = x / length, force = -decaying * length * expm1l(-y) - level * x;
      const long double loss  = decaying * length * length * (y - 2 + (2 + y) * expl(-y));
      Joint             joint = JointOpen(&sample, 1);

      assert_close(JointMove(&joint, motion), (PetscReal)force, 1e-13);
      assert_near(joint.stiffness[0], (PetscReal)(decaying * expl(-y) - level), 1e-13 * model.stiffness);
      assert_close(joint.dissipated[0], (PetscReal)loss, 1e-10);
      JointClose(&joint);
    }
  }
}

static void impossible_surfaces_are_refused(void **state)
{
  PetscReal p[NUM_PARAMETERS];

  (void)state;
  memcpy(p, table2, sizeof p);
  assert_null(JointLawFind("rough_exponential")->refuse(p));
  p[LOAD] = 3.26e7; /* mean planes pressed 9.6 roughnesses through each other: r = 0.51 */
  assert_true(model_of(p).fullness > 0.5 && isnan(model_of(p).decay));
  assert_null(JointLawFind("rough_interface")->refuse(p));
  assert_non_null(strstr(JointLawFind("rough_exponential")->refuse(p), "below 1/2"));
  p[LOAD] = 1e12;
  assert_non_null(strstr(JointLawFind("rough_interface")->refuse(p), "ten times"));
  assert_non_null(strstr(JointLawFind("rough_exponential")->refuse(p), "ten times"));
  p[LOAD] = 1e-90;
  assert_non_null(strstr(JointLawFind("rough_interface")->refuse(p), "too small"));
  p[LOAD]     = 20;
  p[FRICTION] = 1e-120;
  assert_non_null(strstr(JointLawFind("rough_interface")->refuse(p), "can slip"));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(mean_planes_meet_under_the_load_of_the_closed_form),
  cmocka_unit_test(surfaces_that_barely_touch_follow_a_power),
  cmocka_unit_test(slip_force_is_friction_times_load),
  cmocka_unit_test(stiffness_and_slip_motion_are_corrected_together),
  cmocka_unit_test(exponential_equals_its_closed_form),
  cmocka_unit_test(impossible_surfaces_are_refused),
};

CHECK_MAIN(tests)
