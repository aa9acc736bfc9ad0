/* test_model_mesh.c - a mesh and what a case says of it become the System they should: the Sumali beam of meshes/.
   [ranks: 1 2 3] */
#include "bar.h"
#include <slepcsys.h>
#include <petscksp.h>
#include "model.h"

typedef struct {
  InputDocument *document;
  Laws           laws;
  Model         *model;
  System        *system; /* NULL after a complaint */
} Meshed;

static Meshed Read(const char *text)
{
  const char *const source = getenv("DOVETAIL_SOURCE");
  char              file[PETSC_MAX_PATH_LEN]; /* meshes are beside it, but for those of a test */
  Meshed            meshed = {0};
  const InputNode  *root;
  ModelNodes        nodes;

  assert_non_null(source);
  snprintf(file, sizeof file, "%s/case.yaml", source);
  assert_ok(InputParse(PETSC_COMM_WORLD, strstr(text, "mesh: scratch") ? "case.yaml" : file, text, strlen(text), &meshed.document));
  root  = InputRoot(meshed.document);
  nodes = (ModelNodes){.masses      = InputFind(root, "masses"),
                       .springs     = InputFind(root, "springs"),
                       .joints      = InputFind(root, "joints"),
                       .mesh        = InputFind(root, "mesh"),
                       .materials   = InputFind(root, "materials"),
                       .parts       = InputFind(root, "parts"),
                       .points      = InputFind(root, "points"),
                       .supports    = InputFind(root, "supports"),
                       .constraints = InputFind(root, "constraints"),
                       .reduction   = InputFind(root, "reduction")};
  assert_ok(LawsRead(InputFind(root, "laws"), &meshed.laws));
  assert_ok(ModelRead(root, &nodes, &meshed.laws, &meshed.model));
  if (InputNumComplaints(meshed.document) == 0) assert_ok(ModelBuild(meshed.model, PETSC_INFINITY, &meshed.system));
  return meshed;
}

static void Destroy(Meshed *meshed)
{
  assert_ok(SystemDestroy(&meshed->system));
  assert_ok(ModelDestroy(&meshed->model));
  assert_ok(LawsDestroy(&meshed->laws));
  assert_ok(InputClose(&meshed->document));
}

static PetscReal Entry(Mat matrix, PetscInt i, PetscInt j)
{
  PetscReal value;

  assert_ok(MatGetValue(matrix, i, j, &value));
  return value;
}

#define BEAMS \
  "mesh: meshes/sumali.msh\n" \
  "materials: {steel: {young: 248e9, poisson: 0.29, density: 8000}}\n" \
  "parts: {lower: steel, upper: steel}\n"
#define PATCH(name) name ": {average: " name ", weights: equal}\n"
#define POINTS \
  "points:\n" \
  "  p1: {at: [0.254, -0.0254, 0], of: lower}\n" \
  "  middle: {at: [0.3302, 0.0254, -0.00635]}\n" \
  "  " PATCH("bolt1_lower") "  " PATCH("bolt2_lower") "  " PATCH("bolt3_lower") "  " PATCH("bolt4_lower") "  " PATCH("bolt1_upper") "  " PATCH( \
    "bolt2_upper") "  " PATCH("bolt3_upper") "  " PATCH("bolt4_upper")
#define ALL "bolt1_lower, bolt2_lower, bolt3_lower, bolt4_lower, bolt1_upper, bolt2_upper, bolt3_upper, bolt4_upper"
#define BOLT(n) "  bolt" n ": {between: [bolt" n "_lower, bolt" n "_upper], y: {law: spring, stiffness: 5e8}, z: rigid, rx: rigid, ry: rigid}\n"
#define BOLTS "joints:\n" BOLT("1") BOLT("2") BOLT("3") BOLT("4")

static const PetscReal mass = 2 * 0.508 * 0.0508 * 0.00635 * 8000;

/* Section 3.2 of lacayo2017: 8 patches of 6 motions, one node of 3, 10 modes, 12 rigid couplings. */
static void the_sumali_beam_has_49_unknowns_and_its_mass(void **state)
{
  Meshed meshed = Read(BEAMS POINTS BOLTS "reduction: {craig_bampton: {modes: 10, keep: [p1]}}\n");

  (void)state;
  assert_non_null(meshed.system);
  assert_int_equal(meshed.system->num_unknowns, 49);
  assert_int_equal(meshed.system->names.num_rows, 4);
  for (PetscInt d = 0; d < 3; d++) assert_close(meshed.system->base_mass[d], mass, 1e-12);
  for (PetscInt d = 3; d < 6; d++) assert_null(meshed.system->base[d]);
  Destroy(&meshed);
}

