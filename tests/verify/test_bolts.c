/* test_bolts.c - bolts as jumps of their shanks, on columns without lateral strain, where one number says it all: E A / L.
   [ranks: 1 2 3] [timeout: 300] */
#include "brick.h"
#include "meshed_case.h"
#include <slepcsys.h>

static const char *const shapes[] = {"hex8", "hex20", "wedge6", "wedge15", "tet4", "tet10"};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const PetscReal length = 0.3, area = 0.05 * 0.04, young = 2e11, stiffness = 2e11 * 0.05 * 0.04 / 0.3;

#define STEEL(poisson) \
  "materials: {steel: {young: 2e11, poisson: " poisson ", density: 7800}}\nparts: {body: steel}\nreduction: {modes: {count: 9}}\n"
#define AT_TIP "points: {tip: {average: x1}}\n"

static Case *ReadSteel(const Scratch *scratch, const char *shape, int cut, const char *steel, const char *rest)
{
  const Brick brick = {shape, {6, 2, 2}, {0.3, 0.05, 0.04}, cut};
  char        path[SCRATCH_LENGTH];

  BrickWrite(PathIn(scratch, "column.msh", path), &brick);
  return ReadCase(scratch, "column.msh", steel, rest);
}

static Case *ReadColumn(const Scratch *scratch, const char *shape, int cut, const char *rest)
{
  return ReadSteel(scratch, shape, cut, STEEL("0"), rest);
}

/* What modes that were left out give a place under a unit force on another. */
static PetscReal LeftOut(const System *system, PetscInt place, PetscInt other)
{
  const PetscInt places[] = {PetscMin(place, other), PetscMax(place, other)};
  PetscReal      between[4];

  assert_ok(ComplianceBetween(system->residual->compliance, 2, places, between));
  return between[place == other ? 0 : 1];
}

/* What the whole structure, joints stuck, gives a place under a unit force on another: modes, and what they leave out. */
static PetscReal FormCompliance(const System *system, Vec on_place, PetscInt place, Vec on_other, PetscInt other)
{
  Vec         motion = Statics(system, on_other);
  PetscScalar modes;

  assert_ok(VecDot(on_place, motion, &modes));
  assert_ok(VecDestroy(&motion));
  return modes + LeftOut(system, place, other);
}

/* S = k - V^T K^-1 V, the tension for a unit of delta. */
static PetscReal TensionOfShift(const System *system)
{
  const SystemBolt *const bolt  = &system->bolts[0];
  const PetscInt          place = SystemPlaceOfBolt(system, 0);

  return bolt->stiffness - FormCompliance(system, bolt->force, place, bolt->force, place);
}

/* The motion of the tip for a unit of delta, -C K^-1 V. */
static PetscReal TipOfShift(const System *system, PetscInt direction)
{
  const PetscInt tip   = SystemPlaceOfMotion(system, NamesFindMotion(&system->names, NamesFindPoint(&system->names, "tip"), direction));
  Vec            force = UnitForce(system, "tip", direction);
  PetscReal      motion;

  motion = -FormCompliance(system, force, tip, system->bolts[0].force, SystemPlaceOfBolt(system, 0));
  assert_ok(VecDestroy(&force));
  return motion;
}

/* Of all kinds of solids, wherever the cut is and whichever of its sides is the + side, next to a support too. */
static void a_column_between_walls_is_tightened_by_its_own_stiffness(void **state)
{
  static const char *const bolts[] = {"bolts: {b: {cut: cut, preload: 8e3}}\n", "bolts: {b: {cut: cut, axis: [-2, 0, 0], preload: 8e3}}\n"};

  for (int i = 0; i < 3 * 2 * NUM_SHAPES; i++) {
    char          rest[200] = "supports: [{group: x0}, {group: x1}]\n";
    Case         *the_case  = ReadColumn(*state, shapes[i / 6], (const int[]){1, 3, 5}[i % 3], strcat(rest, bolts[i / 3 % 2]));
    const System *system    = the_case->system;

    assert_int_equal(system->names.num_bolts, 1);
    assert_string_equal(system->names.bolts[0], "b");
    assert_string_equal(the_case->names.bolts[0], "b");
    assert_close(system->bolts[0].preload, 8e3, 0.0);
    assert_close(TensionOfShift(system), stiffness, 1e-9);
    assert_ok(CaseDestroy(&the_case));
  }
}

/* What lies between two cuts may move by delta instead: a change of variables, so that the tension is the same, with lateral strain too. */
static void a_shank_may_be_cut_anywhere(void **state)
{
  static const char *const bolts[] = {"bolts: {b: {cut: cut, axis: [1, 0, 0], preload: 8e3}}\n",
                                      "bolts: {b: {cut: cut, axis: [-1, 0, 0], preload: 8e3}}\n"};

  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    PetscReal first = 0.0;

    for (int i = 0; i < 4; i++) {
      char            rest[200] = "supports: [{group: x0}, {group: x1}]\n";
      Case           *the_case  = ReadSteel(*state, shapes[s], i < 2 ? 1 : 4, STEEL("0.3"), strcat(rest, bolts[i % 2]));
      const PetscReal tension   = TensionOfShift(the_case->system);

      if (i == 0) first = tension;
      assert_true(first > stiffness); /* the walls hold the sides back */
      assert_close(tension, first, 1e-9);
      assert_ok(CaseDestroy(&the_case));
    }
  }
}

