/* test_jenkins_oscillator.c - a mass on a spring with a Jenkins joint against its exact motion, which is put together from closed forms
   between the instants at which the joint sticks and slips. */
#include "motion.h"

/* m u'' + c u' + k u + f = p sin(pi t / T) for t < T, f the force of a joint of stiffness k_j and slip force F to the ground. */
typedef struct {
  PetscReal mass, damping, spring, joint, slip_force;
  PetscReal load, duration;
  PetscReal displacement, velocity; /* at the start */
} Oscillator;

typedef enum { STICKS, SLIPS_UP, SLIPS_DOWN } Phase;

/* Where the exact motion is. */
typedef struct {
  PetscReal time, u, v, slider;
  Phase     phase;
  PetscInt  num_events;
} Exact;

typedef struct {
  PetscReal u, v;
} Point;

/* x'' + 2 a x' + w^2 x = force + P sin(W t + phase), x and v at t = 0. */
static Point ClosedForm(PetscReal a, PetscReal w2, PetscReal force, PetscReal P, PetscReal W, PetscReal phase, Point start, PetscReal t)
{
  const PetscReal wd = sqrt(w2 - a * a), stiff = w2 - W * W, loss = 2.0 * a * W, size = P / (stiff * stiff + loss * loss);
  const PetscReal rest = force / w2, sine = size * stiff, cosine = -size * loss;
  const PetscReal A = start.u - rest - sine * sin(phase) - cosine * cos(phase);
  const PetscReal B = (start.v - W * (sine * cos(phase) - cosine * sin(phase)) + a * A) / wd;
  const PetscReal e = exp(-a * t), c = cos(wd * t), s = sin(wd * t), angle = W * t + phase;

  return (Point){e * (A * c + B * s) + rest + sine * sin(angle) + cosine * cos(angle),
                 e * ((B * wd - a * A) * c - (A * wd + a * B) * s) + W * (sine * cos(angle) - cosine * sin(angle))};
}

/* The motion a time t later, if nothing happens meanwhile. */
static Point After(const Oscillator *o, const Exact *now, PetscReal t)
{
  const PetscReal m = o->mass, W = o->duration > 0.0 ? PETSC_PI / o->duration : 1.0, P = now->time < o->duration ? o->load : 0.0;
  const PetscReal stiffness = o->spring + (now->phase == STICKS ? o->joint : 0.0);
  const PetscReal force     = now->phase == STICKS ? o->joint * now->slider : now->phase == SLIPS_UP ? -o->slip_force : o->slip_force;

  return ClosedForm(0.5 * o->damping / m, stiffness / m, force / m, P / m, W, W * now->time, (Point){now->u, now->v}, t);
}

/* Positive once the phase is over: the slider would carry more than it can, or the slip would turn round. */
static PetscReal Overdue(const Oscillator *o, const Exact *now, PetscReal t)
{
  const Point point = After(o, now, t);

  if (now->phase == SLIPS_UP) return -point.v;
  if (now->phase == SLIPS_DOWN) return point.v;
  return fabs(o->joint * (point.u - now->slider)) - o->slip_force;
}

static void ChangePhase(const Oscillator *o, Exact *now)
{
  const PetscReal reach = o->slip_force / o->joint;

  now->num_events++;
  if (now->phase == STICKS) now->phase = now->u > now->slider ? SLIPS_UP : SLIPS_DOWN;
  else {
    now->slider = now->u - (now->phase == SLIPS_UP ? reach : -reach);
    now->phase  = STICKS;
  }
}

static void Go(const Oscillator *o, Exact *now, PetscReal t)
{
  const Point point = After(o, now, t);

  now->time += t;
  now->u = point.u;
  now->v = point.v;
}

/* To the end of the phase, or to a time before that; looks every `glance` for the end, then bisects. */
static PetscBool GoToEvent(const Oscillator *o, Exact *now, PetscReal t)
{
  const PetscReal glance = 2e-3;
  PetscReal       before = 0.0, after;

  for (PetscReal look = fmin(glance, t); Overdue(o, now, look) <= 0.0; look = fmin(look + glance, t)) {
    before = look;
    if (look < t) continue;
    Go(o, now, t);
    return PETSC_FALSE;
  }
  after = fmin(before + glance, t);
  while (after - before > 1e-15 * fmax(1.0, after)) {
    const PetscReal middle = 0.5 * (before + after);

    if (middle == before || middle == after) break;
    if (Overdue(o, now, middle) > 0.0) after = middle;
    else before = middle;
  }
  Go(o, now, after);
  ChangePhase(o, now);
  return PETSC_TRUE;
}

/* The load's end is an event as well. */
static void ExactAdvance(const Oscillator *o, Exact *now, PetscReal time)
{
  while (now->time < time) {
    const PetscReal stop = now->time < o->duration && o->duration < time ? o->duration : time;

    if (GoToEvent(o, now, stop - now->time)) continue;
    now->time = stop;
  }
}

/* A first motion beyond the joint's reach has dragged the slider along. */
static Exact ExactBegin(const Oscillator *o)
{
  const PetscReal reach = o->slip_force / o->joint;

  return (Exact){.u = o->displacement, .v = o->velocity, .slider = o->displacement - fmin(fmax(o->displacement, -reach), reach)};
}

static Motion OscillatorBegin(const Oscillator *o, Load *load, StepperOptions options)
{
  const PetscReal parameters[] = {o->joint, o->slip_force};
  System         *system       = SystemNew(1);

  *load = (Load){.place = LOAD_ON_POINT, .amplitude = o->load, .signal = {.kind = SIGNAL_HALF_SINE, .duration = o->duration}};
  assert_ok(SystemAddMass(system, 0, 0, o->mass));
  AddSpring(system, GROUND, 0, o->spring);
  AddDamper(system, GROUND, 0, o->damping);
  AddJoint(system, JointLawFind("jenkins"), parameters, GROUND, 0);
  assert_ok(SystemSetUp(system));
  return MotionBegin(system, options, o->load != 0.0 ? 1 : 0, load, (InitialMotion){&o->displacement, &o->velocity});
}

