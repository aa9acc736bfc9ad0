/* test_modal_iwan.c - the curves of modal Iwan models against the loops and decays of the law itself, and models found again from curves. */
#include "joint_samples.h"
#include "post/modal_iwan.h"
#include <petscdt.h>

/* Tables 3 and 5 of lacayo2017, and corners of what is allowed. */
static const ModalIwan models[] = {
  {0.1782, 1e-4, 0.4462, 1.917e-3, -0.5002, 5.7},
  {1.399, 1e-4, 2.877, 7.843e-2, -0.515, 5.614},
  {2.922, 1e-4, 3.278, 0.1196, -0.507, 4.8},
  {4.235e5, 1e-4, 1.802, 1.537e5, -0.1369, 2.561},
  {1.673e6, 1e-4, 1.518, 1.34e5, -0.162, 2},
  {7.321e6, 1e-4, 6.934, 2.822e6, -0.1008, 1.529},
  {1, 1e-3, 1, 0.1, 0, 0},
  {2, 1e-3, 3, 0.4, -0.9, 0.1},
};

enum { NUM_MODELS = sizeof models / sizeof models[0] };

static Joint open_element(const ModalIwan *model)
{
  const Sample sample = {"iwan4", {model->slip_force, model->tangent, model->chi, model->beta, 0}};

  return JointOpen(&sample, 1);
}

static void parameters_of(const ModalIwan *model, PetscReal parameters[])
{
  parameters[MODAL_IWAN_STIFFNESS]  = model->stiffness;
  parameters[MODAL_IWAN_DAMPING]    = model->damping;
  parameters[MODAL_IWAN_SLIP_FORCE] = model->slip_force;
  parameters[MODAL_IWAN_TANGENT]    = model->tangent;
  parameters[MODAL_IWAN_CHI]        = model->chi;
  parameters[MODAL_IWAN_BETA]       = model->beta;
}

enum { NUM_NODES = 40 };

/* int f cos(angle) over a stretch of the branch that leaves the amplitude; angles run with the cube of the variable, which smooths the
   power at the beginning of the branch. */
static PetscReal cosine_integral(Joint *joint, PetscReal amplitude, PetscReal from, PetscReal to)
{
  PetscReal node[NUM_NODES], weight[NUM_NODES], sum = 0;

  assert_ok(PetscDTGaussQuadrature(NUM_NODES, cbrt(from), cbrt(to), node, weight));
  for (PetscInt i = 0; i < NUM_NODES; i++) {
    const PetscReal angle = node[i] * node[i] * node[i];

    sum += weight[i] * 3 * node[i] * node[i] * JointTry(joint, amplitude * cos(angle)) * cos(angle);
  }
  return sum;
}

/* The steady loop of the law itself at this amplitude. */
typedef struct {
  PetscReal secant, harmonic, slope, loss;
} Loop;

static Loop loop_of(const ModalIwan *model, PetscReal amplitude)
{
  const PetscReal phi_max = ModalIwanSlipAmplitude(model), slip = amplitude > phi_max ? 2 * asin(sqrt(phi_max / amplitude)) : PETSC_PI;
  Joint           joint = open_element(model);
  Loop            loop;

  loop.secant   = JointMove(&joint, amplitude) / amplitude;
  loop.slope    = joint.stiffness[0];
  loop.loss     = -joint.dissipated[0];
  loop.harmonic = 2 / (PETSC_PI * amplitude) * cosine_integral(&joint, amplitude, 0, slip);
  if (slip < PETSC_PI) loop.harmonic += 2 / (PETSC_PI * amplitude) * cosine_integral(&joint, amplitude, slip, PETSC_PI);
  JointMove(&joint, -amplitude);
  JointMove(&joint, amplitude);
  loop.loss += joint.dissipated[0];
  JointClose(&joint);
  return loop;
}

static PetscReal viscous_loss(const ModalIwan *model, PetscReal omega, PetscReal amplitude)
{
  return 2 * PETSC_PI * model->damping * sqrt(model->stiffness + model->tangent) * omega * amplitude * amplitude;
}

/* From 1e-3 to 100 of phi_max, which is not among them. */
static PetscReal amplitude_number(const ModalIwan *model, PetscInt i)
{
  return ModalIwanSlipAmplitude(model) * pow(10, -3.01 + 0.1 * (PetscReal)i);
}

enum { NUM_AMPLITUDES = 50 };

