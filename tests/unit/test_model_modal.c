/* test_model_modal.c - a structure given by its modes is the structure that has them. */
#include "built.h"
#include "case.h"
#include <slepcsys.h>

/* Example 2 of voldrich2009: 20 and 52.4 Hz and the vectors of eq. 15 from these masses and springs; the vectors with more digits. */
#define LUMPED \
  "masses: { m1: {mass: 1, directions: y}, m2: {mass: 1, directions: y} }\n" \
  "springs:\n" \
  "  - {between: [ground, m1], stiffness: 41339}\n" \
  "  - {between: [m1, m2], stiffness: 41328}\n"
#define JOINT "joints: { pad: {between: [ground, m1], y: {law: jenkins, stiffness: 4e4, slip_force: 15}} }\n"

static void modes_of(const char *text, JointState state, PetscReal omega[2], PetscReal motions[2])
{
  Built  built = Build(text);
  Modes *modes;

  assert_non_null(built.system);
  assert_ok(ModesCompute(built.system, state, 2, &modes));
  for (PetscInt k = 0; k < 2; k++) omega[k] = modes->omega[k];
  assert_ok(ModesMotions(built.system, modes, motions));
  assert_ok(ModesDestroy(&modes));
  Destroy(&built);
}

static void modes_make_the_structure_that_has_them(void **state)
{
  PetscReal omega[2], motions[4], again[2], moved[4];
  char      text[1024];

  (void)state;
  modes_of(LUMPED JOINT, JOINT_SLIPPING, omega, motions);
  assert_near(omega[0] / (2 * PETSC_PI), 20, 0.005);
  assert_near(omega[1] / (2 * PETSC_PI), 52.4, 0.05);
  for (PetscInt i = 0; i < 4; i++) assert_near(fabs(motions[i]), i == 0 || i == 3 ? 0.5257 : 0.8507, 1e-4);
  snprintf(text, sizeof(text),
           "modal: {frequencies: [%.17g, %.17g], damping: 0.02, points: [m1 y, m2 y], shapes: [[%.17g, %.17g], [%.17g, %.17g]]}\n" JOINT,
           omega[0] / (2 * PETSC_PI), omega[1] / (2 * PETSC_PI), motions[0], motions[1], motions[2], motions[3]);
  for (PetscInt s = 0; s < 2; s++) {
    modes_of(LUMPED JOINT, (JointState)s, omega, motions);
    modes_of(text, (JointState)s, again, moved);
    for (PetscInt k = 0; k < 2; k++) assert_close(again[k], omega[k], 1e-13);
    for (PetscInt i = 0; i < 4; i++) assert_near(fabs(moved[i]), fabs(motions[i]), 1e-13);
  }
}

static void damping_is_that_of_the_modes_given(void **state)
{
  Built             built      = Build("modal: {frequencies: [0, 3], damping: [0, 0.25], points: a, shapes: [[1, 2]]}\n");
  const PetscReal   omega      = 6 * PETSC_PI;
  const PetscScalar diagonal[] = {0, 2 * 0.25 * omega};

  (void)state;
  assert_non_null(built.system);
  for (PetscInt i = 0; i < 2; i++) {
    PetscScalar value;

    assert_ok(MatGetValue(built.system->C, i, i, &value));
    assert_close(value, diagonal[i], 1e-15);
    assert_ok(MatGetValue(built.system->M, i, i, &value));
    assert_near(value, 1, 0);
  }
  Destroy(&built);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(modes_make_the_structure_that_has_them),
  cmocka_unit_test(damping_is_that_of_the_modes_given),
};

CHECK_MAIN_WITH_SLEPC(tests)
