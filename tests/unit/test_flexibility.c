/* test_flexibility.c - what places move by under forces at rest: by both kinds as by all modes, held and floating. */
#include "statics/flexibility.h"
#include "../verify/motion.h"

enum { NUM_MASSES = 6, NUM_KEPT = 3, MOST_PLACES = 32 };

/* Unequal masses in a line with a joint in it, a pattern and a base, held at the lower end or free. */
static System *BuildLine(PetscBool held)
{
  const PetscReal jenkins[] = {40.0, 1.0}, no_gravity[] = {0.0, 0.0, 0.0};
  System         *system = SystemNew(NUM_MASSES);
  PetscInt        pattern;

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0 + 0.3 * (PetscReal)i));
    assert_ok(SystemAddBase(system, 0, i, 1.0 + 0.3 * (PetscReal)i));
    if (i > 0 || held) AddSpring(system, i - 1, i, 9.0 + (PetscReal)i);
  }
  AddJoint(system, JointLawFind("jenkins"), jenkins, 1, 3);
  assert_ok(SystemAddPattern(system, "pressed", no_gravity, &pattern));
  assert_ok(SystemAddForce(system, pattern, 2, 3.0));
  assert_ok(SystemAddForce(system, pattern, 4, -2.0));
  assert_ok(SystemSetUp(system));
  return system;
}

/* C Phi of all modes, [num_places, NUM_MASSES], and the compliance of those from `first` on. */
static void SumModes(const System *system, const Modes *modes, PetscInt first, PetscReal motion[], PetscReal compliance[])
{
  const PetscInt num_places = SystemNumPlaces(system);
  PetscReal      column[MOST_PLACES];

  memset(compliance, 0, (size_t)(num_places * num_places) * sizeof(*compliance));
  for (PetscInt k = 0; k < NUM_MASSES; k++) {
    assert_ok(SystemMovePlaces(system, modes->shape + k * NUM_MASSES, column));
    for (PetscInt c = 0; c < num_places; c++) motion[c * NUM_MASSES + k] = column[c];
    for (PetscInt c = 0; c < num_places && k >= first; c++)
      for (PetscInt e = 0; e < num_places; e++) compliance[c * num_places + e] += column[c] * column[e] / modes->eigenvalue[k];
  }
}

/* Round-off of six unknowns, 4e-15 at most. */
static void CheckColumns(const System *system, const Floating *floating, const PetscReal expected[])
{
  const PetscInt num_places = SystemNumPlaces(system);
  PetscReal      u[NUM_MASSES], motion[MOST_PLACES];
  Flexibility   *flexibility;

  assert_ok(FlexibilityCreate(system, floating, &flexibility));
  for (PetscInt c = 0; c < num_places; c++) {
    assert_ok(FlexibilityColumn(flexibility, c, u, motion));
    for (PetscInt e = 0; e < num_places; e++) assert_near(motion[e], expected[c * num_places + e], 1e-13);
  }
  assert_ok(FlexibilityDestroy(&flexibility));
}

static Compliance *Hold(PetscInt num_places, const PetscReal values[])
{
  Compliance *compliance;

  assert_ok(ComplianceCreate(PETSC_COMM_SELF, PETSC_FALSE, num_places, &compliance));
  assert_ok(PetscArraycpy(compliance->own, values, num_places * num_places));
  assert_ok(ComplianceFinish(compliance));
  return compliance;
}

static void Reduce(System *system, const Modes *modes, const PetscReal all_motion[], const PetscReal compliance[])
{
  const PetscInt num_places = SystemNumPlaces(system);
  PetscReal      motion[MOST_PLACES * NUM_KEPT];
  SystemModes    kept = {.count      = NUM_KEPT,
                         .num_rigid  = modes->num_rigid,
                         .eigenvalue = modes->eigenvalue,
                         .unknowns   = modes->shape,
                         .motion     = motion,
                         .compliance = Hold(num_places, compliance)};

  for (PetscInt c = 0; c < num_places; c++)
    for (PetscInt k = 0; k < NUM_KEPT; k++) motion[c * NUM_KEPT + k] = all_motion[c * NUM_MASSES + k];
  assert_ok(SystemReduceToModes(system, &kept));
}

/* The joint in the line is not moved by what is rigid; the base pushes it, opposite forces do not. */
static void CheckFloating(const System *system, const Floating *floating, PetscBool held)
{
  SystemForces forces;
  PetscBool    strains;
  PetscReal    push[1] = {0.0};

  assert_int_equal(floating->num, held ? 0 : 1);
  assert_ok(FloatingStrains(system, floating, &strains));
  assert_false(strains);
  assert_ok(SystemForcesCreate(system, &forces));
  forces.places[SystemPlaceOfMotion(system, 0)] = 0.7;
  forces.places[SystemPlaceOfMotion(system, 5)] = -0.7;
  assert_ok(FloatingPush(system, floating, &forces, push));
  assert_true(push[0] == 0.0);
  forces.places[SystemPlaceOfBase(system, 0)] = -1.0;
  assert_ok(FloatingPush(system, floating, &forces, push));
  assert_near(fabs(push[0]), held ? 0.0 : sqrt(10.5), 1e-12); /* r^T M r = 10.5, phi = r / 10.5^(1/2) */
  assert_ok(SystemForcesDestroy(&forces));
}

static void CheckSystem(ModeCache *cache, PetscBool held, const PetscReal expected[])
{
  Floating floating;

  assert_ok(FloatingFind(cache, &floating));
  CheckFloating(cache->system, &floating, held);
  CheckColumns(cache->system, &floating, expected);
  assert_ok(FloatingDestroy(&floating));
}

