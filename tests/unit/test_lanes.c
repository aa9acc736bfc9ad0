/* test_lanes.c - motions side by side: each the same, to the last bit, as alone. */
#include "march/lanes.h"
#include "verify/motion.h"

enum { MASSES = 9, MOST_LAWS = 5, STEPS = 600 };

static const PetscReal time_step = 2e-4;

/* A chain of masses with joints between neighbours; what one number of a law is, another is in the next variant. */
typedef struct {
  PetscInt    num_laws, num_massless; /* the last masses are none: they are condensed, with a residual */
  const char *law[MOST_LAWS];
  PetscReal   parameters[MOST_LAWS][JOINT_MAX_PARAMETERS];
} Joints;

static const Joints iwan    = {2, 0, {"iwan4", "iwan4"}, {{3.0, 5e4, -0.4, 0.6}, {2.0, 4e4, -0.7, 0.2}}};
static const Joints jenkins = {3, 0, {"jenkins", "jenkins", "iwan4"}, {{5e4, 2.0}, {3e4, 1.0}, {3.0, 5e4, -0.4, 0.6}}};
static const Joints elastic = {4, 0, {"cubic", "gap", "gap", "jenkins"}, {{1e3, 4e9}, {3e4, 1e-5, 1}, {3e4, 2e-5, 2}, {5e4, 2.0}}};
static const Joints others  = {4, 0, {"bouc_wen", "iwan4", "ramberg_osgood", "mindlin"}, {{0}, {3.0, 5e4, -0.4, 0.6, 12}}};
static const Joints smooth  = {5,
                               0,
                               {"bouc_wen", "ramberg_osgood", "dahl", "bouc_wen_rough", "mindlin_dahl"},
                               {{1e3, 5e4, 1, 2.5e4, 5e3, 1.5}, {5e4, 2.0, 0.4, 5}, {5e4, 2.0, 0.3}, {5e4, 6e-5, 1.5, 0, 10}, {3e4, 1.0, 0.4}}};
static const Joints many    = {
     5, 0, {"iwan4", "jenkins", "iwan4", "jenkins", "cubic"}, {{3.0, 5e4, -0.4, 0.6}, {5e4, 2.0}, {2.0, 4e4, -0.7, 0.2}, {3e4, 1.0}, {1e3, 4e9}}};
static const Joints massless = {2, 1, {"iwan4", "jenkins"}, {{3.0, 5e4, -0.4, 0.6}, {5e4, 2.0}}};

/* Parameters of a law: those given here, or its first sample. Stiffnesses of a variant are a little different. */
static void Parameters(const Joints *joints, PetscInt j, PetscInt variant, PetscReal parameters[])
{
  const JointLaw *const law   = JointLawFind(joints->law[j]);
  PetscBool             given = PETSC_FALSE;

  for (PetscInt i = 0; i < JOINT_MAX_PARAMETERS; i++) given = (PetscBool)(given || joints->parameters[j][i] != 0.0);
  for (PetscInt i = 0; i < JOINT_MAX_PARAMETERS; i++) parameters[i] = given ? joints->parameters[j][i] : law->samples[0].parameters[i];
  parameters[0] *= 1.0 + 0.01 * (PetscReal)variant;
}

/* What one motion has that others have not. */
typedef struct {
  PetscInt  variant, max_iterations;
  PetscReal level, time_step;
  PetscBool hums; /* a sine without end, else half a sine */
} Run;

static System *ChainOf(const Joints *joints, PetscInt num_joints, PetscInt variant)
{
  const PetscReal ratio     = 1e-3 * (PetscReal)variant;
  System *const   system    = SystemNew(MASSES);
  Condensed       condensed = {CONDENSED_FINE, 0};

  for (PetscInt i = 0; i < MASSES; i++) {
    if (i < MASSES - joints->num_massless) assert_ok(SystemAddMass(system, i, i, 1.0 + 0.02 * (PetscReal)variant));
    AddSpring(system, i - 1, i, 2e4);
  }
  for (PetscInt j = 0; j < num_joints; j++) {
    PetscReal parameters[JOINT_MAX_PARAMETERS];

    Parameters(joints, j % joints->num_laws, variant, parameters);
    AddJoint(system, JointLawFind(joints->law[j % joints->num_laws]), parameters, j % MASSES - 1, j % MASSES);
  }
  assert_ok(SystemSetDamping(system, 1, &ratio, 1.0, 0.0));
  assert_ok(SystemSetUp(system));
  if (joints->num_massless) assert_ok(SystemCondense(system, joints->num_massless, &condensed));
  assert_int_equal(condensed.fault, CONDENSED_FINE);
  return system;
}

