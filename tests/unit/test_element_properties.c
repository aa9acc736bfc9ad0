/* test_element_properties.c - materials, sections and bodies read from a case: their constants, and what is refused with which words. */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include "elements.h"
#include "scratch.h"

/* What is said about `text` when it is read as a KIND. */
typedef enum { A_MATERIAL, A_SECTION, A_BODY } Noun;

typedef union {
  Material    material;
  BeamSection section;
  PointMass   body;
} Properties;

static Properties Read(Scratch *scratch, Noun noun, const char *text)
{
  InputDocument *document;
  Properties     result;

  CaptureBegin(scratch);
  assert_ok(InputParse(PETSC_COMM_WORLD, "case", text, strlen(text), &document));
  if (noun == A_MATERIAL) assert_ok(MaterialRead(InputRoot(document), &result.material));
  if (noun == A_SECTION) assert_ok(SectionRead(InputRoot(document), &result.section));
  if (noun == A_BODY) assert_ok(PointMassRead(InputRoot(document), &result.body));
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  InputVerdict(document);
  assert_ok(PetscPopErrorHandler());
  assert_ok(InputClose(&document));
  CaptureEnd(scratch);
  return result;
}

static void Expect(Scratch *scratch, Noun noun, const char *text, const char *said)
{
  Read(scratch, noun, text);
  if (strstr(scratch->said, said)) return;
  print_error("of %s it was said:\n%s\nand not: %s\n", text, scratch->said, said);
  fail();
}

static void equal_constants_make_an_orthotropic_material_isotropic(void **state)
{
  const Material isotropic = ReadMaterial("{young: 70e9, poisson: 0.33, density: 2700}");
  const Material other =
    ReadMaterial("{young_1: 70e9, young_2: 70e9, young_3: 70e9, poisson_12: 0.33, poisson_13: 0.33, poisson_23: 0.33, shear_12: 26315789473.68421,"
                 " shear_13: 26315789473.68421, shear_23: 26315789473.68421, density: 2700, axis_1: [1, 2, 3], axis_2: [0, 1, 0]}");

  (void)state;
  assert_true(isotropic.isotropic && !other.isotropic);
  for (int i = 0; i < 81; i++) assert_near((&other.tensor[0][0][0][0])[i], (&isotropic.tensor[0][0][0][0])[i], 1e-3);
}

/* Pulled along its axis 1 it shrinks by poisson_12 along 2 and by poisson_13 along 3; sheared in 1-2 it answers with shear_12. */
static void an_orthotropic_material_answers_in_its_own_axes(void **state)
{
  const Material  m      = Laminate();
  const PetscReal length = sqrt(5.25), along = 2.5 / 5.25;
  PetscReal       axis[3][3] = {{2 / length, 1 / length, 0.5 / length}, {-along * 2, 1 - along, 3 - along * 0.5}}, norm = 0;

  (void)state;
  for (int i = 0; i < 3; i++) norm += axis[1][i] * axis[1][i];
  for (int i = 0; i < 3; i++) axis[1][i] /= sqrt(norm);
  for (int i = 0; i < 3; i++) axis[2][i] = axis[0][(i + 1) % 3] * axis[1][(i + 2) % 3] - axis[0][(i + 2) % 3] * axis[1][(i + 1) % 3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal pulled = 0, sheared = 0;

      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
          const PetscReal strain = (axis[0][k] * axis[0][l] - 0.3 * axis[1][k] * axis[1][l] - 0.28 * axis[2][k] * axis[2][l]) / 140e9;

          pulled += m.tensor[i][j][k][l] * strain;
          sheared += m.tensor[i][j][k][l] * axis[0][k] * axis[1][l];
        }
      assert_near(pulled, axis[0][i] * axis[0][j], 1e-13);
      assert_near(sheared, 5e9 * (axis[0][i] * axis[1][j] + axis[1][i] * axis[0][j]), 1e-4);
    }
}

#define ORTHOTROPIC(numbers) "{young_1: 140e9, young_2: 10e9, young_3: 10e9, " numbers ", shear_12: 5e9, shear_13: 5e9, shear_23: 3e9, density: 1600"

