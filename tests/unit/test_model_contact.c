/* test_model_contact.c - faces in contact: how a preload and its moment press the parts of an area, and how these move. */
#include "built.h"

#define BODY "masses: { block: {mass: 2, directions: [x, y, z, rx, ry, rz], inertia: [1, 1, 1]} }\n"
#define PAD(keys) \
  BODY "joints: { pad: {between: [ground, block], contact: {" keys "}} }\n" \
       "damping: {modal: 0.01}\n"

#define LAW(rest) "law: {law: rough_contact, normal_stiffness: 8e4, tangential_stiffness: 4e4, friction: 0.5, " rest "}"

/* Of point i that is moved in x. */
static PetscReal force_of(const JointBlock *block, PetscInt i, PetscReal rise)
{
  const JointBlock  point           = JointBlockPoint(block, i);
  const PetscReal   displacement[3] = {rise, 0, 0}, velocity[3] = {0, 0, 0};
  const JointMotion motion = {displacement, velocity};
  PetscReal         force[3];
  JointForce        result = {.force = force};
  JointHistory      untouched;

  assert_ok(JointHistoryCreate(&point, &untouched));
  point.law->evaluate(&point, &untouched, &motion, &result);
  assert_ok(JointHistoryDestroy(&untouched));
  return force[0];
}

/* What presses point i at rest: parted altogether, that is what is missing. */
static PetscReal load_of(const JointBlock *block, PetscInt i)
{
  return force_of(block, i, 1);
}

/* Of term t of a component: the direction that moves it. */
static PetscInt direction_of(const System *system, PetscInt t)
{
  return system->names.rows[system->blocks[0].row[t]].direction;
}

/* The factor with which a motion of the joint moves a component of point i; 0 where it does not. */
static PetscReal factor_of(const System *system, PetscInt component, PetscInt i, PetscInt direction)
{
  const SystemBlock *block = &system->blocks[0];
  const PetscInt     c     = component * block->block.num_points + i;

  for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++)
    if (direction_of(system, t) == direction) return block->factor[t];
  return 0;
}

/* Eq. 7 of voldrich2009: parts of 0.05 by 0.04 m, y first. */
static void parts_move_with_a_rigid_face(void **state)
{
  Built           built = Build(PAD(LAW("preload: 12") ", area: [0.1, 0.12], parts: [2, 3]"));
  const PetscReal y[] = {-0.025, 0.025, -0.025, 0.025, -0.025, 0.025}, z[] = {-0.04, -0.04, 0, 0, 0.04, 0.04};

  (void)state;
  assert_int_equal(built.system->num_blocks, 1);
  assert_int_equal(built.system->blocks[0].block.num_points, 6);
  for (PetscInt i = 0; i < 6; i++) {
    const PetscReal expected[3][NUM_DIRECTIONS] = {{1, 0, 0, 0, z[i], -y[i]}, {0, 1, 0, -z[i], 0, 0}, {0, 0, 1, y[i], 0, 0}};

    assert_close(load_of(&built.system->blocks[0].block, i), 2, 1e-14);
    for (PetscInt c = 0; c < 3; c++)
      for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) assert_near(factor_of(built.system, c, i, d), expected[c][d], 1e-17);
  }
  Destroy(&built);
}

/* The sums of eq. 8; faces of which some parts are open, smooth and rough. */
static void the_parts_balance_preload_and_moment(void **state)
{
  static const char *const cases[] = {
    PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [4, 4], moment: [1, 0]"),
    PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [4, 4], moment: [-0.6, 0.4]"),
    PAD(LAW("preload: 30, roughness: 2e-3") ", area: [0.1, 0.1], parts: [5, 3], moment: [0.4, -0.9]"),
    PAD(LAW("preload: 30, roughness: 1e-5") ", area: [0.1, 0.1], parts: [4, 4], moment: [0.1, 1.08]"),
  };
  const PetscReal moments[][2] = {{1, 0}, {-0.6, 0.4}, {0.4, -0.9}, {0.1, 1.08}};

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Built     built  = Build(cases[k]);
    PetscReal sum[3] = {0, 0, 0};

    for (PetscInt i = 0; i < built.system->blocks[0].block.num_points; i++) {
      const PetscReal load = load_of(&built.system->blocks[0].block, i);

      assert_true(load >= 0);
      sum[0] += load;
      sum[1] += load * factor_of(built.system, 0, i, 4); /* z, and -y */
      sum[2] += load * factor_of(built.system, 0, i, 5);
    }
    assert_close(sum[0], 30, 1e-11);
    assert_near(sum[1], moments[k][0], 1e-11);
    assert_near(sum[2], moments[k][1], 1e-11);
    Destroy(&built);
  }
}