/* Largest error of u until `end`; num_events tells how often the joint stuck or slipped. */
static PetscReal MaxError(const Oscillator *o, StepperOptions options, PetscReal end, PetscInt *num_events)
{
  Load           load;
  Motion         motion = OscillatorBegin(o, &load, options);
  Exact          exact  = ExactBegin(o);
  const PetscInt steps  = (PetscInt)lround(end / options.time_step);
  PetscReal      worst  = 0.0;

  for (PetscInt i = 0; i < steps; i++) {
    MotionStep(&motion, 1);
    ExactAdvance(o, &exact, motion.state->time);
    worst = fmax(worst, fabs(MotionAt(&motion, motion.state->u, 0) - exact.u));
  }
  *num_events = exact.num_events;
  MotionEnd(&motion);
  return worst;
}

/* error / h^2 stays within a quarter of itself while the step shrinks 256 times: second order in spite of the kinks, whose places
   within a step make it scatter. */
static void CheckSecondOrder(const Oscillator *o, PetscInt least_events, PetscReal finest_error)
{
  const PetscReal coarsest = 0.08, end = 25.6;
  PetscReal       least = PETSC_INFINITY, most = 0.0, error = 0.0, first = 0.0;
  PetscInt        num_events;

  for (PetscInt i = 0; i <= 8; i++) {
    const PetscReal h = ldexp(coarsest, -(int)i);

    error = MaxError(o, AverageAcceleration(h), end, &num_events);
    if (i == 0) first = error;
    least = fmin(least, error / (h * h));
    most  = fmax(most, error / (h * h));
  }
  assert_true(num_events >= least_events);
  assert_true(most < 1.25 * least);
  assert_between(Order(first, error, 256.0), 1.95, 2.05);
  assert_near(error, 0, finest_error);
}

static void free_decay_with_slip_converges_to_the_exact_motion(void **state)
{
  const Oscillator decay = {.mass = 1.5, .damping = 0.05, .spring = 2.0, .joint = 5.0, .slip_force = 1.0, .displacement = 6.0, .velocity = -1.0};

  (void)state;
  CheckSecondOrder(&decay, 10, 2e-6);
}

static void motion_under_a_half_sine_converges_to_the_exact_motion(void **state)
{
  const Oscillator hit = {.mass = 1.5, .damping = 0.05, .spring = 2.0, .joint = 5.0, .slip_force = 1.0, .load = 12.0, .duration = 1.28};

  (void)state;
  CheckSecondOrder(&hit, 10, 2e-6);
}

/* The force is taken from the slider as it was at the start of a step: right along smooth pieces, first order or better where a step begins
   to slip or to stick [errata of voldrich2009]. */
static void runge_kutta_converges_to_the_exact_motion(void **state)
{
  const Oscillator hit = {.mass = 1.5, .damping = 0.05, .spring = 2.0, .joint = 5.0, .slip_force = 1.0, .load = 12.0, .duration = 1.28};
  PetscInt         num_events;
  const PetscReal  coarse = MaxError(&hit, RungeKutta(0.08), 25.6, &num_events), fine = MaxError(&hit, RungeKutta(0.08 / 256.0), 25.6, &num_events);

  (void)state;
  assert_true(num_events >= 10);
  assert_between(Order(coarse, fine, 256.0), 1.0, 2.5);
  assert_near(fine, 0, 1e-5);
}

/* It comes to rest where spring and joint hold each other: k u + k_j (u - slider) = 0, with the slider of the exact motion. */
static void it_comes_to_rest_where_the_slider_was_left(void **state)
{
  const Oscillator hits[] = {
    {.mass = 1.5, .damping = 0.5, .spring = 2.0, .joint = 5.0, .slip_force = 1.0, .load = 12.0, .duration = 1.28},
    {.mass = 1.5, .damping = 0.5, .spring = 0.5, .joint = 9.0, .slip_force = 2.0, .load = -30.0, .duration = 0.64},
    {.mass = 1.5, .damping = 0.5, .spring = 2.0, .joint = 5.0, .slip_force = 1.0, .displacement = 3.0},
  };
  const PetscReal h = 2e-3, end = 200.0;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) {
    const Oscillator *o     = &hits[i];
    Exact             exact = ExactBegin(o);
    Load              load;
    Motion            motion = OscillatorBegin(o, &load, AverageAcceleration(h));
    PetscReal         rest;

    ExactAdvance(o, &exact, end);
    assert_int_equal(exact.phase, STICKS);
    rest = o->joint * exact.slider / (o->spring + o->joint);
    assert_near(exact.u, rest, 1e-12);
    MotionStep(&motion, (PetscInt)lround(end / h));
    assert_near(MotionAt(&motion, motion.state->v, 0), 0.0, 1e-12);
    assert_true(fabs(rest) > 1e-2);
    assert_near(MotionAt(&motion, motion.state->u, 0), rest, 10.0 * h * h);
    MotionEnd(&motion);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(free_decay_with_slip_converges_to_the_exact_motion),
  cmocka_unit_test(motion_under_a_half_sine_converges_to_the_exact_motion),
  cmocka_unit_test(runge_kutta_converges_to_the_exact_motion),
  cmocka_unit_test(it_comes_to_rest_where_the_slider_was_left),
};

CHECK_MAIN_WITH_SLEPC(tests)
