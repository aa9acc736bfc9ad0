/* test_balance_contact.c - many points of faces in contact find their balance, and the right one. */
#include "half_space.h"

static const PetscReal contact_radius = 1e-3, sphere_radius = 0.05, friction = 0.3;

/* A sphere on a plane, G and nu = 0 alike, over 2.4 contact radii; k a / E* = `stiff`. */
static HalfSpace Sphere(PetscInt side, PetscReal stiff)
{
  return HalfSpaceNew(side, 2.4 * contact_radius, stiff * half_space_shear / contact_radius, friction, 1.0 / sphere_radius);
}

/* Hertz: the depth, the pressure in the middle and the force that belong to the radius [section 4.2 of johnson1985], E* = G. */
static PetscReal HertzDepth(void)
{
  return PetscSqr(contact_radius) / sphere_radius;
}

static PetscReal HertzForce(void)
{
  return 4.0 / 3.0 * half_space_shear * contact_radius * HertzDepth();
}

/* The motion aside at which a share x of the friction is used up, nu = 0 [Mindlin 1949; section 7.2 of johnson1985]. */
static PetscReal MindlinMotion(PetscReal x)
{
  return 3.0 * friction * HertzForce() / (16.0 * contact_radius) * 4.0 / half_space_shear * (1.0 - pow(1.0 - x, 2.0 / 3.0));
}

/* Dissipated in a full cycle with that share at its ends [Mindlin and Deresiewicz 1953], nu = 0. */
static PetscReal MindlinEnergy(PetscReal x)
{
  const PetscReal limit = friction * HertzForce();

  return 18.0 * PetscSqr(limit) / (5.0 * half_space_shear * contact_radius) *
         (1.0 - pow(1.0 - x, 5.0 / 3.0) - 5.0 * x / 6.0 * (1.0 + pow(1.0 - x, 2.0 / 3.0)));
}

/* With 17 squares of 0.14 a, and an interface as stiff as 1000 E* / a, the middle and the sum err by 0.1 and 0.02 %, measured; with an
   interface of 30 E* / a by some per cent, as softness spreads the pressure. */
static void a_sphere_is_pressed_as_hertz_says(void **state)
{
  const PetscReal stiff[] = {30.0, 1000.0}, allowed[] = {0.05, 0.003};
  const PetscInt  middle = 17 * 8 + 8;

  (void)state;
  for (PetscInt k = 0; k < 2; k++) {
    HalfSpace space = Sphere(17, stiff[k]);

    assert_non_null(space.balance->forces);
    HalfSpaceMove(&space, HertzDepth(), 0.0, PETSC_TRUE);
    assert_true(space.state->iterations <= 10);
    assert_close(-HalfSpaceForce(&space, 0), HertzForce(), allowed[k]);
    assert_close(-space.balance->joints.force[HALF_SPACE_DIM * middle] / PetscSqr(space.edge),
                 2.0 * half_space_shear * contact_radius / (PETSC_PI * sphere_radius), allowed[k]);
    HalfSpaceDestroy(&space);
  }
}

/* Measured: 0.9965, 0.9974, 1.011 of the energy with 17, 17 (100 E* / a) and 16 squares, 0.9997 with 24, whatever the number of steps. */
static void a_cycle_of_shear_dissipates_what_mindlin_says(void **state)
{
  enum { QUARTER = 5 };
  HalfSpace       space = Sphere(17, 1000.0);
  const PetscReal x = 0.9, most = MindlinMotion(x);
  PetscReal       before = 0.0;

  (void)state;
  HalfSpaceMove(&space, HertzDepth(), 0.0, PETSC_TRUE);
  for (PetscInt step = 1; step <= 5 * QUARTER; step++) {
    const PetscReal phase = (PetscReal)step / QUARTER; /* in quarters: up, then down to the other end, and up again */

    HalfSpaceMove(&space, HertzDepth(), most * (phase <= 1.0 ? phase : phase <= 3.0 ? 2.0 - phase : phase - 4.0), PETSC_FALSE);
    if (step == QUARTER) assert_close(HalfSpaceForce(&space, 1), x * friction * HertzForce(), 0.003);
    if (step == QUARTER) before = HalfSpaceDissipated(&space);
  }
  assert_close(HalfSpaceDissipated(&space) - before, MindlinEnergy(x), 0.01);
  HalfSpaceDestroy(&space);
}