/* Linear springs that nothing opens: N/n + M z / sum z^2, as in every book of beams. */
static void a_small_moment_presses_linearly(void **state)
{
  Built           built = Build(PAD(LAW("preload: 40") ", area: [0.1, 0.2], parts: [1, 4], moment: [0.6, 0]"));
  const PetscReal z[] = {-0.075, -0.025, 0.025, 0.075}, squares = 2 * (0.075 * 0.075 + 0.025 * 0.025);

  (void)state;
  for (PetscInt i = 0; i < 4; i++) assert_close(load_of(&built.system->blocks[0].block, i), 10 + 0.6 * z[i] / squares, 1e-12);
  Destroy(&built);
}

/* Tilts of small faces are large beside their depths, so numbers of different units were compared. */
static void a_tiny_area_takes_a_preload_with_a_moment(void **state)
{
  static const char *const cases[] = {
    PAD("law: {law: rough_contact, normal_stiffness: 1e5, tangential_stiffness: 4e4, friction: 0.5, preload: 900, roughness: 0.3}, "
        "area: [7e-4, 2.7e-6], parts: [4, 5], moment: [-2e-4, 0.1]"),
    PAD("law: {law: rough_contact, normal_stiffness: 2e3, tangential_stiffness: 4e4, friction: 0.5, preload: 0.06}, "
        "area: [1.4e-4, 6.7e-6], parts: [6, 2], moment: [-6e-8, -3.4e-6]"),
  };
  const PetscReal expected[][3] = {{900, -2e-4, 0.1}, {0.06, -6e-8, -3.4e-6}};

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Built     built  = Build(cases[k]);
    PetscReal sum[3] = {0, 0, 0};

    for (PetscInt i = 0; i < built.system->blocks[0].block.num_points; i++) {
      const PetscReal load = load_of(&built.system->blocks[0].block, i);

      sum[0] += load;
      sum[1] += load * factor_of(built.system, 0, i, 4);
      sum[2] += load * factor_of(built.system, 0, i, 5);
    }
    for (PetscInt j = 0; j < 3; j++) assert_close(sum[j], expected[k][j], 1e-9);
    Destroy(&built);
  }
}

/* Rigid faces: a part that the moment lifts is as far away as the plane of those that are pressed says. */
static void a_lifted_part_meets_again_after_its_gap(void **state)
{
  Built             built = Build(PAD(LAW("preload: 40") ", area: [0.1, 0.2], parts: [1, 4], moment: [2.6, 0]"));
  const JointBlock *block = &built.system->blocks[0].block;
  const PetscReal   k = 2e4, last = load_of(block, 3) / k, slope = last - load_of(block, 2) / k;

  (void)state;
  for (PetscInt i = 0; i < 2; i++) {
    const PetscReal gap = (3 - i) * slope - last;

    assert_true(gap > 1e-5);
    assert_near(load_of(block, i), 0, 0);
    assert_near(force_of(block, i, -0.999 * gap), 0, 0);
    assert_close(force_of(block, i, -2 * gap), -k * gap, 1e-9);
  }
  Destroy(&built);
}

static void assert_refused(const char *text)
{
  Built built = Build(text);

  assert_int_equal(InputNumComplaints(built.document), 1);
  Destroy(&built);
}

/* 30 N at 0.0375 m from the middle, where the outermost parts are, is 1.125 N m. */
static void what_parts_cannot_balance_is_refused(void **state)
{
  (void)state;
  assert_refused(PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [4, 4], moment: [1.126, 0]"));
  assert_refused(PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [4, 4], moment: [1.125, 0]"));
  assert_refused(PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [4, 4], moment: [0, -1.126]"));
  assert_refused(PAD(LAW("preload: 0") ", area: [0.1, 0.1], parts: [4, 4], moment: [1e-9, 0]"));
  assert_refused(PAD(LAW("preload: 30") ", area: [0.1, 0.1], parts: [1, 4], moment: [0, 0.1]"));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(parts_move_with_a_rigid_face),
  cmocka_unit_test(the_parts_balance_preload_and_moment),
  cmocka_unit_test(a_small_moment_presses_linearly),
  cmocka_unit_test(a_lifted_part_meets_again_after_its_gap),
  cmocka_unit_test(a_tiny_area_takes_a_preload_with_a_moment),
  cmocka_unit_test(what_parts_cannot_balance_is_refused),
};

CHECK_MAIN(tests)
