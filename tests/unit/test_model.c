/* test_model.c - a model read from a case is the System it describes. */
#include "built.h"

static PetscReal Entry(Mat matrix, PetscInt i, PetscInt j)
{
  PetscReal value;

  assert_ok(MatGetValue(matrix, i, j, &value));
  return value;
}

static void CheckMatrix(Mat matrix, PetscInt n, const PetscReal expected[])
{
  PetscInt rows, columns;

  assert_ok(MatGetSize(matrix, &rows, &columns));
  assert_int_equal(rows, n);
  assert_int_equal(columns, n);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) assert_near(Entry(matrix, i, j), expected[i * n + j], 0.0);
}

static void CheckStiffness(const System *system, JointState state, PetscInt n, const PetscReal expected[])
{
  Mat K;

  assert_ok(SystemStiffness(system, state, &K));
  CheckMatrix(K, n, expected);
  assert_ok(MatDestroy(&K));
}

/* Section 3.1 of lacayo2017, eqs 23 and 24 with m = 10, k = 9, K_T = 1. */
static const PetscReal three_mass_M[]        = {10, 0, 0, 0, 10, 0, 0, 0, 10};
static const PetscReal three_mass_stuck[]    = {18, -9, 0, -9, 19, -10, 0, -10, 10};
static const PetscReal three_mass_slipping[] = {18, -9, 0, -9, 18, -9, 0, -9, 9};

#define THREE_MASS_JOINT \
  "laws: { slip: {law: iwan4, slip_force: 10, stiffness: 1, chi: -0.5, beta: 5} }\n" \
  "joints: { bolt: {between: [m2, m3], x: slip} }\n" \
  "damping: {modal: 1e-4}\n"

#define THREE_MASS \
  "masses: { m1: {mass: 10}, m2: {mass: 10}, m3: {mass: 10} }\n" \
  "springs:\n" \
  "  - {between: [ground, m1], stiffness: 9}\n" \
  "  - {between: [m1, m2], stiffness: 9}\n" \
  "  - {between: [m2, m3], stiffness: 9, direction: x}\n"

static void CheckThreeMass(const char *text)
{
  Built               built  = Build(text);
  const System *const system = built.system;

  assert_non_null(system);
  CheckMatrix(system->M, 3, three_mass_M);
  CheckStiffness(system, JOINT_STUCK, 3, three_mass_stuck);
  CheckStiffness(system, JOINT_SLIPPING, 3, three_mass_slipping);
  assert_null(system->C);
  assert_int_equal(system->names.num_rows, 1);
  assert_int_equal(system->names.num_nonlinear, 1);
  assert_string_equal(system->names.rows[0].joint, "bolt");
  assert_near(Entry(system->B, 0, 0), 0.0, 0.0); /* eq. 26: the joint's motion is u3 - u2 */
  assert_near(Entry(system->B, 0, 1), -1.0, 0.0);
  assert_near(Entry(system->B, 0, 2), 1.0, 0.0);
  assert_int_equal(system->damping.num_ratios, 1);
  assert_near(system->damping.ratios[0], 1e-4, 0.0);
  assert_near(system->base_mass[0], 30.0, 0.0);
  assert_null(system->base[1]);
  assert_int_equal(NamesFindPoint(&system->names, "m3"), 2);
  Destroy(&built);
}

static void three_mass_system_has_the_matrices_of_the_paper(void **state)
{
  (void)state;
  CheckThreeMass(THREE_MASS THREE_MASS_JOINT);
}

static void given_matrices_make_the_same_system(void **state)
{
  (void)state;
  CheckThreeMass("matrices:\n"
                 "  points: [m1, m2, m3]\n"
                 "  mass: [[10, 0, 0], [0, 10, 0], [0, 0, 10]]\n"
                 "  stiffness: [[18, -9, 0], [-9, 18, -9], [0, -9, 9]]\n" THREE_MASS_JOINT);
}

