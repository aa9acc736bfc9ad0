/* test_balance.c - every step ends in balance: the equation of motion holds with the laws' own forces, energy is not lost, and a step that
   cannot be taken is halved or refused. */
#include "jointed.h"
#include "../../src/march/newmark.h"

/* residual += A x; the largest term so far goes to `scale`. */
static void AddProduct(PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal residual[], PetscReal *scale)
{
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) {
      residual[i] += A[i * n + j] * x[j];
      *scale = fmax(*scale, fabs(A[i * n + j] * x[j]));
    }
}

/* |M a + C v + K u + B^T f - p|, relative to its largest term. */
static PetscReal EquationError(Jointed *jointed, const Matrices *matrices, const Motion *motion)
{
  const PetscInt n = matrices->n;
  PetscReal      u[JOINTED_MAX_UNKNOWNS], v[JOINTED_MAX_UNKNOWNS], a[JOINTED_MAX_UNKNOWNS], residual[JOINTED_MAX_UNKNOWNS] = {0.0}, scale;

  MotionAll(motion, motion->state->u, u);
  MotionAll(motion, motion->state->v, v);
  MotionAll(motion, motion->state->a, a);
  JointedAddForces(jointed, u, v, residual);
  scale = Largest(n, residual);
  AddProduct(n, matrices->M, a, residual, &scale);
  AddProduct(n, matrices->C, v, residual, &scale);
  AddProduct(n, matrices->K, u, residual, &scale);
  for (PetscInt l = 0; l < JOINTED_NUM_LOADS; l++)
    residual[jointed->loads[l].motion] -= jointed->loads[l].amplitude * SignalValue(&jointed->loads[l].signal, motion->state->time);
  return Largest(n, residual) / scale;
}

/* The largest errors of a motion so far. */
typedef struct {
  PetscReal equation; /* relative to the largest term of the step */
  PetscReal motion;   /* of the joints against B u, relative to the largest u */
  PetscReal energy;   /* relative to the largest work of the loads or energy in the joints */
  PetscReal size, put_in;
  PetscInt  steps;
} Errors;

static void ErrorsUpdate(Errors *errors, Jointed *jointed, const Matrices *matrices, const Motion *motion)
{
  PetscReal u[JOINTED_MAX_UNKNOWNS], missing[JOINTED_MAX_ROWS];
  Vec       unknowns, joints;

  MotionAll(motion, motion->state->u, u);
  assert_ok(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, motion->n, u, &unknowns));
  assert_ok(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, motion->system->names.num_rows, missing, &joints));
  assert_ok(MatMult(motion->system->B, unknowns, joints));
  assert_ok(VecDestroy(&unknowns));
  assert_ok(VecDestroy(&joints));
  for (PetscInt i = 0; i < motion->system->names.num_rows; i++) missing[i] -= motion->state->motion[i];
  errors->equation = fmax(errors->equation, EquationError(jointed, matrices, motion));
  errors->motion   = fmax(errors->motion, Largest(motion->system->names.num_rows, missing));
  errors->energy   = fmax(errors->energy, fabs(MotionImbalance(motion)));
  errors->size     = fmax(errors->size, Largest(motion->n, u));
  errors->put_in   = fmax(errors->put_in, fmax(fabs(motion->state->work), fabs(motion->state->absorbed)));
  errors->steps++;
}

static void ErrorsCheck(const Errors *errors)
{
  assert_near(errors->equation, 0, 1e-10);
  assert_near(errors->motion, 0, 1e-10 * errors->size);
  assert_near(errors->energy, 0, 1e-10 * errors->put_in);
}

static Motion JointedBegin(const Jointed *jointed, PetscBool factored, StepperOptions options)
{
  return MotionBegin(JointedBuild(jointed, factored), options, JOINTED_NUM_LOADS, jointed->loads, (InitialMotion){NULL, NULL});
}

