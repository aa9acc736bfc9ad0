/* test_patterns.c - weight, pressure and moments on meshes against closed forms.
   [ranks: 1 2 3] [timeout: 300] */
#include "brick.h"
#include "meshed_case.h"
#include "../unit/bar.h"
#include <slepcsys.h>

static const PetscReal young = 2e11, density = 7800, gravity = 9.81;

#define STEEL "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\nparts: {body: steel}\n"
#define STRAIGHT "materials: {steel: {young: 2e11, poisson: 0, density: 7800}}\nparts: {body: steel}\n"

static const char *const shapes[] = {"hex8", "hex20", "wedge6", "wedge15", "tet4", "tet10", "pyramid5"};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static Case *ReadBrick(const Scratch *scratch, const Brick *brick, const char *parts, const char *rest)
{
  char path[SCRATCH_LENGTH];

  BrickWrite(PathIn(scratch, "brick.msh", path), brick);
  return ReadCase(scratch, "brick.msh", parts, rest);
}

#define CORNERS "points: {a: {at: [0, 0, 0]}, b: {at: [0.3, 0, 0]}, c: {at: [0, 0.2, 0]}, d: {at: [0.3, 0.2, 0.1]}}\n"

/* A constant stress: u = -(1 - 2 nu) / E x for 1 Pa, in the space of every element. Surface elements lie either way round. */
static void pressure_from_all_sides_shrinks_a_brick_evenly(void **state)
{
  const PetscReal shrinkage = -(1.0 - 2.0 * 0.3) / young, size[3] = {0.3, 0.2, 0.1};

  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    const Brick   brick    = {.shape = shapes[s], .n = {3, 2, 2}, .size = {0.3, 0.2, 0.1}};
    Case         *the_case = ReadBrick(*state, &brick, STEEL,
                                       CORNERS "supports: [{point: a}, {point: b, directions: [y, z]}, {point: c, directions: z}]\n"
                                                       "reduction: {guyan: {keep: d}}\n"
                                                       "patterns: {px: {pressure: x0}, qx: {pressure: x1}, py: {pressure: y0}, qy: {pressure: y1}, "
                                                       "pz: {pressure: z0}, qz: {pressure: z1}}\n");
    const System *system   = the_case->system;
    Vec           force, motion;

    assert_int_equal(system->names.num_patterns, 6);
    assert_ok(VecDuplicate(system->patterns[0].force, &force));
    assert_ok(VecZeroEntries(force));
    for (PetscInt p = 0; p < 6; p++) assert_ok(VecAXPY(force, 1.0, system->patterns[p].force));
    motion = Statics(system, force);
    for (PetscInt d = 0; d < 3; d++) assert_close(MotionOf(system, motion, "d", d), shrinkage * size[d], 1e-9);
    assert_ok(VecDestroy(&force));
    assert_ok(VecDestroy(&motion));
    assert_ok(CaseDestroy(&the_case));
  }
}

/* A body that shows one averaged surface only is reduced to its rigid motions: forces, and moments about the middle of z1. */
static void patterns_have_the_resultants_of_what_they_stand_for(void **state)
{
  const PetscReal weight = density * 0.3 * 0.2 * 0.1, area = 0.2 * 0.1;
  const PetscReal force[2][3] = {{weight, 2 * weight, 3 * weight}, {-area, 0, 0}}, arm[2][3] = {{0, 0, -0.05}, {0.15, 0, -0.05}};

  for (PetscInt s = 0; s < NUM_SHAPES; s++) {
    const Brick brick    = {.shape = shapes[s], .n = {3, 2, 2}, .size = {0.3, 0.2, 0.1}};
    Case       *the_case = ReadBrick(*state, &brick, STEEL,
                                     "points: {top: {average: z1}}\nreduction: {guyan: {keep: top}}\n"
                                           "patterns: {weight: {gravity: [1, 2, 3]}, wind: {pressure: x1}}\n");

    assert_int_equal(the_case->system->num_unknowns, 6);
    for (PetscInt p = 0; p < 2; p++) {
      const PetscReal *const f = force[p], *const r = arm[p];
      const PetscScalar *unknown;

      assert_ok(VecGetArrayRead(the_case->system->patterns[p].force, &unknown));
      for (PetscInt i = 0; i < 3; i++) {
        const PetscInt j = (i + 1) % 3, k = (i + 2) % 3;

        assert_near(unknown[i], f[i], 1e-10 * weight);
        assert_near(unknown[3 + i], r[j] * f[k] - r[k] * f[j], 1e-10 * weight);
      }
      assert_ok(VecRestoreArrayRead(the_case->system->patterns[p].force, &unknown));
    }
    assert_ok(CaseDestroy(&the_case));
  }
}

