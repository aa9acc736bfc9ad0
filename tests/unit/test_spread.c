/* test_spread.c - laws of a unit of area: what they transmit, what K0 contains of them, what a preloaded state begins with. */
#include "balance.h"
#include "check.h"
#include <string.h>

enum { SPREAD_DIM = 3, SPREAD_POINTS = 2, SPREAD_ROWS = 6, SPREAD_PADDED = 8 };

static const PetscReal spread_area[] = {0.3, 0.7}, spread_gap[] = {0.05, 0.2};

/* k_N 1.3, k_T 0.9, roughness 0.4, friction 0.5, `share` times; and a gap of its own. */
static void RoughFaces(PetscReal share, PetscReal gap, PetscReal parameters[])
{
  const JointLaw *const law = JointLawFind("rough_contact");

  for (PetscInt i = 0; law->parameters[i].name; i++) parameters[i] = law->parameters[i].fallback;
  for (PetscInt i = 0; law->parameters[i].name; i++) {
    if (!strcmp(law->parameters[i].name, "normal_stiffness")) parameters[i] = 1.3 * share;
    if (!strcmp(law->parameters[i].name, "normal_stiffness_other")) parameters[i] = 0.0;
    if (!strcmp(law->parameters[i].name, "tangential_stiffness")) parameters[i] = 0.9 * share;
    if (!strcmp(law->parameters[i].name, "tangential_stiffness_other")) parameters[i] = 0.0;
    if (!strcmp(law->parameters[i].name, "roughness")) parameters[i] = 0.4;
    if (!strcmp(law->parameters[i].name, "gap")) parameters[i] = gap;
    if (!strcmp(law->parameters[i].name, "friction")) parameters[i] = 0.5;
  }
}

/* Two points with a unit mass for each of their rows: laws of areas behind gaps, or laws that contain both. */
static System *TwoPoints(PetscBool spread)
{
  System   *system;
  PetscReal parameters[JOINT_MAX_PARAMETERS];
  PetscInt  rows[SPREAD_DIM];

  assert_ok(SystemCreate(SPREAD_ROWS, &system));
  for (PetscInt i = 0; i < SPREAD_POINTS; i++) {
    for (PetscInt c = 0; c < SPREAD_DIM; c++) {
      assert_ok(SystemAddMass(system, SPREAD_DIM * i + c, SPREAD_DIM * i + c, 1.0));
      assert_ok(SystemAddRow(system, "faces", c, -1, SPREAD_DIM * i + c, &rows[c]));
    }
    RoughFaces(spread ? 1.0 : spread_area[i], spread ? 0.0 : spread_gap[i], parameters);
    assert_ok(SystemAddContact(system, "faces", 1, (PetscReal[]){0.0}, (PetscReal[]){0.0}));
    assert_ok(SystemAddLaw(system, JointLawFind("rough_contact"), parameters, rows));
    if (spread) assert_ok(SystemSpreadLaw(system, spread_area[i], spread_gap[i]));
  }
  assert_ok(SystemSetUp(system));
  return system;
}

typedef struct {
  System     *system;
  JointForces joints;
  State      *state;
} Built;

static Built Build(PetscBool spread)
{
  Built built = {.system = TwoPoints(spread)};

  assert_ok(JointForcesCreate(built.system, SPREAD_PADDED, PETSC_FALSE, &built.joints));
  assert_ok(StateCreate(built.system, SPREAD_ROWS, SPREAD_PADDED, &built.state));
  return built;
}

static void Drop(Built *built)
{
  assert_ok(StateDestroy(&built->state));
  assert_ok(JointForcesDestroy(&built->joints));
  assert_ok(SystemDestroy(&built->system));
}

static void MoveTo(Built *built, const PetscReal motion[])
{
  for (PetscInt i = 0; i < SPREAD_ROWS; i++) built->joints.motion[i] = motion[i];
  JointForcesEvaluate(&built->joints, built->state, 0.0);
}

/* Presses, slides, slides back while it parts. */
static const PetscReal spread_path[][SPREAD_ROWS] = {
  {-0.3, 0.1, 0.0, -0.5, 0.2, -0.1}, {-0.4, 0.5, 0.2, -0.9, 0.1, 0.4}, {-0.1, -0.5, 0.1, -0.3, 0.0, 0.1}};

static void a_law_of_an_area_behind_a_gap_is_one_that_contains_both(void **state)
{
  Built     spread = Build(PETSC_TRUE), whole = Build(PETSC_FALSE);
  PetscReal faces[2][SPREAD_POINTS] = {{0}}, pressing[2][SPREAD_POINTS] = {{0}};

  (void)state;
  assert_true(spread.joints.by_points);
  assert_int_equal(spread.system->num_blocks, 1);
  assert_int_equal(whole.system->num_blocks, 2);
  for (size_t k = 0; k < sizeof(spread_path) / sizeof(spread_path[0]); k++) {
    MoveTo(&spread, spread_path[k]);
    MoveTo(&whole, spread_path[k]);
    for (PetscInt r = 0; r < SPREAD_ROWS; r++) {
      const PetscReal *const own = spread.joints.tangent + r * SPREAD_DIM, *const other = whole.joints.tangent + r * SPREAD_DIM;
      PetscReal most = 0.0; /* of the tangents of a row, beside which what cancels of others is round-off */

      for (PetscInt e = 0; e < SPREAD_DIM; e++) most = PetscMax(most, PetscAbsReal(other[e]));
      assert_close(spread.joints.force[r], whole.joints.force[r], 1e-14);
      for (PetscInt e = 0; e < SPREAD_DIM; e++) assert_near(own[e], other[e], 1e-14 * most);
    }
    assert_ok(JointForcesCommit(&spread.joints, spread.state));
    assert_ok(JointForcesCommit(&whole.joints, whole.state));
    for (PetscInt r = 0; r < SPREAD_ROWS; r++) spread.state->motion[r] = whole.state->motion[r] = spread_path[k][r];
  }
  assert_true(spread.state->dissipated[0] > 0.0);
  for (PetscInt r = 0; r < SPREAD_ROWS; r++) assert_close(spread.state->dissipated[r], whole.state->dissipated[r], 1e-13);
  JointForcesInspect(&spread.joints, spread.state, faces[0], pressing[0]);
  JointForcesInspect(&whole.joints, whole.state, faces[1], pressing[1]);
  for (PetscInt i = 0; i < SPREAD_POINTS; i++) {
    assert_close(pressing[0][i], pressing[1][i], 1e-14);
    assert_int_equal((int)faces[0][i], (int)faces[1][i]);
  }
  Drop(&spread);
  Drop(&whole);
}

