/* test_system.c - a System is the equation it was told; a State goes on from its numbers bit by bit. */
#include "../verify/jointed.h"
#include <string.h>

static void CheckMatrix(Mat matrix, PetscInt rows, PetscInt columns, const PetscReal expected[])
{
  PetscInt  num_rows, num_columns;
  PetscReal values[64];

  assert_non_null(matrix);
  assert_ok(MatGetSize(matrix, &num_rows, &num_columns));
  assert_int_equal(num_rows, rows);
  assert_int_equal(num_columns, columns);
  MatrixGet(matrix, rows, columns, values);
  for (PetscInt i = 0; i < rows * columns; i++) assert_near(values[i], expected[i], 0.0);
}

static void CheckStiffness(const System *system, JointState state, const PetscReal expected[])
{
  Mat K;

  assert_ok(SystemStiffness(system, state, &K));
  CheckMatrix(K, system->num_unknowns, system->num_unknowns, expected);
  assert_ok(MatDestroy(&K));
}

/* Eqs 23 and 24 of lacayo2017 with m = 10, k = 9, K_T = 1. */
static void the_three_mass_system_has_the_matrices_of_the_paper(void **state)
{
  const PetscReal iwan[] = {10.0, 1.0, -0.5, 5.0, 0.0};
  const PetscReal mass[] = {10, 0, 0, 0, 10, 0, 0, 0, 10}, stuck[] = {18, -9, 0, -9, 19, -10, 0, -10, 10},
                  slipping[] = {18, -9, 0, -9, 18, -9, 0, -9, 9};
  System *system             = SystemNew(3);

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(system, i, i, 10.0));
    AddSpring(system, i - 1, i, 9.0);
  }
  AddJoint(system, JointLawFind("iwan4"), iwan, 1, 2);
  assert_ok(SystemSetUp(system));
  CheckMatrix(system->M, 3, 3, mass);
  CheckMatrix(system->K, 3, 3, slipping);
  assert_null(system->C);
  CheckStiffness(system, JOINT_STUCK, stuck);
  CheckStiffness(system, JOINT_SLIPPING, slipping);
  CheckMatrix(system->B, 1, 3, (PetscReal[]){0, -1, 1}); /* eq. 26 */
  CheckMatrix(system->T, 3, 3, (PetscReal[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
  assert_ok(SystemDestroy(&system));
}

static void entries_at_one_place_add_up_and_those_of_the_ground_are_left_out(void **state)
{
  System *system;

  (void)state;
  assert_ok(SystemCreate(2, &system));
  for (PetscInt i = 0; i < 100; i++) assert_ok(SystemAddMass(system, i % 2, i % 2, 0.5)); /* more than the first room */
  assert_ok(SystemAddMass(system, -1, -1, 7.0));
  assert_ok(SystemAddStiffness(system, 0, -1, 7.0));
  assert_ok(SystemAddStiffness(system, 0, 1, -2.0));
  assert_ok(SystemAddDamping(system, 1, 1, 3.0));
  assert_ok(SystemAddDamping(system, 1, -1, 3.0));
  assert_ok(SystemSetUp(system));
  CheckMatrix(system->M, 2, 2, (PetscReal[]){25, 0, 0, 25});
  CheckMatrix(system->K, 2, 2, (PetscReal[]){0, -2, 0, 0});
  CheckMatrix(system->C, 2, 2, (PetscReal[]){0, 0, 0, 3});
  assert_int_equal(system->names.num_rows, 0);
  assert_int_equal(system->names.num_motions, 0);
  assert_ok(SystemDestroy(&system));
  assert_null(system);
}

static void AddLaws(System *system, PetscInt row, PetscInt count, const char *const names[], const PetscReal parameters[][5])
{
  for (PetscInt i = 0; i < count; i++) assert_ok(SystemAddLaw(system, JointLawFind(names[i]), parameters[i], &row));
}

/* Rows: a spring and a damper to the ground; a damper beside a gap between 0 and 1; two springs between 0 and 2. */
static void linear_laws_are_in_the_matrices_and_their_rows_last(void **state)
{
  System  *system = SystemNew(3);
  PetscInt ground, middle, far;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) assert_ok(SystemAddMass(system, i, i, 1.0));
  assert_ok(SystemAddRow(system, "ground", 2, GROUND, 1, &ground));
  assert_ok(SystemAddRow(system, "middle", 0, 0, 1, &middle));
  assert_ok(SystemAddRow(system, "far", 1, 2, 0, &far));
  AddLaws(system, ground, 2, (const char *const[]){"spring", "damper"}, (const PetscReal[][5]){{5.0}, {0.25}});
  AddLaws(system, middle, 2, (const char *const[]){"damper", "gap"}, (const PetscReal[][5]){{2.0}, {100.0, 0.0, 1.0}});
  AddLaws(system, far, 2, (const char *const[]){"spring", "spring"}, (const PetscReal[][5]){{7.0}, {1.0}});
  assert_ok(SystemSetUp(system));
  assert_int_equal(system->names.num_rows, 3);
  assert_int_equal(system->names.num_nonlinear, 1);
  CheckMatrix(system->K, 3, 3, (PetscReal[]){8, 0, -8, 0, 5, 0, -8, 0, 8});
  CheckMatrix(system->C, 3, 3, (PetscReal[]){2, -2, 0, -2, 2.25, 0, 0, 0, 0});
  CheckMatrix(system->B, 3, 3, (PetscReal[]){-1, 1, 0, 0, 1, 0, 1, 0, -1});
  CheckStiffness(system, JOINT_STUCK, (PetscReal[]){108, -100, -8, -100, 105, 0, -8, 0, 8}); /* the closed gap is stiff */
  assert_string_equal(system->names.rows[0].joint, "middle");
  assert_string_equal(system->names.rows[1].joint, "ground");
  assert_string_equal(system->names.rows[2].joint, "far");
  assert_true(system->names.rows[0].nonlinear && !system->names.rows[1].nonlinear && !system->names.rows[2].nonlinear);
  assert_near(system->rows[0].damping, 2.0, 0.0);
  assert_near(system->rows[1].stiffness, 5.0, 0.0);
  assert_near(system->rows[1].damping, 0.25, 0.0);
  assert_int_equal(system->names.rows[1].direction, 2);
  assert_near(system->rows[2].stiffness, 8.0, 0.0);
  assert_int_equal(system->num_blocks, 1);
  assert_ok(SystemDestroy(&system));
}

/* d = 2 u0 - u1 + 0.5 u2, given in three pieces: a spring on it adds k d^T d. */
static void a_row_may_be_any_combination(void **state)
{
  const PetscReal spring[] = {8.0}, friction[] = {3.0, 0.5};
  System         *system = SystemNew(3);
  PetscInt        row;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) assert_ok(SystemAddMass(system, i, i, 1.0));
  assert_ok(SystemAddRow(system, "joint", 0, 1, 0, &row));
  assert_ok(SystemAddRowTerm(system, row, 0, 1.0));
  assert_ok(SystemAddRowTerm(system, row, 2, 0.5));
  assert_ok(SystemAddRowTerm(system, row, GROUND, 7.0));
  assert_ok(SystemAddLaw(system, JointLawFind("spring"), spring, &row));
  assert_ok(SystemAddLaw(system, JointLawFind("jenkins"), friction, &row));
  assert_ok(SystemSetUp(system));
  CheckMatrix(system->B, 1, 3, (PetscReal[]){2, -1, 0.5});
  CheckMatrix(system->K, 3, 3, (PetscReal[]){32, -16, 8, -16, 8, -4, 8, -4, 2});
  CheckStiffness(system, JOINT_STUCK, (PetscReal[]){44, -22, 11, -22, 11, -5.5, 11, -5.5, 2.75});
  assert_ok(SystemDestroy(&system));
}