/* An independent program kept the node in the middle of the assembly. With all points held only the modes are left. */
static void the_modes_of_the_sumali_beam_with_its_boundary_at_rest_are_those_of_another_program(void **state)
{
  static const PetscReal omega[] = {809.462074,  809.463518,  5085.791178, 5085.799216,  5752.960132,
                                    5752.963537, 6344.009139, 6344.259690, 10595.644690, 10595.716619};
#define HELD(n, name) "  h" n ": {between: [" name ", ground], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}\n"
  Meshed meshed = Read(BEAMS POINTS "reduction: {craig_bampton: {modes: 10}}\njoints:\n" HELD("1", "bolt1_lower") HELD("2", "bolt2_lower")
                         HELD("3", "bolt3_lower") HELD("4", "bolt4_lower") HELD("5", "bolt1_upper") HELD("6", "bolt2_upper") HELD("7", "bolt3_upper")
                           HELD("8", "bolt4_upper") "  m: {between: [middle, ground], x: rigid, y: rigid, z: rigid}\n");

  (void)state;
  assert_non_null(meshed.system);
  assert_int_equal(meshed.system->num_unknowns, 10);
  for (PetscInt i = 0; i < 10; i++)
    for (PetscInt j = 0; j < 10; j++) {
      assert_near(Entry(meshed.system->M, i, j), i == j ? 1.0 : 0.0, 1e-10);
      if (i == j) assert_close(sqrt(Entry(meshed.system->K, i, j)), omega[i], 2e-9);
      else assert_near(Entry(meshed.system->K, i, j), 0.0, 1e-3);
    }
  Destroy(&meshed);
}

/* What a rigid motion (turning by `turn` about the origin, and shifting) does to a place. */
static void Move(const PetscReal shift[3], const PetscReal turn[3], const PetscReal x[3], PetscReal u[3])
{
  for (PetscInt i = 0; i < 3; i++) u[i] = shift[i] + turn[(i + 1) % 3] * x[(i + 2) % 3] - turn[(i + 2) % 3] * x[(i + 1) % 3];
}

static const PetscReal centres[8][3] = {{0.2159, 0, 0}, {0.2921, 0, 0}, {0.3683, 0, 0}, {0.4445, 0, 0},
                                        {0.2159, 0, 0}, {0.2921, 0, 0}, {0.3683, 0, 0}, {0.4445, 0, 0}};

/* The motion of a System of the eight patches (points `first` to first + 7, all kept) when both beams move as one rigid body. */
static Vec RigidMotion(const System *system, PetscInt first, const PetscReal shift[3], const PetscReal turn[3])
{
  Vec motion;

  assert_ok(MatCreateVecs(system->K, &motion, NULL));
  for (PetscInt p = 0; p < 8; p++) {
    const NamedPoint *const point = &system->names.points[first + p];
    PetscReal               u[6]  = {0, 0, 0, turn[0], turn[1], turn[2]};

    assert_int_equal(point->num_components, 6);
    Move(shift, turn, centres[p], u);
    for (PetscInt c = 0; c < 6; c++) assert_ok(VecSetValue(motion, point->unknown[c], u[c], INSERT_VALUES));
  }
  assert_ok(VecAssemblyBegin(motion));
  assert_ok(VecAssemblyEnd(motion));
  return motion;
}

static const PetscReal shift[] = {0.3, -0.2, 0.5}, turn[] = {0.7, -0.4, 0.6};

