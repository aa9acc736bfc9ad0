/* test_model_names.c - what a case calls things is the same before anything is computed and in the System that is built: the studies
   were checked against the former and run with the latter. [ranks: 1 2] */
#include "scratch.h"
#include <slepcsys.h>
#include "case.h"

static void check_counts(const Names *before, const Names *built)
{
  assert_true(before->known && built->known);
  assert_int_equal(built->num_unknowns, before->num_unknowns);
  assert_int_equal(built->num_modes, before->num_modes);
  assert_int_equal(built->num_points, before->num_points);
  assert_int_equal(built->num_motions, before->num_motions);
  assert_int_equal(built->num_rows, before->num_rows);
  assert_int_equal(built->num_nonlinear, before->num_nonlinear);
  assert_int_equal(built->num_contacts, before->num_contacts);
  assert_int_equal(built->num_parts, before->num_parts);
  assert_int_equal(built->num_patterns, before->num_patterns);
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) assert_int_equal(built->base[d], before->base[d]);
}

/* Of a mesh that is not reduced the System does not keep which points follow: its Continuum does. */
static void check_point(PetscBool whole, const NamedPoint *before, const NamedPoint *built)
{
  assert_string_equal(built->name, before->name);
  assert_int_equal(built->num_components, before->num_components);
  assert_int_equal(built->first_motion, before->first_motion);
  assert_int_equal(built->turned, before->turned);
  for (PetscInt c = 0; c < before->num_components; c++) {
    assert_int_equal(built->direction[c], before->direction[c]);
    assert_int_equal(built->unknown[c], before->unknown[c]);
    if (!whole) assert_int_equal(built->follows[c], before->follows[c]);
  }
}

static void check_names(const Names *before, const Names *built)
{
  check_counts(before, built);
  for (PetscInt p = 0; p < before->num_points; p++) check_point((PetscBool)(before->num_mesh_modes > 0), &before->points[p], &built->points[p]);
  for (PetscInt r = 0; r < before->num_rows; r++) {
    assert_string_equal(built->rows[r].joint, before->rows[r].joint);
    assert_int_equal(built->rows[r].direction, before->rows[r].direction);
    assert_int_equal(built->rows[r].nonlinear, before->rows[r].nonlinear);
  }
  for (PetscInt c = 0; c < before->num_contacts; c++) {
    assert_string_equal(built->contacts[c].joint, before->contacts[c].joint);
    assert_int_equal(built->contacts[c].num_parts, before->contacts[c].num_parts);
  }
  for (PetscInt p = 0; p < before->num_patterns; p++) assert_string_equal(built->patterns[p], before->patterns[p]);
}

/* The points and the motions of joints that the case must have, so that nothing is compared with nothing. */
static void check_case(const Scratch *scratch, const char *text, PetscInt num_points, PetscInt num_rows, PetscInt num_nonlinear)
{
  char  path[SCRATCH_LENGTH];
  Case *the_case;

  PathIn(scratch, "case.yaml", path);
  if (RankOf(PETSC_COMM_WORLD) == 0) WriteBytes(path, strlen(text), text);
  MPI_Barrier(PETSC_COMM_WORLD);
  assert_ok(CaseRead(path, &the_case));
  assert_ok(CaseVerdict(the_case));
  assert_int_equal(the_case->names.num_points, num_points);
  assert_int_equal(the_case->names.num_rows, num_rows);
  assert_int_equal(the_case->names.num_nonlinear, num_nonlinear);
  assert_ok(CaseBuild(the_case, PETSC_INFINITY));
  assert_non_null(the_case->system);
  check_names(&the_case->names, &the_case->system->names);
  assert_ok(CaseDestroy(&the_case));
}

#define STUDIES "studies: [{modes: {}}]\n"

static void masses_and_joints_are_named_alike(void **state)
{
  check_case(*state,
             "masses: {a: {mass: 1, directions: [x, y]}, b: {mass: 2, inertia: [1, 2, 3], directions: [x, y, z, rx, ry, rz]}}\n"
             "springs: [{between: [ground, a], direction: x, stiffness: 10}]\n"
             "laws: {slip: {law: jenkins, stiffness: 5, slip_force: 1}}\n"
             "joints:\n"
             "  soft: {between: [a, b], x: {law: spring, stiffness: 3}, y: slip}\n"
             "  hard: {between: [ground, b], rx: {law: damper, damping: 2}, z: slip, rz: {law: spring, stiffness: 1}}\n" STUDIES,
             2, 5, 2);
}