static Load LoadOf(const Run *run)
{
  const Signal hit = {.kind = SIGNAL_HALF_SINE, .duration = 8e-3}, hum = {.kind = SIGNAL_HARMONIC, .frequency = 11.0};

  return (Load){.place = LOAD_ON_POINT, .motion = run->variant % MASSES, .amplitude = run->level, .signal = run->hums ? hum : hit};
}

static Motion MotionOf(const Joints *joints, PetscInt num_joints, const Run *run, const Load *load)
{
  StepperOptions options = AverageAcceleration(run->time_step);

  options.max_iterations = run->max_iterations;
  return MotionBegin(ChainOf(joints, num_joints, run->variant), options, 1, load, (InitialMotion){NULL, NULL});
}

/* All that is known of a motion is the same. */
static void CompareStates(const State *state, const State *expected)
{
  const PetscInt size = StateSize(expected);
  PetscReal     *numbers, *alone;

  assert_int_equal(StateSize(state), size);
  assert_ok(PetscMalloc2(size, &numbers, size, &alone));
  StatePack(state, numbers);
  StatePack(expected, alone);
  for (PetscInt i = 0; i < size; i++) assert_true(numbers[i] == alone[i]);
  assert_ok(PetscFree2(numbers, alone));
}

enum { MOST_RUNS = 19 };

/* Runs that go on from one to the next in a lane that becomes idle, to ends of their own, each beside itself alone. */
static void Compare(const Joints *joints, PetscInt num_joints, PetscInt count, const Run runs[], PetscInt steps, PetscInt64 *halved)
{
  Load     load[MOST_RUNS];
  Motion   alone[MOST_RUNS] = {{.n = 0}}, beside[MOST_RUNS] = {{.n = 0}};
  PetscInt run_of[WIDE_LANES], next = 0, left = count;
  unsigned failed;
  Lanes   *lanes;

  for (PetscInt r = 0; r < count; r++) {
    load[r]   = LoadOf(&runs[r]);
    alone[r]  = MotionOf(joints, num_joints, &runs[r], &load[r]);
    beside[r] = MotionOf(joints, num_joints, &runs[r], &load[r]);
    assert_true(LanesSuit(beside[r].stepper));
    assert_true(LanesAlike(beside[0].stepper, beside[r].stepper));
    assert_int_equal(joints->num_massless > 0, beside[r].stepper->residual != NULL);
    MotionStep(&alone[r], steps + 13 * r);
  }
  assert_ok(LanesCreate(beside[0].stepper, PETSC_FALSE, &lanes));
  while (left > 0) {
    for (PetscInt lane = LanesIdle(lanes); lane >= 0 && next < count; lane = LanesIdle(lanes), next++) {
      assert_ok(LanesEnter(lanes, lane, beside[next].stepper, beside[next].state));
      run_of[lane] = next;
    }
    assert_ok(LanesAdvance(lanes, 1, &failed));
    assert_int_equal(failed, 0);
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      if (!lanes->stepper[lane] || lanes->state[lane]->step < steps + 13 * run_of[lane]) continue;
      assert_ok(LanesLeave(lanes, lane));
      left--;
    }
  }
  assert_ok(LanesDestroy(&lanes));
  *halved = 0;
  for (PetscInt r = 0; r < count; r++) {
    CompareStates(beside[r].state, alone[r].state);
    *halved += alone[r].state->halved;
    MotionEnd(&alone[r]);
    MotionEnd(&beside[r]);
  }
}