static void CheckBlock(const SystemBlock *block, const char *law, PetscReal first_parameter, PetscInt num_points, const PetscInt rows[])
{
  assert_string_equal(block->block.law->name, law);
  assert_near(block->block.parameters[0], first_parameter, 0.0);
  assert_int_equal(block->block.num_points, num_points);
  for (PetscInt c = 0; c < num_points * block->block.law->dim; c++) {
    assert_int_equal(block->first[c + 1], c + 1);
    assert_int_equal(block->row[c], rows[c]);
    assert_near(block->factor[c], 1, 0);
  }
}

/* Linear rows between the others, so that every row moves. */
static void laws_with_the_same_parameters_are_gathered_in_one_block(void **state)
{
  const PetscReal soft[] = {1.0, 0.5}, hard[] = {9.0, 0.5}, cubic[] = {1.0, 0.5}, spring[] = {3.0}, radial[] = {4.0, 1.0, 0.0};
  System         *system = SystemNew(4);
  PetscInt        rows[2];

  (void)state;
  for (PetscInt i = 0; i < 4; i++) assert_ok(SystemAddMass(system, i, i, 1.0));
  AddJoint(system, JointLawFind("spring"), spring, GROUND, 0);
  AddJoint(system, JointLawFind("jenkins"), soft, 0, 1);
  AddJoint(system, JointLawFind("spring"), spring, GROUND, 1);
  AddJoint(system, JointLawFind("jenkins"), hard, 1, 2);
  AddJoint(system, JointLawFind("cubic"), cubic, 2, 3);
  AddJoint(system, JointLawFind("jenkins"), soft, 0, 3);
  for (PetscInt pair = 0; pair < 2; pair++) {
    for (PetscInt c = 0; c < 2; c++) assert_ok(SystemAddRow(system, "pair", c, GROUND, 2 * pair + c, &rows[c]));
    assert_ok(SystemAddLaw(system, &law_radial, radial, rows));
  }
  assert_ok(SystemSetUp(system));
  assert_int_equal(system->names.num_nonlinear, 8);
  assert_int_equal(system->num_blocks, 4);
  CheckBlock(&system->blocks[0], "jenkins", 1.0, 2, (PetscInt[]){0, 3});
  CheckBlock(&system->blocks[1], "jenkins", 9.0, 1, (PetscInt[]){1});
  CheckBlock(&system->blocks[2], "cubic", 1.0, 1, (PetscInt[]){2});
  CheckBlock(&system->blocks[3], "radial", 4.0, 2, (PetscInt[]){4, 6, 5, 7}); /* components first */
  assert_ok(SystemDestroy(&system));
}