static void contacts_are_named_alike(void **state)
{
  check_case(*state,
             "masses: {block: {mass: 2, inertia: [1, 1, 1], directions: [x, y, z, rx, ry, rz]}}\n"
             "laws: {rough: {law: rough_contact, normal_stiffness: 8e4, tangential_stiffness: 4e4, friction: 0.5, preload: 30}}\n"
             "joints:\n"
             "  pad: {between: [ground, block], contact: {law: rough, area: [0.1, 0.1], parts: [2, 3]}}\n"
             "  pin: {between: [ground, block], contact: {law: rough}}\n" STUDIES,
             1, 9, 9);
}

/* Two unknowns, three points, of which one lies between the two others. */
static void given_matrices_are_named_alike(void **state)
{
  check_case(*state,
             "matrices: {points: [a x, b x, middle y], mass: [[1, 0], [0, 2]], stiffness: [[3, -1], [-1, 4]], damping: [[1, 0], [0, 1]],\n"
             "           map: [[1, 0], [0, 1], [0.5, 0.5]]}\n"
             "joints: {stop: {between: [ground, middle], y: {law: gap, stiffness: 10, clearance: 1e-3}}}\n" STUDIES,
             3, 1, 1);
}

static void modal_structures_are_named_alike(void **state)
{
  check_case(*state,
             "modal: {frequencies: [20, 30, 50], damping: 0.02, points: [m1 y, m2 y, m2 z], shapes: [[1, 0, 1], [0, 1, 2], [1, 1, 0]]}\n"
             "joints: {pad: {between: [m1, m2], y: {law: jenkins, stiffness: 4e4, slip_force: 15}}}\n"
             "damping: {rayleigh: {mass: 1e-3}}\n" STUDIES,
             2, 1, 1);
}

static void turned_joints_are_named_alike(void **state)
{
  check_case(
    *state,
    "masses: {a: {mass: 1, directions: [x, y, z]}, b: {mass: 2, directions: [x, y, z]}, c: {mass: 1, directions: z}}\n"
    "joints:\n"
    "  bolt: {between: [a, b], frame: {x: [1, 1, 0], y: [-1, 1, 0]}, x: {law: spring, stiffness: 3}, y: {law: cubic, stiffness: 1, cubic: 2}}\n"
    "  foot: {between: [ground, c], z: {law: spring, stiffness: 3}}\n" STUDIES,
    3, 3, 1);
}

/* The Sumali beam and one of its bolts, rigid in most directions. */
static void meshed(const Scratch *scratch, const char *reduction)
{
  const char *const source = getenv("DOVETAIL_SOURCE");
  char              text[4096];

  assert_non_null(source);
  assert_true(snprintf(text, sizeof(text),
                       "mesh: %s/meshes/sumali.msh\n"
                       "materials: {steel: {young: 248e9, poisson: 0.29, density: 8000}}\n"
                       "parts: {lower: steel, upper: steel}\n"
                       "points:\n"
                       "  edge: {at: [0.254, -0.0254, 0], of: lower}\n"
                       "  lower_1: {average: bolt1_lower}\n"
                       "  upper_1: {average: bolt1_upper}\n"
                       "joints:\n"
                       "  bolt: {between: [lower_1, upper_1], x: {law: jenkins, slip_force: 30, stiffness: 4e8}, y: {law: spring, stiffness: 5e8},\n"
                       "         z: rigid, rx: rigid, ry: rigid, rz: rigid}\n"
                       "%s" STUDIES,
                       source, reduction) < (int)sizeof(text));
  check_case(scratch, text, 3, 2, 1);
}

static void reduced_meshes_are_named_alike(void **state)
{
  meshed(*state, "reduction: {craig_bampton: {modes: 10, keep: edge}}\n"
                 "patterns: {weight: {gravity: [0, 0, -9.81]}}\n");
}

static void whole_meshes_are_named_alike(void **state)
{
  meshed(*state, "");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, MakeScratch, RemoveScratch)

static const struct CMUnitTest tests[] = {TEST(masses_and_joints_are_named_alike), TEST(contacts_are_named_alike),
                                          TEST(given_matrices_are_named_alike),    TEST(modal_structures_are_named_alike),
                                          TEST(turned_joints_are_named_alike),     TEST(reduced_meshes_are_named_alike),
                                          TEST(whole_meshes_are_named_alike)};

CHECK_MAIN_WITH_SLEPC(tests)