/* The last step of Newton leaves far less than is asked. */
static void forces_and_motions_lead_to_the_same_balance(void **state)
{
  HalfSpace       by_forces = Sphere(8, 30.0), by_motions = Sphere(8, 30.0);
  const PetscReal most = MindlinMotion(0.9);

  (void)state;
  assert_ok(BalanceUseForces(by_motions.balance, PETSC_FALSE));
  by_motions.balance->max_iterations = 1000;
  for (PetscInt step = 0; step < 6; step++) {
    HalfSpaceMove(&by_forces, HertzDepth(), most * sin(1.0 * (PetscReal)step), (PetscBool)(step == 0));
    HalfSpaceMove(&by_motions, HertzDepth(), most * sin(1.0 * (PetscReal)step), PETSC_FALSE);
    for (PetscInt i = 0; i < by_forces.num_rows; i++) {
      assert_near(by_forces.balance->joints.force[i], by_motions.balance->joints.force[i], 1e-10 * HertzForce() / 64.0);
      assert_near(by_forces.balance->joints.motion[i], by_motions.balance->joints.motion[i], 1e-10 * HertzDepth());
    }
  }
  HalfSpaceDestroy(&by_forces);
  HalfSpaceDestroy(&by_motions);
}

/* Nothing touches at first, and nothing else holds the body: pressed, it comes back; pulled, it has no balance. */
static void a_floating_body_comes_back_or_is_lost(void **state)
{
  HalfSpace       pressed = Sphere(12, 1000.0), pulled = Sphere(12, 1000.0);
  const PetscReal stuck = HalfSpaceFloat(&pressed);

  (void)state;
  HalfSpaceMove(&pressed, HertzForce() / stuck, 0.0, PETSC_FALSE);
  assert_close(-HalfSpaceForce(&pressed, 0), HertzForce(), 1e-8);
  (void)HalfSpaceFloat(&pulled);
  assert_false(HalfSpaceTry(&pulled, -HertzForce() / stuck, 0.0, PETSC_FALSE));
  assert_false(HalfSpaceTry(&pulled, -HertzForce() / stuck, 0.0, PETSC_TRUE));
  HalfSpaceDestroy(&pressed);
  HalfSpaceDestroy(&pulled);
}

/* Asperities of all slopes up to 20 degrees, and an interface 2000 times as stiff as a square: Newton cycles at every other step, and with held
   friction it converges at all. */
static void friction_is_held_where_newton_cycles(void **state)
{
  HalfSpace space = Sphere(12, 1e4);
  PetscReal angle[144];

  (void)state;
  for (PetscInt i = 0; i < space.num_points; i++) angle[i] = 20.0 * PETSC_PI / 180.0 * sin(1.0 + 12.9898 * PetscSqr((PetscReal)i));
  HalfSpaceTilt(&space, angle);
  for (PetscInt step = 0; step < 20; step++) {
    const PetscReal phase = 2.0 * PETSC_PI * (PetscReal)step / 20.0;

    HalfSpaceMove(&space, HertzDepth() * (1.0 + 0.6 * sin(2.3 * phase)), 0.9 * HertzDepth() * sin(phase), (PetscBool)(step == 0));
  }
  assert_true(space.state->num_held > 0);
  assert_null(space.balance->joints.held);
  HalfSpaceDestroy(&space);
}

static void iteration_gives_what_factors_give(void **state)
{
  HalfSpace factored = Sphere(12, 1000.0), iterated = Sphere(12, 1000.0);

  (void)state;
  iterated.balance->most_factored = 0;
  for (PetscInt step = 0; step < 6; step++) {
    const PetscReal aside = MindlinMotion(0.9) * sin(1.0 * (PetscReal)step);

    if (step == 3) iterated.balance->most_factored = 200; /* from here with the factors of earlier iterations */
    HalfSpaceMove(&factored, HertzDepth(), aside, (PetscBool)(step == 0));
    HalfSpaceMove(&iterated, HertzDepth(), aside, (PetscBool)(step == 0));
    for (PetscInt i = 0; i < factored.num_rows; i++)
      assert_near(iterated.balance->joints.force[i], factored.balance->joints.force[i], 1e-9 * HertzForce() / 144.0);
  }
  HalfSpaceDestroy(&factored);
  HalfSpaceDestroy(&iterated);
}