/* sigma = rho g (z - H): u(H) = -rho g H^2 / 2 E, in the space of elements that have z^2 (hex8 has it as an internal function). */
static void a_column_shortens_under_its_own_weight(void **state)
{
  static const char *const able[]  = {"hex8", "hex20", "wedge15", "tet10"};
  const PetscReal          shorter = -density * gravity * 0.5 * 0.5 / (2 * young);

  for (size_t s = 0; s < sizeof(able) / sizeof(able[0]); s++) {
    const Brick brick    = {.shape = able[s], .n = {2, 2, 3}, .size = {0.3, 0.2, 0.5}};
    Case       *the_case = ReadBrick(*state, &brick, STRAIGHT,
                                     "points: {a: {at: [0, 0, 0]}, b: {at: [0.3, 0, 0]}, top: {at: [0.3, 0.2, 0.5]}}\n"
                                           "supports: [{group: z0, directions: z}, {point: a, directions: [x, y]}, {point: b, directions: y}]\n"
                                           "reduction: {guyan: {keep: top}}\npatterns: {weight: {gravity: [0, 0, -9.81]}}\n");
    Vec         motion   = Statics(the_case->system, the_case->system->patterns[0].force);

    assert_close(MotionOf(the_case->system, motion, "top", 2), shorter, 1e-9);
    assert_near(MotionOf(the_case->system, motion, "top", 0), 0.0, 1e-9 * fabs(shorter));
    assert_ok(VecDestroy(&motion));
    assert_ok(CaseDestroy(&the_case));
  }
}

/* Euler and Bernoulli: q L^4 / 8 E I under q = b p or q = rho g b h, M L^2 / 2 E I under a moment, plus 1.2 q L^2 / 2 G A of shear. */
static void a_slender_cantilever_bends_under_its_weight_under_pressure_and_by_a_moment(void **state)
{
  const PetscReal length = 1.0, b = 0.05, h = 0.04, bending = young * b * h * h * h / 12, shear = young / 2 * b * h / 1.2;
  const PetscReal deflection = pow(length, 4) / (8 * bending) + length * length / (2 * shear);
  const Brick     brick      = {.shape = "hex20", .n = {16, 1, 1}, .size = {1.0, 0.05, 0.04}};
  Case           *the_case   = ReadBrick(*state, &brick, STRAIGHT,
                                         "points: {tip: {average: x1}}\nsupports: [{group: x0}]\nreduction: {guyan: {keep: tip}}\n"
                                                     "patterns: {weight: {gravity: [0, 0, -9.81]}, wind: {pressure: z0}}\n");
  const System   *system     = the_case->system;
  Vec moment = UnitForce(system, "tip", 4), weighed = Statics(system, system->patterns[0].force), blown = Statics(system, system->patterns[1].force),
      turned = Statics(system, moment);

  assert_close(MotionOf(system, weighed, "tip", 2), -density * gravity * b * h * deflection, 1e-3);
  assert_close(MotionOf(system, blown, "tip", 2), b * deflection, 1e-3);
  assert_close(MotionOf(system, blown, "tip", 4), -b * pow(length, 3) / (6 * bending), 1e-3); /* about y: z goes down along x */
  assert_close(MotionOf(system, turned, "tip", 2), -length * length / (2 * bending), 1e-3);
  assert_ok(VecDestroy(&moment));
  assert_ok(VecDestroy(&weighed));
  assert_ok(VecDestroy(&blown));
  assert_ok(VecDestroy(&turned));
  assert_ok(CaseDestroy(&the_case));
}

#define BEAM \
  "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\n" \
  "parts: {bar: {material: steel, element: beam_euler, section: {rectangle: {height: 0.001, width: 0.02}, orientation: [0, 1, 0]}}}\n"

static Case *ReadBar(const Scratch *scratch, int count, const char *rest)
{
  char path[SCRATCH_LENGTH];

  WriteBar(PathIn(scratch, "bar.msh", path), count);
  return ReadCase(scratch, "bar.msh", BEAM, rest);
}

/* Cubic elements with consistent forces are exact at their nodes, wherever the beam is cut: weight and a moment on its tip. */
static void a_beam_of_lines_bends_exactly_under_its_weight_and_by_a_moment(void **state)
{
  const PetscReal bending = young * 0.02 * pow(0.001, 3) / 12, weight = density * gravity * 0.001 * 0.02;

  for (int count = 1; count <= 5; count += 4) {
    Case         *the_case = ReadBar(*state, count,
                                     "points: {tip: {at: [1, 0, 0]}}\nsupports: [{group: root}]\nreduction: {guyan: {keep: tip}}\n"
                                             "patterns: {weight: {gravity: [0, -9.81, 0]}}\n");
    const System *system   = the_case->system;
    Vec           moment = UnitForce(system, "tip", 5), weighed = Statics(system, system->patterns[0].force), turned = Statics(system, moment);

    assert_close(MotionOf(system, weighed, "tip", 1), -weight / (8 * bending), 1e-10);
    assert_close(MotionOf(system, weighed, "tip", 5), -weight / (6 * bending), 1e-10);
    assert_close(MotionOf(system, turned, "tip", 1), 1 / (2 * bending), 1e-10);
    assert_close(MotionOf(system, turned, "tip", 5), 1 / bending, 1e-10);
    assert_ok(VecDestroy(&moment));
    assert_ok(VecDestroy(&weighed));
    assert_ok(VecDestroy(&turned));
    assert_ok(CaseDestroy(&the_case));
  }
}