/* The memories of the test do not see the parts of halved steps: it stops there. */
static PetscInt CheckMotion(Jointed *jointed, PetscBool factored, PetscReal h, PetscInt steps)
{
  Motion         motion   = JointedBegin(jointed, factored, AverageAcceleration(h));
  const Matrices matrices = MatricesOf(motion.system);
  Errors         errors   = {.steps = 0};

  JointedOpen(jointed);
  for (PetscInt i = 0; i < steps; i++) {
    MotionStep(&motion, 1);
    if (motion.state->halved > 0) break;
    ErrorsUpdate(&errors, jointed, &matrices, &motion);
  }
  if (errors.steps > 0) ErrorsCheck(&errors);
  JointedClose(jointed);
  MotionEnd(&motion);
  return errors.steps;
}

static void CheckMotions(PetscInt num_elements, PetscBool one_component, PetscBool factored, uint64_t seed)
{
  enum { NUM_SYSTEMS = 20, NUM_STEPS = 400 };
  PetscInt steps = 0;

  for (PetscInt i = 0; i < NUM_SYSTEMS; i++) {
    Jointed jointed = JointedDraw(num_elements, one_component, &seed);

    steps += CheckMotion(&jointed, factored, 0.1, NUM_STEPS);
  }
  assert_int_equal(steps, NUM_SYSTEMS * NUM_STEPS); /* none of them needs to be halved */
}

static void every_step_satisfies_the_equation_of_motion_with_the_forces_of_the_laws(void **state)
{
  (void)state;
  CheckMotions(6, PETSC_TRUE, PETSC_FALSE, 1);
  CheckMotions(6, PETSC_TRUE, PETSC_TRUE, 2);
}

static void laws_of_two_components_that_feel_velocity_are_balanced_as_well(void **state)
{
  (void)state;
  CheckMotions(7, PETSC_FALSE, PETSC_FALSE, 3);
  CheckMotions(7, PETSC_FALSE, PETSC_TRUE, 4);
}

static void more_joints_than_unknowns_are_balanced(void **state)
{
  (void)state;
  CheckMotions(JOINTED_MAX_ELEMENTS, PETSC_TRUE, PETSC_FALSE, 5);
  CheckMotions(JOINTED_MAX_ELEMENTS, PETSC_FALSE, PETSC_FALSE, 6);
}

static Jointed DrawGaps(PetscReal stiffer, uint64_t *seed)
{
  Jointed jointed = JointedDraw(3, PETSC_TRUE, seed);

  for (PetscInt e = 0; e < jointed.num_elements; e++) {
    ElementDraw(&jointed.elements[e], KIND_GAP, seed);
    jointed.elements[e].parameters[0] *= stiffer;
  }
  return jointed;
}

/* An open gap transmits nothing, at the motion that Newton tries: that says nothing about where the structure is. */
static void an_open_gap_is_where_the_structure_is(void **state)
{
  uint64_t seed = 7;

  (void)state;
  for (PetscInt i = 0; i < 20; i++) {
    Jointed        jointed  = DrawGaps(20.0, &seed);
    Motion         motion   = JointedBegin(&jointed, i % 2, AverageAcceleration(0.1));
    const Matrices matrices = MatricesOf(motion.system);
    Errors         errors   = {.steps = 0};

    JointedOpen(&jointed);
    for (PetscInt step = 0; step < 1000; step++) {
      MotionStep(&motion, 1);
      ErrorsUpdate(&errors, &jointed, &matrices, &motion); /* halved steps too: gaps remember nothing */
    }
    ErrorsCheck(&errors);
    JointedClose(&jointed);
    MotionEnd(&motion);
  }
}

/* Largest difference of two motions that differ in their tolerances, relative to the largest motion. */
static PetscReal ToleranceEffect(const Jointed *jointed, PetscReal one, PetscReal other)
{
  StepperOptions options[2] = {AverageAcceleration(0.05), AverageAcceleration(0.05)};
  Motion         motions[2];
  PetscReal      worst = 0.0, size = 0.0, u[2][JOINTED_MAX_UNKNOWNS];

  options[0].tolerance = one;
  options[1].tolerance = other;
  for (PetscInt k = 0; k < 2; k++) motions[k] = JointedBegin(jointed, PETSC_FALSE, options[k]);
  for (PetscInt step = 0; step < 2000; step++) {
    for (PetscInt k = 0; k < 2; k++) {
      MotionStep(&motions[k], 1);
      MotionAll(&motions[k], motions[k].state->u, u[k]);
    }
    size = fmax(size, Largest(jointed->n, u[0]));
    for (PetscInt i = 0; i < jointed->n; i++) worst = fmax(worst, fabs(u[0][i] - u[1][i]));
  }
  for (PetscInt k = 0; k < 2; k++) MotionEnd(&motions[k]);
  return worst / size;
}