/* Levels from nearly none to full slip, so that some lanes need more iterations than others; each second one hums. */
static void MakeRuns(PetscInt count, PetscReal level, PetscReal step, PetscInt max_iterations, Run runs[])
{
  for (PetscInt r = 0; r < count; r++)
    runs[r] = (Run){.variant        = r,
                    .max_iterations = max_iterations,
                    .level          = level * pow(10.0, -0.2 * (PetscReal)r),
                    .time_step      = step * (1.0 + 0.05 * (PetscReal)(r % 3)),
                    .hums           = (PetscBool)(r % 2)};
}

static void a_lane_moves_as_it_would_alone(void **state)
{
  static const Joints *const all[]    = {&iwan, &jenkins, &elastic, &others, &smooth, &many};
  static const PetscInt      counts[] = {1, 2, 3, 4, WIDE_LANES};
  PetscInt64                 halved;
  Run                        runs[MOST_RUNS];

  (void)state;
  for (PetscInt a = 0; a < 6; a++)
    for (PetscInt c = 0; c < 5; c++) {
      MakeRuns(counts[c], 20.0, time_step, default_max_iterations, runs);
      Compare(all[a], all[a]->num_laws, counts[c], runs, STEPS, &halved);
    }
}

/* More than sixteen rows have their influence by rows, and several laws on a row are added up. */
static void many_joints_do(void **state)
{
  PetscInt64 halved;
  Run        runs[MOST_RUNS];

  (void)state;
  MakeRuns(3, 40.0, time_step, default_max_iterations, runs);
  Compare(&many, 2 * MASSES, 3, runs, STEPS, &halved);
}

/* Loads act on modes that were left out, and on joints there. */
static void what_has_no_mass_does(void **state)
{
  PetscInt64 halved;
  Run        runs[MOST_RUNS];

  (void)state;
  MakeRuns(2 * WIDE_LANES, 40.0, time_step, default_max_iterations, runs);
  Compare(&massless, MASSES, 2 * WIDE_LANES, runs, STEPS, &halved);
}

static void more_runs_than_lanes_take_turns(void **state)
{
  PetscInt64 halved;
  Run        runs[MOST_RUNS];

  (void)state;
  MakeRuns(MOST_RUNS, 20.0, time_step, default_max_iterations, runs);
  Compare(&iwan, 4, MOST_RUNS, runs, STEPS / 2, &halved);
}

/* In long steps products do not contract, and few iterations do not do. */
static void steps_are_halved_in_one_lane_alone(void **state)
{
  PetscInt64 halved;
  Run        runs[MOST_RUNS];

  (void)state;
  MakeRuns(WIDE_LANES, 200.0, 5e-3, default_max_iterations, runs);
  Compare(&jenkins, 3, WIDE_LANES, runs, STEPS, &halved);
  for (PetscInt r = 0; r < WIDE_LANES; r += 2) runs[r].max_iterations = 3;
  Compare(&jenkins, 3, WIDE_LANES, runs, STEPS, &halved);
  assert_true(halved > 0);
}

static void a_motion_that_stops_leaves_the_others(void **state)
{
  const Run runs[] = {{.max_iterations = 25, .level = 5.0, .time_step = 2e-4}, {.max_iterations = 25, .level = 50.0, .time_step = 2e-4}};
  Load      load[2];
  Motion    alone[2] = {{.n = 0}}, beside[2] = {{.n = 0}};
  Lanes    *lanes;
  unsigned  failed = 0;
  PetscBool converged;

  (void)state;
  for (PetscInt r = 0; r < 2; r++) {
    load[r]   = LoadOf(&runs[r]);
    alone[r]  = MotionOf(&iwan, 2, &runs[r], &load[r]);
    beside[r] = MotionOf(&iwan, 2, &runs[r], &load[r]);
  }
  MotionStep(&alone[1], 20);
  MotionStep(&beside[1], 20);
  alone[1].stepper->balance->max_iterations = beside[1].stepper->balance->max_iterations = 0; /* from now on nothing is found */
  assert_ok(LanesCreate(beside[0].stepper, PETSC_FALSE, &lanes));
  for (PetscInt r = 0; r < 2; r++) assert_ok(LanesEnter(lanes, r, beside[r].stepper, beside[r].state));
  assert_ok(StepperStep(alone[1].stepper, alone[1].state, &converged));
  assert_false(converged);
  assert_ok(LanesAdvance(lanes, 50, &failed));
  assert_int_equal(failed, 1 << 1);
  CompareStates(beside[1].state, alone[1].state);
  assert_null(lanes->stepper[1]);
  assert_ok(LanesAdvance(lanes, 50, &failed));
  assert_int_equal(failed, 0);
  assert_ok(LanesLeave(lanes, 0));
  MotionStep(&alone[0], beside[0].state->step);
  assert_int_equal(beside[0].state->step, 100);
  CompareStates(beside[0].state, alone[0].state);
  assert_ok(LanesDestroy(&lanes));
  for (PetscInt r = 0; r < 2; r++) {
    MotionEnd(&alone[r]);
    MotionEnd(&beside[r]);
  }
}

