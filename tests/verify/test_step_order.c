/* test_step_order.c - the rules of time against exact motions: Duffing's oscillator, damped and forced linear ones, their own discrete solutions. */
#include "motion.h"

enum { NUM_STEP_SIZES = 4 };

typedef PetscReal (*ExactMotion)(const void *of, PetscReal time);
typedef System *(*Build)(const void *of);

/* A motion with a known solution. */
typedef struct {
  const void *of;
  Build       build;
  ExactMotion exact;
  PetscReal   displacement, velocity; /* at the start */
  PetscReal   time_step, end;         /* the coarsest, [s] */
  PetscInt    num_loads;
  const Load *loads;
} Problem;

static PetscReal MaxError(const Problem *problem, StepperOptions options)
{
  const PetscInt steps  = (PetscInt)lround(problem->end / options.time_step);
  Motion         motion = MotionBegin(problem->build(problem->of), options, problem->num_loads, problem->loads,
                                      (InitialMotion){&problem->displacement, &problem->velocity});
  PetscReal      worst  = 0.0;

  for (PetscInt i = 0; i < steps; i++) {
    MotionStep(&motion, 1);
    worst = fmax(worst, fabs(MotionAt(&motion, motion.state->u, 0) - problem->exact(problem->of, motion.state->time)));
  }
  MotionEnd(&motion);
  return worst;
}

/* The order that each halving of the step shows lies between the bounds; the error at the smallest step. */
static PetscReal CheckOrder(const Problem *problem, StepperOptions options, PetscReal least, PetscReal most)
{
  PetscReal coarse = 0.0, fine = 0.0;

  for (PetscInt i = 0; i < NUM_STEP_SIZES; i++) {
    options.time_step = ldexp(problem->time_step, -(int)i);
    fine              = MaxError(problem, options);
    if (i > 0) assert_between(Order(coarse, fine, 2.0), least, most);
    coarse = fine;
  }
  return fine;
}

/* m u'' + k u + c u^3 = 0 from rest at A. */
typedef struct {
  PetscReal mass, spring, joint, cubic, amplitude; /* k = spring + joint: of the linear part, of the law */
} Duffing;

/* cn(x | m), 0 <= m < 1, by the descending arithmetic-geometric mean [Abramowitz and Stegun 1964, 16.4]. */
static PetscReal JacobiCn(PetscReal x, PetscReal m)
{
  PetscReal a[32] = {1.0}, c[32] = {sqrt(m)}, b = sqrt(1.0 - m), phi;
  PetscInt  n = 0;

  while (fabs(c[n]) > 1e-17 && n < 31) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b        = sqrt(a[n] * b);
    n++;
  }
  phi = ldexp(a[n] * x, (int)n);
  for (; n > 0; n--) phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
  return cos(phi);
}

/* cn(x | -m) = cn/dn (x sqrt(1 + m) | m / (1 + m)) [Abramowitz and Stegun 1964, 16.10]. */
static PetscReal JacobiCnNegative(PetscReal x, PetscReal m)
{
  const PetscReal inner = m / (1.0 + m), cn = JacobiCn(x * sqrt(1.0 + m), inner);

  return cn / sqrt(1.0 - inner * (1.0 - cn * cn));
}

/* u = A cn(W t | m), W^2 = (k + c A^2) / mass, m = c A^2 / (2 (k + c A^2)). */
static PetscReal DuffingMotion(const void *of, PetscReal time)
{
  const Duffing  *d      = of;
  const PetscReal square = d->cubic * d->amplitude * d->amplitude, total = d->spring + d->joint + square;

  const PetscReal m = square / (2.0 * total), angle = sqrt(total / d->mass) * time;

  return d->amplitude * (m < 0.0 ? JacobiCnNegative(angle, -m) : JacobiCn(angle, m));
}

static System *DuffingBuild(const void *of)
{
  const Duffing  *d            = of;
  const PetscReal parameters[] = {d->joint, d->cubic};
  System         *system       = SystemNew(1);

  assert_ok(SystemAddMass(system, 0, 0, d->mass));
  AddSpring(system, GROUND, 0, d->spring);
  AddJoint(system, JointLawFind("cubic"), parameters, GROUND, 0);
  assert_ok(SystemSetUp(system));
  return system;
}

