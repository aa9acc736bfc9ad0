/* test_joint_derived.c - what laws derive from their parameters, against the laws' own curves and published numbers;
   verify/rough_interface has the numbers of rough surfaces. */
#include "joint_samples.h"

static PetscReal derived_of(const Sample *sample, const char *name)
{
  const JointLaw *law = JointLawFind(sample->law);
  PetscReal       values[JOINT_MAX_PARAMETERS];

  law->derive(sample->parameters, values);
  for (PetscInt i = 0; law->derived[i].name; i++) {
    if (strcmp(law->derived[i].name, name) == 0) return values[i];
  }
  fail_msg("%s derives no %s", sample->law, name);
  return 0;
}

static void names_are_complete_and_told_apart(void **state)
{
  (void)state;
  for (PetscInt l = 0; joint_laws[l]; l++) {
    const JointDerived *derived = joint_laws[l]->derived;

    assert_true(!derived == !joint_laws[l]->derive);
    for (PetscInt i = 0; derived && derived[i].name; i++) {
      assert_true(i < JOINT_MAX_PARAMETERS && derived[i].help);
      for (PetscInt k = 0; k < i; k++) assert_string_not_equal(derived[k].name, derived[i].name);
      for (PetscInt p = 0; joint_laws[l]->parameters[p].name; p++)
        assert_true(strcmp(joint_laws[l]->parameters[p].name, derived[i].name) != 0 || strncmp(joint_laws[l]->name, "rough", 5) == 0);
    }
  }
}

/* At slip_displacement the force has reached what it is far away, and not before. */
static void at_the_slip_displacement_all_slips(void **state)
{
  ListedSample listed;
  PetscInt     seen = 0;

  (void)state;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    const JointLaw *law  = JointLawFind(listed.sample.law);
    PetscBool       told = PETSC_FALSE;

    for (PetscInt i = 0; law->derived && law->derived[i].name; i++) told = told || strcmp(law->derived[i].name, "slip_displacement") == 0;
    if (told && !isnan(derived_of(&listed.sample, "slip_displacement"))) {
      const PetscReal slip  = derived_of(&listed.sample, "slip_displacement");
      Joint           joint = JointOpen(&listed.sample, 1);
      const PetscReal level = JointTry(&joint, 10 * slip);

      assert_close(JointTry(&joint, slip * (1 + 1e-9)), level, 1e-13);
      assert_true(JointTry(&joint, 0.9 * slip) < level * (1 - 1e-6));
      JointClose(&joint);
      seen++;
    }
  }
  assert_true(seen >= 13);
}

/* The sphere of peyret2017 has 8 a / G* = 4.88688e8 N/m with a = 2.7 mm, G* = 4.42e-11 1/Pa (errata). */
static void the_contact_of_peyret_has_its_stiffness(void **state)
{
  const Sample mindlin = {"mindlin", {0.0027, 1 / 4.42e-11, 0.5, 1000}};

  (void)state;
  assert_close(derived_of(&mindlin, "stiffness"), 4.88688e8, 1e-6);
  assert_close(derived_of(&mindlin, "slip_displacement"), 3 * 500 * 4.42e-11 / (16 * 0.0027), 1e-14);
}

/* R and S of eq. 11 of lacayo2017: the force of all sliders, int R phi^(chi+1) + S phi_max, is slip_force, their stiffness is K_T. */
static void sliders_of_iwan_sum_to_its_force_and_stiffness(void **state)
{
  const Sample    iwan = {"iwan4", {30.7, 4.73e8, -0.23, 0.46, 0}};
  const PetscReal R = derived_of(&iwan, "R"), S = derived_of(&iwan, "S"), phi = derived_of(&iwan, "slip_displacement");

  (void)state;
  assert_close(R * pow(phi, 0.77) / 0.77 + S, 4.73e8, 1e-13);
  assert_close(R * pow(phi, 1.77) / 1.77 + S * phi, 30.7, 1e-13);
}

/* A cycle of Mindlin's closed form T_c (1 - (1 - u / u_c)^(3/2)) with u_c = 1.5 length = 0.75, and of Dahl's exponential. */
static void simplified_dahl_knows_the_amplitude_of_its_cycle(void **state)
{
  const Sample    third = {"mindlin_dahl_simplified", {1.2, 0.6, 1.0 / 3, 0.5}}, one = {"mindlin_dahl_simplified", {1.2, 0.6, 1, 0.5}};
  const PetscReal amplitude = derived_of(&third, "cycle_displacement");

  (void)state;
  assert_close(0.6 * (1 - pow(1 - amplitude / 0.75, 1.5)), 0.5, 1e-13);
  assert_close(0.6 * (1 - exp(-2 * derived_of(&one, "cycle_displacement"))), 0.5, 1e-13);
  for (PetscInt i = 0; i < 2; i++) {
    Joint joint = JointOpen(i ? &one : &third, 1);

    JointEvaluate(&joint);
    assert_close(derived_of(i ? &one : &third, "rest_stiffness"), joint.stiffness[0], 1e-14);
    for (PetscInt k = 0; k < 200; k++) JointMove(&joint, (k % 2 ? -1 : 1) * derived_of(i ? &one : &third, "cycle_displacement"));
    assert_close(fabs(joint.force[0]), 0.5, 1e-9);
    JointClose(&joint);
  }
}

