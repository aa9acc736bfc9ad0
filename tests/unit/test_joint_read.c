/* test_joint_read.c - joint laws read from a case, refused with the right words, and described for the help. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fileno, dup2 */
#include "joint_samples.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_TEXT = 8192 };

typedef struct {
  const JointLaw *law;
  PetscReal       parameters[JOINT_MAX_PARAMETERS];
  PetscErrorCode  verdict;
  char            complaints[MOST_TEXT];
} Reading;

static void read_back(FILE *file, char text[])
{
  size_t length;

  rewind(file);
  length       = fread(text, 1, MOST_TEXT - 1, file);
  text[length] = 0;
  fclose(file);
}

/* The verdict on a document, with the complaints it prints on standard error. */
static void collect_verdict(InputDocument *document, Reading *reading)
{
  FILE *file  = tmpfile();
  int   saved = dup(STDERR_FILENO);

  assert_non_null(file);
  fflush(stderr);
  dup2(fileno(file), STDERR_FILENO);
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  reading->verdict = InputVerdict(document);
  assert_ok(PetscPopErrorHandler());
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  read_back(file, reading->complaints);
}

/* Reads the law that the text describes. */
static Reading read_law(const char *text)
{
  char           path[] = "joint_read_XXXXXX";
  int            file   = mkstemp(path);
  InputDocument *document;
  Reading        reading = {0};

  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  assert_ok(InputOpen(PETSC_COMM_WORLD, path, &document));
  assert_ok(JointLawRead(InputFind(InputRoot(document), "joint"), &reading.law, reading.parameters));
  collect_verdict(document, &reading);
  assert_ok(InputClose(&document));
  unlink(path);
  return reading;
}

static void a_complete_law_is_read_with_its_fallbacks(void **state)
{
  const Reading iwan = read_law("joint: {law: iwan4, slip_force: 30.7, stiffness: 4.73e8, chi: -0.23, beta: 0.46}\n");
  const Reading bins = read_law("joint: {law: iwan4, sliders: 200, slip_force: 10, stiffness: 1, chi: -0.5, beta: 5}\n");
  const Reading gap  = read_law("joint: {law: gap, clearance: 0, stiffness: 2}\n");

  (void)state;
  assert_int_equal(iwan.verdict, 0);
  assert_ptr_equal(iwan.law, JointLawFind("iwan4"));
  assert_near(iwan.parameters[1], 4.73e8, 0);
  assert_near(iwan.parameters[2], -0.23, 0);
  assert_near(iwan.parameters[4], 0, 0);
  assert_int_equal(bins.verdict, 0);
  assert_near(bins.parameters[4], 200, 0);
  assert_int_equal(gap.verdict, 0);
  assert_near(gap.parameters[2], 1, 0);
}

static void assert_refused(const char *text, const char *place, const char *words)
{
  const Reading reading = read_law(text);

  assert_int_equal(reading.verdict, PETSC_ERR_USER_INPUT);
  if (!strstr(reading.complaints, place) || !strstr(reading.complaints, words)) {
    fail_msg("complaint about\n%sshould hold '%s' and '%s', but is\n%s", text, place, words, reading.complaints);
  }
}