static Problem DuffingProblem(const Duffing *duffing)
{
  return (Problem){.of = duffing, .build = DuffingBuild, .exact = DuffingMotion, .displacement = duffing->amplitude, .time_step = 0.02, .end = 12.0};
}

static const Duffing hardening    = {.mass = 2.0, .spring = 1.5, .joint = 0.5, .cubic = 3.0, .amplitude = 1.2};
static const Duffing purely_cubic = {.mass = 1.0, .cubic = 1.0, .amplitude = 1.0};
static const Duffing softening    = {.mass = 1.0, .spring = 2.0, .joint = 1.0, .cubic = -1.0, .amplitude = 0.9};

/* cn(K(m)/2 | m) = (1 - m)^(1/4) / sqrt(1 + sqrt(1 - m)) and cn(2 K | m) = -1 [Abramowitz and Stegun 1964, 16.5, 16.8];
   K(1/2) = Gamma(1/4)^2 / (4 sqrt(pi)). */
static void the_elliptic_cosine_has_its_known_values(void **state)
{
  const PetscReal gamma = tgamma(0.25), K = gamma * gamma / (4.0 * sqrt(PETSC_PI));

  (void)state;
  assert_close(JacobiCn(0.5 * K, 0.5), pow(0.5, 0.25) / sqrt(1.0 + sqrt(0.5)), 4e-15);
  assert_close(JacobiCn(2.0 * K, 0.5), -1.0, 4e-15);
  assert_close(JacobiCn(0.7, 0.0), cos(0.7), 4e-15);
  assert_near(JacobiCnNegative(K / sqrt(2.0), 1.0), 0.0, 1e-15); /* the lemniscate cosine at its quarter period */
}

static void average_acceleration_is_of_second_order_on_duffing_oscillators(void **state)
{
  const Duffing *const oscillators[] = {&hardening, &purely_cubic, &softening};

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const Problem problem = DuffingProblem(oscillators[i]);

    assert_near(CheckOrder(&problem, AverageAcceleration(0.0), 1.9, 2.1), 0, 5e-4);
  }
}

static void hht_is_of_second_order_on_a_duffing_oscillator(void **state)
{
  const Problem problem = DuffingProblem(&hardening);

  (void)state;
  CheckOrder(&problem, HilberHughesTaylor(-0.05, 0.0), 1.9, 2.1);
  CheckOrder(&problem, HilberHughesTaylor(-0.3, 0.0), 1.9, 2.1);
}

static void runge_kutta_is_of_fourth_order_on_duffing_oscillators(void **state)
{
  const Duffing *const oscillators[] = {&hardening, &purely_cubic, &softening};

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    Problem problem = DuffingProblem(oscillators[i]);

    problem.time_step = 0.03;
    assert_near(CheckOrder(&problem, RungeKutta(0.0), 3.8, 4.2), 0, 5e-7);
  }
}

static void gamma_above_one_half_is_of_first_order(void **state)
{
  const Problem problem = DuffingProblem(&hardening);

  (void)state;
  CheckOrder(&problem, OptionsOf((NewmarkRule){.beta = 0.3025, .gamma = 0.6}, 0.0), 0.9, 1.1);
}

/* u'' + 2 zeta omega u' + omega^2 u = p(t) / m from rest, with p a sine for all time or for half its period. */
typedef struct {
  PetscReal mass, omega, zeta, force, frequency; /* of the force [rad/s] */
  PetscBool half;
} Forced;

/* Closed form of x'' + 2 zeta omega x' + omega^2 x = P sin(W t) from x, v at t = 0. */
static void ForcedMotion(const Forced *f, PetscReal P, PetscReal time, PetscReal *x, PetscReal *v)
{
  const PetscReal w = f->omega, decay = f->zeta * w, wd = w * sqrt(1.0 - f->zeta * f->zeta), W = f->frequency;
  const PetscReal stiff = w * w - W * W, loss = 2.0 * decay * W, size = P / (stiff * stiff + loss * loss);
  const PetscReal sine = size * stiff, cosine = -size * loss; /* of the steady motion */
  const PetscReal A = *x - cosine, B = (*v - sine * W + decay * A) / wd, e = exp(-decay * time);
  const PetscReal c = cos(wd * time), s = sin(wd * time);

  *x = e * (A * c + B * s) + sine * sin(W * time) + cosine * cos(W * time);
  *v = e * ((B * wd - decay * A) * c - (A * wd + decay * B) * s) + W * (sine * cos(W * time) - cosine * sin(W * time));
}

