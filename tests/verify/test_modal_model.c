/* test_modal_model.c - the modal Iwan model against motions that it must equal: the oscillator it is, the superposition of modes. */
#include "motion.h"
#include "../../src/study/transient/modal_model.h"

enum { N = 5, NUM_LOADS = 4, STEPS = 4000 };

static const PetscReal step = 0.01;

/* The modal model of a truth, as a motion under the same loads, from the same initial motion on the unknowns. */
static Motion ModelBegin(ModeCache *truth, PetscInt count, const PetscInt modes[], const ModalIwan parameters[], PetscInt num_loads,
                         const Load loads[], InitialMotion initial)
{
  const PetscInt n = truth->system->num_unknowns;
  PetscReal      displacement[N], velocity[N];
  InitialMotion  on_modes = {NULL, NULL};
  const Modes   *found;
  ModalModel    *model;
  Motion         motion;

  assert_true(n <= N);
  assert_ok(ModeCacheGet(truth, JOINT_STUCK, n, &found));
  if (initial.displacement) {
    assert_ok(ModesProject(truth->system, found, initial.displacement, displacement));
    on_modes.displacement = displacement;
  }
  if (initial.velocity) {
    assert_ok(ModesProject(truth->system, found, initial.velocity, velocity));
    on_modes.velocity = velocity;
  }
  assert_ok(ModalModelCreate(truth, count, modes, parameters, &model));
  motion = MotionOfSubject(model->cache, model->system, AverageAcceleration(step), num_loads, loads, on_modes);
  assert_ok(PetscFree(model));
  return motion;
}

/* Largest difference of u, v and a of the unknowns over so many steps, relative to the largest value of each. */
static PetscReal Difference(Motion *one, Motion *other, PetscInt steps)
{
  PetscReal difference[3] = {0.0}, size[3] = {0.0}, worst = 0.0;

  assert_int_equal(one->n, other->n);
  for (PetscInt i = 0; i < steps; i++) {
    const PetscReal *const ones[3]   = {one->state->u, one->state->v, one->state->a};
    const PetscReal *const others[3] = {other->state->u, other->state->v, other->state->a};

    for (PetscInt kind = 0; kind < 3; kind++)
      for (PetscInt k = 0; k < one->n; k++) {
        const PetscReal wanted = MotionAt(one, ones[kind], k);

        difference[kind] = fmax(difference[kind], fabs(MotionAt(other, others[kind], k) - wanted));
        size[kind]       = fmax(size[kind], fabs(wanted));
      }
    MotionStep(one, 1);
    MotionStep(other, 1);
  }
  for (PetscInt kind = 0; kind < 3; kind++) {
    assert_true(size[kind] > 0.0);
    worst = fmax(worst, difference[kind] / size[kind]);
  }
  return worst;
}

static Load HalfSine(LoadPlace place, PetscReal amplitude)
{
  return (Load){.place = place, .mode = 1, .amplitude = amplitude, .signal = {.kind = SIGNAL_HALF_SINE, .duration = 2.0}};
}

/* A mass m on a spring k with an Iwan element to the ground is its own modal model, in q = sqrt(m) u: K_inf = k/m, K_T = k_T/m,
   F_S = f_s/sqrt(m). */
static void an_oscillator_is_its_own_modal_model(void **state)
{
  const PetscReal m = 2.5, k = 3.0, slip_force = 0.7, tangent = 1.2, chi = -0.4, beta = 1.5, zeta = 3e-3, start = 0.3, speed = -0.2;
  const PetscReal of_law[] = {slip_force, tangent, chi, beta, 0.0};
  const PetscInt  first    = 1;
  const ModalIwan model    = {k / m, zeta, slip_force / sqrt(m), tangent / m, chi, beta};
  const PetscReal pushes[] = {0.05, 1.0, 20.0}; /* microslip, both, macroslip */

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const InitialMotion initial = {&start, &speed};
    const Load          load    = HalfSine(LOAD_ON_POINT, pushes[i]);
    System             *system  = SystemNew(1);
    Motion              truth, modal;

    assert_ok(SystemAddMass(system, 0, 0, m));
    AddSpring(system, GROUND, 0, k);
    AddJoint(system, JointLawFind("iwan4"), of_law, GROUND, 0);
    assert_ok(SystemSetDamping(system, 1, &zeta, 0.0, 0.0));
    assert_ok(SystemSetUp(system));
    truth = MotionBegin(system, AverageAcceleration(step), 1, &load, initial);
    modal = ModelBegin(&truth.cache, 1, &first, &model, 1, &load, initial);
    assert_near(Difference(&truth, &modal, STEPS), 0, 1e-13);
    assert_near(modal.state->dissipated[0], truth.state->dissipated[0], 1e-10 * truth.state->dissipated[0]);
    assert_true(truth.state->dissipated[0] > 0.0);
    assert_near(MotionImbalance(&modal), 0.0, 1e-12 * (modal.state->start_energy + fabs(modal.state->work)));
    MotionEnd(&modal);
    MotionEnd(&truth);
  }
}

