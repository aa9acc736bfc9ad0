/* test_law_iwan4.c - the four-parameter Iwan model against its closed forms and against sliders marched one by one. */
#include "joint_samples.h"

enum { SLIP_FORCE, STIFFNESS, CHI, BETA, SLIDERS };

/* The model in the terms of its distribution R phi^chi + S delta(phi - phi_max), from eqs 10, 11 and A.4 of lacayo2017. */
typedef struct {
  PetscReal R, S, phi_max, chi;
} Distribution;

static Distribution distribution(const PetscReal p[])
{
  const PetscReal ratio = p[BETA] + (p[CHI] + 1) / (p[CHI] + 2);
  Distribution    d     = {.chi = p[CHI], .phi_max = p[SLIP_FORCE] * (1 + p[BETA]) / (p[STIFFNESS] * ratio)};

  d.R = p[SLIP_FORCE] * (d.chi + 1) / (pow(d.phi_max, d.chi + 2) * ratio);
  d.S = p[STIFFNESS] - d.R * pow(d.phi_max, d.chi + 1) / (d.chi + 1);
  return d;
}

/* Sliders in parallel, each elastic up to its strength. */
typedef struct {
  PetscInt  count;
  PetscReal motion, dissipated;
  PetscReal stiffness[20001], strength[20001], position[20001];
} Parallel;

/* `count` equal bins of [0, phi_max], each at its mean strength, and one slider for the delta function. */
static Parallel *parallel_open(const Distribution *d, PetscInt count)
{
  Parallel *parallel;

  assert_ok(PetscNew(&parallel));
  parallel->count = count + 1;
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal low = d->phi_max * (PetscReal)i / (PetscReal)count, high = d->phi_max * (PetscReal)(i + 1) / (PetscReal)count;
    const PetscReal force = d->R / (d->chi + 2) * (pow(high, d->chi + 2) - pow(low, d->chi + 2));

    parallel->stiffness[i] = d->R / (d->chi + 1) * (pow(high, d->chi + 1) - pow(low, d->chi + 1));
    parallel->strength[i]  = force / parallel->stiffness[i];
  }
  parallel->stiffness[count] = d->S;
  parallel->strength[count]  = d->phi_max;
  return parallel;
}

/* Moves all sliders straight to a motion: [Iwan 1966], no memory rule is used. */
static PetscReal parallel_move(Parallel *parallel, PetscReal motion)
{
  PetscReal force = 0;

  for (PetscInt i = 0; i < parallel->count; i++) {
    const PetscReal strength = parallel->strength[i];
    const PetscReal stretch  = fmax(-strength, fmin(strength, motion - parallel->position[i]));

    parallel->dissipated += parallel->stiffness[i] * strength * fabs(motion - stretch - parallel->position[i]);
    parallel->position[i] = motion - stretch;
    force += parallel->stiffness[i] * stretch;
  }
  return force;
}

static const Sample models[] = {
  {"iwan4", {30.7, 4.73e8, -0.23, 0.46, 0}}, /* Sumali beam, section 3.2 of lacayo2017 */
  {"iwan4", {10, 1, -0.5, 5, 0}},            /* three masses, section 3.1 */
  {"iwan4", {1, 1, 0, 0, 0}},
  {"iwan4", {2, 3, -0.9, 0.1, 0}},
  {"iwan4", {2, 3, -0.3, 0, 0}},
};

enum { NUM_MODELS = sizeof models / sizeof models[0] };

static void backbone_has_the_slip_force_and_stiffness_of_its_distribution(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    const PetscReal   *p     = models[m].parameters;
    const Distribution d     = distribution(p);
    Joint              joint = JointOpen(&models[m], 1);

    assert_close(d.R * pow(d.phi_max, d.chi + 2) / (d.chi + 2) + d.S * d.phi_max, p[SLIP_FORCE], 1e-12); /* eq. A.3 */
    assert_close(JointTry(&joint, d.phi_max * (1 - 1e-15)), p[SLIP_FORCE], 1e-13);
    assert_near(JointTry(&joint, -1.5 * d.phi_max), -p[SLIP_FORCE], 0);
    JointTry(&joint, 0);
    assert_close(joint.stiffness[0], p[STIFFNESS], 1e-15);
    JointTry(&joint, d.phi_max * (1 - 1e-15));
    assert_near(joint.stiffness[0], d.S, 1e-13 * p[STIFFNESS]); /* the delta function alone still sticks */
    JointClose(&joint);
  }
}

/* Nodes and weights of Gauss-Legendre on [0, 1], roots by Newton's method. */
enum { NUM_NODES = 40 };

