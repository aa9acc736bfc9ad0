/* test_modal_and_factored.c - the linear part in modal coordinates, factored, and with many joints on sparse matrices give the same motion, that
   of a dense integrator. */
#include "dense.h"
#include "jointed.h"

enum { NUM_RULES = 3, NUM_METHODS = 4 }; /* of Newmark; and the method of Runge and Kutta */

static StepperOptions Rule(PetscInt i, PetscReal h)
{
  const StepperOptions rules[NUM_METHODS] = {AverageAcceleration(h), HilberHughesTaylor(-0.1, h),
                                             OptionsOf((NewmarkRule){.beta = 0.3025, .gamma = 0.6}, h), RungeKutta(h)};

  return rules[i];
}

enum { LONG_CHAIN = 80 };

/* Largest difference of two motions in their steps to come, relative to the largest value; of u, v and a in turn. */
static void Compare(Motion *one, Motion *other, PetscInt steps, PetscReal differences[3])
{
  PetscReal x[LONG_CHAIN], y[LONG_CHAIN], sizes[3] = {0.0};

  for (PetscInt c = 0; c < 3; c++) differences[c] = 0.0;
  for (PetscInt step = 0; step < steps; step++) {
    MotionStep(one, 1);
    MotionStep(other, 1);
    for (PetscInt c = 0; c < 3; c++) {
      MotionAll(one, c == 0 ? one->state->u : c == 1 ? one->state->v : one->state->a, x);
      MotionAll(other, c == 0 ? other->state->u : c == 1 ? other->state->v : other->state->a, y);
      sizes[c] = fmax(sizes[c], Largest(one->n, x));
      for (PetscInt i = 0; i < one->n; i++) differences[c] = fmax(differences[c], fabs(x[i] - y[i]));
    }
  }
  for (PetscInt c = 0; c < 3; c++) differences[c] /= sizes[c];
}

/* The joints' system with its Rayleigh damping written out as a matrix of discrete dampers. */
static System *BuildWithMatrix(const Jointed *jointed, const Matrices *matrices)
{
  const PetscInt n        = jointed->n;
  Jointed        undamped = *jointed;
  System        *system;

  undamped.mass_factor = undamped.stiffness_factor = 0.0;
  system                                           = JointedDraft(&undamped);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) assert_ok(SystemAddDamping(system, i, j, matrices->C[i * n + j]));
  assert_ok(SystemSetUp(system));
  return system;
}

/* Gaps make motions chaotic, which would show round-off as differences. */
static Jointed DrawWithoutGaps(PetscBool one_component, uint64_t *seed)
{
  const JointLaw *gap     = JointLawFind("gap");
  Jointed         jointed = JointedDraw(6, one_component, seed);

  for (PetscInt e = 0; e < jointed.num_elements; e++)
    if (jointed.elements[e].law == gap) ElementDraw(&jointed.elements[e], KIND_IWAN4, seed);
  return jointed;
}

static void CheckKinds(PetscInt rule, uint64_t *seed)
{
  const Jointed        jointed = DrawWithoutGaps(PETSC_FALSE, seed);
  const StepperOptions options = Rule(rule, 0.05);
  const InitialMotion  rest    = {NULL, NULL};

  for (PetscInt with_matrix = 0; with_matrix < 2; with_matrix++) {
    Motion         modal    = MotionBegin(JointedBuild(&jointed, PETSC_FALSE), options, JOINTED_NUM_LOADS, jointed.loads, rest);
    const Matrices matrices = MatricesOf(modal.system);
    System        *system   = with_matrix ? BuildWithMatrix(&jointed, &matrices) : JointedBuild(&jointed, PETSC_TRUE);
    Motion         factored = MotionBegin(system, options, JOINTED_NUM_LOADS, jointed.loads, rest);
    PetscReal      differences[3];

    assert_ptr_not_equal(modal.stepper->linear->kind, factored.stepper->linear->kind);
    Compare(&modal, &factored, 2000, differences);
    for (PetscInt c = 0; c < 3; c++) assert_near(differences[c], 0, 1e-9);
    assert_close(factored.state->damped, modal.state->damped, 1e-9);
    assert_close(factored.state->work, modal.state->work, 1e-9);
    MotionEnd(&modal);
    MotionEnd(&factored);
  }
}