/* (1 + S k')^-1 S and (1 + S k')^-1 1 of one direction, where k' contains only the points that touch. */
static void SolveDirectly(const HalfSpace *space, const PetscBool touches[], PetscReal influence[], PetscReal unit[])
{
  const PetscInt n    = space->num_points;
  PetscBLASInt   size = (PetscBLASInt)n, one = 1, info, *pivots;
  PetscReal     *matrix;

  assert_ok(PetscMalloc2(n * n, &matrix, n, &pivots));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) {
      matrix[i + n * j]    = (i == j) + space->compliance[i * n + j] * (touches[j] ? space->stiffness : 0.0);
      influence[i + n * j] = space->compliance[i * n + j];
    }
  for (PetscInt i = 0; i < n; i++) unit[i] = 1.0;
  LAPACKgesv_(&size, &size, matrix, &size, pivots, influence, &size, &info);
  LAPACKgetrs_("N", &size, &one, matrix, &size, pivots, unit, &size, &info);
  assert_ok(PetscFree2(matrix, pivots));
}

/* From now on K0 contains nothing of points that are apart, and what state and balance know counts from there. */
static void ReferToPresent(HalfSpace *space)
{
  const PetscInt     n          = space->num_points;
  const PetscReal    nothing[9] = {0.0};
  JointForces *const joints     = &space->balance->joints;
  PetscReal         *influence;
  PetscBool         *touches;

  assert_ok(PetscMalloc2(n * n, &influence, n, &touches));
  for (PetscInt i = 0; i < n; i++) {
    touches[i] = (PetscBool)(joints->force[HALF_SPACE_DIM * i] < 0.0);
    if (!touches[i]) assert_ok(SystemSetReference(space->system, 0, i, nothing));
    for (PetscInt c = 0; c < HALF_SPACE_DIM && !touches[i]; c++) space->state->remainder[HALF_SPACE_DIM * i + c] = 0.0;
  }
  assert_ok(JointForcesRefer(joints));
  SolveDirectly(space, touches, influence, space->unit);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      for (PetscInt c = 0; c < HALF_SPACE_DIM; c++)
        space->influence[(HALF_SPACE_DIM * i + c) * space->m + HALF_SPACE_DIM * j + c] = 0.5 * (influence[i + n * j] + influence[j + n * i]);
  assert_ok(PetscFree2(influence, touches));
}

static void another_reference_leads_to_the_same_forces(void **state)
{
  enum { SIDE = 12 };
  HalfSpace space = Sphere(SIDE, 100.0), old = Sphere(SIDE, 100.0);

  (void)state;
  HalfSpaceMove(&space, HertzDepth(), 0.0, PETSC_TRUE);
  HalfSpaceMove(&old, HertzDepth(), 0.0, PETSC_TRUE);
  ReferToPresent(&space);
  HalfSpaceMove(&space, HertzDepth(), MindlinMotion(0.5), PETSC_FALSE);
  HalfSpaceMove(&old, HertzDepth(), MindlinMotion(0.5), PETSC_FALSE);
  for (PetscInt i = 0; i < space.num_rows; i++)
    assert_near(space.balance->joints.force[i], old.balance->joints.force[i], 1e-9 * HertzForce() / (SIDE * SIDE));
  HalfSpaceDestroy(&space);
  HalfSpaceDestroy(&old);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_sphere_is_pressed_as_hertz_says),           cmocka_unit_test(a_cycle_of_shear_dissipates_what_mindlin_says),
  cmocka_unit_test(forces_and_motions_lead_to_the_same_balance), cmocka_unit_test(a_floating_body_comes_back_or_is_lost),
  cmocka_unit_test(friction_is_held_where_newton_cycles),        cmocka_unit_test(iteration_gives_what_factors_give),
  cmocka_unit_test(another_reference_leads_to_the_same_forces),
};

CHECK_MAIN(tests)