/* What the case file promises of its default; a coarse tolerance is seen, so the option is obeyed. */
static void results_do_not_depend_on_the_default_tolerance(void **state)
{
  uint64_t seed = 8;

  (void)state;
  for (PetscInt i = 0; i < 10; i++) {
    const Jointed jointed = JointedDraw(6, PETSC_TRUE, &seed);

    assert_near(ToleranceEffect(&jointed, default_tolerance, 1e-14), 0, 1e-9);
    assert_near(ToleranceEffect(&jointed, 1e-8, 1e-14), 0, 1e-7);
    assert_true(ToleranceEffect(&jointed, 1e-3, 1e-14) > 1e-8);
  }
}

static void CheckFinite(const State *state)
{
  const PetscInt size = StateSize(state);
  PetscReal     *numbers;

  assert_ok(PetscMalloc1(size, &numbers));
  StatePack(state, numbers);
  assert_true(Largest(size, numbers) < PETSC_INFINITY);
  assert_ok(PetscFree(numbers));
}

/* The largest of a whole motion: what the joints hold for a while may be far more than the loads brought. `roundoff` is of all steps. */
typedef struct {
  PetscReal imbalance, energy, roundoff;
} EnergyRange;

/* A joint's motion is found when it is off by the round-off of the linear response, 4 eps |u_lin| |row| (balance.h): what the force that this
   makes does along twice the motion. */
static PetscReal RoundoffEnergy(const Motion *motion)
{
  const Linear  *linear  = motion->stepper->linear;
  const Newmark *newmark = motion->stepper->data;
  PetscReal      square  = 0.0;

  for (PetscInt j = 0; j < motion->state->n; j++) square += PetscSqr(motion->state->u[j]);
  return 8.0 * PETSC_MACHINE_EPSILON * newmark->response.size * sqrt(square) * PetscSqr(Largest(linear->m, linear->row_norm)) *
         Largest(linear->m, motion->stepper->balance->steepness);
}

static void LookAtEnergy(const Motion *motion, EnergyRange *range)
{
  const State *state = motion->state;
  PetscReal    kinetic, strain;

  assert_ok(StepperEnergy(motion->stepper, state, &kinetic, &strain));
  range->imbalance = fmax(range->imbalance, fabs(MotionImbalance(motion)));
  range->energy    = fmax(range->energy, fabs(state->work) + fabs(state->absorbed) + kinetic + fabs(strain));
  range->roundoff += RoundoffEnergy(motion);
}

/* Marches until the end or until it stops; the energy balances all the way. */
static PetscBool March(Motion *motion, PetscInt steps)
{
  PetscBool   converged = PETSC_TRUE;
  EnergyRange range     = {0.0, 0.0, 0.0};

  while (converged && motion->state->step < steps) {
    assert_ok(StepperStep(motion->stepper, motion->state, &converged));
    LookAtEnergy(motion, &range);
  }
  assert_near(range.imbalance, 0.0, 1e-10 * range.energy + range.roundoff);
  return converged;
}

/* Steps of most of a period, gaps of up to 4e5 times the structure's stiffness. */
static void absurd_steps_are_halved_until_they_converge_or_stop_the_motion(void **state)
{
  const PetscInt limits[]    = {1, 3, 10, 25};
  PetscInt       num_stopped = 0, num_divided = 0;
  uint64_t       seed = 9;

  (void)state;
  for (PetscInt i = 0; i < 40; i++) {
    const Jointed  jointed = i % 2 ? DrawGaps(1e4, &seed) : JointedDraw(6, PETSC_TRUE, &seed);
    StepperOptions options = AverageAcceleration(5.0);
    Motion         motion;

    options.max_iterations = limits[i / 2 % 4];
    motion                 = JointedBegin(&jointed, PETSC_FALSE, options);
    if (!March(&motion, 50)) num_stopped++;
    else if (motion.state->halved > 0) num_divided++;
    CheckFinite(motion.state);
    MotionEnd(&motion);
  }
  assert_true(num_stopped > 5);
  assert_true(num_divided > 5);
}