/* In a lane, out of it, and in again. */
static void a_motion_goes_on_outside(void **state)
{
  const Run  run    = {.max_iterations = 25, .level = 20.0, .time_step = 2e-4, .hums = PETSC_TRUE};
  const Load load   = LoadOf(&run);
  Motion     alone  = MotionOf(&many, 5, &run, &load);
  Motion     beside = MotionOf(&many, 5, &run, &load);
  unsigned   failed;
  Lanes     *lanes;

  (void)state;
  MotionStep(&alone, 300);
  assert_ok(LanesCreate(beside.stepper, PETSC_TRUE, &lanes));
  assert_ok(LanesEnter(lanes, 0, beside.stepper, beside.state));
  assert_ok(LanesAdvance(lanes, 100, &failed));
  assert_ok(LanesLeave(lanes, 0));
  MotionStep(&beside, 100);
  assert_ok(LanesEnter(lanes, WIDE_LANES - 1, beside.stepper, beside.state));
  assert_ok(LanesAdvance(lanes, 100, &failed));
  LanesKeepMotions(lanes, WIDE_LANES - 1);
  assert_int_equal(beside.state->step, 300);
  for (PetscInt i = 0; i < 5; i++) assert_true(beside.state->motion[i] == alone.state->motion[i]);
  for (PetscInt i = 0; i < 5; i++) assert_true(beside.state->dissipated[i] == alone.state->dissipated[i]);
  assert_ok(LanesLeave(lanes, WIDE_LANES - 1));
  CompareStates(beside.state, alone.state);
  assert_ok(LanesDestroy(&lanes));
  MotionEnd(&alone);
  MotionEnd(&beside);
}

static void only_what_is_alike_runs_together(void **state)
{
  const Run  run     = {.max_iterations = 25, .level = 20.0, .time_step = 2e-4};
  const Load load    = LoadOf(&run);
  Motion     one     = MotionOf(&iwan, 2, &run, &load);
  Motion     more    = MotionOf(&iwan, 3, &run, &load);
  Motion     another = MotionOf(&jenkins, 2, &run, &load);
  Motion     damped  = MotionBegin(ChainOf(&iwan, 2, 0), HilberHughesTaylor(-0.1, 2e-4), 1, &load, (InitialMotion){NULL, NULL});
  Motion     kutta   = MotionBegin(ChainOf(&iwan, 2, 0), RungeKutta(2e-5), 1, &load, (InitialMotion){NULL, NULL});

  (void)state;
  assert_true(LanesSuit(one.stepper) && LanesAlike(one.stepper, one.stepper));
  assert_false(LanesAlike(one.stepper, more.stepper));
  assert_false(LanesAlike(one.stepper, another.stepper));
  assert_false(LanesSuit(damped.stepper));
  assert_false(LanesSuit(kutta.stepper));
  MotionEnd(&one);
  MotionEnd(&more);
  MotionEnd(&another);
  MotionEnd(&damped);
  MotionEnd(&kutta);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_lane_moves_as_it_would_alone),
  cmocka_unit_test(many_joints_do),
  cmocka_unit_test(what_has_no_mass_does),
  cmocka_unit_test(more_runs_than_lanes_take_turns),
  cmocka_unit_test(steps_are_halved_in_one_lane_alone),
  cmocka_unit_test(a_motion_that_stops_leaves_the_others),
  cmocka_unit_test(a_motion_goes_on_outside),
  cmocka_unit_test(only_what_is_alike_runs_together),
};

CHECK_MAIN_WITH_SLEPC(tests)