/* The tangent of a law of several components goes between its own rows. */
static void TangentLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)block;
  stiffness[0] = state == JOINT_STUCK ? 1.0 : 0.0;
  stiffness[1] = 2.0;
  stiffness[2] = 3.0;
  stiffness[3] = 4.0;
}

static void tangents_of_two_components_stand_between_their_rows(void **state)
{
  const JointParameter none[]  = {{0}};
  const JointLaw       law     = {.name = "tangent", .parameters = none, .dim = 2, .limit = TangentLimit, .evaluate = RadialEvaluate};
  const PetscReal      cubic[] = {50.0, 0.0};
  System              *system  = SystemNew(3);
  PetscInt             rows[3];
  PetscReal            stiffness[9];
  Mat                  tangents;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0));
    assert_ok(SystemAddRow(system, "joint", i, GROUND, i, &rows[i]));
  }
  assert_ok(SystemAddLaw(system, &law, NULL, (PetscInt[]){rows[2], rows[0]}));
  assert_ok(SystemAddLaw(system, JointLawFind("cubic"), cubic, &rows[0]));
  assert_ok(SystemAddLaw(system, JointLawFind("cubic"), cubic, &rows[1]));
  assert_ok(SystemSetUp(system));
  assert_ok(SystemTangents(system, JOINT_STUCK, &tangents));
  assert_ok(MatGetValues(tangents, 3, (PetscInt[]){0, 1, 2}, 3, (PetscInt[]){0, 1, 2}, stiffness));
  assert_ok(MatDestroy(&tangents));
  for (PetscInt i = 0; i < 9; i++) assert_near(stiffness[i], ((const PetscReal[]){54, 0, 3, 0, 50, 0, 2, 0, 1})[i], 0.0);
  assert_ok(SystemTangents(system, JOINT_SLIPPING, &tangents));
  assert_ok(MatGetValue(tangents, 2, 2, &stiffness[8]));
  assert_ok(MatDestroy(&tangents));
  assert_near(stiffness[8], 0.0, 0.0);
  assert_ok(SystemDestroy(&system));
}