static void rigid_motions_of_averaged_points_need_no_force_and_carry_the_inertia_of_the_beams(void **state)
{
  Meshed    meshed = Read(BEAMS POINTS "reduction: {craig_bampton: {modes: 3, keep: [" ALL "]}}\n");
  Vec       motion, force;
  PetscReal largest, stiffest, energy, inertia, expected = 0.0;

  (void)state;
  assert_non_null(meshed.system);
  assert_int_equal(meshed.system->num_unknowns, 51);
  motion = RigidMotion(meshed.system, 2, shift, turn);
  assert_ok(VecDuplicate(motion, &force));
  assert_ok(MatMult(meshed.system->K, motion, force));
  assert_ok(VecNorm(force, NORM_INFINITY, &largest));
  assert_ok(MatNorm(meshed.system->K, NORM_INFINITY, &stiffest));
  assert_near(largest, 0, 1e-11 * stiffest);

  /* Twice the kinetic energy of two bricks: centre of mass and moments about it. */
  assert_ok(MatMult(meshed.system->M, motion, force));
  assert_ok(VecDot(motion, force, &energy));
  for (PetscInt beam = 0; beam < 2; beam++) {
    const PetscReal side[] = {0.508, 0.0508, 0.00635}, centre[] = {beam ? 0.4064 : 0.254, 0.0, beam ? 0.003175 : -0.003175};
    PetscReal       u[3];

    Move(shift, turn, centre, u);
    for (PetscInt i = 0; i < 3; i++) {
      const PetscReal J = mass / 2 / 12 * (PetscSqr(side[(i + 1) % 3]) + PetscSqr(side[(i + 2) % 3]));

      expected += mass / 2 * PetscSqr(u[i]) + J * PetscSqr(turn[i]);
    }
  }
  assert_close(energy, expected, 1e-9);

  /* M r of the base in z against the motion: the momentum in z. */
  assert_ok(VecDot(motion, meshed.system->base[2], &inertia));
  assert_close(inertia, mass * (shift[2] - turn[1] * 0.3302), 1e-10); /* both beams' centre is at x = 0.3302 */
  assert_ok(VecDestroy(&motion));
  assert_ok(VecDestroy(&force));
  Destroy(&meshed);
}

/* One beam is a rigid body: a block of known mass and moments, about a point that is not its centre. */
static void a_beam_made_rigid_is_a_block(void **state)
{
  const PetscReal place[] = {0.1, 0.2, -0.3}, side[] = {0.508, 0.0508, 0.00635};
  const PetscReal arm[]  = {0.254 - place[0], 0.0 - place[1], -0.003175 - place[2]}; /* to its centre */
  Meshed          meshed = Read(BEAMS "points: {block: {rigid: lower, at: [0.1, 0.2, -0.3]}}\nsupports:\n  - {group: upper}\n"
                                               "reduction: {guyan: {keep: block}}\n");

  (void)state;
  assert_non_null(meshed.system);
  assert_int_equal(meshed.system->num_unknowns, 6);
  for (PetscInt i = 0; i < 6; i++) {
    PetscReal motion[2][6] = {{0}}, u[2][3], expected;

    motion[0][i] = 1.0;
    Move(motion[0], motion[0] + 3, arm, u[0]);
    for (PetscInt j = 0; j < 6; j++) {
      motion[1][j] = 1.0;
      Move(motion[1], motion[1] + 3, arm, u[1]);
      expected = mass / 2 * (u[0][0] * u[1][0] + u[0][1] * u[1][1] + u[0][2] * u[1][2]);
      if (i == j && i >= 3) expected += mass / 2 / 12 * (PetscSqr(side[(i + 1) % 3]) + PetscSqr(side[(i + 2) % 3]));
      assert_near(Entry(meshed.system->M, i, j), expected, 1e-13 * mass);
      assert_true(Entry(meshed.system->K, i, j) == 0.0);
      motion[1][j] = 0.0;
    }
    for (PetscInt d = 0; d < 3; d++) {
      PetscReal inertia;

      assert_ok(VecGetValues(meshed.system->base[d], 1, &i, &inertia));
      assert_near(inertia, mass / 2 * u[0][d], 1e-13 * mass); /* momentum in d of the motion i */
    }
  }
  for (PetscInt d = 0; d < 3; d++) assert_close(meshed.system->base_mass[d], mass, 1e-12);
  Destroy(&meshed);
}

/* p1 is watched only: it is no unknown, but T knows where it is. */
static void a_point_that_is_not_kept_follows_the_others(void **state)
{
  Meshed             meshed  = Read(BEAMS POINTS "reduction: {craig_bampton: {modes: 3, keep: [" ALL "]}}\n");
  const PetscReal    place[] = {0.254, -0.0254, 0};
  const NamedPoint  *point;
  Vec                motion, points;
  PetscReal          expected[3];
  const PetscScalar *u;

  (void)state;
  assert_non_null(meshed.system);
  point = &meshed.system->names.points[NamesFindPoint(&meshed.system->names, "p1")];
  assert_int_equal(point->num_components, 3);
  motion = RigidMotion(meshed.system, 2, shift, turn);
  assert_ok(MatCreateVecs(meshed.system->T, NULL, &points));
  assert_ok(MatMult(meshed.system->T, motion, points));
  Move(shift, turn, place, expected);
  assert_ok(VecGetArrayRead(points, &u));
  for (PetscInt c = 0; c < 3; c++) {
    assert_int_equal(point->unknown[c], -1);
    assert_close(u[point->first_motion + c], expected[c], 1e-7);
  }
  assert_ok(VecRestoreArrayRead(points, &u));
  assert_ok(VecDestroy(&motion));
  assert_ok(VecDestroy(&points));
  Destroy(&meshed);
}