/* Far away on straight motions the force is what is told. */
static void limits_are_met_far_away(void **state)
{
  const Sample  bouc_wen = {"bouc_wen", {0, 1.2, 1.1, 1.5, -0.4, 2}};
  const Sample  straight = {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}}, linear = {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 2}};
  const Sample  general   = {"generalized_valanis", {0.6, 0.9, 0.1, 0.05, 0.02, 0, -0.02, 0.01, 0.005, 0, 0, 0.002, 0.0005, 1}};
  const Sample  two       = {"generalized_valanis", {0.6, 0.9, 0.1, 0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0.5, -0.8, -0.1, 0, 0.2}};
  const Sample *valanis[] = {&straight, &linear}, *generalized[] = {&general, &two};
  Joint         joint = JointOpen(&bouc_wen, 1);

  (void)state;
  assert_close(JointTry(&joint, 50), derived_of(&bouc_wen, "limit_force"), 1e-13);
  JointTry(&joint, 0);
  assert_close(joint.stiffness[0], derived_of(&bouc_wen, "stuck_stiffness"), 1e-14);
  JointClose(&joint);
  for (PetscInt i = 0; i < 2; i++) {
    joint = JointOpen(valanis[i], 1);
    assert_close(JointTry(&joint, 50) - 5, derived_of(valanis[i], "slip_offset"), 1e-12);
    JointClose(&joint);
    for (PetscInt sense = -1; sense <= 1; sense += 2) {
      joint = JointOpen(generalized[i], 1);
      JointMove(&joint, -40 * (PetscReal)sense);
      JointMove(&joint, -12 * (PetscReal)sense); /* from so far that the polynomials are large, the round-off is too */
      assert_close(JointTry(&joint, 0), derived_of(generalized[i], sense > 0 ? "slip_force_forward" : "slip_force_backward"), 1e-9);
      JointClose(&joint);
    }
  }
  assert_close(derived_of(&straight, "lambda"), 1.5 / (0.7 * (1 - 0.6 * 0.1 / 1.5)), 1e-14); /* eq. 2 of jalali2022, errata */
}

/* The Bouc-Wen numbers of both doors are the same: bouc_wen_rough made of what rough_exponential derives. */
static void both_doors_of_the_rough_bouc_wen_model_agree(void **state)
{
  Sample rough = {"rough_exponential", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, 0.3, 0.9, 3}}, constants = {.law = "bouc_wen_rough"};

  (void)state;
  constants.parameters[0] = derived_of(&rough, "stiffness");
  constants.parameters[1] = derived_of(&rough, "slip_displacement");
  constants.parameters[2] = derived_of(&rough, "Omega_1");
  constants.parameters[3] = derived_of(&rough, "Lambda_0");
  assert_close(derived_of(&constants, "slip_force"), derived_of(&rough, "slip_force"), 1e-12);
  assert_close(derived_of(&constants, "fullness"), derived_of(&rough, "fullness"), 1e-12);
  assert_close(derived_of(&constants, "Lambda_1"), derived_of(&rough, "Lambda_1"), 1e-12);
  assert_close(derived_of(&constants, "bouc_wen_B"), derived_of(&rough, "bouc_wen_B"), 1e-14);
  assert_close(derived_of(&constants, "bouc_wen_fall"), derived_of(&rough, "bouc_wen_fall"), 1e-14);
}

/* Mean planes pressed 9.6 roughnesses through each other: no exponential fits. */
static void what_does_not_exist_is_not_a_number(void **state)
{
  const Sample deep = {"rough_interface", {0.8e-6 * PETSC_SQRT2, 85e-6, 250e6, 70e9, 0.3, 70e9, 0.3, 77e-4, 3.26e7, 0.16, 3, 0}};
  const Sample dahl = {"dahl", {1, 1, 1}};

  (void)state;
  assert_true(derived_of(&deep, "fullness") > 0.5 && derived_of(&deep, "slip_displacement") > 0);
  for (const char *const *name = (const char *const[]){"Lambda_0", "Lambda_1", "Omega_1", "k_h", "bouc_wen_A", "bouc_wen_B", "bouc_wen_N", NULL};
       *name; name++)
    assert_true(isnan(derived_of(&deep, *name)));
  assert_true(isnan(derived_of(&dahl, "slip_displacement")));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(names_are_complete_and_told_apart),
  cmocka_unit_test(at_the_slip_displacement_all_slips),
  cmocka_unit_test(the_contact_of_peyret_has_its_stiffness),
  cmocka_unit_test(sliders_of_iwan_sum_to_its_force_and_stiffness),
  cmocka_unit_test(simplified_dahl_knows_the_amplitude_of_its_cycle),
  cmocka_unit_test(limits_are_met_far_away),
  cmocka_unit_test(both_doors_of_the_rough_bouc_wen_model_agree),
  cmocka_unit_test(what_does_not_exist_is_not_a_number),
};

CHECK_MAIN(tests)