static void faults_are_refused_at_their_place(void **state)
{
  (void)state;
  assert_refused("joint: {law: jenkins, stiffness: 1, slip_force: -3}\n", "joint.slip_force", "-3");
  assert_refused("joint: {law: jenkins, stiffness: 0, slip_force: 3}\n", "joint.stiffness", "0");
  assert_refused("joint: {law: iwan4, slip_force: 1, stiffness: 1, chi: -1, beta: 0}\n", "joint.chi", "-1");
  assert_refused("joint: {law: iwan4, slip_force: 1, stiffness: 1, chi: 0.1, beta: 0}\n", "joint.chi", "0.1");
  assert_refused("joint: {law: iwan4, slip_force: 1, stiffness: 1, chi: 0, beta: -2}\n", "joint.beta", "-2");
  assert_refused("joint: {law: iwan4, slip_force: 1, stiffness: 1, chi: 0, beta: 0, sliders: 2.5}\n", "joint.sliders", "2.5");
  assert_refused("joint: {law: gap, stiffness: 1, clearance: 0, sides: 3}\n", "joint.sides", "3");
  assert_refused("joint: {law: jenkins, stiffness: 1}\n", "joint", "slip_force");
  assert_refused("joint: {law: jenkins, stiffness: 1e200, slip_force: 1e-200}\n", "joint", "can slip");
  assert_refused("joint: {law: mindlin, contact_radius: 1e-90, shear_modulus: 1e-90, friction: 1, load: 1}\n", "joint", "can slip");
  assert_refused(
    "joint: {law: mindlin_spheres, radius_1: 1, radius_2: 0, young_1: 1, poisson_1: 0.3, young_2: 1, poisson_2: 0.3, friction: 1, load: 1}\n",
    "joint.radius_2", "positive");
  assert_refused("joint: {law: mindlin_spheres, radius_1: 1, young_1: 1, poisson_1: 0.6, young_2: 1, poisson_2: 0.3, friction: 1, load: 1}\n",
                 "joint.poisson_1", "0.6");
  assert_refused("joint: {law: dahl, stiffness: 1, slip_force: 1, alpha: 2.5}\n", "joint.alpha", "2.5");
  assert_refused("joint: {law: mindlin_dahl_simplified, stiffness: 1, slip_force: 1, cycle_force: 2}\n", "joint", "cycle_force");
  assert_refused("joint: {law: bouc_wen, k_h: 1, B: 1, C: 2}\n", "joint", "create energy");
  assert_refused("joint: {law: bouc_wen, k_h: 1, B: 1, C: -1}\n", "joint", "no limit");
  assert_refused("joint: {law: bouc_wen, k_h: 1, B: 1e-300}\n", "joint", "can slip"); /* it gave a dissipation that is not a number */
  assert_refused("joint: {law: bouc_wen, k_h: 1, A: 1e-300, B: 1e300}\n", "joint", "can slip");
  assert_refused("joint: {law: valanis, stiffness: 1e6, slip_stiffness: 0, slip_force: 1e-300, kappa: 0.5}\n", "joint", "can slip");
  assert_refused("joint: {law: bouc_wen_rough, stiffness: 1, slip_displacement: 1, decay: 1, offset: 0.6}\n", "joint", "offset");
  assert_refused("joint: {law: valanis, stiffness: 1, slip_stiffness: 1, slip_force: 1, kappa: 0.1}\n", "joint", "below the stiffness in stick");
  assert_refused("joint: {law: valanis, stiffness: 1, slip_stiffness: 0, slip_force: 1, kappa: 1}\n", "joint", "kappa");
  assert_refused("joint: {law: valanis, stiffness: 1, slip_stiffness: 0, slip_force: 1, kappa: 0.9999, shape: 2, slip_stiffness_quadratic: 1}\n",
                 "joint", "above 0.999");
  assert_refused("joint: {law: valanis, stiffness: 1, slip_stiffness: 0, slip_force: 1, kappa: 0, slip_stiffness_quadratic: 1}\n", "joint",
                 "shape: 2");
  assert_refused("joint: {law: generalized_valanis, C1: 1, C2: 1, D1: 1}\n", "joint", "branches: 2");
  assert_refused("joint: {law: generalized_valanis, C1: 1, C2: 1, branches: 2, D1: 1, D2: 1}\n", "joint", "diverge");
  assert_refused("joint: {law: jenkins, stiffness: 1, slipforce: 3, slip_force: 3}\n", "joint", "did you mean 'slip_force'");
}

/* What the papers take when they say nothing: z_max = 3 sigma, the sphere's 1/3, Dahl's 1, case I of a linear g. */
static void what_is_not_given_is_what_the_papers_take(void **state)
{
  const struct {
    const char *text, *key;
    PetscReal   value;
  } fallbacks[] = {
    {"{law: rough_interface, roughness: 1e-6, asperity_radius: 1e-4, density: 1e9, young_1: 2e11, poisson_1: 0.3, young_2: 2e11, poisson_2: 0.3, "
     "area: 1e-4, load: 5, friction: 0.3}",
     "cut", 3},
    {"{law: mindlin_dahl, stiffness: 1, slip_force: 1}", "alpha", 1.0 / 3},
    {"{law: mindlin_dahl_simplified, stiffness: 1, slip_force: 1, cycle_force: 1}", "alpha", 1.0 / 3},
    {"{law: dahl, stiffness: 1, slip_force: 1}", "alpha", 1},
    {"{law: bouc_wen, k_h: 1, B: 1}", "k_l", 0},
    {"{law: bouc_wen, k_h: 1, B: 1}", "A", 1},
    {"{law: bouc_wen, k_h: 1, B: 1}", "C", 0},
    {"{law: bouc_wen, k_h: 1, B: 1}", "N", 1},
    {"{law: valanis, stiffness: 2, slip_stiffness: 1, slip_force: 1, kappa: 0}", "shape", 1},
    {"{law: valanis, stiffness: 2, slip_stiffness: 1, slip_force: 1, kappa: 0}", "denominator", 1},
    {"{law: generalized_valanis, C1: 1, C2: 1}", "branches", 1},
    {"{law: rough_contact, normal_stiffness: 1, tangential_stiffness: 1, friction: 1}", "roughness", 0},
  };

  (void)state;
  for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++) {
    char     text[MOST_TEXT];
    Reading  reading;
    PetscInt p = 0;

    snprintf(text, sizeof text, "joint: %s\n", fallbacks[i].text);
    reading = read_law(text);
    assert_int_equal(reading.verdict, 0);
    while (strcmp(reading.law->parameters[p].name, fallbacks[i].key) != 0) p++;
    assert_near(reading.parameters[p], fallbacks[i].value, 0);
  }
}