static void points_are_found_by_name_and_direction(void **state)
{
  const PetscInt first[] = {0, 5}, first_unknowns[] = {1, -1}, second[] = {2}, second_unknowns[] = {0};
  System        *system;

  (void)state;
  assert_ok(SystemCreate(2, &system));
  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  assert_ok(SystemAddPoint(system, "first", 2, first, first_unknowns));
  assert_ok(SystemAddPoint(system, "second", 1, second, second_unknowns));
  assert_ok(SystemSetUp(system));
  CheckMatrix(system->T, 3, 2, (PetscReal[]){0, 1, 0, 0, 1, 0});
  assert_int_equal(NamesFindPoint(&system->names, "first"), 0);
  assert_int_equal(NamesFindPoint(&system->names, "second"), 1);
  assert_int_equal(NamesFindPoint(&system->names, "third"), -1);
  assert_int_equal(NamesFindMotion(&system->names, 0, 5), 1);
  assert_int_equal(NamesFindMotion(&system->names, 1, 2), 2);
  assert_int_equal(NamesFindMotion(&system->names, 1, 0), -1);
  assert_ok(SystemDestroy(&system));
}

static void a_system_that_is_not_set_up_can_be_destroyed(void **state)
{
  System  *system = SystemNew(3);
  PetscInt row;

  (void)state;
  assert_ok(SystemAddRow(system, "joint", 0, 0, 1, &row));
  assert_ok(SystemAddLaw(system, JointLawFind("jenkins"), (PetscReal[]){1.0, 1.0}, &row));
  assert_ok(SystemDestroy(&system));
  assert_null(system);
  assert_ok(SystemDestroy(&system));
}

static PetscReal *Pack(const State *state, PetscInt *size)
{
  PetscReal *numbers;

  *size = StateSize(state);
  assert_ok(PetscMalloc1(*size, &numbers));
  StatePack(state, numbers);
  return numbers;
}

/* Another program reads the numbers and goes on. */
static Motion Resume(const Jointed *jointed, PetscBool factored, StepperOptions options, PetscInt size, const PetscReal numbers[])
{
  Motion motion = MotionBegin(JointedBuild(jointed, factored), options, JOINTED_NUM_LOADS, jointed->loads, (InitialMotion){NULL, NULL});

  assert_ok(StateDestroy(&motion.state));
  assert_ok(StateCreate(motion.system, motion.stepper->linear->n, motion.stepper->linear->m, &motion.state));
  assert_ok(StateUnpack(motion.state, size, numbers));
  assert_ok(StepperContinue(motion.stepper, motion.state));
  return motion;
}