static void curves_of_a_decay_are_those_of_the_laws_first_harmonic_and_loss(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    for (PetscInt i = 0; i < NUM_AMPLITUDES; i++) {
      const PetscReal amplitude = amplitude_number(&models[m], i), square = amplitude * amplitude;
      const Loop      loop     = loop_of(&models[m], amplitude);
      const PetscReal undamped = sqrt(models[m].stiffness + loop.harmonic);
      const PetscReal decay =
        (loop.loss + viscous_loss(&models[m], undamped, amplitude)) / (2 * PETSC_PI * square * (models[m].stiffness + loop.slope));
      PetscReal omega, zeta;

      ModalIwanCurve(&models[m], MODAL_IWAN_RING_DOWN, amplitude, &omega, &zeta);
      assert_close(omega, undamped / sqrt(1 + decay * decay), 1e-10);
      assert_close(zeta, decay, 1e-10);
    }
  }
}

/* Eqs 8, 9, 12 and 13: exact for the law below phi_max, and the limits beyond. */
static void printed_curves_are_those_of_the_laws_secant_and_loss_in_microslip(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    for (PetscInt i = 0; i < NUM_AMPLITUDES; i++) {
      const PetscReal amplitude = amplitude_number(&models[m], i);
      const PetscBool micro     = amplitude < ModalIwanSlipAmplitude(&models[m]) ? PETSC_TRUE : PETSC_FALSE;
      const Loop      loop      = loop_of(&models[m], amplitude);
      const PetscReal expected  = sqrt(models[m].stiffness + (micro ? loop.secant : 0));
      const PetscReal loss      = (micro ? loop.loss : 4 * models[m].slip_force * amplitude) + viscous_loss(&models[m], expected, amplitude);
      PetscReal       omega, zeta;

      ModalIwanCurve(&models[m], MODAL_IWAN_PRINTED, amplitude, &omega, &zeta);
      assert_close(omega, expected, 1e-12);
      assert_close(zeta, loss / (2 * PETSC_PI * expected * expected * amplitude * amplitude), 1e-10);
    }
  }
}

/* The free motion of a unit mass on the law, stepped by Runge and Kutta's rule of order 4. */
typedef struct {
  const ModalIwan *model;
  Joint            joint;
  PetscReal        time, step, position, velocity;
} Decay;

static PetscReal acceleration(Decay *decay, PetscReal position, PetscReal velocity)
{
  const ModalIwan *m = decay->model;

  return -m->stiffness * position - JointTry(&decay->joint, position) - 2 * m->damping * sqrt(m->stiffness + m->tangent) * velocity;
}

static void decay_step(Decay *d)
{
  const PetscReal h = d->step, x = d->position, v = d->velocity;
  const PetscReal a1 = acceleration(d, x, v), v2 = v + h / 2 * a1, a2 = acceleration(d, x + h / 2 * v, v2);
  const PetscReal v3 = v + h / 2 * a2, a3 = acceleration(d, x + h / 2 * v2, v3), v4 = v + h * a3, a4 = acceleration(d, x + h * v3, v4);

  d->position += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
  d->velocity += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  d->time += h;
  JointMove(&d->joint, d->position);
}

/* Goes on to the next extreme of the position, where the velocity, nearly straight, is zero. */
static void decay_extreme(Decay *decay, PetscReal *time, PetscReal *size)
{
  PetscReal velocity, position, part;

  do {
    velocity = decay->velocity;
    position = decay->position;
    decay_step(decay);
  } while (velocity == 0 || velocity * decay->velocity > 0);
  part  = velocity / (velocity - decay->velocity);
  *time = decay->time - decay->step * (1 - part);
  *size = fabs(position + velocity * part * decay->step / 2);
}