static void gauss(PetscReal node[], PetscReal weight[])
{
  for (PetscInt i = 0; i < NUM_NODES; i++) {
    PetscReal x = cos(PETSC_PI * ((PetscReal)i + 0.75) / (NUM_NODES + 0.5)), slope = 0;

    for (PetscInt iteration = 0; iteration < 20; iteration++) {
      PetscReal below = 1, value = x;

      for (PetscInt k = 2; k <= NUM_NODES; k++) {
        const PetscReal next = ((PetscReal)(2 * k - 1) * x * value - (PetscReal)(k - 1) * below) / (PetscReal)k;

        below = value;
        value = next;
      }
      slope = NUM_NODES * (x * value - below) / (x * x - 1);
      x -= value / slope;
    }
    node[i]   = (1 + x) / 2;
    weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/* int f dx along the branch that leaves `start`, from `begin` to `end` of its length. The substitution length = t^4 smooths the power at its beginning. */
static PetscReal integral(Joint *joint, PetscReal start, PetscReal sense, PetscReal begin, PetscReal end)
{
  const PetscReal from = pow(begin, 0.25), width = pow(end, 0.25) - from;
  PetscReal       node[NUM_NODES], weight[NUM_NODES], sum = 0;

  gauss(node, weight);
  for (PetscInt i = 0; i < NUM_NODES; i++) {
    const PetscReal t = from + width * node[i];

    sum += weight[i] * JointTry(joint, start + sense * t * t * t * t) * 4 * t * t * t * width;
  }
  return sense * sum;
}

/* Area of the branch from -sense a to sense a, in two parts where it passes into full slip. */
static PetscReal branch_area(Joint *joint, PetscReal a, PetscReal sense, PetscReal phi_max)
{
  const PetscReal start = -sense * a, slip = fmin(2 * a, 2 * phi_max);
  PetscReal       area = integral(joint, start, sense, 0, slip);

  if (slip < 2 * a) area += integral(joint, start, sense, slip, 2 * a);
  return area;
}

/* Microslip: eq. 9. In full slip each branch slips on by 2 (a - phi_max) at the slip force. */
static PetscReal closed_form(const Distribution *d, PetscReal slip_force, PetscReal a)
{
  const PetscReal micro = fmin(a, d->phi_max);

  return 4 * d->R * pow(micro, d->chi + 3) / ((d->chi + 2) * (d->chi + 3)) + 4 * slip_force * (a - micro);
}

static void dissipation_per_cycle_equals_the_closed_form_and_the_area_of_the_loop(void **state)
{
  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    const Distribution d = distribution(models[m].parameters);

    for (PetscInt i = 0; i <= 60; i++) {
      const PetscReal a = d.phi_max * 1e-4 * pow(3e4, (PetscReal)i / 60), expected = closed_form(&d, models[m].parameters[SLIP_FORCE], a);
      Joint           joint = JointOpen(&models[m], 1);
      PetscReal       area, before;

      JointMove(&joint, a);
      before = joint.dissipated[0];
      area   = branch_area(&joint, a, -1, d.phi_max);
      JointMove(&joint, -a);
      area += branch_area(&joint, a, 1, d.phi_max);
      JointMove(&joint, a);
      assert_close(joint.dissipated[0] - before, expected, 1e-12);
      assert_close(area, expected, 1e-9);
      JointClose(&joint);
    }
  }
}

/* A nested or wide random walk in units of phi_max. */
static PetscReal walk(PetscInt step, uint64_t *seed)
{
  const PetscReal range = step % 100 < 50 ? 2 : pow(0.9, step % 100 - 50);

  return range * (step % 2 ? 1 : -1) * (0.6 + 0.4 * Random(seed));
}

/* Only the slider of the bin that a branch has reached differs from the exact model, by a quarter of its force at most; the first
   bin is the strongest. Each turning point remembered is the end of a branch, of twice that error. */
static void exact_model_equals_20000_sliders_to_their_discretisation(void **state)
{
  const PetscInt num_bins = 20000;
  uint64_t       seed     = 12;

  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    const Distribution d        = distribution(models[m].parameters);
    const PetscReal    width    = d.phi_max / (PetscReal)num_bins;
    const PetscReal    bin      = d.R / (d.chi + 1) * pow(width, d.chi + 1) * width / 4;
    Parallel          *parallel = parallel_open(&d, num_bins);
    Joint              joint    = JointOpen(&models[m], 1);

    for (PetscInt i = 0; i < 500; i++) {
      const PetscReal motion = d.phi_max * walk(i, &seed), force = JointMove(&joint, motion);

      assert_near(force, parallel_move(parallel, motion),
                  2 * bin * (PetscReal)(1 + joint.history.turning[0].count) + 1e-13 * models[m].parameters[SLIP_FORCE]);
    }
    assert_close(joint.dissipated[0], parallel->dissipated, 1e-6);
    assert_ok(PetscFree(parallel));
    JointClose(&joint);
  }
}

static void model_of_n_sliders_equals_n_sliders(void **state)
{
  const PetscInt counts[] = {1, 2, 7, 200};
  uint64_t       seed     = 13;

  (void)state;
  for (PetscInt m = 0; m < NUM_MODELS; m++) {
    for (PetscInt c = 0; c < 4; c++) {
      const Distribution d        = distribution(models[m].parameters);
      Sample             sample   = models[m];
      Parallel          *parallel = parallel_open(&d, counts[c]);
      Joint              joint;

      sample.parameters[SLIDERS] = (PetscReal)counts[c];
      joint                      = JointOpen(&sample, 1);
      for (PetscInt i = 0; i < 1000; i++) {
        const PetscReal motion = d.phi_max * walk(i, &seed), force = JointMove(&joint, motion);

        assert_near(force, parallel_move(parallel, motion), 1e-12 * sample.parameters[SLIP_FORCE]);
        assert_near(joint.dissipated[0], parallel->dissipated, 1e-12 * (parallel->dissipated + sample.parameters[SLIP_FORCE] * d.phi_max));
      }
      assert_ok(PetscFree(parallel));
      JointClose(&joint);
    }
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(backbone_has_the_slip_force_and_stiffness_of_its_distribution),
  cmocka_unit_test(dissipation_per_cycle_equals_the_closed_form_and_the_area_of_the_loop),
  cmocka_unit_test(exact_model_equals_20000_sliders_to_their_discretisation),
  cmocka_unit_test(model_of_n_sliders_equals_n_sliders),
};

CHECK_MAIN(tests)