static void both_kinds_give_the_same_motion_with_joints_and_rayleigh_damping(void **state)
{
  uint64_t seed = 3;

  (void)state;
  for (PetscInt rule = 0; rule < NUM_METHODS; rule++)
    for (PetscInt i = 0; i < 5; i++) CheckKinds(rule, &seed);
}

/* A motion whose steps are by sparse factors, or not. */
static Motion BeginBySparse(PetscBool sparse, System *system, StepperOptions options, PetscInt num_loads, const Load loads[], InitialMotion initial)
{
  Motion motion;

  assert_ok(PetscOptionsSetValue(NULL, "-sparse_joints", sparse ? "yes" : "no"));
  motion = MotionBegin(system, options, num_loads, loads, initial);
  assert_ok(PetscOptionsClearValue(NULL, "-sparse_joints"));
  assert_int_equal(motion.stepper->linear->sparse, sparse);
  return motion;
}

/* Every law of one component, those that feel velocities among them. */
static void joints_on_sparse_matrices_move_as_on_modes(void **state)
{
  const InitialMotion rest = {NULL, NULL};
  uint64_t            seed = 5;

  (void)state;
  for (PetscInt i = 0; i < 3 * NUM_METHODS; i++) {
    const Jointed        jointed = DrawWithoutGaps(PETSC_TRUE, &seed);
    const StepperOptions options = Rule(i % NUM_METHODS, 0.05);
    Motion               dense   = BeginBySparse(PETSC_FALSE, JointedBuild(&jointed, PETSC_FALSE), options, JOINTED_NUM_LOADS, jointed.loads, rest);
    Motion               sparse  = BeginBySparse(PETSC_TRUE, JointedBuild(&jointed, PETSC_FALSE), options, JOINTED_NUM_LOADS, jointed.loads, rest);
    PetscReal            differences[3];

    Compare(&dense, &sparse, 1000, differences);
    for (PetscInt c = 0; c < 3; c++) assert_near(differences[c], 0, 1e-9);
    assert_close(sparse.state->damped, dense.state->damped, 1e-9);
    assert_close(sparse.state->work, dense.state->work, 1e-9);
    MotionEnd(&dense);
    MotionEnd(&sparse);
  }
}

/* A chain with a joint between neighbours and one to the ground in turn. */
static System *BuildLongChain(const char *law, const PetscReal parameters[])
{
  System *system = SystemNew(LONG_CHAIN);

  for (PetscInt i = 0; i < LONG_CHAIN; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0 + 0.1 * (PetscReal)(i % 7)));
    assert_ok(SystemAddBase(system, 0, i, 1.0 + 0.1 * (PetscReal)(i % 7)));
    AddSpring(system, i - 1, i, 1.0);
    AddJoint(system, JointLawFind(law), parameters, i % 2 ? i - 1 : GROUND, i);
  }
  assert_ok(SystemSetDamping(system, 0, NULL, 0.01, 0.002));
  assert_ok(SystemSetUp(system));
  return system;
}

/* Where stiff joints slip, Newton's matrix is factored again, as products do not contract. Such chains part: what differs by 3e-11 after 100
   steps was 7e-5 after 400 in one build; hence 60. 3e-14 was the most of the motions of the others, 2e-13 of accelerations; 3e-11 and 2e-10 of
   stiff ones, of which the forces that are accepted make more. */