static void an_unknown_or_absent_law_is_refused_and_gives_none(void **state)
{
  (void)state;
  assert_refused("joint: {law: jenkin, stiffness: 1}\n", "joint.law", "did you mean 'jenkins'");
  assert_refused("joint: {stiffness: 1}\n", "joint", "law: NAME");
  assert_refused("joint: 3\n", "joint", "law: NAME");
  assert_refused("joint: {law: [spring], stiffness: 1}\n", "joint.law", "text");
  assert_null(read_law("joint: {law: jenkin, stiffness: 1}\n").law);
}

static void help_of_a_law_tells_all_that_its_table_holds(void **state)
{
  char text[MOST_TEXT];

  (void)state;
  for (PetscInt l = 0; joint_laws[l]; l++) {
    FILE *file = tmpfile();

    assert_non_null(file);
    assert_ok(JointLawPrint(file, joint_laws[l]));
    read_back(file, text);
    assert_non_null(strstr(text, joint_laws[l]->name));
    assert_non_null(strstr(text, joint_laws[l]->summary));
    assert_non_null(strstr(text, joint_laws[l]->source));
    for (const JointParameter *parameter = joint_laws[l]->parameters; parameter->name; parameter++) {
      assert_non_null(strstr(text, parameter->name));
      assert_non_null(strstr(text, parameter->help));
      if (parameter->unit) assert_non_null(strstr(text, parameter->unit));
    }
    for (const JointDerived *derived = joint_laws[l]->derived; derived && derived->name; derived++) {
      assert_non_null(strstr(text, derived->name));
      assert_non_null(strstr(text, derived->help));
    }
  }
}

/* The line of the help that gives a sample; the text is the rest of it, the next line. */
static char *take_example(char **help)
{
  char *begin = strstr(*help, "\n  {law: "), *end = begin ? strchr(begin, '#') : NULL;

  if (!begin || !end) fail_msg("no example in\n%s", *help);
  *end  = 0;
  *help = end + 1;
  return begin + 3;
}

static void examples_of_the_help_are_read_as_the_samples_that_they_tell(void **state)
{
  (void)state;
  for (PetscInt l = 0; joint_laws[l]; l++) {
    FILE *file = tmpfile();
    char  text[MOST_TEXT], *rest = text;

    assert_non_null(file);
    assert_ok(JointLawPrint(file, joint_laws[l]));
    read_back(file, text);
    for (const JointSample *sample = joint_laws[l]->samples; sample->what; sample++) {
      char    line[MOST_TEXT];
      Reading reading;

      snprintf(line, sizeof line, "joint: %s\n", take_example(&rest));
      reading = read_law(line);
      assert_int_equal(reading.verdict, 0);
      assert_ptr_equal(reading.law, joint_laws[l]);
      for (PetscInt p = 0; reading.law->parameters[p].name; p++) assert_near(reading.parameters[p], sample->parameters[p], 0);
    }
  }
}

static void help_of_all_laws_has_a_line_for_each(void **state)
{
  FILE       *file = tmpfile();
  char        text[MOST_TEXT];
  const char *line = text;

  (void)state;
  assert_non_null(file);
  assert_ok(JointLawsPrint(file));
  read_back(file, text);
  for (PetscInt l = 0; joint_laws[l]; l++) {
    assert_memory_equal(line, joint_laws[l]->name, strlen(joint_laws[l]->name));
    line = strchr(line, '\n') + 1;
  }
  assert_string_equal(line, "");
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_complete_law_is_read_with_its_fallbacks),
  cmocka_unit_test(what_is_not_given_is_what_the_papers_take),
  cmocka_unit_test(faults_are_refused_at_their_place),
  cmocka_unit_test(an_unknown_or_absent_law_is_refused_and_gives_none),
  cmocka_unit_test(help_of_a_law_tells_all_that_its_table_holds),
  cmocka_unit_test(examples_of_the_help_are_read_as_the_samples_that_they_tell),
  cmocka_unit_test(help_of_all_laws_has_a_line_for_each),
};

CHECK_MAIN(tests)