static void masses_and_matrices_join_in_one_system(void **state)
{
  Built built;

  (void)state;
  built = Build("masses: { a: {mass: 2} }\n"
                "matrices: {points: [b, c], mass: [[3, 1], [1, 4]], stiffness: [[5, -1], [-1, 6]], damping: [[0.5, 0.25], [0.25, 0.75]]}\n"
                "springs: [ {between: [a, b], stiffness: 7} ]\n"
                "dampers: [ {between: [c, ground], damping: 8} ]\n"
                "damping: {modal: [0.01, 0.02], rayleigh: {mass: 3, stiffness: 4e-3}}\n");
  assert_non_null(built.system);
  CheckMatrix(built.system->M, 3, (const PetscReal[]){2, 0, 0, 0, 3, 1, 0, 1, 4});
  CheckMatrix(built.system->K, 3, (const PetscReal[]){7, -7, 0, -7, 12, -1, 0, -1, 6});
  CheckMatrix(built.system->C, 3, (const PetscReal[]){0, 0, 0, 0, 0.5, 0.25, 0, 0.25, 8.75});
  assert_int_equal(built.system->damping.num_ratios, 2);
  assert_near(built.system->damping.ratios[1], 0.02, 0.0);
  assert_near(built.system->damping.mass_factor, 3.0, 0.0);
  assert_near(built.system->damping.stiffness_factor, 4e-3, 0.0);
  Destroy(&built);
}

static void a_mass_with_six_directions_has_six_unknowns(void **state)
{
  const PetscReal expected[] = {5, 5, 5, 1, 2, 3};
  Built           built;

  (void)state;
  built = Build("masses: { body: {mass: 5, inertia: [1, 2, 3], directions: [x, y, z, rx, ry, rz]} }\n"
                "springs: [ {between: [ground, body], direction: rz, stiffness: 7} ]\n");
  assert_non_null(built.system);
  assert_int_equal(built.system->num_unknowns, 6);
  for (PetscInt i = 0; i < 6; i++) {
    assert_near(Entry(built.system->M, i, i), expected[i], 0.0);
    assert_near(built.system->base_mass[i], expected[i], 0.0);
    assert_near(Entry(built.system->K, i, i), i == 5 ? 7.0 : 0.0, 0.0);
    assert_int_equal(NamesFindMotion(&built.system->names, 0, i), i);
  }
  Destroy(&built);
}

static void one_inertia_serves_all_rotations_in_the_order_given(void **state)
{
  Built built;

  (void)state;
  built = Build("masses: { body: {mass: 5, inertia: 2, directions: [rz, y, rx]} }\n");
  assert_non_null(built.system);
  CheckMatrix(built.system->M, 3, (const PetscReal[]){2, 0, 0, 0, 5, 0, 0, 0, 2});
  assert_int_equal(NamesFindMotion(&built.system->names, 0, 5), 0);
  Destroy(&built);
}

static void fixed_directions_have_no_unknown(void **state)
{
  Built built;

  (void)state;
  built = Build("masses: { a: {mass: 1, directions: [x, y], fixed: [x]}, b: {mass: 2, directions: [x, y]} }\n"
                "springs: [ {between: [a, b], direction: x, stiffness: 3} ]\n"
                "dampers: [ {between: [a, b], direction: y, damping: 4} ]\n");
  assert_non_null(built.system);
  assert_int_equal(built.system->num_unknowns, 3);
  assert_int_equal(built.system->names.points[0].unknown[0], -1);
  assert_int_equal(built.system->names.points[0].unknown[1], 0);
  assert_int_equal(built.system->names.points[1].unknown[1], 2);
  CheckMatrix(built.system->M, 3, (const PetscReal[]){1, 0, 0, 0, 2, 0, 0, 0, 2});
  CheckMatrix(built.system->K, 3, (const PetscReal[]){0, 0, 0, 0, 3, 0, 0, 0, 0});
  CheckMatrix(built.system->C, 3, (const PetscReal[]){4, 0, -4, 0, 0, 0, -4, 0, 4});
  assert_near(built.system->base_mass[0], 2.0, 0.0);
  assert_near(built.system->base_mass[1], 3.0, 0.0);
  Destroy(&built);
}

static void rigidly_joined_points_move_as_one(void **state)
{
  Built built;

  (void)state;
  built = Build("masses: { a: {mass: 1}, b: {mass: 2}, c: {mass: 4}, d: {mass: 0} }\n"
                "springs: [ {between: [ground, a], stiffness: 10}, {between: [c, b], stiffness: 3}, {between: [a, b], stiffness: 99} ]\n"
                "joints: { second: {between: [d, b], x: rigid}, first: {between: [b, a], x: [rigid]} }\n");
  assert_non_null(built.system);
  assert_int_equal(built.system->num_unknowns, 2);
  assert_int_equal(built.system->names.num_rows, 0);
  assert_int_equal(built.system->names.points[3].unknown[0], 0);
  CheckMatrix(built.system->M, 2, (const PetscReal[]){3, 0, 0, 4});
  CheckMatrix(built.system->K, 2, (const PetscReal[]){13, -3, -3, 3});
  assert_near(built.system->base_mass[0], 7.0, 0.0);
  Destroy(&built);
}