/* Cantilever: cos(beta) cosh(beta) = -1, omega = beta^2 sqrt(EI / m L^4), effective mass 4 sigma^2 / beta^2 of the whole with
   sigma = (sinh beta - sin beta) / (cosh beta + cos beta) [Blevins 1979, table 8-1]. The
   rotary inertia that the elements have and these formulas have not lowers omega_3 by some 7e-6. */
static void the_base_moves_the_modes_of_a_cantilever_as_much_as_it_should(void **state)
{
  static const PetscReal beta[3] = {1.87510406871196, 4.69409113297417, 7.85475743823761};
  const PetscReal        bending = young * 0.02 * pow(0.001, 3) / 12, mass = density * 0.001 * 0.02;
  Case                  *the_case =
    ReadBar(*state, 40, "points: {tip: {at: [1, 0, 0]}}\nsupports: [{group: root}]\nreduction: {craig_bampton: {modes: 60, keep: tip}}\n");
  PetscReal participation[12 * NUM_DIRECTIONS];
  Modes    *modes;

  assert_close(the_case->system->base_mass[1], mass, 1e-12);
  assert_ok(ModesCompute(the_case->system, JOINT_STUCK, 12, &modes));
  assert_ok(ModesParticipation(the_case->system, modes, participation));
  for (PetscInt m = 0, k = -1; m < 3; m++) {
    const PetscReal sigma = (sinh(beta[m]) - sin(beta[m])) / (cosh(beta[m]) + cos(beta[m]));

    do k++; /* those in z and along x do not follow a base in y */
    while (fabs(participation[NUM_DIRECTIONS * k + 1]) < 1e-6);
    assert_close(modes->omega[k], beta[m] * beta[m] * sqrt(bending / mass), 1e-5);
    assert_close(PetscSqr(participation[NUM_DIRECTIONS * k + 1]), 4 * PetscSqr(sigma / beta[m]) * mass, 2e-5);
  }
  assert_ok(ModesDestroy(&modes));
  assert_ok(CaseDestroy(&the_case));
}

/* All modes together have all of the mass of what hangs on springs, since its rigid motions are among those it can make. */
static void effective_masses_add_up_to_the_mass(void **state)
{
  const Brick brick    = {.shape = "hex8", .n = {3, 2, 2}, .size = {0.3, 0.2, 0.1}};
  Case       *the_case = ReadBrick(*state, &brick, STEEL,
                                   "points: {foot: {average: z0}}\nreduction: {craig_bampton: {modes: 8}}\n"
                                         "joints: {foot: {between: [ground, foot], x: {law: spring, stiffness: 1e8}, y: {law: spring, stiffness: 2e8}, "
                                         "z: {law: spring, stiffness: 3e8}, rx: {law: spring, stiffness: 1e6}, ry: rigid, rz: {law: spring, stiffness: 1e7}}}\n");
  PetscReal   participation[20 * NUM_DIRECTIONS];
  Modes      *modes;

  assert_ok(ModesCompute(the_case->system, JOINT_STUCK, 20, &modes));
  assert_int_equal(modes->count, 13);
  assert_ok(ModesParticipation(the_case->system, modes, participation));
  for (PetscInt d = 0; d < 3; d++) {
    PetscReal sum = 0.0;

    for (PetscInt k = 0; k < modes->count; k++) sum += PetscSqr(participation[NUM_DIRECTIONS * k + d]);
    assert_close(the_case->system->base_mass[d], density * 0.3 * 0.2 * 0.1, 1e-12);
    assert_close(sum, the_case->system->base_mass[d], 1e-10);
  }
  assert_ok(ModesDestroy(&modes));
  assert_ok(CaseDestroy(&the_case));
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, MakeScratch, RemoveScratch)

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    IN_SCRATCH(pressure_from_all_sides_shrinks_a_brick_evenly),
    IN_SCRATCH(patterns_have_the_resultants_of_what_they_stand_for),
    IN_SCRATCH(a_column_shortens_under_its_own_weight),
    IN_SCRATCH(a_slender_cantilever_bends_under_its_weight_under_pressure_and_by_a_moment),
    IN_SCRATCH(a_beam_of_lines_bends_exactly_under_its_weight_and_by_a_moment),
    IN_SCRATCH(the_base_moves_the_modes_of_a_cantilever_as_much_as_it_should),
    IN_SCRATCH(effective_masses_add_up_to_the_mass),
  };
  int failures;

  if (SlepcInitialize(&argc, &argv, NULL, NULL)) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  return SlepcFinalize() ? 1 : failures;
}