/* Extremes of a decay from an amplitude: three in a row have a period and a decrement between them. */
static void follow(const ModalIwan *model, PetscReal start, PetscInt num_extremes, PetscReal omega_tolerance, PetscReal zeta_tolerance)
{
  Decay     decay   = {model, open_element(model), 0, 2 * PETSC_PI / sqrt(model->stiffness + model->tangent) / 2000, start, 0};
  PetscReal time[3] = {0}, size[3] = {0};

  JointMove(&decay.joint, start);
  for (PetscInt i = 0; i < num_extremes; i++) {
    PetscReal omega, zeta, period, decrement, amplitude;

    time[0] = time[1], time[1] = time[2], size[0] = size[1], size[1] = size[2];
    decay_extreme(&decay, &time[2], &size[2]);
    if (i < 2) continue;
    period    = time[2] - time[0];
    decrement = log(size[0] / size[2]);
    amplitude = sqrt(size[1] * sqrt(size[0] * size[2]));
    if (fabs(log(amplitude / ModalIwanSlipAmplitude(model))) < decrement) continue; /* the slope jumps within the cycle */
    ModalIwanCurve(model, MODAL_IWAN_RING_DOWN, amplitude, &omega, &zeta);
    assert_close(omega, 2 * PETSC_PI / period, omega_tolerance);
    assert_close(zeta, decrement / (2 * PETSC_PI), zeta_tolerance);
  }
  JointClose(&decay.joint);
}

/* In the mean over a cycle: what is left is of second order in the damping, which is 0.8 % at most in the second model. */
static void a_decay_follows_the_curves(void **state)
{
  (void)state;
  for (PetscInt m = 1; m <= 2; m++) {
    const PetscReal phi_max = ModalIwanSlipAmplitude(&models[m]);

    follow(&models[m], 20 * phi_max, 10, 2e-6, 5e-4);
    follow(&models[m], 3 * phi_max, 60, 2e-6, 5e-4);
    follow(&models[m], phi_max, 20, 2e-6, 5e-4);
    follow(&models[m], 0.1 * phi_max, 20, 2e-6, 5e-4);
  }
}

enum { MOST_POINTS = 100 };

static PetscReal normal(uint64_t *seed)
{
  const PetscReal radius = 0.5 + 0.5 * Random(seed);

  return sqrt(-2 * log(fmax(radius, 1e-300))) * cos(PETSC_PI * Random(seed));
}

/* Points of a model at equal ratios between two amplitudes in phi_max, with relative errors that the points know of. */
static void sample(const ModalIwan *model, PetscReal from, PetscReal to, PetscInt count, PetscReal omega_error, PetscReal zeta_error, uint64_t *seed,
                   RingDownPoint points[])
{
  for (PetscInt i = 0; i < count; i++) {
    RingDownPoint *p = &points[i];

    *p = (RingDownPoint){.time      = (PetscReal)i,
                         .amplitude = ModalIwanSlipAmplitude(model) * from * pow(to / from, (PetscReal)i / (PetscReal)(count - 1)),
                         .trusted   = PETSC_TRUE};
    ModalIwanCurve(model, MODAL_IWAN_RING_DOWN, p->amplitude, &p->omega, &p->zeta);
    p->omega_error = omega_error * p->omega;
    p->zeta_error  = zeta_error * p->zeta;
    p->omega += normal(seed) * p->omega_error;
    p->zeta += normal(seed) * p->zeta_error;
  }
}

static void assert_found(PetscInt count, const RingDownPoint points[], ModalIwanFit *fit)
{
  PetscBool found;
  char      reason[256];

  assert_ok(ModalIwanFitCurve(count, points, &found, fit, reason, sizeof reason));
  if (!found) print_error("%s\n", reason);
  assert_true(found);
}

static void assert_refused(PetscInt count, const RingDownPoint points[], const char *expected)
{
  ModalIwanFit fit;
  PetscBool    found;
  char         reason[256];

  assert_ok(ModalIwanFitCurve(count, points, &found, &fit, reason, sizeof reason));
  assert_false(found);
  assert_non_null(strstr(reason, expected));
}

static void assert_same_model(const ModalIwan *actual, const ModalIwan *expected, PetscReal tolerance)
{
  PetscReal a[MODAL_IWAN_SIZE], e[MODAL_IWAN_SIZE];

  parameters_of(actual, a);
  parameters_of(expected, e);
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) assert_near(a[i], e[i], tolerance * fmax(fabs(e[i]), i >= MODAL_IWAN_CHI ? 1 : 0));
}

/* At beta = 0 the backbone is level where it ends: beta changes nothing there to first order, and counts as open. */
static void exact_points_give_their_model(void **state)
{
  const PetscInt counts[] = {20, 50, 100};
  uint64_t       seed     = 21;

  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    for (PetscInt c = 0; c < 3; c++) {
      RingDownPoint points[MOST_POINTS];
      ModalIwanFit  fit;

      sample(&models[m], 0.02, 20, counts[c], 0, 0, &seed, points);
      assert_found(counts[c], points, &fit);
      assert_same_model(&fit.model, &models[m], 1e-6);
      for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) assert_int_equal(fit.determined[i], i != MODAL_IWAN_BETA || models[m].beta > 0);
      assert_near(fit.omega_misfit, 0, 1e-9);
      assert_near(fit.zeta_misfit, 0, 1e-7);
      assert_int_equal(fit.num_points, counts[c]);
    }
  }
}