static PetscReal ForcedExact(const void *of, PetscReal time)
{
  const Forced   *f   = of;
  const PetscReal end = f->half ? PETSC_PI / f->frequency : PETSC_INFINITY;
  PetscReal       x = 0.0, v = 0.0;

  ForcedMotion(f, f->force / f->mass, fmin(time, end), &x, &v);
  if (time > end) ForcedMotion(f, 0.0, time - end, &x, &v);
  return x;
}

static System *ForcedBuild(const void *of)
{
  const Forced *f      = of;
  System       *system = SystemNew(1);

  assert_ok(SystemAddMass(system, 0, 0, f->mass));
  AddSpring(system, GROUND, 0, f->mass * f->omega * f->omega);
  assert_ok(SystemSetDamping(system, 1, &f->zeta, 0.0, 0.0));
  assert_ok(SystemSetUp(system));
  return system;
}

/* The half sine ends at 2 s, with a step. */
static const Forced harmonic  = {.mass = 3.0, .omega = 2.5, .zeta = 0.05, .force = 4.0, .frequency = 1.7};
static const Forced half_sine = {.mass = 3.0, .omega = 2.5, .zeta = 0.05, .force = 4.0, .frequency = 0.5 * PETSC_PI, .half = PETSC_TRUE};

static Load ForcedLoad(const Forced *f)
{
  return (Load){
    .place     = LOAD_ON_POINT,
    .amplitude = f->force,
    .signal    = {.kind      = f->half ? SIGNAL_HALF_SINE : SIGNAL_HARMONIC,
                  .frequency = f->frequency / (2.0 * PETSC_PI),
                  .duration  = f->half ? PETSC_PI / f->frequency : 0.0},
  };
}

static void CheckForced(const Forced *forced, StepperOptions options, PetscReal order, PetscReal finest_error)
{
  const Load    load    = ForcedLoad(forced);
  const Problem problem = {.of = forced, .build = ForcedBuild, .exact = ForcedExact, .time_step = 0.04, .end = 20.0, .num_loads = 1, .loads = &load};

  assert_near(CheckOrder(&problem, options, order - 0.1, order + 0.1), 0, finest_error);
}

static void damped_motion_under_a_harmonic_load_converges_to_its_closed_form(void **state)
{
  (void)state;
  CheckForced(&harmonic, AverageAcceleration(0.0), 2.0, 2e-4);
  CheckForced(&harmonic, HilberHughesTaylor(-0.1, 0.0), 2.0, 4e-4);
  CheckForced(&harmonic, RungeKutta(0.0), 4.0, 1e-9);
}

static void damped_motion_under_a_half_sine_converges_to_its_closed_form(void **state)
{
  (void)state;
  CheckForced(&half_sine, AverageAcceleration(0.0), 2.0, 2e-4);
  CheckForced(&half_sine, HilberHughesTaylor(-0.1, 0.0), 2.0, 4e-4);
  CheckForced(&half_sine, RungeKutta(0.0), 4.0, 1e-9);
}

enum { PUSH_BEGINS = 2, PUSH_LASTS = 3 }; /* [s], with a step */

/* Of a damped mass to a constant load that begins at time 0. */
static PetscReal StepResponse(const Forced *f, PetscReal time)
{
  const PetscReal w = f->omega, decay = f->zeta * w, wd = w * sqrt(1.0 - f->zeta * f->zeta);

  if (time <= 0.0) return 0.0;
  return f->force / (f->mass * w * w) * (1.0 - exp(-decay * time) * (cos(wd * time) + decay / wd * sin(wd * time)));
}

static PetscReal PushExact(const void *of, PetscReal time)
{
  return StepResponse(of, time - PUSH_BEGINS) - StepResponse(of, time - PUSH_BEGINS - PUSH_LASTS);
}