static void long_chains_on_sparse_matrices_move_as_on_modes(void **state)
{
  const struct {
    const char *law;
    PetscReal   parameters[5];
  } joints[]         = {{"iwan4", {1.0, 2.0, -0.3, 0.5, 0.0}}, {"jenkins", {2.0, 1.0}}, {"jenkins", {2e4, 1.0}}, {"jenkins", {2e3, 1.0}}};
  const Load loads[] = {{.place = LOAD_ON_BASE, .amplitude = 6.0, .signal = {.kind = SIGNAL_HARMONIC, .frequency = 0.1}},
                        {.place = LOAD_ON_POINT, .motion = 13, .amplitude = 40.0, .signal = {.kind = SIGNAL_HALF_SINE, .duration = 5.0}}};

  (void)state;
  for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(joints); k++) {
    const InitialMotion  rest    = {NULL, NULL};
    const StepperOptions options = Rule((PetscInt)k % NUM_RULES, 0.05);
    Motion               dense   = BeginBySparse(PETSC_FALSE, BuildLongChain(joints[k].law, joints[k].parameters), options, 2, loads, rest);
    Motion               sparse  = BeginBySparse(PETSC_TRUE, BuildLongChain(joints[k].law, joints[k].parameters), options, 2, loads, rest);
    PetscReal            differences[3];
    PetscInt             num_slipped = 0;

    Compare(&dense, &sparse, k < 2 ? 400 : 60, differences);
    for (PetscInt c = 0; c < 3; c++) assert_near(differences[c], 0, c < 2 ? 1e-10 : 1e-9);
    if (options.rule.alpha == 0.0 && options.rule.gamma == 0.5) assert_near(MotionImbalance(&sparse), 0, 1e-10 * sparse.state->work);
    for (PetscInt r = 0; r < LONG_CHAIN; r++) num_slipped += sparse.state->dissipated[r] > 0.0;
    assert_true(num_slipped > LONG_CHAIN / 4);
    MotionEnd(&dense);
    MotionEnd(&sparse);
  }
}

/* Where Newton's method does not converge in the iterations that it is allowed. */
static void steps_on_sparse_matrices_are_halved_as_on_modes(void **state)
{
  const PetscReal cubic[] = {0.0, 50.0};
  PetscReal       start[LONG_CHAIN], differences[3];
  StepperOptions  options = AverageAcceleration(0.5);
  Motion          dense, sparse;

  (void)state;
  options.max_iterations = 4;
  for (PetscInt i = 0; i < LONG_CHAIN; i++) start[i] = sin(0.3 * (PetscReal)i);
  dense  = BeginBySparse(PETSC_FALSE, BuildLongChain("cubic", cubic), options, 0, NULL, (InitialMotion){start, NULL});
  sparse = BeginBySparse(PETSC_TRUE, BuildLongChain("cubic", cubic), options, 0, NULL, (InitialMotion){start, NULL});
  Compare(&dense, &sparse, 5, differences);
  for (PetscInt c = 0; c < 3; c++) assert_near(differences[c], 0, 1e-10);
  assert_true(sparse.state->halved > 5);
  assert_true(dense.state->halved > 5);
  MotionEnd(&dense);
  MotionEnd(&sparse);
}

/* Of many joints on matrices of few entries, and neither with modal damping, which is a full matrix, nor where few joints are on many masses. */
static void what_takes_less_time_is_chosen(void **state)
{
  const PetscReal jenkins[] = {1.0, 2.0}, ratio = 0.01;

  (void)state;
  for (PetscInt k = 0; k < 3; k++) {
    System *system = SystemNew(4 * LONG_CHAIN);
    Motion  motion;

    for (PetscInt i = 0; i < 4 * LONG_CHAIN; i++) {
      assert_ok(SystemAddMass(system, i, i, 1.0));
      AddSpring(system, i - 1, i, 1.0);
      if (k != 1 || i % 5 == 0) AddJoint(system, JointLawFind("jenkins"), jenkins, i - 1, i);
    }
    if (k == 2) assert_ok(SystemSetDamping(system, 1, &ratio, 0.0, 0.0));
    assert_ok(SystemSetUp(system));
    motion = MotionBegin(system, AverageAcceleration(0.05), 0, NULL, (InitialMotion){NULL, NULL});
    assert_int_equal(motion.stepper->linear->sparse, k == 0);
    MotionEnd(&motion);
  }
}