static void materials_that_cannot_be_are_refused(void **state)
{
  Scratch *const s = *state;

  Expect(s, A_MATERIAL, "{young: 1e9, poisson: 0.5, density: 1}", "case:1:23: poisson: must lie in (-1, 0.4999], got 0.5");
  Expect(s, A_MATERIAL, "{young: 1e9, poisson: -1, density: 1}", "poisson: must lie in (-1, 0.4999], got -1");
  Expect(s, A_MATERIAL, "{young: 0, poisson: 0.3, density: 1}", "young: must be positive");
  Expect(s, A_MATERIAL, "{young: 1e9, poison: 0.3, density: 1}", "unknown key 'poison'; did you mean 'poisson'?");
  Expect(s, A_MATERIAL, "{young: 1e9, poisson: 0.3}", "key 'density' is missing");
  Expect(s, A_MATERIAL, "{young: 1e9, young_1: 1e9}", "unknown key 'young'; it has: young_1, young_2");
  Expect(s, A_MATERIAL, ORTHOTROPIC("poisson_12: 0.3, poisson_13: 0.3, poisson_23: 1.1") "}",
         "poisson_23: must lie between -1 and 1, the root of young_2/young_3, got 1.1");
  Expect(s, A_MATERIAL, ORTHOTROPIC("poisson_12: 3.5, poisson_13: 0.3, poisson_23: 0.9") "}", "is not stable: poisson_12, poisson_13 and poisson_23");
  Expect(s, A_MATERIAL, ORTHOTROPIC("poisson_12: 0.3, poisson_13: 0.3, poisson_23: 0.4") ", axis_1: [1, 0]}", "axis_1: must be three numbers");
  Expect(s, A_MATERIAL, ORTHOTROPIC("poisson_12: 0.3, poisson_13: 0.3, poisson_23: 0.4") ", axis_1: [0, 2, 0]}",
         "axis_2 must not be parallel to axis_1");
  Expect(s, A_MATERIAL, ORTHOTROPIC("poisson_12: 0.3, poisson_13: 0.3, poisson_23: 0.4") ", axis_1: [0, 0, 0]}", "axis_1 must not be zero");
}

static void sections_have_the_constants_of_the_handbook(void **state)
{
  Scratch *const    s         = *state;
  const BeamSection rectangle = Read(s, A_SECTION, "{rectangle: {height: 0.2, width: 0.1}, orientation: [0, 1, 0]}").section;
  const BeamSection square    = Read(s, A_SECTION, "{rectangle: {height: 0.1, width: 0.1}}").section;
  const BeamSection circle    = Read(s, A_SECTION, "{circle: {diameter: 0.2}}").section;
  const BeamSection tube      = Read(s, A_SECTION, "{tube: {diameter: 0.2, thickness: 0.0001}}").section;
  const BeamSection i_beam = Read(s, A_SECTION, "{i_beam: {height: 0.2, width: 0.1, web: 0.0056, flange: 0.0085}, orientation: [0, 0, 1]}").section;
  const BeamSection values =
    Read(s, A_SECTION, "{values: {area: 1, inertia_y: 2, inertia_z: 3, torsion: 4, shear_z: 0.5}, orientation: [0, 0, 1], offset: [5, 6]}").section;

  assert_string_equal(s->said, "");
  assert_close(rectangle.area, 0.02, 1e-14);
  assert_close(rectangle.inertia_z, 0.1 * 0.008 / 12, 1e-14);
  assert_close(rectangle.inertia_y, 0.2 * 0.001 / 12, 1e-14);
  assert_close(rectangle.torsion, 0.228682 * 0.2 * 0.001, 3e-6); /* Timoshenko 1970, table of section 109: 0.229 for 2 : 1 */
  assert_close(square.torsion, 0.140577 * 0.0001, 3e-6);         /* 0.1406 */
  assert_close(circle.inertia_y, PETSC_PI * 0.0016 / 64, 1e-14);
  assert_close(circle.torsion, PETSC_PI * 0.0016 / 32, 1e-14);
  assert_close(tube.torsion, 2 * PETSC_PI * 0.001 * 0.0001, 2e-3);
  assert_close(tube.shear[0].a * 1.3 / (tube.shear[0].b + 0.3 * tube.shear[0].c), 2 * 1.3 / (4 + 3 * 0.3), 1e-3); /* Cowper, thin ring */
  assert_close(i_beam.inertia_z, 1.846e-5, 1e-3); /* IPE 200 has 1.943e-5 with its fillets */
  assert_close(i_beam.inertia_y, 1.42e-6, 1e-2);
  assert_close(i_beam.shear[0].a * 1.3 / (i_beam.shear[0].b + 0.3 * i_beam.shear[0].c), 0.2 * 0.0056 / i_beam.area, 0.12); /* about its web */
  assert_true(values.area == 1 && values.inertia_y == 2 && values.inertia_z == 3 && values.torsion == 4);
  assert_true(values.shear[0].a == 1 && values.shear[1].a == 0.5 && values.offset[0] == 5 && values.offset[1] == 6 && values.orientation[2] == 1);
}