/* A unit mass. */
static Motion OneMass(PetscReal spring, const char *law, const PetscReal parameters[], PetscReal displacement, PetscReal velocity,
                      StepperOptions options)
{
  System *system = SystemNew(1);

  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  AddSpring(system, GROUND, 0, spring);
  AddJoint(system, JointLawFind(law), parameters, GROUND, 0);
  assert_ok(SystemSetUp(system));
  return MotionBegin(system, options, 0, NULL, (InitialMotion){&displacement, &velocity});
}

/* It flies at the stop 1 m away, 1 m/s, and cannot enter it: after 12 halvings it stops where the last part ended, at most one such
   part before the stop. */
static void a_stop_that_one_iteration_cannot_balance_ends_the_motion_before_it(void **state)
{
  const PetscReal stop[]  = {1e9, 1.0, 1.0};
  StepperOptions  options = AverageAcceleration(0.3);
  Motion          motion;

  (void)state;
  options.max_iterations = 1;
  motion                 = OneMass(0.0, "gap", stop, 0.0, -1.0, options);
  assert_false(March(&motion, 10));
  assert_int_equal(motion.state->step, 3);
  CheckFinite(motion.state);
  assert_between(MotionAt(&motion, motion.state->u, 0), -1.0, -1.0 + 0.3 / 4096.0);
  assert_near(motion.state->time, -MotionAt(&motion, motion.state->u, 0), 1e-14);
  MotionEnd(&motion);
}

/* Beyond the ridge at 1 m it falls without end: numbers overflow some day. */
static void a_motion_that_escapes_stops_with_finite_numbers(void **state)
{
  const PetscReal softening[] = {1.0, -1.0};
  Motion          motion      = OneMass(0.0, "cubic", softening, 0.99, 1.0, AverageAcceleration(0.05));

  (void)state;
  assert_false(March(&motion, 100000));
  CheckFinite(motion.state);
  assert_true(MotionAt(&motion, motion.state->u, 0) > 2.0);
  MotionEnd(&motion);
}

static void a_joint_that_sticks_is_balanced_at_the_first_evaluation(void **state)
{
  const PetscReal strong[] = {3.0, 100.0};
  Motion          motion   = OneMass(1.0, "jenkins", strong, 1.0, 0.0, AverageAcceleration(0.5));

  (void)state;
  MotionStep(&motion, 100);
  assert_int_equal(motion.state->iterations, 100);
  MotionEnd(&motion);
}

static void strongly_nonlinear_steps_take_several_iterations_but_need_no_halving(void **state)
{
  const PetscReal hardening[] = {0.0, 50.0};
  Motion          motion      = OneMass(1.0, "cubic", hardening, 1.0, 0.0, AverageAcceleration(0.5));

  (void)state;
  for (PetscInt i = 0; i < 100; i++) {
    const PetscInt64 before = motion.state->iterations;

    MotionStep(&motion, 1);
    assert_true(motion.state->iterations - before >= 3);
  }
  assert_int_equal(motion.state->halved, 0);
  MotionEnd(&motion);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(every_step_satisfies_the_equation_of_motion_with_the_forces_of_the_laws),
  cmocka_unit_test(laws_of_two_components_that_feel_velocity_are_balanced_as_well),
  cmocka_unit_test(more_joints_than_unknowns_are_balanced),
  cmocka_unit_test(an_open_gap_is_where_the_structure_is),
  cmocka_unit_test(results_do_not_depend_on_the_default_tolerance),
  cmocka_unit_test(absurd_steps_are_halved_until_they_converge_or_stop_the_motion),
  cmocka_unit_test(a_stop_that_one_iteration_cannot_balance_ends_the_motion_before_it),
  cmocka_unit_test(a_motion_that_escapes_stops_with_finite_numbers),
  cmocka_unit_test(a_joint_that_sticks_is_balanced_at_the_first_evaluation),
  cmocka_unit_test(strongly_nonlinear_steps_take_several_iterations_but_need_no_halving),
};

CHECK_MAIN_WITH_SLEPC(tests)