/* A full load at the end of the step before would be half a step early, and of first order. */
static void loads_that_jump_between_steps_keep_the_second_order(void **state)
{
  const Load load = {
    .place = LOAD_ON_POINT, .amplitude = harmonic.force, .signal = {.kind = SIGNAL_STEP, .start = PUSH_BEGINS, .duration = PUSH_LASTS}};
  const Problem problem = {.of = &harmonic, .build = ForcedBuild, .exact = PushExact, .time_step = 0.04, .end = 20.0, .num_loads = 1, .loads = &load};

  (void)state;
  assert_near(CheckOrder(&problem, AverageAcceleration(0.0), 1.9, 2.1), 0, 2e-4);
  assert_near(CheckOrder(&problem, HilberHughesTaylor(-0.1, 0.0), 1.9, 2.1), 0, 4e-4);
}

/* A mass on a spring without damping. */
static Motion FreeMotion(PetscReal omega, StepperOptions options)
{
  const Forced    spring       = {.mass = 1.0, .omega = omega};
  const PetscReal displacement = 1.0, velocity = 0.0;

  return MotionBegin(ForcedBuild(&spring), options, 0, NULL, (InitialMotion){&displacement, &velocity});
}

/* Not-a-number is no motion: the step says so, and leaves the state where it was. */
static void a_motion_that_grows_beyond_all_numbers_is_stopped(void **state)
{
  const StepperOptions unstable[] = {OptionsOf((NewmarkRule){.beta = 0.1, .gamma = 0.5}, 1.0), RungeKutta(0.03)};

  (void)state;
  for (PetscInt i = 0; i < 2; i++) {
    Motion    motion    = FreeMotion(100.0, unstable[i]);
    PetscBool converged = PETSC_TRUE;

    while (converged && motion.state->step < 100000) assert_ok(StepperStep(motion.stepper, motion.state, &converged));
    assert_false(converged);
    assert_true(motion.stepper->unbounded);
    assert_true(motion.state->step > 10 && motion.state->step < 100000);
    assert_close(motion.state->time, (PetscReal)motion.state->step * unstable[i].time_step, 1e-12);
    assert_true(isfinite(motion.state->u[0]) && isfinite(motion.state->v[0]) && isfinite(motion.state->work));
    assert_int_equal(motion.state->halved, 0);
    MotionEnd(&motion);
  }
}

/* With gamma = 1/2 the rule is reversible and its solution is cos(n theta), cos(theta) = 1 - x/2 / (1 + beta x), x = (omega h)^2 */
static void free_motion_is_the_discrete_cosine_of_each_rule(void **state)
{
  const PetscReal betas[] = {0.25, 1.0 / 6.0, 1.0 / 12.0, 0.5}, products[] = {0.01, 0.5, 2.0, 100.0};

  (void)state;
  for (PetscInt b = 0; b < 4; b++)
    for (PetscInt p = 0; p < 4; p++) {
      const PetscReal beta = betas[b], x = products[p] * products[p], sine = 0.5 * sqrt(x / (1.0 + beta * x)); /* of theta / 2 */
      Motion          motion;

      if (sine > 1.0) continue; /* not stable */
      motion = FreeMotion(products[p], OptionsOf((NewmarkRule){.beta = beta, .gamma = 0.5}, 1.0));
      for (PetscInt i = 1; i <= 200; i++) {
        MotionStep(&motion, 1);
        assert_near(motion.state->u[0], cos(2.0 * asin(sine) * (PetscReal)i), 2e-11);
      }
      MotionEnd(&motion);
    }
}