static void a_point_rigidly_joined_to_the_ground_rests(void **state)
{
  Built built;

  (void)state;
  built = Build("matrices: {points: [a, b], mass: [[2, 1], [1, 2]], stiffness: [[5, -5], [-5, 5]]}\n"
                "joints: { foot: {between: [b, ground], x: rigid} }\n");
  assert_non_null(built.system);
  CheckMatrix(built.system->M, 1, (const PetscReal[]){2});
  CheckMatrix(built.system->K, 1, (const PetscReal[]){5});
  Destroy(&built);
}

static void laws_in_one_direction_add_up(void **state)
{
  Built built;

  (void)state;
  built = Build("masses: { a: {mass: 1}, b: {mass: 1} }\n"
                "laws: { slip: {law: jenkins, slip_force: 1, stiffness: 2} }\n"
                "joints:\n"
                "  lap: {between: [a, b], x: [slip, {law: spring, stiffness: 4}]}\n"
                "  foot: {between: [ground, a], x: slip}\n");
  assert_non_null(built.system);
  assert_int_equal(built.system->names.num_rows, 2);
  assert_int_equal(built.system->names.num_nonlinear, 2);
  assert_int_equal(built.system->num_blocks, 1);
  CheckStiffness(built.system, JOINT_STUCK, 2, (const PetscReal[]){8, -6, -6, 6});
  CheckStiffness(built.system, JOINT_SLIPPING, 2, (const PetscReal[]){4, -4, -4, 4});
  Destroy(&built);
}

static void a_long_chain_is_found_by_name_quickly(void **state)
{
  enum { LENGTH = 3000 };
  char *const text = malloc(100 * LENGTH);
  char       *end  = text;
  Built       built;

  (void)state;
  assert_non_null(text);
  end += sprintf(end, "masses:\n");
  for (int i = 0; i < LENGTH; i++) end += sprintf(end, "  m%d: {mass: 1}\n", (i * 7919) % LENGTH);
  end += sprintf(end, "springs:\n");
  for (int i = 1; i < LENGTH; i++) end += sprintf(end, "  - {between: [m%d, m%d], stiffness: %d}\n", i - 1, i, i);
  built = Build(text);
  free(text);
  assert_non_null(built.system);
  for (int i = 1; i < LENGTH; i += 97) {
    char     name[2][16];
    PetscInt row[2];

    for (int k = 0; k < 2; k++) {
      sprintf(name[k], "m%d", i - 1 + k);
      row[k] = NamesFindPoint(&built.system->names, name[k]);
    }
    assert_near(Entry(built.system->K, row[0], row[1]), -i, 0.0);
  }
  Destroy(&built);
}

static void matrices_equal_to_round_off_are_symmetric(void **state)
{
  Built built;

  (void)state;
  built = Build("matrices: {points: [a, b], mass: [[1, 0], [0, 1]], stiffness: [[1e9, 1e-6], [-1e-6, 1e9]]}\n"); /* 2e-6 of 1e9 is round-off */
  assert_non_null(built.system);
  CheckMatrix(built.system->K, 2, (const PetscReal[]){1e9, 0, 0, 1e9});
  Destroy(&built);
}

static void every_key_has_its_help(void **state)
{
  (void)state;
  for (PetscInt t = 0; model_tables[t]; t++) {
    assert_non_null(model_tables[t]->name);
    assert_non_null(model_tables[t]->summary);
    for (const InputField *field = model_tables[t]->fields; field->key; field++) assert_non_null(field->help);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_mass_system_has_the_matrices_of_the_paper),
    cmocka_unit_test(given_matrices_make_the_same_system),
    cmocka_unit_test(masses_and_matrices_join_in_one_system),
    cmocka_unit_test(a_mass_with_six_directions_has_six_unknowns),
    cmocka_unit_test(one_inertia_serves_all_rotations_in_the_order_given),
    cmocka_unit_test(fixed_directions_have_no_unknown),
    cmocka_unit_test(rigidly_joined_points_move_as_one),
    cmocka_unit_test(a_point_rigidly_joined_to_the_ground_rests),
    cmocka_unit_test(laws_in_one_direction_add_up),
    cmocka_unit_test(a_long_chain_is_found_by_name_quickly),
    cmocka_unit_test(matrices_equal_to_round_off_are_symmetric),
    cmocka_unit_test(every_key_has_its_help),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (ErrorHandlerInstall() != 0) return 1;
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