/* Masses in a row that nothing holds, which makes mode 1 rigid. */
static System *FreeChain(void)
{
  static const PetscReal mass[N] = {1.0, 2.0, 0.5, 1.5, 1.0}, gravity[3] = {0.0, 0.0, 0.0};
  System                *system = SystemNew(N);
  PetscInt               pattern;

  for (PetscInt i = 0; i < N; i++) {
    assert_ok(SystemAddMass(system, i, i, mass[i]));
    assert_ok(SystemAddBase(system, 0, i, mass[i]));
    assert_ok(SystemAddBaseMass(system, 0, mass[i]));
    if (i) AddSpring(system, i - 1, i, 10.0 + 3.0 * i);
  }
  assert_ok(SystemAddPattern(system, "wind", gravity, &pattern));
  for (PetscInt i = 0; i < N; i++) assert_ok(SystemAddForce(system, pattern, i, 1.0 - 0.3 * i));
  return system;
}

/* Without elements the model is the superposition of all modes, which the linear truth is: under every kind of load. */
static void without_elements_it_is_the_superposition_of_modes(void **state)
{
  const PetscReal ratios[] = {0.0, 0.01, 0.02}, start[N] = {0.1, 0.0, -0.2, 0.0, 0.3}, speed[N] = {0.0, 1.0, 0.0, -1.0, 0.5};
  const Load      loads[NUM_LOADS] = {HalfSine(LOAD_ON_POINT, 3.0), HalfSine(LOAD_ON_SHAPE, 2.0), HalfSine(LOAD_ON_BASE, -1.5),
                                      HalfSine(LOAD_ON_PATTERN, 0.7)};

  (void)state;
  for (PetscInt i = 0; i <= NUM_LOADS; i++) {
    const InitialMotion initial   = {i == NUM_LOADS ? start : NULL, i == NUM_LOADS ? speed : NULL};
    const PetscInt      num_loads = i < NUM_LOADS;
    System             *system    = FreeChain();
    Load                load      = loads[i % NUM_LOADS];
    Motion              truth, modal;

    load.motion = 2;
    load.mode   = 3;
    assert_ok(SystemSetDamping(system, 3, ratios, 1e-3, 2e-4));
    assert_ok(SystemSetUp(system));
    truth = MotionBegin(system, AverageAcceleration(step), num_loads, &load, initial);
    modal = ModelBegin(&truth.cache, 0, NULL, NULL, num_loads, &load, initial);
    assert_int_equal(modal.cache.modes[JOINT_STUCK]->num_rigid, 1);
    for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) assert_near(modal.system->base_mass[d], system->base_mass[d], 0.0);
    assert_string_equal(modal.system->names.patterns[0], "wind");
    assert_near(Difference(&truth, &modal, STEPS), 0, 1e-13);
    MotionEnd(&modal);
    MotionEnd(&truth);
  }
}

/* Dampers in proportion to the masses damp each mode on its own, the rigid one too. */
static void dampers_that_do_not_couple_modes_are_kept(void **state)
{
  static const PetscReal mass[N] = {1.0, 2.0, 0.5, 1.5, 1.0};
  const Load             load    = HalfSine(LOAD_ON_POINT, 3.0);
  System                *system  = FreeChain();
  Motion                 truth, modal;

  (void)state;
  for (PetscInt i = 0; i < N; i++) assert_ok(SystemAddDamping(system, i, i, 0.05 * mass[i]));
  assert_ok(SystemSetUp(system));
  truth = MotionBegin(system, AverageAcceleration(step), 1, &load, (InitialMotion){NULL, NULL});
  modal = ModelBegin(&truth.cache, 0, NULL, NULL, 1, &load, (InitialMotion){NULL, NULL});
  assert_near(Difference(&truth, &modal, STEPS), 0, 3e-11); /* nothing holds the chain: round-off adds up over the steps */
  MotionEnd(&modal);
  MotionEnd(&truth);
}

/* q'' + 2 zeta_0 omega_0 q' + K_inf q + f(q) = p, each mode on its own: others do not move when one is pushed, and those that have an
   element obey eq. 7 whatever the truth's frequencies are. */
