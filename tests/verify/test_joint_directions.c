/* test_joint_directions.c - laws in all six directions of an averaged point, in any frame: frequencies of a rigid body on a spring.
   [ranks: 1 2 3] */
#include "brick.h"
#include "meshed_case.h"
#include <slepcsys.h>

static const PetscReal size[3] = {0.3, 0.2, 0.1}, mass = 7800 * 0.3 * 0.2 * 0.1;

/* A frame as the case writes it, and the axes that this means. */
typedef struct {
  const char *text;
  PetscReal   axis[3][3];
} Axes;

static const PetscReal third = 1.0 / 3.0, half = 0.70710678118654752440; /* of the square root of two */

/* A body held by the middle of its face z0, which has six motions and no others: I about that point, along an axis. */
static PetscReal InertiaAbout(const PetscReal axis[3])
{
  const PetscReal arm     = size[2] / 2;
  PetscReal       inertia = 0.0;

  for (PetscInt i = 0; i < 3; i++)
    inertia += axis[i] * axis[i] * mass * ((PetscSqr(size[(i + 1) % 3]) + PetscSqr(size[(i + 2) % 3])) / 12 + (i < 2 ? arm * arm : 0.0));
  return inertia;
}

static Case *ReadHeld(const Scratch *scratch, const Brick *brick, const char *frame, PetscInt free)
{
  char path[SCRATCH_LENGTH], rest[1024], directions[512] = "";

  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    const size_t length = strlen(directions);

    snprintf(directions + length, sizeof(directions) - length, ", %s: %s", direction_names[d],
             d == free ? "[soft, {law: spring, stiffness: 3e8}, {law: jenkins, stiffness: 4e8, slip_force: 1}]" : "rigid");
  }
  snprintf(rest, sizeof(rest),
           "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\nparts: {body: steel}\npoints: {foot: {average: z0}}\n"
           "reduction: {guyan: {}}\nlaws: {soft: {law: spring, stiffness: 2e8}}\njoints:\n  foot: {between: [ground, foot]%s%s}\n",
           frame, directions);
  BrickWrite(PathIn(scratch, "brick.msh", path), brick);
  return ReadCase(scratch, "brick.msh", "", rest);
}

static PetscReal Frequency(const System *system, JointState state)
{
  PetscReal omega;
  Modes    *modes;

  assert_ok(ModesCompute(system, state, 1, &modes));
  omega = modes->omega[0];
  assert_ok(ModesDestroy(&modes));
  return omega;
}