/* u - i v / omega is multiplied in each step by what is left of exp(i x) after its fourth power, x = omega h; stable up to x = 8^(1/2). */
static void free_motion_of_runge_kutta_is_the_power_of_its_polynomial(void **state)
{
  const PetscReal products[] = {0.01, 0.5, 2.0, 2.828};

  (void)state;
  for (PetscInt p = 0; p < 4; p++) {
    const PetscReal x = products[p], along = 1.0 - x * x / 2.0 + pow(x, 4.0) / 24.0, across = x - pow(x, 3.0) / 6.0;
    PetscReal       cosine = 1.0, sine = 0.0;
    Motion          motion = FreeMotion(x, RungeKutta(1.0));

    for (PetscInt i = 1; i <= 200; i++) {
      const PetscReal before = cosine;

      MotionStep(&motion, 1);
      cosine = along * cosine - across * sine;
      sine   = along * sine + across * before;
      assert_near(motion.state->u[0], cosine, 1e-12);
      assert_near(motion.state->v[0], -x * sine, 1e-12);
    }
    assert_true(hypot(along, across) < 1.0);
    MotionEnd(&motion);
  }
}

/* Of the energies, which are integrated along. */
static void energies_of_runge_kutta_balance_to_its_order(void **state)
{
  const PetscReal joint[] = {2.0, 3.0}, damper[] = {0.3}, start = 0.5;
  const Load      load = {.place = LOAD_ON_POINT, .amplitude = 4.0, .signal = {.kind = SIGNAL_HARMONIC, .frequency = 0.3}};
  PetscReal       error[3];

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    System *system = SystemNew(1);
    Motion  motion;

    assert_ok(SystemAddMass(system, 0, 0, 1.0));
    AddJoint(system, JointLawFind("cubic"), joint, GROUND, 0);
    AddJoint(system, JointLawFind("damper"), damper, GROUND, 0);
    assert_ok(SystemSetUp(system));
    motion = MotionBegin(system, RungeKutta(ldexp(0.02, -(int)i)), 1, &load, (InitialMotion){&start, NULL});
    MotionStep(&motion, 500 << i);
    error[i] = fabs(MotionImbalance(&motion));
    assert_close(motion.state->damper_loss[0], motion.state->damped, 1e-12);
    assert_true(motion.state->damped > 1.0 && motion.state->work > 1.0);
    MotionEnd(&motion);
  }
  assert_between(Order(error[0], error[1], 2.0), 3.8, 4.4);
  assert_between(Order(error[1], error[2], 2.0), 3.8, 4.4);
  assert_near(error[2], 0, 1e-7);
}

/* The error of the period is (beta - 1/12) (omega h)^2 / 2 + O(h^4): expand the theta above. */
static void beta_of_one_twelfth_is_of_fourth_order_on_free_linear_motion(void **state)
{
  const Duffing linear  = {.mass = 1.0, .spring = 1.7, .amplitude = 1.0};
  Problem       problem = DuffingProblem(&linear);

  (void)state;
  problem.time_step = 0.2;
  CheckOrder(&problem, OptionsOf((NewmarkRule){.beta = 1.0 / 12.0, .gamma = 0.5}, 0.0), 3.9, 4.1);
}

/* An independent textbook step of a unit mass [Hilber, Hughes, Taylor 1977]; the load is already weighted. */
static void HhtStep(NewmarkRule rule, PetscReal h, PetscReal c, PetscReal k, PetscReal load, PetscReal motion[3])
{
  const PetscReal u = motion[0], v = motion[1], a = motion[2], theta = 1.0 + rule.alpha;
  const PetscReal u_star = u + h * v + h * h * (0.5 - rule.beta) * a, v_star = v + h * (1.0 - rule.gamma) * a;
  const PetscReal right = load - theta * (c * v_star + k * u_star) + rule.alpha * (c * v + k * u);

  motion[2] = right / (1.0 + theta * (c * rule.gamma * h + k * rule.beta * h * h));
  motion[1] = v_star + rule.gamma * h * motion[2];
  motion[0] = u_star + rule.beta * h * h * motion[2];
}