/* Of 100 intervals of 95 % of each parameter; 3 standard deviations of the binomial distribution are 6.5 %. Errors of frequency are a
   twentieth of its change or less, in which no model is found at all. */
static void intervals_hold_the_truth_in_95_of_100_cases(void **state)
{
  enum { NUM_TRIALS = 100, NUM_POINTS = 40 };
  uint64_t seed = 22;

  (void)state;
  for (PetscInt m = 1; m < 6; m += 4) {
    PetscInt  held[MODAL_IWAN_SIZE] = {0};
    PetscReal truth[MODAL_IWAN_SIZE], low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];

    parameters_of(&models[m], truth);
    for (PetscInt trial = 0; trial < NUM_TRIALS; trial++) {
      RingDownPoint points[NUM_POINTS];
      ModalIwanFit  fit;

      sample(&models[m], 0.02, 20, NUM_POINTS, 1e-3, 0.02, &seed, points);
      if (trial % 2)
        for (PetscInt i = 0; i < NUM_POINTS; i++) points[i].omega_error = points[i].zeta_error = 0; /* scatter tells */
      assert_found(NUM_POINTS, points, &fit);
      parameters_of(&fit.low, low);
      parameters_of(&fit.high, high);
      for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) held[i] += low[i] <= truth[i] && truth[i] <= high[i];
    }
    for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) assert_in_range(held[i], 0.885 * NUM_TRIALS, NUM_TRIALS);
  }
}

static void assert_determined(const ModalIwanFit *fit, const PetscBool expected[])
{
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    if (fit->determined[i] != expected[i]) print_error("parameter %d is %sdetermined\n", (int)i, fit->determined[i] ? "" : "not ");
    assert_int_equal(fit->determined[i], expected[i]);
  }
}

/* Points below phi_max know the frequency of sticking, the damping, chi and R: the split of the stiffness, F_S and beta are open.
   What is found explains the points all the same. */
static void points_in_microslip_leave_open_when_all_slips(void **state)
{
  const PetscBool expected[] = {PETSC_FALSE, PETSC_TRUE, PETSC_FALSE, PETSC_FALSE, PETSC_TRUE, PETSC_FALSE};
  uint64_t        seed       = 23;

  (void)state;
  for (PetscInt m = 1; m < 6; m++) {
    for (PetscInt noisy = 0; noisy < 2; noisy++) {
      RingDownPoint points[MOST_POINTS];
      ModalIwanFit  fit;

      sample(&models[m], 1e-3, 0.5, MOST_POINTS, noisy ? 1e-5 : 0, noisy ? 1e-2 : 0, &seed, points);
      assert_found(MOST_POINTS, points, &fit);
      assert_determined(&fit, expected);
      assert_close(fit.model.stiffness + fit.model.tangent, models[m].stiffness + models[m].tangent, noisy ? 1e-4 : 1e-7);
      assert_near(fit.model.chi, models[m].chi, noisy ? 0.05 : 1e-5);
      assert_int_equal(fit.num_micro, MOST_POINTS);
      assert_near(fit.omega_misfit, 0, 2e-5);
      assert_near(fit.zeta_misfit, 0, 0.02);
      assert_true(fit.low.slip_force == 0 && PetscIsInfReal(fit.high.slip_force) && fit.low.stiffness == 0);
    }
  }
}

static void a_linear_decay_leaves_all_but_its_damping_open(void **state)
{
  const PetscBool expected[] = {PETSC_FALSE, PETSC_TRUE, PETSC_FALSE, PETSC_FALSE, PETSC_FALSE, PETSC_FALSE};
  uint64_t        seed       = 24;

  (void)state;
  for (PetscInt noisy = 0; noisy < 2; noisy++) {
    RingDownPoint points[MOST_POINTS];
    ModalIwanFit  fit;

    for (PetscInt i = 0; i < MOST_POINTS; i++)
      points[i] = (RingDownPoint){.amplitude = pow(0.9, (PetscReal)i),
                                  .omega     = 100 * (1 + noisy * 1e-5 * normal(&seed)),
                                  .zeta      = 0.003 * (1 + noisy * 1e-2 * normal(&seed)),
                                  .trusted   = PETSC_TRUE};
    assert_found(MOST_POINTS, points, &fit);
    assert_determined(&fit, expected);
    assert_close(fit.model.damping, 0.003, noisy ? 5e-3 : 1e-4);
    assert_close(fit.model.stiffness + fit.model.tangent, 1e4 * (1 + 0.003 * 0.003), noisy ? 1e-5 : 1e-6);
  }
}