static void laws_in_parallel_act_in_each_direction_of_each_frame(void **state)
{
  const Axes axes[] = {
    {"", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {", frame: {x: [0, 0, 2], y: [3, 0, 0]}", {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
    {", frame: {x: [1, 2, 2], y: [0.5, 1.5, 0.5]}",
     {{third, 2 * third, 2 * third}, {0, half, -half}, {-4 * third * half, third * half, third * half}}}, /* y of another length, and leaning to x */
  };
  const Brick brick = {.shape = "hex8", .n = {2, 2, 2}, .size = {0.3, 0.2, 0.1}};

  for (size_t f = 0; f < sizeof(axes) / sizeof(axes[0]); f++)
    for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
      const PetscReal inertia  = d < 3 ? mass : InertiaAbout(axes[f].axis[d - 3]);
      Case           *the_case = ReadHeld(*state, &brick, axes[f].text, d);

      assert_int_equal(the_case->system->num_unknowns, 1);
      assert_close(Frequency(the_case->system, JOINT_STUCK), sqrt(9e8 / inertia), 1e-10);
      assert_close(Frequency(the_case->system, JOINT_SLIPPING), sqrt(5e8 / inertia), 1e-10);
      assert_ok(CaseDestroy(&the_case));
    }
}

/* Two ways to say one thing: the same matrix, whichever directions are held. */
static void a_point_that_is_held_is_rigidly_joined_to_the_ground(void **state)
{
#define CANTILEVER \
  "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\nparts: {body: steel}\n" \
  "points: {foot: {average: z0}, corner: {at: [0, 0, 0.1]}, top: {average: z1}}\nreduction: {guyan: {keep: top}}\n"
  static const char *const ways[2] = {
    CANTILEVER "supports: [{point: foot}, {point: corner, directions: [x, z]}]\n",
    CANTILEVER "joints:\n  j: {between: [foot, ground], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}\n"
               "  k: {between: [corner, ground], x: rigid, z: rigid}\n",
  };
  const Brick brick = {.shape = "hex8", .n = {2, 2, 2}, .size = {0.3, 0.2, 0.1}};
  Case       *cases[2];
  PetscReal   largest, difference;
  char        path[SCRATCH_LENGTH];

  BrickWrite(PathIn(*state, "brick.msh", path), &brick);
  for (PetscInt i = 0; i < 2; i++) cases[i] = ReadCase(*state, "brick.msh", "", ways[i]);
  assert_int_equal(cases[0]->system->num_unknowns, 7);
  assert_int_equal(cases[1]->system->num_unknowns, 7);
  assert_ok(MatNorm(cases[1]->system->K, NORM_FROBENIUS, &largest));
  assert_ok(MatAXPY(cases[0]->system->K, -1.0, cases[1]->system->K, DIFFERENT_NONZERO_PATTERN));
  assert_ok(MatNorm(cases[0]->system->K, NORM_FROBENIUS, &difference));
  assert_near(difference, 0, 1e-14 * largest);
  for (PetscInt i = 0; i < 2; i++) assert_ok(CaseDestroy(&cases[i]));
}

/* What is pushed and seen stays along the axes of the model, whatever the frame of the joint. */
static void forces_and_motions_of_a_turned_point_are_along_the_axes_of_the_model(void **state)
{
  const Brick   brick    = {.shape = "hex8", .n = {2, 2, 2}, .size = {0.3, 0.2, 0.1}};
  Case         *the_case = ReadHeld(*state, &brick, ", frame: {x: [0, 0, 1], y: [1, 0, 0]}", 0);
  const System *system   = the_case->system;
  Vec           force = UnitForce(system, "foot", 2), motion = Statics(system, force);
  PetscInt      first = 0;
  PetscScalar   inertia;

  assert_close(MotionOf(system, motion, "foot", 2), 1.0 / 9e8, 1e-10);
  assert_near(MotionOf(system, motion, "foot", 0), 0.0, 1e-20);
  assert_ok(VecGetValues(system->base[2], 1, &first, &inertia));
  assert_close(fabs(inertia), mass, 1e-10); /* along the local x */
  assert_ok(VecGetValues(system->base[0], 1, &first, &inertia));
  assert_near(inertia, 0.0, 1e-10 * mass);
  assert_ok(VecDestroy(&force));
  assert_ok(VecDestroy(&motion));
  assert_ok(CaseDestroy(&the_case));
}

/* A lumped body on a joint that is turned by 90 degrees about y: local x is down, local z is x. Its springs act along the axes of the
   model. */
static void a_lumped_mass_can_be_turned_too(void **state)
{
  const Scratch *const scratch = *state;
  char                 path[SCRATCH_LENGTH];
  FILE                *file;
  Case                *the_case;
  Modes               *modes;
  const PetscReal      expected[6] = {sqrt(1000.0 / 2), sqrt(1400.0 / 2), sqrt(40 / 0.03), sqrt(3100.0 / 2), sqrt(50 / 0.02), sqrt(60 / 0.01)};

  PathIn(scratch, "lumped.yaml", path);
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("masses: {m: {mass: 2, inertia: [0.01, 0.02, 0.03], directions: [z, y, x, rx, ry, rz]}}\n"
          "springs: [{between: [m, ground], direction: x, stiffness: 100}, {between: [ground, m], direction: z, stiffness: 0.001}]\n"
          "joints:\n  j: {between: [ground, m], frame: {x: [0, 0, -1], y: [0, 1, 0]}, x: {law: spring, stiffness: 1000}, "
          "y: {law: spring, stiffness: 1400}, z: {law: spring, stiffness: 3000}, rx: {law: spring, stiffness: 40}, "
          "ry: {law: spring, stiffness: 50}, rz: {law: spring, stiffness: 60}}\nstudies: [{modes: {}}]\n",
          file);
    assert_int_equal(fclose(file), 0);
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  assert_ok(CaseRead(path, &the_case));
  assert_ok(CaseVerdict(the_case));
  assert_ok(CaseBuild(the_case, PETSC_INFINITY));
  assert_ok(ModesCompute(the_case->system, JOINT_STUCK, 6, &modes));
  for (PetscInt k = 0; k < 6; k++) assert_close(modes->omega[k], expected[k], 1e-6);
  for (PetscInt d = 0; d < 6; d++) assert_close(the_case->system->base_mass[d], d < 3 ? 2 : 0.01 * (d - 2), 1e-12);
  assert_ok(ModesDestroy(&modes));
  assert_ok(CaseDestroy(&the_case));
}

/* Nothing is left of K_bb but round-off; a spring between the one point and the ground is not taken for that: omega = sqrt(k / m). */
static void a_body_that_is_seen_at_one_point_floats(void **state)
{
  const Scratch *const scratch = (const Scratch *)*state;
  const Brick          brick   = {.shape = "hex8", .n = {12, 8, 4}, .size = {size[0], size[1], size[2]}};
  const char *const    kinds[] = {"average", "rigid"};
  char                 path[SCRATCH_LENGTH], rest[512];

  BrickWrite(PathIn(scratch, "brick.msh", path), &brick);
  for (int soft = 0; soft < 2; soft++)
    for (int kind = 0; kind < 2; kind++) {
      Case  *the_case;
      Modes *modes;

      snprintf(rest, sizeof(rest),
               "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\nparts: {body: steel}\npoints: {foot: {%s: z0}}\n"
               "reduction: {craig_bampton: {modes: 2, keep: foot}}\n%s",
               kinds[kind], soft ? "springs: [{between: [ground, foot], direction: z, stiffness: 1000}]\n" : "");
      the_case = ReadCase(scratch, "brick.msh", "", rest);
      assert_ok(ModesCompute(the_case->system, JOINT_STUCK, 8, &modes));
      assert_int_equal(modes->num_rigid, soft ? 5 : 6);
      for (PetscInt k = 0; k < 5; k++) assert_true(modes->eigenvalue[k] == 0.0);
      if (soft) assert_close(modes->omega[5], PetscSqrtReal(1000 / mass), 1e-5);
      else assert_true(modes->eigenvalue[5] == 0.0);
      assert_true(modes->omega[6] > 1e4);
      assert_ok(ModesDestroy(&modes));
      assert_ok(CaseDestroy(&the_case));
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, MakeScratch, RemoveScratch)

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    IN_SCRATCH(laws_in_parallel_act_in_each_direction_of_each_frame),
    IN_SCRATCH(a_point_that_is_held_is_rigidly_joined_to_the_ground),
    IN_SCRATCH(forces_and_motions_of_a_turned_point_are_along_the_axes_of_the_model),
    IN_SCRATCH(a_lumped_mass_can_be_turned_too),
    IN_SCRATCH(a_body_that_is_seen_at_one_point_floats),
  };
  int failures;

  if (SlepcInitialize(&argc, &argv, NULL, NULL)) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  return SlepcFinalize() ? 1 : failures;
}