/* Rough faces that are apart have no stiffness; K0 contains them pressed together altogether. */
static void the_structure_contains_faces_of_an_area_closed_and_stuck(void **state)
{
  Built spread = Build(PETSC_TRUE);
  Mat   K, tangents;

  (void)state;
  assert_ok(SystemTangents(spread.system, JOINT_STUCK, &tangents));
  for (PetscInt i = 0; i < SPREAD_ROWS; i++)
    for (PetscInt j = 0; j < SPREAD_ROWS; j++) {
      PetscReal value;

      assert_ok(MatGetValue(tangents, i, j, &value));
      assert_close(value, i != j ? 0.0 : spread_area[i / SPREAD_DIM] * (i % SPREAD_DIM ? 0.9 : 1.3), 1e-15);
    }
  assert_ok(MatDestroy(&tangents));
  assert_ok(SystemStiffness(spread.system, JOINT_SLIPPING, &K));
  for (PetscInt i = 0; i < SPREAD_ROWS; i++) {
    PetscReal value;

    assert_ok(MatGetValue(K, i, i, &value));
    assert_close(value, i % SPREAD_DIM ? 0.0 : 1.3 * spread_area[i / SPREAD_DIM], 1e-15);
  }
  assert_ok(MatDestroy(&K));
  Drop(&spread);
}

static void a_reference_replaces_what_the_structure_contains_of_one_point(void **state)
{
  const PetscReal reference[] = {2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0};
  Built           spread      = Build(PETSC_TRUE);

  (void)state;
  assert_ok(SystemSetReference(spread.system, 0, 1, reference));
  assert_ok(JointForcesRefer(&spread.joints));
  for (PetscInt t = 0; t < SPREAD_DIM * SPREAD_DIM; t++) {
    const PetscReal first = t % 4 ? 0.0 : spread_area[0] * (t ? 0.9 : 1.3);

    assert_close(spread.joints.stiffness[t], first, 1e-15);
    assert_close(spread.joints.stiffness[SPREAD_DIM * SPREAD_DIM + t], reference[t], 0.0);
  }
  Drop(&spread);
}

/* A second state goes on from where the first one is, with motions and forces counted from there. */
static void a_preloaded_state_is_at_rest_and_goes_on_as_it_would_have(void **state)
{
  Built        first = Build(PETSC_TRUE), second;
  SystemBlock *block;
  PetscReal    further[SPREAD_ROWS];

  (void)state;
  MoveTo(&first, spread_path[0]);
  assert_ok(JointForcesCommit(&first.joints, first.state));
  second.system = TwoPoints(PETSC_TRUE);
  block         = &second.system->blocks[0];
  assert_non_null(block->memory); /* of its gaps */
  assert_ok(JointHistoryCopy(&first.state->history[0], block->memory));
  assert_ok(PetscCalloc1(SPREAD_ROWS, &block->rest));
  for (PetscInt c = 0; c < SPREAD_ROWS; c++) {
    block->offset[c] += first.joints.motion[block->row[c]];
    block->rest[c] = first.joints.force[block->row[c]];
  }
  assert_ok(JointForcesCreate(second.system, SPREAD_PADDED, PETSC_FALSE, &second.joints));
  assert_ok(StateCreate(second.system, SPREAD_ROWS, SPREAD_PADDED, &second.state));
  JointForcesEvaluate(&second.joints, second.state, 0.0);
  for (PetscInt r = 0; r < SPREAD_ROWS; r++) assert_near(second.joints.force[r], 0.0, 1e-15);
  for (PetscInt r = 0; r < SPREAD_ROWS; r++) further[r] = spread_path[1][r] - spread_path[0][r];
  MoveTo(&second, further);
  for (PetscInt r = 0; r < SPREAD_ROWS; r++) further[r] = first.joints.force[r];
  MoveTo(&first, spread_path[1]);
  for (PetscInt r = 0; r < SPREAD_ROWS; r++) assert_near(second.joints.force[r], first.joints.force[r] - further[r], 1e-14);
  Drop(&first);
  Drop(&second);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_law_of_an_area_behind_a_gap_is_one_that_contains_both),
  cmocka_unit_test(the_structure_contains_faces_of_an_area_closed_and_stuck),
  cmocka_unit_test(a_reference_replaces_what_the_structure_contains_of_one_point),
  cmocka_unit_test(a_preloaded_state_is_at_rest_and_goes_on_as_it_would_have),
};

CHECK_MAIN(tests)