/* How far a point moves under a unit force on it, in that direction. */
static PetscReal Deflection(const char *text, const char *name, PetscInt direction, PetscReal total)
{
  Meshed            meshed = Read(text);
  const NamedPoint *point;
  PetscReal         answer;
  Vec               load, motion;
  KSP               ksp;
  PC                pc;

  assert_non_null(meshed.system);
  point = &meshed.system->names.points[NamesFindPoint(&meshed.system->names, name)];
  assert_ok(MatCreateVecs(meshed.system->K, &motion, &load));
  assert_ok(VecSetValue(load, point->unknown[direction], 1.0, INSERT_VALUES));
  assert_ok(VecAssemblyBegin(load));
  assert_ok(VecAssemblyEnd(load));
  assert_ok(KSPCreate(PETSC_COMM_SELF, &ksp));
  assert_ok(KSPSetOperators(ksp, meshed.system->K, meshed.system->K));
  assert_ok(KSPSetType(ksp, KSPPREONLY));
  assert_ok(KSPGetPC(ksp, &pc));
  assert_ok(PCSetType(pc, PCLU));
  assert_ok(KSPSolve(ksp, load, motion));
  assert_ok(VecDot(load, motion, &answer));
  assert_ok(KSPDestroy(&ksp));
  assert_ok(VecDestroy(&load));
  assert_ok(VecDestroy(&motion));
  for (PetscInt d = 0; d < 3; d++) assert_close(meshed.system->base_mass[d], total, 1e-12);
  Destroy(&meshed);
  return answer;
}

#define CLAMP "supports:\n  - {group: bolt1_lower}\n  - {group: upper}\n"
#define TIP "points:\n  tip: {average: bolt4_lower}\n"

/* Static answers of a reduced model are exact: more modes do not change them. The beam between the patches is 0.2032 m long. */
static void a_supported_beam_bends_as_it_should_whatever_modes_are_kept(void **state)
{
  const PetscReal inertia = 0.0508 * pow(0.00635, 3) / 12, cantilever = pow(0.2286, 3) / (3 * 248e9 * inertia);
  const PetscReal guyan = Deflection(BEAMS CLAMP TIP "reduction: {guyan: {keep: tip}}\n", "tip", 2, mass);
  const PetscReal modes = Deflection(BEAMS CLAMP TIP "reduction: {craig_bampton: {modes: 6, keep: tip}}\n", "tip", 2, mass);

  (void)state;
  assert_close(modes, guyan, 1e-9);
  assert_true(guyan > 0.7 * cantilever && guyan < cantilever); /* the patch stiffens its surroundings, over half its length at most */
}

/* The same directions given one by one, so that blocks of three are cut; and in two groups that overlap. */
static void supports_by_directions_are_those_of_all_directions_together(void **state)
{
  const PetscReal together = Deflection(BEAMS CLAMP TIP "reduction: {guyan: {keep: tip}}\n", "tip", 2, mass);
  const PetscReal divided  = Deflection(BEAMS "supports:\n  - {group: bolt1_lower, directions: x}\n  - {group: bolt1_lower, directions: [y, z]}\n"
                                               "  - {group: upper, directions: [x, y, z]}\n" TIP "reduction: {guyan: {keep: tip}}\n",
                                        "tip", 2, mass);
  const PetscReal sliding  = Deflection(BEAMS "supports:\n  - {group: bolt1_lower, directions: [x, z]}\n  - {group: bolt2_lower, directions: y}\n"
                                               "  - {group: upper, directions: [x, y, z]}\n" TIP "reduction: {guyan: {keep: tip}}\n",
                                        "tip", 2, mass);

  (void)state;
  assert_close(divided, together, 1e-10);
  assert_true(fabs(sliding / together - 1.0) > 1e-6 && fabs(sliding / together - 1.0) < 0.05); /* bending across z hardly needs y */
}