static void CheckKinds(PetscBool held)
{
  System      *system = BuildLine(held);
  ModeCache    cache  = {.system = system};
  const Modes *modes;
  PetscReal    motion[MOST_PLACES * NUM_MASSES], whole[MOST_PLACES * MOST_PLACES], left_out[MOST_PLACES * MOST_PLACES];

  assert_true(SystemNumPlaces(system) <= MOST_PLACES);
  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, NUM_MASSES, &modes));
  SumModes(system, modes, modes->num_rigid, motion, whole);
  SumModes(system, modes, NUM_KEPT, motion, left_out);
  CheckSystem(&cache, held, whole);
  Reduce(system, modes, motion, left_out);
  CheckSystem(&cache, held, whole);
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(SystemDestroy(&system));
}

static void a_structure_that_is_held(void **state)
{
  (void)state;
  CheckKinds(PETSC_TRUE);
}

static void a_structure_that_floats(void **state)
{
  (void)state;
  CheckKinds(PETSC_FALSE);
}

/* The joint is contained with this stiffness; 40 when it is stuck. */
static System *BuildReferred(PetscBool held, PetscReal stiffness)
{
  System *system = BuildLine(held);

  assert_ok(SystemSetReference(system, 0, 0, &stiffness));
  return system;
}

/* From that of the line with a stuck joint, on three of its modes; round-off 4e-15 at most. */
static void CheckAnother(PetscBool held, PetscReal stiffness)
{
  System        *stuck = BuildLine(held), *other = BuildReferred(held, stiffness);
  ModeCache      cache = {.system = stuck}, other_cache = {.system = other};
  const PetscInt num_places = SystemNumPlaces(stuck);
  const Modes   *modes, *other_modes;
  PetscReal      motion[MOST_PLACES * NUM_MASSES], expected[MOST_PLACES * MOST_PLACES], left_out[MOST_PLACES * MOST_PLACES];
  Compliance    *found;

  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, NUM_MASSES, &modes));
  assert_ok(ModeCacheGet(&other_cache, JOINT_STUCK, NUM_MASSES, &other_modes));
  SumModes(other, other_modes, other_modes->num_rigid, motion, expected);
  SumModes(stuck, modes, NUM_KEPT, motion, left_out);
  Reduce(stuck, modes, motion, left_out);
  assert_ok(SystemComplianceFrom(other, stuck, &found));
  assert_non_null(found);
  for (PetscInt i = 0; i < num_places * num_places; i++) assert_near(found->slice[i], expected[i], 1e-13);
  assert_ok(ComplianceDestroy(&found));
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(ModeCacheDestroy(&other_cache));
  assert_ok(SystemDestroy(&stuck));
  assert_ok(SystemDestroy(&other));
}

static void joints_with_other_tangents(void **state)
{
  (void)state;
  CheckAnother(PETSC_TRUE, 0.0);
  CheckAnother(PETSC_TRUE, 25.0);
  CheckAnother(PETSC_TRUE, 40.0); /* nothing changes */
  CheckAnother(PETSC_FALSE, 25.0);
}

/* Two masses, the second of which hangs on the joint. */
static System *BuildHanging(void)
{
  const PetscReal jenkins[] = {40.0, 1.0};
  System         *system    = SystemNew(2);

  for (PetscInt i = 0; i < 2; i++) assert_ok(SystemAddMass(system, i, i, 1.0));
  AddSpring(system, -1, 0, 9.0);
  AddJoint(system, JointLawFind("jenkins"), jenkins, 0, 1);
  assert_ok(SystemSetUp(system));
  return system;
}

/* On no modes at all: nothing but compliance, 1/9 of the first mass and 1/40 of the joint. */
static void ReduceToNone(System *system)
{
  const PetscInt num_places = SystemNumPlaces(system), row = 0, first = SystemPlaceOfMotion(system, 0), second = first + 1;
  SystemModes    none                                  = {.count = 0};
  PetscReal      compliance[MOST_PLACES * MOST_PLACES] = {0.0};

  compliance[row * num_places + row]    = 1.0 / 40.0;
  compliance[row * num_places + second] = compliance[second * num_places + row] = 1.0 / 40.0;
  compliance[first * num_places + first]                                        = 1.0 / 9.0;
  compliance[first * num_places + second] = compliance[second * num_places + first] = 1.0 / 9.0;
  compliance[second * num_places + second]                                          = 1.0 / 9.0 + 1.0 / 40.0;
  none.compliance                                                                   = Hold(num_places, compliance);
  assert_ok(SystemReduceToModes(system, &none));
}

static void what_comes_loose_is_not_known(void **state)
{
  const PetscReal none = 0.0, some = 4.0;
  System         *stuck = BuildHanging(), *other = BuildHanging();
  Compliance     *found;

  (void)state;
  ReduceToNone(stuck);
  assert_ok(SystemSetReference(other, 0, 0, &some));
  assert_ok(SystemComplianceFrom(other, stuck, &found));
  assert_near(found->slice[0], 1.0 / 4.0, 1e-14);
  assert_ok(ComplianceDestroy(&found));
  assert_ok(SystemSetReference(other, 0, 0, &none));
  assert_ok(SystemComplianceFrom(other, stuck, &found));
  assert_null(found);
  assert_ok(SystemDestroy(&stuck));
  assert_ok(SystemDestroy(&other));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_structure_that_is_held),
  cmocka_unit_test(a_structure_that_floats),
  cmocka_unit_test(joints_with_other_tangents),
  cmocka_unit_test(what_comes_loose_is_not_known),
};

CHECK_MAIN_WITH_SLEPC(tests)