static void hht_is_the_textbook_recursion(void **state)
{
  const Load      load     = ForcedLoad(&harmonic);
  const PetscReal alphas[] = {-1.0 / 3.0, -0.1, 0.0}, h = 0.3;
  const PetscReal m = harmonic.mass, k = harmonic.omega * harmonic.omega, c = 2.0 * harmonic.zeta * harmonic.omega;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const StepperOptions options   = HilberHughesTaylor(alphas[i], h);
    Motion               motion    = MotionBegin(ForcedBuild(&harmonic), options, 1, &load, (InitialMotion){NULL, NULL});
    PetscReal            values[3] = {0.0, 0.0, 0.0}, old_load = 0.0;

    for (PetscInt step = 1; step <= 300; step++) {
      const PetscReal new_load = harmonic.force / m * sin(harmonic.frequency * h * (PetscReal)step);

      MotionStep(&motion, 1);
      HhtStep(options.rule, h, c, k, (1.0 + alphas[i]) * new_load - alphas[i] * old_load, values);
      old_load = new_load;
      assert_near(MotionAt(&motion, motion.state->u, 0), values[0], 1e-12);
      assert_near(MotionAt(&motion, motion.state->v, 0), values[1], 1e-12);
      assert_near(MotionAt(&motion, motion.state->a, 0), values[2], 1e-11);
    }
    MotionEnd(&motion);
  }
}

static PetscReal EnergyAfter(PetscReal omega, PetscReal alpha, PetscInt steps)
{
  Motion    motion = FreeMotion(omega, HilberHughesTaylor(alpha, 1.0));
  PetscReal kinetic, strain, start = motion.state->start_energy;

  MotionStep(&motion, steps);
  assert_ok(StepperEnergy(motion.stepper, motion.state, &kinetic, &strain));
  MotionEnd(&motion);
  return (kinetic + strain) / start;
}

static void without_alpha_the_energy_is_kept_at_every_frequency(void **state)
{
  (void)state;
  assert_close(EnergyAfter(0.01, 0.0, 1000), 1.0, 1e-12);
  assert_close(EnergyAfter(1.0, 0.0, 1000), 1.0, 1e-12);
  assert_close(EnergyAfter(1e4, 0.0, 1000), 1.0, 1e8 * PETSC_MACHINE_EPSILON); /* round-off of u* is (omega h)^2 times that of u */
}

/* With the frequency the spectral radius goes to (1 + alpha) / (1 - alpha) [Chung and Hulbert 1993], a double root: the energy of
   step n to n^2 radius^(2 n). At low frequencies the numerical damping ratio is of third order in omega h. */
static void alpha_damps_what_the_step_does_not_resolve_and_spares_the_rest(void **state)
{
  const PetscReal alpha = -0.1, radius = (1.0 + alpha) / (1.0 - alpha);

  (void)state;
  assert_close(EnergyAfter(1e4, alpha, 400) / EnergyAfter(1e4, alpha, 300), 16.0 / 9.0 * pow(radius, 200.0), 0.01);
  assert_true(EnergyAfter(0.01, alpha, 1000) > 1.0 - 1e-4);
  assert_true(EnergyAfter(0.01, alpha, 1000) < 1.0 - 1e-8);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(the_elliptic_cosine_has_its_known_values),
  cmocka_unit_test(average_acceleration_is_of_second_order_on_duffing_oscillators),
  cmocka_unit_test(hht_is_of_second_order_on_a_duffing_oscillator),
  cmocka_unit_test(runge_kutta_is_of_fourth_order_on_duffing_oscillators),
  cmocka_unit_test(free_motion_of_runge_kutta_is_the_power_of_its_polynomial),
  cmocka_unit_test(energies_of_runge_kutta_balance_to_its_order),
  cmocka_unit_test(gamma_above_one_half_is_of_first_order),
  cmocka_unit_test(damped_motion_under_a_harmonic_load_converges_to_its_closed_form),
  cmocka_unit_test(loads_that_jump_between_steps_keep_the_second_order),
  cmocka_unit_test(a_motion_that_grows_beyond_all_numbers_is_stopped),
  cmocka_unit_test(damped_motion_under_a_half_sine_converges_to_its_closed_form),
  cmocka_unit_test(free_motion_is_the_discrete_cosine_of_each_rule),
  cmocka_unit_test(beta_of_one_twelfth_is_of_fourth_order_on_free_linear_motion),
  cmocka_unit_test(hht_is_the_textbook_recursion),
  cmocka_unit_test(without_alpha_the_energy_is_kept_at_every_frequency),
  cmocka_unit_test(alpha_damps_what_the_step_does_not_resolve_and_spares_the_rest),
};

CHECK_MAIN_WITH_SLEPC(tests)