/* A mass on a joint, and a point of the mesh on a spring: all that lumped cases have goes with a mesh. */
static void masses_and_springs_go_with_a_mesh(void **state)
{
  Meshed meshed = Read(BEAMS CLAMP TIP "masses: {m: {mass: 3, directions: [x, y, z]}}\n"
                                       "springs:\n  - {between: [m, ground], direction: y, stiffness: 1e6}\n"
                                       "joints: {on: {between: [tip, m], x: rigid, y: rigid, z: rigid}}\n"
                                       "reduction: {craig_bampton: {modes: 2}}\n");

  (void)state;
  assert_non_null(meshed.system);
  assert_int_equal(meshed.system->num_unknowns, 8); /* six of the tip, three of them the mass's too, and two modes */
  assert_close(meshed.system->base_mass[1], mass + 3.0, 1e-12);
  Destroy(&meshed);
}

/* Nodes with rotations; nodes held wholly, in displacements alone, in one direction alone. */
static void beams_answer_static_loads_exactly_whatever_holds_them(void **state)
{
  const Scratch *const scratch = *state;
  const PetscReal      young = 2.1e11, y = 0.01, z = 0.02, inertia = z * y * y * y / 12;
  char                 path[SCRATCH_LENGTH], text[2048];
  static const struct {
    const char *supports;
    PetscReal   answer; /* times E I for a unit force in y on the middle */
  } cases[] = {
    {"  - {group: root}\n", 1.0 / 24},                                                                  /* cantilever: (1/2)^3 / 3 */
    {"  - {group: root}\n  - {group: tip}\n", 1.0 / 192},                                               /* clamped at both ends */
    {"  - {group: root, directions: [x, y, z, rx]}\n  - {group: tip, directions: [y, z]}\n", 1.0 / 48}, /* simply supported */
  };

  WriteBar(PathIn(scratch, "bar.msh", path), 8);
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    snprintf(text, sizeof(text),
             "mesh: %s\nmaterials: {steel: {young: %g, poisson: 0.3, density: 7800}}\n"
             "parts: {bar: {material: steel, element: beam_euler, section: {rectangle: {height: %g, width: %g}, orientation: [0, 1, 0]}}}\n"
             "points: {middle: {at: [0.5, 0, 0]}}\nsupports:\n%sreduction: {guyan: {keep: middle}}\n",
             path, young, y, z, cases[i].supports);
    assert_close(Deflection(text, "middle", 1, 7800 * y * z), cases[i].answer / (young * inertia), 1e-10);
  }
}

/* A place 3 m off is taken, with a warning. */
static void a_point_far_from_all_nodes_is_warned_of(void **state)
{
  Scratch *const scratch = *state;
  Meshed         meshed;

  CaptureBegin(scratch);
  meshed =
    Read(BEAMS "points:\n  far: {at: [0.3, -3, 0], of: lower}\n  tip: {average: bolt4_lower}\n  off: {rigid: bolt3_lower, at: [0.3, 0, 5]}\n" CLAMP
               "reduction: {guyan: {keep: tip}}\n");
  CaptureEnd(scratch);
  assert_non_null(meshed.system);
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    assert_non_null(strstr(scratch->said, "point 'far' is 2.97"));
    assert_non_null(strstr(scratch->said, "m from the nearest node"));
    assert_non_null(strstr(scratch->said, "point 'off' is 5.0"));
  }
  Destroy(&meshed);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_sumali_beam_has_49_unknowns_and_its_mass),
    cmocka_unit_test(the_modes_of_the_sumali_beam_with_its_boundary_at_rest_are_those_of_another_program),
    cmocka_unit_test(rigid_motions_of_averaged_points_need_no_force_and_carry_the_inertia_of_the_beams),
    cmocka_unit_test(a_beam_made_rigid_is_a_block),
    cmocka_unit_test(a_point_that_is_not_kept_follows_the_others),
    cmocka_unit_test(a_supported_beam_bends_as_it_should_whatever_modes_are_kept),
    cmocka_unit_test(supports_by_directions_are_those_of_all_directions_together),
    cmocka_unit_test(masses_and_springs_go_with_a_mesh),
    cmocka_unit_test_setup_teardown(beams_answer_static_loads_exactly_whatever_holds_them, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_point_far_from_all_nodes_is_warned_of, MakeScratch, RemoveScratch),
  };
  int failures;

  if (SlepcInitialize(&argc, &argv, NULL, NULL)) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  return SlepcFinalize() ? 1 : failures;
}
