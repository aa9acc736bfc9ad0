/* test_joint_drive.c - laws in parallel along a path: a slider beside a spring, by hand. */
#include "check.h"
#include "joint.h"

static void slider_beside_a_spring(void **state)
{
  /* The slider slips at 2 N, which it reaches after 1 m. */
  const PetscReal path[] = {0.5, 3, 2, 1, -1}, slider[] = {1, 2, 0, -2, -2}, lost[] = {0, 4, 4, 4, 8};
  const PetscReal stiffness[JOINT_MAX_PARAMETERS] = {10};
  PetscReal       jenkins[JOINT_MAX_PARAMETERS], force[5], dissipated[5];
  JointBlock      laws[2];

  (void)state;
  for (PetscInt i = 0; JointLawFind("jenkins")->parameters[i].name; i++) jenkins[i] = 2; /* slip force and stiffness */
  assert_ok(JointBlockCreate(JointLawFind("spring"), stiffness, 1, &laws[0]));
  assert_ok(JointBlockCreate(JointLawFind("jenkins"), jenkins, 1, &laws[1]));
  assert_ok(JointDrive(2, laws, 5, path, NULL, force, dissipated));
  for (PetscInt i = 0; i < 5; i++) {
    assert_near(force[i], slider[i] + 10 * path[i], 1e-14);
    assert_near(dissipated[i], lost[i], 1e-14);
  }
  for (PetscInt l = 0; l < 2; l++) assert_ok(JointBlockDestroy(&laws[l]));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(slider_beside_a_spring),
};

CHECK_MAIN(tests)