/* Beats, glitches, ends of records: three of 50 that claim to be as good as the others. */
static void a_few_bad_points_do_little(void **state)
{
  uint64_t seed = 25;

  (void)state;
  for (PetscInt m = 1; m < 6; m++) {
    RingDownPoint points[50];
    ModalIwanFit  fit;

    sample(&models[m], 0.02, 20, 50, 1e-5, 5e-3, &seed, points);
    points[7].omega *= 1.01;
    points[20].zeta *= 1.4;
    points[33].zeta *= 0.5;
    points[33].omega *= 0.995;
    assert_found(50, points, &fit);
    assert_same_model(&fit.model, &models[m], 0.05);
  }
}

static void points_that_are_not_trusted_or_make_no_sense_are_left_out(void **state)
{
  uint64_t      seed = 26;
  RingDownPoint points[60];
  ModalIwanFit  fit;

  (void)state;
  sample(&models[2], 0.02, 20, 60, 0, 0, &seed, points);
  points[3].trusted = PETSC_FALSE;
  points[3].omega *= 2;
  points[10].omega       = (PetscReal)NAN;
  points[11].zeta        = -1e-3;
  points[12].amplitude   = 0;
  points[13].omega_error = -1;
  points[14].zeta_error  = PETSC_INFINITY;
  assert_found(60, points, &fit);
  assert_int_equal(fit.num_points, 54);
  assert_same_model(&fit.model, &models[2], 1e-6);
}

static void too_few_points_and_nonsense_are_refused(void **state)
{
  uint64_t      seed = 27;
  RingDownPoint points[60];

  (void)state;
  assert_refused(0, NULL, "0 of 0 points");
  sample(&models[2], 0.02, 20, 60, 0, 0, &seed, points);
  assert_refused(5, points, "only 5 of 5 points are trusted");
  for (PetscInt i = 5; i < 60; i++) points[i].trusted = PETSC_FALSE;
  assert_refused(60, points, "only 5 of 60 points are trusted");
  for (PetscInt i = 0; i < 60; i++)
    points[i] =
      (RingDownPoint){.amplitude = 1 + (PetscReal)i, .omega = 2 + Random(&seed), .zeta = 1e-3 * pow(10, Random(&seed)), .trusted = PETSC_TRUE};
  assert_refused(60, points, "no modal Iwan model fits the points");
}

static void six_points_are_enough_and_every_call_is_the_same(void **state)
{
  uint64_t      seed = 28;
  RingDownPoint points[6];
  ModalIwanFit  fit, again;

  (void)state;
  sample(&models[2], 0.05, 20, 6, 0, 0, &seed, points);
  assert_found(6, points, &fit);
  assert_found(6, points, &again);
  assert_memory_equal(&fit.model, &again.model, sizeof fit.model);
  assert_memory_equal(&fit.low, &again.low, sizeof fit.low);
  assert_memory_equal(&fit.high, &again.high, sizeof fit.high);
  assert_same_model(&fit.model, &models[2], 1e-5);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(curves_of_a_decay_are_those_of_the_laws_first_harmonic_and_loss),
  cmocka_unit_test(printed_curves_are_those_of_the_laws_secant_and_loss_in_microslip),
  cmocka_unit_test(a_decay_follows_the_curves),
  cmocka_unit_test(exact_points_give_their_model),
  cmocka_unit_test(intervals_hold_the_truth_in_95_of_100_cases),
  cmocka_unit_test(points_in_microslip_leave_open_when_all_slips),
  cmocka_unit_test(a_linear_decay_leaves_all_but_its_damping_open),
  cmocka_unit_test(a_few_bad_points_do_little),
  cmocka_unit_test(points_that_are_not_trusted_or_make_no_sense_are_left_out),
  cmocka_unit_test(too_few_points_and_nonsense_are_refused),
  cmocka_unit_test(six_points_are_enough_and_every_call_is_the_same),
};

CHECK_MAIN(tests)