static PetscInt64 CheckResumed(const Jointed *jointed, PetscBool factored, StepperOptions options)
{
  Motion   unbroken = MotionBegin(JointedBuild(jointed, factored), options, JOINTED_NUM_LOADS, jointed->loads, (InitialMotion){NULL, NULL}), resumed;
  PetscInt size, unbroken_size, resumed_size;
  PetscReal *numbers, *unbroken_numbers, *resumed_numbers;
  PetscInt64 halved;

  MotionStep(&unbroken, 173);
  numbers = Pack(unbroken.state, &size);
  MotionStep(&unbroken, 200);
  resumed = Resume(jointed, factored, options, size, numbers);
  MotionStep(&resumed, 200);
  unbroken_numbers = Pack(unbroken.state, &unbroken_size);
  resumed_numbers  = Pack(resumed.state, &resumed_size);
  assert_int_equal(resumed_size, unbroken_size);
  assert_memory_equal(resumed_numbers, unbroken_numbers, (size_t)unbroken_size * sizeof(PetscReal));
  assert_true(memcmp(numbers, unbroken_numbers, (size_t)PetscMin(size, unbroken_size) * sizeof(PetscReal)) != 0);
  halved = unbroken.state->halved;
  assert_ok(PetscFree(numbers));
  assert_ok(PetscFree(unbroken_numbers));
  assert_ok(PetscFree(resumed_numbers));
  MotionEnd(&unbroken);
  MotionEnd(&resumed);
  return halved;
}

static void a_motion_resumed_from_its_numbers_is_bitwise_the_unbroken_one(void **state)
{
  uint64_t seed = 6;

  (void)state;
  for (PetscInt i = 0; i < 12; i++) {
    const Jointed jointed = JointedDraw(i < 6 ? 7 : JOINTED_MAX_ELEMENTS, i % 3 == 0, &seed);

    CheckResumed(&jointed, i % 2, i % 4 < 2 ? AverageAcceleration(0.05) : HilberHughesTaylor(-0.1, 0.05));
    CheckResumed(&jointed, i % 2, RungeKutta(0.02));
  }
}

/* Memories, step sizes and guesses after halved steps as well. */
static void a_motion_with_halved_steps_is_resumed_bitwise(void **state)
{
  PetscInt64 halved = 0;
  uint64_t   seed   = 7;

  (void)state;
  for (PetscInt i = 0; i < 6; i++) {
    const Jointed  jointed = JointedDraw(7, i % 2, &seed);
    StepperOptions options = AverageAcceleration(0.3);

    options.max_iterations = 3;
    halved += CheckResumed(&jointed, i % 2, options);
  }
  assert_true(halved > 100);
}

/* From a file of another case, or a short one. */
static void too_few_numbers_are_refused(void **state)
{
  uint64_t seed    = 8;
  Jointed  jointed = JointedDraw(6, PETSC_TRUE, &seed);
  Motion   motion =
    MotionBegin(JointedBuild(&jointed, PETSC_FALSE), AverageAcceleration(0.1), JOINTED_NUM_LOADS, jointed.loads, (InitialMotion){NULL, NULL});
  PetscInt   size;
  PetscReal *numbers;

  (void)state;
  MotionStep(&motion, 100);
  numbers = Pack(motion.state, &size);
  assert_ok(StateUnpack(motion.state, size, numbers));
  assert_ok(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  for (PetscInt shorter = 0; shorter < size; shorter += shorter < size - 40 ? 7 : 1) assert_true(StateUnpack(motion.state, shorter, numbers) != 0);
  assert_ok(PetscPopErrorHandler());
  assert_ok(PetscFree(numbers));
  MotionEnd(&motion);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(the_three_mass_system_has_the_matrices_of_the_paper),
  cmocka_unit_test(entries_at_one_place_add_up_and_those_of_the_ground_are_left_out),
  cmocka_unit_test(linear_laws_are_in_the_matrices_and_their_rows_last),
  cmocka_unit_test(a_row_may_be_any_combination),
  cmocka_unit_test(laws_with_the_same_parameters_are_gathered_in_one_block),
  cmocka_unit_test(tangents_of_two_components_stand_between_their_rows),
  cmocka_unit_test(points_are_found_by_name_and_direction),
  cmocka_unit_test(a_system_that_is_not_set_up_can_be_destroyed),
  cmocka_unit_test(a_motion_resumed_from_its_numbers_is_bitwise_the_unbroken_one),
  cmocka_unit_test(a_motion_with_halved_steps_is_resumed_bitwise),
  cmocka_unit_test(too_few_numbers_are_refused),
};

CHECK_MAIN_WITH_SLEPC(tests)