static void sections_that_cannot_be_are_refused(void **state)
{
  Scratch *const s = *state;

  Expect(s, A_SECTION, "{circle: {diameter: -1}}", "circle.diameter: must be positive");
  Expect(s, A_SECTION, "{tube: {diameter: 0.1, thickness: 0.05}}", "tube: the thickness must be less than half the diameter");
  Expect(s, A_SECTION, "{rectangle: {height: 2, width: 1}}", "needs an orientation, [x, y, z]");
  Expect(s, A_SECTION, "{circle: {diameter: 2}, offset: [1, 0]}", "needs an orientation, [x, y, z]");
  Expect(s, A_SECTION, "{circle: {diameter: 2}, orientation: [1, 0]}", "orientation: must be 3 numbers, got 2");
  Expect(s, A_SECTION, "{circle: {diameter: 2}, tube: {diameter: 1, thickness: 0.1}}", "tube");
  Expect(s, A_SECTION, "{offset: [0, 0]}", "rectangle");
  Expect(s, A_SECTION, "{i_beam: {height: 0.2, width: 0.1, web: 0.005, flange: 0.1}, orientation: [0, 1, 0]}", "i_beam: two flanges must be thinner");
}

static void bodies_are_read_and_impossible_ones_refused(void **state)
{
  Scratch *const  s    = *state;
  const PointMass body = Read(s, A_BODY, "{mass: 2, inertia: [1, 2, 3], offset: [4, 5, 6]}").body;

  assert_string_equal(s->said, ""); /* a flat body: 1 + 2 = 3 */
  assert_true(body.mass == 2 && body.inertia[2] == 3 && body.inertia[3] == 0 && body.offset[1] == 5);
  Read(s, A_BODY, "{mass: 2}");
  assert_string_equal(s->said, "");
  Expect(s, A_BODY, "{mass: 0}", "mass: must be positive");
  Expect(s, A_BODY, "{mass: 1, inertia: [1, 2]}", "inertia: must be three numbers or six, got 2");
  Expect(s, A_BODY, "{mass: 1, inertia: [1, 1, 2.1]}", "inertia: belongs to no body");
  Expect(s, A_BODY, "{mass: 1, inertia: [1, 1, 1, 0.6, 0, 0]}", "inertia: belongs to no body");
  Expect(s, A_BODY, "{mass: 1, offset: 3}", "offset: must be three numbers");
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, MakeScratch, RemoveScratch)

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(equal_constants_make_an_orthotropic_material_isotropic),
  cmocka_unit_test(an_orthotropic_material_answers_in_its_own_axes),
  WITH_SCRATCH(materials_that_cannot_be_are_refused),
  WITH_SCRATCH(sections_have_the_constants_of_the_handbook),
  WITH_SCRATCH(sections_that_cannot_be_are_refused),
  WITH_SCRATCH(bodies_are_read_and_impossible_ones_refused),
};

CHECK_MAIN(tests)