static void modes_do_not_couple_and_keep_their_numbers(void **state)
{
  const PetscInt  modes[]  = {4, 2};
  const ModalIwan model[]  = {{0.5, 1e-2, 0.3, 2.0, -0.3, 1.0}, {400.0, 2e-3, 0.5, 30.0, -0.6, 4.0}}; /* mode 4 is softer than mode 2 */
  Load            load     = HalfSine(LOAD_ON_SHAPE, 1.0);
  ModeCache       truth    = {0};
  System         *system   = FreeChain();
  PetscBool       anything = PETSC_FALSE;

  (void)state;
  assert_ok(SystemSetUp(system));
  truth.system = system;
  for (PetscInt i = 0; i < 2; i++) {
    const PetscInt k = modes[i] - 1;
    Motion         modal;

    load.mode = modes[i];
    modal     = ModelBegin(&truth, 2, modes, model, 1, &load, (InitialMotion){NULL, NULL});
    assert_near(modal.cache.modes[JOINT_STUCK]->eigenvalue[k], model[i].stiffness + model[i].tangent, 0.0);
    assert_near(modal.cache.modes[JOINT_SLIPPING]->eigenvalue[k], model[i].stiffness, 0.0);
    assert_string_equal(modal.system->names.rows[i].joint, i ? "mode2" : "mode4");
    assert_string_equal(NamesRowDirection(&modal.system->names, i), "q");
    for (PetscInt s = 0; s < STEPS; s++) {
      const State *const now = modal.state;
      PetscReal          time, p, damping;

      MotionStep(&modal, 1);
      time    = now->time;
      p       = SignalValue(&load.signal, time);
      damping = 2.0 * model[i].damping * sqrt(model[i].stiffness + model[i].tangent);
      assert_near(now->a[k] + damping * now->v[k] + model[i].stiffness * now->u[k] + StepperJointForce(modal.stepper, now, i), p, 1e-9);
      anything = (PetscBool)(anything || fabs(now->u[k]) > 1e-3);
      for (PetscInt other = 0; other < N; other++)
        if (other != k) assert_near(now->u[other], 0.0, 0.0);
    }
    assert_true(modal.state->dissipated[i] > 0.0);
    MotionEnd(&modal);
  }
  assert_true(anything);
  assert_ok(ModeCacheDestroy(&truth));
  assert_ok(SystemDestroy(&system));
}

/* What is known before anything is computed are the names and numbers of what comes. */
static void its_names_are_known_before_it_is(void **state)
{
  const PetscInt  modes[] = {3, 5};
  const ModalIwan model[] = {{9.0, 0.0, 0.3, 2.0, -0.3, 1.0}, {9.0, 0.0, 0.3, 2.0, -0.3, 1.0}}; /* one block of two points */
  System         *system  = FreeChain();
  ModeCache       truth   = {.system = system};
  Names           names;
  const Names    *built;
  Motion          modal;

  (void)state;
  assert_ok(SystemSetUp(system));
  assert_ok(ModalModelNames(&system->names, 2, modes, &names));
  modal = ModelBegin(&truth, 2, modes, model, 0, NULL, (InitialMotion){NULL, NULL});
  built = &modal.system->names;
  assert_int_equal(names.num_unknowns, built->num_unknowns);
  assert_int_equal(names.num_modes, built->num_modes);
  assert_int_equal(names.num_points, built->num_points);
  assert_int_equal(names.num_motions, built->num_motions);
  assert_int_equal(names.num_rows, built->num_rows);
  assert_int_equal(names.num_nonlinear, built->num_nonlinear);
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) assert_int_equal(names.base[d], built->base[d]);
  for (PetscInt r = 0; r < names.num_rows; r++) assert_string_equal(names.rows[r].joint, built->rows[r].joint);
  for (PetscInt p = 0; p < names.num_points; p++) {
    assert_string_equal(names.points[p].name, system->names.points[p].name);
    assert_string_equal(built->points[p].name, system->names.points[p].name);
    assert_int_equal(built->points[p].first_motion, system->names.points[p].first_motion);
  }
  MotionEnd(&modal);
  assert_ok(NamesDestroy(&names));
  assert_ok(ModeCacheDestroy(&truth));
  assert_ok(SystemDestroy(&system));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(an_oscillator_is_its_own_modal_model),      cmocka_unit_test(without_elements_it_is_the_superposition_of_modes),
  cmocka_unit_test(dampers_that_do_not_couple_modes_are_kept), cmocka_unit_test(modes_do_not_couple_and_keep_their_numbers),
  cmocka_unit_test(its_names_are_known_before_it_is),
};

CHECK_MAIN_WITH_SLEPC(tests)