/* A textbook step [Newmark 1959; Hilber, Hughes, Taylor 1977] for the forces `load` already weighted by 1 + alpha and -alpha. */
static void DenseStep(const Dense *dense, NewmarkRule rule, PetscReal h, const PetscReal load[], PetscReal u[], PetscReal v[], PetscReal a[])
{
  const PetscInt  n     = dense->n;
  const PetscReal theta = 1.0 + rule.alpha;
  PetscReal       right[DENSE_MAX], S[DENSE_MAX * DENSE_MAX];

  for (PetscInt i = 0; i < n; i++) right[i] = load[i];
  DenseAddProduct(n, rule.alpha, dense->C, v, right);
  DenseAddProduct(n, rule.alpha, dense->K, u, right);
  for (PetscInt i = 0; i < n; i++) {
    u[i] += h * v[i] + h * h * (0.5 - rule.beta) * a[i];
    v[i] += h * (1.0 - rule.gamma) * a[i];
  }
  DenseAddProduct(n, -theta, dense->C, v, right);
  DenseAddProduct(n, -theta, dense->K, u, right);
  for (PetscInt i = 0; i < n * n; i++) S[i] = dense->M[i] + theta * (rule.gamma * h * dense->C[i] + rule.beta * h * h * dense->K[i]);
  DenseSolve(n, S, right);
  for (PetscInt i = 0; i < n; i++) {
    a[i] = right[i];
    u[i] += rule.beta * h * h * a[i];
    v[i] += rule.gamma * h * a[i];
  }
}

/* A structure without nonlinear joints, told to a System and to a Dense. */
typedef struct {
  System *system;
  Dense   dense;
} Both;

static void ConnectSpring(Both *both, PetscInt i, PetscInt j, PetscReal k)
{
  AddSpring(both->system, i, j, k);
  DenseConnect(both->dense.n, both->dense.K, i, j, k);
}

static void ConnectDamper(Both *both, PetscInt i, PetscInt j, PetscReal c)
{
  AddDamper(both->system, i, j, c);
  DenseConnect(both->dense.n, both->dense.C, i, j, c);
}

static Both BothNew(PetscInt n)
{
  Both both = {.system = SystemNew(n), .dense = {.n = n}};

  for (PetscInt i = 0; i < n; i++) {
    both.dense.M[i * n + i] = 1.0 + 0.3 * (PetscReal)i;
    assert_ok(SystemAddMass(both.system, i, i, both.dense.M[i * n + i]));
  }
  return both;
}

static const PetscReal ratios[] = {0.01, 0.03, 0.002};

/* All kinds of damping at once; the laws that are linear are in the matrices. */
static void BothSetUp(Both *both, PetscReal mass_factor, PetscReal stiffness_factor)
{
  const PetscInt n = both->dense.n;

  for (PetscInt i = 0; i < n; i++) assert_ok(SystemAddBase(both->system, 0, i, both->dense.M[i * n + i]));
  assert_ok(SystemSetDamping(both->system, 3, ratios, mass_factor, stiffness_factor));
  DenseAddModalDamping(&both->dense, both->dense.K, 3, ratios);
  for (PetscInt i = 0; i < n * n; i++) both->dense.C[i] += mass_factor * both->dense.M[i] + stiffness_factor * both->dense.K[i];
  assert_ok(SystemSetUp(both->system));
}

/* Pushes on the last unknown and shakes the base. */
static void CheckAgainstDense(Both *both, PetscInt rule, PetscReal h)
{
  const PetscInt       n = both->dense.n, steps = 1000;
  const StepperOptions options = Rule(rule, h);
  const PetscReal      alpha   = options.rule.alpha;
  const Load           loads[] = {
              {.place = LOAD_ON_POINT, .motion = n - 1, .amplitude = 3.0, .signal = {.kind = SIGNAL_HARMONIC, .frequency = 0.21, .phase = 0.4}},
              {.place = LOAD_ON_BASE, .amplitude = 2.0, .signal = {.kind = SIGNAL_HALF_SINE, .start = 3.0, .duration = 1.7}},
  };
  Motion    motion       = MotionBegin(both->system, options, 2, loads, (InitialMotion){NULL, NULL});
  PetscReal u[DENSE_MAX] = {0.0}, v[DENSE_MAX] = {0.0}, a[DENSE_MAX] = {0.0}, old_load[DENSE_MAX] = {0.0}, worst[3] = {0.0}, size[3] = {0.0};

  old_load[n - 1] = 3.0 * sin(0.4);
  a[n - 1]        = old_load[n - 1] / both->dense.M[n * n - 1];
  for (PetscInt step = 1; step <= steps; step++) {
    const PetscReal time = h * (PetscReal)step, since = time - 3.0;
    PetscReal       load[DENSE_MAX], weighted[DENSE_MAX], x[3][DENSE_MAX];

    for (PetscInt i = 0; i < n; i++) load[i] = since > 0.0 && since < 1.7 ? -2.0 * both->dense.M[i * n + i] * sin(PETSC_PI * since / 1.7) : 0.0;
    load[n - 1] += 3.0 * sin(2.0 * PETSC_PI * 0.21 * time + 0.4);
    for (PetscInt i = 0; i < n; i++) {
      weighted[i] = (1.0 + alpha) * load[i] - alpha * old_load[i];
      old_load[i] = load[i];
    }
    DenseStep(&both->dense, options.rule, h, weighted, u, v, a);
    MotionStep(&motion, 1);
    MotionAll(&motion, motion.state->u, x[0]);
    MotionAll(&motion, motion.state->v, x[1]);
    MotionAll(&motion, motion.state->a, x[2]);
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal expected[] = {u[i], v[i], a[i]};

      for (PetscInt c = 0; c < 3; c++) {
        worst[c] = fmax(worst[c], fabs(x[c][i] - expected[c]));
        size[c]  = fmax(size[c], fabs(expected[c]));
      }
    }
  }
  for (PetscInt c = 0; c < 3; c++) assert_near(worst[c], 0, 1e-11 * size[c]);
  MotionEnd(&motion);
}