/* A layer of elements with all else at rest: k = E A / h, h the height of the layer behind the cut. */
static void the_stiffness_at_the_cut_is_that_of_the_elements_behind_it(void **state)
{
  const Brick     brick = {"hex8", {6, 2, 2}, {0.3, 0.05, 0.04}, 3};
  const PetscReal above = GridPlace(&brick, 0, 8) - GridPlace(&brick, 0, 6), below = GridPlace(&brick, 0, 6) - GridPlace(&brick, 0, 4);

  for (int i = 0; i < 2; i++) {
    Case *the_case = ReadColumn(*state, "hex8", 3,
                                i ? "supports: [{group: x0}]\nbolts: {b: {cut: cut, axis: [-1, 0, 0], preload: 1}}\n"
                                  : "supports: [{group: x0}]\nbolts: {b: {cut: cut, preload: 1}}\n");

    assert_close(the_case->system->bolts[0].stiffness, young * area / (i ? below : above), 1e-12);
    assert_ok(CaseDestroy(&the_case));
  }
}

/* Without tension: the tip comes nearer by delta along the axis, which need not be the normal of the cut. */
static void a_column_with_a_free_end_only_gets_shorter(void **state)
{
  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    Case *the_case = ReadColumn(*state, shapes[s], 2, "supports: [{group: x0}]\n" AT_TIP "bolts: {b: {cut: cut, axis: [4, 0, 3], preload: 8e3}}\n");
    const System *system = the_case->system;

    assert_near(TensionOfShift(system), 0.0, 1e-10 * system->bolts[0].stiffness);
    assert_near(TipOfShift(system, 0), -0.8, 1e-9);
    assert_near(TipOfShift(system, 1), 0.0, 1e-9);
    assert_near(TipOfShift(system, 2), -0.6, 1e-9);
    assert_ok(CaseDestroy(&the_case));
  }
}

/* V^T Omega^-2 V of the elastic modes; rigid motions do nothing to a bolt, to the last digit. */
static PetscReal ComplianceOfModes(const System *system)
{
  PetscReal sum = 0.0;

  for (PetscInt k = 0; k < system->num_unknowns; k++) {
    PetscScalar force, omega_squared;

    assert_ok(VecGetValues(system->bolts[0].force, 1, &k, &force));
    assert_ok(MatGetValues(system->K, 1, &k, 1, &k, &omega_squared));
    if (k < NUM_DIRECTIONS) assert_true(force == 0.0);
    else sum += force * force / omega_squared;
  }
  return sum;
}

static void a_column_that_floats_only_gets_shorter(void **state)
{
  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    Case           *the_case = ReadColumn(*state, shapes[s], 2, "bolts: {b: {cut: cut, preload: 8e3}}\n");
    const System   *system   = the_case->system;
    const PetscInt  place    = SystemPlaceOfBolt(system, 0);
    const PetscReal k        = system->bolts[0].stiffness;

    assert_near(k - ComplianceOfModes(system) - LeftOut(system, place, place), 0.0, 1e-10 * k);
    assert_ok(CaseDestroy(&the_case));
  }
}

/* The shank k_b and what it presses, k_c: delta = F (1 / k_b + 1 / k_c); the joint sticks. */
static void a_column_against_a_joint_is_tightened_by_both_in_series(void **state)
{
  const PetscReal spring = 5e8, both = 1.0 / (1.0 / stiffness + 1.0 / spring);

  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    Case *the_case = ReadColumn(*state, shapes[s], 3,
                                "supports: [{group: x0}]\n" AT_TIP "bolts: {b: {cut: cut, preload: 8e3}}\n"
                                "joints: {j: {between: [tip, ground], x: {law: jenkins, stiffness: 5e8, slip_force: 1e6}}}\n");

    assert_close(TensionOfShift(the_case->system), both, 1e-9);
    assert_close(TipOfShift(the_case->system, 0), -both / spring, 1e-9);
    assert_ok(CaseDestroy(&the_case));
  }
}

/* The ends of the shank belong to rigid points, the cut touches one of them: its hub takes its part of V. */
static void a_shank_whose_cut_reaches_a_rigid_point_is_as_stiff(void **state)
{
  Case *the_case = ReadColumn(*state, "hex20", 5,
                              "points: {tip: {rigid: x1}, root: {rigid: x0}}\nsupports: [{point: root}, {point: tip}]\n"
                              "bolts: {b: {cut: cut, preload: 8e3}}\n");

  assert_close(TensionOfShift(the_case->system), young * area / length, 1e-9);
  assert_ok(CaseDestroy(&the_case));
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, MakeScratch, RemoveScratch)

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    IN_SCRATCH(a_column_between_walls_is_tightened_by_its_own_stiffness),
    IN_SCRATCH(a_shank_may_be_cut_anywhere),
    IN_SCRATCH(the_stiffness_at_the_cut_is_that_of_the_elements_behind_it),
    IN_SCRATCH(a_column_with_a_free_end_only_gets_shorter),
    IN_SCRATCH(a_column_that_floats_only_gets_shorter),
    IN_SCRATCH(a_column_against_a_joint_is_tightened_by_both_in_series),
    IN_SCRATCH(a_shank_whose_cut_reaches_a_rigid_point_is_as_stiff),
  };
  int failures;

  if (SlepcInitialize(&argc, &argv, NULL, NULL)) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  return SlepcFinalize() ? 1 : failures;
}