/* A chain of five with modal ratios, Rayleigh factors, and (when factored) a damper between two masses and one as a law of a joint. */
static Both BuildChain(PetscBool factored)
{
  const PetscReal damping[] = {0.2}, stiffness[] = {0.7};
  Both            both = BothNew(5);

  for (PetscInt i = 0; i < 5; i++) ConnectSpring(&both, i - 1, i, 2.0 + 0.5 * (PetscReal)i);
  AddJoint(both.system, JointLawFind("spring"), stiffness, 0, 3);
  DenseConnect(5, both.dense.K, 0, 3, stiffness[0]);
  if (factored) {
    ConnectDamper(&both, 1, 4, 0.3);
    AddJoint(both.system, JointLawFind("damper"), damping, GROUND, 2);
    DenseConnect(5, both.dense.C, GROUND, 2, damping[0]);
  }
  BothSetUp(&both, 0.01, 0.004);
  return both;
}

static void modal_ratios_and_rayleigh_factors_are_those_of_a_dense_integrator(void **state)
{
  (void)state;
  for (PetscInt rule = 0; rule < NUM_RULES; rule++) {
    Both both = BuildChain(PETSC_FALSE);

    assert_null(both.system->C);
    CheckAgainstDense(&both, rule, 0.05);
  }
}

static void discrete_dampers_beside_modal_ratios_are_those_of_a_dense_integrator(void **state)
{
  (void)state;
  for (PetscInt rule = 0; rule < NUM_RULES; rule++) {
    Both both = BuildChain(PETSC_TRUE);

    assert_non_null(both.system->C);
    CheckAgainstDense(&both, rule, 0.05);
  }
}

/* No mode moves both: the matrix of modal damping has no entry where the damper has one. */
static void a_damper_may_join_structures_that_share_no_mode(void **state)
{
  Both both = BothNew(4);

  (void)state;
  ConnectSpring(&both, GROUND, 0, 2.0);
  ConnectSpring(&both, 0, 1, 3.0);
  ConnectSpring(&both, GROUND, 2, 5.0);
  ConnectSpring(&both, 2, 3, 7.0);
  ConnectDamper(&both, 1, 2, 0.3);
  BothSetUp(&both, 0.0, 0.0);
  CheckAgainstDense(&both, 0, 0.05);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(both_kinds_give_the_same_motion_with_joints_and_rayleigh_damping),
  cmocka_unit_test(joints_on_sparse_matrices_move_as_on_modes),
  cmocka_unit_test(long_chains_on_sparse_matrices_move_as_on_modes),
  cmocka_unit_test(steps_on_sparse_matrices_are_halved_as_on_modes),
  cmocka_unit_test(what_takes_less_time_is_chosen),
  cmocka_unit_test(modal_ratios_and_rayleigh_factors_are_those_of_a_dense_integrator),
  cmocka_unit_test(discrete_dampers_beside_modal_ratios_are_those_of_a_dense_integrator),
  cmocka_unit_test(a_damper_may_join_structures_that_share_no_mode),
};

CHECK_MAIN_WITH_SLEPC(tests)
